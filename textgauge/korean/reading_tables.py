"""The option `readings`: which notations are read, and the user's own tables of them."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from textgauge.core.errors import InputError
from textgauge.core.options import Option, own

from .spoken import VERSION


class Readings(NamedTuple):
    """An option `readings` that was read."""

    is_korean: bool
    own: tuple[tuple[str, tuple[str, ...]], ...]  # the user's notations with their readings, the longest ones first


KOREAN = Readings(True, ())
WITHOUT_SYLLABLES = ("NFD", "NFKD")  # Unicode forms, in which nothing is read


def read_readings(value: Any) -> Readings | None:
    """Returns an option `readings` with its tables read.

    >>> read_readings(["ko", {"GPU": ["지피유", "그래픽 카드"]}])
    Readings(is_korean=True, own=(('GPU', ('지피유', '그래픽 카드')),))

    Args:
        value: None, "ko", a table of the user's own, or a list of these. A table is a dict from a notation to its
            reading or readings, or the path of a TSV file with a notation and its readings in each line.

    Raises:
        InputError: names what is wrong, for a table its entry or line.
    """
    if value is None or isinstance(value, Readings):
        return value
    parts = list(value) if isinstance(value, (list, tuple)) else [value]
    if not parts:
        raise InputError('readings is an empty list; pass None, "ko", a dict, a path, or a list of these')
    table: dict[str, tuple[str, ...]] = {}
    for part in parts:
        if part == "ko":
            continue
        for notation, readings in _table(part).items():
            known = table.get(notation, ())
            table[notation] = tuple(dict.fromkeys([*known, *readings]))
    longest_first = sorted(table.items(), key=lambda item: (-len(item[0]), item[0]))
    is_korean = any(isinstance(part, str) and part == "ko" for part in parts)
    return Readings(is_korean, tuple(longest_first))


def _table(part: Any) -> dict[str, tuple[str, ...]]:
    if isinstance(part, (str, os.PathLike)):
        return _checked(_lines(Path(part)), str(part))
    if not isinstance(part, Mapping):
        raise InputError(f'readings is {part!r:.60}; pass None, "ko", a dict, a path, or a list of these')
    entries = []
    for notation, readings in part.items():
        entries.append((notation, [readings] if isinstance(readings, str) else readings))
    return _checked(entries, "readings")


def _lines(path: Path) -> list[tuple[str, list[str]]]:
    if not os.path.isfile(path):  # pathlib's fails for a name that is too long
        raise InputError(f'readings is {str(path)!r:.200}, and there is no such file; pass "ko", or a file of readings')
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error}; save it as UTF-8") from None
    entries = []
    for line in lines:
        if line.strip():
            notation, *readings = line.split("\t")
            entries.append((notation, readings))
    return entries


def _checked(entries: list[tuple[Any, Any]], place: str) -> dict[str, tuple[str, ...]]:
    """Returns a table whose notations and readings are texts; InputError names the entry that has none."""
    table = {}
    for notation, readings in entries:
        is_list = isinstance(readings, (list, tuple)) and len(readings) > 0
        texts = [notation, *readings] if is_list else [None]
        if not all(isinstance(text, str) and text.strip() and text.isprintable() for text in texts):
            raise InputError(
                f"{place}: {notation!r:.40} has {readings!r:.60}; give each notation its readings as texts"
            )
        if notation.strip() in table:
            raise InputError(f"{place}: {notation!r:.40} occurs twice; list all its readings once")
        table[notation.strip()] = tuple(reading.strip() for reading in readings)
    return table


def readings_text(value: Any) -> str:
    """Writes an option `readings` into a signature: the version of the tables, and a digest of the user's own."""
    readings = read_readings(value)
    if readings is None:
        return "none"
    name = f"ko[{VERSION}]" if readings.is_korean else "own"
    if not readings.own:
        return name
    digest = hashlib.sha256(json.dumps(readings.own).encode()).hexdigest()[:8]
    return f"table({name},{len(readings.own)},{digest})"


def _check(value: Any) -> None:
    """Raises InputError unless this is an option `readings`."""
    read_readings(value)


def check_form(readings: Any, normalization: str | None) -> None:
    """Raises InputError where texts are compared in a form that has no syllables to read."""
    if readings is not None and normalization in WITHOUT_SYLLABLES:
        raise InputError(f"readings needs whole syllables, and normalization is {normalization!r}; pass 'NFC'")


READINGS: Option = own(
    None,
    "readings",
    "`ko`: texts that are read alike are equal, like `3개` and `세 개`, `20%` and `이십 퍼센트`, `LG` and `엘지`. Also "
    "a TSV file of your own names and words, with a notation and its readings per line; or both, separated by a comma. "
    "None: texts are compared as written.",
    lambda name, value: _check(value),
    kind="readings",
    choices=(None, "ko"),
    text=readings_text,
    in_code="Or a dict from a notation to its reading or readings, or a list of both.",
)
