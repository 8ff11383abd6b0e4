"""The columns of files, with the place of every row for messages, and what a metric refuses of them."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..errors import InputError, is_input_error
from ..saying.texts import say
from .sheets import FormattedNumber

LINE = "the line"  # what a message calls a text of a file of lines


class FileColumn(NamedTuple):
    """One column of a file, one value per segment."""

    what: str  # what a message calls a value: "column reference"
    values: list[Any]
    path: str
    unit: str  # "line", "row" or "utterance"
    numbers: Sequence[int | str]  # line or row of each value, from 1, or the id of the utterance

    def place(self, row: int) -> str:
        """Returns where a value is: "news.csv, line 12"."""
        return f"{self.path}, {self.unit} {self.numbers[row]}"

    def said_place(self, row: int) -> str:
        """Returns where a value is in the words of a note: "news.csv, line 12", or "news.csv, 줄 12"."""
        return f"{self.path}, {say(f'unit_{self.unit}')} {self.numbers[row]}"

    def texts(self) -> list[str]:
        """Returns the values as text; InputError for a missing one, or a number of a sheet in an unknown format."""
        for row, value in enumerate(self.values):
            if isinstance(value, FormattedNumber):
                raise InputError(f"{self.place(row)}: {self.what} is {value!r:.200}")
            if value is None:
                raise InputError(f"{self.place(row)}: {self.what} is None; each row needs a value")
        return list(map(str, self.values))

    def ordered(self, rows: Sequence[int]) -> "FileColumn":
        """Returns these rows of the column."""
        values = [self.values[row] for row in rows]
        numbers = [self.numbers[row] for row in rows]
        return self._replace(values=values, numbers=numbers)


def said_what(what: str) -> str:
    """Returns what a note calls a value, from what a message calls it: "column reference", or "reference 열의"."""
    kind, _, name = what.partition(" ")
    if kind == "column":
        return say("what_column", name=name)
    return say("what_unit", unit=say(f"unit_{name}")) if kind == "the" else what


def check_column(column: FileColumn, kind: Any) -> None:
    """Raises InputError with file and line where a metric's kind of column refuses a value."""
    of_column = _refusal(kind, column.values)
    if of_column is None:
        return
    for row, value in enumerate(column.values):
        of_row = _refusal(kind, [value])
        if of_row is not None:
            raise InputError(f"{column.place(row)}: {of_row.replace('column[0]', column.what)}")
    raise InputError(of_column)


def _refusal(kind: Any, values: list[Any]) -> str | None:
    """Returns why a metric's kind of column refuses values; None where it takes them."""
    try:
        kind.check("column", values)
    except ValueError as error:
        if not is_input_error(error):
            raise
        return str(error)
    return None


def numbers_of(column: FileColumn) -> list[float]:
    """Returns a column of human scores as floats, of several raters their mean.

    Raises:
        InputError: a value that is not a finite number; names file and line.
    """
    numbers = []
    for row, value in enumerate(column.values):
        of_raters = [score for score in value if score is not None] if isinstance(value, list) else [value]
        scores = [_finite(score) for score in of_raters]
        if not scores or None in scores:
            raise InputError(f"{column.place(row)}: {column.what} is {value!r:.40}; pass a number")
        numbers.append(sum(scores) / len(scores))
    return numbers


def texts_as_numbers(column: FileColumn) -> FileColumn:
    """Returns a column of numbers that has numbers for texts, as CSV and lines of text have them; the rest stays.

    Raises:
        InputError: a text that is not a finite number; names file and line.
    """
    values = []
    for row, value in enumerate(column.values):
        number = _finite(value) if isinstance(value, str) else value
        if isinstance(value, str) and number is None:
            raise InputError(f"{column.place(row)}: {column.what} is {value!r:.40}; pass a number")
        values.append(number)
    return column._replace(values=values)


def _finite(value: Any) -> float | None:
    """Returns a number; None for anything else."""
    try:
        # float(True) is 1.0, but an answer is not a score
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
