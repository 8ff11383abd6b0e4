"""Skeleton metric: TODO which definition this is, from which paper and section, and who else computes it."""

from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .


def statistics(predictions: list[str], references: list[list[str]], *, unit: str) -> np.ndarray:
    """Returns rows [units of the prediction, mean units of its references], (n_segments, 2).

    >>> statistics(["잔다"], [["자고 있다", "잔다"]], unit="word").tolist()
    [[1.0, 1.5]]
    """
    lengths = [_length(text, unit) for text in predictions]
    mean_lengths = []
    for row in references:
        mean_lengths.append(sum(_length(text, unit) for text in row) / len(row))
    return np.column_stack([lengths, mean_lengths]).astype(np.float64).reshape(-1, 2)


def _length(text: str, unit: str) -> int:
    """Returns how many units a text has."""
    return len(text.split() if unit == "word" else text)


def score(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the ratio, nan without any unit of a reference; rows have the shape (..., 2).

    >>> score(np.array([[1.0, 2.0], [3.0, 2.0]]))["skeleton_metric"].tolist()
    [0.5, 1.5]
    """
    check_width(rows, 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"skeleton_metric": np.where(rows[..., 1] > 0, rows[..., 0] / rows[..., 1], np.nan)}


def explain(predictions: list[str], references: list[list[str]], *, unit: str) -> dict[str, Any]:
    """Returns what the score of one segment was made from: the lengths of its texts, in units.

    >>> explain(["잔다"], [["자고 있다", "잔다"]], unit="word")
    {'length': 1, 'reference_lengths': [2, 1]}
    """
    [prediction] = predictions
    [row] = references
    return {"length": _length(prediction, unit), "reference_lengths": [_length(text, unit) for text in row]}


class SkeletonMetric(TextMetric):
    """Skeleton metric tells TODO.

    Returns:
        skeleton_metric, a ratio of 0 or more; nan if it is undefined.

    Examples:
        >>> skeleton_metric = SkeletonMetric()  # or evaluate.load("./metrics/skeleton_metric.py")
        >>> skeleton_metric.compute(predictions=["고양이가 잔다"], references=["고양이가 잔다"])
        {'skeleton_metric': 1.0}
    """

    CITATION = """\
@article{todo,
    title = "TODO",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, np.inf)
    OPTIONS = {
        "unit": choice("character", "unit", "`character` or `word`.", ("character", "word")),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
    }
