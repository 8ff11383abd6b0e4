"""Comparisons as tables in the terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ..saying.texts import say
from ..saying.values import with_arrow
from ..scoring.outputs import Results
from ..scoring.specs import Scorer
from ..scoring.tables import fitting, make_console, make_table, print_scores, visible_text
from .cells import further_tables, group_headings, group_score_rows, headings, legend, runs_line, sections
from .paper import mark_notes, marks_of
from .people import label_text
from .records import Outcome
from .verdict import verdict

# layouts from wide to narrow: which cells below `headings` share a column, one below the other
_LAYOUTS = [
    [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9]],
    [[0], [1], [2, 3], [4], [5], [6], [7], [8], [9]],
    [[0, 1], [2, 3], [4, 7], [5, 6], [8, 9]],
    [[0, 1], [2, 3], [4, 5, 6, 7], [8, 9]],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
]


def print_table(outcome: Outcome, columns: Sequence[Scorer], results: Results) -> None:
    """Prints how many runs the systems have, and the scores in a table, the best ones bold, with significant ranks."""
    console = make_console()
    runs = runs_line(outcome)
    if runs:
        console.print(visible_text(runs))
    marks = marks_of(outcome)
    print_scores(outcome.corpus, columns, results, marks)
    for line in ["", *mark_notes(outcome, marks)]:
        console.print(visible_text(line))


def print_verdict(outcome: Outcome, is_short: bool = False) -> None:
    """Prints the verdict, with its first sentence in bold.

    With `is_short` without its details, and where to read them.
    """
    console = make_console()
    said = verdict(outcome)
    first, *others = [*said.short, say("verdict_short")] if is_short else said.lines
    lines = [visible_text(first, "bold"), *map(visible_text, others)]
    console.print(*lines, sep="\n")


def print_comparisons(outcome: Outcome) -> None:
    """Prints one table per score; in a narrow terminal cells that belong together are one below the other."""
    console = make_console()
    for title, titles, rows in further_tables(outcome):
        table = make_table(*titles)
        table.columns[1].justify = "left"
        for row in rows:
            table.add_row(*map(visible_text, row))
        console.print()
        console.print(visible_text(title, "bold"))
        console.print(table)
    by_score = sections(outcome)
    _print_tables(console, [(section.title, headings(), section.rows) for section in by_score])
    if outcome.groups:
        print_groups(outcome)
        titled = [(say("of_groups", title=section.title), group_headings(), section.group_rows) for section in by_score]
        _print_tables(console, titled)
    console.print()
    for line in legend(outcome):
        console.print(visible_text(line))


def print_groups(outcome: Outcome) -> None:
    """Prints the scores of each system in each group."""
    names = [say("group"), say("column_segments"), say("system")]
    scores = [with_arrow(label_text(column.label), column.metric) for column in outcome.columns]
    table = make_table(*names, *scores)
    table.columns[2].justify = "left"
    for row in group_score_rows(outcome):
        table.add_row(*map(visible_text, row))
    console = make_console()
    console.print()
    console.print(visible_text(", ".join(outcome.corpus.groups), "bold"))
    console.print(table)


def _print_tables(console: Console, titled: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]) -> None:
    """Prints tables with their titles, all in the widest layout that fits."""
    layouts = []
    for layout in _LAYOUTS:
        layouts.append([_table(titles, rows, layout) for _, titles, rows in titled])
    # the narrowest two may wrap names
    tables = fitting(console, layouts[:-1]) or fitting(console, layouts[-2:], "minimum") or layouts[-1]
    for (title, *_), table in zip(titled, tables, strict=True):
        console.print()
        console.print(visible_text(title, "bold"))
        console.print(table)


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], layout: Sequence[Sequence[int]]) -> Table:
    """Builds the table with one row per pair.

    Args:
        titles: headings; of a table of groups the first one is that of the group.
        rows: cells below the titles.
        layout: one of `_LAYOUTS`; the group has a column of its own before it.
    """
    n_groups = len(titles) - len(headings())
    n_names = n_groups + 2  # group, system, against
    shared_by = [[number] for number in range(n_groups)]  # the cells of a row that each column has
    for cells in layout:
        shared_by.append([n_groups + number for number in cells])

    table = make_table(*_in_columns(titles, shared_by))
    for column, cells in zip(table.columns, shared_by, strict=True):
        column.justify = "left" if cells[0] < n_names else "right"
        column.no_wrap = cells[0] >= n_names
    for row in rows:
        table.add_row(*map(visible_text, _in_columns(row, shared_by)))
    return table


def _in_columns(cells: Sequence[str], shared_by: Sequence[Sequence[int]]) -> list[str]:
    """Returns the text of each column, with the cells that share it one below the other.

    >>> _in_columns(["A", "B", "0.5"], [[0, 1], [2]])
    ['A\\nB', '0.5']
    """
    columns = []
    for numbers in shared_by:
        columns.append("\n".join(cells[number] for number in numbers))
    return columns
