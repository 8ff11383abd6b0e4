"""The options of a metric, and what may be entered for each: read off the signature and docstring of `_compute`.

A metric's own checks decide what is a choice, so that a new metric or tokenizer needs no change here.
"""

import ast
import contextlib
import inspect
import re
import sys
import types
import typing
from collections.abc import Callable
from typing import Any
from typing import NamedTuple

_ENTRY = re.compile(r"^ {4}(\w+(?:,\s+\w+)*):", re.MULTILINE)
_CHOICES = re.compile(r"pass one of (.*)", re.DOTALL)
_TABLE = re.compile(r"\bdict (?:from an? )?(\w+) (?:->|to its) (?:list of )?(\w+)")
_AS = re.compile(r"as `(\w+)`")  # "as `bleu` has them"
_WRONG = "\x00"  # no metric's value


class OptionKind(NamedTuple):
    """An option of a metric."""

    name: str
    default: Any
    kind: str  # "flag", "choice", "count", "number", "table" or "text"
    choices: tuple[Any, ...] = ()  # the values of a choice
    headings: tuple[str, str] = ("", "")  # the columns of a table
    help: str = ""


def option_kinds(metric: Any) -> list[OptionKind]:
    """Returns the options of a metric in the order of its signature, but for `per_segment`, which is always on here.

    Values that contradict `per_segment`, such as ROUGE's use_aggregator=False, are no choices; an option that takes
    nothing but an object, such as a model, is left out.
    """
    helps = _all_helps(type(metric))
    parameters = inspect.signature(metric._compute).parameters.values()
    given = [p for p in parameters if p.name not in metric.COLUMNS and p.name != "per_segment"]
    given = [p for p in given if not _is_object(metric, p.name)]
    kinds = [_kind(metric, p.name, p.default, helps.get(p.name, "")) for p in given]
    return [kind for kind in kinds if kind is not None]


def per_segment(metric: Any) -> dict[str, bool]:
    """Returns the option that asks for the scores of the segments, where a metric has them."""
    return {"per_segment": True} if "per_segment" in inspect.signature(metric._compute).parameters else {}


def argument_helps(docstring: str) -> dict[str, str]:
    """Returns what the section "Args" of a docstring says of each argument; several may share a text."""
    section = re.search(r"^Args:\n(.*?)(?=^\w|\Z)", docstring, re.MULTILINE | re.DOTALL)
    text = section.group(1) if section else ""
    starts = [*_ENTRY.finditer(text), None]
    helps = {}
    for entry, following in zip(starts, starts[1:], strict=False):
        said = text[entry.end() : following.start() if following else None]
        for name in re.split(r",\s+", entry.group(1)):
            helps[name] = " ".join(said.split())
    return helps


def _all_helps(of_class: type) -> dict[str, str]:
    """Returns what a metric says of its options; for "as `bleu` has them" what that metric says."""
    helps = argument_helps(inspect.getdoc(of_class._compute) or "")
    for name, said in helps.items():
        other = _AS.match(said)
        if other:
            helps[name] = " ".join(_all_helps(found).get(name, "") for found in _classes_beside(of_class, other[1]))
    return helps


def _classes_beside(of_class: type, name: str) -> list[type]:
    """Returns the metric of another script that a metric's own has imported; [] where it has not."""
    module = sys.modules.get(f"{of_class.__module__.rpartition('.')[0]}.{name}")
    classes = [value for value in vars(module).values() if isinstance(value, type)] if module else []
    return [found for found in classes if found.__module__ == module.__name__ and hasattr(found, "_compute")]


def _is_object(metric: Any, name: str) -> bool:
    """Returns whether an option takes a callable object and nothing that can be written, by its check's annotation."""
    hints = [typing.get_type_hints(check).get(name) for check in metric._checks]
    kinds = [kind for hint in hints for kind in (typing.get_args(hint) if _is_union(hint) else [hint])]
    kinds = [kind for kind in kinds if kind not in (None, type(None))]
    return bool(kinds) and all(typing.get_origin(kind) is Callable for kind in kinds)


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _kind(metric: Any, name: str, default: Any, text: str) -> OptionKind | None:
    table = _TABLE.search(text)
    if table:
        return OptionKind(name, default, "table", headings=table.groups(), help=text)
    if isinstance(default, bool):
        both = _is_accepted(metric, name, False) and _is_accepted(metric, name, True)
        choices = _choices(metric, name, default)
        if len(choices) > 2:
            return OptionKind(name, default, "choice", choices, help=text)
        return OptionKind(name, default, "flag", help=text) if both else None
    if isinstance(default, (int, float)):
        return OptionKind(name, default, "number" if isinstance(default, float) else "count", help=text)
    choices = _choices(metric, name, default)
    return OptionKind(name, default, "choice" if len(choices) > 1 else "text", choices, help=text)


def _choices(metric: Any, name: str, default: Any) -> tuple[Any, ...]:
    """Returns the values that the metric lists when it is given a wrong one and then takes, the default first."""
    listed = ""
    try:
        metric.signature(**{name: _WRONG})
    except (ValueError, TypeError, ImportError) as error:
        match = _CHOICES.search(str(error))
        listed = match.group(1) if match else ""
    values = [default]
    for word in re.findall(r"'[^']*'|[\w.-]+", listed):
        value: Any = word
        with contextlib.suppress(ValueError, SyntaxError):
            value = ast.literal_eval(word)
        is_new = not any(type(value) is type(known) and value == known for known in values)
        if is_new and _is_accepted(metric, name, value):
            values.append(value)
    return tuple(values)


def _is_accepted(metric: Any, name: str, value: Any) -> bool:
    """Returns whether a metric takes a value of an option here, where each segment gets a score too.

    What is not installed is taken: scoring then says what to install.
    """
    try:
        metric.signature(**{name: value, **per_segment(metric)})
    except ImportError:
        return True
    except (ValueError, TypeError):
        return False
    return True
