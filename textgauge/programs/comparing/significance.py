"""P-values of the paired bootstrap, p-values adjusted for their number, detectable differences, and wins."""

from statistics import NormalDist

import numpy as np

from textgauge.core.rounding import difference, rounding_of

POWER = 0.8


def is_at_least(values: np.ndarray, limits: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Returns which values reach their limit, or miss it only by the rounding of scores.

    An undefined value counts as one that does: it is no evidence for a difference.

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
    return np.where(np.isnan(observed), np.nan, (count + 1) / (len(differences) + 1))


def holm(p_values: np.ndarray) -> np.ndarray:
    """Returns p-values (n,) adjusted for their number (Holm 1979); nan stays nan and is not in that number."""
    return _adjusted(p_values, lambda count, rank: count - rank, np.maximum.accumulate)


def benjamini_hochberg(p_values: np.ndarray) -> np.ndarray:
    """Returns p-values (n,) adjusted for a false discovery rate (Benjamini and Hochberg 1995); nan stays nan."""
    return _adjusted(p_values, lambda count, rank: count / (rank + 1), lambda p: np.minimum.accumulate(p[::-1])[::-1])


def _adjusted(p_values, factor, accumulate):
    result = np.full(p_values.shape, np.nan)
    order = np.argsort(p_values)[: np.count_nonzero(~np.isnan(p_values))]  # nan comes last
    result[order] = np.minimum(accumulate(p_values[order] * factor(len(order), np.arange(len(order)))), 1)
    return result


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
        theirs: scores of the other one, (n_segments, n).
        is_lower_better: (n).
    """
    lead = np.where(is_lower_better, -1, 1) * difference(ours, theirs)
    is_better = lead > 0
    is_worse = lead < 0
    is_undefined = np.isnan(ours) | np.isnan(theirs)
    is_equal = ~(is_better | is_worse | is_undefined)
    return np.stack([is_better, is_equal, is_worse, is_undefined]).sum(1)
