"""One run of the benchmark: its settings, its report, and how a comparison is made fair."""

import functools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .corpus import Corpus
from .measure import Row, rows_of, take_turns, warm_up
from .peers import PEERS, load_peer
from .sides import CALLS, Side, Unavailable, one_by_one, ours


class Memory(NamedTuple):
    """What scoring adds to the peak memory of a process that holds the texts."""

    side: str
    language: str
    segments: int
    megabytes: float


class Alike(NamedTuple):
    """How many pairs of a kind a side finds to be read alike: they have CER 0."""

    kind: str
    category: str
    pairs: int
    side: str
    alike: int


class Setting(NamedTuple):
    """What holds for all comparisons."""

    corpus: Callable[[str, int, int], Corpus]  # (language, segments, references)
    segments: int
    rounds: int
    sizes: tuple[int, ...]  # segments for growth and memory, ascending
    hf_metrics: Path | None


@dataclass
class Report:
    """What came out."""

    rows: list[Row] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    alike: list[Alike] = field(default_factory=list)
    skipped: dict[str, None] = field(default_factory=dict)  # an ordered set
    notes: dict[str, None] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)  # comparisons of what is not the same


class Disagreement(Exception):
    """Two sides that ought to compute the same do not."""


def check_agreement(side: str, theirs: float, ours: float, tolerance: float, what: str) -> float | None:
    """Returns the difference of two scores; None for a side that computes no score.

    Raises:
        Disagreement: it is larger than the tolerance, so that timing the two would compare different computations.
    """
    if math.isnan(theirs):
        return None
    if not abs(theirs - ours) <= tolerance:
        raise Disagreement(f"{what}: {side} gives {theirs!r} and ours {ours!r}; not timed, for it is not the same")
    return abs(theirs - ours)


def available(
    report: Report, setting: Setting, computation: str, names: tuple[str, ...] = tuple(PEERS)
) -> dict[str, Side]:
    """Returns the peers that are here and compute this; names those that are not here in the report."""
    found = {}
    for name in names:
        if computation in PEERS[name].loads:
            try:
                found[name] = load_peer(name, computation, setting.hf_metrics)
            except Unavailable as reason:
                report.skipped[str(reason)] = None
    return found


def compare(
    report: Report, setting: Setting, comparison: str, language: str, corpus: Corpus, sides: Mapping[str, Side]
) -> None:
    """Checks that all sides agree with the first, times them, and adds their rows."""
    bound = {name: functools.partial(run, corpus) for name, run in sides.items()}
    scores, times = warm_up(bound)
    (_, first), *others = scores.items()
    differences = {}
    for side, score in others:
        peer = PEERS.get(side)
        differs = peer.differs if peer and peer.differs_for(corpus) else ""
        tolerance = math.inf if differs else peer.tolerance if peer else 1e-9
        differences[side] = check_agreement(side, score, first, tolerance, f"{comparison} ({language})")
        if differs:
            report.notes[f"{comparison} ({language}): {side} gives {score:.6f}, ours {first:.6f}: {differs}"] = None
    take_turns(bound, times, setting.rounds)
    report.rows += rows_of(comparison, language, len(corpus.predictions), times, differences)


def compare_calls(report: Report, setting: Setting, name: str, language: str, **options: Any) -> None:
    """Compares a metric with its peers, one segment per call."""
    sides = {"ours": ours(name, (name,), **options), **available(report, setting, name)}
    each = {side: one_by_one(run) for side, run in sides.items()}
    compare(report, setting, f"{name}, one segment per call", language, setting.corpus(language, CALLS, 1), each)
