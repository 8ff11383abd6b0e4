"""Metrics of generated text and speech recognition: `textgauge.load("cer")`, or `evaluate.load` of its script.

The metrics are in `textgauge.metrics`, a module each; what they share is in rooms.
"""

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .core import notebook
from .core.errors import InputError
from .core.other_names import other_name

__version__ = "0.1.0"

# each imports only from those before it
ROOMS = (
    "core", "tokens", "ngrams", "edits", "korean", "error_rates", "meetings", "meteor", "raters", "models", "programs"
)  # fmt: skip
ROOMS_OF_PROGRAMS = (
    "saying", "drawing", "reading", "scoring", "page", "comparing", "harness", "reporting", "app",
    "publishing", "commands",
)  # fmt: skip
# folders of error_rates, the lowest first; the modules beside them import from all of them
FLOORS_OF_ERROR_RATES = ("phrases", "nearest", "kinds")

# a wheel holds metrics/, the cards of spaces/ and the sample inside the package; in a clone they are beside it, and
# textgauge.metrics is looked for there
_HOME = Path(__file__).resolve().parent
if not (_HOME / "metrics" / "bleu.py").is_file():
    _HOME = _HOME.parent
    __path__.append(str(_HOME))
METRICS = _HOME / "metrics"
CARDS = _HOME / "spaces"
SAMPLES = _HOME / "scripts" / "data"
# what `evaluate.load` takes for its own class; it has a seed too, which is an option of ours
_OF_EVALUATE = {"cache_dir", "experiment_id", "keep_in_memory", "num_process", "process_id", "timeout"}


def _draw(thing: Any) -> str | None:
    """Draws an explanation or a comparison for a notebook."""
    from textgauge.programs.reporting.notebook import html

    return html(thing)


notebook.draw = _draw  # a metric from the Hub comes without the package, and without drawings


def metric_names() -> list[str]:
    """Returns the names of all metrics, sorted."""
    return sorted(path.stem for path in METRICS.glob("[a-z]*.py"))


def load(name: str, **options: Any) -> Any:
    """Returns a metric, without evaluate: `compute`, `add`, `add_batch`, rows, `explain`, `signature`, and pickling.

    `evaluate.load` of the same script gives an `evaluate.Metric` and takes longer.

    >>> round(load("cer", unit="jamo").compute(predictions=["한굴"], references=["한글"])["cer"], 4)
    0.1667

    Args:
        name: such as "cer".
        **options: defaults of its options. With what evaluate's own class takes, such as `num_process`, the metric is
            what `evaluate.load` makes of the script.

    Raises:
        TypeError: the name is not a string.
        InputError: there is no such metric.
        ImportError: evaluate is needed, and missing.
    """
    if not isinstance(name, str):
        raise TypeError(
            f'the name of a metric is {name!r:.60}; pass a string such as "cer", and load one metric a call'
        )
    if not name.isidentifier():
        raise _unknown(name)
    of_evaluate = _OF_EVALUATE & options.keys()
    if of_evaluate and name in metric_names():
        from textgauge.programs.reading.further_packages import needed_by

        with needed_by(f"{name}, loaded with {', '.join(sorted(of_evaluate))},"):
            import evaluate
        return evaluate.load(str(METRICS / f"{name}.py"), **options)
    try:
        module = importlib.import_module(f"{__name__}.metrics.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.metrics.{name}":
            raise
        raise _unknown(name) from None
    class_name = "".join(part.capitalize() for part in name.split("_"))
    metric_class = getattr(module, class_name)
    return metric_class(**options)


def _unknown(name: str) -> InputError:
    """Returns an error that says which metric may be meant, and lists all."""

    def call(metric: str, given: Mapping[str, Any]) -> str:
        arguments = [repr(metric), *(f"{key}={value!r}" for key, value in given.items())]
        return f"load({', '.join(arguments)})"

    known = metric_names()
    return InputError(f"there is no metric {name:.200}{other_name(name, known, call)}; pass one of {', '.join(known)}")
