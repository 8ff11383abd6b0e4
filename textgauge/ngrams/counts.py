"""N-grams of a whole chunk, counted with integer arrays.

`sorted_ngrams.py` writes each n-gram as an integer and brings equal ones together; here they are counted. The plain
version, which counts text by text with `Counter`, is `expected_counts` of tests/test_ngrams.py.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import ranges
from textgauge.tokens.chunks import Chunk

from .sorted_ngrams import Shared, SortedNgrams, is_new, shared_tokens, sorted_ngrams
from .text_ngrams import FewNgrams, few_matches, few_ngrams


class NgramCounts(NamedTuple):
    """The distinct n-grams of one order that match, segment by segment; arrays of shape (n_ngrams,).

    The last two arrays have an entry for each n-gram and each text that it occurs in: (n_entries,).
    """

    rows: np.ndarray  # segment
    counts: np.ndarray  # occurrences in the prediction
    reference_max: np.ndarray  # most occurrences in one reference of the segment
    n_references: np.ndarray  # references of the segment
    classes: np.ndarray  # the caller's class of the n-gram, 0 if none was given
    starts: np.ndarray  # where the entries of the n-gram begin
    reference_numbers: np.ndarray  # (n_entries,) 1, 2, ... for the references; 0 for the prediction, which comes first
    reference_counts: np.ndarray  # (n_entries,) occurrences in that reference; 0 for the prediction

    @property
    def matches(self) -> np.ndarray:
        """Occurrences in the prediction, clipped at the most in one reference."""
        return np.minimum(self.counts, self.reference_max)

    @property
    def reference_min(self) -> np.ndarray:
        """Fewest occurrences in one reference of the segment, 0 if one lacks the n-gram."""
        if not len(self.starts):
            return self.starts
        is_reference = self.reference_counts > 0
        in_all = np.add.reduceat(is_reference, self.starts, dtype=np.intp) == self.n_references
        largest = np.iinfo(self.reference_counts.dtype).max
        fewest = np.minimum.reduceat(np.where(is_reference, self.reference_counts, largest), self.starts)
        return np.where(in_all, fewest, 0)


def count_ngrams(
    chunk: Chunk, max_order: int, classes: Sequence[np.ndarray] | np.ndarray | None = None
) -> Iterator[NgramCounts]:
    """Counts the n-grams that a prediction and one of its references have, order by order.

    >>> chunk = Chunk([1], lists=[["잘", "잘", "잔다"], ["잘", "잔다"]])
    >>> for ngrams in count_ngrams(chunk, max_order=2):
    ...     print(ngrams.counts.tolist(), ngrams.reference_max.tolist(), ngrams.matches.tolist())
    [2, 1] [1, 1] [1, 1]
    [1] [1] [1]

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        classes: optional, for each order the class of the n-gram that starts at each token, (n_tokens,), an integer
            such as the number of its weight. Equal n-grams of a segment have equal classes, which come back in
            `NgramCounts`.
    """
    n_references = chunk.n_references
    if chunk.lists is not None:
        for order, found in enumerate(few_ngrams(chunk, max_order)):
            yield _count_few(found, None if classes is None else classes[order], n_references)
        return
    for found in sorted_ngrams(chunk, max_order, classes, shared_tokens(chunk, in_order=True)):
        yield _count_sorted(found, n_references)


def count_matches(chunk: Chunk, max_order: int, shared: Shared | None = None) -> np.ndarray:
    """Returns the clipped matches of each segment, (n_rows, max_order); `count_ngrams` counts the same ones.

    >>> count_matches(Chunk([1], lists=[["잘", "잘", "잔다"], ["잘", "잔다"]]), max_order=2).tolist()
    [[2.0, 1.0]]

    Args:
        chunk: as `encode_chunk` returns it.
        max_order: highest n.
        shared: what `shared_tokens` returns of the chunk, if it is known.
    """
    if chunk.lists is not None:
        return few_matches(zip(chunk.lists, chunk.references(), strict=False), max_order)
    result = np.zeros((chunk.n_rows, max_order))
    if not chunk.is_paired:
        for order, ngrams in enumerate(count_ngrams(chunk, max_order)):
            result[:, order] = sum_by_row(ngrams, ngrams.matches, chunk.n_rows)
        return result
    for order, found in enumerate(sorted_ngrams(chunk, max_order, None, shared)):
        keys, counts = _runs(found.keys)
        # prediction and reference differ in the last bit: where both have an n-gram, the two keys are neighbours
        first = np.flatnonzero(keys[1:] ^ keys[:-1] == 1)
        rows, _ = found.rows_and_classes(keys[first] >> 1)
        matches = np.minimum(counts[first], counts[first + 1])
        result[:, order] = np.bincount(rows, weights=matches, minlength=chunk.n_rows)
    return result


def matches_by_reference(chunk: Chunk, max_order: int) -> np.ndarray:
    """Returns the clipped matches of each reference alone, (n_references, max_order), segment by segment.

    >>> matches_by_reference(Chunk([2], lists=[["잘", "잔다"], ["잘", "잔다"], ["잘"]]), max_order=2).tolist()
    [[2.0, 1.0], [1.0, 0.0]]
    """
    if chunk.lists is not None:
        segments = zip(chunk.lists, chunk.references(), strict=False)
        pairs = ((prediction, [reference]) for prediction, references in segments for reference in references)
        return few_matches(pairs, max_order)
    if chunk.is_paired:
        return count_matches(chunk, max_order)
    counts = chunk.n_references
    first = np.cumsum(counts) - counts - 1  # number 0 is the prediction's, whose matches are 0
    matches = np.zeros((int(counts.sum()), max_order))
    for order, ngrams in enumerate(count_ngrams(chunk, max_order)):
        repeats = np.diff(ngrams.starts, append=len(ngrams.reference_numbers))
        found = np.minimum(np.repeat(ngrams.counts, repeats), ngrams.reference_counts)
        texts = np.maximum(np.repeat(first[ngrams.rows], repeats) + ngrams.reference_numbers, 0)
        matches[:, order] = np.bincount(texts, weights=found, minlength=len(matches))
    return matches


def _runs(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the distinct ones of sorted integers, and how often each occurs."""
    starts = np.flatnonzero(is_new(keys))
    return keys[starts], np.diff(starts, append=len(keys))


