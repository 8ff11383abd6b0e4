"""N-grams of a whole chunk as sorted integers, which `counts.py` counts.

The idea: write each n-gram, with its segment, as one integer. Equal n-grams of a segment are then equal integers, and
sorting brings them together. There is no Python loop over n-grams.

The trick: the integer is segment | token ids | class | reference number, each in as few bits as it needs, so that it
fits into 62 bits and stands for one n-gram only. To need few bits, tokens are numbered anew within each segment, and
an n-gram is left out if one of its tokens occurs only in the prediction or only in references: it cannot match. Where
there are still too many bits, the rank of an integer among all of them takes its place.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.tokens.chunks import Chunk, as_characters, split_texts

KEY_BITS = 62
_SHORT_KEY_BITS = 32


class Shared(NamedTuple):
    """The tokens of a chunk that can match: those that both the prediction and a reference of the segment have.

    A place is a token, or one of the gaps, one behind each text, so that no n-gram reaches over a text's end.
    """

    codes: np.ndarray  # (n_places,) segment | number of the token among those of the segment, from 1; 0 for all others
    token_bits: int  # of that number

    @property
    def tokens(self) -> np.ndarray:
        """The number of each token, 0 for all others: (n_places,)."""
        return self.codes & ((1 << self.token_bits) - 1)


class SortedNgrams(NamedTuple):
    """The n-grams of one order that can match, one integer n-gram | reference number for each time one occurs."""

    keys: np.ndarray  # (n_occurrences,) in ascending order
    number_bits: int  # of the reference number
    rows_and_classes: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]  # of n-grams, the keys' upper bits


def sorted_ngrams(
    chunk: Chunk, max_order: int, classes: Sequence[np.ndarray] | None, shared: Shared | None = None
) -> Iterator[SortedNgrams]:
    """Yields the n-grams of each order, those with a token that cannot match left out.

    Each n-gram is made of one that is shorter by a token, and of the token behind it. `classes` are (n_tokens,) for
    each order, as `count_ngrams` takes them.
    """
    shared = shared or shared_tokens(chunk)
    tokens = shared.tokens
    token_bits = shared.token_bits
    places = np.flatnonzero(shared.codes)
    text_sizes = chunk.tokens.lengths + 1  # with the gap behind each text
    numbers = np.repeat(chunk.reference_numbers, text_sizes)[places]
    positions = places  # tokens of the chunk, which have no gaps between texts
    if classes is not None:
        positions = places - np.repeat(np.arange(len(text_sizes)), text_sizes)[places]

    keys = shared.codes[places] >> token_bits
    row_bits = _bits(chunk.n_rows - 1)
    number_bits = _bits(chunk.reference_numbers.max(initial=0))
    key_bits = row_bits
    for order in range(1, max_order + 1):
        following = tokens[places + order - 1]
        if order > 1:
            kept = np.flatnonzero(following)
            places = places.take(kept)
            positions = positions.take(kept)
            keys = keys.take(kept)
            numbers = numbers.take(kept)
            following = following.take(kept)

        class_of = None
        class_bits = 0
        if classes is not None:
            class_of = classes[order - 1][positions]
            class_bits = _bits(class_of.max(initial=0))
        if key_bits + token_bits + class_bits + number_bits > KEY_BITS:
            keys, key_bits = dense(keys, keys >> (key_bits - row_bits), row_bits)
        keys = keys << token_bits | following
        key_bits += token_bits
        layout = key_bits, row_bits, number_bits
        yield _sorted(keys, layout, class_of if class_bits else None, class_bits, numbers)


def _sorted(
    keys: np.ndarray, layout: tuple[int, int, int], classes: np.ndarray | None, class_bits: int, numbers: np.ndarray
) -> SortedNgrams:
    """Sorts n-grams, each with its class and its reference number; `layout` is the bits of key, row and number."""
    key_bits, row_bits, number_bits = layout
    if key_bits + class_bits + number_bits > KEY_BITS:
        rows = (keys >> (key_bits - row_bits)).astype(np.intp)
        ngrams, rows_and_classes = _ranked(keys, rows, classes)
    else:
        ngrams = keys if classes is None else keys << class_bits | classes
        rows_and_classes = functools.partial(_unpacked, ngram_bits=key_bits - row_bits, class_bits=class_bits)
    ngrams = ngrams << number_bits | numbers
    if key_bits + class_bits + number_bits <= _SHORT_KEY_BITS:
        ngrams = ngrams.astype(np.uint32)  # sorts twice as fast
    ngrams.sort()
    return SortedNgrams(ngrams, number_bits, rows_and_classes)


def shared_tokens(chunk: Chunk, in_order: bool = False) -> Shared:
    """Returns the tokens that can match.

    Args:
        chunk: as `encode_chunk` returns it.
        in_order: number the tokens of a segment in the order of its prediction, not in one that depends on the chunk.
    """
    ids = chunk.tokens.ids
    lengths = chunk.tokens.lengths
    n_places = len(ids) + len(lengths)
    n_predicted = int(lengths[: chunk.n_rows].sum()) + chunk.n_rows
    place_bits = _bits(n_places)
    id_bits = _bits(ids.max(initial=0))

    # segment | token | place, in order: the places of a token of a segment are then neighbours
    text_numbers = np.repeat(np.arange(len(lengths)), lengths)
    token_places = np.arange(len(ids)) + text_numbers  # with a gap behind each text
    keys = np.repeat(chunk.rows.astype(np.int64) << id_bits, lengths) | ids
    keys = keys << place_bits | token_places
    keys.sort()
    places = keys & ((1 << place_bits) - 1)
    tokens = keys >> place_bits
    starts = np.flatnonzero(is_new(tokens))
    counts = np.diff(starts, append=len(tokens))

    first_places = places[starts]
    last_places = places[starts + counts - 1]
    shared = np.flatnonzero((first_places < n_predicted) & (last_places >= n_predicted))
    if in_order:
        shared = shared[np.argsort(first_places[shared])]
    rows = tokens[starts[shared]] >> id_bits
    firsts = np.flatnonzero(is_new(rows))
    numbers = np.arange(1, len(rows) + 1) - np.repeat(firsts, np.diff(firsts, append=len(rows)))
    token_bits = _bits(numbers.max(initial=0))

    token_codes = np.zeros(len(starts), dtype=np.int64)
    token_codes[shared] = rows << token_bits | numbers
    codes = np.zeros(n_places, dtype=np.int64)
    codes[places] = np.repeat(token_codes, counts)
    return Shared(codes, token_bits)


def shared_strings(chunk: Chunk, shared: Shared) -> list[str]:
    """Returns each of n_texts without the tokens that cannot match, as a string with a character for each other one."""
    places = np.flatnonzero(shared.codes)
    ends = np.cumsum(chunk.tokens.lengths + 1)
    counts = np.diff(np.searchsorted(places, ends), prepend=0)
    return split_texts(as_characters(shared.tokens[places]), counts)


def dense(keys: np.ndarray, rows: np.ndarray, row_bits: int) -> tuple[np.ndarray, int]:
    """Returns segment | rank, (n,), instead of long keys, as distinct in far fewer bits, and how many they are."""
    rank = np.unique(keys, return_inverse=True)[1].astype(np.int64)
    rank_bits = _bits(rank.max(initial=0))
    return rows << rank_bits | rank, row_bits + rank_bits


def _unpacked(ngrams: np.ndarray, ngram_bits: int, class_bits: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Returns the segments and the classes of integers segment | token ids | class; None without classes."""
    rows = (ngrams >> (ngram_bits + class_bits)).astype(np.intp)
    return rows, ngrams & ((1 << class_bits) - 1) if class_bits else None


def _ranked(
    keys: np.ndarray, rows: np.ndarray, classes: np.ndarray | None
) -> tuple[np.ndarray, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]]:
    """Returns the rank of each key, and a function from ranks to segments and classes.

    For keys that leave too few bits for the classes.
    """
    _, first, ranks = np.unique(keys, return_index=True, return_inverse=True)

    def rows_and_classes(wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        occurrences = first[wanted]
        return rows[occurrences], None if classes is None else classes[occurrences]

    return ranks.astype(np.int64), rows_and_classes


def is_new(keys: np.ndarray) -> np.ndarray:
    """Returns whether each number differs from the one before it, (n,); the first one does."""
    found = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=found[1:])
    return found


def _bits(largest: int) -> int:
    return int(largest).bit_length()
