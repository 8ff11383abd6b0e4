"""Texts to tokens: the tokenizers.

Word tokenizers work on the bytes of all texts (`words.py`),
character tokenizers on their code points; morpheme analysers (`morphemes.py`) and the user's own tokenizers work text
by text. All return `Tokens`.
"""

import functools
import itertools
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.core.options import Option

from .chunks import Chunk, Tokens, encode_lists, split_texts
from .code_points import CODE_POINTS
from .morphemes import PACKAGES, Morphemes, content_reader, kiwi_morphemes, kiwi_words, mecab_morphemes, mecab_words
from .own_tokenizers import own_function, own_name, own_tokens
from .words import LETTERS, MTEVAL, WHITESPACE, WordRule, find_words, mteval_texts, set_apart

FEW_CHARACTERS = 768
_MTEVAL_MARKS = [*(mark for mark in string.punctuation if mark not in "',-."), ".", ","]
_MTEVAL_DIGITS = [
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
]
_DIGIT = re.compile("[0-9]")
_NO_WORDS = "char, the nearest, which knows no words; in Python, a function that calls sacreBLEU's also works"
# names that sacreBLEU has: what to pass, and how near that is
_OF_SACREBLEU = {
    "none": "whitespace, which is the same",
    "ko-mecab": "mecab, which is the same",
    "zh": "mixed, the nearest, the same except for ASCII marks beside Latin words and digits, as in C++ or 1-2",
    "intl": "13a, the nearest, which leaves hyphens, apostrophes and marks that are not ASCII in their words",
    "ja-mecab": _NO_WORDS,
    "spm": _NO_WORDS,
    "flores101": _NO_WORDS,
    "flores200": _NO_WORDS,
}


def encode_chunk(predictions: Sequence[str], references: Sequence[Sequence[str]], tokenizer: Any) -> Chunk:
    """Returns predictions and references, tokenized together, so that equal tokens have equal ids.

    >>> chunk = encode_chunk(["나는 간다"], [["나는 집에 간다", "간다"]], "whitespace")
    >>> chunk.tokens.ids.tolist(), chunk.lengths.tolist(), chunk.reference_numbers.tolist()
    ([0, 1, 0, 2, 1, 1], [2, 3, 1], [0, 1, 2])
    """
    texts = [*predictions, *itertools.chain.from_iterable(references)]
    return chunk_of(texts, list(map(len, references)), tokenizer)


def chunk_of(texts: Sequence[str], counts: Sequence[int], tokenizer: Any) -> Chunk:
    """Returns predictions, then all references, as `encode_chunk` does; each segment has this number of references."""
    lists = _few_lists(texts, tokenizer)
    return Chunk(counts, encode(texts, tokenizer)) if lists is None else Chunk(counts, lists=lists)


def encode(texts: Sequence[str], tokenizer: Any = "13a") -> Tokens:
    """Returns the tokens of texts as one integer array.

    >>> tokens = encode(["나는 간다", "간다"], "whitespace")
    >>> tokens.ids.tolist(), tokens.lengths.tolist(), tokens.words()
    ([0, 1, 1], [2, 1], ['나는', '간다'])

    Args:
        texts: strings in one Unicode form.
        tokenizer: as `check_tokenizer` accepts it.

    Raises:
        InputError: the user's own tokenizer does not return a list of strings.
    """
    lists = _few_lists(texts, tokenizer)
    if lists is not None:
        return encode_lists(lists)
    return TOKENIZERS[tokenizer](texts) if isinstance(tokenizer, str) else encode_lists(_own_lists(texts, tokenizer))


def _few_lists(texts: Sequence[str], tokenizer: Any) -> list[list[str]] | None:
    """Returns the tokens of each of a few short texts; None where arrays take less time, or are all there is."""
    if len(texts) > FEW_CHARACTERS or sum(map(len, texts)) > FEW_CHARACTERS:
        return None
    if not isinstance(tokenizer, str):
        return _own_lists(texts, tokenizer)
    split = _SPLITTERS.get(tokenizer)
    return None if split is None else list(map(split, texts))


