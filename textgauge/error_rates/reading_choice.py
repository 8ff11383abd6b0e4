"""The nearest reference of each segment by its readings, for CER and WER.

Only texts with a notation become networks; two texts without one are compared as they are.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of
from textgauge.core.metric import error_rate
from textgauge.core.references import best_references
from textgauge.edits.distances import Run, count_edits, runs_of
from textgauge.edits.network_edits import Step
from textgauge.korean.reading_networks import (
    Alignment,
    align_readings,
    canonical_length,
    fewest_edits,
    reading_steps,
)
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import Notation, canonical, or_as_written
from textgauge.korean.reading_words import align_words, canonical_words, fewest_word_edits, word_steps
from textgauge.korean.readings import Cleaning, Text, has_notation, read_texts

from .number_marks import hidden_marks
from .pair_choice import Choice


class Comparison(NamedTuple):
    """How two texts with notations are compared."""

    edits: Callable[[Text, Text], int]
    length: Callable[[Text], int]  # of a reference
    steps: Callable[[Text, Text], list[Step]]  # of the alignment
    shown: Callable[[Text, Text, list[Step]], Alignment]

    def align(self, reference: Text, prediction: Text) -> Alignment:
        """Returns the alignment of two texts."""
        return self.shown(reference, prediction, self.steps(reference, prediction))


def by_characters(cleaning: Cleaning) -> Comparison:
    """Returns the comparison of a character error rate."""
    functions = fewest_edits, canonical_length, reading_steps, align_readings
    return Comparison(*(functools.partial(function, cleaning=cleaning) for function in functions))


def by_words() -> Comparison:
    """Returns the comparison of a word error rate."""
    return Comparison(fewest_word_edits, canonical_words, word_steps, align_words)


class Pairs(NamedTuple):
    """Each reference of a chunk with the prediction of its segment."""

    references: list[str]  # not cleaned
    predictions: list[str]
    compared_references: list[str]  # what is compared where no text has a notation
    compared_predictions: list[str]
    counts: np.ndarray  # references of each segment


def choose_readings(
    texts: Pairs,
    readings: Readings,
    cleaning: Cleaning,
    comparison: Comparison,
    bounded: bool = False,
    ties: str = "jiwer",
    with_counts: bool = False,
) -> Choice:
    """Returns the nearest reference of each segment, by its readings; lengths are those of canonical readings.

    Args:
        texts: of the chunk.
        readings: that are equal.
        cleaning: what counts.
        comparison: of two texts with notations.
        bounded: divide by edits and hits.
        ties: which alignment has the hits, see `align`.
        with_counts: count each kind of edit.
    """
    pairs = _read_pairs(texts.references, texts.predictions, readings, cleaning)
    aligned = {index: _Aligned(comparison, pair) for index, pair in pairs.items()}
    literal = _written(texts, ties, with_counts or bounded)
    read = _as_read(literal, pairs, aligned, comparison)
    rates = [error_rate(distances.edits, distances.denominators(bounded)) for distances in (read, literal)]
    chosen, nearest = (best_references(-rate, texts.counts) for rate in rates)
    places = chosen.tolist()
    return Choice(
        references=[texts.compared_references[index] for index in places],
        predictions=[texts.compared_predictions[index] for index in places],
        edits=read.edits[chosen],
        lengths=read.lengths[chosen],
        counts=None if read.steps is None else read.steps[chosen],
        indices=(chosen - np.cumsum(texts.counts) + texts.counts).tolist(),
        literal=np.column_stack([literal.edits[nearest], literal.denominators(bounded)[nearest]]),
        denominators=read.denominators(bounded)[chosen],
        chosen=places,
        marked=[],
        runs={},
        read={row: aligned[index] for row, index in enumerate(places) if index in aligned},
    )


class _Pair(NamedTuple):
    """Two texts with their notations, and whether these may also be compared as they are written."""

    reference: Text
    prediction: Text
    may_be_written: bool


class _Aligned:
    """The alignment of two texts; its steps are found once, and what is to be seen of it only where that is wanted."""

    def __init__(self, comparison: Comparison, pair: _Pair) -> None:
        self._comparison, self._texts = comparison, pair[:2]

    def __call__(self) -> Alignment:
        return self._comparison.shown(*self._texts, self._steps)

    @functools.cached_property
    def _steps(self) -> list[Step]:
        return self._comparison.steps(*self._texts)

    @property
    def runs(self) -> list[Run]:
        return runs_of(step[0] for step in self._steps)


class _Distances(NamedTuple):
    """How far each prediction is from its reference."""

    edits: np.ndarray
    lengths: np.ndarray  # of the references
    steps: np.ndarray | None  # (n_pairs, 4) substitutions, deletions, insertions, hits

    def denominators(self, bounded: bool) -> np.ndarray:
        """Returns what the edits are divided by: lengths, or edits and hits."""
        return self.edits + self.steps[:, 3] if bounded else self.lengths


def _written(texts: Pairs, ties: str, with_counts: bool) -> _Distances:
    """Returns the distances of the texts as they are written."""
    sides = texts.compared_references, texts.compared_predictions
    edits = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    return _Distances(edits, lengths_of(sides[0]), count_edits(*sides, edits, ties) if with_counts else None)


def _as_read(
    literal: _Distances,
    pairs: Mapping[int, _Pair],
    aligned: dict[int, _Aligned],
    comparison: Comparison,
) -> _Distances:
    """Returns the distances of the nearest readings; only those of some pairs differ from what is written.

    Takes the alignments away where no reading is as near as what is written, ½ for one.
    """
    edits, lengths = literal.edits.copy(), literal.lengths.copy()
    steps = None if literal.steps is None else literal.steps.copy()
    for index, (reference, prediction, may_be_written) in pairs.items():
        lengths[index] = comparison.length(reference)
        counts = None if steps is None else _count_runs(aligned[index].runs)
        found = comparison.edits(reference, prediction) if counts is None else sum(counts[:3])
        if may_be_written and found > edits[index]:
            del aligned[index]
        else:
            edits[index] = found
            if steps is not None:
                steps[index] = counts
    return _Distances(edits, lengths, steps)


def _count_runs(runs: Sequence[Run]) -> list[int]:
    """Returns substitutions, deletions, insertions and hits."""
    kinds = ("substitute", "delete", "insert", "equal")
    return [sum(max(run[2] - run[1], run[4] - run[3]) for run in runs if run[0] == kind) for kind in kinds]


def _read_pairs(
    references: Sequence[str], predictions: Sequence[str], readings: Readings, cleaning: Cleaning
) -> dict[int, _Pair]:
    """Returns the pairs in which one text has a notation, by their index."""
    flags = (has_notation(texts, readings, cleaning.marks) for texts in (references, predictions))
    chosen = [index for index, pair in enumerate(zip(*flags, strict=True)) if any(pair)]
    sides = [[texts[index] for index in chosen] for texts in (references, predictions)]
    read = (read_texts(texts, readings, cleaning) for texts in sides)
    hidden = hidden_marks(*sides[::-1], cleaning)
    return {index: _pair(*pair) for index, *pair in zip(chosen, *read, hidden, strict=True)}


def _pair(reference: Text, prediction: Text, hides_marks: bool) -> _Pair:
    """Returns two texts with all that their notations may be compared as.

    A notation may stay as it is written, except where marks inside numbers differ that are removed then: 1.5 and 15.
    Where a text is empty the other one has its canonical reading, so that all of it is missing: CER is 1.
    """
    if not reference or not prediction:
        texts = ([canonical(piece) for piece in text] for text in (reference, prediction))
        return _Pair(*texts, False)
    if hides_marks:
        return _Pair(reference, prediction, False)
    written = [{piece.written for piece in text if isinstance(piece, Notation)} for text in (reference, prediction)]
    both = written[0] & written[1]  # read alike, so that these need not stay as they are
    return _Pair(*([or_as_written(piece, both) for piece in text] for text in (reference, prediction)), True)
