"""The HTML report: scores, and for each score the comparisons with their differences drawn."""

from collections.abc import Sequence

from reporting.pages import page_html

from .cells import HEADINGS
from .cells import legend
from .cells import sections
from .cells import signatures
from .engine import Outcome
from .plots import forest


def report_html(outcome: Outcome, failures: Sequence[str]) -> str:
    """Returns the report, one page that needs nothing else; `failures` are messages of gates."""
    found = sections(outcome)
    return page_html(
        "comparison.html",
        corpus=outcome.corpus,
        settings=outcome.settings,
        columns=outcome.columns,
        results=outcome.results,
        sections=found,
        plots=[forest(section.comparisons, section.title) for section in found],
        headings=HEADINGS,
        legend=legend(outcome),
        signatures=signatures(outcome),
        failures=failures,
    )
