"""Texts to counted phrases, and phrases to the text that a tokenizer splits into the same tokens again."""

from collections import Counter
from collections.abc import Iterable, Sequence

from textgauge.core.columns import clean_texts
from textgauge.core.progress import tqdm
from textgauge.tokens.tokenizers import tokenize

Phrase = tuple[str, ...]
_BLOCK = 1024


def tokenized(texts: Sequence[str], tokenizer: str, lowercase: bool) -> list[list[str]]:
    """Returns the tokens of each text, in the form in which the metrics see it."""
    lists = []
    for start in tqdm(range(0, len(texts), _BLOCK), desc="tokens", unit="block", delay=2, leave=False):
        block = list(texts[start : start + _BLOCK])
        lists += tokenize(clean_texts(block, lowercase=lowercase, normalization="NFC"), tokenizer)
    return lists


def phrases_of(tokens: Sequence[str], order: int) -> Iterable[Phrase]:
    """Returns the phrases of this number of tokens, as often as they occur."""
    return zip(*(tokens[start:] for start in range(order)), strict=False)


def count_phrases(token_lists: Sequence[Sequence[str]], order: int) -> Counter[Phrase]:
    """Counts the phrases of this number of tokens."""
    counts: Counter[Phrase] = Counter()
    for tokens in tqdm(token_lists, desc=f"phrases of {order}", unit="text", delay=2, leave=False):
        counts.update(phrases_of(tokens, order))
    return counts


def phrase_texts(phrases: Sequence[Phrase], tokenizer: str, lowercase: bool) -> list[str | None]:
    """Returns each phrase as a text that the tokenizer splits into the same tokens; None without such a text.

    A morpheme analyser may split a phrase alone otherwise than within its sentence.
    """
    texts: list[str | None] = [None] * len(phrases)
    # characters read better without spaces; words need them
    for separator in ("", " ") if tokenizer in ("char", "jamo", "content", "content-mecab") else (" ", ""):
        joined = [separator.join(phrase) for phrase in phrases]
        for index, tokens in enumerate(tokenized(joined, tokenizer, lowercase)):
            if texts[index] is None and tuple(tokens) == tuple(phrases[index]):
                texts[index] = joined[index]
    return texts
