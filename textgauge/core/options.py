"""The options of a metric: for each the default, the allowed values, its text in a signature, and its help.

Each option is declared once, in the table `OPTIONS` of its metric. The parameters of `_compute`, their help, the checks
of input, the signature and its inverse, the help on the command line, the app's control and the card's table all
come from there.
"""

import contextlib
import math
import numbers
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .errors import InputError, UnknownArgumentError
from .other_names import close_text

VERSION = "1.0"  # of signatures
MOST_RESAMPLES = 10**6
FILE_KINDS = ("table", "counts", "readings")  # of options that may be the path of a file, but in no signature
PROGRAM = re.compile(r"textgauge [0-9A-Za-z.+-]+")  # what computed a score, with its version
# the program, and of which data a score is
_BEHIND_SIGNATURE = re.compile(rf" \| {PROGRAM.pattern}(?: \| data: [0-9a-z_/, -]+)?$")
_SOME_TABLE = {"-": 1.0}  # where it only matters that there is a table
_WORDS = {True: "yes", False: "no", None: "none"}
# what other libraries call columns and options
CALLED_ELSEWHERE = {
    **dict.fromkeys(("hypotheses", "hypothesis", "hyps", "hyp", "candidates", "preds", "outputs"), "predictions"),
    "sys": "predictions",
    **dict.fromkeys(("refs", "ref", "targets", "target", "truth", "list_of_references", "ground_truths"), "references"),
    "ignore_punct": "no_punct",
    "smooth_method": "smooth",
    "support_zh_ja_chars": "asian_support",
    "tokenize": "tokenizer",
    "use_effective_order": "effective_order",
}


def value_text(value: Any) -> str:
    """Writes a value as a signature has it: yes, no, none, or as it is; a comma ends each entry of a list.

    >>> value_text([True, None, 0.5])
    'yes,none,0.5,'
    """
    if isinstance(value, (list, tuple)):
        return "".join(f"{value_text(entry)}," for entry in value)
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    return str(value)


class Option(NamedTuple):
    """An option of a metric."""

    default: Any
    key: str  # in a signature; "" where it changes no score
    help: str
    # how people enter it: "flag", "choice", "count", "number", "list", "text", "call" (in code), a "table" of theirs,
    # "counts" of n-grams, "readings", which are words and tables, or a language "model"
    kind: str
    check: Callable[[str, Any], None] = lambda name, value: None  # raises ValueError for a bad value
    choices: tuple[Any, ...] = ()  # of a choice all values; of FILE_KINDS those that are not tables
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
            raise InputError(f"{name} is {value!r:.200}; pass {wanted}")

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
    plain = {}
    for name, value in options.items():
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, numbers.Real) and not isinstance(value, (int, float)):
            value = float(value)
        plain[name] = value
    return plain


def check_options(metric: str, table: Mapping[str, Option], columns: Iterable[str], given: Mapping[str, Any]) -> None:
    """Raises TypeError for an unknown option of the metric, ValueError for a bad value."""
    check_names(metric, table, columns, given)
    for name, value in given.items():
        table[name].check(name, value)


def check_names(metric: str, table: Mapping[str, Option], columns: Iterable[str], names: Iterable[str]) -> None:
    """Raises TypeError for an unknown name, with the option or column that may be meant, listing the options."""
    unknown = [name for name in names if name not in table]
    if unknown:
        known = [*table, *columns]
        meant = CALLED_ELSEWHERE.get(unknown[0])
        hint = f" (did you mean {meant}?)" if meant in known else close_text(unknown[0], known)
        raise UnknownArgumentError(f"{metric} has no option {', '.join(unknown):.200}{hint}; it has {', '.join(table)}")


def is_number(value: Any) -> bool:
    """Returns whether a value is a number that a float can hold; True and False are answers.

    >>> is_number(np.float32(0.5)), is_number(True), is_number(10**400)
    (True, False, False)
    """
    value = value.item() if isinstance(value, np.generic) else value  # the largest float does not fit float32
    is_real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    return is_real and abs(value) <= sys.float_info.max


