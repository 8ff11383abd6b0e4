"""A judge, such as a language model, as one more rater: its level, its spread, and its agreement with each person."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .kappas import categories, cohen_kappa
from .rater_agreement import correlation_of_means, mean_values
from .raters import krippendorff_alpha
from .samples import Sample

# what is said of an interval below or above a border
_SIDES = (
    ("judge_bias", 0.0, "harsh", "lenient"),
    ("judge_spread", 1.0, "narrow", "wide"),
    ("judge_advantage", 0.0, "worse", "better"),
)


def judge_agreement(sample: Sample, counts: np.ndarray) -> dict[str, np.ndarray]:
    """Returns how a judge, whose scores are those of the metric, compares with people in each draw.

    Keys: `judge_bias`, by how much its scores are above the means of people, on their scale; `judge_spread`, its
    standard deviation divided by the mean one of the people; `judge_alpha`, Krippendorff's with the judge as one more
    rater; `judge_kappa`, the mean weighted kappa with each person; `judge_correlation`, Pearson's r with the mean of
    people; `judge_advantage`, how much larger its r with all people except one is than that of this one, the mean over
    them; all (n_draws,); `judge_correlations`, r with each person, (n_draws, n_raters). An r is a mean over the groups.

    Args:
        sample: the rows.
        counts: (n_draws, n_units) how often each unit is drawn.
    """
    drawn = counts[:, sample.units]
    both = np.column_stack([sample.ratings, sample.scores])
    codes = categories(both)
    people = range(sample.ratings.shape[1])
    kappas = [cohen_kappa(codes[:, rater], codes[:, -1], drawn)[1] for rater in people]
    spreads = np.array([_deviation(both[:, rater], drawn) for rater in range(both.shape[1])])
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "judge_bias": drawn @ (sample.scores - sample.human) / drawn.sum(axis=1),
            "judge_spread": spreads[-1] / mean_values(spreads[:-1], len(counts)),
            "judge_alpha": krippendorff_alpha(both, drawn),
            "judge_kappa": mean_values(kappas, len(counts)),
            "judge_correlation": _with_people(sample, people, counts),
            "judge_advantage": mean_values([_advantage(sample, rater, counts) for rater in people], len(counts)),
            "judge_correlations": np.stack([_with_people(sample, [rater], counts) for rater in people], axis=-1),
        }


def judge_findings(result: Mapping[str, Any], is_constant: bool) -> list[str]:
    """Returns in words what the intervals of a result say of a judge.

    "constant": it gives one score, and says nothing. "harsh" or "lenient": below or above people on the whole. "narrow"
    or "wide": it uses less or more of the scale than a person does. "better" or "worse": it agrees with the others more
    or less than a person does.
    """
    if is_constant:
        return ["constant"]
    findings = []
    for name, border, below, above in _SIDES:
        low, high = result[f"{name}_confidence_interval"]
        findings += [below] if high < border else [above] if low > border else []
    return findings


def _deviation(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the standard deviation of the scores that are given, (n_draws,)."""
    is_given = ~np.isnan(scores)
    scores, weights = scores[is_given], weights[:, is_given]
    with np.errstate(divide="ignore", invalid="ignore"):
        total = weights.sum(axis=1)
        mean = weights @ scores / total
        return np.sqrt((weights * (scores - mean[:, None]) ** 2).sum(axis=1) / total)


def _advantage(sample: Sample, rater: int, counts: np.ndarray) -> np.ndarray:
    """Returns Pearson's r of the judge with the mean of all people except one, minus that of this one, (n_draws,)."""
    others = [other for other in range(sample.ratings.shape[1]) if other != rater]
    return _with_people(sample, others, counts) - correlation_of_means(sample, [rater], others, counts)


def _with_people(sample: Sample, people: Sequence[int], counts: np.ndarray) -> np.ndarray:
    """Returns Pearson's r of the judge with the mean of some people, (n_draws,)."""
    with_judge = sample._replace(ratings=np.column_stack([sample.ratings, sample.scores]))
    return correlation_of_means(with_judge, [sample.ratings.shape[1]], people, counts)
