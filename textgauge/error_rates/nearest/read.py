"""Pairs in which one text has a notation: how far they are as they are read, for CER and WER.

Only texts with a notation become networks; two texts without one are compared as they are.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.korean.reading_trees import Notation, canonical, or_as_written, tree_size
from textgauge.korean.readings import Text, has_notation, read_texts
from textgauge.korean.written_forms import in_usual_form

from ..phrases.marks import Marked, Marks
from ..phrases.number_marks import hidden_marks
from ..phrases.number_signs import differing_signs
from ..phrases.read_phrases import PhraseFinder
from .pairs import PairResult, Pairs, Texts, count_runs, result_of
from .read_pairs import ReadPair, by_characters, by_words, fewest_edits_of
from .rule import Rule
from .weighted import weigh

_FEW_NOTATIONS = 50
_READ_BY_CHARACTER = 8  # characters of readings for each one of notations, at most


def find_read_pairs(texts: Texts, rule: Rule) -> dict[int, ReadPair]:
    """Returns the pairs in which one text has a notation, by their numbers."""
    written_references, written_predictions = texts.written
    is_read = has_notation(written_references, rule.readings, rule.cleaning.marks)
    is_prediction_read = has_notation(written_predictions, rule.readings, rule.cleaning.marks)
    pairs = np.flatnonzero(np.logical_or(is_read, is_prediction_read)).tolist()
    references = [written_references[pair] for pair in pairs]
    predictions = [written_predictions[pair] for pair in pairs]
    read_references = read_texts(references, rule.readings, rule.cleaning)
    read_predictions = read_texts(predictions, rule.readings, rule.cleaning)
    hides_signs, hides_in_notations = _hidden_in(references, predictions, rule)
    marked: list[Marked] = [(None, None)] * len(pairs)
    if rule.finder is not None:
        marked = list(zip(rule.finder.of_read(references), rule.finder.of_read(predictions), strict=True))

    comparison = by_characters(rule.cleaning) if rule.tokenizer is None else by_words()
    read_pairs = {}
    for index, pair in enumerate(pairs):
        sides = _may_be_read(
            read_references[index], read_predictions[index], hides_signs[index], hides_in_notations[index]
        )
        texts_to_compare = sides.reference, sides.prediction
        read_pairs[pair] = ReadPair(comparison, *texts_to_compare, marked[index], sides.may_be_written)
    return read_pairs


def _hidden_in(references: list[str], predictions: list[str], rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Returns whether two texts differ in marks or signs that are removed, and whether they do in notations.

    Both are (n_pairs,). In notations ½ is 1/2, so that it is not 12.
    """
    hides_marks = hidden_marks(predictions, references, rule.cleaning)
    if not rule.readings.is_korean:
        return hides_marks, hides_marks
    hides_signs = hides_marks | differing_signs(predictions, references, rule.cleaning)
    usual_predictions = list(map(in_usual_form, predictions))
    usual_references = list(map(in_usual_form, references))
    return hides_signs, hides_signs | hidden_marks(usual_predictions, usual_references, rule.cleaning)


def read_results(read: Mapping[int, ReadPair], pairs: Pairs, rule: Rule) -> dict[int, PairResult]:
    """Returns the results of pairs as they are read, or as they are written where no reading is as near: ½ for one.

    The length is that of the canonical reading in both cases. Where phrases have weights, steps are those of another
    alignment, and are counted here only if something is divided by hits.

    Args:
        read: pairs in which one text has a notation, by their numbers.
        pairs: all of them, as they are written.
        rule: of the comparison.
    """
    written_edits = {number: int(pairs.edits[number]) for number in read}
    steps_of = {}
    for number, pair in read.items():
        if pairs.steps is not None and (rule.bounded or not pair.has_weights):
            steps_of[number] = count_runs(pair.runs(with_weights=False))
    without_steps = [number for number in read if number not in steps_of]
    likely = [written_edits[number] for number in without_steps]
    counts = fewest_edits_of([read[number] for number in without_steps], likely)
    edits_of = dict(zip(without_steps, counts, strict=True))

    results = {}
    for number, pair in read.items():
        written = written_edits[number]
        length = pair.length()
        steps = steps_of.get(number)
        edits = edits_of[number] if steps is None else sum(steps[:3])
        if pair.may_be_written and edits > written:
            denominator = int(pairs.denominators[number]) if rule.bounded else length
            results[number] = PairResult(written, denominator, length)
        else:
            denominator = edits + steps[3] if rule.bounded else length
            results[number] = PairResult(edits, denominator, length, steps, marks=pair.unit_marks, read=pair)
    return results


