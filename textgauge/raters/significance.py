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
    coefficient, alternative = options["coefficient"], options["alternative"]
    once = np.ones((1, sample.n_units))
    ours, theirs = (
        float(agreement(sample, scores, once, coefficient, signs)[0]) for scores in (sample.scores, sample.baselines)
    )
    result = {"baseline_correlation": theirs, "difference": float(difference(ours, theirs))}
    if coefficient == "pearson" and options["averaging"] is None:
        result["williams"] = williams_t(*map(scaled, (sample.scores, sample.baselines, sample.human)))
        result["williams_p_value"] = t_p_value(result["williams"], len(sample.scores) - 3, alternative)
    result["permutation_p_value"] = _permutation_p_value(sample, signs, options)
    return result


def _permutation_p_value(sample: Sample, signs: np.ndarray | None, options: Mapping[str, Any]) -> float:
    """Returns the share of permutations in which the difference of two metrics is at least as large as it is.

    A permutation swaps the two metrics' scores of some items, or rows. Scores are standardised before, so that they can
    be swapped (Deutsch, Dror and Roth 2021). The first permutation swaps nothing. The p-value of two metrics that are
    the same, or linear functions of one another, is 1.
    """
    once, coefficient = np.ones((1, sample.n_units)), options["coefficient"]
    metric, baseline = on_one_scale(scaled(sample.scores), scaled(sample.baselines))
    differences = []
    for swapped in _swaps(sample.n_units, options["permutations"], options["seed"]):
        swapped = swapped[sample.units]
        pair = np.where(swapped, baseline, metric), np.where(swapped, metric, baseline)
        ours, theirs = (agreement(sample, scores, once, coefficient, signs)[0] for scores in pair)
        differences.append(ours - theirs)
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
    both = np.stack([metric, baseline])
    deviations = both.std(axis=1, keepdims=True)
    both /= np.where(np.ptp(both, axis=1, keepdims=True) > 0, deviations, 1.0)
    means = both.mean(axis=1, keepdims=True)
    both += np.abs(means).max() - means
    return merged(both, _STEPS * np.spacing(np.abs(both).max()))


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
    """Returns the deviations from the mean as a vector of length 1, and how long the error of its rounding can be."""
    deviations = scores - scores.mean()
    length = np.linalg.norm(deviations)
    return deviations / length, _STEPS * np.spacing(np.linalg.norm(scores)) / length
