"""The table of scores: systems by metrics, the best and what is significant marked; as papers print it."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import textgauge

from ..reading.card import read_card
from ..reading.corpus import HUMAN
from ..saying.texts import say
from ..saying.values import are_in_percent, number_text, with_arrow
from ..scoring.outputs import Results, program, with_program
from ..scoring.percent import is_fraction
from ..scoring.specs import Scorer, headline
from ..scoring.tables import Mark, Marks
from .cases import leader_of, leaders_of
from .markup import Marked, latex, latex_table, markdown, markdown_table
from .people import label_text
from .records import Comparison, Outcome

_MARK = "*"
_WITH_WORDS, _READ = "word_order=2", "readings=ko"  # options that have a name of their own
_TYPE_OF_ROUGE = re.compile(r"rouge(\S+)")


class PaperTable(NamedTuple):
    """The cells of the table, and the lines below it."""

    headings: list[str]
    rows: list[list[str]]
    notes: list[str]  # which marks there are, and what is in percent
    signed: list[str]  # signatures, with what computed the scores


def paper_table(outcome: Outcome, with_ranks: bool = False) -> PaperTable:
    """Returns the table of an outcome, which may have no comparisons: then nothing is significant."""
    titles = _titles(outcome)
    marks = marks_of(outcome, with_ranks)
    rows = []
    for system, results in outcome.results.items():
        cells = [system]
        for label, of_systems in marks.items():
            cells.append(Marked(_minus(number_text(headline(results[label]))), *of_systems[system]))
        rows.append(cells)
    notes = _percent_notes(outcome.columns, titles) + mark_notes(outcome, marks)
    headings = [say("system"), *(with_arrow(titles[column.label], column.metric) for column in outcome.columns)]
    results_of_one = next(iter(outcome.results.values()))  # those of all systems have the same signatures
    signatures = dict.fromkeys(results_of_one[label]["signature"] for label in marks if label != HUMAN)
    signed = [with_program(signature, program()) for signature in signatures]
    return PaperTable(headings, rows, notes, signed)


def marks_of(outcome: Outcome, with_ranks: bool = True) -> Marks:
    """Returns which scores are best, and their ranks where these are significant; else a sign where a score is."""
    marks: Marks = {}
    for column in outcome.columns:
        best = leaders_of(column, outcome.results) if len(outcome.results) > 1 else []
        behind = _significant_ranks(column, outcome) if with_ranks else {}
        behind = behind or dict.fromkeys(_marked(column, outcome), _MARK)
        of_systems = {system: Mark(system in best, behind.get(system, "")) for system in outcome.results}
        marks[column.label] = of_systems
    return marks


def _significant_ranks(column: Scorer, outcome: Outcome) -> dict[str, str]:
    """Returns the rank of each system by a score, shared by all of a tier; nothing where there is one tier."""
    of_column = [rank for rank in outcome.ranks if rank.metric == column.label and not math.isnan(rank.tier)]
    tiers = [rank.tier for rank in of_column]
    if len(set(tiers)) < 2:
        return {}
    ranks = {}
    for rank in of_column:
        ranks[rank.system] = say("rank_behind", rank=1 + sum(tier < rank.tier for tier in tiers))
    return ranks


def mark_notes(outcome: Outcome, marks: Marks) -> list[str]:
    """Explains what is behind scores."""
    shown = {mark.behind for of_systems in marks.values() for mark in of_systems.values()} - {""}
    level = f"{outcome.settings.level:g}"
    notes = []
    if shown - {_MARK}:
        notes.append(say("rank_behind_note", level=level))
    if _MARK in shown:
        against = outcome.settings.baseline
        key = "paper_next" if against is None else "paper_baseline"
        notes.append(say(key, mark=_MARK, baseline=against, level=level))
    return notes


def _percent_notes(columns: Sequence[Scorer], titles: Mapping[str, str]) -> list[str]:
    """Says which scores are in percent, where some are."""
    if not are_in_percent():
        return []
    shown = [titles[column.label] for column in columns if is_fraction(column.metric)]
    return [say("in_percent", labels=say("comma").join(shown))] if shown else []


def column_title(column: Scorer, results: Results) -> str:
    """Returns the common name of a column's score, from the results of all systems."""
    first = next(iter(results.values()))
    return metric_title(column, next(iter(first[column.label])))


def metric_title(column: Scorer, key: str) -> str:
    """Returns the common name of a metric, with the column's distinct options: "BLEU char", "ROUGE-L", "chrF++".

    Args:
        column: of the score.
        key: of the score in a result, which says which ROUGE it is.
    """
    first, *others = column.label.split(" ")
    if column.label == HUMAN:
        return label_text(HUMAN)
    if first not in (column.metric.name, key):  # a name of the user's
        return column.label
    rouge = _TYPE_OF_ROUGE.fullmatch(key)
    if rouge:
        further = [word for word in others if not word.startswith("rouge_types=")]
        return " ".join([f"ROUGE-{rouge[1]}", *further])
    folder = textgauge.CARDS / column.metric.name
    if not (folder / "README.md").is_file():
        return column.label
    title = read_card(folder)[0]["title"]
    if column.metric.name == "chrf" and _WITH_WORDS in others:
        title = "chrF++"
        others.remove(_WITH_WORDS)
    if _READ in others:
        others[others.index(_READ)] = say("title_numbers_forgiven")
    return " ".join([title, *others])


def _titles(outcome: Outcome) -> dict[str, str]:
    """Returns the title of each column by its label."""
    return {column.label: column_title(column, outcome.results) for column in outcome.columns}


def _marked(column: Scorer, outcome: Outcome) -> set[str]:
    """Returns the systems that differ significantly from the baseline; without one the best, from the next."""
    compared = [comparison for comparison in outcome.comparisons if comparison.metric == column.label]
    sure = [comparison for comparison in compared if comparison.is_sure(outcome.settings.level)]
    baseline = outcome.settings.baseline
    if baseline is not None:
        return {_other(comparison, baseline) for comparison in sure}
    best = leaders_of(column, outcome.results)
    others = {system: results for system, results in outcome.results.items() if system not in best}
    if len(best) != 1 or not others:
        return set()
    first_two = {best[0], leader_of(column, others)}
    is_surely_best = any({comparison.system, comparison.against} == first_two for comparison in sure)
    return {best[0]} if is_surely_best else set()


def _other(comparison: Comparison, baseline: str) -> str:
    return comparison.against if comparison.system == baseline else comparison.system


def _minus(number: str) -> str:
    return number.replace("-", "−")


def paper_markdown(outcome: Outcome, with_signatures: bool = True) -> str:
    """Writes the table as Markdown."""
    table = paper_table(outcome, with_ranks=True)
    lines = [*table.notes, *(table.signed if with_signatures else [])]
    return markdown_table(table.headings, table.rows, 1) + "\n" + _list(lines)


def _list(lines: Iterable[str]) -> str:
    return "".join(f"- {markdown(line)}\n" for line in lines)


def paper_latex(outcome: Outcome) -> str:
    r"""Writes the table for the package booktabs, with signatures in \texttt, which may break behind each field."""
    table = paper_table(outcome)
    below = [latex(note) for note in table.notes] + [_signature_line(signature) for signature in table.signed]
    lines = "\\par\n".join(below)
    small = [r"\par\smallskip", rf"{{\footnotesize\raggedright {lines}\par}}"]
    return latex_table(table.headings, table.rows, say("scores"), 1, small)


def _signature_line(signature: str) -> str:
    return rf"\texttt{{{latex(signature)}}}".replace(r"\textbar{}", r"\textbar{}\allowbreak{}")
