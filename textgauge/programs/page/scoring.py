"""What a page asks: an example to cells, cells to texts and options, a segment to its explanation."""

import re
from collections.abc import Sequence
from html import escape
from typing import Any

from ..drawing.draw import legend
from ..saying.texts import say
from ..scoring.explaining import draw_segment, explaining_options
from .form import given_options, shown_value
from .grid import Columns, from_cells, headings, to_cells

CONFIDENCE = 0.95


def example_cells(
    metric: Any, options: dict[str, Any], example: dict[str, Any]
) -> tuple[list[str], list[list[str]], list[Any]]:
    """Returns headings and rows of the table of texts for an example, and what the control of each option shows."""
    names, rows = to_cells(metric, example["columns"])
    of_example = {"confidence": CONFIDENCE, **example.get("options", {})}
    values = [shown_value(option, of_example.get(name, option.default)) for name, option in options.items()]
    return names, rows, values


def widened(metric: Any, rows: Sequence[Sequence[Any]]) -> tuple[list[str], list[list[Any]]]:
    """Returns headings and rows of the table of texts with one more column of references."""
    names, cells = to_cells(metric, from_cells(metric, rows))
    wanted = headings(metric, reference_sets(metric, rows) + 1)
    wider_rows = []
    for row in cells:
        cell_of = dict(zip(names, row, strict=True))
        wider_rows.append([cell_of.get(name, "") for name in wanted])
    return wanted, wider_rows


def reference_sets(metric: Any, rows: Sequence[Sequence[Any]]) -> int:
    """Returns how many columns of references a table has."""
    if not rows:
        return 1
    return len(rows[0]) - len(headings(metric, 1)) + 1


def texts_and_options(
    metric: Any, options: dict[str, Any], rows: Sequence[Sequence[Any]], values: Sequence[Any]
) -> tuple[Columns, dict[str, Any]]:
    """Returns the columns of a table of texts, and the options that its controls show, as `compute` takes them."""
    return from_cells(metric, rows), given_options(options, values)


def explanation_html(metric: Any, columns: Columns, options: dict[str, Any], number: float) -> str:
    """Explains the score of a segment; segments are counted from 1."""
    count = len(columns["predictions"])
    if not 1 <= number <= count:
        return f'<p class="quiet">{say("no_segment", number=f"{number:g}", last=count)}</p>'
    explaining = explaining_options(metric, options, columns)
    drawing, reason = draw_segment(metric, explaining, columns, int(number) - 1)
    note = f'<p class="quiet">{escape(reason)}</p>' if reason else ""
    return f"{legend(drawing.marks)}{drawing.html}{note}"


def message_of(metric: Any, error: Exception) -> str:
    """Returns a message with the number of the row, counted from 1, beside the index of a segment."""
    if isinstance(error, MemoryError):
        return say("no_memory", reason=f": {error}" if str(error) else "")
    names = "|".join(metric.COLUMNS)
    return re.sub(rf"\b({names})\[(\d+)\]", lambda match: f"{match[0]} (row {int(match[2]) + 1})", str(error))
