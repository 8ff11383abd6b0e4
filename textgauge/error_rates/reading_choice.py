"""The nearest reference of each segment by its readings, for CER and WER.

Only texts with a notation become networks; two texts without one are compared as they are.
"""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of
from textgauge.core.metric import error_rate
from textgauge.core.references import best_references
from textgauge.edits.distances import Run, count_edits
from textgauge.korean.reading_networks import Alignment, align_readings, canonical_length, fewest_edits
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import KINDS, Notation
from textgauge.korean.reading_words import align_words, canonical_words, fewest_word_edits
from textgauge.korean.readings import Cleaning, Text, has_notation, read_texts

from .pair_choice import Choice


class Comparison(NamedTuple):
    """How two texts with notations are compared: their edits, the length of a reference, and the alignment."""

    edits: Callable[[Text, Text], int]
    length: Callable[[Text], int]
    align: Callable[[Text, Text], Alignment]


def by_characters(cleaning: Cleaning) -> Comparison:
    """Returns the comparison of a character error rate."""
    rule = {"cleaning": cleaning}
    return Comparison(*(functools.partial(f, **rule) for f in (fewest_edits, canonical_length, align_readings)))


def by_words() -> Comparison:
    """Returns the comparison of a word error rate."""
    return Comparison(fewest_word_edits, canonical_words, align_words)


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
    aligned = {index: functools.cache(functools.partial(comparison.align, *pair)) for index, pair in pairs.items()}
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
    pairs: Mapping[int, tuple[Text, Text]],
    aligned: Mapping[int, Callable[[], Alignment]],
    comparison: Comparison,
) -> _Distances:
    """Returns the distances of the nearest readings; only those of some pairs differ from what is written."""
    edits, lengths = literal.edits.copy(), literal.lengths.copy()
    steps = None if literal.steps is None else literal.steps.copy()
    for index, pair in pairs.items():
        lengths[index] = comparison.length(pair[0])
        if steps is None:
            edits[index] = comparison.edits(*pair)
        else:
            steps[index] = _count_runs(aligned[index]().runs)
            edits[index] = steps[index, :3].sum()
    return _Distances(edits, lengths, steps)


def _count_runs(runs: Sequence[Run]) -> list[int]:
    """Returns substitutions, deletions, insertions and hits."""
    kinds = ("substitute", "delete", "insert", "equal")
    return [sum(max(run[2] - run[1], run[4] - run[3]) for run in runs if run[0] == kind) for kind in kinds]


def forgiven_edits(
    references: Sequence[str],
    predictions: Sequence[str],
    edits: np.ndarray,
    readings: Readings,
    cleaning: Cleaning,
    comparison: Comparison,
) -> np.ndarray:
    """Returns how many more edits there would be if a kind of notation were not read, (n_pairs, kinds) int64.

    It may be negative: the readings of two notations may differ in more characters than the notations.
    """
    found = np.zeros((len(edits), len(KINDS)), dtype=np.int64)
    for row, texts in enumerate(zip(references, predictions, strict=True)):
        if not any(has_notation(texts, readings, cleaning.marks)):
            continue
        pieces = itertools.chain.from_iterable(read_texts(texts, readings, cleaning))
        kinds = {piece.kind for piece in pieces if isinstance(piece, Notation)}
        for kind in kinds:
            pair = read_texts(texts, readings._replace(kinds=frozenset([kind])), cleaning)
            found[row, KINDS.index(kind)] = comparison.edits(*pair) - edits[row]
    return found


def _read_pairs(
    references: Sequence[str], predictions: Sequence[str], readings: Readings, cleaning: Cleaning
) -> dict[int, tuple[Text, Text]]:
    """Returns the pairs in which one text has a notation, by their index."""
    flags = (has_notation(texts, readings, cleaning.marks) for texts in (references, predictions))
    chosen = [index for index, pair in enumerate(zip(*flags, strict=True)) if any(pair)]
    texts = [text for index in chosen for text in (references[index], predictions[index])]
    read = read_texts(texts, readings, cleaning)
    return dict(zip(chosen, zip(read[::2], read[1::2], strict=True), strict=True))
