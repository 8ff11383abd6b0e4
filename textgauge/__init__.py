"""Metrics of generated text and speech recognition: `textgauge.load("cer")`, or `evaluate.load` of its script.

The metrics are in `textgauge.metrics`, a module each; what they share is in rooms.
"""

import importlib
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

# each imports only from those before it
ROOMS = ("core", "tokens", "ngrams", "edits", "korean", "error_rates", "meteor", "raters", "models", "programs")

_PACKAGE = Path(__file__).resolve().parent
# what lies beside the package in a clone is in it where it is installed; a clone finds its own, whatever is installed
_HOME = _PACKAGE if (_PACKAGE / "metrics").is_dir() else _PACKAGE.parent
__path__.append(str(_HOME))
METRICS, CARDS, SAMPLES = _HOME / "metrics", _HOME / "spaces", _HOME / "scripts" / "data"


def metric_names() -> list[str]:
    """Returns the names of all metrics, sorted."""
    return sorted(path.stem for path in METRICS.glob("[a-z]*.py"))


def load(name: str, **options: Any) -> Any:
    """Returns a metric.

    >>> round(load("cer", unit="jamo").compute(predictions=["한굴"], references=["한글"])["cer"], 4)
    0.1667

    Args:
        name: such as "cer".
        **options: defaults of its options, and what else `evaluate.load` takes, such as `num_process`.

    Raises:
        ValueError: there is no such metric.
    """
    try:
        module = importlib.import_module(f"{__name__}.metrics.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.metrics.{name}":
            raise
        raise ValueError(f"there is no metric {name}; pass one of {', '.join(metric_names())}") from None
    return getattr(module, "".join(part.capitalize() for part in name.split("_")))(**options)
