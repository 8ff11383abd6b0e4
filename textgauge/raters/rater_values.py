"""What human correlation says of several raters and of a judge: values, and their intervals from one bootstrap."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from textgauge.core.bootstrap import draw_counts, interval_values, percentile_interval

from .judges import beside_judge, judge_agreement, judge_findings
from .rater_agreement import rater_agreement
from .samples import Sample


def rater_values(sample: Sample, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns how well the raters agree, and with `confidence` the bootstrap interval of each such value.

    >>> ratings = np.array([[1.0, 2.0], [2.0, 2.0], [4.0, 5.0], [5.0, 4.0]])
    >>> scores, starts, units = np.array([2.0, 3.0, 5.0, 5.0]), np.zeros(1, int), np.arange(4)
    >>> sample = Sample(scores, ratings.mean(1), ratings, scores, starts, units, 4, False, 1)
    >>> values = rater_values(sample, {"permutations": 10, "seed": 0, "confidence": None})
    >>> values["raters"], round(values["alpha"], 4), round(values["weighted_kappa"], 4)
    (2, 0.8444, 0.625)
    """
    splits = options["permutations"], options["seed"]
    values = _with_intervals(lambda counts: rater_agreement(sample, counts, *splits), sample, options)
    return {"raters": sample.ratings.shape[1], **values}


def judge_values(sample: Sample, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns how a judge compares with people, and with `confidence` intervals, and what they say in words.

    >>> ratings = np.array([[1.0, 2.0], [2.0, 2.0], [4.0, 5.0], [5.0, 4.0]])
    >>> scores, starts, units = np.array([2.0, 3.0, 5.0, 5.0]), np.zeros(1, int), np.arange(4)
    >>> sample = Sample(scores, ratings.mean(1), ratings, scores, starts, units, 4, False, 1)
    >>> values = judge_values(sample, {"confidence": None})
    >>> values["judge_bias"], round(values["judge_alpha"], 4), np.round(values["judge_correlations"], 4).tolist()
    (0.625, 0.8514, [0.9737, 0.9259])
    """
    sample = beside_judge(sample)
    result = _with_intervals(lambda counts: judge_agreement(sample, counts), sample, options)
    if options["confidence"] is None:
        return result
    is_constant = bool((sample.scores == sample.scores[0]).all())
    return {**result, "judge": judge_findings(result, is_constant)}


def _with_intervals(
    values_of: Callable[[np.ndarray], dict[str, np.ndarray]], sample: Sample, options: Mapping[str, Any]
) -> dict[str, Any]:
    """Returns the values of the sample, and with `confidence` their intervals, from many draws of its units.

    Args:
        values_of: from counts (n_draws, n_units) to values, each (n_draws,) or (n_draws, n_raters).
        sample: the rows.
        options: of the call.
    """
    of_sample = values_of(np.ones((1, sample.n_units)))
    result = {name: values[0].tolist() for name, values in of_sample.items()}
    if options["confidence"] is None:
        return result
    blocks = [values_of(counts) for counts in draw_counts(sample.n_units, options["resamples"], options["seed"])]
    for name, value in of_sample.items():
        values = np.concatenate([block[name] for block in blocks])
        if value.ndim == 1:
            result.update(interval_values(values, options["confidence"], sample.n_units, f"{name}_"))
        else:
            ends = [percentile_interval(of_rater, options["confidence"], sample.n_units) for of_rater in values.T]
            result[f"{name}_confidence_intervals"] = ends
    return result
