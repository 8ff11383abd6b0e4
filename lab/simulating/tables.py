"""What was measured as Markdown, and as JSON."""

import json
from collections.abc import Callable
from typing import Any

from .coverage import ENOUGH_UNITS, GOAL, LEVEL, N_SCORES, Coverage
from .population import SIZE, SPECS
from .sureness import BETWEEN_LOOKS, PILOT, Alarms, Looks, Needed, Power
from .sureness import LEVEL as TEST_LEVEL

Found = dict[str, list[Any]]


def is_met(results: Found) -> bool:
    """Returns whether all goals are met, up to two standard errors of what is measured."""
    coverages = [row for row in results["coverage"] if row.has_goal]
    low = all(row.least + 2 * _error(row.least, row.runs) >= GOAL for row in coverages)
    return low and all(row.share - 2 * row.error <= TEST_LEVEL for row in results["alarms"])


def json_text(results: Found) -> str:
    """Returns all numbers."""
    settings = {"level": LEVEL, "goal": GOAL, "segments": SIZE, "metrics": [spec.rpartition("/")[2] for spec in SPECS]}
    rows = {}
    for name, of_table in results.items():
        rows[name] = [row._asdict() for row in of_table]
    return json.dumps({"settings": settings, **rows}, ensure_ascii=False, indent=1) + "\n"


def markdown_text(results: Found) -> str:
    """Returns a table for each question."""
    tables = []
    for name, (title, columns, cells) in _TABLES.items():
        tables.append(_table(title, columns, list(map(cells, results[name]))))
    return "\n".join(tables)


def _table(title: str, names: list[str], rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |\n" for cells in (names, ["---"] + ["--:"] * (len(names) - 1), *rows)]
    return f"{title}\n\n{''.join(lines)}"


def _coverage_cells(row: Coverage) -> list[str]:
    shares = (row.score, row.difference, row.plain_score, row.plain_difference)
    return [row.population, f"{row.units:,} {row.kind}", *map(_range, shares), f"{row.runs:,}"]


def _range(shares: list[float]) -> str:
    low, high = (f"{end(shares):.3f}" if shares else "" for end in (min, max))
    return low if low == high else f"{low} to {high}"


def _alarm_cells(row: Alarms) -> list[str]:
    counts = [f"{count:,}" for count in (row.segments, row.systems, row.scores, row.groups)]
    return [row.what, *counts, f"{row.share:.3f} ± {row.error:.3f}", f"{row.each_score:.3f}", f"{row.runs:,}"]


def _looks_cells(row: Looks) -> list[str]:
    return [f"{row.looks}", f"{row.segments:,}", f"{row.share:.3f} ± {row.error:.3f}", f"{row.runs:,}"]


def _needed_cells(row: Needed) -> list[str]:
    numbers = [f"{number:,.0f}" for number in (row.low, row.middle, row.high)]
    return [f"{row.true_number:,.0f}", f"{row.reached:.3f}", *numbers, f"{row.runs:,}"]


def _power_cells(row: Power) -> list[str]:
    return [f"{row.segments}", f"{row.exact:.3f}", f"{row.random:.3f}", f"{row.runs:,}"]


def _error(share: float, runs: int) -> float:
    return (share * (1 - share) / runs) ** 0.5


_TABLES: dict[str, tuple[str, list[str], Callable[[Any], list[str]]]] = {
    "coverage": (
        f"**Coverage of {LEVEL:.0%} intervals** (goal: at least {GOAL} from {ENOUGH_UNITS} units on; the least and the "
        f"most of {N_SCORES} scores)",
        ["population", "units", "score", "difference", "by plain percentiles: score", "difference", "runs"],
        _coverage_cells,
    ),
    "alarms": (
        f"**False alarms at {TEST_LEVEL}** (goal: at most {TEST_LEVEL}, and its error)",
        [
            "equal systems",
            "segments",
            "systems",
            "scores",
            "groups",
            "anything significant",
            "Holm by score alone",
            "runs",
        ],
        _alarm_cells,
    ),
    "looks": (
        f"**Looking again** (equal systems, a test at {TEST_LEVEL} after each {BETWEEN_LOOKS} further segments)",
        ["tests so far", "segments", "one of them significant", "runs"],
        _looks_cells,
    ),
    "power": (
        "**Power** (of a true difference in cer)",
        ["segments", "all ways to swap", "10,000 random ones", "runs"],
        _power_cells,
    ),
    "needed": (
        f"**About N segments** (pilots of {PILOT})",
        ["N from the whole population", "power there", "a tenth say less than", "half", "a tenth more than", "runs"],
        _needed_cells,
    ),
}
