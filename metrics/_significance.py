"""Two metrics on one scale, and Williams' test of their correlations with the same scores of people."""

import math

import numpy as np

_STEPS = 16  # a score takes some to compute, each with its rounding


def on_one_scale(metric: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Returns the scores of two metrics with one mean and a deviation of 1, so that they can be swapped: (2, n_rows).

    Scores that differ by rounding only are equal, as those of a metric and of 100 times that metric. The mean is as far
    from 0 as it was, in deviations, so that what rounding may do can still be read off the size of the scores.

    Args:
        metric: scores (n_rows,), of a size whose square exists, see `scaled`.
        baseline: scores by another metric, likewise.
    """
    both = np.stack([metric, baseline])
    deviations = both.std(axis=1, keepdims=True)
    both /= np.where(np.ptp(both, axis=1, keepdims=True) > 0, deviations, 1.0)
    means = both.mean(axis=1, keepdims=True)
    both += np.abs(means).max() - means
    values = np.sort(both, axis=None)
    values = values[np.diff(values, prepend=-np.inf) > _STEPS * np.spacing(np.abs(both).max())]
    return values[np.searchsorted(values, both, side="right") - 1]


def williams_t(metric: np.ndarray, baseline: np.ndarray, human: np.ndarray) -> float:
    """Returns Williams' t with n - 3 degrees of freedom, > 0 where the metric correlates better with people.

    Williams (1959), as Graham and Baldwin (2014) use it for metrics. 0 for two metrics on one line; nan for fewer than
    four rows, a constant, and a metric and its opposite.

    The usual formula takes differences of correlations, of which rounding leaves nothing where metrics are nearly the
    same. Here the scores are vectors of length 1: the gap between the metrics and their mean are orthogonal, and in the
    formula, divided by the squares of the lengths of both, is left what people share with each, and what with neither.

    Args:
        metric: scores (n_rows,), of a size whose square exists, see `scaled`.
        baseline: scores by another metric, likewise.
        human: scores by people, likewise.
    """
    n = len(human)
    if n < 4 or any((scores == scores[0]).all() for scores in (metric, baseline, human)):
        return math.nan
    (ours, rounding), (theirs, more_rounding), (people, _) = map(_direction, (metric, baseline, human))
    gap, mean = ours - theirs, (ours + theirs) / 2
    size, mean_size = np.linalg.norm(gap), np.linalg.norm(mean)
    if min(size, mean_size) <= rounding + more_rounding:
        return 0.0 if size < mean_size else math.nan
    with_gap, with_mean = people @ gap / size, people @ mean / mean_size
    rest = people - with_gap * gap / size - with_mean * mean / mean_size
    variance = 2 * (n - 1) / (n - 3) * (rest @ rest) + with_mean**2 * size**4 / 8
    return float(with_gap * math.sqrt(2 * (n - 1) / variance)) if variance > 0 else math.copysign(math.inf, with_gap)


def _direction(scores: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns the deviations from the mean as a vector of length 1, and how long a vector rounding alone can be."""
    deviations = scores - scores.mean()
    length = np.linalg.norm(deviations)
    return deviations / length, _STEPS * np.spacing(np.linalg.norm(scores)) / length


def t_p_value(t: float, degrees: int, alternative: str) -> float:
    """Returns the p-value of Student's t by the finite sums for whole degrees of freedom.

    Abramowitz and Stegun (1964), equations 26.7.3 and 26.7.4; nan for nan.
    """
    if math.isnan(t):
        return math.nan
    angle, is_odd = math.atan(t / math.sqrt(degrees)), degrees % 2
    tops = 2 * np.arange(1, (degrees - 2) // 2 + 1) - 1 + is_odd
    series = np.cumprod(np.append(1.0, tops / (tops + 1) * math.cos(angle) ** 2)).sum()
    if is_odd:
        inside = 2 / math.pi * (angle + (math.sin(angle) * math.cos(angle) * series if degrees > 1 else 0.0))
    else:
        inside = math.sin(angle) * series
    tail = 1 - abs(inside) if alternative == "two-sided" else (1 - inside) / 2
    return float(min(max(tail, 0.0), 1.0))
