"""The signature: one line that says what a metric computed, in sacreBLEU's grammar, and back into options."""

import contextlib
from collections.abc import Mapping
from collections.abc import Sequence
from typing import Any

from ._options import Option

VERSION = "1.0"


def write_signature(
    name: str,
    table: Mapping[str, Option],
    options: Mapping[str, Any],
    defaults: Mapping[str, Any],
    references: Sequence[Sequence[str]] | None = None,
) -> str:
    """Returns `name|nrefs:1|key:value|...|v1.0`; what is none, and is so by default, is left out.

    Args:
        name: of the metric.
        table: its options, in the order of the line.
        options: their values.
        defaults: the values where nothing is given.
        references: of the segments, for their number: empty if they are not known; None where a metric has none.
    """
    fields = [name] if references is None else [name, f"nrefs:{_reference_counts(references)}"]
    for option_name, option in table.items():
        if option.key and (not option.needs or options[option.needs] is not None):
            text = option.text(options[option_name])
            if text != "none" or defaults[option_name] is not None:
                fields.append(f"{option.key}:{text}")
    return "|".join([*fields, f"v{VERSION}"])


def read_signature(name: str, table: Mapping[str, Option], line: str) -> dict[str, Any]:
    """Returns the options that a signature states.

    Raises:
        ValueError: another metric or version, or an option that a line cannot hold (a custom tokenizer, a table).
    """
    first, *fields = line.split("|")
    pairs = [field.partition(":")[::2] for field in fields[:-1] if not field.startswith("nrefs:")]
    names = {option.key: option_name for option_name, option in table.items() if option.key}
    if first != name or fields[-1:] != [f"v{VERSION}"] or any(key not in names for key, _ in pairs):
        raise ValueError(f"{line!r} is not a signature of {name} v{VERSION}")
    return {names[key]: _read_value(table[names[key]], text) for key, text in pairs}


def _read_value(option: Option, text: str) -> Any:
    """Returns the value of an option that is written so; brackets hold versions."""
    if text.startswith(("custom(", "table(")):
        raise ValueError(f"the signature only names {option.key}:{text}; pass that option yourself")
    for value in option.choices:
        if text.partition("[")[0] == (value if isinstance(value, str) else option.text(value)):
            return value
    return _plain_value(text)


def _plain_value(text: str) -> Any:
    """Returns the value that `value_text` writes so."""
    if text.endswith(","):
        return [_plain_value(part) for part in text.split(",")[:-1]]
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    words = {"yes": True, "no": False, "none": None}
    return words.get(text, text.partition("[")[0])


def _reference_counts(references: Sequence[Sequence[str]]) -> str:
    """Writes the number of references per segment: "1", or "1-5" where it differs; "var" if it is not known."""
    counts = set(map(len, references))
    return "-".join(map(str, sorted({min(counts), max(counts)}))) if counts else "var"
