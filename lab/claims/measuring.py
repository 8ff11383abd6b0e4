"""Claims to findings: scores of segments against people's, with the interval of a paired bootstrap, and a verdict."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from textgauge.programs.scoring.people import against_people, scores_by_label
from textgauge.programs.scoring.specs import load_scorers

from .data_sets import DataSet, read_data_set
from .statements import CLAIMS, Claim, Comparison, Side

RESAMPLES = 10_000
SEED = 12345
NOT_MEASURED = "not measured"
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
    margin: float
    verdict: str


def measured() -> Iterator[Finding]:
    """Yields the findings of all claims, in the order of the documents; the texts are read and scored meanwhile."""
    data = functools.cache(read_data_set)
    for claim in CLAIMS:
        for comparison in claim.comparisons:
            yield _compared(claim, comparison, data)
        if claim.lacking:
            yield Finding(claim.place, claim.says, claim.lacking, "", "", "", 0, [], [], claim.margin, NOT_MEASURED)


def verdict(interval: Sequence[float], margin: float = 0.0) -> str:
    """Says what the interval of a difference, empty for too few rows, shows of a claim that it is above 0.

    The margin says how much less than nothing still is "as well".
    """
    if not interval:
        return "not shown"
    low, high = (end + margin for end in interval)
    if low > _ROUNDING:
        return "supported"
    if high < -_ROUNDING:
        return "contradicted"
    return "not shown"


def _compared(claim: Claim, comparison: Comparison, read: Callable[[str], DataSet]) -> Finding:
    first = comparison.first
    second = comparison.second
    judged = human = comparison.human
    data = read(comparison.data)
    scores = _scores(first, data)
    if comparison.elsewhere:
        name_elsewhere, human_elsewhere = comparison.elsewhere
        data_elsewhere = read(name_elsewhere)
        judged = f"{human}; {data_elsewhere.title}, {human_elsewhere}"
        of_second = _correlated(data_elsewhere, human_elsewhere, _scores(second, data_elsewhere))
        found = apart(_correlated(data, human, scores), of_second)
    else:
        found = _correlated(data, human, scores, _scores(second, data) if second else None)
    second_name = second.name if second else ""
    interval = [] if any(map(math.isnan, found.ends)) else found.ends
    return Finding(
        claim.place, claim.says, data.title, judged, first.name, second_name, found.rows, found.values,
        interval, claim.margin, verdict(interval, claim.margin),
    )  # fmt: skip


class Correlations(NamedTuple):
    """With people's scores."""

    rows: int
    values: list[float]
    ends: list[float]  # of the interval of the difference of two values, or of the only one


def _correlated(data: DataSet, human: str, scores: list[float], baselines: list[float] | None = None) -> Correlations:
    """Returns the correlations of one or two scores of the same outputs with people's; no p-value is read."""
    sides = scores, data.columns[human], baselines
    result = against_people(*sides, items=data.items, resamples=RESAMPLES, seed=SEED, permutations=1)
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
