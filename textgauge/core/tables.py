"""Tables that a user passes as an option: read from a file, and named in a signature by their size and a digest."""

import functools
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from .errors import InputError


def read_text(option: str, path: str | os.PathLike) -> str:
    """Returns the text of a file, without a byte order mark.

    Raises:
        ValueError: names the option if the file is missing, and the file if it is not UTF-8.
    """
    if not os.path.isfile(path):  # pathlib's fails for a name that is too long
        what = "that is a folder; pass a file" if os.path.isdir(path) else "there is no such file"
        raise InputError(f"{option} is {str(path)!r:.200}, and {what}")
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: {error}; save it as UTF-8") from None


def read_table(
    option: str,
    path: Path,
    read_lines: Callable[[Path, str], Iterable[tuple[str, Any]]],
    wanted: str,
    advice: str,
    read_integer: Callable[[str], Any] = float,
) -> Any:
    """Returns the content of a file: its JSON, or a dict of its lines.

    Args:
        option: its name, for messages.
        path: of the file; JSON if its name ends in .json.
        read_lines: (path, text) -> pairs of key and value, for other files.
        wanted: what may be passed, for the message about JSON that is nested too deep.
        advice: what to do about a key that occurs twice, for the message.
        read_integer: integers of JSON; Python's own `int` raises an error for thousands of digits.

    Raises:
        ValueError: names the file, and the key or the line, and what is wrong with it.
    """
    text = read_text(option, path)
    as_dict = functools.partial(_as_dict, path, advice)
    if path.suffix.lower() != ".json":
        return as_dict(list(read_lines(path, text)))
    try:
        return json.loads(text, object_pairs_hook=as_dict, parse_int=read_integer)
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not JSON: {error}") from None
    except RecursionError:
        raise InputError(f"{path} is nested too deep; pass {wanted}") from None


def _as_dict(path: Path, advice: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a dict of these pairs; raises InputError for a key that occurs twice."""
    table = dict(pairs)
    if len(table) < len(pairs):
        [(key, _)] = Counter(key for key, _ in pairs).most_common(1)
        raise InputError(f"{path}: {key!r:.200} occurs twice; {advice}")
    return table


def digest(text: str) -> str:
    """Returns eight hexadecimal digits that tell texts apart in a signature.

    >>> digest("한글"), digest("한국")
    ('bd87f9bb', '1eb7da6d')
    """
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def table_text(size: int, table: Any) -> str:
    """Returns a table as a signature has it: `table(2,…)` with its size and a digest of what it holds.

    >>> table_text(2, {"한글": 2.0, "책": 1.5})
    'table(2,4450d018)'
    """
    return f"table({size},{digest(json.dumps(table, sort_keys=True))})"
