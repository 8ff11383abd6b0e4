"""One run of the benchmark: its settings, its report, and how a comparison is made fair."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lab.peers.peer import Columns, Unavailable

from .corpus import Corpus
from .measure import Row, rows_of, take_turns, warm_up
from .sides import CALLS, Side, columns_of, of_peer, one_by_one, ours, peers_of


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


def difference(side: Side, theirs: float, ours: float, corpus: Corpus, what: str) -> tuple[float | None, list[str]]:
    """Returns the difference of two scores, None for a side that computes no score, and a note where it is too large.

    Raises:
        Disagreement: it is, for no known reason, so that timing the two would compare different computations.
    """
    if math.isnan(theirs):
        return None, []
    if abs(theirs - ours) <= side.tolerance * max(1, abs(ours)):
        return abs(theirs - ours), []
    reasons = "; ".join(side.reasons(corpus))
    if not reasons:
        raise Disagreement(f"{what} gives {theirs!r} and ours {ours!r}; not timed, for it is not the same")
    return abs(theirs - ours), [f"{what} gives {theirs:.6f}, ours {ours:.6f}: {reasons}"]


def with_peers(
    report: Report,
    computation: str,
    metric: str = "bleu",
    keys: Sequence[str] = (),
    columns: Callable[[Corpus], Columns] = columns_of,
    **options: Any,
) -> dict[str, Side]:
    """Returns ours, and the peers that are here and compute this; names those that are not here in the report."""
    sides = {"ours": ours(metric, keys, columns, **options)}
    for peer in peers_of(computation):
        try:
            sides[peer.name] = of_peer(peer, keys, columns, **options)
        except Unavailable as reason:
            report.skipped[str(reason)] = None
    return sides


def compare(
    report: Report, setting: Setting, comparison: str, language: str, corpus: Corpus, sides: Mapping[str, Side]
) -> None:
    """Checks that all sides agree with the first, times them, and adds their rows."""
    bound = {name: side.bind(corpus) for name, side in sides.items()}
    scores, times = warm_up(bound)
    (_, first), *scores_of_peers = scores.items()
    differences = {}
    for name, score in scores_of_peers:
        differences[name], why = difference(sides[name], score, first, corpus, f"{comparison} ({language}): {name}")
        report.notes |= dict.fromkeys(why)
    take_turns(bound, times, setting.rounds)
    report.rows += rows_of(comparison, language, len(corpus.predictions), times, differences)


def compare_calls(report: Report, setting: Setting, name: str, language: str, **options: Any) -> None:
    """Compares a metric with its peers, one segment per call."""
    sides = {}
    for side_name, side in with_peers(report, name, name, **options).items():
        sides[side_name] = one_by_one(side)
    corpus = setting.corpus(language, CALLS, 1)
    compare(report, setting, f"{name}, one segment per call", language, corpus, sides)
