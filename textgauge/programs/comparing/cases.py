"""Comparisons turned so that the better system comes first, and the systems with the best score."""

import math
from typing import NamedTuple

from textgauge.core.rounding import are_equal

from ..reading.corpus import HUMAN
from ..scoring.specs import Scorer, headline
from .records import Comparison, Outcome


class Case(NamedTuple):
    """One comparison, turned so that `better` has the better score."""

    label: str
    better: str
    worse: str
    comparison: Comparison
    is_sure: bool

    @property
    def is_open(self) -> bool:
        """Whether there is a difference that may be chance."""
        return not self.is_sure and not self.comparison.is_tie


def case_of(outcome: Outcome, comparison: Comparison) -> Case | None:
    """Turns a comparison so that its first system is the better one; None where the difference is undefined."""
    if comparison.is_undefined:
        return None
    [column] = [column for column in outcome.columns if column.label == comparison.metric]
    is_better = (comparison.difference < 0) == column.metric.LOWER_IS_BETTER or comparison.is_tie
    names = (comparison.system, comparison.against)
    better, worse = names if is_better else names[::-1]
    return Case(comparison.metric, better, worse, comparison, comparison.is_sure(outcome.settings.level))


def cases_by(outcome: Outcome, column: Scorer) -> list[Case]:
    """Returns the comparisons by one score, turned, without those whose difference is undefined."""
    turned = (case_of(outcome, comparison) for comparison in outcome.comparisons if comparison.metric == column.label)
    return [case for case in turned if case]


def metric_columns(outcome: Outcome) -> list[Scorer]:
    """Returns the scores by metrics, without that by people."""
    return [column for column in outcome.columns if column.label != HUMAN]


def metric_labels(outcome: Outcome) -> list[str]:
    """Returns the names of the scores by metrics."""
    return [column.label for column in metric_columns(outcome)]


def leaders_of(column: Scorer, results: dict) -> list[str]:
    """Returns the systems with the best score, several where it is a tie; none where no score is defined."""
    sign = -1 if column.metric.LOWER_IS_BETTER else 1
    scores = {system: sign * headline(of_system[column.label]) for system, of_system in results.items()}
    scores = {system: score for system, score in scores.items() if not math.isnan(score)}
    best = max(scores.values(), default=0.0)
    return [system for system, score in scores.items() if are_equal(score, best)]


def leader_of(column: Scorer, results: dict) -> str | None:
    """Returns a system with the best score; None where no score is defined."""
    return next(iter(leaders_of(column, results)), None)
