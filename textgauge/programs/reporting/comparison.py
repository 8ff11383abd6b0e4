"""The HTML report of compare.py: that of score.py without segments, and with all comparisons."""

from collections.abc import Sequence
from typing import Any

from ..comparing.cells import runs_line
from ..comparing.records import Outcome
from ..scoring.outputs import data_lines, signatures
from ..scoring.tables import few_units
from .compared import compared_parts, how_made
from .pages import page_html
from .scores import kind_tables, score_table

# parts of the page that need the scores of segments
_OF_SCORES = (
    "contents", "differences", "human_note", "fails", "two", "confusions", "segments", "legend",
    "distributions", "scatters",
)  # fmt: skip


def report_html(
    outcome: Outcome, failures: Sequence[str], origin: dict[str, Any] | None = None, app: str | None = None
) -> str:
    """Returns the report, one page that needs nothing else.

    Args:
        outcome: the comparison.
        failures: messages of gates.
        origin: command and versions.
        app: address of the published pages of the metrics, for links to them.
    """
    corpus = outcome.corpus
    results = outcome.results
    table = score_table(outcome.columns, results, {}, False, app, outcome)
    kinds = kind_tables(outcome.columns, results)
    notes = few_units(results, corpus.clusters is not None)
    made = how_made(origin, signatures(outcome.results), data_lines(corpus))
    return page_html(
        "report.html",
        corpus=corpus,
        results=results,
        baseline=outcome.settings.baseline,
        runs=runs_line(outcome),
        failures=failures,
        is_open=not outcome.ranks,
        table=table,
        kinds=kinds,
        notes=notes,
        made=made,
        **dict.fromkeys(_OF_SCORES),
        **compared_parts(outcome, app),
    )
