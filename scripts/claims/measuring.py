"""Claims to findings: scores of segments against people's, with the interval of a paired bootstrap, and a verdict."""

import functools
import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.bootstrap import percentile_interval, resample
from textgauge.programs.scoring.people import LEVEL, against_people, scores_by_label
from textgauge.programs.scoring.specs import load_metric, load_scorers

from .data_sets import FILES, DataSet, read_data_set
from .statements import CLAIMS, TOKENS, Claim, Comparison, FallOfPeople, Side

RESAMPLES, SEED = 1000, 12345
NO_DATA = "no data that may be shared"
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
    interval: list[float]  # of the difference, or of the only r
    verdict: str


def measured() -> Iterator[Finding]:
    """Yields the findings of all claims, in the order of the documents; the texts are read and scored meanwhile."""
    data = functools.cache(read_data_set)
    for claim in CLAIMS:
        for comparison in claim.comparisons:
            compare = _falls_compared if isinstance(comparison, FallOfPeople) else _compared
            yield compare(claim, comparison, data(comparison.data))
        if claim.lacking:
            yield Finding(claim.place, claim.says, claim.lacking, "", "", "", 0, [], [], NO_DATA)


def verdict(interval: Sequence[float]) -> str:
    """Says what the interval of a difference shows, which a claim says to be positive."""
    low, high = interval
    return "supported" if low > _ROUNDING else "contradicted" if high < -_ROUNDING else "not shown"


def _compared(claim: Claim, comparison: Comparison, data: DataSet) -> Finding:
    first, second = comparison.first, comparison.second
    baselines = _scores(second, data) if second else None
    options = {"resamples": RESAMPLES, "seed": SEED, "permutations": 1}  # no p-value is read
    found = against_people(_scores(first, data), data.columns[comparison.human], baselines, items=data.items, **options)
    interval = found["difference_confidence_interval" if second else "confidence_interval"]
    values = [found["pearson"], found["baseline_correlation"]] if second else [found["pearson"]]
    names = first.name, second.name if second else ""
    return Finding(
        claim.place, claim.says, data.title, comparison.human, *names, found["rows"], values, interval,
        verdict(interval),
    )  # fmt: skip


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


def _falls_compared(claim: Claim, comparison: FallOfPeople, data: DataSet) -> Finding:
    """Compares how far B@n of all texts falls from 1 to 4, of machines and of people; resamples draw items."""
    tokenizer = comparison.tokenizer
    once, drawn = zip(*(_falls(data.of_systems(who), tokenizer) for who in ("machines", "people")), strict=True)
    interval = percentile_interval(drawn[0] - drawn[1], LEVEL)
    names = f"1 - B@4 / B@1 of machines, {TOKENS[tokenizer]}", "of people"
    return Finding(
        claim.place, claim.says, data.title, "", *names, len(data.items), list(map(float, once)), interval,
        verdict(interval),
    )  # fmt: skip


def _falls(data: DataSet, tokenizer: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns 1 - B@4 / B@1 of all texts, and of each resample of the items."""
    bleu = load_metric("bleu")
    columns = {"predictions": data.columns["prediction"], "references": data.columns["references"]}
    rows = bleu.statistics(**columns, tokenizer=tokenizer)
    codes = np.unique(data.items, return_inverse=True)[1]
    by_item = np.zeros((codes.max() + 1, rows.shape[1]))
    np.add.at(by_item, codes, rows)
    sums = by_item.sum(axis=0), resample(by_item, RESAMPLES, SEED)
    return tuple(1 - bleu.score(of)["bleu"] / bleu.score(of, order_weights=[1.0, 0, 0, 0])["bleu"] for of in sums)


def rater_agreement() -> list[dict[str, Any]]:
    """Returns for each column of raters how well they agree: values, each with the ends of its interval."""
    found = []
    for name in FILES:
        data = read_data_set(name)
        for human, rows in data.columns.items():
            if human != "references" and isinstance(rows[0], list):
                result = load_metric("human_correlation").compute(
                    predictions=range(len(rows)), references=rows, items=data.items,
                    confidence=LEVEL, resamples=RESAMPLES, seed=SEED,
                )  # fmt: skip
                kept = {key: [result[key], *result[f"{key}_confidence_interval"]] for key in RATER_KEYS}
                found.append(
                    {"data": data.title, "human": human, "rows": len(rows), "raters": result["raters"], **kept}
                )
    return found
