"""Options as controls of a form, and back; the metric's table says what each one takes."""

from collections.abc import Sequence
from typing import Any

from ..errors import InputError
from ..saying.option_values import option_text, plain_value, read_option
from ..saying.texts import say

NOT_SET = say("app_not_set")  # what a form shows for no value


def entered_options(metric: Any, model: str | None = None) -> dict[str, Any]:
    """Returns the options that a form shows, tables first; without those of the result's form, which it decides.

    Args:
        metric: whose options they are.
        model: the language model that may be chosen; without one there is no option for it.
    """
    shown = {}
    for name, option in metric.OPTIONS.items():
        if option.kind == "model" and model is not None:
            shown[name] = option._replace(choices=(None, model))
        elif option.kind not in ("call", "model") and name not in ("per_segment", "flat"):
            shown[name] = option
    return dict(sorted(shown.items(), key=lambda item: item[1].kind != "table"))


def choice_texts(option: Any) -> dict[str, Any]:
    """Returns the choices of an option by what people read: the default first, and what means the same once.

    No value by default does not mean "none", but what the help says.
    """
    texts: dict[str, Any] = {}
    for choice in (option.default, *option.choices):
        is_not_set = choice is None and option.default is None
        texts.setdefault(NOT_SET if is_not_set else option_text(choice), choice)
    return texts


def control_of(name: str, option: Any) -> dict[str, Any]:
    """Returns the kind of an option's control, "checkbox", "choice", "number", "table" or "text", with its choices."""
    if option.kind == "flag":
        kind = "checkbox"
    elif is_table(option):
        kind = "table"
    elif _is_chosen(option):
        kind = "choice"
    else:
        kind = "text" if _is_written(option) else "number"
    choices = list(choice_texts(option)) if kind == "choice" else []
    placeholder = NOT_SET if option.default is None else option_text(option.default)
    return {
        "name": name,
        "kind": kind,
        "choices": choices,
        "headings": list(option.headings),
        "is_integer": option.kind == "count",
        "placeholder": placeholder,
    }


def shown_value(option: Any, value: Any) -> Any:
    """Returns the content of an option's control for a value."""
    if is_table(option):
        if not isinstance(value, dict) or not value:
            return [["", ""]]
        return [[key, ", ".join(cell) if isinstance(cell, list) else str(cell)] for key, cell in value.items()]
    if _is_chosen(option):
        for text, choice in choice_texts(option).items():
            if _is_same(choice, value):
                return text
        return NOT_SET
    if _is_written(option):
        return "" if value == option.default else option_text(value)
    return value


def entered_value(name: str, option: Any, value: Any) -> Any:
    """Returns the value of an option that its control shows; an empty control is the default.

    Raises:
        InputError: another value than the choices of an option that is a file or a model elsewhere.
    """
    if _is_chosen(option):
        texts = choice_texts(option)
        if value in (None, ""):  # as links of earlier pages have it
            return option.default
        is_known = isinstance(value, str) and value in texts
        if not is_known and option.kind != "choice":
            raise InputError(say("app_no_choice", name=name, value=value, choices=", ".join(texts)))
        return texts[value] if is_known else value
    if is_table(option):
        return _entered_table(name, option, value) or option.default
    if _is_written(option):
        text = "" if value is None else str(value).strip()
        value = read_option(option, text) if text else None
    if value is None:
        return option.default
    if option.kind == "count" and isinstance(value, float) and value.is_integer():
        return int(value)
    return float(value) if option.kind == "number" and isinstance(value, int) else value


def _entered_table(name: str, option: Any, rows: Any) -> dict[str, Any]:
    """Returns the table of two columns that a form shows; InputError for anything else, as programs may send."""
    table = {}
    for row in rows if isinstance(rows, (list, tuple)) else [rows]:
        if not isinstance(row, (list, tuple)) or len(row) != 2:
            raise InputError(f"{name} has {row!r:.40}; pass a list of rows, each of {' and '.join(option.headings)}")
        key, cell = ("" if value is None else str(value) for value in row)
        if option.kind == "table":  # a blank before a key of counts has a meaning
            key = key.strip()
        if key.strip() or cell.strip():
            table[key] = plain_value(cell.strip())
    return table


def is_table(option: Any) -> bool:
    """Returns whether people enter an option as a table: counts too, unless there is a word for them."""
    return option.kind == "table" or (option.kind == "counts" and not option.choices)


def may_be_file(option: Any) -> bool:
    """Returns whether code and commands take an option as the path of a file, too."""
    return is_table(option) or option.kind in ("counts", "readings")


def _is_chosen(option: Any) -> bool:
    """Returns whether an option is one of several values, as is what would be a file or a model elsewhere."""
    return option.kind in ("choice", "counts", "readings", "model") and not is_table(option)


def _is_written(option: Any) -> bool:
    """Tells whether an option is entered as text, as is a number that may be missing: gradio's fields make it 0."""
    return option.kind in ("text", "list") or (option.kind in ("count", "number") and option.default is None)


def given_options(options: dict[str, Any], values: Sequence[Any]) -> dict[str, Any]:
    """Returns those options that the controls show with another value than the default."""
    entered = {}
    for (name, option), shown in zip(options.items(), values, strict=True):
        value = entered_value(name, option, shown)
        if not _is_same(value, option.default):
            entered[name] = value
    return entered


def _is_same(first: Any, second: Any) -> bool:
    return type(first) is type(second) and first == second
