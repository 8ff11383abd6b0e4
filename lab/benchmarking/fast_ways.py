"""What each way costs and gives that exists for speed alone: its lines of code, and its factor on usual input.

A way is a function beside its plain twin, which returns the same, or a limit below which it is taken: without the limit
everything goes the other way. Below a factor of 2 a way is not worth its lines.
"""

import importlib
import inspect
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.edits.distances import align, count_edits
from textgauge.edits.network_edits import _FEW_EDITS, CHARACTERS, Step, nearest_paths
from textgauge.edits.network_rows import LIKELY, DistanceTable
from textgauge.edits.networks import NO_WORD, Network
from textgauge.programs.scoring.specs import load_metric

from .corpus import make_corpus

_PAIRS = 100
_DOCUMENTS, _SENTENCES, _PER_SENTENCE = 3, 10, 80  # of a corpus, sentences of a document, characters of a sentence
_NO_LIMIT = 10**6
Compute = Callable[[Any], Any]


class Way(NamedTuple):
    """A fast way, its plain twin, and usual input of both."""

    name: str
    fast: Compute
    plain: Compute
    inputs: Callable[[], Any]
    code: tuple[str, ...]  # modules, or functions as module:function, that are there for it alone


def _sentences() -> list[tuple[str, str]]:
    made = make_corpus("ko", _PAIRS)
    return [(text, row[0]) for text, row in zip(*made, strict=True)]


def _networks(edit_rate: float) -> Callable[[], list[tuple[Network, Network]]]:
    """Returns what makes networks of the characters of speech with this share of wrong words."""

    def network(text: str) -> Network:
        return Network([(), *[((place, character),) for place, character in enumerate(text)]])

    def made() -> list[tuple[Network, Network]]:
        corpus = make_corpus("ko", _PAIRS, edit_rate=edit_rate)
        return [(network(row[0]), network(text)) for text, row in zip(*corpus, strict=True)]

    return made


def _long_networks() -> list[tuple[Network, Network]]:
    """Returns networks of documents; in each sentence a character has two readings."""

    def network(text: str) -> Network:
        network = Network([()])
        for place, character in enumerate(text):
            last = len(network.arcs) - 1
            network.arcs.append(((last, character),))
            if place % _PER_SENTENCE == 0:
                network.arcs.append(((last, "?"),))
                network.arcs.append(((last + 1, NO_WORD), (last + 2, NO_WORD)))
        return network

    n_pairs = _DOCUMENTS * _SENTENCES
    predictions, references = make_corpus("ko", n_pairs, edit_rate=0.1)
    documents = []
    for texts in (predictions, [row[0] for row in references]):
        documents.append(
            [network("".join(texts[start : start + _SENTENCES])) for start in range(0, n_pairs, _SENTENCES)]
        )
    return list(zip(*documents, strict=True))


def _each(compute: Callable[..., Any]) -> Compute:
    """Returns what computes something of each pair."""
    return lambda pairs: [compute(*pair) for pair in pairs]


def _calls(metric: str, **options: Any) -> Compute:
    """Returns what calls a metric with each pair alone."""

    def compute(pairs: list[tuple[str, str]]) -> list[dict[str, Any]]:
        call = load_metric(metric).compute
        return [call(predictions=[text], references=[[reference]], **options) for text, reference in pairs]

    return compute


def _without(limit: str, compute: Compute) -> Compute:
    """Returns what computes the same while nothing is below a limit, module.NAME."""

    def plain(inputs: Any) -> Any:
        with mock.patch(f"textgauge.{limit}", -1):
            return compute(inputs)

    return plain


def _of_limit(name: str, limit: str, metric: str, *code: str, **options: Any) -> Way:
    compute = _calls(metric, **options)
    return Way(name, compute, _without(limit, compute), _sentences, code)


def _counted(pairs: list[tuple[str, str]]) -> list[int]:
    predictions, references = map(list, zip(*pairs, strict=True))
    edits = np.array(list(map(Levenshtein.distance, references, predictions)))
    return count_edits(references, predictions, edits, "nlptutti")[:, 0].tolist()


def _aligned(prediction: str, reference: str) -> int:
    runs = align(reference, prediction, "nlptutti")
    return sum(end - start for kind, start, end, _, _ in runs if kind == "substitute")


def _total(reference: Network, prediction: Network, likely: int = LIKELY) -> int:
    return DistanceTable(reference, prediction, CHARACTERS, likely).total


def _path(reference: Network, prediction: Network, likely: int = 0) -> list[Step] | None:
    return nearest_paths(reference, prediction, likely=likely)


WAYS = [
    _of_limit("few texts: words of a call", "tokens.tokenizers.FEW_CHARACTERS", "bleu",
              "textgauge.ngrams.text_ngrams", "textgauge.tokens.tokenizers:_own_lists"),
    Way("diagonal steps of all pairs at once", _counted, _each(_aligned), _sentences,
        ("textgauge.edits.diagonal_steps", "textgauge.edits.distances:_substitutions")),
    Way("few edits of networks", _each(_path), _each(lambda *pair: _path(*pair, _FEW_EDITS)), _networks(0.02),
        ("textgauge.edits.network_edits:_few_edits",)),
    Way("distances of long networks within limits", _each(_total), _each(lambda *pair: _total(*pair, _NO_LIMIT)),
        _long_networks, ("textgauge.edits.network_rows:DistanceTable._fill",)),
]  # fmt: skip


def measured_way(way: Way, rounds: int) -> dict[str, Any]:
    """Returns what a way costs and gives, in the form that is kept; ValueError where its twin says something else."""
    inputs = way.inputs()
    if repr(way.fast(inputs)) != repr(way.plain(inputs)):
        raise ValueError(f"{way.name}: its plain twin gives another result")
    ratios = []
    for _ in range(rounds):
        fast = _seconds(way.fast, inputs)
        ratios.append(_seconds(way.plain, inputs) / fast)
    return {"way": way.name, "lines": sum(map(_lines, way.code)), "factor": round(statistics.median(ratios), 2)}


def _seconds(compute: Compute, inputs: Any) -> float:
    start = time.perf_counter()
    compute(inputs)
    return time.perf_counter() - start


def _lines(place: str) -> int:
    """Returns how many lines a module or a function has."""
    name, _, inside = place.partition(":")
    found = importlib.import_module(name)
    for part in filter(None, inside.split(".")):
        found = getattr(found, part)
    return len(inspect.getsource(found).splitlines())
