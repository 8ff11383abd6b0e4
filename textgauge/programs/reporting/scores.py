"""The table of scores as a page shows it, with the differences of two systems below."""

from collections.abc import Sequence
from typing import Any

from ..comparing.cases import leaders_of
from ..comparing.paper import column_title, mark_notes, marks_of
from ..comparing.plots import forest
from ..comparing.records import Comparison, Outcome
from ..drawing.kinds import kinds_html, kinds_of
from ..reading.corpus import HUMAN
from ..saying.texts import say
from ..saying.values import difference_text, direction_text, human_text, interval_text, number_text, p_text
from ..scoring.outputs import Results
from ..scoring.specs import Scorer, headline
from ..scoring.tables import Mark
from .app_links import page_address


def score_table(
    columns: Sequence[Scorer],
    results: Results,
    human: dict[str, float],
    lower: bool,
    app: str | None = None,
    outcome: Outcome | None = None,
) -> dict[str, Any]:
    """Returns headings and rows of the scores, the best of each column and what is significant marked.

    Args:
        columns: one per score.
        results: of each system.
        human: mean score by people of each system that has one.
        lower: whether lower scores by people are better.
        app: the address of published pages, for links to those of the metrics.
        outcome: the comparison; intervals of what has ranks are in the pictures of these.
    """
    heads = [
        {
            "label": column.label,
            "title": column_title(column, results),
            "lower": direction_text(column.metric),
            "page": page_address(app, column.metric),
        }
        for column in columns
    ]
    leaders_by_column = [leaders_of(column, results) if len(results) > 1 else [] for column in columns]
    marks = marks_of(outcome) if outcome else {}
    no_marks = dict.fromkeys(results, Mark(is_best=False))
    has_intervals = not (outcome and outcome.ranks)
    rows = []
    for system, of_system in results.items():
        cells = []
        for column, leaders in zip(columns, leaders_by_column, strict=True):
            result = of_system[column.label]
            value = number_text(headline(result))
            interval = interval_text(result) if has_intervals else ""
            behind = marks.get(column.label, no_marks)[system].behind
            cells.append({"value": value, "behind": behind, "interval": interval, "is_best": system in leaders})
        if human:
            mark = marks.get(HUMAN, no_marks)[system]
            shown = human_text(human[system]) if system in human else ""
            cells.append({"value": shown, "behind": mark.behind, "interval": "", "is_best": mark.is_best})
        rows.append({"system": system, "cells": cells})
    if human:
        heads.append({"label": HUMAN, "title": say("human"), "lower": say("lower") if lower else "", "page": ""})
    return {"heads": heads, "rows": rows, "notes": mark_notes(outcome, marks) if outcome else []}


def difference_row(outcome: Outcome | None, labels: list[str]) -> dict[str, Any] | None:
    """Returns the row of differences of the only two systems, in the order of the columns; None for other numbers."""
    if outcome is None or len(outcome.results) != 2 or not outcome.comparisons:
        return None
    by_metric = {comparison.metric: comparison for comparison in outcome.comparisons}
    first = outcome.comparisons[0]
    cells = [_cell(by_metric.get(label), label, outcome.settings.level) for label in labels]
    return {"system": first.system, "against": first.against, "cells": cells}


def _cell(comparison: Comparison | None, label: str, level: float) -> dict[str, Any]:
    if comparison is None:
        return {"label": label, "value": "", "interval": "", "sure": "", "is_sure": False, "picture": ""}
    interval = interval_text(comparison._asdict())
    pictures, _ = forest([comparison], level) if interval else ([], "")
    is_sure = comparison.is_sure(level)
    p_value = p_text(comparison.p_randomization_holm)
    return {
        "label": label,
        "value": difference_text(comparison.difference),
        "interval": interval,
        "sure": say("sure" if is_sure else "not_sure", p=p_value),
        "is_sure": is_sure,
        "picture": pictures[0] if pictures else "",
    }


def kind_tables(scorers: Sequence[Scorer], results: Results) -> str:
    """Returns the kinds of errors as HTML, a table for each error rate; nothing without any."""
    tables = {}
    for scorer in scorers:
        of_systems = {system: kinds_of(of_system[scorer.label]) for system, of_system in results.items()}
        tables[column_title(scorer, results)] = of_systems
    return kinds_html(tables)
