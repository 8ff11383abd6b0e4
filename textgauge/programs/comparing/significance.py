"""From scores under resampling to p-values, and what is said of them together."""

from statistics import NormalDist

import numpy as np

POWER = 0.8
_ROUNDING = 1e-12  # a difference so far below two scores is none


def is_at_least(values: np.ndarray, limits: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Returns where values reach their limits, up to the rounding of the two scores that these are differences of.

    An undefined value counts as one that does: it speaks against nothing.

    Args:
        values: (..., n).
        limits: (n).
        scores: the sum of the sizes of both scores, (n).
    """
    slack = np.where(np.isfinite(scores), _ROUNDING * scores, 0)
    return ~(values < limits - slack)


def bootstrap_p(differences: np.ndarray, observed: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Returns the p-value of a paired bootstrap test, (n), as Moses and sacreBLEU compute it, except for ties.

    The share of resamples in which the size of the difference exceeds its mean by the observed size or more; for two
    systems far from each other that is one-sided, half of what a two-sided test says. Ties count (sacreBLEU's do not).

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
    """Returns p-values (n,) adjusted for their number (Holm 1979); nan stays nan and counts for nothing."""
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


def count_wins(segments: np.ndarray, others: np.ndarray, is_lower_better: np.ndarray) -> np.ndarray:
    """Returns in how many segments the first is better, equal, worse, or one is undefined, (4, n).

    Args:
        segments, others: scores of two systems, (n_segments, n).
        is_lower_better: (n).
    """
    with np.errstate(invalid="ignore"):
        sizes = np.abs(segments) + np.abs(others)
        is_equal = (segments == others) | (
            np.abs(segments - others) <= np.where(np.isfinite(sizes), sizes, 0) * _ROUNDING
        )
        is_higher = (segments > others) & ~is_equal
        is_lower = (segments < others) & ~is_equal
    is_undefined = np.isnan(segments) | np.isnan(others)
    better, worse = np.where(is_lower_better, [is_lower, is_higher], [is_higher, is_lower])
    return np.stack([better, is_equal, worse, is_undefined]).sum(1)