def check_choice(option: str, value: Any, choices: Sequence[Any]) -> None:
    """Raises ValueError that lists the choices."""
    # types too: 1 == True, but 1 does not answer a yes-or-no question
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        listed = ", ".join(map(repr, choices))
        raise InputError(f"{option} is {value!r:.200}; pass one of {listed}")


def check_count(option: str, value: Any, low: int = 1, high: float = math.inf) -> None:
    """Raises ValueError unless the value is an integer from `low` to `high`."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or not low <= value <= high:
        wanted = f"an integer of at least {low}" if high == math.inf else f"an integer from {low} to {high}"
        raise InputError(f"{option} is {value!r:.200}; pass {wanted}")


def _check_confidence(option: str, value: Any) -> None:
    if value is not None and not (isinstance(value, float) and 0 < value < 1):
        raise InputError(f"{option} is {value!r:.200}; pass None or a number between 0 and 1, such as 0.95")


def write_signature(
    name: str,
    table: Mapping[str, Option],
    options: Mapping[str, Any],
    defaults: Mapping[str, Any],
    references: Sequence[Sequence[str]] | None = None,
) -> str:
    """Returns `name|nrefs:1|key:value|...|v1.0`; options that are None by default and now are left out.

    Args:
        name: of the metric.
        table: its options, in the order of the line.
        options: their values.
        defaults: the values where nothing is given.
        references: of the segments, for their number: empty if they are not known; None where a metric has none.
    """
    fields = [name] if references is None else [name, f"nrefs:{_reference_counts(references)}"]
    for option_name, option in table.items():
        is_without_effect = option.needs and options[option.needs] is None
        if not option.key or is_without_effect:
            continue
        text = option.text(options[option_name])
        if text != "none" or defaults[option_name] is not None:
            fields.append(f"{option.key}:{text}")
    return "|".join([*fields, f"v{VERSION}"])


def signature_of(line: str) -> str:
    """Returns the signature of a line from a table or a note, which may end with the program that computed the score.

    >>> signature_of("cer|nrefs:1|v1.0 | textgauge 0.1.0")
    'cer|nrefs:1|v1.0'
    """
    return _BEHIND_SIGNATURE.sub("", line)


def without_reference_counts(signature: str) -> str:
    """Returns a signature without how many references a segment has.

    >>> without_reference_counts("cer|nrefs:1-3|v1.0")
    'cer|v1.0'
    """
    return "|".join(field for field in signature.split("|") if not field.startswith("nrefs:"))


def read_options(
    name: str,
    table: Mapping[str, Option],
    line: str,
    unsigned: Mapping[str, Any] = MappingProxyType({}),
    of_rows: Sequence[str] | None = None,
    allow_models: bool = False,
) -> dict[str, Any]:
    """Returns the options that somebody else's file states: those of a signature, and those that no signature states.

    None of them has a file read, a model loaded or a host asked: else whoever wrote the file would choose which.

    Args:
        name: of the metric.
        table: its options.
        line: the signature.
        unsigned: values of options without a key, which the file has beside the signature.
        of_rows: the options that rows need, if only these are wanted; in place of a user's table some table.
        allow_models: whether the signature may name a language model.

    Raises:
        ValueError: another metric or version; an option that a line cannot hold (a custom tokenizer, a table) or may
            not name (a file, a model); an unsigned option that the signature states.
    """
    values = {}
    for option_name, text in _stated(name, table, line).items():
        option = table[option_name]
        if of_rows is None:
            values[option_name] = _read_value(option, text, allow_models)
        elif option_name in of_rows:
            is_table = text.startswith("table(")
            some_table = next(filter(None, option.choices), _SOME_TABLE)
            values[option_name] = some_table if is_table else _read_value(option, text, allow_models)
    allowed = [option_name for option_name in of_rows or () if not table[option_name].key]
    for option_name, value in unsigned.items():
        if option_name not in allowed:
            exception = f" except for {', '.join(allowed)}" if allowed else ""
            raise InputError(
                f"{option_name!r} is set beside the signature, which alone states the options of {name}{exception}; "
                "leave it out"
            )
        table[option_name].check(option_name, value)
        values[option_name] = value
    return values


def _stated(name: str, table: Mapping[str, Option], line: str) -> dict[str, str]:
    """Returns the text of each option that a signature states; InputError for another metric or version."""
    first, *fields = line.split("|")
    stated = [field.partition(":") for field in fields[:-1] if not field.startswith("nrefs:")]
    texts = {key: text for key, _, text in stated}
    names = {option.key: option_name for option_name, option in table.items() if option.key}
    has_version = fields[-1:] == [f"v{VERSION}"]
    is_repeated = len(texts) < len(stated)
    if first != name or not has_version or is_repeated or not names.keys() >= texts.keys():
        raise InputError(f"{line!r:.200} is not a signature of {name} v{VERSION}")
    return {names[key]: text for key, text in texts.items()}


def _read_value(option: Option, text: str, allow_models: bool) -> Any:
    """Returns the value of an option that is written so, but no file and no object; brackets hold versions."""
    if text.startswith(("custom(", "table(")):
        raise InputError(f"the signature only names {option.key}:{text}; pass that option yourself")
    without_version, _, _ = text.partition("[")
    for value in option.choices:
        choice_text = value if isinstance(value, str) else option.text(value)
        if without_version == choice_text:
            return value
    value = _plain_value(text)
    if value is None:
        return None
    if option.kind in FILE_KINDS:
        raise InputError(
            f"a signature cannot name a file, but this one has {option.key}:{text}; pass that option yourself"
        )
    if option.kind == "call":
        raise InputError(
            f"a signature cannot hold an object, as this one does with {option.key}:{text}; pass it yourself"
        )
    if option.kind == "model" and not allow_models:
        raise InputError(
            f"the signature names the model {value}, which would be loaded from a folder or the Hub; pass "
            "--allow-models (in code, allow_models=True) if you trust it"
        )
    return value


def _plain_value(text: str) -> Any:
    """Returns the value that `value_text` writes so."""
    if text.endswith(","):
        return [_plain_value(part) for part in text.split(",")[:-1]]
    text = text.partition("[")[0]
    for number in (int, float):
        with contextlib.suppress(ValueError):
            return number(text)
    words = {"yes": True, "no": False, "none": None}
    return words.get(text, text)


def _reference_counts(references: Sequence[Sequence[str]]) -> str:
    """Writes the number of references per segment: "1", or "1-5" where it differs; "var" if it is not known."""
    counts = set(map(len, references))
    if not counts:
        return "var"
    if len(counts) == 1:
        return str(min(counts))
    return f"{min(counts)}-{max(counts)}"


LOWERCASE = flag("case", "compare in lower case.", text=lambda value: "lc" if value else "mixed")
NORMALIZATION = choice(
    "NFC",
    "norm",
    "Unicode form of all texts: NFC, NFD, NFKC or NFKD; None leaves them as they are.",
    (None, "NFC", "NFD", "NFKC", "NFKD"),
)
PER_SEGMENT = flag("", "add `segments`, the score of each segment.")
FLAT = choice(
    False,
    "",
    '`True`: finite numbers only, for clients that log; `json`: None for nan, and "inf" for infinity.',
    (False, True, "json"),
)
BOOTSTRAP = {
    "confidence": own(
        None,
        "ci",
        "a level such as `0.95` adds `confidence_interval` by a bootstrap over segments (nan for fewer than 6), "
        "`standard_error`, and `units`, how many were drawn.",
        _check_confidence,
        kind="number",
        text=lambda value: f"{value_text(value)}[widened]",  # the kind of interval: percentiles, fewer units, wider
        needs="confidence",
    ),
    "resamples": count(1000, "bs", "number of bootstrap resamples.", high=MOST_RESAMPLES, needs="confidence"),
    "seed": count(
        12345, "seed", "seed of the bootstrap; no global random state is read or changed.", low=0, needs="confidence"
    ),
}
