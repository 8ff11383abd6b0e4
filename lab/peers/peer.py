"""What a peer is: another library, how it is called for a call of ours, and on which input both are to agree."""

import functools
import importlib
import itertools
import math
import unicodedata
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hypothesis import strategies as st

from .inputs import MORE_REFERENCES, TEXTS, Columns, of_texts

Values = dict[str, Any]  # by key of our result


class Case(NamedTuple):
    """One call: the columns of a metric of ours, and its options."""

    columns: Columns
    options: dict[str, Any]

    def texts(self) -> list[str]:
        """Returns all texts of both sides."""
        cells = itertools.chain(*self.columns.values())
        values = itertools.chain.from_iterable([cell] if isinstance(cell, str) else cell for cell in cells)
        return [value for value in values if isinstance(value, str)]

    def pairs(self) -> list[tuple[str, list[str]]]:
        """Returns prediction and references of each segment."""
        return list(zip(self.columns["predictions"], self.columns["references"], strict=True))

    def sides(self) -> tuple[list[str], list[str]]:
        """Returns the references and the predictions, one of each per segment."""
        return [reference for [reference] in self.columns["references"]], self.columns["predictions"]

    def words(self) -> tuple[list[list[list[str]]], list[list[str]]]:
        """Returns references and predictions as lists of words, in the order in which nltk takes them."""
        references = []
        for row in self.columns["references"]:
            references.append([text.split() for text in row])
        return references, [text.split() for text in self.columns["predictions"]]

    def transposed(self) -> tuple[list[str], list[tuple[str | None, ...]]]:
        """Returns predictions, and a list per set of references, as sacreBLEU takes them; None where one is missing."""
        return self.columns["predictions"], list(itertools.zip_longest(*self.columns["references"]))


class Difference(NamedTuple):
    """Inputs on which a peer may give another value, and why."""

    reason: str
    holds: Callable[[Case], bool]


class Unavailable(Exception):
    """A peer cannot be had here; the message says why."""


class Peer(NamedTuple):
    """A row of the matrix: another implementation of a metric of ours."""

    metric: str  # ours that computes the same
    name: str  # of the peer and of what of it is called
    package: str  # what pip installs, whose version counts; none for a definition that is written down here
    settings: str  # with which options of ours, in words; none for a peer whose speed alone is compared
    load: Callable[[], Any]  # returns what `call` needs, as a rule a module; ImportError, or Unavailable
    call: Callable[[Any, Case], Values]  # translates the options of a call of ours, and returns values by our keys
    options: st.SearchStrategy = st.just({})
    differences: tuple[Difference, ...] = ()
    columns: Callable[[Any], Columns] = of_texts
    inputs: Mapping[str, st.SearchStrategy] = TEXTS
    tolerance: float = 1e-12  # the largest difference of two equal values
    one_reference: bool = False  # it takes no more
    slow: Mapping[str, int] = MappingProxyType({})  # of these kinds so many times fewer inputs are tried

    @property
    def title(self) -> str:
        """Returns what this peer is called beside others."""
        return f"{self.metric}: {self.name}"

    def theirs(self) -> Callable[[Case], Values]:
        """Returns what calls the peer."""
        return functools.partial(self.call, self.load())

    def reasons(self, case: Case) -> list[str]:
        """Returns why the two may part on this call; nothing where they must agree."""
        return [difference.reason for difference in self.differences if difference.holds(case)]

    def kinds(self) -> list[str]:
        """Returns the kinds of input that both sides take."""
        return [kind for kind in self.inputs if not (self.one_reference and kind in MORE_REFERENCES)]

    def share(self, inputs: int, kind: str) -> int:
        """Returns how many inputs of a kind are tried, where a fast peer is tried on so many."""
        return max(1, inputs // self.slow.get(kind, 1))

    def cases(self, kind: str) -> st.SearchStrategy:
        """Returns calls with input of a kind."""
        return st.builds(Case, self.inputs[kind].map(self.columns), self.options)

    def facts(self) -> dict[str, Any]:
        """Returns what the file of results says of a peer, whatever comes of it."""
        found = {"metric": self.metric, "peer": self.name, "package": self.package}
        return {**found, "settings": self.settings, "tolerance": self.tolerance}


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
        return max(map(_gap, ours, theirs), default=0.0)
    if isinstance(ours, str) or isinstance(theirs, str):
        return 0.0 if ours == theirs else math.inf
    if ours == theirs or (math.isnan(ours) and math.isnan(theirs)):
        return 0.0
    distance = abs(float(ours) - float(theirs)) / max(1.0, abs(float(ours)), abs(float(theirs)))
    return math.inf if math.isnan(distance) else distance


def module(name: str) -> Callable[[], Any]:
    """Returns what imports a module."""
    return functools.partial(importlib.import_module, name)


def any_text(test: Callable[[str], bool]) -> Callable[[Case], bool]:
    """Returns whether a test holds for a text of either side."""
    return lambda case: any(map(test, case.texts()))


def any_reference(test: Callable[[str], bool]) -> Callable[[Case], bool]:
    """Returns whether a test holds for a reference."""
    return lambda case: any(map(test, itertools.chain(*case.columns["references"])))


def has_several_references(case: Case) -> bool:
    """Returns whether a segment has more than one."""
    return any(len(row) > 1 for row in case.columns["references"])


def has_no_word(case: Case) -> bool:
    """Returns whether no reference has a word."""
    return not any_reference(str.split)(case)


def is_composed(text: str) -> bool:
    """Returns whether NFC leaves a text as it is, also in lower case."""
    return unicodedata.is_normalized("NFC", text) and unicodedata.is_normalized("NFC", text.lower())


def is_decomposed(case: Case) -> bool:
    """Returns whether our Unicode form changes a text."""
    return case.options.get("normalization", "NFC") is not None and not all(map(is_composed, case.texts()))


UNICODE_FORMS = Difference(
    "it compares NFC and NFD as different texts; ours puts both into NFC unless `normalization=None`", is_decomposed
)
