"""Of which kind each edit of a character error rate is by its place, see `error_kinds.py`."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.reserved import WORD_END
from textgauge.edits.distances import Alignment, AlignmentRun

from ..nearest.choice import Choice
from ..nearest.rule import Rule
from ..nearest.spelling import SpelledPair
from ..phrases.marks import Marked, phrase_tokens
from .chain import count_letters, letter_spans
from .error_kinds import ERROR_KINDS
from .tables import (
    ENDING,
    HANGUL_SYLLABLE,
    LATIN,
    MARK,
    NUMBER,
    NUMBER_NOTATIONS,
    NUMERAL,
    NUMERAL_WORDS,
    PHRASE,
    SPACE,
    SPOKEN_UNITS,
    UNIT,
    character_bits,
    decomposed_size,
    differ_in_one_jamo,
    ending_size,
)
from .word_ends import Side, plain_sides

Edit = tuple[int | None, int | None]  # places in a reference and in a prediction, None for none
_EQUAL = "equal"
_WORD = re.compile(rf"[^\W{WORD_END}]+")


def character_kinds(
    segments: Sequence[SpelledPair], choice: Choice, alignments: Sequence[Alignment], rule: Rule
) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, (n_segments, kinds) in the order of `ERROR_KINDS`.

    Args:
        segments: with one reference each.
        choice: how near it is.
        alignments: of the segments.
        rule: of the comparison.
    """
    marked = [choice.phrases(row) for row in range(len(segments))]
    references = _sides(segments, marked, 0, alignments, rule)
    predictions = _sides(segments, marked, 1, alignments, rule)
    costs = [choice.edit_costs(row) for row in range(len(segments))]
    return count_kinds(references, predictions, [alignment.runs for alignment in alignments], costs)


def _sides(
    segments: Sequence[SpelledPair],
    marked: Sequence[Marked],
    index: int,
    alignments: Sequence[Alignment],
    rule: Rule,
) -> list[Side]:
    """Returns the references (index 0) or the predictions (index 1) of segments as they are compared."""
    texts = [segment[index] for segment in segments]
    tokens = [alignment[1 + index] for alignment in alignments]
    written = [text.text for text in texts]
    compared = list(map("".join, tokens))
    sides = []
    for text, side, marks in zip(texts, plain_sides(written, compared, rule.cleaning), marked, strict=True):
        has_same_letters = count_letters(side.text) == count_letters(text.text)
        spelled = letter_spans(text) if has_same_letters else []
        sides.append(side._replace(spelled=spelled, phrases=phrase_tokens(marks[index])))
    return sides


def edits_of(runs: Sequence[AlignmentRun]) -> list[Edit]:
    """Returns the edits of an alignment.

    >>> edits_of([("equal", 0, 1, 0, 1), ("substitute", 1, 2, 1, 2), ("insert", 2, 2, 2, 3)])
    [(1, 1), (None, 2)]
    """
    edits: list[Edit] = []
    for kind, start, end, prediction_start, prediction_end in runs:
        if kind != _EQUAL:
            edits += itertools.zip_longest(range(start, end), range(prediction_start, prediction_end))
    return edits


def count_kinds(
    references: Sequence[Side],
    predictions: Sequence[Side],
    runs: Sequence[Sequence[AlignmentRun]],
    costs: Sequence[list[float] | None],
) -> np.ndarray:
    """Returns what the edits of each kind cost in each pair, (n_pairs, kinds) in the order of `ERROR_KINDS`.

    Where several edits follow one another, their characters may be paired in several ways, see `_partners`.

    Args:
        references: texts.
        predictions: as many texts.
        runs: the alignment of each pair.
        costs: of the edits of each pair, in the order of its alignment; None where each costs 1.
    """
    kinds = np.zeros((len(references), len(ERROR_KINDS)))
    for row, (reference, prediction) in enumerate(zip(references, predictions, strict=True)):
        texts = _characters(reference), _characters(prediction)
        is_korean = any(HANGUL_SYLLABLE.search(side.text) for side in (reference, prediction))
        costs_left = iter(costs[row] or itertools.repeat(1.0))
        for gap, is_number in _gaps(*texts, runs[row]):
            edits = edits_of(gap)
            costs_of_gap = list(itertools.islice(costs_left, len(edits)))
            if len(set(costs_of_gap)) == 1:
                edits = _partners(*texts, gap)
            for edit, cost in zip(edits, costs_of_gap, strict=True):
                kind = _kind_of_characters(_changed(*texts, edit), is_number, is_korean)
                kinds[row, ERROR_KINDS.index(kind)] += cost
    return kinds


class _Character(NamedTuple):
    """A character that is compared; jamo have that of their syllable."""

    character: str
    bits: int  # what it is


