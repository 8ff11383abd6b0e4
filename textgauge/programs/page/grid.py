"""Columns of a metric as a table that people edit, and back; and files that fill it."""

import contextlib
import re
from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from ..reading.formats import LINES, first_rows, read_batches, table_reader
from ..reading.references import is_gap
from ..reading.rows import TEXT, Request, column_names
from ..saying.session_text import read_session, session_text, takes_sessions
from ..saying.texts import TEXTS, say

Columns = dict[str, list[Any]]
_NUMBERED = re.compile(r"(.*?)( \d+)?")


def headings(metric: Any, sets: int) -> list[str]:
    """Returns the headings of the table: one per column of the metric, `sets` of them for references."""
    names = []
    for name, kind in metric.COLUMNS.items():
        singular = name.removesuffix("s").replace("_", " ")
        names += [singular, *(f"{singular} {n}" for n in range(2, sets + 1))] if kind.is_list else [singular]
    return names


def heading_text(name: str) -> str:
    """Returns the name of a column on a page, such as "reference 2"."""
    stem, number = _NUMBERED.fullmatch(name).groups("")
    key = f"app_column_{stem}"
    shown = say(key) if key in TEXTS else stem
    return shown + number


def to_cells(metric: Any, columns: Columns) -> tuple[list[str], list[list[str]]]:
    """Returns headings and rows of the table for columns as `compute` takes them."""
    sets = 1
    for name, kind in metric.COLUMNS.items():
        if kind.is_list:
            sets = max([sets, *(len(cell) for cell in columns[name] if isinstance(cell, list))])
    rows = []
    for index in range(len(columns["predictions"])):
        row = []
        for name, kind in metric.COLUMNS.items():
            value = columns[name][index] if name in columns else ""
            if kind.is_list:
                value = [value] if isinstance(value, str) else list(value)
                row += value + [""] * (sets - len(value))
            elif takes_sessions(kind):
                row.append(session_text(value))
            elif isinstance(value, list):
                # float() reads nan, where a rater gave no score
                row.append(", ".join("nan" if number is None else str(number) for number in value))
            else:
                row.append(str(value))
        rows.append(row)
    return headings(metric, sets), rows


def from_cells(metric: Any, rows: Sequence[Sequence[Any]]) -> Columns:
    """Returns the columns of a table as `compute` takes them; what is wrong is left for the metric to say.

    Empty rows at the end do not count, nor does a column that is empty and may be missing. An empty cell among several
    references is not a reference.
    """
    filled = []
    for row in rows:
        filled.append(["" if cell is None else cell for cell in row])
    while filled and not any(str(cell).strip() for cell in filled[-1]):
        filled.pop()
    kinds = metric.COLUMNS.values()
    width = len(filled[0]) if filled else len(kinds)
    sets = width - sum(not kind.is_list for kind in kinds)
    cells = [list(map(str, column)) for column in zip(*filled, strict=True)] if filled else [[]] * width
    columns: Columns = {}
    start = 0
    for name, kind in metric.COLUMNS.items():
        if kind.is_list:
            columns[name] = _reference_lists(cells[start : start + sets])
            start += sets
        else:
            columns[name] = _values(kind, cells[start])
            start += 1
        if kind.is_optional and all(value in ("", [""]) for value in columns[name]):
            del columns[name]
    return columns


def check_cells(metric: Any, rows: Any) -> None:
    """Raises InputError unless rows are a table of the metric, since programs send them; names the first wrong row."""
    if not isinstance(rows, list):
        raise InputError(f"rows are {rows!r:.40}; pass a list of rows, each a list of cells")
    narrow = headings(metric, 1)
    can_widen = len(headings(metric, 2)) > len(narrow)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, list):
            raise InputError(f"row {number} is {row!r:.40}; pass a list of cells")
        if len(row) < len(narrow) or (len(row) > len(narrow) and not can_widen):
            raise InputError(f"row {number} has {len(row)} cells; the columns are {', '.join(narrow)}")
        if len(row) != len(rows[0]):
            raise InputError(f"row {number} has {len(row)} cells, and row 1 has {len(rows[0])}; pass as many in each")


