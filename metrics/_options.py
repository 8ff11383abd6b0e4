"""The options of a metric: what each is by default, what may be passed, how a signature writes it, what it does.

Each option is said once, in the table `OPTIONS` of its metric. The parameters of `_compute` and their help, the checks
at the door, the signature and its inverse, the help on the command line, the app's control and the card's table all
come from there.
"""

import difflib
import functools
import inspect
import math
import numbers
import sys
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any
from typing import NamedTuple

import numpy as np

_WORDS = {True: "yes", False: "no", None: "none"}


def value_text(value: Any) -> str:
    """Writes a value as a signature has it: yes, no, none, or as it is; a comma ends each entry of a list."""
    if isinstance(value, (list, tuple)):
        return "".join(f"{value_text(entry)}," for entry in value)
    return _WORDS[value] if value is None or isinstance(value, bool) else str(value)


class Option(NamedTuple):
    """An option of a metric."""

    default: Any
    key: str  # in a signature; "" where it changes no score
    help: str
    kind: str  # how people enter it: "flag", "choice", "count", "number", "list", "table", "text", or "call" (in code)
    check: Callable[[str, Any], None] = lambda name, value: None  # raises ValueError for a bad value
    choices: tuple[Any, ...] = ()
    headings: tuple[str, ...] = ()  # the columns of a table
    text: Callable[[Any], str] = value_text  # writes the value into a signature
    packages: Mapping[Any, Sequence[str]] = MappingProxyType({})  # what a choice needs that may not be installed
    needs: str = ""  # another option, without which (None) this one changes nothing
    in_code: str = ""  # what only Python code can pass, such as a function; said where code is read

    @property
    def full_help(self) -> str:
        """What it does, with what only code can pass."""
        return f"{self.help} {self.in_code}".strip()


def choice(default: Any, key: str, help: str, choices: Sequence[Any], **more: Any) -> Option:
    """Returns an option that is one of several values."""

    def check(name: str, value: Any) -> None:
        check_choice(name, value, choices)

    return Option(default, key, help, "choice", check, tuple(choices), **more)


def flag(key: str, help: str, default: bool = False, **more: Any) -> Option:
    """Returns an option that is True or False."""
    return choice(default, key, help, (False, True), **more)._replace(kind="flag")


def count(default: int | None, key: str, help: str, low: int = 1, high: float = math.inf, **more: Any) -> Option:
    """Returns an option that is an integer from `low` to `high`, or None where that is the default."""

    def check(name: str, value: Any) -> None:
        if value is not None or default is not None:
            check_count(name, value, low, high)

    return Option(default, key, help, "count", check, **more)


def number(
    default: float | None,
    key: str,
    help: str,
    low: float = 0,
    high: float = math.inf,
    is_open: bool = False,
    **more: Any,
) -> Option:
    """Returns an option that is a finite number from `low` to `high`, above `low` with `is_open`; None if by default.

    Args:
        default: the value where none is given.
        key: in a signature.
        help: what it does; the range is added.
        low: smallest value, or with `is_open` the one that it must be above.
        high: largest value.
        is_open: exclude `low`.
        **more: further fields of `Option`.
    """
    wanted = f"a number of at least {low:g}" if high == math.inf else f"a number from {low:g} to {high:g}"
    if is_open:
        wanted = "a positive number" if low == 0 else f"a number above {low:g}"

    def check(name: str, value: Any) -> None:
        if value is None and default is None:
            return
        in_range = is_number(value) and low <= value <= high
        if not in_range or (is_open and value == low):
            raise ValueError(f"{name} is {value!r}; pass {wanted}")

    default = default if default is None else float(default)  # an app hands back floats
    return Option(default, key, f"{help.rstrip('.')}; {wanted}.", "number", check, **more)


