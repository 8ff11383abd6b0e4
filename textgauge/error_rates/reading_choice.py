"""The nearest reference of each segment by its readings, for CER and WER.

Only texts with a notation become networks; two texts without one are compared as they are.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of
from textgauge.edits.distances import AlignmentRun, count_edits
from textgauge.korean.reading_tables import Readings
from textgauge.korean.reading_trees import Notation, canonical, or_as_written, tree_size
from textgauge.korean.readings import Cleaning, Text, has_notation, read_texts
from textgauge.korean.written_forms import in_usual_form

from .number_marks import hidden_marks
from .number_signs import differing_signs
from .pair_choice import Choice, Rates, Texts, nearest_of, recount, weigh_pairs
from .read_pairs import Marked, ReadPair, WaysToCompare
from .read_phrases import PhraseFinder

_FEW_NOTATIONS = 50
_READ_BY_CHARACTER = 8  # characters of readings for each one of notations, at most


class TextsToRead(NamedTuple):
    """Each reference of a chunk with the prediction of its segment, of which those with a notation are to be read."""

    references: list[str]  # not cleaned
    predictions: list[str]
    compared_references: list[str]  # what is compared where no text has a notation
    compared_predictions: list[str]
    counts: np.ndarray  # references of each segment


def choose_readings(
    texts: TextsToRead,
    readings: Readings,
    cleaning: Cleaning,
    comparison: WaysToCompare,
    finder: PhraseFinder | None = None,
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
        finder: of phrases with weights.
        bounded: divide by edits and hits.
        ties: which alignment has the hits, see `align`.
        with_counts: count each kind of edit.
    """
    aligned = _read_pairs(texts, readings, cleaning, comparison, finder)
    literal = _written(texts, ties, with_counts or bounded)
    read = _as_read(literal, aligned, comparison, bounded)
    unweighted = read.edits, read.denominators(bounded)
    weighted, lengths, marked, runs, edit_costs = unweighted, read.lengths, [], {}, {}
    if finder is not None:
        marked = _mark(texts, aligned, finder)
        costs, lengths, hits, edit_costs = _weigh(texts, read, aligned, marked, runs)
        weighted = costs, costs + hits if bounded else lengths
    rates = Rates(weighted, lengths, unweighted, (literal.edits, literal.denominators(bounded)))
    pairs = {index: of.pair for index, of in aligned.items() if not of.is_written}
    return nearest_of(_compared(texts), rates, read.steps, marked, runs, pairs, edit_costs)


def _compared(texts: TextsToRead) -> Texts:
    """Returns what is compared where no text has a notation."""
    return Texts(texts.compared_references, texts.compared_predictions, texts.counts)


def _mark(texts: TextsToRead, aligned: Mapping[int, "_Aligned"], finder: PhraseFinder) -> list[Marked]:
    """Returns what phrases mean for the tokens of all pairs, or for the units of those with notations."""
    plain = [index for index in range(len(texts.references)) if index not in aligned or aligned[index].is_written]
    both = [
        finder.of_plain([written[index] for index in plain], [len(compared[index]) for index in plain])
        for written, compared in (
            (texts.references, texts.compared_references),
            (texts.predictions, texts.compared_predictions),
        )
    ]
    by_index = {
        **dict(zip(plain, zip(*both, strict=True), strict=True)),
        **{at: of.marked for at, of in aligned.items() if not of.is_written},
    }
    marked = [by_index[index] for index in range(len(by_index))]
    finder.set_used(marks for marks, _ in marked)
    return marked


def _weigh(
    texts: TextsToRead,
    read: "_Distances",
    aligned: Mapping[int, "_Aligned"],
    marked: Sequence[Marked],
    runs: dict[int, list[AlignmentRun]],
) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[int, list[float]]]:
    """Returns what `weigh_pairs` does, and puts alignments into `runs`, and their counts into `read`.

    The length of a text with a notation is that of its canonical reading, also where the pair is compared as it is
    written: as without weights.
    """
    read_pairs = {index: of.pair for index, of in aligned.items() if not of.is_written}
    plain = [(None, None) if index in read_pairs else of for index, of in enumerate(marked)]
    costs, lengths, hits, edit_costs = weigh_pairs(_compared(texts), plain, {}, runs, read.edits, read.steps)
    for index, of in aligned.items():
        lengths[index] = of.pair.length() if of.pair.has_weights else read.lengths[index]
    for index, pair in read_pairs.items():
        if pair.has_weights:
            costs[index], hits[index] = pair.weigh()
            if read.steps is not None:
                read.steps[index] = _count_runs(pair.runs())
    recount(read.steps, runs, lengths_of(texts.compared_references))
    return costs, lengths, hits, edit_costs


class _Aligned(NamedTuple):
    """Two texts of which one has a notation, and how they may be compared."""

    reference: Text
    prediction: Text
    may_be_written: bool  # whether the notations may also be compared as they are written
    pair: ReadPair
    marked: Marked
    is_written: bool = False  # whether no reading is as near as what is written


class _Distances(NamedTuple):
    """How far each prediction is from its reference."""

    edits: np.ndarray
    lengths: np.ndarray  # of the references
    steps: np.ndarray | None  # (n_pairs, 4) substitutions, deletions, insertions, hits

    def denominators(self, bounded: bool) -> np.ndarray:
        """Returns what the edits are divided by: lengths, or edits and hits."""
        return self.edits + self.steps[:, 3] if bounded else self.lengths


