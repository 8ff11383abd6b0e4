"""The scores of groups of segments, and a heat map of the differences between systems in each of them."""

import math
from typing import Any

from ..comparing.people import label_text
from ..comparing.records import Comparison, Outcome
from ..drawing.texts import say
from ..drawing.values import direction_text, interval_text, number_text, p_text
from ..scoring.specs import Scorer, headline

_STRONGEST = 80  # percent of the colour


def group_tables(outcome: Outcome | None) -> list[dict[str, Any]]:
    """Returns for each score the scores of all systems and groups, and the differences of all pairs with colours."""
    if outcome is None or not outcome.groups:
        return []
    return [
        {
            "label": label_text(column.label),
            "lower": direction_text(column.metric),
            "groups": [(group.title, group.segments) for group in outcome.groups],
            "rows": [(system, _scores(outcome, column, system)) for system in outcome.results],
            "pairs": _heat_map(outcome, column),
        }
        for column in outcome.columns
    ]


def _scores(outcome: Outcome, column: Scorer, system: str) -> list[tuple[str, str]]:
    found = [group.results[system][column.label] for group in outcome.groups]
    return [(number_text(headline(result)), interval_text(result)) for result in found]


def _heat_map(outcome: Outcome, column: Scorer) -> list[dict[str, Any]]:
    """Returns a row for each pair, with a cell for each group."""
    of_groups = [[cell for cell in group.comparisons if cell.metric == column.label] for group in outcome.groups]
    sizes = [abs(cell.difference) for cells in of_groups for cell in cells if math.isfinite(cell.difference)]
    largest = max(sizes, default=0) or 1.0
    return [
        {
            "system": cells[0].system,
            "against": cells[0].against,
            "cells": [_cell(cell, column, largest, outcome.settings.level) for cell in cells],
        }
        for cells in zip(*of_groups, strict=True)
    ]


def _cell(comparison: Comparison, column: Scorer, largest: float, level: float) -> dict[str, Any]:
    difference = comparison.difference
    if math.isnan(difference):
        return {"value": "nan", "heat": 0, "kind": "", "is_sure": False, "p": ""}
    is_better = (difference < 0) == column.metric.LOWER_IS_BETTER
    return {
        "value": f"{difference:+.4f}",
        "heat": round(_STRONGEST * min(abs(difference) / largest, 1)),
        "kind": "" if not difference else "better" if is_better else "worse",
        "is_sure": comparison.is_sure(level),
        "p": say("p_value", p=p_text(comparison.p_randomization_holm)),
    }