def _characters(side: Side) -> list[_Character]:
    """Returns the characters of a text that are compared."""
    text = side.text
    bits = list(map(character_bits, text))

    def add(bit: int, start: int, end: int) -> None:
        for place in range(start, end):
            bits[place] |= bit

    for match in NUMERAL_WORDS.finditer(text):
        add(NUMERAL, *match.span())
    for match in SPOKEN_UNITS.finditer(text):
        add(UNIT, *match.span(1))
    for match in _WORD.finditer(text):
        add(ENDING, match.end() - ending_size(match[0]), match.end())
    letters = [place for place, character in enumerate(text) if character.isalnum()] if side.spelled else []
    for start, end, kind, _ in side.spelled:
        for place in letters[start:end]:
            bits[place] |= NUMBER if kind in NUMBER_NOTATIONS else LATIN * (kind == "letter")

    characters = []
    for character in map(_Character, text, bits):
        if character.character != WORD_END:
            characters += [character] * (decomposed_size(character.character) if side.is_decomposed else 1)
    for place in side.phrases:
        characters[place] = characters[place]._replace(bits=characters[place].bits | PHRASE)
    return characters


def _gaps(
    reference: Sequence[_Character], prediction: Sequence[_Character], runs: Sequence[AlignmentRun]
) -> Iterator[tuple[list[AlignmentRun], bool]]:
    """Yields edits that follow one another, and whether they are of a number that one text has in digits.

    That is in a stretch with a digit in one text and a numeral in the other, which ends at equal characters that are
    neither.
    """
    gaps: list[list[AlignmentRun]] = []  # of a stretch
    begin = 0
    prediction_begin = 0
    behind_all = (_EQUAL, len(reference), len(reference) + 1, len(prediction), len(prediction) + 1)
    for is_equal, neighbours in itertools.groupby([*runs, behind_all], lambda run: run[0] == _EQUAL):
        if not is_equal:
            gaps.append(list(neighbours))
            continue
        for _, start, end, prediction_start, prediction_end in neighbours:
            equal = reference[start:end]
            if equal and all(character.bits & (NUMBER | NUMERAL) for character in equal):
                continue
            is_number = _has_digits_and_numerals(reference[begin:start], prediction[prediction_begin:prediction_start])
            yield from [(gap, is_number) for gap in gaps]
            gaps = []
            begin = end
            prediction_begin = prediction_end


def _has_digits_and_numerals(reference: Sequence[_Character], prediction: Sequence[_Character]) -> bool:
    """Returns whether one of two parts of texts has a digit, and the other a numeral."""

    def has(characters: Sequence[_Character], bit: int) -> bool:
        return any(character.bits & bit for character in characters)

    if has(reference, NUMBER) and has(prediction, NUMERAL):
        return True
    return has(prediction, NUMBER) and has(reference, NUMERAL)


def _partners(
    reference: Sequence[_Character], prediction: Sequence[_Character], gap: Sequence[AlignmentRun]
) -> list[Edit]:
    """Returns the edits of a gap.

    Each character of its shorter text has a partner. Of the longer text some have none: blanks first, then punctuation,
    then units, then the last ones: with "담을" for "잠 을" only the blank is missing. Any such pairing has the fewest
    edits.
    """
    _, start, _, prediction_start, _ = gap[0]
    _, _, end, _, prediction_end = gap[-1]
    places = range(start, end)
    prediction_places = range(prediction_start, prediction_end)
    if len(places) >= len(prediction_places):
        return _with_partners(reference, places, prediction_places)
    return [(place, other) for other, place in _with_partners(prediction, prediction_places, places)]


def _with_partners(longer: Sequence[_Character], places: range, others: range) -> list[tuple[int, int | None]]:
    """Returns the places of the longer text, each with one of the others, or with none."""

    def rank(place: int) -> tuple[int, int]:
        bits = longer[place].bits
        for number, bit in enumerate((SPACE, MARK, UNIT)):
            if bits & bit:
                return number, -place
        return 3, -place

    alone = set(sorted(places, key=rank)[: len(places) - len(others)])
    others_left = iter(others)
    return [(place, None if place in alone else next(others_left)) for place in places]


def _changed(reference: Sequence[_Character], prediction: Sequence[_Character], edit: Edit) -> list[_Character]:
    """Returns the one or two characters that an edit changes."""
    place, prediction_place = edit
    characters = []
    if place is not None:
        characters.append(reference[place])
    if prediction_place is not None:
        characters.append(prediction[prediction_place])
    return characters


def _kind_of_characters(characters: Sequence[_Character], is_number: bool, is_korean: bool) -> str:
    """Returns the first kind that fits an edit of one character or two."""
    any_bits = characters[0].bits | characters[-1].bits
    all_bits = characters[0].bits & characters[-1].bits
    if any_bits & PHRASE:
        return "phrase"
    if all_bits & SPACE:
        return "spacing"
    if all(character.bits & (SPACE | MARK) for character in characters):
        return "punctuation"
    if any_bits & NUMBER or is_number and any_bits & NUMERAL or all_bits & UNIT:
        return "number"
    if is_korean and any_bits & LATIN:
        return "latin"
    if all_bits & ENDING:
        return "ending"
    if len(characters) == 2 and differ_in_one_jamo(characters[0].character, characters[1].character):
        return "one_jamo"
    return "other"
