"""Options of error rates that follow from a published convention, and the rates of all conventions at once."""

from collections.abc import Iterable, Mapping
from typing import Any

from textgauge.core.errors import InputError
from textgauge.core.metric import Metric
from textgauge.core.options import Option, choice

Presets = Mapping[str | None, Mapping[str, Any]]


def of_preset(key: str, help: str, choices: tuple[Any, ...]) -> Option:
    """Returns an option for which the preset has a value; that is the default."""
    return choice(None, key, f"{help} By default as in the preset.", (None, *choices))


SPECIAL = of_preset(
    "special",
    "`remove` all except for letters, marks and numbers of any script; `punctuation`: remove Unicode's "
    "categories P*; `posix`: remove those and ASCII symbols, except for the apostrophe; `keep`.",
    ("remove", "keep", "punctuation", "posix"),
)
BOUNDED = of_preset(
    "bounded",
    "divide by edits plus hits instead of the reference's length, which gives a rate from 0 to 1.",
    (False, True),
)
AGGREGATE = choice(
    "pooled",
    "agg",
    "`pooled`: all edits divided by all lengths; `mean` of the segments' rates.",
    ("pooled", "mean"),
)
CONVENTIONS = choice(
    None,
    "",
    "`all` adds `conventions`: name, rate and signature of every preset that the other options allow.",
    (None, "all"),
)


def with_preset(options: dict[str, Any], presets: Presets) -> dict[str, Any]:
    """Returns options in which what is not given has the preset's value."""
    resolved = dict(options)
    for name, value in presets[options["preset"]].items():
        if name in options and options[name] is None:
            resolved[name] = value
    return resolved


def all_conventions(
    metric: Metric,
    presets: Presets,
    columns: Mapping[str, Any],
    options: Mapping[str, Any],
    kept: Iterable[str],
    rate: float,
) -> list[list]:
    """Returns name, rate and signature of every preset that the other options allow.

    Args:
        metric: that has them.
        presets: the presets by name.
        columns: what is scored.
        options: of the metric.
        kept: the options that are kept; all others have their defaults, whatever `evaluate.load` was given.
        rate: with these options, which may be one of the presets.
    """
    defaults = {name: option.default for name, option in metric.OPTIONS.items()}
    conventions = []
    for preset, values in presets.items():
        options_of_preset = {**defaults, **{name: options[name] for name in kept}, "preset": preset}
        try:
            resolved = metric._resolved_options(options_of_preset)
        except InputError:  # such as readings of words
            continue
        preset_values = {"preset": preset, **values}
        rate_of_preset = rate
        if any(options[name] != value for name, value in preset_values.items() if name in options):
            result = metric._result(dict(columns), resolved)
            rate_of_preset = next(iter(result.values()))
        signature = metric.signature(columns["references"], **options_of_preset)
        conventions.append([str(preset).lower(), rate_of_preset, signature])
    return conventions