def weigh_read(
    texts: Texts, read: Mapping[int, ReadPair], results: Mapping[int, PairResult], pairs: Pairs, rule: Rule
) -> dict[int, PairResult]:
    """Returns the results of the pairs that have phrases, by their numbers.

    The length of a text with a notation is that of its canonical reading, also where the pair is compared as it is
    written: as without weights.

    Args:
        texts: of the chunk, with what is written.
        read: pairs in which one text has a notation, by their numbers.
        results: of these without weights.
        pairs: all of them without weights.
        rule: of the comparison, with phrases.
    """
    weighted = {}
    for number, marks in _plain_marks(texts, results, rule.finder).items():
        before = result_of(pairs, number)
        weighted[number] = weigh(before, texts.references[number], texts.predictions[number], marks, rule.bounded)
    for number, pair in read.items():
        result = results[number]
        if result.read is not None:
            weighted[number] = _weigh_as_read(result, pair, rule.bounded)
        else:
            as_written = weighted.get(number, result)
            length = pair.weighted_length() if pair.has_weights else result.length
            denominator = as_written.denominator if rule.bounded else length
            weighted[number] = as_written._replace(length=length, denominator=denominator)
    return weighted


def _plain_marks(texts: Texts, results: Mapping[int, PairResult], finder: PhraseFinder) -> dict[int, Marked]:
    """Returns the marks of the pairs that are not compared as they are read, of those that have phrases."""
    pairs = []
    for pair in range(len(texts.references)):
        if pair not in results or results[pair].read is None:
            pairs.append(pair)
    written_references, written_predictions = texts.written
    references = _marks_of_side(finder, pairs, written_references, texts.references)
    predictions = _marks_of_side(finder, pairs, written_predictions, texts.predictions)
    marked: dict[int, Marked] = {}
    for pair, marks in zip(pairs, zip(references, predictions, strict=True), strict=True):
        if marks != (None, None):
            marked[pair] = marks
    return marked


def _marks_of_side(
    finder: PhraseFinder, pairs: Sequence[int], written: Sequence[str], compared: Sequence[str]
) -> list[Marks | None]:
    """Returns the marks of one text of some pairs; what is compared has a character for each token."""
    sizes = [len(compared[pair]) for pair in pairs]
    return finder.of_plain([written[pair] for pair in pairs], sizes)


def _weigh_as_read(result: PairResult, pair: ReadPair, bounded: bool) -> PairResult:
    """Returns the result of two texts as they are read, with weights."""
    if not pair.has_weights:
        return result
    edits = pair.cost()
    length = pair.weighted_length()
    denominator = edits + pair.weighted_hits() if bounded else length
    return result._replace(edits=edits, denominator=denominator, length=length, steps=count_runs(pair.runs()))


class _Readings(NamedTuple):
    """Two texts with all that their notations may be compared as."""

    reference: Text
    prediction: Text
    may_be_written: bool  # whether both may stay as they are written


def _may_be_read(reference: Text, prediction: Text, hides_signs: bool, hides_in_notations: bool) -> _Readings:
    """Returns two texts with all that their notations may be compared as, and whether they may stay as written.

    A notation may stay as it is written, except where marks inside numbers or signs beside them differ that are removed
    then: 1.5 and 15, 10㎡ and 10㎥.
    Where a text is empty the other one has its canonical reading, so that all of it is missing: CER is 1. So has a text
    with far more readings than people write.
    """
    if not reference or not prediction:
        return _Readings(_canonical(reference), _canonical(prediction), False)
    reference = _within_bounds(reference)
    prediction = _within_bounds(prediction)
    if hides_in_notations:
        return _Readings(reference, prediction, not hides_signs)
    # what both have is read alike, so that it need not stay as it is written
    in_both = _notations(reference) & _notations(prediction)
    reference = [or_as_written(piece, in_both) for piece in reference]
    prediction = [or_as_written(piece, in_both) for piece in prediction]
    return _Readings(reference, prediction, True)


def _canonical(text: Text) -> Text:
    """Returns a text with the canonical readings of its notations alone."""
    return [canonical(piece) for piece in text]


def _notations(text: Text) -> set[str]:
    """Returns the notations of a text, as they are written."""
    return {piece.written for piece in text if isinstance(piece, Notation)}


def _within_bounds(text: Text) -> Text:
    """Returns a text, with the canonical readings alone if its notations have far more readings than usual.

    Usual texts have 1 to 5 characters of readings for each that is written, "1-1-1-1-" of a recogniser that loops has
    15, which would be compared for minutes. The bound is in proportion to the length of the text, so that no other
    text matters.
    """
    notations = [piece for piece in text if isinstance(piece, Notation)]
    if len(notations) < _FEW_NOTATIONS:
        return text
    n_written = sum(len(piece.written) for piece in notations)
    n_read = sum(tree_size(piece.tree) for piece in notations)
    if n_read <= _READ_BY_CHARACTER * n_written:
        return text
    return _canonical(text)
