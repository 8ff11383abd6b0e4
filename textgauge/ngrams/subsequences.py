"""Longest common subsequences (LCS) of two texts: their lengths, their places, and weighted ones."""

from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import LCSseq
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of

BATCH_CELLS = 2**18  # weighted LCS: numbers per array


def lcs_lengths(predictions: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Returns the length of the longest common subsequence of each pair of strings: (n_pairs,) float64.

    >>> lcs_lengths(["가나다"], ["나가다"]).tolist()
    [2.0]
    """
    return cpdist(predictions, references, scorer=LCSseq.similarity, dtype=np.int64).astype(np.float64)


def lcs_positions(prediction: str, reference: str) -> list[list[int]]:
    """Returns one longest common subsequence as pairs [position in the prediction, position in the reference].

    >>> lcs_positions("가나다", "나가다")
    [[0, 1], [2, 2]]
    """
    positions = []
    for block in LCSseq.editops(prediction, reference).as_matching_blocks():
        positions += [[block.a + offset, block.b + offset] for offset in range(block.size)]
    return positions


def weighted_lcs(predictions: Sequence[np.ndarray], references: Sequence[np.ndarray], exponent: float) -> np.ndarray:
    """Returns the weighted LCS, in which k matches in a row count k ** exponent (Lin 2004, section 4): (n_pairs,).

    The idea is the paper's: a table with a row for each token of the reference and a column for each one of the
    prediction. The trick: the cells of an anti-diagonal do not depend on one another, and neither do pairs of texts. So
    whole anti-diagonals of many pairs of similar size are computed at once. Time grows with the product of the lengths.
    The plain version, cell by cell, is `slow_weighted_lcs` of tests/test_rouge.py.

    >>> weighted_lcs([np.array([0, 1, 2])], [np.array([0, 1, 3])], exponent=2.0).tolist()
    [4.0]

    Args:
        predictions: token ids of each text, (n_tokens,).
        references: likewise.
        exponent: at least 1; with 1 it is the length of the LCS.
    """
    pairs = zip(predictions, references, strict=True)
    sizes = [(len(prediction), len(reference)) for prediction, reference in pairs]
    order = sorted(range(len(sizes)), key=lambda index: (max(sizes[index]), sum(sizes[index])))
    result = np.zeros(len(sizes))
    start = 0
    while start < len(order):
        end = start + 1
        while end < len(order) and (end + 1 - start) * max(sizes[order[end]]) <= BATCH_CELLS:
            end += 1
        batch = order[start:end]
        result[batch] = _weighted_lcs_batch([predictions[i] for i in batch], [references[i] for i in batch], exponent)
        start = end
    return result


def _weighted_lcs_batch(
    predictions: Sequence[np.ndarray], references: Sequence[np.ndarray], exponent: float
) -> np.ndarray:
    """Returns the weighted LCS of pairs of texts, padded to one size; arrays are (n_pairs, position in prediction)."""
    predicted = _padded(predictions)
    wanted = _padded(references)
    n_pairs, width = predicted.shape
    height = wanted.shape[1]
    gain = np.diff(np.arange(min(width, height) + 2.0) ** exponent)  # of the (k + 1)-th match in a row
    lengths = np.array([len(text) for text in predictions])
    ends = lengths + [len(text) for text in references]
    result = np.zeros(n_pairs)
    values = before = np.zeros((n_pairs, width + 1))
    in_a_row = in_a_row_before = np.zeros((n_pairs, width + 1), dtype=np.int64)
    for diagonal in range(2, width + height + 1):
        low = max(1, diagonal - height)
        high = min(width, diagonal - 1) + 1
        cells = slice(low, high)
        cells_before = slice(low - 1, high - 1)
        is_match = predicted[:, cells_before] == wanted[:, diagonal - high : diagonal - low][:, ::-1]

        matched = in_a_row_before[:, cells_before]
        value_of_match = before[:, cells_before] + gain[matched]
        value_without = np.maximum(values[:, cells], values[:, cells_before])
        before, values = values, np.zeros_like(values)
        values[:, cells] = np.where(is_match, value_of_match, value_without)
        in_a_row_before, in_a_row = in_a_row, np.zeros_like(in_a_row)
        in_a_row[:, cells] = np.where(is_match, matched + 1, 0)
        done = ends == diagonal
        result[done] = values[done, lengths[done]]
    return result


def _padded(texts: Sequence[np.ndarray]) -> np.ndarray:
    """Returns texts of different lengths as one array. What fills it up after a text's end changes no result."""
    lengths = lengths_of(texts)
    result = np.zeros((len(texts), lengths.max(initial=0)), dtype=np.int64)
    result[np.arange(result.shape[1]) < lengths[:, None]] = np.concatenate(texts)
    return result
