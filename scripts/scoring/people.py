"""Scores of segments against those of people: what `measure_settings.py` and `measure_claims.py` have in common."""

import math
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from reading.option_values import per_segment

from .segment_scores import column_labels
from .specs import Scorer
from .specs import load_metric

LEVEL = 0.95


def scores_by_label(scorer: Scorer, columns: Mapping[str, Any]) -> dict[str, list[float]]:
    """Returns the scores of all segments by the label of their column, one for each headline of the metric."""
    if not per_segment(scorer.metric):
        raise ValueError(f"{scorer.label} has no scores of segments")
    result = scorer.metric.compute(**columns, **{**scorer.options, "per_segment": True})
    headlines = scorer.metric.headlines(result)
    labels = column_labels(scorer.label, scorer.metric.name, headlines)
    return {label: result[f"{prefix}segments"] for label, prefix in zip(labels, headlines.values(), strict=True)}


def against_people(
    scores: Sequence[float], human: Sequence[Any], baselines: Sequence[float] | None = None, **more: Any
) -> dict[str, Any]:
    """Returns what `human_correlation` finds, with intervals of level 0.95, where all scores are defined.

    Args:
        scores: of the segments, by a metric.
        human: of the segments, by people.
        baselines: of the segments, by another metric.
        **more: options of `human_correlation`, and its column `items`.
    """
    columns = {"predictions": scores, "references": human, "baselines": baselines, "items": more.pop("items", None)}
    given = {name: column for name, column in columns.items() if column is not None}
    defined = [row for row in range(len(scores)) if all(math.isfinite(given[name][row]) for name in _SCORES & {*given})]
    if not defined:
        raise ValueError("the score of every segment is undefined")
    columns = {name: [column[row] for row in defined] for name, column in given.items()}
    return load_metric("human_correlation").compute(**columns, confidence=LEVEL, **more)


_SCORES = {"predictions", "baselines"}