def _written(texts: TextsToRead, ties: str, with_counts: bool) -> _Distances:
    """Returns the distances of the texts as they are written."""
    sides = texts.compared_references, texts.compared_predictions
    edits = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64)
    return _Distances(edits, lengths_of(sides[0]), count_edits(*sides, edits, ties) if with_counts else None)


def _as_read(literal: _Distances, aligned: dict[int, _Aligned], comparison: WaysToCompare, bounded: bool) -> _Distances:
    """Returns the distances of the nearest readings; only those of some pairs differ from what is written.

    Notes in `aligned` which pairs stay as they are written, as no reading is as near: ½ for one. Where phrases have
    weights, counts are those of another alignment, and are needed here only if something is divided by them.
    """
    edits, lengths = literal.edits.copy(), literal.lengths.copy()
    steps = None if literal.steps is None else literal.steps.copy()
    for index, (reference, prediction, may_be_written, pair, *_) in list(aligned.items()):
        lengths[index] = comparison.length(reference)
        counts = None if steps is None or (pair.has_weights and not bounded) else _count_runs(pair.runs(False))
        fewest = comparison.edits(reference, prediction, edits[index]) if counts is None else sum(counts[:3])
        if may_be_written and fewest > edits[index]:
            aligned[index] = aligned[index]._replace(is_written=True)
        else:
            edits[index] = fewest
            if counts is not None:
                steps[index] = counts
    return _Distances(edits, lengths, steps)


def _count_runs(runs: Sequence[AlignmentRun]) -> list[int]:
    """Returns substitutions, deletions, insertions and hits."""
    kinds = ("substitute", "delete", "insert", "equal")
    return [sum(max(run[2] - run[1], run[4] - run[3]) for run in runs if run[0] == kind) for kind in kinds]


def _read_pairs(
    texts: TextsToRead, readings: Readings, cleaning: Cleaning, comparison: WaysToCompare, finder: PhraseFinder | None
) -> dict[int, _Aligned]:
    """Returns the pairs in which one text has a notation, by their index."""
    flags = [has_notation(side, readings, cleaning.marks) for side in (texts.references, texts.predictions)]
    chosen = np.flatnonzero(np.logical_or(*flags)).tolist()
    references = [texts.references[index] for index in chosen]
    predictions = [texts.predictions[index] for index in chosen]
    marked: Iterable[Marked] = [(None, None)] * len(chosen)
    if finder is not None:
        marked = zip(finder.of_read(references), finder.of_read(predictions), strict=True)
    read = (read_texts(side, readings, cleaning) for side in (references, predictions))
    hidden = hidden_marks(predictions, references, cleaning)
    in_notations = hidden
    if readings.is_korean:
        hidden = hidden | differing_signs(predictions, references, cleaning)
        usual = [list(map(in_usual_form, side)) for side in (predictions, references)]
        in_notations = hidden | hidden_marks(*usual, cleaning)  # with ½ as 1/2, so that it is not 12
    pairs = {}
    for index, of_pair, compared in zip(chosen, marked, map(_may_be_read, *read, hidden, in_notations), strict=True):
        reference, prediction, may_be_written = compared
        pair = ReadPair(comparison, reference, prediction, of_pair)
        pairs[index] = _Aligned(reference, prediction, may_be_written, pair, of_pair)
    return pairs


def _may_be_read(
    reference: Text, prediction: Text, hides_signs: bool, hides_in_notations: bool
) -> tuple[Text, Text, bool]:
    """Returns two texts with all that their notations may be compared as, and whether they may stay as written.

    A notation may stay as it is written, except where marks inside numbers or signs beside them differ that are removed
    then: 1.5 and 15, 10㎡ and 10㎥.
    Where a text is empty the other one has its canonical reading, so that all of it is missing: CER is 1. So has a text
    with far more readings than people write.
    """
    if not reference or not prediction:
        return *([canonical(piece) for piece in text] for text in (reference, prediction)), False
    reference, prediction = map(_within_bounds, (reference, prediction))
    if hides_in_notations:
        return reference, prediction, not hides_signs
    written = [{piece.written for piece in text if isinstance(piece, Notation)} for text in (reference, prediction)]
    both = written[0] & written[1]  # read alike, so that these need not stay as they are
    return *([or_as_written(piece, both) for piece in text] for text in (reference, prediction)), True


def _within_bounds(text: Text) -> Text:
    """Returns a text, with the canonical readings alone if its notations have far more readings than usual.

    Usual texts have 1 to 5 characters of readings for each that is written, "1-1-1-1-" of a recogniser that loops has
    15, which would be compared for minutes. The bound is in proportion to the length of the text, so that no other
    text matters.
    """
    notations = [piece for piece in text if isinstance(piece, Notation)]
    if len(notations) < _FEW_NOTATIONS:
        return text
    most = _READ_BY_CHARACTER * sum(len(piece.written) for piece in notations)
    if sum(tree_size(piece.tree) for piece in notations) <= most:
        return text
    return [canonical(piece) for piece in text]
