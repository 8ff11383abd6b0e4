"""Notations that are wrong, written as the words that are nearest to the other text.

Of 2024년 and 이천이십삼년 five characters differ as they are written, and one as they are read, 2024년 as 이천이십사년.
So a notation for which the other text has words is spelled as that of its readings which is nearest to them, if it is
nearer than what is written.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from textgauge.core.reserved import TAG
from textgauge.edits.networks import Tree
from textgauge.korean.reading_trees import Notation
from textgauge.korean.written_forms import in_usual_form

from .alike import Budget, changed_notations, may_be_read, places_in_text
from .windows import equal_blocks, windows_of

_READINGS = 64  # of a notation, at most
_OF_PART = 8  # of a part of one
_CONTEXT = 24  # characters of both texts around a notation
_STEPS_OF_READING = 4  # what comparing one takes, in steps of a walk


class Span(NamedTuple):
    """Words that stand for a notation."""

    start: int  # in the text
    end: int
    kind: str  # of the notation


class Spelled(NamedTuple):
    """A text in which some notations are words."""

    text: str
    spans: list[Span]


def spell_wrong(reference: str, prediction: str) -> tuple[Spelled, Spelled] | None:
    """Returns both texts with notations as words where that brings them nearer; None where it would take too long.

    >>> spelled = spell_wrong("2024년", "이천이십삼년")
    >>> [side.text for side in spelled], spelled[0].spans
    (['이천이십사년', '이천이십삼년'], [Span(start=0, end=5, kind='date')])
    """
    if not may_be_read(reference, prediction):
        return Spelled(reference, []), Spelled(prediction, [])
    budget = Budget((reference, prediction))
    first = _spell(reference, prediction, budget)
    second = _spell(prediction, first.text, budget)
    return None if budget.is_spent else (first, second)


def _spell(text: str, other: str, budget: Budget) -> Spelled:
    """Returns a text with its notations as those words which are nearest to what the other text has there."""
    usual = in_usual_form(text)
    places = places_in_text(text, usual)
    windows = windows_of(equal_blocks(text, other), 0, len(text), len(other))
    spelled = ""
    spans = []
    position = 0  # up to which the text is copied
    for first, last, notation in changed_notations(usual, windows if text == usual else None):
        start = places[first]
        end = places[last]
        if start == end or windows.is_same(start, end):
            continue
        window_start = max(0, windows.first(start) - _CONTEXT)
        window_end = windows.last(end - 1) + _CONTEXT + 1
        reading = _nearest_reading(notation, text, (start, end), other[window_start:window_end], budget)
        if reading is not None:
            spelled += text[position:start]
            spans.append(Span(len(spelled), len(spelled) + len(reading), notation.kind))
            spelled += reading
            position = end
    return Spelled(spelled + text[position:], spans)


def _nearest_reading(notation: Notation, text: str, place: tuple[int, int], wanted: str, budget: Budget) -> str | None:
    """Returns the reading of a notation that is nearest to another text; None if what is written is as near.

    Letters and numbers decide, of several such readings the rest, and then their order.
    """
    start, end = place
    before = text[max(0, start - _CONTEXT) : start]
    behind = text[end : end + _CONTEXT]
    wanted_letters = _letters_and_numbers(wanted)
    best = None
    written_letters = _letters_and_numbers(before + text[start:end] + behind)
    fewest = Levenshtein.distance(written_letters, wanted_letters)
    fewest_of_all = 0  # of all characters, once there is a best one
    for reading in dict.fromkeys(itertools.islice(readings_of(notation.tree), _READINGS)):
        budget.steps -= _STEPS_OF_READING
        read = before + reading + behind
        edits = Levenshtein.distance(_letters_and_numbers(read), wanted_letters)
        if edits > fewest:
            continue
        edits_of_all = Levenshtein.distance(read, wanted)
        if edits < fewest or (best is not None and edits_of_all < fewest_of_all):
            best = reading
            fewest = edits
            fewest_of_all = edits_of_all
    return best


def readings_of(tree: Tree) -> Iterator[str]:
    """Yields the readings of a notation that are not guarded; of one with many the first ones.

    >>> list(readings_of(("seq", (("alt", ("세", "삼")), " ", "개"))))
    ['세 개', '삼 개']
    """
    if isinstance(tree, str):
        text, _, tag = tree.partition(TAG)
        if not tag.startswith("!"):
            yield text
        return
    kind, parts = tree
    if kind == "alt":
        for part in parts:
            yield from readings_of(part)
    else:
        readings_of_parts = [list(itertools.islice(readings_of(part), _OF_PART)) for part in parts]
        combinations = itertools.islice(itertools.product(*readings_of_parts), _READINGS)
        yield from map("".join, combinations)


def _letters_and_numbers(text: str) -> str:
    return "".join(filter(str.isalnum, text))
