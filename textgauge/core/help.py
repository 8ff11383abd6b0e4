"""The help of a metric: what its methods take, from its tables of columns and options."""

import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any


def with_help(method: FunctionType, help: str) -> FunctionType:
    """Returns a copy of a method that all metrics share, with the help of one metric at the end of its own."""
    copied = FunctionType(method.__code__, method.__globals__, method.__name__, None, method.__closure__)
    copied.__kwdefaults__ = method.__kwdefaults__
    copied.__annotations__ = method.__annotations__
    copied.__doc__ = f"{inspect.getdoc(method)}\n\n{help}"
    return copied


def compute_method(of_class: Any) -> Callable:
    """Returns the method `_compute`, whose parameters and help name all columns and options."""

    def _compute(self, **arguments):
        return self._scored({name: arguments.pop(name) for name in self.COLUMNS}, arguments)

    defaults = {}
    texts = {}
    for name, column in of_class.COLUMNS.items():
        defaults[name] = None if column.is_optional else inspect.Parameter.empty
        texts[name] = column.help
    for name, option in of_class.OPTIONS.items():
        defaults[name] = option.default
        texts[name] = option.full_help

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind, default=default) for name, default in defaults.items()]
    _compute.__signature__ = inspect.Signature([inspect.Parameter("self", kind), *parameters])

    entries = []
    for name, text in texts.items():
        entry = textwrap.fill(f"{name}: {text}", 112, initial_indent=" " * 4, subsequent_indent=" " * 8)
        entries.append(entry)
    _, _, rest_of_docstring = inspect.getdoc(of_class).partition("\n\n")
    _compute.__doc__ = "\n".join(["Scores predictions.", "", "Args:", *entries, "", rest_of_docstring])
    return _compute
