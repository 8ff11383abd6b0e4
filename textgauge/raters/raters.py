"""Several people's scores of the same rows: their mean, standardised scores, and Krippendorff's alpha.

Ratings are an array (n_rows, n_raters), nan where a rater gave no score.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from textgauge.core.errors import InputError
from textgauge.core.rounding import merged, rounding_of

from .correlations import is_constant, ranks, scaled


def rating_matrix(rows: Sequence[Any]) -> np.ndarray:
    """Returns a column of numbers, or of lists with one per rater, as ratings (n_rows, n_raters), nan if missing.

    Ratings that differ only by rounding become equal, so that 0.1 + 0.2 and 0.3 are one category.

    >>> rating_matrix([[1, 2], [3, None]]).tolist(), rating_matrix([1, 3]).tolist()
    ([[1.0, 2.0], [3.0, nan]], [[1.0], [3.0]])

    Raises:
        InputError: a list of another length than the first, or one without any score; names its row.
    """
    if not any(isinstance(row, list) for row in rows[:1]):
        return merged(np.array(rows, dtype=np.float64)[:, None])
    for row, scores in enumerate(rows):
        if len(scores) != len(rows[0]):
            raise InputError(
                f"references[{row}] has {len(scores)} scores and references[0] {len(rows[0])}; "
                "pass one per rater, None where a rater gave none"
            )
    ratings = np.array(rows, dtype=np.float64)
    is_empty = np.isnan(ratings).all(axis=1)
    if is_empty.any():
        raise InputError(f"references[{is_empty.argmax()}] has no score; pass at least one rater's")
    return merged(ratings)


def _without_rounding(values: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """Returns values (...) computed from ratings (...), of which those become equal that differ only by rounding.

    The rounding is that of the largest rating, for a mean of 0 may be a sum of large ones. nan stays.
    """
    largest = np.max(np.abs(ratings), initial=0.0, where=~np.isnan(ratings))
    return merged(values, float(rounding_of(largest)))


def mean_ratings(ratings: np.ndarray) -> np.ndarray:
    """Returns the mean of the scores that each row has, (n_rows,); nan where it has none.

    Means that differ only by rounding are equal: ties depend neither on the order of the raters nor on their scale.

    >>> mean_ratings(np.array([[1, 2], [3, np.nan]])).tolist()
    [1.5, 3.0]
    """
    is_given = ~np.isnan(ratings)
    scores = np.where(is_given, ratings, 0.0)
    with np.errstate(invalid="ignore", over="ignore"):
        means = scores.sum(axis=1) / is_given.sum(axis=1)
    return _without_rounding(means, ratings) if ratings.shape[1] > 1 else means


def standardized(ratings: np.ndarray) -> np.ndarray:
    """Returns each rater's scores minus their mean, divided by their standard deviation (n - 1): (n_rows, n_raters).

    Graham, Baldwin and Mathur (2015). A rater who gave all rows one score, or scored a single row, gets 0. Scores that
    differ only by rounding are equal.

    >>> standardized(np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 60.0]])).round(4).tolist()
    [[-1.0, -0.7559], [0.0, -0.378], [1.0, 1.1339]]
    """
    columns = []
    for scores in ratings.T:
        is_missing = np.isnan(scores)
        present = scores[~is_missing]
        if not len(present) or (present == present[0]).all():
            columns.append(np.where(is_missing, np.nan, 0.0))
            continue
        largest = np.abs(present).max()
        scores = scores / largest
        present = present / largest
        columns.append((scores - present.mean()) / present.std(ddof=1))
    ratings = np.stack(columns, axis=1)
    return _without_rounding(ratings, ratings)


def krippendorff_alpha(ratings: np.ndarray, weights: np.ndarray, is_ordinal: bool = False) -> np.ndarray:
    """Returns Krippendorff's alpha for interval data, or for ordinal data, at most 1; 0 is agreement by chance: (...).

    Krippendorff (2011): 1 - D_o / D_e. Both are mean squared differences of two scores: D_o within rows, D_e between
    any two of all scores. A row with one score has no pair and does not count. nan if no row has two scores, or if all
    are equal. The ordinal difference of two scores is the difference of their mean ranks: it counts the scores between
    them, and half of those that are equal to one of them.

    The plain version takes all pairs of scores, of rows that are repeated, in a loop: tests/test_raters.py.

    Args:
        ratings: (n_rows, n_raters).
        weights: (..., n_rows) how often each row counts.
        is_ordinal: whether only the order of the scores counts.

    >>> table = np.array([[1, 1], [2, 3], [4, 4], [5, np.nan]])
    >>> round(float(krippendorff_alpha(table, np.ones(4))), 4)
    0.9123
    """
    is_given = ~np.isnan(ratings)
    has_pair = is_given.sum(axis=1) > 1
    if not has_pair.any():
        return np.full(weights.shape[:-1], np.nan)

    weights = weights[..., has_pair]
    is_given = is_given[has_pair]
    counts = is_given.sum(axis=1, dtype=np.intp)
    starts = np.cumsum(counts, dtype=np.intp) - counts
    values = scaled(ratings[has_pair][is_given])
    one_group = np.zeros(1, dtype=np.intp)
    value_weights = np.repeat(weights, counts, axis=-1)
    is_equal = is_constant(values, one_group, value_weights)[..., 0]
    if is_ordinal:
        values = ranks(values, one_group, value_weights)

    with np.errstate(divide="ignore", invalid="ignore"):
        total = (weights * counts).sum(axis=-1)
        # the squared differences of n values add up to 2 n times their squared deviations from the mean
        means = np.add.reduceat(values, starts, axis=-1) / counts
        within = np.add.reduceat((values - np.repeat(means, counts, axis=-1)) ** 2, starts, axis=-1)
        mean = (weights * counts * means).sum(axis=-1) / total
        between = counts * (means - mean[..., None]) ** 2
        observed = (weights * within * counts / (counts - 1)).sum(axis=-1) / total
        expected = (weights * (within + between)).sum(axis=-1) / (total - 1)
        return np.where(is_equal, np.nan, 1 - observed / expected)
