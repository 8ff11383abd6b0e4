"""Several systems by one score: their places, the score with its interval, and who is significantly better."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..comparing.cases import Case, cases_by
from ..comparing.paper import column_title
from ..comparing.plots import intervals
from ..comparing.records import Outcome, Rank
from ..reading.corpus import HUMAN
from ..saying.texts import say
from ..saying.values import direction_text, interval_text, number_text, p_text
from ..scoring.specs import Scorer, headline
from .app_links import page_address
from .names import short_names


def standings(outcome: Outcome | None, app: str | None = None) -> list[dict[str, Any]]:
    """Returns for each score the systems in the order of their ranks; nothing where there are no ranks."""
    if outcome is None or not outcome.ranks:
        return []
    return [_standing(outcome, column, app) for column in outcome.columns]


def ranked(outcome: Outcome, column: Scorer) -> list[Rank]:
    """Returns the ranks by one score, the best first."""
    return [rank for rank in outcome.ranks if rank.metric == column.label]


def standing_legend(shown: Sequence[Mapping[str, Any]]) -> str:
    """Explains the signs of these tables, and brackets and thick lines where there are any."""
    rows = [row for standing in shown for row in standing["rows"]]
    has_intervals = any("(" in row["rank"] for row in rows)
    has_tiers = any(row["starts_tier"] for row in rows)
    keys = ["standing_note"]
    if has_intervals:
        keys.append("standing_ranks")
    if has_tiers:
        keys.append("standing_tiers")
    return " ".join(map(say, keys))


def _standing(outcome: Outcome, column: Scorer, app: str | None) -> dict[str, Any]:
    ranks = ranked(outcome, column)
    results = [outcome.results[rank.system][column.label] for rank in ranks]
    baseline = outcome.settings.baseline
    rivals = [rank.system for rank in ranks] if baseline is None else [baseline]
    cases = {frozenset((case.better, case.worse)): case for case in cases_by(outcome, column)}
    bars = intervals([(headline(result), *result["confidence_interval"]) for result in results])
    rows: list[dict[str, Any]] = []
    tier_above = None
    for rank, result, bar in zip(ranks, results, bars, strict=True):
        cells = []
        for rival in rivals:
            case = cases.get(frozenset((rank.system, rival)))
            cells.append(_cell(case, rank.system, rival))
        row = {
            "system": rank.system,
            "rank": _rank_text(rank),
            "value": number_text(headline(result)),
            "interval": interval_text(result),
            "bar": bar,
            "starts_tier": bool(rows) and rank.tier != tier_above,
            "cells": cells,
        }
        rows.append(row)
        tier_above = rank.tier
    return {
        "label": column_title(column, outcome.results),
        "lower": direction_text(column.metric),
        "page": page_address(app, column.metric) if column.label != HUMAN else "",
        "rivals": rivals,
        "short": short_names(rivals),
        "rows": rows,
    }


def _rank_text(rank: Rank) -> str:
    """Writes the rank with the interval that it may be in: "2 (1–3)"."""
    low, high = rank.confidence_interval
    return f"{rank.rank} ({low}–{high})" if low < high else f"{rank.rank}"


def _cell(case: Case | None, system: str, rival: str) -> dict[str, str]:
    """Returns whether a system beats a rival, as a sign and in words; nothing for itself or an undefined score."""
    if case is None:
        return {"kind": "", "sign": "", "said": ""}
    if case.comparison.is_tie:
        return {"kind": "equal", "sign": "=", "said": say("beats_equal", system=system, rival=rival)}
    p_value = p_text(case.comparison.p_randomization_holm)
    kinds = ("sure", "perhaps") if case.better == system else ("worse", "not")
    kind = kinds[not case.is_sure]
    sign = {"sure": "●", "perhaps": "○", "not": "·", "worse": "▼"}[kind]
    return {"kind": kind, "sign": sign, "said": say(f"beats_{kind}", system=system, rival=rival, p=p_value)}
