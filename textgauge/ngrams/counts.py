"""N-grams of a whole chunk, counted with integer arrays.

`sorted_ngrams.py` writes each n-gram as an integer and brings equal ones together; here they are counted. The plain
version, which counts text by text with `Counter`, is `expected_counts` of tests/test_ngrams.py.
"""

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.tokens.tokenizers import Chunk, split_texts

from .sorted_ngrams import Shared, SortedNgrams, is_new, shared_tokens, sorted_ngrams

FEW_TOKENS = 160


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

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        classes: optional, for each order the class of the n-gram that starts at each token, an integer such as the
            number of its weight. Equal n-grams of a segment have equal classes, which come back in `NgramCounts`.
    """
    n_references = np.bincount(chunk.rows, minlength=chunk.n_rows) - 1
    for found in sorted_ngrams(chunk, max_order, classes, shared_tokens(chunk, in_order=True)):
        yield _count_sorted(found, n_references)


def count_matches(chunk: Chunk, max_order: int, shared: Shared | None = None) -> list[np.ndarray]:
    """Returns for each order the clipped matches of each segment, (n_rows,); `count_ngrams` counts the same ones.

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        shared: what `shared_tokens` returns of the chunk, if it is known.
    """
    if len(chunk.tokens.ids) <= FEW_TOKENS:
        return _few_matches(chunk, max_order)
    if chunk.reference_numbers.max(initial=0) > 1:
        return [sum_by_row(ngrams, ngrams.matches, chunk.n_rows) for ngrams in count_ngrams(chunk, max_order)]
    result = []
    for found in sorted_ngrams(chunk, max_order, None, shared):
        keys, counts = _runs(found.keys)
        # prediction and reference differ in the last bit: where both have an n-gram, the two keys are neighbours
        first = np.flatnonzero(keys[1:] ^ keys[:-1] == 1)
        rows, _ = found.rows_and_classes(keys[first] >> 1)
        matches = np.minimum(counts[first], counts[first + 1])
        result.append(np.bincount(rows, weights=matches, minlength=chunk.n_rows))
    return result


def _few_matches(chunk: Chunk, max_order: int) -> list[np.ndarray]:
    """Returns what `count_matches` does, found text by text, which takes less time for a few tokens."""
    texts, references = split_texts(chunk.tokens.ids.tolist(), chunk.tokens.lengths), [[] for _ in range(chunk.n_rows)]
    for row, text in zip(chunk.rows[chunk.n_rows :].tolist(), texts[chunk.n_rows :], strict=True):
        references[row].append(text)
    matches = np.zeros((max_order, chunk.n_rows))
    for row, others in enumerate(references):
        for order, starts in enumerate(matched_positions(texts[row], others, max_order)):
            matches[order, row] = len(starts)
    return list(matches)


def _runs(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the distinct ones of sorted integers, and how often each occurs."""
    starts = np.flatnonzero(is_new(keys))
    return keys[starts], np.diff(starts, append=len(keys))


def _count_sorted(found: SortedNgrams, n_references: np.ndarray) -> NgramCounts:
    """Counts each n-gram in each text."""
    keys, counts = _runs(found.keys)
    number_bits, rows_and_classes = found.number_bits, found.rows_and_classes
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


def sum_by_row(counts: NgramCounts, values: np.ndarray, n_rows: int) -> np.ndarray:
    """Returns the sum of the values of each segment's n-grams: (n_rows,) float64.

    To the last bit it depends on the segment alone: `count_ngrams` returns its n-grams in the same order in any chunk.

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
    prediction, positions, result = tuple(prediction), range(len(prediction)), []
    for order in range(1, max_order + 1):
        if not positions:
            return result + [[] for _ in range(order, max_order + 1)]
        left = functools.reduce(Counter.__or__, (_count_ngrams(text, order) for text in references))
        occurring, starts = [], []
        for start in positions:
            ngram = prediction[start : start + order]
            count = left.get(ngram)
            if count is not None:
                occurring.append(start)
                if count:
                    left[ngram] = count - 1
                    starts.append(start)
        # an n-gram that occurs in a reference begins with a shorter one that does
        positions = occurring
        result.append(starts)
    return result


def _count_ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def text_lengths(chunk: Chunk, ref_length: str) -> np.ndarray:
    """Returns translation length and reference length of each segment: (n_rows, 2) float64.

    Args:
        chunk: as `encode_chunk` returns it.
        ref_length: with several references, "closest" to the prediction (ties: the shorter), "shortest" (Hugging Face),
            or "average".
    """
    if len(chunk.rows) == 2 * chunk.n_rows:  # a reference each
        return chunk.tokens.lengths.reshape(2, -1).T.astype(np.float64)
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
