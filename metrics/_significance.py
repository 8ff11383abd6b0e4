"""Two metrics on one scale, and Williams' test of their correlations with the same scores by people."""

import math

import numpy as np

_STEPS = 16  # rounding errors in a score: it takes some steps to compute


def on_one_scale(metric: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Returns the scores of two metrics with the same mean and a deviation of 1, so that they can be swapped.

    Shape (2, n_rows). Scores that differ only by rounding become equal, as those of a metric and of 100 times that
    metric. Their common mean is the larger of the two means without sign, in units of the deviation: so the size of the
    scores still says how large a rounding error can be.

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

    Williams (1959), as Graham and Baldwin (2014) use it for metrics. It is 0 for two metrics that are linear functions
    of one another, and nan for fewer than four rows, for constant scores, and for a metric and its negative.

    The usual formula subtracts correlations, and where two metrics are nearly the same, only rounding is left. The
    idea: take scores as vectors of length 1, whose products are the correlations. The trick: the difference and the
    mean of two such vectors are orthogonal, so people's scores have a part along each of them and a rest, and t follows
    from these three without subtraction. The plain version, the usual formula in 80 digits, is `williams_t` of
    tests/oracles.py.

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
    """Returns the deviations from the mean as a vector of length 1, and how long a vector only of rounding can be."""
    deviations = scores - scores.mean()
    length = np.linalg.norm(deviations)
    return deviations / length, _STEPS * np.spacing(np.linalg.norm(scores)) / length


def t_p_value(t: float, degrees: int, alternative: str) -> float:
    """Returns the p-value of Student's t for a whole number of degrees of freedom; nan for nan.

    Abramowitz and Stegun (1964), equations 26.7.3 and 26.7.4, which are finite sums.
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
