"""A judge, such as a language model, as one more rater: its level, its spread, and its agreement with each person."""

from collections.abc import Mapping

import numpy as np

from .correlations import pearson
from .kappas import categories, cohen_kappa
from .rater_agreement import mean_values
from .raters import krippendorff_alpha
from .samples import Sample, agreement, group_means, weights_of


def judge_agreement(sample: Sample, counts: np.ndarray) -> dict[str, np.ndarray]:
    """Returns how a judge, whose scores are those of the metric, compares with people in each draw.

    Keys: `judge_bias`, by how much its scores are above the means of people, on their scale; `judge_spread`, its
    standard deviation divided by the mean one of the people; `judge_alpha`, Krippendorff's with the judge as one more
    rater; `judge_kappa`, the mean weighted kappa with each person; `judge_correlation`, Pearson's r with the mean of
    people; all (n_draws,); `judge_correlations`, r with each person, (n_draws, n_raters). Both r are means over groups.

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
            "judge_correlation": agreement(sample, sample.scores, counts, "pearson", None),
            "judge_correlations": np.stack([_with_person(sample, rater, counts) for rater in people], axis=-1),
        }


def judge_findings(result: Mapping[str, object], is_constant: bool) -> list[str]:
    """Returns in words what the intervals of a result say of a judge.

    "constant": it gives one score, and says nothing. "harsh" or "lenient": below or above people on the whole. "narrow"
    or "wide": it uses less or more of the scale than a person does. "better" or "worse": it agrees with the mean of
    people more or less than one of them does with the mean of the others, which `rater_correlation` is.
    """
    if is_constant:
        return ["constant"]
    sides = (
        ("judge_bias", 0.0, "harsh", "lenient"),
        ("judge_spread", 1.0, "narrow", "wide"),
        ("judge_correlation", result["rater_correlation"], "worse", "better"),
    )
    found = []
    for name, border, below, above in sides:
        low, high = result[f"{name}_confidence_interval"]
        found += [below] if high < border else [above] if low > border else []
    return found


def _deviation(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the standard deviation of the scores that are given, (n_draws,)."""
    is_given = ~np.isnan(scores)
    scores, weights = scores[is_given], weights[:, is_given]
    with np.errstate(divide="ignore", invalid="ignore"):
        total = weights.sum(axis=1)
        mean = weights @ scores / total
        return np.sqrt((weights * (scores - mean[:, None]) ** 2).sum(axis=1) / total)


def _with_person(sample: Sample, rater: int, counts: np.ndarray) -> np.ndarray:
    is_given = ~np.isnan(sample.ratings[:, rater])
    scores = np.where(is_given, sample.ratings[:, rater], 0.0)
    weights, group_weights = weights_of(sample, counts)
    return group_means(pearson(sample.scores, scores, sample.starts, weights * is_given), group_weights)
