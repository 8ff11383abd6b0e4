"""Records of JSONL, JSON, CSV and TSV files, one dict per segment, with the line or row of each."""

import csv
import json
from collections.abc import Iterator, Mapping
from typing import Any

from .compressed import UTF8, opened

# the csv module's own limit, 131,072 characters, is shorter than some documents
_LONGEST_FIELD = 2**31 - 1
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
RECORD_SUFFIXES = (".jsonl", ".json", *_DELIMITERS)


def unit_of(suffix: str) -> str:
    """Returns what the number of a record counts: the rows of a JSON list, the lines of other files."""
    return "row" if suffix == ".json" else "line"


def read_records(path: str, suffix: str, encoding: str = UTF8) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields number and fields of each record.

    Raises:
        ValueError: what is not of the format that the suffix says; names file and line.
    """
    if suffix == ".jsonl":
        return _read_jsonl(path, encoding)
    return _read_json(path, encoding) if suffix == ".json" else _read_csv(path, _DELIMITERS[suffix], encoding)


def value_at(record: Mapping[str, Any], name: str) -> Any:
    """Returns a field of a record, or what is inside one: "doc.answer", "responses.0".

    Raises:
        KeyError: there is none.
    """
    if name in record:
        return record[name]
    value: Any = record
    for key in name.split("."):
        is_list = isinstance(value, list)
        is_there = key.isdecimal() and int(key) < len(value) if is_list else isinstance(value, Mapping) and key in value
        if not is_there:
            raise KeyError(name)
        value = value[int(key) if is_list else key]
    return value


def _read_jsonl(path: str, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the objects of a JSONL file; blank lines are skipped."""
    with opened(path, "\n", encoding) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            yield number, read_line(line, path, number)


def read_line(line: str, path: str, number: int | str) -> dict[str, Any]:
    """Returns the object of a line of JSONL; ValueError names file and number, or how the line begins."""
    return _object(_parsed(line, path, number), f"{path}, line {number}", line.strip(), "on each line")


def _parsed(text: str, path: str, number: int | str | None = None) -> Any:
    """Returns what JSON says, of a file or of one line of it; ValueError names the line of what is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = number or error.lineno
        raise ValueError(f"{path}, line {line}: bad JSON, {error.msg} at character {error.colno}") from None
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        place = path if number is None else f"{path}, line {number}"
        raise ValueError(f"{place}: bad JSON, {error}") from None


def _object(value: Any, place: str, text: str, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{place}: {text!r:.40} is no object; write {{...}} {where}")
    return value


def _read_csv(path: str, delimiter: str, encoding: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields the rows of a CSV or TSV file by the names in its first row; blank rows are skipped."""
    csv.field_size_limit(_LONGEST_FIELD)
    with opened(path, "", encoding) as file:
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        header: list[str] = []
        try:
            for row in filter(None, reader):
                place = f"{path}, line {reader.line_num}"
                if not header:
                    header = row
                    if len(set(header)) < len(header):
                        raise ValueError(f"{place}: two columns have one name: {', '.join(header)}")
                elif len(row) != len(header):
                    raise ValueError(f"{place}: {len(row)} fields, and the first row has {len(header)}")
                else:
                    yield reader.line_num, dict(zip(header, row, strict=True))
        except csv.Error as error:
            raise ValueError(f"{path}, line {reader.line_num}: {error}") from None


def _read_json(path: str, encoding: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the records of a JSON file: a list of objects, an object with a list for each column, or a log."""
    with opened(path, "\n", encoding) as file:
        content = _parsed(file.read(), path)
    if isinstance(content, dict) and isinstance(content.get("eval"), dict):  # a log of inspect_ai
        content = content.get("samples")
    if isinstance(content, dict) and content and all(isinstance(column, list) for column in content.values()):
        sizes = {name: len(column) for name, column in content.items()}
        if len(set(sizes.values())) > 1:
            raise ValueError(f"{path}: its lists differ in length: {sizes}")
        content = [dict(zip(content, row, strict=True)) for row in zip(*content.values(), strict=True)]
    if not isinstance(content, list):
        raise ValueError(f"{path}: pass a list of objects, or an object with a list for each column")
    for number, record in enumerate(content, start=1):
        yield number, _object(record, f"{path}, row {number}", repr(record), "in the list")
