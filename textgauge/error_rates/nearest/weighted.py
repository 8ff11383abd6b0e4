"""Pairs in which phrases have weights: where these are in both texts, and what the edits cost then."""

import itertools
from collections.abc import Mapping, Sequence

from ..phrases.keywords import Keywords
from ..phrases.marks import Found, Marked, Marks, mark_characters, mark_words, places_of
from ..phrases.number_marks import Places
from .joined import align_between, joins_of
from .pairs import PairResult, Pairs, Texts, count_runs, result_of
from .rule import Rule
from .weighted_edits import Costs, cheapest_alignment


def weighted_pairs(texts: Texts, pairs: Pairs, joined: Mapping[int, PairResult], rule: Rule) -> dict[int, PairResult]:
    """Returns the results of the pairs that have phrases or joined words, by their numbers.

    Args:
        texts: of the chunk, with what is written.
        pairs: how far they are without weights.
        joined: the results of those that have joined words.
        rule: of the comparison, with phrases.
    """
    places = _places_of_marks(texts, rule.keywords)
    _, prediction_places = places
    results = {}
    for number, marks in _mark_pairs(texts, places, rule.keywords).items():
        before = joined.get(number) or result_of(pairs, number)
        results[number] = weigh(before, texts.references[number], texts.predictions[number], marks, rule.bounded)
    for number, result in joined.items():
        weighted = results.get(number, result)
        places_of_prediction = prediction_places[number] if prediction_places else {}
        prediction_marks = _marks_as_joined(*texts.words[number], weighted, places_of_prediction, rule.keywords)
        reference_marks, _ = weighted.marks
        results[number] = weighted._replace(marks=(reference_marks, prediction_marks))
    return results


def weigh(before: PairResult, reference: str, prediction: str, marks: Marked, bounded: bool) -> PairResult:
    """Returns the result of two texts whose phrases have weights.

    Args:
        before: their result without weights; its joins stay.
        reference: a character for each token.
        prediction: likewise.
        marks: what the phrases of both mean for their tokens.
        bounded: whether edits and hits are what divides.
    """
    costs = Costs(*marks, (len(reference), len(prediction)))
    if costs.is_plain():
        return before._replace(marks=marks)
    length = sum(costs.reference.weights)
    if not before.edits:
        return before._replace(denominator=length, length=length, marks=marks)
    runs = align_between(
        reference,
        prediction,
        joins_of(before.runs or ()),
        lambda one, other, at: cheapest_alignment(one, other, costs, at),
    )
    edits = costs.of_runs(runs)
    denominator = edits + costs.of_hits(runs) if bounded else length
    return PairResult(edits, denominator, length, count_runs(runs), runs, marks, costs.of_edits(runs))


def _places_of_marks(texts: Texts, keywords: Keywords) -> tuple[Sequence[Places], Sequence[Places]]:
    """Returns where marks were inside the numbers of references and predictions; () where no phrase has a number."""
    compared: tuple[Sequence[str], Sequence[str]] = texts.references, texts.predictions
    if texts.words:
        compared = ["".join(words) for words, _ in texts.words], ["".join(words) for _, words in texts.words]
    of_references, of_predictions = map(places_of, texts.written, compared, itertools.repeat(keywords))
    return of_references, of_predictions


def _mark_pairs(
    texts: Texts, places: tuple[Sequence[Places], Sequence[Places]], keywords: Keywords
) -> dict[int, Marked]:
    """Returns the marks of each reference and its prediction, of those that have phrases."""
    mark_tokens = mark_words if texts.words else mark_characters
    sides = zip(*texts.words, strict=True) if texts.words else (texts.references, texts.predictions)
    marked = []
    for side, places_of_side in zip(sides, places, strict=True):
        marks_of_side = map(mark_tokens, side, itertools.repeat(keywords), places_of_side or itertools.repeat({}))
        marked.append(list(marks_of_side))
    pairs = enumerate(zip(*marked, strict=True))
    return {pair: marks for pair, marks in pairs if marks != (None, None)}


def _marks_as_joined(
    reference: Sequence[str], prediction: Sequence[str], result: PairResult, places: Places, keywords: Keywords
) -> Marks | None:
    """Returns the marks of a prediction as if joined words were written as in the reference."""
    words: list[str] = []
    tokens: list[tuple[int, int]] = []  # for each of these words the first token of the prediction, and the one behind
    joins = set(joins_of(result.runs or ()))
    for _, *bounds in result.runs or ():
        start, end, prediction_start, prediction_end = bounds
        if tuple(bounds) in joins:
            words += reference[start:end]
            tokens += [(prediction_start, prediction_end)] * (end - start)
        else:
            words += prediction[prediction_start:prediction_end]
            tokens += [(token, token + 1) for token in range(prediction_start, prediction_end)]
    marks = mark_words(words, keywords, places)
    if marks is None:
        return None
    moved = []
    for phrase, first, end in marks.occurrences:
        start, _ = tokens[first]
        _, behind = tokens[end - 1]
        moved.append(Found(phrase, start, behind))
    return marks._replace(occurrences=moved)
