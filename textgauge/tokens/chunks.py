"""A chunk of the corpus, as many segments as are scored together: their tokens as one integer array, or as lists.

The idea: what works on a whole chunk takes integer arrays, `Tokens`. The trick: a few short texts keep the lists of
strings that they were split into, `Chunk.lists`, and what counts n-grams or compares texts takes these, in a fraction
of the time that it takes to make arrays. Whoever asks for arrays gets them all the same.
"""

import functools
import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of, ranges
from textgauge.core.strings import Strings, as_list, number_strings

from .code_points import CODE_POINTS

_SHORT_TEXT = 64  # tokens: one machine word
_FIRST_SURROGATE, SURROGATES = 0xD800, 0x800  # code points that no string may hold


class Tokens(NamedTuple):
    """The tokens of several texts, one text after the other; equal tokens have equal ids."""

    ids: np.ndarray  # (n_tokens,) int64, an index into the vocabulary
    lengths: np.ndarray  # (n_texts,) intp, tokens of each text
    vocabulary: Strings  # the distinct tokens

    def words(self) -> list[str]:
        """Returns the distinct tokens as a list."""
        return as_list(self.vocabulary)


class Chunk:
    """The texts of a chunk of segments: first all predictions, then all references, segment by segment."""

    def __init__(self, counts: Sequence[int], tokens: Tokens | None = None, lists: list[list[Any]] | None = None):
        """Takes the number of references of each segment, and the tokens of all texts as arrays, as lists, or as both.

        Lists hold strings, or numbers that are equal where the tokens are.
        """
        self.counts, self.n_rows, self.lists = counts, len(counts), lists
        if tokens is not None:
            self.tokens = tokens

    @functools.cached_property
    def tokens(self) -> Tokens:
        """The tokens as arrays."""
        return encode_lists(self.lists)

    @functools.cached_property
    def n_references(self) -> np.ndarray:
        """How many references each segment has, (n_rows,) intp."""
        return np.array(self.counts, dtype=np.intp)

    @functools.cached_property
    def lengths(self) -> np.ndarray:
        """How many tokens each text has, (n_texts,) intp."""
        return self.tokens.lengths if self.lists is None else lengths_of(self.lists)

    @property
    def is_paired(self) -> bool:
        """Whether each segment has one reference."""
        return len(self.lengths) == 2 * self.n_rows

    @functools.cached_property
    def rows(self) -> np.ndarray:
        """The segment of each text, (n_texts,)."""
        rows = np.arange(self.n_rows)
        return np.concatenate([rows, rows if self.is_paired else np.repeat(rows, self.n_references)])

    @functools.cached_property
    def reference_numbers(self) -> np.ndarray:
        """The numbers 1, 2, ... of the references of a segment, and 0 of its prediction, (n_texts,)."""
        if self.is_paired:
            return np.repeat([0, 1], self.n_rows)
        counts = self.n_references
        numbers = ranges(np.ones_like(counts), counts)
        return np.concatenate([np.zeros(self.n_rows, dtype=np.int64), numbers])

    def references(self) -> list[list[list[str]]]:
        """Returns the lists of the references of each segment, where there are lists."""
        left = iter(self.lists[self.n_rows :])
        return [list(itertools.islice(left, count)) for count in self.counts]


def encode_lists(token_lists: Sequence[Sequence[str]]) -> Tokens:
    """Returns the tokens of texts that are lists of tokens already."""
    ids, vocabulary = number_strings(itertools.chain.from_iterable(token_lists))
    return Tokens(ids, lengths_of(token_lists), vocabulary)


def as_strings(chunk: Chunk) -> list[str]:
    """Returns each text as a string with a character for each token, for libraries that compare strings.

    Equal tokens of a segment are equal characters. Those of different segments need not be.

    >>> texts = as_strings(Chunk([1], lists=[["나는", "간다"], ["나는", "집에", "간다"]]))
    >>> [list(map(ord, text)) for text in texts]
    [[0, 1], [0, 2, 1]]
    """
    if chunk.lists is not None:
        distinct = dict.fromkeys(itertools.chain.from_iterable(chunk.lists))
        characters = dict(zip(distinct, map(chr, range(len(distinct))), strict=True))
        return ["".join(map(characters.__getitem__, tokens)) for tokens in chunk.lists]
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
    """Returns a string with a character for each of the numbers (n,), equal ones where the numbers are equal.

    >>> as_characters(np.array([97, 98, 97]))
    'aba'
    """
    if numbers.max(initial=0) < 256:
        return numbers.astype(np.uint8).tobytes().decode("latin-1")
    numbers = numbers.astype(np.uint32)
    numbers[numbers >= _FIRST_SURROGATE] += SURROGATES
    return numbers.tobytes().decode("utf-32-le")


def _numbers_within(rows: np.ndarray, ids: np.ndarray) -> np.ndarray:
    """Returns ids that start at 0 in each segment. Most of them are below 256, for which rapidfuzz is faster."""
    size = int(ids.max(initial=0)) + 1
    distinct, ranks = np.unique(rows.astype(np.int64) * size + ids, return_inverse=True)
    first = np.searchsorted(distinct // size, np.arange(rows.max(initial=0) + 1))
    return ranks - first[rows]


def split_texts(values: Sequence[Any], lengths: np.ndarray) -> list[Any]:
    """Returns the values of each text, where `values` holds those of all, one after the other; lengths are (n_texts,).

    >>> split_texts(["나는", "간다", "네"], np.array([2, 0, 1]))
    [['나는', '간다'], [], ['네']]
    """
    bounds = [0, *np.cumsum(lengths).tolist()]
    return [values[start:end] for start, end in itertools.pairwise(bounds)]
