"""Tests of two metrics against the same scores by people: Williams' test, and a permutation test on one scale."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from textgauge.core.rounding import ROUNDING, difference, merged
from textgauge.core.student import t_p_value

from .correlations import scaled
from .pairwise_accuracy import sign_changes
from .samples import Sample, agreement

_STEPS = 16  # in which a score may have been computed, each with an error of rounding


def comparison(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> dict[str, float]:
    """Returns the baseline's coefficient, the difference, and its tests; empty without a baseline.

    `signs` are those of `sign_changes`, (n_permutations, n_units), for soft accuracy; else None.

    >>> scores, human, starts, units = np.arange(4.0), np.array([1.0, 2.0, 4.0, 5.0]), np.zeros(1, int), np.arange(4)
    >>> sample = Sample(scores, human, human[:, None], scores[[1, 0, 2, 3]], starts, units, 4, False, 1)
    >>> options = {"coefficient": "pearson", "alternative": "greater", "averaging": None, "permutations": 16, "seed": 0}
    >>> values = comparison(sample, None, options)
    >>> [round(values[key], 4) for key in ("baseline_correlation", "difference", "permutation_p_value")]
    [0.8485, 0.1414, 0.25]
    """
    if np.isnan(sample.baselines[0]):
        return {}
    coefficient = options["coefficient"]
    once = np.ones((1, sample.n_units))
    metric_value = float(agreement(sample, sample.scores, once, coefficient, signs)[0])
    baseline_value = float(agreement(sample, sample.baselines, once, coefficient, signs)[0])
    result = {
        "baseline_correlation": baseline_value,
        "difference": float(difference(metric_value, baseline_value)),
    }
    if coefficient == "pearson" and options["averaging"] is None:
        t = williams_t(scaled(sample.scores), scaled(sample.baselines), scaled(sample.human))
        result["williams"] = t
        result["williams_p_value"] = t_p_value(t, len(sample.scores) - 3, options["alternative"])
    result["permutation_p_value"] = _permutation_p_value(sample, signs, options)
    return result


def _permutation_p_value(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> float:
    """Returns the share of permutations in which the difference of two metrics is at least as large as it is.

    A permutation swaps the two metrics' scores of some items, or rows. Scores are standardised before, so that they can
    be swapped (Deutsch, Dror and Roth 2021). The first permutation swaps nothing. The p-value of two metrics that are
    the same, or linear functions of one another, is 1.
    """
    once = np.ones((1, sample.n_units))
    coefficient = options["coefficient"]
    metric, baseline = on_one_scale(scaled(sample.scores), scaled(sample.baselines))
    differences = []
    for swapped in _swaps(sample.n_units, options["permutations"], options["seed"]):
        swapped = swapped[sample.units]
        first = agreement(sample, np.where(swapped, baseline, metric), once, coefficient, signs)[0]
        second = agreement(sample, np.where(swapped, metric, baseline), once, coefficient, signs)[0]
        differences.append(first - second)
    sizes = np.abs(differences) if options["alternative"] == "two-sided" else np.array(differences)
    if np.isnan(sizes[0]):
        return math.nan
    return float((sizes[~np.isnan(sizes)] >= sizes[0] - ROUNDING).mean())


def _swaps(n_units: int, permutations: int, seed: int) -> Iterator[np.ndarray]:
    """Yields which units a permutation swaps, first none; all permutations if they are few enough, else random ones."""
    if n_units < permutations.bit_length():
        yield from sign_changes(n_units, permutations, seed) < 0
        return
    yield np.zeros(n_units, dtype=bool)
    rng = np.random.default_rng(seed)
    for _ in range(permutations):
        yield rng.random(n_units) < 0.5


def on_one_scale(metric: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """Returns the scores of two metrics with the same mean and a deviation of 1, so that they can be swapped.

    Shape (2, n_rows). Scores that differ only by rounding become equal, as those of a metric and of 100 times that
    metric. The common mean is the larger of the two means, in units of the deviation and without its sign, and not 0:
    so the size of the scores still says how large a rounding error can be.

    Args:
        metric: scores (n_rows,), of a size whose square exists, see `scaled`.
        baseline: scores by another metric, likewise.
    """
    scores = np.stack([metric, baseline])
    deviations = scores.std(axis=1, keepdims=True)
    scores /= np.where(np.ptp(scores, axis=1, keepdims=True) > 0, deviations, 1.0)
    means = scores.mean(axis=1, keepdims=True)
    scores += np.abs(means).max() - means
    return merged(scores, _STEPS * np.spacing(np.abs(scores).max()))


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
    metric_direction, metric_rounding = _direction(metric)
    baseline_direction, baseline_rounding = _direction(baseline)
    people, _ = _direction(human)
    gap = metric_direction - baseline_direction
    mean = (metric_direction + baseline_direction) / 2
    gap_size = np.linalg.norm(gap)
    mean_size = np.linalg.norm(mean)
    if min(gap_size, mean_size) <= metric_rounding + baseline_rounding:
        return 0.0 if gap_size < mean_size else math.nan

    along_gap = people @ gap / gap_size
    along_mean = people @ mean / mean_size
    rest = people - along_gap * gap / gap_size - along_mean * mean / mean_size
    variance_of_rest = 2 * (n - 1) / (n - 3) * (rest @ rest)
    variance = variance_of_rest + along_mean**2 * gap_size**4 / 8
    if variance > 0:
        return float(along_gap * math.sqrt(2 * (n - 1) / variance))
    return math.copysign(math.inf, along_gap)


def _direction(scores: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns the deviations from the mean as a vector of length 1, and how long the error of its rounding can be."""
    deviations = scores - scores.mean()
    length = np.linalg.norm(deviations)
    rounding = _STEPS * np.spacing(np.linalg.norm(scores))
    return deviations / length, rounding / length
