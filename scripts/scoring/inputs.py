"""Files to columns: lines, JSONL, CSV, TSV, Parquet and datasets, with the place of every row for messages."""

import codecs
import csv
import gzip
import io
import json
from collections.abc import Iterator
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from typing import NamedTuple

# the csv module's own limit, 131,072 characters, is shorter than some documents
_LONGEST_FIELD = 2**31 - 1
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_SUFFIXES = (".jsonl", ".csv", ".tsv", ".parquet")


class Column(NamedTuple):
    """One column of a file, one value per segment."""

    what: str  # what a message calls a value: "column reference"
    values: list[Any]
    path: str
    unit: str  # "line" or "row"
    numbers: Sequence[int]  # line or row of each value, from 1

    def place(self, row: int) -> str:
        """Returns where a value stands: "news.csv, line 12"."""
        return f"{self.path}, {self.unit} {self.numbers[row]}"


def read_lines(path: str) -> Column:
    r"""Returns the lines of a text file; they end at "\n" or "\r\n" and at no other character."""
    lines = read_text(path).split("\n")
    if not lines[-1]:
        lines.pop()
    return _filled(
        Column("the line", [line.removesuffix("\r") for line in lines], path, "line", range(1, 1 + len(lines)))
    )


def read_columns(source: str, names: Sequence[str], split: str | None = None) -> dict[str, Column]:
    """Returns the named columns of a file or dataset.

    Args:
        source: .jsonl, .csv, .tsv (each may be .gz), .parquet, or what `datasets.load_dataset` takes.
        names: columns to read.
        split: of a dataset.

    Raises:
        ValueError: a column that is missing, or a file that cannot be read; names file and line.
    """
    unit, records = _records(source, names, split)
    values: dict[str, list[Any]] = {name: [] for name in names}
    numbers = []
    for number, record in records:
        numbers.append(number)
        for name in names:
            if name not in record:
                has = ", ".join(map(str, record))
                raise ValueError(f"{source}, {unit} {number}: there is no column {name!r}; it has {has}")
            values[name].append(record[name])
    return {name: _filled(Column(f"column {name}", values[name], source, unit, numbers)) for name in names}


def read_text(path: str) -> str:
    """Returns a text file, .gz or not; ValueError names the line of a byte that is not UTF-8."""
    try:
        with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
            data = file.read().removeprefix(codecs.BOM_UTF8)
    except (gzip.BadGzipFile, EOFError) as error:
        raise ValueError(f"{path} is no gzip file, or not all of one: {error}") from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8 ({error.reason})") from None


def check_column(column: Column, kind: Any) -> None:
    """Raises ValueError with file and line where a metric's kind of column refuses a value."""
    try:
        kind.check("column", column.values)
    except ValueError:
        for row, value in enumerate(column.values):
            try:
                kind.check("column", [value])
            except ValueError as error:
                text = str(error).replace("column[0]", column.what, 1)
                raise ValueError(f"{column.place(row)}: {text}") from None
        raise


def numbers_of(column: Column) -> list[float]:
    """Returns a column of human scores as floats; ValueError names file and line of what is no number."""
    numbers = []
    for row, value in enumerate(column.values):
        try:
            # float(True) is 1.0, but an answer is no score
            numbers.append(float("no" if isinstance(value, bool) else value))
        except (TypeError, ValueError):
            raise ValueError(f"{column.place(row)}: {column.what} is {value!r:.40}; pass a number") from None
    return numbers


def _filled(column: Column) -> Column:
    if not column.values:
        raise ValueError(f"{column.path}: nothing to score, there is no {column.unit}")
    return column


def _records(source: str, names: Sequence[str], split: str | None) -> tuple[str, Iterator[tuple[int, dict[str, Any]]]]:
    """Returns "line" or "row", and the records of a source with their numbers."""
    path = Path(source)
    suffix = Path(source.removesuffix(".gz")).suffix.lower()
    if path.is_dir() or not (path.exists() or suffix in _SUFFIXES):
        return "row", _read_dataset(source, names, split)
    if split is not None:
        raise ValueError(f"--split {split}: {source} is a file, which has no splits")
    if suffix == ".jsonl":
        return "line", _read_jsonl(source)
    if suffix in _DELIMITERS:
        return "line", _read_csv(source, _DELIMITERS[suffix])
    if suffix == ".parquet":
        return "row", _read_parquet(source, names)
    raise ValueError(f"{source}: pass a file that ends in {', '.join(_SUFFIXES)}, or a dataset; a list of lines is -p")


def _read_jsonl(path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the objects of a JSONL file; blank lines are skipped."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path}, line {number}: bad JSON, {error.msg} at character {error.pos + 1}") from None
        if not isinstance(record, dict):
            raise ValueError(f"{path}, line {number}: {line.strip()!r:.40} is no object; write {{...}} on each line")
        yield number, record


def _read_csv(path: str, delimiter: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the rows of a CSV or TSV file by the names in its first row; blank rows are skipped."""
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    try:
        for row in filter(None, reader):
            if not header:
                header = row
                if len(set(header)) < len(header):
                    raise ValueError(f"{path}, line {reader.line_num}: two columns have one name: {', '.join(header)}")
            elif len(row) != len(header):
                raise ValueError(
                    f"{path}, line {reader.line_num}: {len(row)} fields, and the first row has {len(header)}"
                )
            else:
                yield reader.line_num, dict(zip(header, row, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path}, line {reader.line_num}: {error}") from None


def _read_parquet(path: str, names: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the rows of a Parquet file; of its columns only the named ones, if it has them all."""
    import pyarrow.parquet as pq

    with open(path, "rb") as file:
        try:
            has_all = set(names) <= set(pq.read_schema(file).names)
            yield from enumerate(pq.read_table(file, columns=list(names) if has_all else None).to_pylist(), start=1)
        except ValueError as error:  # of Arrow, which does not know the path
            raise ValueError(f"{path}: {error}") from None


def _read_dataset(source: str, names: Sequence[str], split: str | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the rows of a dataset: a folder, one saved by `save_to_disk`, or a name on the Hub."""
    import datasets

    if any(Path(source, name).is_file() for name in ("state.json", "dataset_dict.json")):
        dataset = datasets.load_from_disk(source)
    else:
        dataset = datasets.load_dataset(source)
    if isinstance(dataset, dict):
        if split is None and len(dataset) > 1 or split not in (None, *dataset):
            raise ValueError(f"{source} has the splits {', '.join(dataset)}; choose one with --split")
        dataset = dataset[split or next(iter(dataset))]
    if set(names) <= set(dataset.column_names):
        dataset = dataset.select_columns(list(names))
    yield from enumerate(dataset, start=1)
