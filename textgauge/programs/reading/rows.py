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
    """Returns a field of a row, or what is inside it: "doc.answer", "responses.0", "messages.-1.content".

    A name behind a list of objects gives the list of their fields: "refs.text".

    Raises:
        KeyError: no such field.
    """
    if name in fields:
        return fields[name]
    value: Any = fields
    keys = name.split(".")
    for place, key in enumerate(keys):
        is_number = key.removeprefix("-").isdecimal()
        if isinstance(value, list) and is_number and -len(value) <= int(key) < len(value):
            value = value[int(key)]
        elif are_objects(value) and not is_number:
            further = ".".join(keys[place:])
            return [value_at(item, further) for item in value]
        elif isinstance(value, Mapping) and key in value:
            value = value[key]
        else:
            raise KeyError(name)
    return value


def are_objects(value: Any) -> bool:
    """Returns whether a value is a list of objects."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def no_column(place: str, name: str, fields: Iterable[str]) -> InputError:
    """Returns the error for the name of a missing column, with the paths of those that there are."""
    parent = name.partition(".")[0]
    if isinstance(fields, Mapping) and fields.get(parent, "") is None:
        return InputError(f"{place}: there is no column {name!r}, because {parent} is null here")
    known = list(map(str, fields))
    alike = normalize("NFC", name) in (normalize("NFC", column) for column in known)
    hint = " in this Unicode form (NFC or NFD: copy it)" if alike else ""
    several = [part.strip() for part in name.split(",")]
    if len(several) > 1 and set(several) <= set(known):
        hint = "; repeat the option, with one column each"
    shown = paths_of(fields) if isinstance(fields, Mapping) else known
    return InputError(f"{place}: there is no column {name!r:.200}{hint}; it has {', '.join(shown):.1000}")


def paths_of(fields: Mapping[str, Any]) -> list[str]:
    """Returns the names of fields; of an object or a list of objects those inside, such as "data.text"."""
    paths = []
    for name, value in fields.items():
        inside = value[0] if are_objects(value) else value
        paths += [f"{name}.{key}" for key in inside] if isinstance(inside, Mapping) and inside else [str(name)]
    return paths


def column_names(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Returns the names of all columns of records."""
    return list(dict.fromkeys(str(name) for record in records for name in record))
