"""Pairs in which phrases have weights: where these are in both texts, and what the edits cost then."""

import itertools
from collections.abc import Mapping, Sequence

from ..phrases.keywords import Keywords
from ..phrases.marks import Marked, Marks, mark_characters, mark_words, places_of
from ..phrases.number_marks import Places
from .joined import align_between, joins_of
from .pairs import PairResult, Pairs, Texts, count_runs, result_of
from .rule import Rule
from .weighted_edits import Costs, cheapest_alignment


def weighted_pairs(texts: Texts, pairs: Pairs, joined: Mapping[int, PairResult], rule: Rule) -> dict[int, PairResult]:
    """Returns the results of the pairs that have phrases or joined words, by their places.

    Args:
        texts: of the chunk, with what is written.
        pairs: how far they are without weights.
        joined: the results of those that have joined words.
        rule: of the comparison, with phrases.
    """
    places = _places_of_marks(texts, rule.keywords)
    results = {}
    for place, marks in _mark_pairs(texts, places, rule.keywords).items():
        before = joined.get(place) or result_of(pairs, place)
        results[place] = weigh(before, texts.references[place], texts.predictions[place], marks, rule.bounded)
    for place, result in joined.items():
        weighted = results.get(place, result)
        of_prediction = places[1][place] if places[1] else {}
        marks = _marks_as_joined(*texts.words[place], weighted, of_prediction, rule.keywords)
        results[place] = weighted._replace(marks=(weighted.marks[0], marks))
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
    for side, of_side in zip(sides, places, strict=True):
        marked.append(list(map(mark_tokens, side, itertools.repeat(keywords), of_side or itertools.repeat({}))))
    pairs = enumerate(zip(*marked, strict=True))
    return {place: marks for place, marks in pairs if marks != (None, None)}


def _marks_as_joined(
    reference: Sequence[str], prediction: Sequence[str], result: PairResult, places: Places, keywords: Keywords
) -> Marks | None:
    """Returns the marks of a prediction as if joined words were written as in the reference."""
    words: list[str] = []
    tokens: list[tuple[int, int]] = []  # for each of these words the first token of the prediction, and the one behind
    joins = set(joins_of(result.runs or ()))
    for _, a, b, c, d in result.runs or ():
        if (a, b, c, d) in joins:
            words += reference[a:b]
            tokens += [(c, d)] * (b - a)
        else:
            words += prediction[c:d]
            tokens += [(token, token + 1) for token in range(c, d)]
    marks = mark_words(words, keywords, places)
    if marks is None:
        return None
    moved = [(phrase, tokens[first][0], tokens[end - 1][1]) for phrase, first, end in marks.occurrences]
    return marks._replace(occurrences=moved)
