"""Records of JSONL, JSON, CSV, TSV and Excel files, one dict per segment, with the line or row of each."""

import csv
import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import InputError
from .compressed import numbered_lines, opened, suffix_of
from .logs import ID, has_epochs, is_log, samples_of
from .recognisers import SOUNDS, annotations_of, is_manifest, segments_of
from .rows import SESSIONS, TEXT, Request, Rows, are_objects
from .sheets import sheet_rows

# the csv module's own limit, 131,072 characters, is shorter than some documents
_LONGEST_FIELD = 2**31 - 1
_LONGEST_JSON = 2**30  # characters, which are in memory all at once
_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def is_of_epochs(path: str, encoding: str) -> bool:
    """Returns whether a file is a log whose samples were answered more than once."""
    return suffix_of(path) == ".json" and has_epochs(_content(path, encoding))


def read_jsonl(request: Request) -> Rows:
    """Yields the objects of a JSONL file; blank lines are skipped."""
    for number, line in numbered_lines(request.path, request.encoding):
        if line.strip():
            yield number, read_line(line, request.path, number)


def read_line(line: str, path: str, number: int | str) -> dict[str, Any]:
    """Returns the object of a line of JSONL; InputError names file and number, or how the line begins."""
    return _object(_parsed(line, path, number), f"{path}, line {number}", line.strip(), "on each line")


def _parsed(text: str, path: str, number: int | str | None = None) -> Any:
    """Parses the JSON of a file or of one of its lines; InputError names the bad line."""
    place = path if number is None else f"{path}, line {number}"
    try:
        return json.loads(text, object_pairs_hook=_fields)
    except json.JSONDecodeError as error:
        place = f"{path}, line {number or error.lineno}"
        if error.msg.startswith("Unterminated") or not text[error.pos :].strip():
            reason = f"it is cut off after {text.strip()[-20:]!r}"
        else:
            reason = f"{error.msg} at character {error.colno}"
        raise InputError(f"{place}: bad JSON, {reason}") from None
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        raise InputError(f"{place}: bad JSON, {error}") from None


def _fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the fields of an object, of which json would silently keep the last of each name."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter([name for name, _ in pairs])
        twice = next(name for name, count in counts.items() if count > 1)
        raise InputError(f"the key {twice!r:.200} occurs twice")
    return fields


def _object(value: Any, place: str, text: str, where: str) -> dict[str, Any]:
    is_list_of_texts = isinstance(value, list) and bool(value) and all(isinstance(item, str) for item in value)
    if is_list_of_texts or isinstance(value, str):
        return {TEXT: value}
    if not isinstance(value, dict):
        raise InputError(f"{place}: {text!r:.40} is not an object; write {{...}} {where}")
    return value


def read_csv(request: Request) -> Rows:
    """Yields the rows of a table with commas by the names in its first row; see `_rows_by_header`."""
    return _rows_by_header(request.path, "line", _cells(request, ","), ",")


def read_tsv(request: Request) -> Rows:
    """Yields the rows of a table with tabs, likewise."""
    return _rows_by_header(request.path, "line", _cells(request, "\t"), "\t")


def read_sheet(request: Request) -> Rows:
    """Yields the rows of a sheet of Excel, likewise."""
    return _rows_by_header(request.path, "row", itertools.dropwhile(_is_title, sheet_rows(request.path)))


def _is_title(numbered: tuple[int, list[Any]]) -> bool:
    """Returns whether a row of a sheet has one text beside several empty cells, as a title above a table."""
    _, row = numbered
    return len(row) > 2 and sum(map(bool, row)) == 1


