"""Options of a command as a dataclass: each is a field with its kind, default and help, and nowhere else."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def takes_options(function: Callable[..., None]) -> Callable[..., None]:
    """Returns a command with the parameters of a function, and instead of a dataclass its fields.

    Typer makes options of the parameters, and the function gets the dataclass that they make.
    """
    # typing.get_type_hints of Python 3.10 hides the option of a parameter whose default is None
    of_function = inspect.signature(function, eval_str=True).parameters
    groups = {
        name: parameter.annotation for name, parameter in of_function.items() if is_dataclass(parameter.annotation)
    }

    def command(**values: Any) -> None:
        for name, group in groups.items():
            of_group = {field.name: values.pop(field.name) for field in fields(group)}
            values[name] = group(**of_group)
        function(**values)

    parameters: list[inspect.Parameter] = []
    for name, parameter in of_function.items():
        if name in groups:
            parameters += _parameters_of(groups[name])
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    command.__doc__ = function.__doc__
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def _parameters_of(group: type) -> list[inspect.Parameter]:
    """Returns a parameter for each field of a dataclass."""
    hints = get_type_hints(group, include_extras=True)
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    parameters = []
    for field in fields(group):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        parameter = inspect.Parameter(field.name, keyword_only, default=default, annotation=hints[field.name])
        parameters.append(parameter)
    return parameters
