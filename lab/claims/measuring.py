"""Claims to findings: scores of segments against people's, with the interval of a paired bootstrap, and a verdict."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.programs.scoring.people import LEVEL, against_people, scores_by_label
from textgauge.programs.scoring.specs import load_metric, load_scorers

from .data_sets import FILES, DataSet, read_data_set
from .statements import CLAIMS, Claim, Comparison, Side

RESAMPLES, SEEDS = 1000, range(12345, 12385)  # of each seed; an end of an interval is the mean of its ends by seed
FIRST, NEAR, TOO_NEAR = 10, 8, 3  # seeds that do unless an end is so many of its standard errors from the border
NOT_MEASURED = "not measured"
RATER_KEYS = ("alpha", "ordinal_alpha", "rater_correlation", "reliability", "noise_ceiling")
_ROUNDING = 1e-9


class Finding(NamedTuple):
    """What one comparison gave."""

    place: str
    says: str
    data: str
    human: str
    first: str
    second: str  # "" where the claim is that the first agrees at all
    rows: int
    values: list[float]  # Pearson's r of each side with people
    interval: list[float]  # of the difference, or of the only r; empty for too few rows
    errors: list[float]  # standard errors of its ends
    margin: float
    verdict: str


def measured() -> Iterator[Finding]:
    """Yields the findings of all claims, in the order of the documents; the texts are read and scored meanwhile."""
    data = functools.cache(read_data_set)
    for claim in CLAIMS:
        for comparison in claim.comparisons:
            yield _compared(claim, comparison, data)
        if claim.lacking:
            yield Finding(claim.place, claim.says, claim.lacking, "", "", "", 0, [], [], [], claim.margin, NOT_MEASURED)


def verdict(interval: Sequence[float], errors: Sequence[float], margin: float = 0.0) -> str:
    """Says what the interval of a difference shows, which a claim says to be above minus the margin.

    Args:
        interval: both ends; empty for too few rows.
        errors: standard errors of the ends, by which other draws would move them.
        margin: how much less than nothing still is "as well".
    """
    if not interval:
        return "not shown"
    if _is_near(interval, errors, margin, TOO_NEAR):
        return "too close to call"
    low, high = (end + margin for end in interval)
    return "supported" if low > _ROUNDING else "contradicted" if high < -_ROUNDING else "not shown"


def _compared(claim: Claim, comparison: Comparison, read: Callable[[str], DataSet]) -> Finding:
    first, second = comparison.first, comparison.second
    data, human = read(comparison.data), comparison.human
    elsewhere, their_human = comparison.elsewhere or (comparison.data, human)
    other_data = read(elsewhere)
    scores, baselines = _scores(first, data), _scores(second, other_data) if second else None
    by_seed: list[Correlations] = []
    for seed in SEEDS:
        if comparison.elsewhere:
            correlations = apart(
                _correlated(data, human, seed, scores), _correlated(other_data, their_human, seed, baselines)
            )
        else:
            correlations = _correlated(data, human, seed, scores, baselines)
        by_seed.append(correlations)
        interval, errors = _mean_ends([correlations.ends for correlations in by_seed])
        if len(by_seed) == FIRST and not _is_near(interval, errors, claim.margin, NEAR):
            break
    judged = f"{human}; {other_data.title}, {their_human}" if comparison.elsewhere else human
    return Finding(
        claim.place, claim.says, data.title, judged, first.name, second.name if second else "", correlations.rows,
        correlations.values, interval, errors, claim.margin, verdict(interval, errors, claim.margin),
    )  # fmt: skip


class Correlations(NamedTuple):
    """With people's scores, by one seed."""

    rows: int
    values: list[float]
    ends: list[float]  # of the interval of the difference of two values, or of the only one


def _correlated(
    data: DataSet, human: str, seed: int, scores: list[float], baselines: list[float] | None = None
) -> Correlations:
    """Returns the correlations of one or two scores of the same outputs with people's; no p-value is read."""
    sides = scores, data.columns[human], baselines
    result = against_people(*sides, items=data.items, resamples=RESAMPLES, seed=seed, permutations=1)
    if baselines is None:
        return Correlations(result["rows"], [result["pearson"]], result["confidence_interval"])
    values = [result["pearson"], result["baseline_correlation"]]
    return Correlations(result["rows"], values, result["difference_confidence_interval"])


def apart(first: Correlations, second: Correlations) -> Correlations:
    """Returns two correlations of different outputs and people, with the interval that follows from their own two.

    Zou (2007), "Toward using confidence intervals to compare correlations", equation 15.
    """
    (r, (low, high)), (other_r, (other_low, other_high)) = ((side.values[0], side.ends) for side in (first, second))
    ends = [
        r - other_r - math.hypot(r - low, other_high - other_r),
        r - other_r + math.hypot(high - r, other_r - other_low),
    ]
    return Correlations(first.rows + second.rows, [r, other_r], ends)


def _mean_ends(ends: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Returns the means of both ends over seeds, and their standard errors; nothing where there is no interval."""
    if len(ends) < 2 or np.isnan(ends).any():
        return [], []
    return np.mean(ends, axis=0).tolist(), (np.std(ends, axis=0, ddof=1) / len(ends) ** 0.5).tolist()


def _is_near(interval: Sequence[float], errors: Sequence[float], margin: float, count: float) -> bool:
    """Returns whether an end is at most so many of its standard errors from the border."""
    pairs = zip(interval, errors, strict=True)
    return any(error > 0 and abs(end + margin) <= count * error for end, error in pairs)


def _scores(side: Side, data: DataSet) -> list[float]:
    """Returns the score of each segment; nan where one is divided by 0."""
    if side.spec.startswith("column "):
        return data.columns[side.spec.removeprefix("column ")]
    columns = {
        "predictions": data.columns["prediction"],
        "references": [texts[: side.references] for texts in data.columns["references"]],
    }
    scores, divisors = (_only(spec, columns) for spec in (side.spec, side.over or side.spec))
    if not side.over:
        return scores
    return [a / b if b else math.nan for a, b in zip(scores, divisors, strict=True)]


def _only(spec: str, columns: dict[str, Any]) -> list[float]:
    (scorer,) = load_scorers([spec], None)
    (scores,) = scores_by_label(scorer, columns).values()
    return scores


def rater_agreement() -> list[dict[str, Any]]:
    """Returns for each column of raters how well they agree: values, each with the ends of its interval."""
    agreements = []
    for name in FILES:
        data = read_data_set(name)
        for human, rows in data.columns.items():
            if human != "references" and isinstance(rows[0], list):
                result = load_metric("human_correlation").compute(
                    predictions=range(len(rows)), references=rows, items=data.items,
                    confidence=LEVEL, resamples=RESAMPLES, seed=SEEDS[0],
                )  # fmt: skip
                kept = {key: [result[key], *result[f"{key}_confidence_interval"]] for key in RATER_KEYS}
                agreements.append(
                    {"data": data.title, "human": human, "rows": len(rows), "raters": result["raters"], **kept}
                )
    return agreements
