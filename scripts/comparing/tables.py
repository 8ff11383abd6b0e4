"""Comparisons as tables in the terminal."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from scoring.tables import fitting
from scoring.tables import make_console
from scoring.tables import make_table

from .cells import HEADINGS
from .cells import Section
from .cells import legend
from .cells import sections
from .engine import Outcome

# which cells share a column, one below the other, from wide to narrow
_LAYOUTS = [
    [[0], [1], [2], [3], [4], [5], [6], [7], [8], [9]],
    [[0], [1], [2, 3], [4], [5], [6], [7], [8], [9]],
    [[0, 1], [2, 3], [4, 7], [5, 6], [8, 9]],
    [[0, 1], [2, 3], [4, 5, 6, 7], [8, 9]],
    [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
]


def print_comparisons(outcome: Outcome) -> None:
    """Prints one table per score; in a narrow terminal cells that belong together are one below the other."""
    console = make_console()
    found = sections(outcome)
    layouts = [[_table(section, layout) for section in found] for layout in _LAYOUTS]
    # the narrowest two may wrap names
    tables = fitting(console, layouts[:-1]) or fitting(console, layouts[-2:], "minimum") or layouts[-1]
    for section, table in zip(found, tables, strict=True):
        console.print()
        console.print(Text(section.title, style="bold"))
        console.print(table)
    console.print()
    for line in legend(outcome):
        console.print(Text(line))


def _table(section: Section, layout: Sequence[Sequence[int]]) -> Table:
    """Builds the table with one row per pair; `layout` says which cells share a column."""
    table = make_table(*("\n".join(HEADINGS[number] for number in cell) for cell in layout))
    for column, cell in zip(table.columns, layout, strict=True):
        column.justify = "left" if cell[0] < 2 else "right"
        column.no_wrap = cell[0] >= 2
    for row in section.rows:
        table.add_row(*(Text("\n".join(row[number] for number in cell)) for cell in layout))
    return table
