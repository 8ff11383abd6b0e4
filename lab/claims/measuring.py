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

RESAMPLES = 1000  # of each seed
SEEDS = range(12345, 12385)  # an end of an interval is the mean of its ends by seed
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
    if low > _ROUNDING:
        return "supported"
    if high < -_ROUNDING:
        return "contradicted"
    return "not shown"


def _compared(claim: Claim, comparison: Comparison, read: Callable[[str], DataSet]) -> Finding:
    first = comparison.first
    second = comparison.second
    human = comparison.human
    data = read(comparison.data)
    name_elsewhere, human_elsewhere = comparison.elsewhere or (comparison.data, human)
    data_elsewhere = read(name_elsewhere)
    scores = _scores(first, data)
    baselines = _scores(second, data_elsewhere) if second else None
    by_seed: list[Correlations] = []
    for seed in SEEDS:
        if comparison.elsewhere:
            of_first = _correlated(data, human, seed, scores)
            of_second = _correlated(data_elsewhere, human_elsewhere, seed, baselines)
            correlations = apart(of_first, of_second)
        else:
            correlations = _correlated(data, human, seed, scores, baselines)
        by_seed.append(correlations)
        interval, errors = _mean_ends([correlations.ends for correlations in by_seed])
        if len(by_seed) == FIRST and not _is_near(interval, errors, claim.margin, NEAR):
            break
    judged = f"{human}; {data_elsewhere.title}, {human_elsewhere}" if comparison.elsewhere else human
    second_name = second.name if second else ""
    found = verdict(interval, errors, claim.margin)
    return Finding(
        claim.place, claim.says, data.title, judged, first.name, second_name, correlations.rows, correlations.values,
        interval, errors, claim.margin, found,
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
    r_1 = first.values[0]
    low_1, high_1 = first.ends
    r_2 = second.values[0]
    low_2, high_2 = second.ends
    low = r_1 - r_2 - math.hypot(r_1 - low_1, high_2 - r_2)
    high = r_1 - r_2 + math.hypot(high_1 - r_1, r_2 - low_2)
    return Correlations(first.rows + second.rows, [r_1, r_2], [low, high])


def _mean_ends(ends: Sequence[Sequence[float]]) -> tuple[list[float], list[float]]:
    """Returns the means of both ends over seeds, and their standard errors; nothing where there is no interval."""
    if len(ends) < 2 or np.isnan(ends).any():
        return [], []
    means = np.mean(ends, axis=0)
    errors = np.std(ends, axis=0, ddof=1) / len(ends) ** 0.5
    return means.tolist(), errors.tolist()


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
    scores = _only(side.spec, columns)
    if not side.over:
        return scores
    divisors = _only(side.over, columns)
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
                agreement = {"data": data.title, "human": human, "rows": len(rows), "raters": result["raters"]}
                for key in RATER_KEYS:
                    agreement[key] = [result[key], *result[f"{key}_confidence_interval"]]
                agreements.append(agreement)
    return agreements