def _own_lists(texts: Sequence[str], tokenizer: Any) -> list[list[str]]:
    function = own_function(tokenizer)
    return [own_tokens(function, text) for text in texts]


def tokenize(texts: Sequence[str], tokenizer: Any = "13a") -> list[list[str]]:
    """Returns the tokens of each text as strings.

    >>> tokenize(["고양이가 잔다."], "13a"), tokenize(["GPT는 모델"], "mixed")
    ([['고양이가', '잔다', '.']], [['GPT', '는', '모', '델']])
    """
    lists = _few_lists(texts, tokenizer)
    if lists is not None:
        return lists
    tokens = encode(texts, tokenizer)
    words = tokens.words()
    lists = []
    for ids in split_texts(tokens.ids.tolist(), tokens.lengths):
        lists.append([words[index] for index in ids])
    return lists


def check_tokenizer(tokenizer: Any, further: Sequence[str] = ()) -> None:
    """Raises InputError unless this is a tokenizer, and ImportError where its package is missing.

    Args:
        tokenizer: the value of the option.
        further: names that a metric has besides.
    """
    names = (*TOKENIZERS, *further)
    is_name = isinstance(tokenizer, str)
    is_wrong = tokenizer not in names if is_name else not callable(own_function(tokenizer))
    if is_wrong and is_name and (nearest := _OF_SACREBLEU.get(tokenizer.lower())):
        raise InputError(f"tokenizer is {tokenizer!r:.200}, a name of sacreBLEU; pass {nearest}")
    if is_wrong or isinstance(tokenizer, type):
        raise InputError(
            f"tokenizer is {tokenizer!r:.200}; pass one of {', '.join(names)}, a callable, or an object with .tokenize"
        )
    if is_name and tokenizer in PACKAGES:
        encode([], tokenizer)


def tokenizer_version(tokenizer: Any) -> str:
    """Returns the tokenizer's name for the signature, with the versions of its package and dictionary.

    The user's own tokenizer appears with the name of its function or class. Two functions of one name look the same.

    >>> tokenizer_version("13a"), tokenizer_version(str.split)
    ('13a', 'custom(builtins.str.split)')
    """
    if not isinstance(tokenizer, str):
        return own_name(tokenizer)
    from importlib.metadata import version

    packages = PACKAGES.get(tokenizer)
    return f"{tokenizer}[{','.join(map(version, packages))}]" if packages else tokenizer


def encode_words(texts: Sequence[str], rule: WordRule) -> Tokens:
    """Returns the words of texts by a rule of `words.py`.

    >>> encode_words(["네, 좋아요!"], LETTERS).words()
    ['네', '좋아요']
    """
    return Tokens(*find_words(texts, rule))


def _encode_13a(texts: Sequence[str]) -> Tokens:
    """mteval-v13a, as in sacreBLEU and Hugging Face's metrics."""
    return encode_words(mteval_texts(texts), MTEVAL)


def _split_13a(text: str) -> list[str]:
    """The same for one text, by mteval's own rules, which take it a replacement at a time."""
    if "&" in text or "<" in text or "-" in text:
        [text] = mteval_texts([text])
    has_digit = _DIGIT.search(text) is not None
    for mark in _MTEVAL_MARKS[:-2] if has_digit else _MTEVAL_MARKS:
        if mark in text:
            text = text.replace(mark, f" {mark} ")
    if has_digit:
        text = f" {text} "
        for pattern, replacement in _MTEVAL_DIGITS:
            text = pattern.sub(replacement, text)
    return text.split()


def _split_characters(text: str) -> list[str]:
    return list("".join(text.split()))


def _encode_mixed(texts: Sequence[str]) -> Tokens:
    """Each Hangul syllable, kana and ideograph is a token, and what else is between blanks or these."""
    return encode_words(list(map(set_apart, texts)), WHITESPACE)


