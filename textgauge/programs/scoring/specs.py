"""The value of --metric: `bleu:tokenizer=char,max_order=2`, or `name=bleu:...`, to a loaded metric and its options."""

import os
import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import textgauge
from textgauge.core.other_names import other_name

from ..errors import InputError, input_errors_of
from ..reading.further_packages import needed_by
from ..saying.option_values import option_text, read_option, without_quotes

_OF_CALLS = ("confidence", "clusters", "resamples", "seed")  # options that the commands give to all metrics
# a label of one's own; a colon behind a drive letter is part of the path
_SPEC = re.compile(r"(?:([^=:/\\]*)=)?((?:[A-Za-z]:[\\/])?[^:]*)(?::(.*))?", re.DOTALL)


class Scorer(NamedTuple):
    """A metric with its options."""

    label: str  # heading of its column, and its key in JSON
    metric: Any
    options: dict[str, Any]
    source: str  # what `load_metric` takes, for other processes


def load_scorers(specs: Sequence[str], confidence: float | None) -> list[Scorer]:
    """Loads metrics with their options, which are checked before anything is scored.

    Args:
        specs: `name` or `name:option=value,...`; the name of a script in metrics/, or the path of one. The value is a
            number, true, false, none, or a string; with a comma in it (`0.5,0.5` or `rouge1,`) a list. A list may
            also have brackets and quotes, or one value each time the option is there. What stands before the metric
            and `=`, as in `terms=weighted_bleu:weights=terms.tsv`, is the label.
        confidence: of the interval, unless the spec has its own.

    Raises:
        InputError: an unknown metric (lists the known ones) or option, or a bad value of an option.
        ImportError: a tokenizer that is not installed.
    """
    parsed = [_parse(spec) for spec in specs]
    loaded = {spec.name: load_metric(spec.name) for spec in parsed}
    scorers = []
    for (_, name, texts), label in zip(parsed, _labels(parsed, specs), strict=True):
        known = loaded[name].OPTIONS
        options = {"confidence": confidence}
        for option, text in texts.items():
            options[option] = read_option(known.get(option), text)
        if options.get("flat"):
            raise InputError(f"--metric {label:.200}: flat is for code; --json and --csv write every number")
        if options.get("use_aggregator") is False:
            raise InputError(
                f"--metric {label:.200}: use_aggregator=false has no score to show; --per-segment shows segments"
            )
        with input_errors_of(f"--metric {label:.200}"):
            loaded[name].signature(**options)
        scorers.append(Scorer(label, loaded[name], options, name))
    return scorers


def check_options_of_segments(scorers: Sequence[Scorer]) -> None:
    """Raises InputError for a metric with an option that differs between segments: parts of a corpus know none."""
    for scorer in scorers:
        of_segment = scorer.metric.segment_options(0, **scorer.options)
        if any(value is not scorer.options.get(name) for name, value in of_segment.items()):
            raise InputError(f"{scorer.label}: an option differs between segments, which needs all texts at once")


def load_metric(name: str) -> Any:
    """Loads a metric of this repository by name, or any script by path."""
    known = textgauge.metric_names()
    if name in known:
        return textgauge.load(name)
    path = Path(name)
    if path.suffix != ".py" or not path.is_file():
        several = re.split(r"[\s,]+", name)
        if set(several) <= set(known):
            hint = f" (repeat it: {' '.join(f'--metric {part}' for part in several)})"
        else:
            hint = other_name(name, known, _spec_text)
        raise InputError(
            f"--metric {name:.200}: there is no such metric{hint}; pass one of {', '.join(known)}, or a .py file"
        )
    _check_clone(path)
    with needed_by(f"--metric {name}, a script,"):
        import evaluate
    metric = evaluate.load(str(path), keep_in_memory=True)
    if not hasattr(metric, "COLUMNS"):
        raise InputError(f"--metric {name}: this is not a TextMetric")
    return metric


def _check_clone(path: Path) -> None:
    """Raises InputError for a metric of another clone, which would silently be computed by the package of this one."""
    package = Path(textgauge.__file__).resolve()
    clone = path.resolve().parent.parent
    package_of_clone = clone / "textgauge" / "__init__.py"
    if package_of_clone.is_file() and package_of_clone != package:
        raise InputError(
            f"--metric {path}: this script belongs to the package in {package_of_clone.parent}, and what runs here is "
            f"{package.parent}; run the scripts of that clone, or install it with pip install -e {clone}"
        )


