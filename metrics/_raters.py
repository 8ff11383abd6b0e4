"""Several people's scores of the same rows: one score of them all, and how well the people agree with one another.

Ratings are an array (n_rows, n_raters), nan where a rater gave no score. Krippendorff's alpha as in the package
krippendorff; the reliability is that of split halves, stepped up (Spearman 1910; Brown 1910), and its root is the
ceiling of a correlation with the mean (Spearman 1904; Lord and Novick 1968, chapter 3).
"""

import itertools
import math
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._correlations import pearson
from ._correlations import scaled


def rating_matrix(rows: Sequence[Any]) -> np.ndarray:
    """Returns a column of numbers, or of lists with one number per rater, as ratings; None and nan are missing.

    Raises:
        ValueError: a list of another length than the first, or one without any score; names its row.
    """
    if not any(isinstance(row, list) for row in rows[:1]):
        return np.array(rows, dtype=np.float64)[:, None]
    for row, scores in enumerate(rows):
        if len(scores) != len(rows[0]):
            raise ValueError(
                f"references[{row}] has {len(scores)} scores and references[0] {len(rows[0])}; "
                "pass one per rater, None where a rater gave none"
            )
    ratings = np.array(rows, dtype=np.float64)
    is_empty = np.isnan(ratings).all(axis=1)
    if is_empty.any():
        raise ValueError(f"references[{is_empty.argmax()}] has no score; pass at least one rater's")
    return ratings


def mean_ratings(ratings: np.ndarray) -> np.ndarray:
    """Returns the mean of the scores that each row has, (n_rows,); nan where it has none."""
    is_given = ~np.isnan(ratings)
    with np.errstate(invalid="ignore"):
        return np.where(is_given, ratings, 0.0).sum(axis=1) / is_given.sum(axis=1)


def standardized(ratings: np.ndarray) -> np.ndarray:
    """Returns each rater's scores minus their mean, divided by their standard deviation (n - 1).

    Graham, Baldwin and Mathur (2015). A rater who gave all rows one score, or scored a single row, gets 0.
    """
    columns = []
    for scores in ratings.T:
        given = scores[~np.isnan(scores)]
        if not len(given) or (given == given[0]).all():
            columns.append(np.where(np.isnan(scores), np.nan, 0.0))
            continue
        scores, given = (values / np.abs(given).max() for values in (scores, given))
        columns.append((scores - given.mean()) / given.std(ddof=1))
    return np.stack(columns, axis=1)


def krippendorff_alpha(ratings: np.ndarray) -> float:
    """Returns Krippendorff's alpha for interval data, at most 1; 0 is agreement by chance.

    Krippendorff (2011): 1 - D_o / D_e. Both are mean squared differences of two scores: D_o within rows, D_e between
    any two of all scores. A row with one score has no pair and does not count. nan if there is no row with two scores,
    or if all are equal.

    >>> round(krippendorff_alpha(np.array([[1, 1], [2, 3], [4, 4], [5, np.nan]])), 4)
    0.9123
    """
    counts = (~np.isnan(ratings)).sum(axis=1)
    ratings, counts = ratings[counts > 1], counts[counts > 1]
    is_given = ~np.isnan(ratings)
    values = ratings[is_given]
    if not len(values) or (values == values[0]).all():
        return math.nan
    ratings = scaled(np.where(is_given, ratings, 0.0))
    values = ratings[is_given]
    # the squared differences of n values add up to 2 n times their squared deviations from the mean
    means = ratings.sum(axis=1) / counts
    within = (np.where(is_given, ratings - means[:, None], 0.0) ** 2).sum(axis=1)
    observed = (within * counts / (counts - 1)).sum() / len(values)
    expected = ((values - values.mean()) ** 2).sum() / (len(values) - 1)
    return float(1 - observed / expected)


def ordinal(ratings: np.ndarray) -> np.ndarray:
    """Returns the mean rank of each score among those of rows with two or more; `krippendorff_alpha` of it is ordinal.

    Krippendorff's ordinal difference of two scores counts the scores between them, and half of those that are equal to
    one of them: the difference of their mean ranks.
    """
    ratings = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    is_given = ~np.isnan(ratings)
    _, codes, counts = np.unique(ratings[is_given], return_inverse=True, return_counts=True)
    ranks = np.full(ratings.shape, np.nan)
    ranks[is_given] = (np.cumsum(counts) - (counts - 1) / 2)[codes.reshape(-1)]
    return ranks


def rater_agreement(ratings: np.ndarray, starts: np.ndarray, splits: int, seed: int) -> dict[str, Any]:
    """Returns how well the raters agree: see the card of `human_correlation` for each key.

    Args:
        ratings: the scores that are averaged, sorted by group.
        starts: (n_groups,) first row of each group; correlations are means over groups.
        splits: how many splits into halves are tried; all, if there are no more than that.
        seed: of random splits.
    """
    n_raters = ratings.shape[1]
    others = [np.delete(np.arange(n_raters), rater) for rater in range(n_raters)]
    alone = [_correlation(ratings, [rater], rest, starts) for rater, rest in enumerate(others)]
    halves = [_correlation(ratings, *pair, starts) for pair in _halves(n_raters, splits, seed)]
    reliability = _stepped_up(_mean(halves), n_raters)
    return {
        "raters": n_raters,
        "alpha": krippendorff_alpha(ratings),
        "ordinal_alpha": krippendorff_alpha(ordinal(ratings)),
        "rater_correlation": _mean(alone),
        "reliability": reliability,
        "noise_ceiling": math.sqrt(reliability),
    }


def _stepped_up(r: float, n_raters: int) -> float:
    """Returns the reliability of the mean of all raters, from the correlation of halves (Spearman-Brown); nan below 0.

    Of an odd number of raters one is left out of the halves, so the mean of all is a little more than twice as long.
    """
    times = n_raters / max(n_raters // 2, 1)
    return times * r / (1 + (times - 1) * r) if r >= 0 else math.nan


def _correlation(ratings: np.ndarray, first: Sequence[int], second: Sequence[int], starts: np.ndarray) -> float:
    """Returns Pearson's r of the means of some raters and of some others, over the rows that have both."""
    means = np.stack([mean_ratings(ratings[:, list(raters)]) for raters in (first, second)])
    weights = (~np.isnan(ratings[:, list(first)])).any(axis=1) & (~np.isnan(ratings[:, list(second)])).any(axis=1)
    x, y = np.where(weights, means, 0.0)
    return _mean(pearson(x, y, starts, weights.astype(np.float64)))


def _mean(values: Sequence[float]) -> float:
    """Returns the mean of the values that are defined; nan if there is none."""
    defined = [value for value in values if not math.isnan(value)]
    return float(np.mean(defined)) if defined else math.nan


def _halves(n_raters: int, splits: int, seed: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yields pairs of halves of the raters: all pairs if there are at most `splits`, else random ones."""
    half = n_raters // 2
    if not half:
        return
    count = math.comb(n_raters, half) * math.comb(n_raters - half, half) // 2
    if count > splits:
        rng = np.random.default_rng(seed)
        for _ in range(splits):
            order = rng.permutation(n_raters)
            yield order[:half], order[half : 2 * half]
        return
    for first in itertools.combinations(range(n_raters), half):
        for second in itertools.combinations([rater for rater in range(n_raters) if rater not in first], half):
            if first < second:
                yield first, second
