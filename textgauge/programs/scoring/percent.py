"""Scores in percent, as papers print them: those of metrics that are fractions; files of data keep fractions."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from textgauge.core.number_columns import RATINGS

from ..drawing.kinds import ERRORS
from ..saying.texts import say
from ..saying.values import Percent, are_in_percent
from .outputs import Results
from .specs import Scorer, headline

_LOWEST, _HIGHEST = -1, 2  # of what a fraction usually is: a rate may be above 1, and iBLEU below 0
_OF_SCORE = ("confidence_interval", "standard_error", "segments")


def takes_ratings(metric: Any) -> bool:
    """Returns whether a metric takes people's scores for references; a script by path has its own copy of the kinds."""
    kind = metric.COLUMNS.get("references") if hasattr(metric, "COLUMNS") else None
    return kind is not None and kind.check.__name__ == RATINGS.check.__name__


def is_fraction(metric: Any) -> bool:
    """Returns whether the scores of a metric are fractions, by their usual range; a correlation is not one."""
    low, high = metric.USUAL_RANGE
    return low >= _LOWEST and high <= _HIGHEST and not takes_ratings(metric)


def percent_lines(columns: Sequence[Scorer]) -> list[str]:
    """Says which scores are in percent, where some are."""
    labels = [column.label for column in columns if is_fraction(column.metric)] if are_in_percent() else []
    return [say("in_percent", labels=say("comma").join(labels))] if labels else []


def results_in_percent(columns: Sequence[Scorer], results: Results) -> Results:
    """Returns results, one for each column, with the scores of fractions times 100."""
    fractions = {column.label for column in columns if is_fraction(column.metric)}
    shown: Results = {}
    for system, of_system in results.items():
        shown[system] = {
            label: _in_percent(result) if label in fractions else result for label, result in of_system.items()
        }
    return shown


def _in_percent(result: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a result with its score, the interval, the segments, and the rates without kinds of errors times 100."""
    shown = {**result, next(iter(result)): times_100(headline(result))}
    shown.update({key: times_100(result[key]) for key in _OF_SCORE if key in result})
    if "conventions" in result:
        shown["conventions"] = [[name, times_100(rate), signature] for name, rate, signature in result["conventions"]]
    if ERRORS in result:
        kinds = [[*row[:-1], times_100(row[-1])] for row in result[ERRORS]["kinds"]]
        shown[ERRORS] = {**result[ERRORS], "kinds": kinds}
    return shown


def times_100(value: Any) -> Any:
    """Returns a number, or the numbers of a list, times 100; other values stay.

    >>> times_100([0.25, None])
    [25.0, None]
    """
    if isinstance(value, (list, tuple)):
        return [times_100(entry) for entry in value]
    is_scaled = isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isnan(value)
    return Percent(100 * value) if is_scaled else value
