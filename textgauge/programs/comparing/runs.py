"""Several runs of one system, such as trainings with other seeds: the scores of each, and how far they spread."""

import math
from collections.abc import Sequence

import numpy as np

from textgauge.core.student import t_quantile

from ..scoring.specs import Scorer
from .rows import Rows

LEAST_RUNS = 5  # for an interval; the standard deviation of fewer says too little


def run_scores(rows: Rows, columns: Sequence[Scorer]) -> dict[str, dict[str, list[float]]]:
    """Returns the scores of the runs of each system, by score; nothing where each has one run."""
    if rows.runs is None or len(rows.runs) < 2:
        return {}
    scores = rows.scores(rows.runs)  # (runs, systems, scores)
    by_system = {}
    for number, system in enumerate(rows.systems):
        by_system[system] = {column.label: scores[:, number, index].tolist() for index, column in enumerate(columns)}
    return by_system


def interval_of_runs(scores: Sequence[float], confidence: float) -> list[float]:
    """Returns the interval of the mean score of a system's runs, [low, high], by Student's t.

    It is an interval over runs on the same segments: it says nothing of other segments.

    >>> [round(end, 3) for end in interval_of_runs([0.30, 0.31, 0.29, 0.32, 0.28], 0.95)]
    [0.28, 0.32]

    Args:
        scores: of the runs.
        confidence: the level.

    Returns:
        nan twice below LEAST_RUNS, or where a score is undefined or infinite.
    """
    if len(scores) < LEAST_RUNS or not np.isfinite(scores).all():
        return [math.nan, math.nan]
    mean = float(np.mean(scores))
    standard_error = float(np.std(scores, ddof=1)) / math.sqrt(len(scores))
    half_width = t_quantile((1 - confidence) / 2, len(scores) - 1) * standard_error
    return [mean - half_width, mean + half_width]
