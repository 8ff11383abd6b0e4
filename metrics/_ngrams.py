"""Corpus-wide n-gram statistics on integer arrays.

An n-gram of a chunk is one integer: segment | local token ids | class, packed without loss, so that one sort per order
brings equal n-grams of a segment together. No hashing, no Python loop over n-grams.
"""

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import partial
from typing import Any
from typing import NamedTuple

import numpy as np

KEY_BITS, _SHORT_KEY_BITS = 62, 32


class NgramCounts(NamedTuple):
    """The distinct n-grams of one order that can match, segment by segment; arrays of shape (n_ngrams,)."""

    rows: np.ndarray  # segment
    counts: np.ndarray  # occurrences in the prediction
    reference_max: np.ndarray  # most occurrences in one reference of the segment
    reference_min: np.ndarray | None  # fewest, 0 if one reference lacks the n-gram; None without classes
    classes: np.ndarray  # the caller's class of the n-gram, 0 if none was given
    starts: np.ndarray  # where the n-gram begins in the two below, which hold each text that has it
    slots: np.ndarray  # (n_runs,) 0 for the prediction, which comes first if it has it; 1, 2, ... for references
    slot_counts: np.ndarray  # (n_runs,) occurrences in that reference; 0 for the prediction


def count_ngrams(pairs: Any, max_order: int, classes: Sequence[np.ndarray] | None = None) -> Iterator[NgramCounts]:
    """Counts the n-grams that can match, order by order.

    An n-gram can match only if each of its tokens stands in the prediction and in a reference; all others are left out
    before the sort, which is what makes this fast.

    Args:
        pairs: a chunk as `encode_pairs` makes it.
        max_order: highest n.
        classes: optional, for each order an integer per token position, equal for equal n-grams of a segment;
            it comes back as `NgramCounts.classes`.
    """
    lengths = pairs.tokens.lengths
    text_of = np.repeat(np.arange(len(lengths)), lengths)
    row_of, slot_of = pairs.rows[text_of], pairs.slots[text_of]
    remaining = np.cumsum(lengths)[text_of] - np.arange(len(text_of))
    n_references = np.bincount(pairs.rows, minlength=pairs.n_rows) - 1
    tokens, is_shared = _local_ids(pairs.tokens.ids, row_of, n_predicted=int(lengths[: pairs.n_rows].sum()))

    row_bits, slot_bits = _bits(pairs.n_rows - 1), _bits(pairs.slots.max(initial=0))
    token_bits = _bits(tokens.max(initial=0))
    positions = np.arange(len(tokens))
    keys, key_bits = row_of, row_bits
    for order in range(1, max_order + 1):
        kept = remaining[positions] >= order
        kept[kept] = is_shared[positions[kept] + order - 1]
        positions, keys = positions[kept], keys[kept]
        rows, slots = row_of[positions], slot_of[positions]
        class_of = None if classes is None else classes[order - 1][positions]
        class_bits = 0 if class_of is None else _bits(class_of.max(initial=0))
        if key_bits + token_bits + class_bits + slot_bits > KEY_BITS:
            keys, key_bits = dense(keys, rows, row_bits)
        keys = keys << token_bits | tokens[positions + order - 1]
        key_bits += token_bits
        if key_bits + class_bits + slot_bits > KEY_BITS:
            ngrams, rows_and_classes = _ranked(keys, rows, class_of if class_bits else None)
        else:
            ngrams = keys << class_bits | class_of if class_bits else keys
            rows_and_classes = partial(_unpacked, ngram_bits=key_bits - row_bits, class_bits=class_bits)
        ngrams = ngrams << slot_bits | slots
        if key_bits + class_bits + slot_bits <= _SHORT_KEY_BITS:
            ngrams = ngrams.astype(np.uint32)  # sorts twice as fast
        yield _count_runs(ngrams, slot_bits, rows_and_classes, n_references)


def _local_ids(ids: np.ndarray, row_of: np.ndarray, n_predicted: int) -> tuple[np.ndarray, np.ndarray]:
    """Renumbers tokens within their segment, so that keys stay short, and marks those of both sides.

    Args:
        ids: (n_tokens,) token ids of the chunk; the first `n_predicted` belong to predictions.
        row_of: (n_tokens,) segment of each token.
        n_predicted: number of tokens in predictions.

    Returns:
        (n_tokens,) ids 0, 1, ... within each segment; (n_tokens,) whether the token stands in the segment's prediction
        and in one of its references.
    """
    position_bits, id_bits = _bits(len(ids)), _bits(ids.max(initial=0))
    keys = np.sort((row_of << id_bits | ids) << position_bits | np.arange(len(ids)))
    positions, tokens = keys & ((1 << position_bits) - 1), keys >> position_bits
    starts = np.flatnonzero(_is_new(tokens))
    counts = np.diff(starts, append=len(tokens))
    shared = (positions[starts] < n_predicted) & (positions[starts + counts - 1] >= n_predicted)
    rank = np.cumsum(shared)  # numbers only the shared ones
    rows = tokens[starts] >> id_bits
    is_first = _is_new(rows)
    first_rank = (rank - shared)[is_first]
    rank -= np.repeat(first_rank, np.diff(np.flatnonzero(is_first), append=len(rows)))
    local, is_shared = np.empty_like(ids), np.empty(len(ids), dtype=bool)
    local[positions] = np.repeat(rank, counts)
    is_shared[positions] = np.repeat(shared, counts)
    return local, is_shared


