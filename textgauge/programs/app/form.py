"""Options as controls of a form, and back; the metric's table says what each one takes."""

from collections.abc import Sequence
from typing import Any

from ..drawing.texts import say
from ..reading.option_values import option_text, plain_value, read_option

NOT_SET = say("app_not_set")  # what a form shows for no value


def entered_options(metric: Any) -> dict[str, Any]:
    """Returns the options that a form shows, tables first; without those of the result's form, which it decides."""
    decided = ("per_segment", "flat")
    shown = {name: option for name, option in metric.OPTIONS.items() if option.kind != "call" and name not in decided}
    return dict(sorted(shown.items(), key=lambda item: item[1].kind != "table"))


def choice_texts(option: Any) -> dict[str, Any]:
    """Returns the choices of an option by what people read: the default first, and what means the same once.

    No value by default does not mean "none", but what the help says.
    """
    texts: dict[str, Any] = {}
    for choice in (option.default, *option.choices):
        texts.setdefault(NOT_SET if choice is None and option.default is None else option_text(choice), choice)
    return texts


def control_of(name: str, option: Any) -> dict[str, Any]:
    """Returns what the control of an option is, "checkbox", "choice", "number", "table" or "text", with its choices."""
    kind = {"flag": "checkbox", "choice": "choice", "table": "table"}.get(option.kind)
    kind = kind or ("text" if _is_written(option) else "number")
    return {
        "name": name,
        "kind": kind,
        "choices": list(choice_texts(option)) if kind == "choice" else [],
        "headings": list(option.headings),
        "is_integer": option.kind == "count",
        "placeholder": NOT_SET if option.default is None else option_text(option.default),
    }


def shown_value(option: Any, value: Any) -> Any:
    """Returns what the control of an option shows for a value."""
    if option.kind == "table":
        pairs = value.items() if isinstance(value, dict) else []
        rows = [[key, ", ".join(cell) if isinstance(cell, list) else str(cell)] for key, cell in pairs]
        return rows or [["", ""]]
    if option.kind == "choice":
        return next(text for text, choice in choice_texts(option).items() if _is_same(choice, value))
    if _is_written(option):
        return "" if value == option.default else option_text(value)
    return value


def entered_value(option: Any, value: Any) -> Any:
    """Returns the value of an option that its control shows; an empty control is the default."""
    if option.kind == "choice":
        return choice_texts(option).get(value, value)
    if option.kind == "table":
        cells = [["" if cell is None else str(cell).strip() for cell in row] for row in value]
        return {key: plain_value(cell) for key, cell in cells if key or cell} or option.default
    if _is_written(option):
        value = read_option(option, value.strip()) if value and value.strip() else None
    if value is None:
        return option.default
    if option.kind == "count" and isinstance(value, float) and value.is_integer():
        return int(value)
    return float(value) if option.kind == "number" and isinstance(value, int) else value


def _is_written(option: Any) -> bool:
    """Tells whether an option is entered as text, as is a number that may be missing: gradio's fields make it 0."""
    return option.kind in ("text", "list") or (option.kind in ("count", "number") and option.default is None)


def given_options(options: dict[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """Returns those options that the controls show with another value than the default."""
    entered = dict(zip(options, map(entered_value, options.values(), values), strict=True))
    return {name: value for name, value in entered.items() if not _is_same(value, options[name].default)}


def _is_same(first: Any, second: Any) -> bool:
    return type(first) is type(second) and first == second
