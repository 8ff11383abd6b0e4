"""The sides of a comparison: our metrics as `evaluate` gives them, a metric that does nothing, and what a peer is."""

import importlib
import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

# a benchmark measures what is here: evaluate.load("bleu") may look into its cache, but not at the Hub
os.environ.setdefault("HF_EVALUATE_OFFLINE", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import datasets
import evaluate

from .corpus import Corpus

OURS = {"our rouge": ("rouge", ("rouge1",)), "our cider": ("cider", ("cider",))}  # beside bleu, for peak memory
METRICS = Path(__file__).parents[2] / "metrics"
CALLS = 100  # of one segment each
Side = Callable[[Corpus], float]  # scores a corpus: a number that is to be equal on all sides
Load = Callable[[Path | None], Side]  # folder of Hugging Face's metrics -> what to time


class Peer(NamedTuple):
    """Another implementation, and in what it may differ from ours."""

    loads: Mapping[str, Load]  # name of a computation, such as "bleu 13a" -> how to get it
    ref_length: str = "closest"  # our option that gives the same brevity penalty with several references
    tolerance: float = 1e-9  # largest difference of two equal scores
    differs: str = ""  # how it computes something else than ours,
    differs_for: Callable[[Corpus], bool] = lambda corpus: False  # and for which texts


class Unavailable(Exception):
    """A peer or a comparison cannot be had here; the message says why."""


class DoNothing(evaluate.Metric):
    """The floor: what passing texts through `evaluate` costs before any metric starts."""

    def _info(self):
        text = datasets.Value("string", id="sequence")
        features = datasets.Features(
            {"predictions": text, "references": datasets.Sequence(text, id="references")},
        )
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"nothing": math.nan}


def metric_of(name: str) -> Any:
    """Returns our metric as `evaluate.load` gives it."""
    return evaluate.load(str(METRICS / f"{name}.py"))


def one_by_one(run: Side) -> Side:
    """Returns a side that is called with each segment alone; its score is their mean."""
    return lambda corpus: sum(run(Corpus([p], [r])) for p, r in zip(*corpus, strict=True)) / len(corpus.predictions)


def ours(name: str = "bleu", keys: tuple[str, ...] = ("bleu",), **options: Any) -> Side:
    """Returns a side with our metric; its score is the mean of the values under the keys."""
    metric = metric_of(name)

    def run(corpus: Corpus) -> float:
        result = metric.compute(**corpus._asdict(), **options)
        return mean(result[key] for key in keys)

    return run


def ours_added(**options: Any) -> Side:
    """Returns our bleu with all segments added first, which takes evaluate's way through an Arrow file."""
    metric = metric_of("bleu")

    def run(corpus: Corpus) -> float:
        metric.add_batch(**corpus._asdict())
        return metric.compute(**options)["bleu"]

    return run


def floor() -> Side:
    """Returns the metric that does nothing; its score is nan."""
    metric = DoNothing()
    return lambda corpus: metric.compute(**corpus._asdict())["nothing"]


def hugging_face(name: str, hf_metrics: Path | None) -> Any:
    """Returns a metric of Hugging Face's.

    Raises:
        Unavailable: it is neither in the folder nor in evaluate's cache, or needs a package that is not installed.
    """
    try:
        return evaluate.load(str(hf_metrics / name / f"{name}.py") if hf_metrics else name)
    except FileNotFoundError:
        raise Unavailable(
            f'HF {name}: not in the cache; run evaluate.load("{name}") once online, or pass --hf-metrics DIR with '
            f"DIR/{name}/{name}.py"
        ) from None
    except ImportError as error:
        raise Unavailable(f"HF {name}: {error}") from None


def module_of(package: str, module: str) -> Any:
    """Returns the module of a package that has another name than it; ImportError names the package."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(str(error), name=package) from None


def pairs(corpus: Corpus) -> dict[str, list[str]]:
    """Returns predictions and references as a metric takes them that knows one reference per segment."""
    return {"predictions": corpus.predictions, "references": [reference for [reference] in corpus.references]}


def mean(values: Iterable[float]) -> float:
    """Returns the mean; that of one value is the value."""
    values = list(values)
    return math.fsum(values) / len(values)
