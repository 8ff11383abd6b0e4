"""Scores as a table in the terminal."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from textgauge.core.bootstrap import LEAST_UNITS

from ..drawing.kinds import ERRORS, kind_table, kinds_of
from ..reading.corpus import HUMAN, Corpus
from ..saying.option_values import option_text
from ..saying.texts import say
from ..saying.values import human_text, interval_text, number_text, with_arrow
from ..saying.widths import visible
from .outputs import Results, human_means
from .percent import percent_lines
from .specs import Scorer, headline

_UNLIMITED = 10_000  # characters in a line
_SHOWN = 10  # missed phrases
_Column = tuple[str, list[Text]]  # heading and cells


class Mark(NamedTuple):
    """What a table shows of a score beside its number."""

    is_best: bool  # of its column, maybe with others
    behind: str = ""  # the rank, or a sign, where it is significant


Marks = dict[str, dict[str, Mark]]  # label -> system -> mark


def notes(scorers: Sequence[Scorer], results: Results, has_clusters: bool, with_direction: bool = True) -> list[str]:
    """Returns notes for readers: where lower is better, and the notes of `_notes_of` on each result."""
    lower = [scorer.label for scorer in scorers if scorer.metric.LOWER_IS_BETTER]
    lines = [say("lower_labels", labels=", ".join(lower))] if lower and with_direction else []
    lines += percent_lines(scorers)
    lines += few_units(results, has_clusters)
    for system, of_system in results.items():
        for scorer in scorers:
            lines += [f"{scorer.label}, {system}: {note}" for note in _notes_of(of_system[scorer.label])]
    return lines


def few_units(results: Results, has_clusters: bool) -> list[str]:
    """Says that there are too few segments, or clusters, for intervals."""
    counts = [result["units"] for of_system in results.values() for result in of_system.values() if "units" in result]
    if not counts or counts[0] >= LEAST_UNITS:
        return []
    return [say("note_too_few", least=LEAST_UNITS, units=say("unit_clusters" if has_clusters else "unit_segments"))]


def _notes_of(result: dict[str, Any]) -> Iterator[str]:
    """Yields weights without effect or to harm, missed phrases, and other conventions."""
    unused = result.get("unused_keys") or []
    if unused:
        n_more = result.get("unused_count", 0) - len(unused)
        values = {"phrases": ", ".join(unused), "more": _more(n_more)}
        yield say("note_no_reference", **values) if "keywords" in result else say("note_unused", **values)
    if signs := result.get("hidden_signs"):
        reference, prediction = signs["example"]
        yield say("note_signs", n=signs["segments"], one=reference, other=prediction)
    yield from _notes_of_segments(result)
    orders = [str(n) for n, is_degenerate in enumerate(result.get("degenerate_orders") or [], 1) if is_degenerate]
    if orders:
        yield say("note_degenerate", orders=", ".join(orders))
    names, entries = ("phrase", "count", "total"), result.get("missed_keywords") or []
    missed = [say("note_missed_phrase", **dict(zip(names, entry, strict=True))) for entry in entries[:_SHOWN]]
    if missed:
        yield say("note_missed", phrases=", ".join(missed), more=_more(len(entries) - _SHOWN))
    for preset, rate, signature in result.get("conventions") or []:
        yield f"{preset} {number_text(rate)} {signature}"


def _notes_of_segments(result: dict[str, Any]) -> Iterator[str]:
    """Yields how many segments loop, are not read, or are all insertion, and which one has most of the edits."""
    errors = result.get(ERRORS, {})
    for _, _, share, rate in (row for row in kinds_of(result) if row[0] == "loop"):
        values = {"n": errors["looping_segments"], "share": f"{share:.0%}"}
        is_undefined = math.isnan(rate)  # of an empty reference nothing is left without loops
        yield say("note_loops_only", **values) if is_undefined else say("note_loops", **values, rate=number_text(rate))
    if unread := errors.get("unread_segments"):
        yield say("note_unread", n=unread)
    if inserted := errors.get("inserted_segments"):
        yield say("note_inserted", n=inserted)
    if heaviest := errors.get("heaviest_segment"):
        number, share = heaviest
        yield say("note_heaviest", number=number, share=f"{share:.0%}")


def _more(count: int) -> str:
    return say("note_more", n=count) if count > 0 else ""


def print_scores(corpus: Corpus, scorers: Sequence[Scorer], results: Results, marks: Marks | None = None) -> None:
    """Prints one row per system and one column per metric; in a narrow terminal several tables with fewer columns.

    Args:
        corpus: what was scored.
        scorers: one per score.
        results: of each system.
        marks: for each score and system whether it is the best, and what is behind it.
    """
    console = make_console()
    names = (say("system"), [visible_text(system) for system in results])
    columns = _score_columns(corpus, scorers, results, marks or {}, " ")
    if not fitting(console, [[_table_of([names, *columns])]]):
        columns = _score_columns(corpus, scorers, results, marks or {}, "\n")
    _print_columns(console, names, columns)


def _print_columns(console: Console, names: _Column, columns: Sequence[_Column]) -> None:
    """Prints columns behind one of names, in as many tables as the console needs."""
    while columns:
        shown = len(columns)
        while shown > 1 and not fitting(console, [[_table_of([names, *columns[:shown]])]]):
            shown -= 1
        console.print(_table_of([names, *columns[:shown]]))
        columns = columns[shown:]


def print_score_notes(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> None:
    """Prints the signatures and the notes of the scores."""
    console = make_console()
    signatures = dict.fromkeys(result["signature"] for result in next(iter(results.values())).values())
    human = [say("human_note", note=corpus.note or say("human_mean"))] if corpus.human else []
    for line in ["", *signatures, *human, *notes(scorers, results, corpus.clusters is not None)]:
        console.print(visible_text(line), soft_wrap=True)


def print_segments(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> None:
    """Prints one row per segment and system, one column per metric."""
    console = make_console()
    console.print()
    console.print(_table_by_segment(corpus, scorers, results))


def print_kinds(scorers: Sequence[Scorer], results: Results) -> None:
    """Prints the kinds of errors by each error rate, one row per kind and one column per system."""
    console = make_console()
    for scorer in scorers:
        of_systems = {system: kinds_of(of_system[scorer.label]) for system, of_system in results.items()}
        rows = kind_table(of_systems)
        if not rows:
            continue
        columns = []
        for number, system in enumerate(of_systems):
            cells = [Text(_kind_cell(*of_kind[number])) for _, of_kind in rows]
            columns.append((system, cells))
        console.print()
        console.print(visible_text(say("kinds_by", label=scorer.label), "bold"))
        _print_columns(console, (say("kinds_one"), [Text(title) for title, _ in rows]), columns)


def _kind_cell(edits: str, share: str, rate: str) -> str:
    return f"{edits} {share:>4} {rate}" if edits else ""


_OF_JUDGES = ("judge_bias", "judge_spread", "judge_correlation", "judge_advantage", "judge_kappa", "weighted_kappa")


def print_judges(scorers: Sequence[Scorer], results: Results) -> None:
    """Prints how judges compare with people, one column per judge, where human correlation was asked for that."""
    console = make_console()
    for label in (scorer.label for scorer in scorers):
        judges = {system: of[label] for system, of in results.items() if "judge_bias" in of[label]}
        if not judges:
            continue
        table = make_table(say("judge"), *judges)
        sentences = [", ".join(result.get("judge", [])) or "-" for result in judges.values()]
        table.add_row(say("judge_says"), *sentences)
        for key in _OF_JUDGES:
            cells = []
            for result in judges.values():
                cells.append(f"{number_text(result[key])} {interval_text(result, f'{key}_')}".rstrip())
            table.add_row(say(key), *map(visible_text, cells))
        console.print()
        console.print(visible_text(say("judges", label=label), "bold"))
        console.print(table)


def print_help(metric: Any) -> None:
    """Prints the description of a metric, its columns, its options with defaults, and its results."""
    console = make_console()
    console.print(visible_text(f"{metric.name}: {metric.description}\n"))
    columns = make_table("column", "what to pass")
    for name, kind in metric.COLUMNS.items():
        columns.add_row(name, visible_text(kind.help))
    options = make_table("option", "default", "what it does")
    for name, option in metric.OPTIONS.items():
        default = option_text(option.default)
        options.add_row(name, visible_text(default), visible_text(option.help.replace("`", "")))
    for table in (columns, options):
        for column in table.columns:
            column.justify = "left"
        console.print(table, "")
    returns = metric.inputs_description.partition("Returns:")[2].partition("Examples:")[0]
    console.print(visible_text(f"returns: {' '.join(returns.split())}"))


def _table_by_segment(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> Table:
    """Builds the table with one row per segment and system, one column per metric."""
    table = make_table(say("segment"), say("system"), *(_heading(scorer, "\n") for scorer in scorers))
    table.columns[1].justify = "left"
    columns = {}
    for system, of_system in results.items():
        columns[system] = [of_system[scorer.label].get("segments") for scorer in scorers]
    if corpus.human:
        table.add_column(say("human"), justify="right")
    for row in range(corpus.size):
        for system, of_metrics in columns.items():
            cells = [number_text(values[row]) if values else "" for values in of_metrics]
            if corpus.human:
                cells.append(human_text(corpus.human[system][row]) if system in corpus.human else "")
            table.add_row(str(row + 1), visible_text(system), *cells)
    return table


def visible_text(text: str, style: str = "") -> Text:
    """Returns a text to print, in which nothing controls a terminal."""
    return Text(visible(text), style)


def make_console() -> Console:
    """Returns a console that cuts and colours nothing when it does not write to a terminal."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _UNLIMITED
    return console


