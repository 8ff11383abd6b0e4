"""Two texts with notations: how they are compared, and the alignment of the readings that are nearest to each other."""

import functools
import itertools
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import NamedTuple

from textgauge.edits.distances import AlignmentRun, runs_of
from textgauge.edits.network_edits import CHARACTERS, Step, cheapest_paths, nearest_paths
from textgauge.edits.network_rows import Equality
from textgauge.edits.networks import Network
from textgauge.korean.reading_networks import (
    Alignment,
    Units,
    align_readings,
    canonical_length,
    character_network,
    character_units,
    fewest_edits,
)
from textgauge.korean.reading_words import (
    WORD_EQUALITY,
    align_words,
    canonical_words,
    fewest_word_edits,
    word_network,
    word_units,
)
from textgauge.korean.readings import Cleaning, Text

from ..phrases.marks import Found, Marked, Marks
from .weighted_edits import Costs


class WaysToCompare(NamedTuple):
    """How two texts with notations are compared."""

    equality: Equality
    edits: Callable[..., list[int]]  # of pairs of texts, and how many are likely, see `count_fewest`
    length: Callable[[Text], int]  # of a reference
    network: Callable[[Text], Network]
    units: Callable[[Text], Units]
    shown: Callable[[Text, Text, list[Step]], Alignment]

    def steps(self, reference: Text, prediction: Text) -> list[Step]:
        """Returns how the nearest readings of two texts are aligned."""
        return nearest_paths(self.network(reference), self.network(prediction), self.equality)

    def align(self, reference: Text, prediction: Text) -> Alignment:
        """Returns the alignment of two texts."""
        return self.shown(reference, prediction, self.steps(reference, prediction))


def by_characters(cleaning: Cleaning) -> WaysToCompare:
    """Returns the comparison of a character error rate.

    >>> comparison = by_characters(Cleaning("remove", "remove", "syllable", "keep"))
    >>> comparison.edits([(["한글"], ["한굴"])], [1]), comparison.length(["한글"]), comparison.steps(["한글"], ["글"])
    ([1], 2, [('delete', 1, -1), ('equal', 2, 1)])
    """
    functions = fewest_edits, canonical_length, character_network, character_units, align_readings
    functions_of_cleaning = [functools.partial(function, cleaning=cleaning) for function in functions]
    return WaysToCompare(CHARACTERS, *functions_of_cleaning)


def by_words() -> WaysToCompare:
    """Returns the comparison of a word error rate."""
    return WaysToCompare(WORD_EQUALITY, fewest_word_edits, canonical_words, word_network, word_units, align_words)


