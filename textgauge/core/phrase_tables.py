"""Tables of phrases with weights that a user passes: read and checked."""

import contextlib
import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .columns import has_lone_surrogate
from .errors import InputError
from .options import is_number
from .tables import read_table, table_text

_SHOWN = 10  # unused phrases: a table may hold many thousands
# for the help of options
PHRASES_AND_WEIGHTS = "a table, or a file (JSON; TSV or CSV with a phrase and a weight per line)."
_LIMIT = 2.0  # Oh et al., section 3: weights in [-2, 2]


def read_weights(
    weights: Any, low: float = -_LIMIT, high: float = _LIMIT, is_one_table: bool = False
) -> dict[str, float] | list[dict[str, float]]:
    """Returns the option `weights` as one table for the whole corpus, or as a list of tables, one per segment.

    >>> read_weights({"시폰지": 1, "말해": 1.5}), read_weights(None)
    ({'시폰지': 1.0, '말해': 1.5}, {})

    Args:
        weights: a dict phrase -> weight, a list of such dicts, or the path of a file: JSON with either of these, or TSV
            or CSV with a phrase and a weight per line. None is an empty table.
        low: smallest weight.
        high: largest weight.
        is_one_table: a list of tables may not be passed.

    Raises:
        InputError: names the phrase, or the file and the line, and what is wrong with it.
    """
    name = "weights"
    wanted = "a dict phrase -> weight" if is_one_table else "a dict phrase -> weight, or a list of dicts"
    if isinstance(weights, (str, Path)):
        name = str(weights)
        advice = "give each phrase one weight"
        weights = read_table("weights", Path(weights), _read_weight_lines, wanted, advice)
    if weights is None or isinstance(weights, Mapping):
        return _checked_table(weights or {}, name, low, high)

    is_list = isinstance(weights, (list, tuple)) and not is_one_table
    if not is_list or not all(isinstance(table, Mapping) for table in weights):
        raise InputError(f"{name} is {weights!r:.60}; pass {wanted.replace(' or', '')}, or a file's path")
    checked: dict[int, dict[str, float]] = {}  # many segments may share a table, which is checked once
    for row, table in enumerate(weights):
        if id(table) not in checked:
            checked[id(table)] = _checked_table(table, f"{name}[{row}]", low, high)
    return [checked[id(table)] for table in weights]


def distinct_tables(tables: list[dict[str, float]]) -> tuple[list[dict[str, float]], np.ndarray]:
    """Returns each table once, and for each segment the number of its table, (n_segments,).

    >>> table = {"가": 2.0}
    >>> tables, numbers = distinct_tables([table, {}, table])
    >>> tables, numbers.tolist()
    ([{'가': 2.0}, {}], [0, 1, 0])
    """
    index_of: dict[int, int] = {}
    distinct = []
    for table in tables:
        if id(table) not in index_of:
            index_of[id(table)] = len(distinct)
            distinct.append(table)
    numbers = [index_of[id(table)] for table in tables]
    return distinct, np.array(numbers, dtype=np.int64)


def _checked_table(table: Mapping[Any, Any], name: str, low: float, high: float) -> dict[str, float]:
    """Returns a table of weights; raises InputError that names a wrong phrase."""
    # a table of plain strings and numbers is checked as a whole; any other one is gone through, to name a wrong phrase
    weights = table.values()
    are_numbers = set(map(type, weights)) <= {float, int}
    if set(map(type, table)) <= {str} and are_numbers and all(low <= weight <= high for weight in weights):
        with contextlib.suppress(UnicodeEncodeError):
            "".join(table).encode()
            return dict(zip(table, map(float, weights), strict=True))
    for phrase, weight in table.items():
        if not isinstance(phrase, str) or has_lone_surrogate(phrase):
            raise InputError(f"{name} has the key {phrase!r:.200}; a phrase is a string of valid Unicode")
        if not is_number(weight) or not low <= weight <= high:
            raise InputError(f"{name}[{phrase!r:.200}] is {weight!r:.200}; pass a number in [{low:g}, {high:g}]")
    return {phrase: float(weight) for phrase, weight in table.items()}


def _read_weight_lines(path: Path, text: str) -> Iterator[tuple[str, float]]:
    """Yields the phrase and the weight on each line of TSV or CSV; a heading is left out."""
    is_csv = path.suffix.lower() == ".csv"
    lines = csv.reader(
        io.StringIO(text, newline=""),
        delimiter="," if is_csv else "\t",
        quoting=csv.QUOTE_MINIMAL if is_csv else csv.QUOTE_NONE,
    )
    try:
        for line in lines:
            if not line or (lines.line_num == 1 and line[1:] == ["weight"]):
                continue
            phrase, weight = line
            yield phrase, float(weight)
    except csv.Error as error:  # such as a phrase longer than a field may be
        raise InputError(f"{path}, line {lines.line_num}: {error}") from None
    except ValueError:
        mark = "comma" if is_csv else "tab"
        raise InputError(
            f"{path}, line {lines.line_num}: {line!r:.200}; a line is a phrase and its weight, with a {mark} between"
        ) from None


def unused_entries(unused: list[str], is_all: bool = False) -> dict[str, Any]:
    """Returns the keys of a result for phrases without effect: how many there are, and ten of them at most, or all.

    >>> unused_entries(["주때요"])
    {'unused_count': 1, 'unused_keys': ['주때요']}
    """
    return {"unused_count": len(unused), "unused_keys": unused if is_all else unused[:_SHOWN]}


def weights_text(weights: Any, read: Callable[[Any], Any] = read_weights) -> str:
    """Returns weights as a signature has them: how many phrases there are, and a digest of the tables.

    >>> weights_text({"시폰지": 1.5}), weights_text(None)
    ('table(1,7bee812d)', 'none')
    """
    tables = read(weights)
    if not tables:
        return "none"
    count = len(tables) if isinstance(tables, dict) else sum(map(len, tables))
    return table_text(count, tables)