def own(default: Any, key: str, help: str, check: Callable[[str, Any], None] | None = None, **more: Any) -> Option:
    """Returns an option with a check of its own, (name, value) -> None or ValueError; people write it as text."""
    option = Option(default, key, help, **{"kind": "text", **more})
    return option if check is None else option._replace(check=check)


def mapping(
    default: Any, key: str, help: str, headings: tuple[str, str], check: Callable[[str, Any], None], **more: Any
) -> Option:
    """Returns an option that is a dict, which people enter as a table with two columns, or a file of one."""
    return Option(default, key, help, "table", check, headings=headings, **more)


def default_values(table: Mapping[str, Option]) -> dict[str, Any]:
    """Returns the default of each option."""
    return {name: option.default for name, option in table.items()}


def plain_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options with values of numpy and pandas, and fractions, as plain Python ones."""
    plain = {name: value.tolist() if hasattr(value, "tolist") else value for name, value in options.items()}
    return {
        name: float(value) if isinstance(value, numbers.Real) and not isinstance(value, (int, float)) else value
        for name, value in plain.items()
    }


def check_options(metric: str, table: Mapping[str, Option], given: Mapping[str, Any]) -> None:
    """Raises TypeError for an option that the metric of this name has not, ValueError for a bad value of one."""
    check_names(metric, table, given)
    for name, value in given.items():
        table[name].check(name, value)


def check_names(metric: str, table: Mapping[str, Option], names: Iterable[str]) -> None:
    """Raises TypeError that lists the options, for what is none."""
    unknown = [name for name in names if name not in table]
    if unknown:
        close = difflib.get_close_matches(unknown[0], table, n=1)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise TypeError(f"{metric} has no option {', '.join(unknown)}{hint}; it has {', '.join(table)}")


def pick(function: Callable, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that the function names among its parameters."""
    return {name: options[name] for name in _parameters(function) if name in options}


@functools.cache
def _parameters(function: Callable) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


def is_number(value: Any) -> bool:
    """Returns whether a value is a number that a float can hold; True and False are answers."""
    is_real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    return is_real and abs(value) <= sys.float_info.max


def check_choice(option: str, value: Any, choices: Sequence[Any]) -> None:
    """Raises ValueError that lists the choices."""
    # types too: 1 == True, but 1 is no answer to a yes-or-no question
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        raise ValueError(f"{option} is {value!r}; pass one of {', '.join(map(repr, choices))}")


def check_count(option: str, value: Any, low: int = 1, high: float = math.inf) -> None:
    """Raises ValueError unless the value is an integer from `low` to `high`."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or not low <= value <= high:
        wanted = f"an integer of at least {low}" if high == math.inf else f"an integer from {low} to {high}"
        raise ValueError(f"{option} is {value!r}; pass {wanted}")


def _check_confidence(option: str, value: Any) -> None:
    if value is not None and not (isinstance(value, float) and 0 < value < 1):
        raise ValueError(f"{option} is {value!r}; pass None or a number between 0 and 1, such as 0.95")


LOWERCASE = flag("case", "compare in lower case.", text=lambda value: "lc" if value else "mixed")
NORMALIZATION = choice(
    "NFC",
    "norm",
    "Unicode form of all texts: NFC, NFD, NFKC or NFKD; None leaves them as they are.",
    (None, "NFC", "NFD", "NFKC", "NFKD"),
)
PER_SEGMENT = flag("", "add `segments`, the score of each segment.")
FLAT = flag("", "return finite numbers only, for clients that log or compare them.")
BOOTSTRAP = {
    "confidence": own(
        None,
        "ci",
        "a level such as `0.95` adds `confidence_interval` [low, high], the central part of a bootstrap over segments.",
        _check_confidence,
        kind="number",
        needs="confidence",
    ),
    "resamples": count(1000, "bs", "how often the bootstrap draws.", needs="confidence"),
    "seed": count(
        12345, "seed", "of the bootstrap; no global random state is read or changed.", low=0, needs="confidence"
    ),
}
