"""What of the edits of an error rate may be forgiven: a chain of changes to the texts, see `error_kinds.py`.

Each link changes the texts of some segments. What the metric then finds fewer is of the kind of the link, so that ties
of alignments do not matter, and what two kinds forgive is never counted twice.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.rounding import difference
from textgauge.korean.reading_tables import KOREAN, WITHOUT_SYLLABLES
from textgauge.tokens.cleaning import clean_characters

from ..nearest.rule import Rule, Sides
from ..nearest.spelled_texts import compared_pairs
from ..nearest.spelling import Span, Spelled, SpelledPair, spell, way_of
from .loops import Cut, find_loops, places_of_loops

Rows = Mapping[int, SpelledPair]  # segments, by their rows


class Chain(NamedTuple):
    """Segments from whose edits more and more is forgiven: each link makes another chain."""

    segments: Rows  # those that have edits, by their rows
    edits: np.ndarray  # what those of all segments cost, (n_segments,)
    score: Callable[[Rows], np.ndarray]  # returns what the edits of segments cost, in their order
    normalization: str | None  # Unicode form of their texts

    def changed(self, changed: Rows) -> "Chain":
        """Returns the chain with those segments that a link has changed, and that became cheaper."""
        differing = {}
        for row, segment in changed.items():
            normalized = _normalized(segment, self.normalization)
            if sides_of([normalized]) != sides_of([self.segments[row]]):
                differing[row] = normalized
        if not differing:
            return self
        scored = self.score(differing).tolist()
        segments = dict(self.segments)
        all_edits = self.edits.copy()
        for (row, segment), edits in zip(differing.items(), scored, strict=True):
            if difference(self.edits[row], edits) > 0:  # costs are rounded
                all_edits[row] = edits
                segments[row] = segment
        return self._replace(segments=segments, edits=all_edits)


def sides_of(segments: Iterable[SpelledPair]) -> Sides:
    """Returns the predictions and the references of segments.

    >>> sides_of([SpelledPair(Spelled("네"), Spelled("예"))])
    (['예'], ['네'])
    """
    predictions = []
    references = []
    for segment in segments:
        predictions.append(segment.prediction.text)
        references.append(segment.reference.text)
    return predictions, references


def _normalized(segment: SpelledPair, form: str | None) -> SpelledPair:
    """Returns a segment in a Unicode form: what is put together may compose."""
    if form is None:
        return segment
    return SpelledPair(_normalized_text(segment.reference, form), _normalized_text(segment.prediction, form))


def _normalized_text(side: Spelled, form: str) -> Spelled:
    text = unicodedata.normalize(form, side.text)
    if text == side.text:
        return side

    def moved(place: int) -> int:
        return min(len(text), len(unicodedata.normalize(form, side.text[:place])))

    return Spelled(text, [Span(moved(start), moved(end), kind) for start, end, kind, _ in side.spans])


def forgive_fillers(chain: Chain, rule: Rule, given: Sides) -> Chain:
    """Leaves fillers out of both texts, as they are given, as `drop_fillers` does; returns the chain then."""
    has_filler = rule.fillers.written.search
    all_predictions, all_references = given
    rows = [row for row in chain.segments if has_filler(all_predictions[row]) or has_filler(all_references[row])]
    if not rows:
        return chain
    predictions = [all_predictions[row] for row in rows]
    references = [all_references[row] for row in rows]
    dropping = rule._replace(fillers=rule.fillers._replace(are_dropped=True))
    pairs = compared_pairs(predictions, references, dropping)
    return chain.changed(dict(zip(rows, pairs, strict=True)))


def forgive_notations(chain: Chain, rule: Rule, kept: Collection[int]) -> tuple[Chain, np.ndarray]:
    """Spells notations as the words that are nearest to the other text, except for segments that are kept.

    Returns the chain then, and in which segments some readings were left out, (n_segments,).
    """
    rows = [row for row in chain.segments if row not in kept and rule.normalization not in WITHOUT_SYLLABLES]
    segments = [chain.segments[row] for row in rows]
    spelled = spell(*sides_of(segments), way_of(rule._replace(readings=KOREAN)))
    is_unread = np.zeros(len(chain.edits), dtype=bool)
    is_unread[[row for row, pair in zip(rows, spelled, strict=True) if not pair.is_searched]] = True
    return chain.changed(dict(zip(rows, spelled, strict=True))), is_unread


def forgive_loops(chain: Chain, rule: Rule) -> Chain:
    """Cuts the surplus repeats of loops out of predictions; returns the chain then."""
    rows = list(chain.segments)
    loops = find_loops(*sides_of(chain.segments.values()), rule.cleaning.marks)
    changed = {}
    for number, cuts in loops.items():
        segment = chain.segments[rows[number]]
        prediction = segment.prediction
        if rule.cleaning.marks != "keep":
            [text] = clean_characters([prediction.text], "keep", "keep", "syllable", rule.cleaning.marks)
            prediction = Spelled(text, prediction.spans if text == prediction.text else [])
        cut = _without(prediction, places_of_loops(prediction.text, cuts))
        changed[rows[number]] = segment._replace(prediction=cut)
    return chain.changed(changed)


def _without(side: Spelled, cuts: Sequence[Cut]) -> Spelled:
    """Returns a text without some stretches, which follow one another."""
    pieces = []
    position = 0  # up to which the text is looked at
    for start, end in cuts:
        pieces.append(side.text[position:start])
        position = end
    pieces.append(side.text[position:])

    def moved(place: int) -> int:
        """Returns where a place of the text is then."""
        n_cut = 0
        for start, end in cuts:
            if start < place:
                n_cut += min(end, place) - start
        return place - n_cut

    return Spelled("".join(pieces), [Span(moved(start), moved(end), kind) for start, end, kind, _ in side.spans])


def letter_spans(side: Spelled) -> list[Span]:
    """Returns the words that stand for notations, with their places among the letters and numbers of a text.

    >>> letter_spans(Spelled("약 삼 퍼센트", [Span(2, 7, "unit")]))
    [Span(start=1, end=5, kind='unit', written='')]
    """
    spans = []
    for start, end, kind, _ in side.spans:
        spans.append(Span(count_letters(side.text[:start]), count_letters(side.text[:end]), kind))
    return spans


def count_letters(text: str) -> int:
    """Returns how many letters and numbers a text has.

    >>> count_letters("삼 퍼센트!")
    4
    """
    return sum(map(str.isalnum, text))
