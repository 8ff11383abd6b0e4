"""Files to columns: lines, records, Parquet and datasets, with the place of every row for messages."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, is_input_error
from ..saying.texts import say
from .compressed import UTF8, numbered_lines, shown_path, suffix_of
from .records import RECORD_SUFFIXES, TEXT, read_records, unit_of, value_at
from .sheets import FormattedNumber
from .stored_columns import no_column, opened_parquet, plain_values, read_dataset, read_parquet

STORED = (".parquet",)
_SUFFIXES = (*RECORD_SUFFIXES, *STORED)
_PEEKED, _PEEKED_STORED = 1000, 64  # rows that tell which columns hold text; stored ones may hold pictures
LINE = "the line"  # what a message calls a text of a file of lines
_MARKUP = "markup; pass the texts alone, one segment per line"
_OFFICE = "a file of an office program; save a table as CSV (UTF-8), or texts with one segment per line"
TURNS = "turns of speakers, without words; cpwer and cpcer read it beside a .ctm file of the same name"
_NOT_LINES = {
    ".rttm": TURNS,
    ".psv": "a table with another separator; save it as .csv or .tsv",
    ".eval": "a packed log; `inspect log convert --to json` makes a .json of it, which is read",
    **dict.fromkeys(
        (".trn", ".stm", ".ctm", ".srt", ".vtt"),
        "a transcript, which score and compare take as predictions or references",
    ),
    **dict.fromkeys((".zip", ".tar", ".tgz", ".7z", ".lz4"), "packed in a way that is not read; unpack it"),
    **dict.fromkeys((".sgm", ".sgml", ".xml", ".html"), _MARKUP),
    **dict.fromkeys((".xls", ".xlsm", ".xlsb", ".ods", ".doc", ".docx", ".odt", ".hwp", ".hwpx", ".pdf"), _OFFICE),
}


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
        """Returns the values as text; InputError for a number of a sheet in a format that is not read."""
        for row, value in enumerate(self.values):
            if isinstance(value, FormattedNumber):
                raise InputError(f"{self.place(row)}: {self.what} is {value!r:.200}")
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


def read_line_batches(path: str, size: int | None, encoding: str = UTF8) -> Iterator[FileColumn]:
    r"""Yields the lines of a text file, `size` at once, or all; lines end at "\n" or "\r\n" only."""
    check_readable(path)
    shown = shown_path(path)
    for numbers, lines in _batches(numbered_lines(path, encoding), size, shown, "line"):
        texts = [line.removesuffix("\n").removesuffix("\r") for line in lines]
        for number, text in zip(numbers, texts, strict=True):
            if "\r" in text.rstrip("\r"):
                raise InputError(f"{shown}, line {number}: a CR (\\r) inside; save it with lines that end in LF (\\n)")
        yield FileColumn(LINE, texts, shown, "line", numbers)


def check_readable(path: str) -> None:
    """Raises InputError for a file whose name says that it holds neither lines of text nor columns."""
    if suffix_of(path) in _NOT_LINES:
        raise InputError(f"{shown_path(path)} is {_NOT_LINES[suffix_of(path)]}")


def read_column_batches(
    source: str, names: Sequence[str], split: str | None, size: int | None, encoding: str = UTF8
) -> Iterator[dict[str, FileColumn]]:
    """Yields the named columns of a file or dataset, `size` rows at once; all of them for None.

    Args:
        source: .jsonl, .json, .csv, .tsv (also .gz, .bz2, .xz or .zst), .xlsx, .parquet, or what
            `datasets.load_dataset` takes.
        names: columns to read, or what is inside, as "doc.answer" or "responses.0".
        split: of a dataset.
        size: rows of a batch.
        encoding: of a file of text.

    Raises:
        InputError: a column that is missing, or a file that cannot be read; names file and line.
    """
    unit, rows = _rows(source, names, split, encoding)
    for numbers, *columns in _batches(rows, size, source, unit):
        yield {
            name: FileColumn(f"column {name}", values, source, unit, numbers)
            for name, values in zip(names, columns, strict=True)
        }


def is_table(path: str) -> bool:
    """Returns whether the name of a file says that it has named columns."""
    return suffix_of(path) in _SUFFIXES


def first_records(path: str, encoding: str = UTF8) -> list[dict[str, Any]]:
    """Returns the records that a file with named columns begins with."""
    suffix = suffix_of(path)
    if suffix != ".parquet":
        numbered = itertools.islice(read_records(path, suffix, encoding), _PEEKED)
        return [record for _, record in numbered]
    with opened_parquet(path) as file:
        batch = next(file.iter_batches(_PEEKED_STORED), None)
        if batch is None:
            return []
        columns = [plain_values(path, name, batch[name]) for name in batch.schema.names]
        return [dict(zip(batch.schema.names, values, strict=True)) for values in zip(*columns, strict=True)]


def column_names(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the names of all columns of records."""
    return list(dict.fromkeys(str(name) for record in records for name in record))


