"""What ROUGE takes for the tokens and the sentences of a text."""

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from textgauge.core.strings import number_strings
from textgauge.tokens.chunks import Tokens
from textgauge.tokens.nltk_stemmers import stemmers
from textgauge.tokens.tokenizers import encode, encode_words
from textgauge.tokens.words import ASCII_LETTERS

# a sentence ends at a line feed, at a full stop and a blank, or at a full-width stop
_SENTENCE_END = re.compile(r"\n|(?<=[.!?…؟।።])\s+|(?<=[.!?…؟।።][\"'”’»)\]])\s+|(?<=[。！？｡])")
_CACHED_STEMS = 2**16


def sentence_splitter(split_summaries: bool) -> Callable[[str], list[str]]:
    """Returns the function from a text to its sentences, which are its lines, or with `split_summaries` real ones.

    >>> sentence_splitter(False)("갔다. 왔다.\\n끝."), sentence_splitter(True)("갔다. 왔다.\\n끝.")
    (['갔다. 왔다.', '끝.'], ['갔다.', '왔다.', '끝.'])
    """
    return _SENTENCE_END.split if split_summaries else _lines


def has_tokens_of_sentences(tokenizer: Any, split_summaries: bool) -> bool:
    """Returns whether the tokens of a text are those of its sentences, so that none reaches from one into the next.

    >>> has_tokens_of_sentences("unicode", True), has_tokens_of_sentences("whitespace", True)
    (True, False)
    """
    return tokenizer in ("unicode", "char", "jamo", "rouge_score", None if split_summaries else "whitespace")


def _lines(text: str) -> list[str]:
    return text.split("\n")


def rouge_tokens(texts: Sequence[str], *, tokenizer: Any, use_stemmer: bool) -> Tokens:
    """Returns the tokens of texts; with `use_stemmer` words of ASCII characters are stemmed.

    >>> rouge_tokens(["Cats sleeping, 잔다."], tokenizer="unicode", use_stemmer=True).words()
    ['Cat', 'sleep', '잔다']
    """
    if isinstance(tokenizer, str) and tokenizer == "rouge_score":
        tokens = encode_words([text.lower() for text in texts], ASCII_LETTERS)
    else:
        tokens = encode(texts, tokenizer)
    if not use_stemmer:
        return tokens
    numbers, stems = number_strings(map(_stem, tokens.words()))
    return Tokens(numbers[tokens.ids], tokens.lengths, stems)


def _stem(word: str) -> str:
    # rouge_score's rule, after ROUGE-1.5.5: no word of up to three characters
    return stemmer()(word) if len(word) > 3 and word.isascii() else word


@functools.cache
def stemmer() -> Any:
    """Returns Porter's stemmer with nltk's changes, word -> stem; ImportError where nltk is missing.

    >>> stemmer()("sleeping")
    'sleep'
    """
    stem = stemmers("porter", "use_stemmer=True").PorterStemmer().stem
    return functools.lru_cache(_CACHED_STEMS)(functools.partial(stem, to_lowercase=False))
