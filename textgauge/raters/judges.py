"""A judge, such as a language model, as one more rater: its level, its spread, and its agreement with each person."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textgauge.core.rounding import difference, merged

from .correlations import is_constant
from .kappas import categories, cohen_kappa
from .rater_agreement import correlation_of_means, mean_values
from .raters import krippendorff_alpha
from .samples import Sample

# value, border, and the word for a judge whose interval is below the border, or above it
_SIDES = (
    ("judge_bias", 0.0, "harsh", "lenient"),
    ("judge_spread", 1.0, "narrow", "wide"),
    ("judge_advantage", 0.0, "worse", "better"),
)


def beside_judge(sample: Sample) -> Sample:
    """Returns the rows with the judge's scores among the ratings: those that differ only by rounding become equal.

    >>> ratings, starts, units = np.array([[0.3], [0.5]]), np.zeros(1, int), np.arange(2)
    >>> sample = Sample(np.array([0.1 + 0.2, 0.5]), ratings[:, 0], ratings, ratings[:, 0], starts, units, 2, False, 1)
    >>> beside_judge(sample).scores.tolist()
    [0.3, 0.5]
    """
    with_judge = merged(np.column_stack([sample.ratings, sample.scores]))
    return sample._replace(ratings=with_judge[:, :-1], scores=with_judge[:, -1])


def judge_agreement(sample: Sample, counts: np.ndarray) -> dict[str, np.ndarray]:
    """Returns how a judge, whose scores are those of the metric, compares with people in each draw.

    Keys, each (n_draws,): `judge_bias`, by how much its scores are above the means of people, on their scale;
    `judge_spread`, its standard deviation divided by the mean of those of people; `judge_alpha`, Krippendorff's with
    the judge as one more rater; `judge_kappa`, the mean of the weighted kappas with each person; `judge_correlation`,
    Pearson's r with the mean of people; `judge_advantage`, by how much it agrees better with the others than a person
    does, the mean over all people. And (n_draws, n_raters): `judge_correlations`, r with each person. Each r is a mean
    over the groups.

    Args:
        sample: the rows, from `beside_judge`.
        counts: (n_draws, n_units) how often each unit is drawn.
    """
    drawn = counts[:, sample.units]
    with_judge = np.column_stack([sample.ratings, sample.scores])
    codes = categories(with_judge)
    people = range(sample.ratings.shape[1])
    weighted_kappas = []
    for rater in people:
        _, weighted_kappa = cohen_kappa(codes[:, rater], codes[:, -1], drawn)
        weighted_kappas.append(weighted_kappa)
    *spreads, judge_spread = [_deviation(scores, drawn) for scores in with_judge.T]
    advantages = [_advantage(sample, rater, counts) for rater in people]
    correlations = [_correlation(sample, [rater], counts) for rater in people]
    with np.errstate(divide="ignore", invalid="ignore"):
        bias = drawn @ difference(sample.scores, sample.human) / drawn.sum(axis=1)
        spread = judge_spread / mean_values(spreads, len(counts))
    return {
        "judge_bias": bias,
        "judge_spread": spread,
        "judge_alpha": krippendorff_alpha(with_judge, drawn),
        "judge_kappa": mean_values(weighted_kappas, len(counts)),
        "judge_correlation": _correlation(sample, people, counts),
        "judge_advantage": mean_values(advantages, len(counts)),
        "judge_correlations": np.stack(correlations, axis=-1),
    }


def judge_findings(result: Mapping[str, Any], is_constant: bool) -> list[str]:
    """Returns in words what the intervals of a result say of a judge.

    "constant": it gives all rows one score; no other word applies. "harsh" or "lenient": its scores are below or
    above those of people on the whole. "narrow" or "wide": it uses less or more of the scale than a person does.
    "worse" or "better": it agrees with people less or more than a person agrees with the others.
    """
    if is_constant:
        return ["constant"]
    findings = []
    for name, border, below, above in _SIDES:
        low, high = result[f"{name}_confidence_interval"]
        if difference(high, border) < 0:
            findings.append(below)
        elif difference(low, border) > 0:
            findings.append(above)
    return findings


def _deviation(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the standard deviation of one rater's scores in each draw, (n_draws,); nan is not a score."""
    is_given = ~np.isnan(scores)
    scores = scores[is_given]
    weights = weights[:, is_given]
    if not len(scores):
        return np.full(len(weights), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        total = weights.sum(axis=1)
        mean = weights @ scores / total
        squares = (scores - mean[:, None]) ** 2
        deviation = np.sqrt((weights * squares).sum(axis=1) / total)
    # the mean of equal scores may miss them by rounding
    has_one_score = is_constant(scores, np.zeros(1, dtype=np.intp), weights)[:, 0]
    return np.where(has_one_score & (total > 0), 0.0, deviation)


def _advantage(sample: Sample, rater: int, counts: np.ndarray) -> np.ndarray:
    """Returns the judge's r with the mean of all people except one, minus the r of that one with this mean."""
    others = [person for person in range(sample.ratings.shape[1]) if person != rater]
    of_judge = _correlation(sample, others, counts)
    of_rater = correlation_of_means(sample, [rater], others, counts)
    return difference(of_judge, of_rater)


def _correlation(sample: Sample, people: Sequence[int], counts: np.ndarray) -> np.ndarray:
    """Returns Pearson's r of the judge with the mean of some people, (n_draws,)."""
    with_judge = sample._replace(ratings=np.column_stack([sample.ratings, sample.scores]))
    return correlation_of_means(with_judge, [sample.ratings.shape[1]], people, counts)
