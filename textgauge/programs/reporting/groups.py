"""Groups of segments: a heat map of systems and groups for each score, and all numbers in tables."""

import math
from collections.abc import Sequence
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
    cases_of_groups = [_cases(outcome, column, group) for group in outcome.groups]
    largest = _largest_difference(cases_of_groups, against)
    leaders_of_groups = [leaders_of(column, group.results) for group in outcome.groups]
    rows = []
    for system in systems:
        cells = []
        for group, cases, leaders in zip(outcome.groups, cases_of_groups, leaders_of_groups, strict=True):
            result = group.results[system][column.label]
            case = cases.get(frozenset((system, against)))
            is_best = len(outcome.results) > 1 and system in leaders
            cell = {
                "group": group.title,
                "value": number_text(headline(result)),
                "interval": interval_text(result),
                "is_best": is_best,
                **_colour(case, system, largest),
            }
            cells.append(cell)
        rows.append({"system": system, "cells": cells})
    groups = [(group.title, group.segments) for group in outcome.groups]
    return {
        "label": column_title(column, outcome.results),
        "column": column.label,
        "lower": direction_text(column.metric),
        "against": against if outcome.comparisons else None,
        "groups": groups,
        "rows": rows,
        "pairs": _pairs(outcome, column),
    }


def _cases(outcome: Outcome, column: Scorer, group: Group) -> dict[frozenset[str], Case]:
    """Returns the comparisons of two systems by a score in a group, by both their names."""
    cases = (case_of(outcome, comparison) for comparison in group.comparisons if comparison.metric == column.label)
    return {frozenset((case.better, case.worse)): case for case in cases if case}


def _largest_difference(cases_of_groups: Sequence[dict[frozenset[str], Case]], against: str | None) -> float:
    """Returns the size that has the strongest colour: the largest from one system in any group, 1 without any."""
    sizes = []
    for cases in cases_of_groups:
        for systems, case in cases.items():
            if against in systems:
                sizes.append(abs(case.comparison.difference))
    return max(filter(math.isfinite, sizes), default=0.0) or 1.0


def _colour(case: Case | None, system: str, largest: float) -> dict[str, Any]:
    """Returns how much better or worse a system is than the one it is compared with, and whether significantly."""
    if case is None or case.comparison.is_tie:
        return {"heat": 0, "kind": "", "sign": "", "said": ""}
    if case.better == system:
        kind, rival, sign = "better", case.worse, "▲"
    else:
        kind, rival, sign = "worse", case.better, "▼"
    size = abs(case.comparison.difference)
    key = f"group_{kind}_sure" if case.is_sure else f"group_{kind}_open"
    return {
        "heat": round(_STRONGEST * min(size / largest, 1)),
        "kind": kind,
        "sign": sign if case.is_sure else "",
        "said": say(key, other=rival, difference=difference_text(size, "")),
    }


def _pairs(outcome: Outcome, column: Scorer) -> list[dict[str, Any]]:
    """Returns for each pair of systems its differences in all groups."""
    by_group = []
    for group in outcome.groups:
        by_group.append([comparison for comparison in group.comparisons if comparison.metric == column.label])
    pairs = []
    for comparisons in zip(*by_group, strict=True):
        first = comparisons[0]
        cells = [_cell(comparison, outcome.settings.level) for comparison in comparisons]
        pairs.append({"system": first.system, "against": first.against, "cells": cells})
    return pairs


def _cell(comparison: Comparison, level: float) -> dict[str, Any]:
    if comparison.is_undefined:
        return {"value": "nan", "is_sure": False, "p": ""}
    return {
        "value": difference_text(comparison.difference),
        "is_sure": comparison.is_sure(level),
        "p": say("p_value", p=p_text(comparison.p_randomization_holm)),
    }
