"""What the reports of score.py and compare.py say alike: the verdict, places, groups, and every comparison."""

from typing import Any

from ..comparing.cells import Section, further_tables, headings, legend, sections
from ..comparing.plots import forest
from ..comparing.records import Outcome
from ..comparing.verdict import verdict
from ..saying.values import interval_text
from .groups import group_maps
from .standings import standing_legend, standings

_OPEN = 2  # cases that are open and said one below the other; more are behind a fold


def compared_parts(outcome: Outcome | None, app: str | None = None, with_pairs: bool = True) -> dict[str, Any]:
    """Returns the parts of a page that a comparison fills, empty ones where there is nothing to compare.

    Args:
        outcome: the comparison.
        app: address of the published pages of the metrics.
        with_pairs: all comparisons in numbers; a row of differences says as much of two systems.
    """
    found = None
    lines, open_cases = [], []
    if outcome and (outcome.comparisons or len(outcome.results) == 1):
        found = verdict(outcome)
        lines = found.lines[1:]
        if len(found.open_cases) > _OPEN:
            lines = [*found.qualified, *found.details]
            open_cases = found.open_cases
    compared = sections(outcome) if outcome and outcome.comparisons and with_pairs else []
    plots = [_plot(section, outcome.settings.level) for section in compared]
    ranked = standings(outcome, app)
    return {
        "verdict": found,
        "said": lines,
        "open_cases": open_cases,
        "standings": ranked,
        "standing_note": standing_legend(ranked),
        "groups": group_maps(outcome),
        "tables": further_tables(outcome) if compared else [],
        "sections": compared,
        "plots": plots,
        "has_plots": any(pictures for pictures, _ in plots),
        "headings": headings(),
        "meaning": legend(outcome) if compared else [],
    }


def how_made(origin: dict[str, Any] | None, signatures: list[str], data: list[str]) -> dict[str, Any]:
    """Returns the origin of a page: command and versions if they are known, and the scored data."""
    return {"command": "", "versions": "", **(origin or {}), "signatures": signatures, "data": data}


def _plot(section: Section, level: float) -> tuple[list[str], str]:
    """Draws the differences by a score as `forest` does; nothing without intervals, which few segments have not."""
    has_intervals = any(interval_text(comparison._asdict()) for comparison in section.comparisons)
    return forest(section.comparisons, level) if has_intervals else ([], "")