def fitting(console: Console, layouts: Sequence[Sequence[Table]], size: str = "maximum") -> Sequence[Table]:
    """Returns the tables of the first layout that all fit the console; none if no layout does.

    Args:
        console: to print to.
        layouts: the same tables, from wide to narrow.
        size: "maximum" keeps every line whole; "minimum" lets names wrap.
    """
    unlimited = console.options.update(max_width=_UNLIMITED)
    for tables in layouts:
        measured = [console.measure(table, options=unlimited) for table in tables]
        if all(getattr(widths, size) <= console.width for widths in measured):
            return tables
    return []


def make_table(*headings: str) -> Table:
    """Returns an empty table with these headings, the first column to the left and the others to the right."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for heading in headings:
        table.add_column(visible_text(heading), justify="right")
    table.columns[0].justify = "left"
    return table


def _table_of(columns: Sequence[_Column]) -> Table:
    table = make_table(*(heading for heading, _ in columns))
    for row in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*row)
    return table


def _score_columns(
    corpus: Corpus, scorers: Sequence[Scorer], results: Results, marks: Marks, gap: str
) -> list[_Column]:
    """Returns the heading of each score and its cells, in the order of the systems; an interval is behind a gap."""
    columns = []
    for scorer in scorers:
        numbers = {system: number_text(headline(result[scorer.label])) for system, result in results.items()}
        cells = []
        for system, number in _marked_numbers(numbers, marks.get(scorer.label, {})).items():
            interval = interval_text(results[system][scorer.label])
            cells.append(number.append(gap + interval if interval else ""))
        columns.append((_heading(scorer, gap), cells))
    if means := human_means(corpus):
        shown = {system: human_text(means[system]) if system in means else "" for system in results}
        columns.append((say("human"), list(_marked_numbers(shown, marks.get(HUMAN, {})).values())))
    return columns


def _marked_numbers(numbers: dict[str, str], marks: Mapping[str, Mark]) -> dict[str, Text]:
    """Returns the number of each system, the best ones bold, each with the text behind it; all end at one place."""
    width = max((len(mark.behind) for mark in marks.values()), default=0)
    marked = {}
    for system, number in numbers.items():
        mark = marks.get(system, Mark(is_best=False))
        marked[system] = Text.assemble((number, "bold" if mark.is_best else ""), mark.behind.ljust(width))
    return marked


def _heading(scorer: Scorer, gap: str) -> str:
    """Returns the label of a score, with an arrow where lower is better."""
    return with_arrow(scorer.label.replace(" ", gap), scorer.metric)
