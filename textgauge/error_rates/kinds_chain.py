"""What of the edits of an error rate may be forgiven: a chain of changes to the texts, see `error_kinds.py`.

Each link changes the texts of some segments. What the metric then finds fewer is of the kind of the link, so that ties
of alignments do not matter, and what two kinds forgive is never counted twice.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.tokens.cleaning import clean_characters

from .kinds_alike import find_alike, write_alike
from .kinds_spelled import Span, Spelled, spell_wrong
from .loops import Cut, find_loops, places_of_loops
from .rule import Rule

Rows = Mapping[int, "Segment"]


class Segment(NamedTuple):
    """A prediction and its nearest reference, with words that stand for notations."""

    reference: Spelled
    prediction: Spelled


class Chain:
    """Segments from whose edits more and more is forgiven."""

    def __init__(
        self, segments: Rows, edits: np.ndarray, score: Callable[[Rows], np.ndarray], normalization: str | None
    ) -> None:
        """Takes the segments that have edits.

        Args:
            segments: by their rows.
            edits: what those of all segments cost, (n_segments,).
            score: returns what the edits of segments cost, in their order.
            normalization: Unicode form of their texts.
        """
        self.segments = dict(segments)
        self.edits = edits.astype(np.float64)
        self._score = score
        self._normalization = normalization

    def change(self, changed: Rows) -> np.ndarray:
        """Takes segments that a link has changed, but not those that became dearer; returns what all edits cost less.

        Returns an array (n_segments,).
        """
        saved = np.zeros(len(self.edits))
        differing = {}
        for row, segment in changed.items():
            normalized = _normalized(segment, self._normalization)
            if not _have_same_texts(normalized, self.segments[row]):
                differing[row] = normalized
        if not differing:
            return saved
        scored = self._score(differing).tolist()
        for (row, segment), edits in zip(differing.items(), scored, strict=True):
            if edits <= self.edits[row]:
                saved[row] = self.edits[row] - edits
                self.edits[row] = edits
                self.segments[row] = segment
        return saved

    def restore(self, row: int, segment: Segment, saved: float) -> None:
        """Takes back what was changed of a segment, and what that saved."""
        self.segments[row] = segment
        self.edits[row] += saved


def texts_of(segments: Iterable[Segment]) -> tuple[list[str], list[list[str]]]:
    """Returns the predictions and the references of segments.

    >>> texts_of([Segment(Spelled("네", []), Spelled("예", []))])
    (['예'], [['네']])
    """
    predictions, references = [], []
    for segment in segments:
        predictions.append(segment.prediction.text)
        references.append([segment.reference.text])
    return predictions, references


def _have_same_texts(one: Segment, other: Segment) -> bool:
    return all(side.text == own.text for side, own in zip(one, other, strict=True))


def _normalized(segment: Segment, form: str | None) -> Segment:
    """Returns a segment in a Unicode form: what is put together may compose."""
    return segment if form is None else Segment(*(_normalized_text(side, form) for side in segment))


def _normalized_text(side: Spelled, form: str) -> Spelled:
    text = unicodedata.normalize(form, side.text)
    if text == side.text:
        return side

    def moved(place: int) -> int:
        return min(len(text), len(unicodedata.normalize(form, side.text[:place])))

    return Spelled(text, [Span(moved(start), moved(end), kind) for start, end, kind in side.spans])


def forgive_notations(chain: Chain, rule: Rule) -> tuple[np.ndarray, np.ndarray]:
    """Writes what reads alike as the reference has it, and other notations as words, where that is nearer.

    Returns what that saves, and in which segments looking for it would take too long, both (n_segments,). Such a
    segment stays as it is.
    """
    before = dict(chain.segments)
    alike = {row: _written_alike(segment, rule) for row, segment in before.items()}
    saved = chain.change(_known(alike))
    spelled = {row: _spelled(chain.segments[row]) for row, segment in alike.items() if segment is not None}
    saved += chain.change(_known(spelled))
    is_unread = np.zeros(len(saved), dtype=bool)
    is_unread[[row for row in before if alike[row] is None or spelled[row] is None]] = True
    for row in np.flatnonzero(is_unread).tolist():
        chain.restore(row, before[row], saved[row])
        saved[row] = 0.0
    return saved, is_unread


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


def forgive_loops(chain: Chain, rule: Rule) -> np.ndarray:
    """Cuts the surplus repeats of loops out of predictions; returns what that saves, (n_segments,)."""
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
    return chain.change(changed)


def forgive_fillers(chain: Chain, rule: Rule) -> np.ndarray:
    """Leaves fillers out of both texts; returns what that saves, (n_segments,)."""
    changed = {}
    for row, segment in chain.segments.items():
        places = [rule.fillers.places(side.text) for side in segment]
        if any(places):
            changed[row] = Segment(*map(_without, segment, places))
    return chain.change(changed)


def _without(side: Spelled, cuts: Sequence[Cut]) -> Spelled:
    """Returns a text without some stretches, which follow one another."""
    kept, end = [], 0
    for start, behind in cuts:
        kept.append(side.text[end:start])
        end = behind
    kept.append(side.text[end:])

    def moved(place: int) -> int:
        return place - sum(min(behind, place) - start for start, behind in cuts if start < place)

    return Spelled("".join(kept), [Span(moved(start), moved(end), kind) for start, end, kind in side.spans])


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