def text_column(path: str, records: Sequence[Mapping[str, Any]], taken: Collection[str], flag: str) -> str:
    """Returns the one column that holds text.

    Args:
        path: of the file, for a message.
        records: that it begins with.
        taken: columns that are something else, such as ids.
        flag: option that names the column.

    Raises:
        InputError: no column, or more than one; names all columns.
    """
    if not records:
        raise InputError(f"{path}: nothing to score: it has no {unit_of(suffix_of(path))}")
    names = [name for name in column_names(records) if name not in taken]
    texts = []
    for name in names:
        if len(names) == 1 or any(_is_text(record.get(name)) for record in records):
            texts.append(name)
    if len(texts) != 1 or (TEXT in names and texts != [TEXT]):
        raise InputError(f"{path} has the columns {', '.join(column_names(records))}; choose one with {flag}")
    return texts[0]


def _is_text(value: Any) -> bool:
    """Returns whether a cell holds text, maybe inside: neither a number, also as CSV has it, nor nothing."""
    if isinstance(value, dict):
        return any(map(_is_text, value.values()))
    if isinstance(value, list):
        return any(map(_is_text, value))
    if not isinstance(value, str) or not value.strip():
        return False
    try:
        return math.isnan(float(value))
    except ValueError:
        return True


def _batches(rows: Iterator[tuple[Any, ...]], size: int | None, source: str, unit: str) -> Iterator[list[list[Any]]]:
    """Yields the columns of `size` rows at once, of all for None; InputError without a row."""
    is_empty = True
    while batch := list(itertools.islice(rows, size)):
        yield list(map(list, zip(*batch, strict=True)))
        is_empty = False
    if is_empty:
        raise InputError(f"{source}: nothing to score: it has no {unit}")


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


def _rows(source: str, names: Sequence[str], split: str | None, encoding: str) -> tuple[str, Iterator[tuple[Any, ...]]]:
    """Returns "line" or "row", and for each row of a source its number and the values of the named columns."""
    suffix = suffix_of(source)
    is_name_of_dataset = not Path(source).exists() and suffix not in _SUFFIXES
    if is_name_of_dataset or Path(source).is_dir():
        return "row", read_dataset(source, names, split)
    if split is not None:
        raise InputError(f"--split {split}: {source} is a file, which has no splits")
    if suffix == ".parquet":
        return "row", read_parquet(source, names)
    if suffix not in _SUFFIXES:
        check_readable(source)
        raise InputError(
            f"{source}: pass a file that ends in {', '.join(_SUFFIXES)}, or a dataset; a text file, one segment per "
            "line, goes to --predictions and --references"
        )
    return unit_of(suffix), _read_records(source, names, suffix, encoding)


def _read_records(path: str, names: Sequence[str], suffix: str, encoding: str) -> Iterator[tuple[Any, ...]]:
    """Yields number and values of each record of a file of text."""
    unit = unit_of(suffix)
    for number, record in read_records(path, suffix, encoding):
        try:
            values = [value_at(record, name) for name in names]
        except KeyError as error:
            raise no_column(f"{path}, {unit} {number}", error.args[0], record) from None
        yield number, *values
