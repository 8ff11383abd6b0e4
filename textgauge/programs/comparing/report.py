"""The HTML report: the verdict, scores, for each score the comparisons with their differences drawn, and groups."""

from collections.abc import Sequence
from typing import Any

from ..drawing.kinds import choices_html
from ..reporting.groups import group_tables
from ..reporting.pages import page_html
from ..reporting.scores import kind_sections, score_table
from .cells import further_tables, headings, legend, runs_line, sections, signatures
from .plots import forest
from .records import Outcome
from .verdict import verdict


def report_html(
    outcome: Outcome, failures: Sequence[str], made: dict[str, Any] | None = None, app: str | None = None
) -> str:
    """Returns the report, one page that needs nothing else.

    Args:
        outcome: the comparison.
        failures: messages of gates.
        made: command and versions.
        app: address of the published pages of the metrics, for links to them.
    """
    found = sections(outcome)
    return page_html(
        "comparison.html",
        corpus=outcome.corpus,
        settings=outcome.settings,
        results=outcome.results,
        verdict=verdict(outcome),
        table=score_table(outcome.columns, outcome.results, {}, False, app),
        differences=None,
        runs=runs_line(outcome),
        tables=further_tables(outcome),
        sections=found,
        plots=[forest(section.comparisons, outcome.settings.level) for section in found],
        kinds=kind_sections(outcome.columns, outcome.results),
        choices=choices_html(outcome.results),
        groups=group_tables(outcome),
        headings=headings(),
        legend=legend(outcome),
        made={"command": "", "versions": "", **(made or {}), "signatures": signatures(outcome)},
        failures=failures,
    )