def read_table(metric: Any, path: str, most: int | None = None) -> Columns:
    """Returns the columns of a CSV, TSV or JSONL file, whose names are those of the metric, singular or plural.

    Several columns of references are named reference, reference 2, and so on; a JSONL cell may be a list. Where a
    server takes `most` rows, one more is read, which is refused.
    """
    reader = table_reader(path)
    file_names = {_plain(name): name for name in column_names(first_rows(reader, Request(path)))}
    columns: Columns = {}
    for name, kind in metric.COLUMNS.items():
        plain = _plain(name)
        numbered = [plain]
        for number in range(1, 100):
            numbered.append(f"{plain}{number}")
        names = [file_names[key] for key in numbered if key in file_names]
        if not kind.is_list:
            names = names[:1]
        if not names and kind.is_optional:
            continue
        if not names:
            raise InputError(f"{path} has no column {name!r}; it has {', '.join(file_names.values())}")
        table = next(read_batches(reader, Request(path, names=names), most and most + 1))
        cells = [column.values for column in table.values()]
        if kind.is_list:
            columns[name] = _reference_lists(cells)
        else:
            columns[name] = cells[0]
    return columns


def _reference_lists(columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Returns the references of each segment from some columns, without gaps, but one where it has nothing else."""
    segments = []
    for row in zip(*columns, strict=True):
        texts = []
        for cell in row:
            texts += cell if isinstance(cell, list) else [cell]
        without_gaps = [text for text in texts if not is_gap(text)]
        segments.append(without_gaps or texts[:1] or [""])
    return segments


def fill_column(
    rows: Sequence[Sequence[Any]], width: int, position: int, path: str, most: int | None = None
) -> list[list[Any]]:
    """Returns the rows of the table with one column taken from a text file, one segment per line; see `read_table`."""
    lines = next(read_batches(LINES, Request(path, names=[TEXT]), most and most + 1))[TEXT].values
    filled = []
    for index in range(max(len(rows), len(lines))):
        row = list(rows[index]) if index < len(rows) else [""] * width
        row[position] = lines[index] if index < len(lines) else ""
        filled.append(row)
    return filled


def _values(kind: Any, cells: list[str]) -> list[Any]:
    """Returns the values of cells: sessions, texts, numbers, lists of these, or else the text itself."""
    if takes_sessions(kind):
        return list(map(read_session, cells))
    takes_texts = "string" in kind.features
    takes_numbers = "float64" in kind.features
    takes_lists = any(isinstance(feature, list) for feature in kind.features)
    numbers = [_numbers(cell) for cell in cells]
    are_single = all(of_cell is not None and len(of_cell) == 1 for of_cell in numbers)
    if takes_numbers and (are_single or not takes_lists):
        values: list[Any] = []
        for cell, of_cell in zip(cells, numbers, strict=True):
            is_number = of_cell is not None and len(of_cell) == 1
            values.append(of_cell[0] if is_number else cell)
        return values
    # where texts are welcome too, "3.5" may be one
    if not takes_lists or (takes_texts and None in numbers):
        return cells
    return [cell if of_cell is None else of_cell for cell, of_cell in zip(cells, numbers, strict=True)]


def _numbers(cell: str) -> list[float] | None:
    """Returns the numbers in a cell, between commas or blanks; None for an empty cell or anything else."""
    parts = re.split(r"[,;\s]+", cell.strip("[] \t"))
    with contextlib.suppress(ValueError):
        return [float(part) for part in parts if part] or None
    return None


def _plain(name: str) -> str:
    """Returns a name without what people write differently: "Reference 2" and "references_2" are "reference2"."""
    stem, number = re.fullmatch(r"(.*?)[\s_]*(\d*)", name.lower().strip()).groups()
    return stem.replace("_", " ").removesuffix("s") + number