def _cells(request: Request, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the cells of each row of a CSV or TSV file, with the number of its last line."""
    csv.field_size_limit(_LONGEST_FIELD)
    # lines end at LF here, so that the reader finds a CR inside a cell that is not quoted
    lines = (line for _, line in numbered_lines(request.path, request.encoding))
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        first = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            is_quote = "new-line" not in str(error)
            reason = "its quotes do not match; double those inside a text" if is_quote else "a CR outside quotes"
            raise InputError(f"{request.path}, line {first}: {reason}") from None
        if row is None:
            return
        yield reader.line_num, row


def _rows_by_header(
    path: str, unit: str, rows: Iterable[tuple[int, list[str]]], delimiter: str = ""
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields rows by the names in the first one; of one column a blank row is an empty cell, and else it is skipped."""
    header: list[str] = []
    for number, row in rows:
        place = f"{path}, {unit} {number}"
        is_blank = not row or (unit == "row" and not any(row))
        if is_blank and len(header) != 1:
            continue
        row = row or [""]
        if not header:
            header = row
            _check_header(place, header, delimiter)
        elif len(row) != len(header):
            raise InputError(f"{place}: {len(row)} fields, but the first row has {len(header)}")
        elif delimiter == "\t" and _is_rows(row):
            raise InputError(f"{place}: quotes join several lines into one field; save it as .csv or .jsonl")
        else:
            yield number, dict(zip(header, row, strict=True))


def _is_rows(row: list[str]) -> bool:
    """Returns whether each line of a row has all cells, as where many write tabs: a quote is then one of the text."""
    lines = "\t".join(row).split("\n")
    return len(lines) > 1 and all(line.count("\t") == len(row) - 1 for line in lines)


def _check_header(place: str, header: list[str], delimiter: str) -> None:
    """Raises InputError for names that are there twice, or that another separator keeps together."""
    recording = next((name for name in header if name.strip().lower().endswith(SOUNDS)), None)
    if recording:
        raise InputError(f"{place}: {recording!r:.40} is a recording, no name of a column; add a row of names above it")
    if len(set(header)) < len(header):
        raise InputError(f"{place}: two columns have the same name: {', '.join(header):.200}")
    if not delimiter or len(header) > 1:
        return
    separators = [name for mark, name in _SEPARATORS.items() if mark in header[0]]
    if separators:
        wanted = f"{_SEPARATORS[delimiter]}, or name a table with tabs .tsv" if delimiter == "," else "tabs"
        raise InputError(f"{place}: {header[0]!r:.60} has {separators[0]} between the columns; save it with {wanted}")


def read_json(request: Request) -> Rows:
    """Yields the records of a JSON file: a list of objects or texts, texts by id, a list for each column, a log, or
    the segments of a transcription.
    """
    path = request.path
    content = _content(path, request.encoding)
    if isinstance(content, dict) and is_manifest([content]):  # of one recording, on one line
        content = [content]
    elif is_log(content):
        content = samples_of(content, path)
    elif isinstance(content, dict) and content:
        segments = segments_of(content, path, with_speakers=request.role == SESSIONS)
        content = segments or annotations_of(content) or _rows_of(content, path)
    if not isinstance(content, list):
        raise InputError(
            f"{path}: pass a list of objects or texts, texts by id, or an object with a list for each column"
        )
    for number, record in enumerate(content, start=1):
        yield number, _object(record, f"{path}, row {number}", repr(record), "in the list")


def _content(path: str, encoding: str) -> Any:
    """Returns the content of a JSON file."""
    with opened(path, encoding) as file:
        text = file.read(_LONGEST_JSON)
    if len(text) == _LONGEST_JSON:
        raise InputError(f"{path}: longer than {_LONGEST_JSON:,} characters; write it as .jsonl, one record per line")
    text = text.removeprefix("\ufeff")
    if not _has_lines(text):
        return _parsed(text, path)
    numbered = enumerate(text.split("\n"), start=1)
    return [_parsed(line, path, number) for number, line in numbered if line.strip()]


def _has_lines(text: str) -> bool:
    """Returns whether a text is an object on each line, as NeMo writes manifests that it calls .json."""
    first_line, _, further_lines = text.lstrip().partition("\n")
    if not further_lines.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(first_line), dict)
    except (ValueError, RecursionError):
        return False


def _is_text_by_id(key: str, value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and key.isdecimal())


def _rows_of(content: dict[str, Any], path: str) -> Any:
    """Returns the records of an object: of texts by id, or of one list for each column; else the object.

    Lists by numbers are references by id; an object with "id" or "text" is one record, of which there should be a list.
    """
    if all(_is_text_by_id(key, text) for key, text in content.items()):
        if ID in content or TEXT in content:
            return content
        return [{ID: key, TEXT: text} for key, text in content.items()]
    columns = {name: column for name, column in content.items() if isinstance(column, list)}
    has_rows = len(columns) > 1 or any(map(are_objects, columns.values()))  # beside a version, a score and the like
    if len(columns) < len(content) and (not has_rows or {ID, TEXT} & content.keys()):
        return content
    sizes = {name: len(column) for name, column in columns.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(f"{path}: its lists differ in length: {sizes}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
