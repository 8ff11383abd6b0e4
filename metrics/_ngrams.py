"""N-grams of a whole chunk, counted with integer arrays.

The idea: write each n-gram, with its segment, as one integer. Equal n-grams of a segment are then equal integers, and
sorting brings them together. There is no Python loop over n-grams.

The trick: the integer is segment | token ids | class | reference number, each in as few bits as it needs, so that it
fits into 62 bits and stands for one n-gram only. To need few bits, tokens are numbered anew within each segment, and
an n-gram is left out if one of its tokens occurs only in the prediction or only in references: it cannot match. Where
there are still too many bits, the rank of an integer among all of them takes its place.

The plain version, which counts text by text with `Counter`, is `expected_counts` of tests/test_ngrams.py.
"""

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ._tokens import Chunk

KEY_BITS, _SHORT_KEY_BITS = 62, 32


class NgramCounts(NamedTuple):
    """The distinct n-grams of one order that can match, segment by segment; arrays of shape (n_ngrams,).

    The last two arrays have an entry for each n-gram and each text that it occurs in: (n_entries,).
    """

    rows: np.ndarray  # segment
    counts: np.ndarray  # occurrences in the prediction
    reference_max: np.ndarray  # most occurrences in one reference of the segment
    reference_min: np.ndarray | None  # fewest occurrences, 0 if one reference lacks the n-gram; None without classes
    classes: np.ndarray  # the caller's class of the n-gram, 0 if none was given
    starts: np.ndarray  # where the entries of the n-gram begin
    reference_numbers: np.ndarray  # (n_entries,) 1, 2, ... for the references; 0 for the prediction, which comes first
    reference_counts: np.ndarray  # (n_entries,) occurrences in that reference; 0 for the prediction

    @property
    def matches(self) -> np.ndarray:
        """Occurrences in the prediction, clipped at the most in one reference."""
        return np.minimum(self.counts, self.reference_max)


def count_ngrams(chunk: Chunk, max_order: int, classes: Sequence[np.ndarray] | None = None) -> Iterator[NgramCounts]:
    """Counts the n-grams that can match, order by order.

    An n-gram can match only if each of its tokens occurs both in the prediction and in a reference of its segment. All
    others are left out before the sort, which makes it fast.

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        classes: optional, for each order the class of the n-gram that starts at each token, an integer such as the
            number of its weight. Equal n-grams of a segment have equal classes, which come back in `NgramCounts`.
    """
    lengths = chunk.tokens.lengths
    row_of, number_of = np.repeat(chunk.rows, lengths), np.repeat(chunk.reference_numbers, lengths)
    remaining = remaining_tokens(lengths)
    n_references = np.bincount(chunk.rows, minlength=chunk.n_rows) - 1
    tokens, is_shared = _local_ids(chunk.tokens.ids, row_of, n_predicted=int(lengths[: chunk.n_rows].sum()))

    row_bits, number_bits = _bits(chunk.n_rows - 1), _bits(chunk.reference_numbers.max(initial=0))
    token_bits = _bits(tokens.max(initial=0))
    positions = np.arange(len(tokens))
    keys, key_bits = row_of.astype(np.int64), row_bits
    for order in range(1, max_order + 1):
        kept = remaining[positions] >= order
        kept[kept] = is_shared[positions[kept] + order - 1]
        positions, keys = positions[kept], keys[kept]
        rows = row_of[positions]
        class_of = None if classes is None else classes[order - 1][positions]
        class_bits = 0 if class_of is None else _bits(class_of.max(initial=0))
        if key_bits + token_bits + class_bits + number_bits > KEY_BITS:
            keys, key_bits = dense(keys, rows, row_bits)
        keys = keys << token_bits | tokens[positions + order - 1]
        key_bits += token_bits
        if key_bits + class_bits + number_bits > KEY_BITS:
            ngrams, rows_and_classes = _ranked(keys, rows, class_of if class_bits else None)
        else:
            ngrams = keys << class_bits | class_of if class_bits else keys
            rows_and_classes = partial(_unpacked, ngram_bits=key_bits - row_bits, class_bits=class_bits)
        ngrams = ngrams << number_bits | number_of[positions]
        if key_bits + class_bits + number_bits <= _SHORT_KEY_BITS:
            ngrams = ngrams.astype(np.uint32)  # sorts twice as fast
        yield _count_sorted(ngrams, number_bits, rows_and_classes, n_references)


