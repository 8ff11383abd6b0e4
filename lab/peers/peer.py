"""What a peer is: how another library is called for a call of ours, and on which input it gives another value."""

import functools
import importlib
import itertools
import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple

Columns = dict[str, list[Any]]
Values = dict[str, Any]  # by key of our result


class Case(NamedTuple):
    """One call: the columns of a metric of ours, and its options."""

    columns: Columns
    options: dict[str, Any]

    def texts(self) -> list[str]:
        """Returns all texts of both sides."""
        texts: list[str] = []
        for column in self.columns.values():
            for cell in column:
                values = [cell] if isinstance(cell, str) else cell
                texts += [value for value in values if isinstance(value, str)]
        return texts

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
    """A peer or a comparison cannot be had here; the message says why."""


class Peer(NamedTuple):
    """An entry of the registry: another implementation of a metric of ours."""

    metric: str  # ours that computes the same
    name: str  # in the tables of speed
    package: str  # what pip installs, whose version counts; none for a definition that is written down here
    load: Callable[[], Any]  # returns what `call` needs, as a rule a module; ImportError, or Unavailable
    call: Callable[[Any, Case], Values]  # translates the options of a call of ours, and returns values by our keys
    timed: tuple[str, ...] = ()  # the comparisons of speed in which it takes part
    differences: tuple[Difference, ...] = ()
    tolerance: float = 1e-12  # the largest difference of two equal values
    one_reference: bool = False  # it takes no more

    def theirs(self) -> Callable[[Case], Values]:
        """Returns what calls the peer."""
        return functools.partial(self.call, self.load())

    def reasons(self, case: Case) -> list[str]:
        """Returns why the two may part on this call; nothing where they must agree."""
        return [difference.reason for difference in self.differences if difference.holds(case)]


def module(name: str) -> Callable[[], Any]:
    """Returns what imports a module."""
    return functools.partial(importlib.import_module, name)


def has_several_references(case: Case) -> bool:
    """Returns whether a segment has more than one."""
    return any(len(row) > 1 for row in case.columns["references"])


def has_no_word(case: Case) -> bool:
    """Returns whether no reference has a word."""
    return not any(text.split() for row in case.columns["references"] for text in row)


def is_composed(text: str) -> bool:
    """Returns whether NFC leaves a text as it is, also in lower case."""
    return unicodedata.is_normalized("NFC", text) and unicodedata.is_normalized("NFC", text.lower())


def is_decomposed(case: Case) -> bool:
    """Returns whether our Unicode form changes a text."""
    return case.options.get("normalization", "NFC") is not None and not all(map(is_composed, case.texts()))


UNICODE_FORMS = Difference(
    "it compares NFC and NFD as different texts; ours puts both into NFC unless `normalization=None`", is_decomposed
)
