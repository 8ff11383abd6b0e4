"""The sides of a comparison: our metrics as `evaluate` gives them, peers, and a metric that does nothing."""

import math
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

# a benchmark measures what is here: evaluate.load("bleu") may look into its cache, but not at the Hub
os.environ.setdefault("HF_EVALUATE_OFFLINE", "1")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
import datasets
import evaluate

from lab.peers import PEERS
from lab.peers.peer import Case, Columns, Peer, Unavailable, Values

from .corpus import Corpus

METRICS = Path(__file__).parents[2] / "metrics"
CALLS = 100  # of one segment each
_THREADS = "OMP_NUM_THREADS"  # which ours read at each call


class Side(NamedTuple):
    """One side of a comparison."""

    bind: Callable[[Corpus], Callable[[], float]]  # returns what is timed; its score is to be equal on all sides
    tolerance: float = 1e-9  # the largest difference of two equal scores
    reasons: Callable[[Corpus], list[str]] = lambda corpus: []  # why its score may be another one


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


def columns_of(corpus: Corpus) -> Columns:
    """Returns the columns that nearly all metrics take."""
    return {"predictions": corpus.predictions, "references": corpus.references}


def ours(
    name: str = "bleu",
    keys: Sequence[str] = (),
    columns: Callable[[Corpus], Columns] = columns_of,
    **options: Any,
) -> Side:
    """Returns a side with our metric; its score is the mean of the values under the keys, or its own."""
    metric = metric_of(name)
    keys = keys or (name,)

    def bind(corpus: Corpus) -> Callable[[], float]:
        texts = columns(corpus)
        return lambda: _score(metric.compute(**texts, **options), keys)

    return Side(bind)


def peers_of(comparison: str) -> list[Peer]:
    """Returns the peers that take part in a comparison."""
    return [peer for peer in PEERS if comparison in peer.timed]


def of_peer(
    peer: Peer, keys: Sequence[str] = (), columns: Callable[[Corpus], Columns] = columns_of, **options: Any
) -> Side:
    """Returns a side with a peer, called for what ours computes with these options.

    Raises:
        Unavailable: it is not here.
    """
    try:
        theirs = peer.theirs()
    except ImportError:
        raise Unavailable(f"{peer.name}: pip install {peer.package}") from None
    keys = keys or (peer.metric,)
    options = {name: option.default for name, option in metric_of(peer.metric).OPTIONS.items()} | options

    def bind(corpus: Corpus) -> Callable[[], float]:
        case = Case(columns(corpus), options)
        return lambda: _score(theirs(case), keys)

    return Side(bind, peer.tolerance, lambda corpus: peer.reasons(Case(columns(corpus), options)))


def _score(values: Values, keys: Sequence[str]) -> float:
    """Returns the mean of the values under the keys; where a peer has values of segments alone, theirs is the value."""
    numbers = []
    for key in keys:
        if key in values:
            numbers.append(values[key])
        else:
            numbers.append(mean(values.get(f"{key}_segments") or values["segments"]))
    return mean(numbers)


def ours_added(**options: Any) -> Side:
    """Returns our bleu with all segments added first, which takes evaluate's way through an Arrow file."""
    metric = metric_of("bleu")

    def run(corpus: Corpus) -> float:
        metric.add_batch(**columns_of(corpus))
        return metric.compute(**options)["bleu"]

    return Side(lambda corpus: partial(run, corpus))


def floor() -> Side:
    """Returns the metric that does nothing; its score is nan."""
    metric = DoNothing()
    return Side(lambda corpus: lambda: metric.compute(**columns_of(corpus))["nothing"])


def of_another_score(side: Side) -> Side:
    """Returns a side that is timed and not compared."""

    def bind(corpus: Corpus) -> Callable[[], float]:
        call = side.bind(corpus)
        return lambda: math.nan * call()

    return Side(bind)


def one_thread_or_two(side: Side) -> dict[str, Side]:
    """Returns a side of ours with one thread, and with two."""
    return {"ours": _with_threads(side, 1), "ours, two threads": _with_threads(side, 2)}


def _with_threads(side: Side, threads: int) -> Side:
    """Returns a side of ours that uses at most this number of threads."""

    def bind(corpus: Corpus) -> Callable[[], float]:
        call = side.bind(corpus)

        def run() -> float:
            with mock.patch.dict(os.environ, {_THREADS: str(threads)}):
                return call()

        return run

    return side._replace(bind=bind)


def one_by_one(side: Side) -> Side:
    """Returns a side that is called with each segment alone; its score is their mean."""

    def bind(corpus: Corpus) -> Callable[[], float]:
        calls = [side.bind(Corpus([p], [r])) for p, r in zip(*corpus, strict=True)]
        return lambda: sum(call() for call in calls) / len(calls)

    return side._replace(bind=bind)


def mean(values: Iterable[float]) -> float:
    """Returns the mean; that of one value is the value."""
    values = list(values)
    return math.fsum(values) / len(values)