def _local_ids(ids: np.ndarray, row_of: np.ndarray, n_predicted: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers the tokens anew within each segment, so that keys stay short, and marks those that can match.

    Args:
        ids: (n_tokens,) token ids of the chunk; the first `n_predicted` belong to predictions.
        row_of: (n_tokens,) segment of each token.
        n_predicted: number of tokens in predictions.

    Returns:
        (n_tokens,) ids 0, 1, ... within each segment; (n_tokens,) whether the token occurs both in the segment's
        prediction and in one of its references.
    """
    position_bits, id_bits = _bits(len(ids)), _bits(ids.max(initial=0))
    keys = np.sort((row_of.astype(np.int64) << id_bits | ids) << position_bits | np.arange(len(ids)))
    positions, tokens = keys & ((1 << position_bits) - 1), keys >> position_bits
    starts = np.flatnonzero(is_new(tokens))
    counts = np.diff(starts, append=len(tokens))
    shared = (positions[starts] < n_predicted) & (positions[starts + counts - 1] >= n_predicted)
    rank = np.cumsum(shared)  # numbers only the shared ones
    rows = tokens[starts] >> id_bits
    is_first = is_new(rows)
    first_rank = (rank - shared)[is_first]
    rank -= np.repeat(first_rank, np.diff(np.flatnonzero(is_first), append=len(rows)))
    local, is_shared = np.empty_like(ids), np.empty(len(ids), dtype=bool)
    local[positions] = np.repeat(rank, counts)
    is_shared[positions] = np.repeat(shared, counts)
    return local, is_shared


def dense(keys: np.ndarray, rows: np.ndarray, row_bits: int) -> tuple[np.ndarray, int]:
    """Returns segment | rank instead of long keys, which are as distinct in far fewer bits, and how many bits."""
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
    return ranks.astype(np.int64), lambda of: (rows[first[of]], None if classes is None else classes[first[of]])


def _count_sorted(
    keys: np.ndarray,
    number_bits: int,
    rows_and_classes: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray | None]],
    n_references: np.ndarray,
) -> NgramCounts:
    """Sorts integers n-gram | reference number, and counts each n-gram in each text."""
    keys = np.sort(keys)
    starts = np.flatnonzero(is_new(keys))  # of the same n-gram in the same text
    counts = np.diff(starts, append=len(keys))
    keys = keys[starts]  # now the entries
    numbers, ngrams = (keys & ((1 << number_bits) - 1)).astype(np.intp), keys >> number_bits

    starts = np.flatnonzero(is_new(ngrams))  # of the entries of each n-gram
    rows, classes = rows_and_classes(ngrams[starts])
    in_prediction = numbers[starts] == 0  # the prediction sorts first
    counts_in_prediction = np.where(in_prediction, counts[starts], 0)
    counts[starts[in_prediction]] = 0
    reference_max = np.maximum.reduceat(counts, starts) if len(starts) else starts
    if classes is None:
        reference_min, classes = None, np.zeros_like(rows)
    else:
        in_all = np.diff(starts, append=len(keys)) - in_prediction == n_references[rows]
        reference_min = _reference_min(counts, starts, in_all)
    return NgramCounts(rows, counts_in_prediction, reference_max, reference_min, classes, starts, numbers, counts)


def _reference_min(counts: np.ndarray, starts: np.ndarray, in_all: np.ndarray) -> np.ndarray:
    """Returns the fewest occurrences of each n-gram in a reference; `counts` holds 0 for the prediction."""
    if not len(starts):
        return starts
    smallest = np.minimum.reduceat(np.where(counts > 0, counts, np.iinfo(counts.dtype).max), starts)
    return np.where(in_all, smallest, 0)


def remaining_tokens(lengths: np.ndarray) -> np.ndarray:
    """Returns for each token of texts of these lengths how many tokens its text has from there on: (n_tokens,)."""
    return np.repeat(np.cumsum(lengths), lengths) - np.arange(lengths.sum())


def is_new(keys: np.ndarray) -> np.ndarray:
    """Returns whether each number differs from the one before it; the first one does."""
    found = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=found[1:])
    return found


def _bits(largest: int) -> int:
    return int(largest).bit_length()


def count_matches(chunk: Chunk, max_order: int) -> list[np.ndarray]:
    """Returns for each order the clipped matches of each segment, (n_rows,)."""
    return [sum_by_row(ngrams, ngrams.matches, chunk.n_rows) for ngrams in count_ngrams(chunk, max_order)]


def sum_by_row(counts: NgramCounts, values: np.ndarray, n_rows: int) -> np.ndarray:
    """Returns the sum of the values of each segment's n-grams: (n_rows,) float64.

    Args:
        counts: the n-grams.
        values: (n_ngrams,) one value per n-gram.
        n_rows: number of segments.
    """
    return np.bincount(counts.rows, weights=values, minlength=n_rows)


def matched_positions(
    prediction: Sequence[str], references: Sequence[Sequence[str]], max_order: int
) -> list[list[int]]:
    """Returns for each order the positions in the prediction at which matched n-grams start.

    Where an n-gram occurs more often in the prediction than in any reference, its first occurrences match. This is for
    one segment, to show what made its score; `count_ngrams` counts the same matches.
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


def text_lengths(chunk: Chunk, ref_length: str) -> np.ndarray:
    """Returns translation length and reference length of each segment: (n_rows, 2) float64.

    Args:
        chunk: as `encode_chunk` returns it.
        ref_length: with several references, "closest" to the prediction (ties: the shorter), "shortest" (Hugging Face),
            or "average".
    """
    is_prediction = chunk.reference_numbers == 0
    predicted = chunk.tokens.lengths[is_prediction]
    lengths, rows = chunk.tokens.lengths[~is_prediction], chunk.rows[~is_prediction]
    starts = np.flatnonzero(is_new(rows))
    if ref_length == "average":
        reference = np.add.reduceat(lengths, starts) / np.diff(np.append(starts, len(rows)))
    elif ref_length == "shortest":
        reference = np.minimum.reduceat(lengths, starts)
    else:
        # one number for both, of which the distance counts first and then the length
        span = lengths.max(initial=0) + 1
        reference = np.minimum.reduceat(np.abs(lengths - predicted[rows]) * span + lengths, starts) % span
    return np.column_stack([predicted, reference]).astype(np.float64)


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Returns how many n-grams of each order texts of these lengths have: (n_texts, max_order) float64."""
    return np.maximum(lengths[:, None] - np.arange(max_order), 0.0)
