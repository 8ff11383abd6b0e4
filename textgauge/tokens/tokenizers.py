"""Texts to tokens: the tokenizers, and a chunk of the corpus as one integer array.

A chunk is as many segments as are scored together. Word tokenizers work on the bytes of all texts (`words.py`),
character tokenizers on their code points; morpheme analysers (`morphemes.py`) and the user's own tokenizers work text
by text. All return `Tokens`.
"""

import functools
import itertools
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from textgauge.core.columns import lengths_of
from textgauge.core.options import Option

from .code_points import CODE_POINTS
from .morphemes import PACKAGES, Morphemes, content_reader, kiwi_morphemes, kiwi_words, mecab_morphemes, mecab_words
from .own_tokenizers import own_function, own_name, own_tokens
from .words import LETTERS, MTEVAL, WHITESPACE, Rule, find_words, mteval_texts, set_apart

FEW_CHARACTERS = 512
_SHORT_TEXT = 64  # tokens: one machine word
_MTEVAL_MARKS = [mark for mark in string.punctuation if mark not in "',-."]
_MTEVAL_POINTS = [(re.compile(r"([^0-9])([.,])"), r"\1 \2 "), (re.compile(r"([.,])([^0-9])"), r" \1 \2")]
_MTEVAL_DASH = re.compile(r"([0-9])(-)")
_FIRST_SURROGATE, SURROGATES = 0xD800, 0x800  # code points that no string may hold


class Tokens(NamedTuple):
    """The tokens of several texts, one text after the other; equal tokens have equal ids."""

    ids: np.ndarray  # (n_tokens,) int64, an index into the vocabulary
    lengths: np.ndarray  # (n_texts,) intp, tokens of each text
    vocabulary: pa.Array  # distinct tokens as strings


class Chunk(NamedTuple):
    """The texts of a chunk of segments: first all predictions, then all references, segment by segment."""

    tokens: Tokens
    rows: np.ndarray  # (n_texts,) segment of the text
    reference_numbers: np.ndarray  # (n_texts,) 1, 2, ... for the references of a segment, 0 for its prediction
    n_rows: int  # number of segments


def encode_chunk(predictions: Sequence[str], references: Sequence[Sequence[str]], tokenizer: Any) -> Chunk:
    """Returns predictions and references, tokenized together, so that equal tokens have equal ids."""
    n_rows, texts = len(predictions), [*predictions, *itertools.chain.from_iterable(references)]
    tokens = encode(texts, tokenizer)
    if len(texts) == 2 * n_rows:  # a reference each
        return Chunk(tokens, np.arange(2 * n_rows) % n_rows, np.repeat([0, 1], n_rows), n_rows)
    counts = lengths_of(references)
    first = np.cumsum(counts) - counts
    numbers = np.arange(counts.sum()) - np.repeat(first, counts) + 1
    return Chunk(
        tokens=tokens,
        rows=np.concatenate([np.arange(n_rows), np.repeat(np.arange(n_rows), counts)]),
        reference_numbers=np.concatenate([np.zeros(n_rows, dtype=np.int64), numbers]),
        n_rows=n_rows,
    )


def as_strings(chunk: Chunk) -> list[str]:
    """Returns each text as a string with a character for each token, for libraries that compare strings.

    Equal tokens of a segment are equal characters. Those of different segments need not be.
    """
    tokens = chunk.tokens
    if len(tokens.vocabulary) <= 256:
        return split_texts(as_characters(tokens.ids), tokens.lengths)
    longest = np.zeros(chunk.n_rows, dtype=np.int64)
    np.maximum.at(longest, chunk.rows, tokens.lengths)
    # short texts are compared fast whatever their characters, and sorting would take longer than that
    is_renumbered = (longest > _SHORT_TEXT) | (len(tokens.vocabulary) >= CODE_POINTS - SURROGATES)
    rows = np.repeat(chunk.rows, tokens.lengths)
    chosen = np.flatnonzero(is_renumbered[rows])
    codes = tokens.ids.copy()
    codes[chosen] = _numbers_within(rows[chosen], tokens.ids[chosen])
    return split_texts(as_characters(codes), tokens.lengths)


def as_characters(numbers: np.ndarray) -> str:
    """Returns a string with a character for each number, equal ones where the numbers are equal."""
    if numbers.max(initial=0) < 256:
        return numbers.astype(np.uint8).tobytes().decode("latin-1")
    numbers = numbers.astype(np.uint32)
    numbers[numbers >= _FIRST_SURROGATE] += SURROGATES
    return numbers.tobytes().decode("utf-32-le")


