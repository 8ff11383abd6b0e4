"""The best reference of each segment, by their values."""

import numpy as np


def best_references(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns where the highest value of each segment is, the first one of equal values: (n_segments,) int64.

    >>> best_references(np.array([1, 3, 3, 2]), np.array([3, 1])).tolist()
    [1, 3]

    Args:
        values: (n_references,) one for each reference, segment by segment; none is nan.
        counts: (n_segments,) number of references of each segment, at least 1.
    """
    if len(values) == len(counts):
        return np.arange(len(counts))
    first = np.cumsum(counts) - counts  # reference of each segment
    highest_values = np.maximum.reduceat(values, first)
    highest = np.flatnonzero(values == np.repeat(highest_values, counts))
    return highest[np.searchsorted(highest, first)]
