"""What an agreement is: a metric of ours, a peer, the options with which both compute the same, and where they part."""

import math
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .inputs import MORE_REFERENCES, TEXTS, Segment

Columns = dict[str, list[Any]]
Values = dict[str, Any]  # by key of our result


class Case(NamedTuple):
    """One call: the columns of a metric of ours, and its options."""

    columns: Columns
    options: dict[str, Any]

    def texts(self) -> list[str]:
        """Returns all texts of both sides."""
        columns = self.columns.values()
        texts = [text for column in columns for row in column for text in ([row] if isinstance(row, str) else row)]
        return [text for text in texts if isinstance(text, str)]

    def pairs(self) -> list[tuple[str, list[str]]]:
        """Returns prediction and references of each segment."""
        return list(zip(self.columns["predictions"], self.columns["references"], strict=True))


class Difference(NamedTuple):
    """Inputs on which a peer may give another value, and why."""

    reason: str
    holds: Callable[[Case], bool]


class Missing(Exception):
    """A peer cannot be run here; the message says why."""


def of_texts(segments: Iterable[Segment]) -> Columns:
    """Returns the columns that nearly all metrics of texts take."""
    segments = list(segments)
    return {"predictions": [s.prediction for s in segments], "references": [list(s.references) for s in segments]}


def of_numbers(rows: Iterable[tuple[float, float]]) -> Columns:
    """Returns the columns of a metric of scores."""
    predictions, references = zip(*rows, strict=True)
    return {"predictions": list(predictions), "references": list(references)}


def of_ratings(rows: list[list[float | None]]) -> Columns:
    """Returns the columns of a metric of scores, whose own scores do not matter."""
    return {"predictions": [float(row) for row in range(len(rows))], "references": rows}


class Agreement(NamedTuple):
    """A metric of ours and a peer that computes the same; `theirs` imports the peer and returns what calls it."""

    metric: str
    peer: str
    package: str  # the distribution whose version counts; none for a definition that is written down in this folder
    settings: str  # with which options of ours, in words
    theirs: Callable[[], Callable[[Case], Values]]
    options: st.SearchStrategy = st.just({})
    differences: tuple[Difference, ...] = ()
    tolerance: float = 1e-12
    columns: Callable[[Any], Columns] = of_texts
    inputs: Mapping[str, st.SearchStrategy] = TEXTS
    one_reference: bool = False  # the peer takes no more
    slow: Mapping[str, int] = MappingProxyType({})  # of these kinds so many times fewer inputs are tried

    @property
    def name(self) -> str:
        """Returns what this agreement is called in the tables."""
        return f"{self.metric}: {self.peer}"

    def kinds(self) -> list[str]:
        """Returns the kinds of input that both sides take."""
        return [kind for kind in self.inputs if not (self.one_reference and kind in MORE_REFERENCES)]

    def share(self, inputs: int, kind: str) -> int:
        """Returns how many inputs of a kind are tried, where a fast peer is tried on so many."""
        return max(1, inputs // self.slow.get(kind, 1))

    def cases(self, kind: str) -> st.SearchStrategy:
        """Returns calls with input of a kind."""
        return st.builds(Case, self.inputs[kind].map(self.columns), self.options)

    def reasons(self, case: Case) -> list[str]:
        """Returns why the two may part on this call; nothing where they must agree."""
        return [difference.reason for difference in self.differences if difference.holds(case)]


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


def is_composed(text: str) -> bool:
    """Returns whether NFC leaves a text as it is, also in lower case."""
    return unicodedata.is_normalized("NFC", text) and unicodedata.is_normalized("NFC", text.lower())


def is_decomposed(case: Case) -> bool:
    """Returns whether our Unicode form changes a text."""
    return case.options.get("normalization", "NFC") is not None and not all(map(is_composed, case.texts()))


UNICODE_FORMS = Difference(
    "it compares NFC and NFD as different texts; ours puts both into NFC unless `normalization=None`", is_decomposed
)
EITHER_FORM = st.sampled_from([None, "NFC"])
