"""Groups of segments: a heat map of systems and groups for each score, and all numbers in tables."""

import math
from typing import Any

from ..comparing.cases import Case, case_of, leader_of, leaders_of
from ..comparing.paper import column_title
from ..comparing.records import Comparison, Group, Outcome
from ..saying.texts import say
from ..saying.values import difference_text, direction_text, interval_text, number_text, p_text
from ..scoring.specs import Scorer, headline
from .standings import ranked

_STRONGEST = 70  # percent of the colour


def group_maps(outcome: Outcome | None) -> list[dict[str, Any]]:
    """Returns for each score the groups, and a row for each system, the best first, with its scores and differences.

    The differences, and so the colours, are those from the system that is best in all segments, or from the baseline.
    """
    if outcome is None or not outcome.groups:
        return []
    return [_group_map(outcome, column) for column in outcome.columns]


def _group_map(outcome: Outcome, column: Scorer) -> dict[str, Any]:
    against = outcome.settings.baseline or leader_of(column, outcome.results)
    systems = [rank.system for rank in ranked(outcome, column)] or list(outcome.results)
    turned = [_cases(outcome, column, group) for group in outcome.groups]
    sizes = [abs(c.comparison.difference) for of in turned for pair, c in of.items() if against in pair]
    largest = max(filter(math.isfinite, sizes), default=0.0) or 1.0
    best = [leaders_of(column, group.results) for group in outcome.groups]
    rows = []
    for system in systems:
        cells = [
            {
                "group": group.title,
                "value": number_text(headline(group.results[system][column.label])),
                "interval": interval_text(group.results[system][column.label]),
                "is_best": system in leaders and len(outcome.results) > 1,
                **_colour(of.get(frozenset((system, against))), system, largest),
            }
            for group, of, leaders in zip(outcome.groups, turned, best, strict=True)
        ]
        rows.append({"system": system, "cells": cells})
    return {
        "label": column_title(column, outcome.results),
        "column": column.label,
        "lower": direction_text(column.metric),
        "against": against if outcome.comparisons else None,
        "groups": [(group.title, group.segments) for group in outcome.groups],
        "rows": rows,
        "pairs": _pairs(outcome, column),
    }


def _cases(outcome: Outcome, column: Scorer, group: Group) -> dict[frozenset[str], Case]:
    cases = (case_of(outcome, comparison) for comparison in group.comparisons if comparison.metric == column.label)
    return {frozenset((case.better, case.worse)): case for case in cases if case}


def _colour(case: Case | None, system: str, largest: float) -> dict[str, Any]:
    """Returns how much better or worse a system is than the one that it is compared with, and whether that is sure."""
    if case is None or case.comparison.is_tie:
        return {"heat": 0, "kind": "", "sign": "", "said": ""}
    kind, difference = "better" if case.better == system else "worse", case.comparison.difference
    rival = case.worse if kind == "better" else case.better
    values = {"other": rival, "difference": difference_text(abs(difference), "")}
    return {
        "heat": round(_STRONGEST * min(abs(difference) / largest, 1)),
        "kind": kind,
        "sign": {"better": "▲", "worse": "▼"}[kind] if case.is_sure else "",
        "said": say(f"group_{kind}_{'sure' if case.is_sure else 'open'}", **values),
    }


def _pairs(outcome: Outcome, column: Scorer) -> list[dict[str, Any]]:
    """Returns for each pair of systems its differences in all groups."""
    of_groups = [[cell for cell in group.comparisons if cell.metric == column.label] for group in outcome.groups]
    return [
        {
            "system": cells[0].system,
            "against": cells[0].against,
            "cells": [_cell(cell, outcome.settings.level) for cell in cells],
        }
        for cells in zip(*of_groups, strict=True)
    ]


def _cell(comparison: Comparison, level: float) -> dict[str, Any]:
    if comparison.is_undefined:
        return {"value": "nan", "is_sure": False, "p": ""}
    return {
        "value": difference_text(comparison.difference),
        "is_sure": comparison.is_sure(level),
        "p": say("p_value", p=p_text(comparison.p_randomization_holm)),
    }