class ReadPair:
    """The alignment of two texts; it is found once, and what is to be seen of it only where that is wanted."""

    def __init__(
        self, comparison: WaysToCompare, reference: Text, prediction: Text, marked: Marked, may_be_written: bool = True
    ) -> None:
        """Takes two texts, what phrases mean for their units, and whether both may be compared as they are written."""
        self.unit_marks = marked
        self.may_be_written = may_be_written
        self.comparison = comparison
        self.texts = reference, prediction

    def __call__(self) -> Alignment:
        """Returns the alignment."""
        return self.comparison.shown(*self.texts, self._steps)

    def runs(self, with_weights: bool = True) -> list[AlignmentRun]:
        """Returns the runs of the alignment, or of that without weights."""
        steps = self._steps if with_weights else self._nearest
        return runs_of(kind for kind, _, _ in steps)

    @property
    def has_weights(self) -> bool:
        """Whether an edit, or a token of the reference, may weigh more or less than 1."""
        return any(marks and {*marks.weights} != {1.0} for marks in self.unit_marks)

    def marks(self) -> Marked:
        """Returns the marks of both texts, with the occurrences of phrases in tokens of the alignment."""
        return self._marks_of(0), self._marks_of(1)

    def _marks_of(self, side: int) -> Marks | None:
        """Returns the marks of one text, with the occurrences of phrases in tokens."""
        marks = self.unit_marks[side]
        if marks is None:
            return None
        units = self._unit_of_tokens(side)
        occurrences = []
        for phrase, first_unit, end_unit in marks.occurrences:
            occurrences.append(Found(phrase, bisect_left(units, first_unit), bisect_left(units, end_unit)))
        return marks._replace(occurrences=occurrences)

    def written(self, side: int) -> list[tuple[int, int, str]]:
        """Returns first token, the one behind the last, and how they are written, of each unit of a text."""
        written = []
        start = 0
        for unit, tokens in itertools.groupby(self._unit_of_tokens(side)):
            end = start + len(list(tokens))
            written.append((start, end, self._units[side].written[unit]))
            start = end
        return written

    def _unit_of_tokens(self, side: int) -> list[int]:
        """Returns the unit of each token of a text, in the reading that is aligned."""
        units = []
        for step in self._steps:
            node = step[1 + side]
            if node >= 0:
                units.append(self._units[side].of[node])
        return units

    def cost(self) -> float:
        """Returns what the edits cost that cost least."""
        return self._cheapest[2]

    def weighted_hits(self) -> float:
        """Returns the weights of what is right of the reference."""
        weights = self._costs.reference.weights
        return sum(weights[node - 1] for kind, node, _ in self._steps if kind == "equal")

    def edit_costs(self) -> list[float] | None:
        """Returns what each edit of the alignment costs; None where each costs 1."""
        if not self.has_weights:
            return None
        steps, costs, _ = self._cheapest
        return [cost for step, cost in zip(steps, costs, strict=True) if step[0] != "equal"]

    def length(self) -> int:
        """Returns the length of the reference's canonical reading."""
        return self.comparison.length(self.texts[0])

    def weighted_length(self) -> float:
        """Returns the same with weights."""
        lengths = self._units[0].lengths
        marks = self.unit_marks[0]
        weights = marks.weights if marks else [1.0] * len(lengths)
        return sum(weight * length for weight, length in zip(weights, lengths, strict=True))

    @property
    def _steps(self) -> list[Step]:
        return self._cheapest[0] if self.has_weights else self._nearest

    @functools.cached_property
    def _nearest(self) -> list[Step]:
        return self.comparison.steps(*self.texts)

    @functools.cached_property
    def _cheapest(self) -> tuple[list[Step], list[float], float]:
        def cost(kind: str, node: int, prediction_node: int) -> float:
            # a step leads to a node of each text that it takes something of
            label = node if kind == "insert" else node - 1
            prediction_label = prediction_node if kind == "delete" else prediction_node - 1
            return self._costs.of(kind, label, prediction_label)

        networks = map(self.comparison.network, self.texts)
        return cheapest_paths(*networks, self.comparison.equality, cost)

    @functools.cached_property
    def _units(self) -> list[Units]:
        return list(map(self.comparison.units, self.texts))

    @functools.cached_property
    def _costs(self) -> Costs:
        marks_of_labels = []
        sizes = []
        for marks, units in zip(self.unit_marks, self._units, strict=True):
            marks_of_labels.append(None if marks is None else _label_marks(marks, units))
            sizes.append(len(units.of) - 1)
        return Costs(*marks_of_labels, tuple(sizes))


def fewest_edits_of(pairs: Sequence[ReadPair], likely: Sequence[int]) -> list[int]:
    """Returns the edits of the nearest readings of each pair, all compared alike; `likely` has a guess at each."""
    if not pairs:
        return []
    return pairs[0].comparison.edits([pair.texts for pair in pairs], likely)


def _label_marks(marks: Marks, units: Units) -> Marks:
    """Returns the marks of the labels of a network: each leads to a node, and none to the first one."""
    weights = []
    parts = []
    for unit, (is_first, is_last) in zip(units.of[1:], units.ends[1:], strict=True):
        parts_of_label = []
        for part in marks.parts[unit]:
            has_start = part.has_start and is_first
            has_end = part.has_end and is_last
            parts_of_label.append(part._replace(has_start=has_start, has_end=has_end))
        weights.append(marks.weights[unit])
        parts.append(tuple(parts_of_label))

    inside = []
    for unit, is_border in zip(units.of, units.are_borders, strict=True):
        if is_border:
            inside.append(marks.inside[unit + 1])
        else:
            inside.append(marks.weights[unit] if marks.parts[unit] else 0.0)
    return Marks(weights, inside, parts, [])
