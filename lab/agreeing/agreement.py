"""What an agreement is: a peer, the options with which it computes what ours computes, and the input to try both on."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from lab.peers.peer import Case, Columns, Peer, Values

from .inputs import MORE_REFERENCES, TEXTS, Segment


def of_texts(segments: Iterable[Segment]) -> Columns:
    """Returns the columns that nearly all metrics of texts take."""
    segments = list(segments)
    return {"predictions": [s.prediction for s in segments], "references": [list(s.references) for s in segments]}


class Agreement(NamedTuple):
    """A row of the matrix."""

    peer: Peer
    name: str  # of the peer and of what of it is called
    settings: str  # with which options of ours, in words
    options: st.SearchStrategy = st.just({})
    columns: Callable[[Any], Columns] = of_texts
    inputs: Mapping[str, st.SearchStrategy] = TEXTS
    slow: Mapping[str, int] = MappingProxyType({})  # of these kinds so many times fewer inputs are tried

    @property
    def title(self) -> str:
        """Returns what this agreement is called beside others."""
        return f"{self.peer.metric}: {self.name}"

    def kinds(self) -> list[str]:
        """Returns the kinds of input that both sides take."""
        return [kind for kind in self.inputs if not (self.peer.one_reference and kind in MORE_REFERENCES)]

    def share(self, inputs: int, kind: str) -> int:
        """Returns how many inputs of a kind are tried, where a fast peer is tried on so many."""
        return max(1, inputs // self.slow.get(kind, 1))

    def cases(self, kind: str) -> st.SearchStrategy:
        """Returns calls with input of a kind."""
        return st.builds(Case, self.inputs[kind].map(self.columns), self.options)

    def facts(self) -> dict[str, Any]:
        """Returns what the file of results says of an agreement, whatever comes of it."""
        found = {"metric": self.peer.metric, "peer": self.name, "package": self.peer.package}
        return {**found, "settings": self.settings, "tolerance": self.peer.tolerance}


class Compared(NamedTuple):
    """What both sides say of one call."""

    gap: float  # the largest difference of a number; inf where one side has no number
    ours: Values
    theirs: Values


def compare(metric: Any, theirs: Callable[[Case], Values], case: Case) -> Compared:
    """Returns both sides' values for the keys that the peer has; an exception of the peer is a value too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = metric.compute(**case.columns, **case.options)
        try:
            found = theirs(case)
        except (ArithmeticError, LookupError, ValueError, AssertionError, TypeError) as error:
            found = {metric.name: type(error).__name__}
    gaps = {key: _gap(ours[key], value) for key, value in found.items()}
    gap = max(gaps.values())
    shown = [key for key in found if gaps[key] == gap or key == metric.name]
    return Compared(gap, {key: ours[key] for key in shown}, {key: found[key] for key in shown})


def _gap(ours: Any, theirs: Any) -> float:
    """Returns the difference of two numbers, or the largest of two lists; above 1 as a share of the larger number."""
    if isinstance(ours, (list, tuple)):
        if not isinstance(theirs, (list, tuple)) or len(ours) != len(theirs):
            return math.inf
        return max((_gap(one, other) for one, other in zip(ours, theirs, strict=True)), default=0.0)
    if isinstance(ours, str) or isinstance(theirs, str):
        return 0.0 if ours == theirs else math.inf
    if ours == theirs or (math.isnan(ours) and math.isnan(theirs)):
        return 0.0
    distance = abs(float(ours) - float(theirs)) / max(1.0, abs(float(ours)), abs(float(theirs)))
    return math.inf if math.isnan(distance) else distance