class _LettersOrBlank(dict):
    """From a code point to itself or to a blank, as `str.translate` takes it; each is looked up once."""

    def __missing__(self, code: int) -> str:
        return self.setdefault(code, " " if LETTERS.is_blank(chr(code)) else chr(code))


def _encode_characters(texts: Sequence[str]) -> Tokens:
    """Each code point except for whitespace is a token, as in sacreBLEU's `char`."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.int32)
    text_of = np.repeat(np.arange(len(texts)), lengths_of(texts))
    distinct = np.flatnonzero(np.bincount(codes, minlength=1))
    distinct = np.array([code for code in distinct.tolist() if not chr(code).isspace()], dtype=np.int64)
    index = np.full(CODE_POINTS, -1, dtype=np.int32)
    index[distinct] = np.arange(len(distinct))
    ids = index[codes]
    lengths = np.bincount(text_of[ids >= 0], minlength=len(texts))
    return Tokens(ids[ids >= 0].astype(np.int64), lengths, list(map(chr, distinct.tolist())))


def _encode_jamo(texts: Sequence[str]) -> Tokens:
    """Each code point of the canonical decomposition is a token: 닭 is ㄷ, ㅏ, ㄺ."""
    return _encode_characters([unicodedata.normalize("NFD", text) for text in texts])


def _encode_each(split: Callable[[Sequence[str]], list[list[str]]]) -> Callable[[Sequence[str]], Tokens]:
    """Returns the tokenizer that takes the tokens of each text from a function."""
    return lambda texts: encode_lists(split(texts))


def _encode_content(analyse: Callable[[list[str]], Iterable[Morphemes]]) -> Callable[[Sequence[str]], Tokens]:
    """Returns the tokenizer into the characters of content morphemes: 고양이가 방에서 잤다 is 고, 양, 이, 방, 자."""
    read = content_reader(analyse)
    return lambda texts: _encode_characters(read(texts))


TOKENIZERS: dict[str, Callable[[Sequence[str]], Tokens]] = {
    "13a": _encode_13a,
    "whitespace": functools.partial(encode_words, rule=WHITESPACE),
    "char": _encode_characters,
    "unicode": functools.partial(encode_words, rule=LETTERS),
    "jamo": _encode_jamo,
    "mixed": _encode_mixed,
    "mecab": _encode_each(mecab_words),
    "kiwi": _encode_each(kiwi_words),
    "content": _encode_content(kiwi_morphemes),
    "content-mecab": _encode_content(mecab_morphemes),
}

# the same text by text, which takes less time for a few
_LETTERS = _LettersOrBlank()
_SPLITTERS: dict[str, Callable[[str], list[str]]] = {
    "13a": _split_13a,
    "whitespace": str.split,
    "char": _split_characters,
    "unicode": lambda text: text.translate(_LETTERS).split(),
    "jamo": lambda text: _split_characters(unicodedata.normalize("NFD", text)),
    "mixed": lambda text: set_apart(text).split(),
}

TOKENIZER = Option(
    "13a",
    "tok",
    "`13a` (mteval's, as in sacreBLEU and Hugging Face), `whitespace`, `char`, `unicode` (letters, marks and "
    "numbers of any script), `jamo`, `mixed` (characters of Hangul, kana and ideographs, and words of other scripts), "
    "`mecab`, `kiwi`, `content` (Korean: the characters of morphemes except for particles, endings and "
    "punctuation, by Kiwi), or `content-mecab` (by mecab-ko). Chinese, Japanese: `mixed` or `char`; Thai, which has no "
    "blanks between words: `char`.",
    "choice",
    check=lambda name, value: check_tokenizer(value),
    choices=tuple(TOKENIZERS),
    packages=PACKAGES,
    text=tokenizer_version,
    in_code="Or a callable str -> list of str, or an object with `.tokenize`.",
)
