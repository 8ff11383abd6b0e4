"""What every format is read into: rows, each with the number that messages name and with its fields."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from unicodedata import normalize

from ..errors import InputError
from .compressed import UTF8

ID, TEXT, SPEAKER = "id", "text", "speaker"
RECORDING, START, END = "recording", "start", "end"  # of utterances that are segmented again, and of meetings
PREDICTIONS, REFERENCES, SESSIONS = "predictions", "references", "sessions"  # what a file is read for
UNNAMED = "1"  # the session of a file that names none
Rows = Iterator[tuple[int | str, Mapping[str, Any]]]  # the line or row, from 1, or its name, and the fields
Picked = Iterator[tuple[Any, ...]]  # the line or row, and the values of the fields that were asked for


class Request(NamedTuple):
    """What is asked of a reader."""

    path: str
    encoding: str = UTF8
    names: Sequence[str] = ()  # the fields that are asked for
    role: str = ""  # PREDICTIONS, REFERENCES or SESSIONS, where it matters
    reference: str = ""  # the file with the segments that words with times belong to
    split: str | None = None  # of a dataset
    is_cut: bool = False  # whether predictions are segmented again, by the recordings and times of utterances


def value_at(fields: Mapping[str, Any], name: str) -> Any:
    """Returns a field of a row, or of a field inside it: "doc.answer", "responses.0".

    Raises:
        KeyError: no such field.
    """
    if name in fields:
        return fields[name]
    value: Any = fields
    for key in name.split("."):
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        elif isinstance(value, Mapping) and key in value:
            value = value[key]
        else:
            raise KeyError(name)
    return value


def no_column(place: str, name: str, fields: Iterable[str]) -> InputError:
    """Returns the error for the name of a missing column."""
    known = list(map(str, fields))
    alike = normalize("NFC", name) in (normalize("NFC", column) for column in known)
    hint = " in this Unicode form (NFC or NFD: copy it)" if alike else ""
    return InputError(f"{place}: there is no column {name!r}{hint}; it has {', '.join(known)}")


def column_names(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the names of all columns of records."""
    return list(dict.fromkeys(str(name) for record in records for name in record))
