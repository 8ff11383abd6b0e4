"""What is stored by columns: Parquet files, and datasets of the library of that name."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from .further_packages import needed_by
from .rows import Picked, Request, no_column, value_at

_ROWS = 2**13  # taken at once
_PEEKED = 64  # rows that tell which columns hold text; they may hold pictures


def first_of_parquet(request: Request) -> list[dict[str, Any]]:
    """Returns the rows that a Parquet file begins with."""
    path = request.path
    with opened_parquet(path) as file:
        batch = next(file.iter_batches(_PEEKED), None)
        if batch is None:
            return []
        columns = [plain_values(path, name, batch[name]) for name in batch.schema.names]
        return [dict(zip(batch.schema.names, values, strict=True)) for values in zip(*columns, strict=True)]


def read_parquet(request: Request) -> Picked:
    """Yields number and values of each row of a Parquet file."""
    path, names = request.path, request.names
    with opened_parquet(path) as parquet:
        stored = _stored_columns(path, names, parquet.schema_arrow.names)
        yield from _stored_rows(path, _tables(path, parquet.iter_batches(_ROWS, columns=stored)), names)


def _tables(path: str, batches: Iterable[Any]) -> Iterator[dict[str, list[Any]]]:
    """Yields the columns of each batch of a Parquet file."""
    first = 1
    for batch in batches:
        yield {name: plain_values(path, name, batch[name], first) for name in batch.schema.names}
        first += batch.num_rows


def plain_values(path: str, name: str, column: Any, first: int = 1) -> list[Any]:
    """Returns the values of an Arrow column; InputError for a text that is not UTF-8; `first` is its first row."""
    try:
        return column.to_pylist()
    except UnicodeDecodeError:
        for row, value in enumerate(column, start=first):
            try:
                value.as_py()
            except UnicodeDecodeError as error:
                raise InputError(
                    f"{path}, row {row}: column {name} is not UTF-8: {error}; store bytes as binary, or texts as UTF-8"
                ) from None
        raise


@contextlib.contextmanager
def opened_parquet(path: str) -> Iterator[Any]:
    """Opens a Parquet file; InputError for another file, or for two columns with the same name."""
    with needed_by(f"{path}, a Parquet file,"):
        import pyarrow as pa
        import pyarrow.parquet as pq
    with open(path, "rb") as file:
        try:
            parquet = pq.ParquetFile(file, pre_buffer=False)  # a buffer would hold all that was read, to the end
            names = parquet.schema_arrow.names
            if len(set(names)) < len(names):
                raise InputError(f"{path}: two columns have the same name: {', '.join(names):.200}")
            yield parquet
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:  # it does not know the path
            raise InputError(f"{path}: {error}") from None


def read_dataset(request: Request) -> Picked:
    """Yields number and values of each row of a dataset: a folder, one of `save_to_disk`, or a name on the Hub."""
    source, names, split = request.path, request.names, request.split
    dataset = _loaded_dataset(source)
    if isinstance(dataset, dict):
        if split is None and len(dataset) > 1 or split not in (None, *dataset):
            raise InputError(f"{source} has the splits {', '.join(dataset)}; choose one with --split")
        dataset = dataset[split or next(iter(dataset))]
    elif split is not None:
        raise InputError(f"--split {split}: {source} has no splits")
    stored = _stored_columns(source, names, dataset.column_names)
    try:
        yield from _stored_rows(source, dataset.select_columns(stored).iter(_ROWS), names)
    except UnicodeDecodeError:
        for name in stored:
            plain_values(source, name, dataset.data.column(name))  # which names the column
        raise


def _loaded_dataset(source: str) -> Any:
    """Returns a dataset, or its splits by name; InputError says what cannot be read."""
    with needed_by(f"{source}, a dataset,"):
        import datasets
    if not sys.stderr.isatty():  # as bars of our own
        datasets.disable_progress_bars()
    is_saved = any(Path(source, name).is_file() for name in ("state.json", "dataset_dict.json"))
    load = datasets.load_from_disk if is_saved else datasets.load_dataset
    try:
        return load(source)
    except OSError:
        raise
    except (ValueError, datasets.exceptions.DatasetsError) as error:
        raise InputError(f"{source}: {error.__cause__ or error}") from None


def _stored_columns(source: str, names: Sequence[str], has: Sequence[str]) -> list[str]:
    """Returns the columns that hold what is asked for: "doc" for "doc.answer"."""
    columns = {name: name if name in has else name.partition(".")[0] for name in names}
    for name, column in columns.items():
        if column not in has:
            raise no_column(f"{source}, row 1", name, has)
    return list(dict.fromkeys(columns.values()))


def _stored_rows(source: str, tables: Iterable[Mapping[str, list[Any]]], names: Sequence[str]) -> Picked:
    """Yields number and values of each row of data that are stored by columns."""
    first = 1
    for table in tables:
        columns = [_stored_values(source, table, name, first) for name in names]
        numbers = range(first, first + len(columns[0]))
        yield from zip(numbers, *columns, strict=True)
        first = numbers.stop


def _stored_values(source: str, table: Mapping[str, list[Any]], name: str, first: int) -> list[Any]:
    """Returns a column of a table, or what is inside one; `first` is the number of its first row."""
    if name in table:
        return table[name]
    column = name.partition(".")[0]
    values = []
    for number, value in enumerate(table[column], start=first):
        try:
            values.append(value_at({column: value}, name))
        except KeyError:
            raise no_column(f"{source}, row {number}", name, table) from None
    return values
