"""Claims to findings: scores of segments against people's, with the interval of a paired bootstrap, and a verdict."""

import functools
import math
from collections.abc import Iterator, Sequence
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
            yield _compared(claim, comparison, data(comparison.data))
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


def _compared(claim: Claim, comparison: Comparison, data: DataSet) -> Finding:
    first, second = comparison.first, comparison.second
    baselines = _scores(second, data) if second else None
    sides = _scores(first, data), data.columns[comparison.human], baselines
    key = "difference_confidence_interval" if second else "confidence_interval"
    by_seed: list[dict[str, Any]] = []
    for seed in SEEDS:  # no p-value is read
        by_seed.append(against_people(*sides, items=data.items, resamples=RESAMPLES, seed=seed, permutations=1))
        interval, errors = _mean_ends([found[key] for found in by_seed])
        if len(by_seed) == FIRST and not _is_near(interval, errors, claim.margin, NEAR):
            break
    found = by_seed[0]
    values = [found["pearson"], found["baseline_correlation"]] if second else [found["pearson"]]
    names = first.name, second.name if second else ""
    return Finding(
        claim.place, claim.says, data.title, comparison.human, *names, found["rows"], values, interval, errors,
        claim.margin, verdict(interval, errors, claim.margin),
    )  # fmt: skip


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
    found = []
    for name in FILES:
        data = read_data_set(name)
        for human, rows in data.columns.items():
            if human != "references" and isinstance(rows[0], list):
                result = load_metric("human_correlation").compute(
                    predictions=range(len(rows)), references=rows, items=data.items,
                    confidence=LEVEL, resamples=RESAMPLES, seed=SEEDS[0],
                )  # fmt: skip
                kept = {key: [result[key], *result[f"{key}_confidence_interval"]] for key in RATER_KEYS}
                found.append(
                    {"data": data.title, "human": human, "rows": len(rows), "raters": result["raters"], **kept}
                )
    return found