def ranges(starts: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns for each start the numbers start, start + 1, ..., as many as its count says, all in one array."""
    return np.repeat(starts - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())


def split_texts(values: Sequence[Any], lengths: np.ndarray) -> list[Any]:
    """Returns the values of each text, where `values` holds those of all texts, one text after the other."""
    bounds = [0, *np.cumsum(lengths).tolist()]
    return [values[start:end] for start, end in itertools.pairwise(bounds)]


def _numbers_within(rows: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Returns ids that start at 0 in each segment. Most of them are below 256, for which rapidfuzz is faster."""
    size = int(ids.max(initial=0)) + 1
    distinct, ranks = np.unique(rows.astype(np.int64) * size + ids, return_inverse=True)
    first = np.searchsorted(distinct // size, np.arange(rows.max(initial=0) + 1))
    return ranks - first[rows]


def encode(texts: Sequence[str], tokenizer: Any = "13a") -> Tokens:
    """Returns the tokens of texts as one integer array.

    Args:
        texts: strings in one Unicode form.
        tokenizer: as `check_tokenizer` accepts it.

    Raises:
        ValueError: the user's own tokenizer does not return a list of strings.
    """
    if isinstance(tokenizer, str):
        split = _SPLITTERS.get(tokenizer)
        if split is not None and sum(map(len, texts)) <= FEW_CHARACTERS:
            return _encode_few(list(map(split, texts)))
        return TOKENIZERS[tokenizer](texts)
    function = own_function(tokenizer)
    return _encode_lists([own_tokens(function, text) for text in texts])


def _encode_few(token_lists: list[list[str]]) -> Tokens:
    """Encodes a few texts that are lists of tokens already."""
    flat = list(itertools.chain.from_iterable(token_lists))
    numbers = {token: number for number, token in enumerate(dict.fromkeys(flat))}
    ids = np.array(list(map(numbers.__getitem__, flat)), dtype=np.int64)
    lengths = np.array(list(map(len, token_lists)), dtype=np.intp)
    return Tokens(ids, lengths, pa.array(list(numbers), pa.large_string()))


def tokenize(texts: Sequence[str], tokenizer: Any = "13a") -> list[list[str]]:
    """Returns the tokens of each text as strings: `tokenize(["잔다."], "13a")` is `[["잔다", "."]]`."""
    tokens = encode(texts, tokenizer)
    words = tokens.vocabulary.to_pylist()
    return [[words[i] for i in ids] for ids in split_texts(tokens.ids.tolist(), tokens.lengths)]


def check_tokenizer(tokenizer: Any, further: Sequence[str] = ()) -> None:
    """Raises ValueError unless this is a tokenizer, and ImportError where its package is missing.

    Args:
        tokenizer: the value of the option.
        further: names that a metric has besides.
    """
    is_name, names = isinstance(tokenizer, str), (*TOKENIZERS, *further)
    is_wrong = tokenizer not in names if is_name else not callable(own_function(tokenizer))
    if is_wrong or isinstance(tokenizer, type):
        raise ValueError(
            f"tokenizer is {tokenizer!r}; pass one of {', '.join(names)}, a callable, or an object with .tokenize"
        )
    if is_name and tokenizer in PACKAGES:
        encode([], tokenizer)


def tokenizer_version(tokenizer: Any) -> str:
    """Returns the tokenizer's name for the signature, with the versions of its package and dictionary.

    The user's own tokenizer appears with the name of its function or class. Two functions of one name look the same.
    """
    if not isinstance(tokenizer, str):
        return own_name(tokenizer)
    from importlib.metadata import version

    packages = PACKAGES.get(tokenizer)
    return f"{tokenizer}[{','.join(map(version, packages))}]" if packages else tokenizer


def encode_words(texts: Sequence[str], rule: Rule) -> Tokens:
    """Returns the words of texts by a rule of `words.py`."""
    return Tokens(*find_words(texts, rule))


def _encode_13a(texts: Sequence[str]) -> Tokens:
    """mteval-v13a, as in sacreBLEU and Hugging Face's metrics."""
    return encode_words(mteval_texts(texts), MTEVAL)


def _split_13a(text: str) -> list[str]:
    """The same for one text, by mteval's own rules, which take it a replacement at a time."""
    if "&" in text or "<" in text or "-" in text:
        [text] = mteval_texts([text])
    for mark in _MTEVAL_MARKS:
        if mark in text:
            text = text.replace(mark, f" {mark} ")
    text = f" {text} "
    for pattern, replacement in _MTEVAL_POINTS if "." in text or "," in text else ():
        text = pattern.sub(replacement, text)
    return (_MTEVAL_DASH.sub(r"\1 \2 ", text) if "-" in text else text).split()


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
    return Tokens(
        ids[ids >= 0].astype(np.int64), lengths, pa.array([chr(c) for c in distinct.tolist()], pa.large_string())
    )


def _encode_jamo(texts: Sequence[str]) -> Tokens:
    """Each code point of the canonical decomposition is a token: 닭 is ㄷ, ㅏ, ㄺ."""
    return _encode_characters([unicodedata.normalize("NFD", text) for text in texts])


def _encode_lists(token_lists: Sequence[Sequence[str]]) -> Tokens:
    """Encodes texts that are lists of tokens already."""
    flat = pa.array(list(itertools.chain.from_iterable(token_lists)), pa.large_string()).dictionary_encode()
    return Tokens(flat.indices.to_numpy().astype(np.int64), lengths_of(token_lists), flat.dictionary)


def _encode_each(split: Callable[[Sequence[str]], list[list[str]]]) -> Callable[[Sequence[str]], Tokens]:
    """Returns the tokenizer that takes the tokens of each text from a function."""
    return lambda texts: _encode_lists(split(texts))


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
    "`mecab`, `kiwi`, `content` (Korean: the characters of morphemes that are neither particles nor endings nor "
    "punctuation, by Kiwi), or `content-mecab` (by mecab-ko).",
    "choice",
    check=lambda name, value: check_tokenizer(value),
    choices=tuple(TOKENIZERS),
    packages=PACKAGES,
    text=tokenizer_version,
    in_code="Or a callable str -> list of str, or an object with `.tokenize`.",
)
