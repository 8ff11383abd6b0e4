"""P-values of the paired bootstrap, p-values adjusted for their number, detectable differences, and wins."""

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from textgauge.core.rounding import difference, rounding_of

POWER = 0.8


def is_at_least(values: np.ndarray, limits: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Returns which values reach their limit, or miss it only by the rounding of scores.

    An undefined value counts as one that does, because it is not evidence for a difference.

    Args:
        values: differences of two scores, (..., n).
        limits: (n).
        scores: the sum of the sizes of the two scores, (n).
    """
    return ~(values < limits - rounding_of(scores))


def bootstrap_p(differences: np.ndarray, observed: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Returns the p-value of a paired bootstrap test, (n), as Moses and sacreBLEU compute it, except for ties.

    The share of resamples in which the size of the difference exceeds its mean size by the observed size or more. For
    two systems far from each other that is in effect one-sided, and half of what a two-sided test gives. A difference
    that exceeds it by exactly the observed size counts (not in sacreBLEU).

    Args:
        differences: between two systems, (resamples, n).
        observed: difference in the corpus, (n); the p-value of an undefined one is nan.
        scores: the sum of the sizes of both scores, (n).
    """
    sizes = np.abs(differences)
    is_defined = np.isfinite(sizes)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(is_defined, sizes, 0).sum(0) / is_defined.sum(0)
        count = is_at_least(sizes - means, np.abs(observed), scores).sum(0)
    p_values = (count + 1) / (len(differences) + 1)
    return np.where(np.isnan(observed), np.nan, p_values)


def holm(p_values: np.ndarray) -> np.ndarray:
    """Returns p-values (n,) adjusted for their number (Holm 1979); nan stays nan and is not in that number."""
    return _adjusted(p_values, lambda count, rank: count - rank, np.maximum.accumulate)


def benjamini_hochberg(p_values: np.ndarray) -> np.ndarray:
    """Returns p-values (n,) adjusted for a false discovery rate (Benjamini and Hochberg 1995); nan stays nan."""
    return _adjusted(p_values, lambda count, rank: count / (rank + 1), _least_from_each_on)


def _least_from_each_on(values: np.ndarray) -> np.ndarray:
    """Returns for each value the least of it and all that follow.

    >>> _least_from_each_on(np.array([2, 1, 3])).tolist()
    [1, 1, 3]
    """
    return np.minimum.accumulate(values[::-1])[::-1]


def _adjusted(
    p_values: np.ndarray,
    factor: Callable[[int, np.ndarray], np.ndarray],
    accumulate: Callable[[np.ndarray], np.ndarray],
) -> np.ndarray:
    """Returns p-values (n,), each times a factor, and no less significant than one with a larger p-value.

    Args:
        p_values: of which those that are nan stay nan.
        factor: of the number of p-values and the rank of each, from 0 for the smallest.
        accumulate: what makes the products, sorted by rank, rise.
    """
    adjusted = np.full(p_values.shape, np.nan)
    count = np.count_nonzero(~np.isnan(p_values))
    order = np.argsort(p_values)[:count]  # nan comes last
    products = p_values[order] * factor(count, np.arange(count))
    adjusted[order] = np.minimum(accumulate(products), 1)
    return adjusted


def minimum_detectable_effect(errors: np.ndarray, level: float) -> np.ndarray:
    """Returns the minimum detectable effect: the true difference that a two-sided test finds with probability .8.

    (z(1 - level / 2) + z(.8)) standard errors, (...) each: the usual formula for a test of a normal difference.
    """
    normal = NormalDist()
    return (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(POWER)) * errors


def count_wins(ours: np.ndarray, theirs: np.ndarray, is_lower_better: np.ndarray) -> np.ndarray:
    """Returns in how many segments a system is better than another, equal, worse, or one is undefined, (4, n).

    Args:
        ours: scores of the system, (n_segments, n).
        theirs: scores of the other system, (n_segments, n).
        is_lower_better: (n).
    """
    lead = np.where(is_lower_better, -1, 1) * difference(ours, theirs)
    is_better = lead > 0
    is_worse = lead < 0
    is_undefined = np.isnan(ours) | np.isnan(theirs)
    is_equal = ~(is_better | is_worse | is_undefined)
    return np.stack([is_better, is_equal, is_worse, is_undefined]).sum(1)
