"""Comparisons as Markdown, LaTeX and JSON."""

from collections.abc import Sequence
from typing import Any

from ..saying.texts import say
from ..saying.values import dump_json, with_arrow
from ..scoring.outputs import data_lines, data_of_json, program, with_program
from ..scoring.tables import few_units
from .cells import (
    further_tables,
    group_headings,
    group_score_rows,
    headings,
    legend,
    runs_line,
    score_rows,
    sections,
    signatures,
)
from .draws import is_exact
from .markup import latex_table, markdown, markdown_table
from .paper import paper_latex, paper_markdown
from .people import label_text
from .records import Group, Outcome
from .runs import interval_of_runs
from .significance import POWER
from .verdict import verdict


def json_text(outcome: Outcome, failures: Sequence[str]) -> str:
    """Writes all numbers as JSON; nan is null, and an infinite number is "inf" or "-inf"."""
    settings, segments = outcome.settings, outcome.corpus.size
    tests = {"level": settings.level, "power": POWER, "segments": segments}
    tests.update(trials=outcome.trials, units=outcome.corpus.units, is_exact=is_exact(outcome.corpus.units))
    content: dict[str, Any] = {
        "program": program(),
        **data_of_json(outcome.corpus),
        "settings": {**settings._asdict(), **tests},
        "systems": outcome.results,
        "comparisons": [comparison._asdict() for comparison in outcome.comparisons],
        **({"ranks": [rank._asdict() for rank in outcome.ranks]} if outcome.ranks else {}),
        **({"runs": _runs(outcome)} if outcome.runs else {}),
        "verdict": verdict(outcome).lines,
        **({"groups": [_group(group) for group in outcome.groups]} if outcome.groups else {}),
        "failures": list(failures),
    }
    return dump_json(content)


def _runs(outcome: Outcome) -> dict[str, Any]:
    """Returns for each system and score the scores of its runs, and the interval over them."""
    return {
        system: {
            label: {"scores": scores, "confidence_interval": interval_of_runs(scores, outcome.settings.confidence)}
            for label, scores in of_system.items()
        }
        for system, of_system in outcome.runs.items()
    }


def _group(group: Group) -> dict[str, Any]:
    """Returns a group as score_spark.py writes one, for several systems."""
    comparisons = [comparison._asdict() for comparison in group.comparisons]
    return {"group": group.values, "segments": group.segments, "systems": group.results, "comparisons": comparisons}


def markdown_text(outcome: Outcome) -> str:
    """Writes the verdict, the scores, a table for each score, and what the columns mean, as Markdown."""
    first, *others = map(markdown, verdict(outcome).lines)
    said = "".join([f"**{first}**\n", *(f"\n{line}\n" for line in others)])
    runs = runs_line(outcome)
    tables = [
        *([f"{markdown(runs)}\n"] if runs else []),
        said,
        paper_markdown(outcome),
        markdown_table(_score_headings(outcome), score_rows(outcome), 1),
    ]
    tables += [
        f"**{markdown(table.title)}**\n\n{markdown_table(table.headings, table.rows, 2)}"
        for table in further_tables(outcome)
    ]
    by_score = sections(outcome)
    tables += [f"**{markdown(s.title)}**\n\n{markdown_table(headings(), s.rows, 2)}" for s in by_score]
    if outcome.groups:
        tables.append(markdown_table(_group_score_headings(outcome), group_score_rows(outcome), 1))
        titled = [(say("of_groups", title=section.title), section.group_rows) for section in by_score]
        tables += [f"**{markdown(title)}**\n\n{markdown_table(group_headings(), rows, 3)}" for title, rows in titled]
    below = [*_explained(outcome), *_signed(outcome), *data_lines(outcome.corpus)]
    lines = "\n".join(f"- {markdown(line)}" for line in below)
    return "\n".join([*tables, lines]) + "\n"


def latex_text(outcome: Outcome) -> str:
    r"""Writes the same as LaTeX tables, which need \usepackage{booktabs}, and for Korean kotex or a font with it."""
    tables = [latex_table(_score_headings(outcome), score_rows(outcome), say("scores"), 1)]
    tables += [latex_table(table.headings, table.rows, table.title, 2) for table in further_tables(outcome)]
    by_score = sections(outcome)
    tables += [latex_table(headings(), section.rows, section.title, 2) for section in by_score]
    if outcome.groups:
        tables.append(latex_table(_group_score_headings(outcome), group_score_rows(outcome), say("group"), 1))
        tables += [latex_table(group_headings(), s.group_rows, say("of_groups", title=s.title), 3) for s in by_score]
    lines = [*filter(None, [runs_line(outcome)]), *verdict(outcome).lines, *_explained(outcome), *_signed(outcome)]
    lines += data_lines(outcome.corpus)
    notes = "".join(f"% {' '.join(line.split())}\n" for line in lines)
    return "\n".join([notes, paper_latex(outcome), *tables])


def _explained(outcome: Outcome) -> list[str]:
    """Returns the reason for missing intervals, if they are missing, and what the columns mean."""
    return [*few_units(outcome.results, outcome.corpus.clusters is not None), *legend(outcome)]


def _signed(outcome: Outcome) -> list[str]:
    """Returns each signature once, with what computed the scores."""
    return [with_program(signature, program()) for signature in signatures(outcome)]


def _score_headings(outcome: Outcome) -> list[str]:
    return [say("system"), *(with_arrow(label_text(scorer.label), scorer.metric) for scorer in outcome.columns)]


def _group_score_headings(outcome: Outcome) -> list[str]:
    return [say("group"), say("column_segments"), *_score_headings(outcome)]
