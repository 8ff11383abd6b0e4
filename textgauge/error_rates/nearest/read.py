"""Pairs in which one text has a notation: how far they are as they are read, for CER and WER.

Only texts with a notation become networks; two texts without one are compared as they are.
"""

import itertools
from collections.abc import Iterable, Mapping

import numpy as np

from textgauge.korean.reading_trees import Notation, canonical, or_as_written, tree_size
from textgauge.korean.readings import Text, has_notation, read_texts
from textgauge.korean.written_forms import in_usual_form

from ..phrases.marks import Marked
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
    """Returns the pairs in which one text has a notation, by their places."""
    is_read = has_notation(texts.written[0], rule.readings, rule.cleaning.marks)
    is_prediction_read = has_notation(texts.written[1], rule.readings, rule.cleaning.marks)
    places = np.flatnonzero(np.logical_or(is_read, is_prediction_read)).tolist()
    references = [texts.written[0][place] for place in places]
    predictions = [texts.written[1][place] for place in places]
    read_references = read_texts(references, rule.readings, rule.cleaning)
    read_predictions = read_texts(predictions, rule.readings, rule.cleaning)
    hides_signs, hides_in_notations = _hidden_in(references, predictions, rule)
    may_be_read = map(_may_be_read, read_references, read_predictions, hides_signs, hides_in_notations)
    marked: Iterable[Marked] = itertools.repeat((None, None), len(places))
    if rule.finder is not None:
        marked = zip(rule.finder.of_read(references), rule.finder.of_read(predictions), strict=True)
    comparison = by_characters(rule.cleaning) if rule.tokenizer is None else by_words()
    pairs = {}
    for place, marks, (reference, prediction, may_be_written) in zip(places, marked, may_be_read, strict=True):
        pairs[place] = ReadPair(comparison, reference, prediction, marks, may_be_written)
    return pairs


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
        read: pairs in which one text has a notation, by their places.
        pairs: all of them, as they are written.
        rule: of the comparison.
    """
    written_edits = {place: int(pairs.edits[place]) for place in read}
    steps_of = {}
    for place, pair in read.items():
        if pairs.steps is not None and (rule.bounded or not pair.has_weights):
            steps_of[place] = count_runs(pair.runs(with_weights=False))
    without_steps = [place for place in read if place not in steps_of]
    likely = [written_edits[place] for place in without_steps]
    counts = fewest_edits_of([read[place] for place in without_steps], likely)
    edits_of = dict(zip(without_steps, counts, strict=True))

    results = {}
    for place, pair in read.items():
        written = written_edits[place]
        length = pair.length()
        steps = steps_of.get(place)
        edits = edits_of[place] if steps is None else sum(steps[:3])
        if pair.may_be_written and edits > written:
            denominator = int(pairs.denominators[place]) if rule.bounded else length
            results[place] = PairResult(written, denominator, length)
        else:
            denominator = edits + steps[3] if rule.bounded else length
            results[place] = PairResult(edits, denominator, length, steps, marks=pair.unit_marks, read=pair)
    return results


def weigh_read(
    texts: Texts, read: Mapping[int, ReadPair], results: Mapping[int, PairResult], pairs: Pairs, rule: Rule
) -> dict[int, PairResult]:
    """Returns the results of the pairs that have phrases, by their places.

    The length of a text with a notation is that of its canonical reading, also where the pair is compared as it is
    written: as without weights.

    Args:
        texts: of the chunk, with what is written.
        read: pairs in which one text has a notation, by their places.
        results: of these without weights.
        pairs: all of them without weights.
        rule: of the comparison, with phrases.
    """
    weighted = {}
    for place, marks in _plain_marks(texts, results, rule.finder).items():
        before = result_of(pairs, place)
        weighted[place] = weigh(before, texts.references[place], texts.predictions[place], marks, rule.bounded)
    for place, pair in read.items():
        result = results[place]
        if result.read is not None:
            weighted[place] = _weigh_as_read(result, pair, rule.bounded)
        else:
            as_written = weighted.get(place, result)
            length = pair.weighted_length() if pair.has_weights else result.length
            denominator = as_written.denominator if rule.bounded else length
            weighted[place] = as_written._replace(length=length, denominator=denominator)
    return weighted


def _plain_marks(texts: Texts, results: Mapping[int, PairResult], finder: PhraseFinder) -> dict[int, Marked]:
    """Returns the marks of the pairs that are not compared as they are read, of those that have phrases."""
    places = []
    for place in range(len(texts.references)):
        if place not in results or results[place].read is None:
            places.append(place)
    marked = []
    for written, compared in zip(texts.written, (texts.references, texts.predictions), strict=True):
        of_side = finder.of_plain([written[place] for place in places], [len(compared[place]) for place in places])
        marked.append(of_side)
    by_place = zip(places, zip(*marked, strict=True), strict=True)
    return {place: marks for place, marks in by_place if marks != (None, None)}


def _weigh_as_read(result: PairResult, pair: ReadPair, bounded: bool) -> PairResult:
    """Returns the result of two texts as they are read, with weights."""
    if not pair.has_weights:
        return result
    edits = pair.cost()
    length = pair.weighted_length()
    denominator = edits + pair.weighted_hits() if bounded else length
    return result._replace(edits=edits, denominator=denominator, length=length, steps=count_runs(pair.runs()))


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
