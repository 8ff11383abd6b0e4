"""Scores of segments against those of people."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError
from ..saying.option_values import per_segment
from .segment_scores import column_labels
from .specs import Scorer, load_metric

LEVEL = 0.95


def scores_by_label(scorer: Scorer, columns: Mapping[str, Any]) -> dict[str, list[float]]:
    """Returns the scores of all segments by the label of their column, one for each headline of the metric."""
    if not per_segment(scorer.metric):
        raise InputError(f"{scorer.label} has no segment scores")
    result = scorer.metric.compute(**columns, **{**scorer.options, "per_segment": True})
    headlines = scorer.metric.headlines(result)
    labels = column_labels(scorer.label, scorer.metric.name, headlines)
    return {label: result[f"{prefix}segments"] for label, prefix in zip(labels, headlines.values(), strict=True)}


def against_people(
    scores: Sequence[float],
    human: Sequence[Any],
    baselines: Sequence[float] | None = None,
    items: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Returns the result of `human_correlation`, with intervals of level 0.95, if all scores are defined.

    Args:
        scores: of the segments, by a metric.
        human: of the segments, by people.
        baselines: of the segments, by another metric.
        items: what each segment is an output of; resamples draw items.
        **options: of `human_correlation`.
    """
    columns: dict[str, Sequence[Any]] = {"predictions": scores}
    if baselines is not None:
        columns["baselines"] = baselines
    rows_of_scores = zip(*columns.values(), strict=True)
    defined = [row for row, values in enumerate(rows_of_scores) if all(map(math.isfinite, values))]
    if not defined:
        raise InputError("the score of every segment is undefined")
    columns["references"] = human
    if items is not None:
        columns["items"] = items
    for name, column in columns.items():
        columns[name] = [column[row] for row in defined]
    return load_metric("human_correlation").compute(**columns, confidence=LEVEL, **options)