def _spec_text(metric: str, options: Mapping[str, Any]) -> str:
    """Writes a metric with options as --metric takes them."""
    words = ",".join(f"{name}={option_text(value).removesuffix(',')}" for name, value in options.items())
    return f"{metric}:{words}" if words else metric


def headline(result: dict[str, Any]) -> Any:
    """Returns the score itself, the first value of a result."""
    return next(iter(result.values()))


def spec_with(scorer: Scorer, further: Mapping[str, Any]) -> str:
    """Returns the text of --metric for a metric with its options and further ones, quoted for a shell."""
    options = {name: value for name, value in scorer.options.items() if name not in _OF_CALLS}
    return shlex.quote(_spec_text(scorer.source, {**options, **further}))


def files_of_spec(spec: str) -> list[str]:
    """Returns the files that a spec names, and the folders of models: a script, and values of options.

    >>> files_of_spec("bleu:tokenizer=char")
    []
    """
    parsed = _parse(spec)
    words = [parsed.name, *parsed.options.values()]
    for text in parsed.options.values():
        words += text.split(",")  # of a list, such as ko and a table of one's own
    files = [word for word in dict.fromkeys(words) if os.path.isfile(word)]
    models = [value for option, value in parsed.options.items() if option == "model_id" and os.path.isdir(value)]
    return [*files, *models]


def metric_of(spec: str) -> str:
    """Returns the name of the metric in `label=name:option=value`, or its path."""
    return _split(spec)[1]


def with_option(spec: str, option: str) -> str:
    """Returns a spec with another option, such as "cer:readings=ko,detailed=true"."""
    options = _split(spec)[2]
    return f"{spec}:{option}" if options is None else f"{spec},{option}"


def _split(spec: str) -> tuple[str | None, str, str | None]:
    """Returns label, name and options of a spec; InputError for options behind a blank or a comma, as in "bleu n=2"."""
    label, name, text = _SPEC.fullmatch(spec).groups()
    metric, *options = re.split(r"[\s,]+", spec)
    known = textgauge.metric_names()
    has_options = options and all("=" in option for option in options)
    if metric in known and has_options and name not in known and not name.endswith(".py"):
        raise InputError(f"--metric {spec:.200}: options follow a colon; did you mean {metric}:{','.join(options)}?")
    return label, name, text


class _Spec(NamedTuple):
    """The parts of a spec as texts."""

    label: str | None
    name: str
    options: dict[str, str]

    def words(self, in_full: bool) -> str:
        """Returns its name, `bleu char max_order=2`; only the full one has files, by their names, and lists."""
        shown = {}
        for key, text in self.options.items():
            is_file = os.path.isfile(text)  # pathlib's fails for a name that is too long
            is_list = "," in text.removesuffix(",")
            if in_full or not (is_file or is_list):
                shown[key] = Path(text).name if is_file else text
        words = [value if key == "tokenizer" else f"{key}={value}" for key, value in shown.items()]
        name = Path(self.name).stem if self.name.endswith(".py") else self.name
        return " ".join([name, *words])


def _parse(spec: str) -> _Spec:
    """Splits `label=name:option=value,...`; a comma without `option=` behind it belongs to the value.

    The values of an option that is there again are one list.
    """
    label, name, text = _split(spec)
    if label is not None and not label.strip():
        raise InputError(f"--metric {spec:.200}: the name before = is empty; write name=metric, or the metric alone")
    if not name.strip():
        raise InputError(
            f"--metric {spec:.200}: no metric follows {'=' if label else 'it'}; write one, such as --metric cer"
        )
    options: dict[str, str] = {}
    for part in re.split(r",\s*(?=\w+=)", text) if text else []:
        option, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"--metric {spec:.200}: {part!r:.200} is not an option; write option=value")
        bare = value if os.path.isfile(value) else without_quotes(value)
        options[option] = f"{options[option].removesuffix(',')},{bare}" if option in options else bare
    return _Spec(label, name, options)


def _labels(parsed: Sequence[_Spec], specs: Sequence[str]) -> list[str]:
    """Returns the given labels, or short and distinct ones: without files and lists, in full, else the spec."""
    labels: list[str | None] = [spec.label for spec in parsed]
    for in_full in (False, True):
        words = [spec.words(in_full) for spec in parsed]
        counts = Counter(words)
        for index, words_of_spec in enumerate(words):
            if not labels[index] and counts[words_of_spec] == 1:
                labels[index] = words_of_spec
    labels = [label or spec for label, spec in zip(labels, specs, strict=True)]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise InputError(f"--metric {twice[0]} is given twice")
    return labels
