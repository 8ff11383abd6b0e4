"""Rows to scores of segments, by the labels of their columns."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def segment_scores(metric: Any, label: str, rows: np.ndarray, options: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Returns the scores of segments, (n_segments,), by the label of their column, for each headline of the metric."""
    with np.errstate(divide="ignore", invalid="ignore"):  # the scores of a row of zeros, as of a bad row, may be nan
        values = metric.score(rows, **options)
    headlines = metric.headlines(values)
    labels = column_labels(label, metric.name, headlines)
    return {shown: values[key] for shown, key in zip(labels, headlines, strict=True)}


def column_labels(label: str, name: str, headlines: Iterable[str]) -> list[str]:
    """Returns the label of each headline score of a metric: where there are several "rouge1 char", or "mine rouge1"."""
    headlines = list(headlines)
    if len(headlines) == 1:
        return [label]
    return [label.replace(name, key, 1) if label.startswith(name) else f"{label} {key}" for key in headlines]