def dense(keys: np.ndarray, rows: np.ndarray, row_bits: int) -> tuple[np.ndarray, int]:
    """Replaces long keys by row | rank, which tells the same keys apart in far fewer bits."""
    rank = np.unique(keys, return_inverse=True)[1]
    rank_bits = _bits(rank.max(initial=0))
    return rows << rank_bits | rank, row_bits + rank_bits


def _unpacked(ngrams: np.ndarray, ngram_bits: int, class_bits: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Returns segments and classes of numbers row | n-gram | class; None for no classes."""
    rows = (ngrams >> (ngram_bits + class_bits)).astype(np.int64)
    return rows, ngrams & ((1 << class_bits) - 1) if class_bits else None


def _ranked(
    keys: np.ndarray, rows: np.ndarray, classes: np.ndarray | None
) -> tuple[np.ndarray, Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]]]:
    """Returns the rank of each key, and what looks up segments and classes of ranks: keys have no room for classes."""
    _, first, ranks = np.unique(keys, return_index=True, return_inverse=True)
    return ranks, lambda of: (rows[first[of]], None if classes is None else classes[first[of]])


def _count_runs(
    keys: np.ndarray,
    slot_bits: int,
    rows_and_classes: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    n_references: np.ndarray,
) -> NgramCounts:
    """Sorts keys n-gram | slot and counts each n-gram in each slot."""
    keys = np.sort(keys)
    starts = np.flatnonzero(_is_new(keys))  # of the runs of an n-gram in a slot
    counts = np.diff(starts, append=len(keys))
    keys = keys[starts]
    slots, ngrams = keys & ((1 << slot_bits) - 1), keys >> slot_bits

    starts = np.flatnonzero(_is_new(ngrams))  # of an n-gram among these runs
    rows, classes = rows_and_classes(ngrams[starts])
    in_prediction = slots[starts] == 0  # slot 0 sorts first
    counts_in_prediction = np.where(in_prediction, counts[starts], 0)
    counts[starts[in_prediction]] = 0
    reference_max = np.maximum.reduceat(counts, starts) if len(starts) else starts
    if classes is None:
        reference_min, classes = None, np.zeros_like(rows)
    else:
        in_all = np.diff(starts, append=len(keys)) - in_prediction == n_references[rows]
        reference_min = _reference_min(counts, starts, in_all)
    return NgramCounts(rows, counts_in_prediction, reference_max, reference_min, classes, starts, slots, counts)


def _reference_min(counts: np.ndarray, starts: np.ndarray, in_all: np.ndarray) -> np.ndarray:
    """Returns the fewest occurrences of each n-gram in a reference; `counts` holds 0 for the prediction."""
    if not len(starts):
        return starts
    smallest = np.minimum.reduceat(np.where(counts > 0, counts, np.iinfo(counts.dtype).max), starts)
    return np.where(in_all, smallest, 0)


def _is_new(keys: np.ndarray) -> np.ndarray:
    """Marks the first of each run of equal neighbours."""
    is_new = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return is_new


def _bits(largest: int) -> int:
    return int(largest).bit_length()


def sum_by_row(counts: NgramCounts, values: np.ndarray, n_rows: int) -> np.ndarray:
    """Adds a value per n-gram to the segment of the n-gram: (n_rows,) float64."""
    return np.bincount(counts.rows, weights=values, minlength=n_rows)


def matched_positions(
    prediction: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> list[list[int]]:
    """Returns for each order where the prediction's matched n-grams start, the first ones where clipping cuts.

    For one segment, to show why its score is what it is; `count_ngrams` counts the same matches.
    """
    result = []
    for order in range(1, max_order + 1):
        left: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            left |= Counter(_ngrams_of(reference, order))
        starts = []
        for start, ngram in enumerate(_ngrams_of(prediction, order)):
            if left[ngram] > 0:
                left[ngram] -= 1
                starts.append(start)
        result.append(starts)
    return result


def _ngrams_of(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]


def text_lengths(pairs: Any, ref_length: str) -> np.ndarray:
    """Returns translation length and reference length of each segment: (n_rows, 2) float64.

    Args:
        pairs: a chunk as `encode_pairs` makes it.
        ref_length: with several references, "closest" to the prediction (ties: the shorter), "shortest" (Hugging Face),
            or "average".
    """
    is_prediction = pairs.slots == 0
    predicted = pairs.tokens.lengths[is_prediction]
    lengths, rows = pairs.tokens.lengths[~is_prediction], pairs.rows[~is_prediction]
    starts = np.flatnonzero(_is_new(rows))
    if ref_length == "average":
        reference = np.add.reduceat(lengths, starts) / np.diff(np.append(starts, len(rows)))
    elif ref_length == "shortest":
        reference = np.minimum.reduceat(lengths, starts)
    else:
        # distance first, then length: one number that sorts like the pair
        span = lengths.max(initial=0) + 1
        reference = np.minimum.reduceat(np.abs(lengths - predicted[rows]) * span + lengths, starts) % span
    return np.column_stack([predicted, reference]).astype(np.float64)


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Returns the number of n-grams of texts of these lengths: (n_rows, max_order) float64."""
    return np.maximum(lengths[:, None] - np.arange(max_order), 0.0)