def _count_sorted(found: SortedNgrams, n_references: np.ndarray) -> NgramCounts:
    """Counts each n-gram that matches in each text."""
    keys, counts = _runs(found.keys)
    numbers = (keys & ((1 << found.number_bits) - 1)).astype(np.intp)
    ngrams = keys >> found.number_bits
    starts = np.flatnonzero(is_new(ngrams))  # of the entries of each n-gram
    n_texts = np.diff(starts, append=len(keys))
    is_matched = (numbers[starts] == 0) & (n_texts > 1)
    starts = starts[is_matched]
    n_texts = n_texts[is_matched]
    rows, classes = found.rows_and_classes(ngrams[starts])

    entries = ranges(starts, n_texts)
    counts_in_prediction = counts[starts]
    counts[starts] = 0
    starts = np.cumsum(n_texts) - n_texts
    return _ngram_counts(rows, counts_in_prediction, n_references, classes, starts, numbers[entries], counts[entries])


def _count_few(found: FewNgrams, classes: np.ndarray | None, n_references: np.ndarray) -> NgramCounts:
    """Returns the same for what `few_ngrams` yields, with the class of the n-gram at each token."""
    rows, places, counts, starts, numbers, reference_counts = (np.array(values, dtype=np.intp) for values in found)
    classes = None if classes is None else classes[places]
    return _ngram_counts(rows, counts, n_references, classes, starts, numbers, reference_counts)


def _ngram_counts(
    rows: np.ndarray,
    counts: np.ndarray,
    n_references: np.ndarray,
    classes: np.ndarray | None,
    starts: np.ndarray,
    numbers: np.ndarray,
    reference_counts: np.ndarray,
) -> NgramCounts:
    """Returns what `NgramCounts` has; `n_references` are (n_segments,)."""
    reference_max = np.maximum.reduceat(reference_counts, starts) if len(starts) else starts
    classes = np.zeros_like(rows) if classes is None else classes
    return NgramCounts(rows, counts, reference_max, n_references[rows], classes, starts, numbers, reference_counts)


def remaining_tokens(lengths: np.ndarray) -> np.ndarray:
    """Returns for each token of texts of these lengths how many tokens its text has from there on: (n_tokens,).

    >>> remaining_tokens(np.array([3, 1])).tolist()
    [3, 2, 1, 1]
    """
    return np.repeat(np.cumsum(lengths), lengths) - np.arange(lengths.sum())


def sum_by_row(counts: NgramCounts, values: np.ndarray, n_rows: int) -> np.ndarray:
    """Returns the sum of the values of each segment's n-grams: (n_rows,) float64.

    To the last bit it depends on the segment alone: `count_ngrams` returns its n-grams in the same order in any chunk.

    >>> chunk = Chunk([1, 1], lists=[["잔다"], ["잘", "잔다"], ["잔다"], ["잘", "잔다"]])
    >>> [sum_by_row(ngrams, ngrams.matches, n_rows=2).tolist() for ngrams in count_ngrams(chunk, max_order=1)]
    [[1.0, 2.0]]

    Args:
        counts: the n-grams.
        values: (n_ngrams,) one value per n-gram.
        n_rows: number of segments.
    """
    return np.bincount(counts.rows, weights=values, minlength=n_rows)


def text_lengths(chunk: Chunk, ref_length: str) -> np.ndarray:
    """Returns translation length and reference length of each segment: (n_rows, 2) float64.

    >>> chunk = Chunk([2], lists=[["a", "b"], ["a"], ["a", "b", "c", "d"]])
    >>> [text_lengths(chunk, ref_length).tolist() for ref_length in ("closest", "average")]
    [[[2.0, 1.0]], [[2.0, 2.5]]]

    Args:
        chunk: as `encode_chunk` returns it.
        ref_length: with several references, "closest" to the prediction (ties: the shorter), "shortest" (Hugging Face),
            or "average".
    """
    if chunk.is_paired:
        return chunk.lengths.reshape(2, -1).T.astype(np.float64)
    predicted = chunk.lengths[: chunk.n_rows]
    lengths = chunk.lengths[chunk.n_rows :]
    counts = chunk.n_references
    starts = np.cumsum(counts) - counts
    if ref_length == "average":
        reference = np.add.reduceat(lengths, starts) / counts
    elif ref_length == "shortest":
        reference = np.minimum.reduceat(lengths, starts)
    else:
        # one number for both, of which the distance counts first and then the length
        span = lengths.max(initial=0) + 1
        distances = np.abs(lengths - np.repeat(predicted, counts))
        reference = np.minimum.reduceat(distances * span + lengths, starts) % span
    return np.column_stack([predicted, reference]).astype(np.float64)


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Returns how many n-grams of each order texts of these lengths have: (n_texts, max_order) float64.

    >>> ngram_totals(np.array([3, 1]), max_order=2).tolist()
    [[3.0, 2.0], [1.0, 0.0]]
    """
    return np.maximum(lengths[:, None] - np.arange(max_order), 0.0)
