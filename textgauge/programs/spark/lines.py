"""Lines of JSONL, which the workers of score_spark.py parse as score.py does.

Spark itself makes one type of each column: of a text in one line and a list in another, a text with brackets.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import unquote

import pandas as pd

from ..errors import InputError
from ..reading.records import read_line, value_at

LINE, FILE = "metrics_line", "metrics_file"  # columns with the bytes of a line, and the URL of its file


def undotted(names: Sequence[str]) -> list[str]:
    """Returns names as Spark has them, with another dot: it looks for a column with a dot inside another."""
    return [name.replace(".", "\N{ONE DOT LEADER}") for name in names]


def without_blank_lines(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows without those of blank lines, which score.py skips too; of Parquet all."""
    if LINE not in frame:
        return frame
    has_text = [bool(line.decode("utf-8", "replace").strip()) for line in frame[LINE]]
    return frame[has_text]


def values_of(frame: pd.DataFrame, names: Sequence[str]) -> tuple[dict[str, list[Any]], dict[int, str]]:
    """Returns values by column, None if missing, and by row why a line has none; Parquet always has them."""
    values: dict[str, list[Any]] = {name: [] for name in names}
    bad: dict[int, str] = {}
    if LINE not in frame:
        for name, column_name in zip(names, undotted(names), strict=True):
            column = frame[column_name]
            values[name] = column.astype(object).where(column.notna(), None).tolist()
        return values, bad
    for row, (url, line) in enumerate(zip(frame[FILE], frame[LINE], strict=True)):
        try:
            of_row = _line_values(url, line, names)
        except InputError as error:
            bad[row] = str(error)
            of_row = [None] * len(names)
        for name, value in zip(names, of_row, strict=True):
            values[name].append(value)
    return values, bad


def place_of(frame: pd.DataFrame, row: int) -> str:
    """Returns the file of a line and how it begins: lines have no numbers where a file is cut in pieces."""
    path, start = _place(frame[FILE].iloc[row], frame[LINE].iloc[row])
    return f"{path}, line {start}"


def _line_values(url: str, line: bytes, names: Sequence[str]) -> list[Any]:
    path, start = _place(url, line)
    try:
        record = read_line(line.decode("utf-8-sig"), path, start)
        return [value_at(record, name) for name in names]
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {start}: byte 0x{line[error.start]:02x} is not UTF-8") from None
    except KeyError as error:
        has = ", ".join(record)
        raise InputError(f"{path}, line {start}: there is no column {error.args[0]!r}; it has {has}") from None


def _place(url: str, line: bytes) -> tuple[str, str]:
    return re.sub("^file:(//)?", "", unquote(url)), f"{line.decode('utf-8', 'replace').strip()!r:.40}"
