"""What of the edits of an error rate may be forgiven: a chain of changes to the texts, see `error_kinds.py`.

Each link changes the texts of some segments. What the metric then finds fewer is of the kind of the link, so that ties
of alignments do not matter, and what two kinds forgive is never counted twice.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.rounding import difference
from textgauge.tokens.cleaning import clean_characters

from ..nearest.rule import Rule
from .alike import find_alike, write_alike
from .loops import Cut, find_loops, places_of_loops
from .spelled import Span, Spelled, spell_wrong

Rows = Mapping[int, "Segment"]


class Segment(NamedTuple):
    """A prediction and its nearest reference, with words that stand for notations."""

    reference: Spelled
    prediction: Spelled


class Chain(NamedTuple):
    """Segments from whose edits more and more is forgiven: each link makes another chain."""

    segments: Rows  # those that have edits, by their rows
    edits: np.ndarray  # what those of all segments cost, (n_segments,)
    score: Callable[[Rows], np.ndarray]  # returns what the edits of segments cost, in their order
    normalization: str | None  # Unicode form of their texts

    def changed(self, changed: Rows) -> "Chain":
        """Returns the chain with segments that a link has changed, but not those that became dearer."""
        differing = {}
        for row, segment in changed.items():
            normalized = _normalized(segment, self.normalization)
            if not _have_same_texts(normalized, self.segments[row]):
                differing[row] = normalized
        if not differing:
            return self
        scored = self.score(differing).tolist()
        segments = dict(self.segments)
        all_edits = self.edits.copy()
        for (row, segment), edits in zip(differing.items(), scored, strict=True):
            if difference(self.edits[row], edits) >= 0:  # costs are rounded
                all_edits[row] = edits
                segments[row] = segment
        return self._replace(segments=segments, edits=all_edits)

    def saved_since(self, earlier: "Chain") -> np.ndarray:
        """Returns how much less the edits cost than in an earlier chain, (n_segments,)."""
        return difference(earlier.edits, self.edits)

    def with_rows_of(self, other: "Chain", rows: Sequence[int]) -> "Chain":
        """Returns the chain with some segments as another chain has them."""
        edits = self.edits.copy()
        edits[rows] = other.edits[rows]
        segments = {**self.segments, **{row: other.segments[row] for row in rows}}
        return self._replace(segments=segments, edits=edits)


def texts_of(segments: Iterable[Segment]) -> tuple[list[str], list[list[str]]]:
    """Returns the predictions and the references of segments.

    >>> texts_of([Segment(Spelled("네", []), Spelled("예", []))])
    (['예'], [['네']])
    """
    predictions = []
    references = []
    for segment in segments:
        predictions.append(segment.prediction.text)
        references.append([segment.reference.text])
    return predictions, references


def _have_same_texts(one: Segment, other: Segment) -> bool:
    return texts_of([one]) == texts_of([other])


def _normalized(segment: Segment, form: str | None) -> Segment:
    """Returns a segment in a Unicode form: what is put together may compose."""
    if form is None:
        return segment
    return Segment(_normalized_text(segment.reference, form), _normalized_text(segment.prediction, form))


def _normalized_text(side: Spelled, form: str) -> Spelled:
    text = unicodedata.normalize(form, side.text)
    if text == side.text:
        return side

    def moved(place: int) -> int:
        return min(len(text), len(unicodedata.normalize(form, side.text[:place])))

    return Spelled(text, [Span(moved(start), moved(end), kind) for start, end, kind in side.spans])


def forgive_notations(chain: Chain, rule: Rule) -> tuple[Chain, np.ndarray, np.ndarray]:
    """Writes what reads alike as the reference has it, and other notations as words, where that is nearer.

    Returns the chain then, what that saves, and in which segments looking for it would take too long, both
    (n_segments,). Such a segment stays as it is.
    """
    alike = {row: _written_alike(segment, rule) for row, segment in chain.segments.items()}
    written = chain.changed(_known(alike))
    spelled = {row: _spelled(written.segments[row]) for row, segment in alike.items() if segment is not None}
    words = written.changed(_known(spelled))
    saved = words.saved_since(chain)
    unread = [row for row in chain.segments if alike[row] is None or spelled[row] is None]
    saved[unread] = 0.0
    is_unread = np.zeros(len(saved), dtype=bool)
    is_unread[unread] = True
    return words.with_rows_of(chain, unread), saved, is_unread


def _known(segments: Mapping[int, Segment | None]) -> dict[int, Segment]:
    return {row: segment for row, segment in segments.items() if segment is not None}


def _written_alike(segment: Segment, rule: Rule) -> Segment | None:
    """Returns a segment with what reads alike written as in the reference; None where it would take too long."""
    reference, prediction = without_transcript_marks([segment.reference.text, segment.prediction.text], rule)
    pairs = find_alike(reference, prediction, rule.skips_blanks)
    if pairs is None:
        return None
    if not pairs:
        return segment
    return Segment(Spelled(reference, []), Spelled(write_alike(reference, prediction, pairs), []))


def without_transcript_marks(texts: list[str], rule: Rule) -> list[str]:
    """Returns texts without the marks of transcripts, if the rule removes these: of (70%)/(칠십 퍼센트) only 70%."""
    if rule.cleaning.marks != "ksponspeech":
        return texts
    return clean_characters(texts, "keep", "keep", "syllable", rule.cleaning.marks)


def _spelled(segment: Segment) -> Segment | None:
    """Returns a segment with notations that are wrong as words; None where it would take too long."""
    spelled = spell_wrong(segment.reference.text, segment.prediction.text)
    return None if spelled is None else Segment(*spelled)


def forgive_loops(chain: Chain, rule: Rule) -> Chain:
    """Cuts the surplus repeats of loops out of predictions; returns the chain then."""
    rows = list(chain.segments)
    predictions, references = texts_of(chain.segments.values())
    loops = find_loops(predictions, [reference for [reference] in references], rule.cleaning.marks)
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


def forgive_fillers(chain: Chain, rule: Rule) -> Chain:
    """Leaves fillers out of both texts; returns the chain then."""
    changed = {}
    for row, segment in chain.segments.items():
        places = [rule.fillers.places(side.text) for side in segment]
        if any(places):
            changed[row] = Segment(*map(_without, segment, places))
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

    return Spelled("".join(pieces), [Span(moved(start), moved(end), kind) for start, end, kind in side.spans])


def letter_spans(side: Spelled) -> list[Span]:
    """Returns the words that stand for notations, with their places among the letters and numbers of a text.

    >>> letter_spans(Spelled("약 삼 퍼센트", [Span(2, 7, "unit")]))
    [Span(start=1, end=5, kind='unit')]
    """
    spans = []
    for start, end, kind in side.spans:
        spans.append(Span(count_letters(side.text[:start]), count_letters(side.text[:end]), kind))
    return spans


def count_letters(text: str) -> int:
    """Returns how many letters and numbers a text has.

    >>> count_letters("삼 퍼센트!")
    4
    """
    return sum(map(str.isalnum, text))
