"""Comparisons as Markdown, LaTeX and JSON."""

from collections.abc import Sequence
from typing import Any

from ..saying.texts import say
from ..saying.values import dump_json, with_arrow
from ..scoring.outputs import data_lines, data_of_json, program, signatures, with_program
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
)
from .claims import as_json
from .draws import is_exact
from .markup import latex_table, markdown, markdown_table
from .paper import paper_latex, paper_markdown
from .people import label_text
from .records import Group, Outcome
from .runs import interval_of_runs
from .significance import POWER
from .verdict import claims_of, verdict


def json_text(outcome: Outcome, failures: Sequence[str]) -> str:
    """Writes all numbers as JSON; nan is null, and an infinite number is "inf" or "-inf"."""
    units = outcome.corpus.units
    settings = outcome.settings._asdict()
    settings.update(level=outcome.settings.level, power=POWER, segments=outcome.corpus.size)
    settings.update(trials=outcome.trials, units=units, is_exact=is_exact(units))

    content: dict[str, Any] = {"program": program(), **data_of_json(outcome.corpus)}
    content["settings"] = settings
    content["systems"] = outcome.results
    content["comparisons"] = [comparison._asdict() for comparison in outcome.comparisons]
    if outcome.ranks:
        content["ranks"] = [rank._asdict() for rank in outcome.ranks]
    if outcome.runs:
        content["runs"] = _runs(outcome)
    content["verdict"] = verdict(outcome).lines
    content["claims"] = [as_json(claim) for claim in claims_of(outcome).lines]
    if outcome.groups:
        content["groups"] = [_group(group) for group in outcome.groups]
    content["failures"] = list(failures)
    return dump_json(content)


def _runs(outcome: Outcome) -> dict[str, Any]:
    """Returns for each system and score the scores of its runs, and the interval over them."""
    content: dict[str, Any] = {}
    for system, of_system in outcome.runs.items():
        content[system] = {}
        for label, scores in of_system.items():
            interval = interval_of_runs(scores, outcome.settings.confidence)
            content[system][label] = {"scores": scores, "confidence_interval": interval}
    return content


def _group(group: Group) -> dict[str, Any]:
    """Returns the results and comparisons of a group in plain data."""
    comparisons = [comparison._asdict() for comparison in group.comparisons]
    return {"group": group.values, "segments": group.segments, "systems": group.results, "comparisons": comparisons}


def markdown_text(outcome: Outcome) -> str:
    """Writes the scores, the verdict, and folded a table for each score and what the columns mean, as Markdown."""
    blocks = []
    runs = runs_line(outcome)
    if runs:
        blocks.append(f"{markdown(runs)}\n")
    blocks.append(paper_markdown(outcome, with_signatures=False))
    first, *others = map(markdown, verdict(outcome).lines)
    blocks.append("\n".join([f"**{first}**\n", *(f"{line}\n" for line in others)]))
    blocks.append(f"<details><summary>{say('all_comparisons')}</summary>\n")
    blocks.append(markdown_table(_score_headings(outcome), score_rows(outcome), 1))
    for table in further_tables(outcome):
        blocks.append(_titled_table(table.title, table.headings, table.rows, 2))
    by_score = sections(outcome)
    for section in by_score:
        blocks.append(_titled_table(section.title, headings(), section.rows, 2))
    if outcome.groups:
        blocks.append(markdown_table(_group_score_headings(outcome), group_score_rows(outcome), 1))
        for section in by_score:
            title = say("of_groups", title=section.title)
            blocks.append(_titled_table(title, group_headings(), section.group_rows, 3))
    below = [*_explained(outcome), *_signed(outcome), *data_lines(outcome.corpus)]
    blocks.append("\n".join(f"- {markdown(line)}" for line in below))
    blocks.append("\n</details>")
    return "\n".join(blocks) + "\n"


def _titled_table(title: str, column_titles: Sequence[str], rows: Sequence[Sequence[str]], n_names: int) -> str:
    """Writes a title and a table, whose first columns are names, as Markdown."""
    return f"**{markdown(title)}**\n\n{markdown_table(column_titles, rows, n_names)}"


def latex_text(outcome: Outcome) -> str:
    r"""Writes the same as LaTeX tables, which need \usepackage{booktabs}, and for Korean kotex or a font with it."""
    tables = [latex_table(_score_headings(outcome), score_rows(outcome), say("scores"), 1)]
    tables += [latex_table(table.headings, table.rows, table.title, 2) for table in further_tables(outcome)]
    by_score = sections(outcome)
    tables += [latex_table(headings(), section.rows, section.title, 2) for section in by_score]
    if outcome.groups:
        tables.append(latex_table(_group_score_headings(outcome), group_score_rows(outcome), say("group"), 1))
        for section in by_score:
            title = say("of_groups", title=section.title)
            tables.append(latex_table(group_headings(), section.group_rows, title, 3))

    lines = verdict(outcome).lines + _explained(outcome) + _signed(outcome) + data_lines(outcome.corpus)
    runs = runs_line(outcome)
    if runs:
        lines.insert(0, runs)
    notes = "".join(f"% {' '.join(line.split())}\n" for line in lines)
    return "\n".join([notes, paper_latex(outcome), *tables])


def _explained(outcome: Outcome) -> list[str]:
    """Returns the reason for missing intervals, if they are missing, and the meaning of the columns."""
    return [*few_units(outcome.results, outcome.corpus.clusters is not None), *legend(outcome)]


def _signed(outcome: Outcome) -> list[str]:
    """Returns each signature once, with what computed the scores."""
    return [with_program(signature, program()) for signature in signatures(outcome.results)]


def _score_headings(outcome: Outcome) -> list[str]:
    return [say("system"), *(with_arrow(label_text(scorer.label), scorer.metric) for scorer in outcome.columns)]


def _group_score_headings(outcome: Outcome) -> list[str]:
    return [say("group"), say("column_segments"), *_score_headings(outcome)]
