"""Scores as a table in the terminal."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from textgauge.core.bootstrap import LEAST_UNITS

from ..drawing.kinds import ERRORS, kind_cells, kind_title, kinds_of
from ..reading.corpus import Corpus
from ..saying.option_values import option_text
from ..saying.texts import say
from ..saying.values import human_text, interval_text, number_text, with_arrow
from ..saying.widths import visible
from .outputs import Results, human_means
from .percent import percent_lines
from .specs import Scorer, headline

_UNLIMITED = 10_000  # characters in a line
_SHOWN = 10  # missed phrases


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


def print_scores(corpus: Corpus, scorers: Sequence[Scorer], results: Results, with_segments: bool) -> None:
    """Prints one row per system and one column per metric, in a narrow terminal one row per score; then the notes."""
    console = make_console()
    tables = (_table_by_system(corpus, scorers, results, " "), _table_by_system(corpus, scorers, results, "\n"))
    print_fitting(console, (*tables, _table_by_score(corpus, scorers, results)))
    signatures = dict.fromkeys(result["signature"] for result in next(iter(results.values())).values())
    human = [say("human_note", note=corpus.note or say("human_mean"))] if corpus.human else []
    for line in ["", *signatures, *human, *notes(scorers, results, corpus.clusters is not None)]:
        console.print(visible_text(line), soft_wrap=True)
    if with_segments:
        console.print()
        console.print(_table_by_segment(corpus, scorers, results))


def print_kinds(scorers: Sequence[Scorer], results: Results) -> None:
    """Prints the kinds of errors by each error rate, one row per kind and system."""
    console = make_console()
    for scorer in scorers:
        of_systems = {system: kinds_of(of_system[scorer.label]) for system, of_system in results.items()}
        if not any(of_systems.values()):
            continue
        names = [say("system")] if len(of_systems) > 1 else []
        table = make_table(*names, *map(say, ("kinds_one", "kinds_edits", "kinds_share", "kinds_without")))
        table.columns[len(names)].justify = "left"
        for system, rows in of_systems.items():
            for row in rows:
                if row[1]:
                    cells = [*[system for _ in names], kind_title(row[0]), *kind_cells(row)]
                    table.add_row(*map(visible_text, cells))
        console.print()
        console.print(visible_text(say("kinds_by", label=scorer.label), "bold"))
        console.print(table)


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


def print_fitting(console: Console, tables: Sequence[Table]) -> None:
    """Prints the first of the tables that the console is wide enough for, or else the last."""
    console.print(*(fitting(console, [[table] for table in tables]) or tables[-1:]))


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


def _table_by_system(corpus: Corpus, scorers: Sequence[Scorer], results: Results, gap: str) -> Table:
    """Builds the table with one row per system; the interval is beside or below its score."""
    table = make_table(say("system"), *(_heading(scorer, gap) for scorer in scorers))
    means = human_means(corpus)
    if means:
        table.add_column(say("human"), justify="right")
    for system, of_system in results.items():
        cells = [_cell(of_system[scorer.label], gap) for scorer in scorers]
        human = [human_text(means[system]) if system in means else ""] if means else []
        table.add_row(visible_text(system), *map(visible_text, [*cells, *human]))
    return table


def _heading(scorer: Scorer, gap: str) -> str:
    """Returns the label of a score, with an arrow where lower is better."""
    return with_arrow(scorer.label.replace(" ", gap), scorer.metric)


def _table_by_score(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> Table:
    """Builds the table with one row per system and metric."""
    table = make_table(*map(say, ("system", "metric", "column_value")))
    table.columns[1].justify = "left"
    table.columns[2].no_wrap = True
    means = human_means(corpus)
    for system, of_system in results.items():
        for scorer in scorers:
            cells = [system, _heading(scorer, " "), _cell(of_system[scorer.label], "\n")]
            table.add_row(*map(visible_text, cells))
        if system in means:
            table.add_row(visible_text(system), say("human"), human_text(means[system]))
    return table


def _cell(result: Mapping[str, Any], gap: str) -> str:
    interval = interval_text(result)
    return number_text(headline(result)) + (gap + interval if interval else "")
