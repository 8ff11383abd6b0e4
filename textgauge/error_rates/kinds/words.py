"""Of which kind each edit of a word error rate is by its place, see `error_kinds.py`."""

import itertools
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.edits.distances import Alignment, AlignmentRun

from ..nearest.choice import Choice
from ..nearest.spelling import Span, SpelledPair
from ..phrases.marks import phrase_tokens
from .chain import count_letters, letter_spans
from .characters import Edit, edits_of
from .error_kinds import ERROR_KINDS
from .tables import (
    ENDINGS,
    HANGUL_SYLLABLE,
    MOST_ENDING_SYLLABLES,
    NUMBER_NOTATIONS,
    NUMERALS,
    UNIT_WORDS,
    differ_in_one_jamo,
    is_latin,
)


class _Word(NamedTuple):
    """A word of a text that is compared."""

    text: str
    letters: str  # its letters and numbers, in whole syllables
    notation: str  # kind of the notation that it is read from, or stands for; "" for none
    is_phrase: bool  # whether it is of a phrase of the user's
    is_unit: bool  # whether it is a unit behind a numeral


class _WordSide(NamedTuple):
    """A text whose words are compared."""

    tokens: Sequence[str]
    spans: Sequence[Span]  # words that stand for notations, in letters of the text
    phrases: Collection[int]  # which tokens are of phrases of the user's

    def word(self, number: int) -> _Word:
        """Returns one of the words."""
        token = self.tokens[number]
        notation = ""
        if self.spans:
            start = sum(map(count_letters, self.tokens[:number]))
            notation = _kind_at(self.spans, start, start + count_letters(token))
        letters = _letters(token)
        is_unit = False
        if letters in UNIT_WORDS and number > 0:
            letters_before = _letters(self.tokens[number - 1])
            is_unit = letters_before[-1:] in NUMERALS
        return _Word(token, letters, notation, number in self.phrases, is_unit)


def word_kinds(segments: Sequence[SpelledPair], choice: Choice, alignments: Sequence[Alignment]) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, (n_segments, kinds) in the order of `ERROR_KINDS`.

    Args:
        segments: with one reference each.
        choice: how near it is.
        alignments: of the segments.
    """
    kinds = np.zeros((len(segments), len(ERROR_KINDS)))
    for row, (segment, alignment) in enumerate(zip(segments, alignments, strict=True)):
        tokens = alignment.reference, alignment.prediction
        marked = choice.phrases(row)
        sides = []
        for index in (0, 1):
            spans = letter_spans(segment[index])
            sides.append(_WordSide(tokens[index], spans, phrase_tokens(marked[index])))
        for kind, cost in _kinds_of_edits(*sides, alignment.runs, choice.edit_costs(row)):
            kinds[row, ERROR_KINDS.index(kind)] += cost
    return kinds


def _kind_at(spans: Sequence[Span], start: int, end: int) -> str:
    """Returns the kind of the notation for which something between two letters stands, "" for none."""
    for span in spans:
        if span.start < end and start < span.end:
            return span.kind
    return ""


def _kinds_of_edits(
    reference: _WordSide, prediction: _WordSide, runs: Sequence[AlignmentRun], costs: Sequence[float] | None
) -> Iterator[tuple[str, float]]:
    """Yields the kind of each edit of two texts, and what it costs."""
    is_korean = any(map(HANGUL_SYLLABLE.search, itertools.chain(reference.tokens, prediction.tokens)))
    n_edits_before = 0
    for is_equal, neighbours in itertools.groupby(runs, lambda run: run[0] == "equal"):
        if is_equal:
            continue
        gap = list(neighbours)
        _, start, _, prediction_start, _ = gap[0]
        _, _, end, _, prediction_end = gap[-1]
        edits = edits_of(gap)
        costs_of_gap: Sequence[float] = [1.0] * len(edits)
        if costs is not None:
            costs_of_gap = costs[n_edits_before : n_edits_before + len(edits)]
        n_edits_before += len(edits)

        wanted = {number: reference.word(number) for number in range(start, end)}
        predicted = {number: prediction.word(number) for number in range(prediction_start, prediction_end)}
        if len({*costs_of_gap}) == 1:
            edits = _paired_words(wanted, predicted)
        letters = "".join(reference.tokens[start:end])
        is_spacing = letters == "".join(prediction.tokens[prediction_start:prediction_end])
        for (number, prediction_number), cost in zip(edits, costs_of_gap, strict=True):
            words = []
            if number is not None:
                words.append(wanted[number])
            if prediction_number is not None:
                words.append(predicted[prediction_number])
            yield _kind(words, is_spacing, is_korean), cost


def _paired_words(wanted: Mapping[int, _Word], predicted: Mapping[int, _Word]) -> list[Edit]:
    """Returns pairs of words between equal ones; those of the longer text that are left over have no partner.

    That are first words without letters, then units, then the last ones; any such pairing has the fewest edits.
    """
    if len(wanted) < len(predicted):
        return [(number, prediction_number) for prediction_number, number in _paired_words(predicted, wanted)]

    def rank(number: int) -> tuple[int, int]:
        word = wanted[number]
        if not word.letters:
            return 0, -number
        return 1 if word.is_unit else 2, -number

    n_alone = len(wanted) - len(predicted)
    alone = set(sorted(wanted, key=rank)[:n_alone])
    partners = iter(predicted)
    return [(number, None if number in alone else next(partners)) for number in wanted]


def _kind(words: Sequence[_Word], is_spacing: bool, is_korean: bool) -> str:
    """Returns the first kind that fits an edit of one word or two."""
    first = words[0].letters
    second = words[1].letters if len(words) == 2 else ""
    text = "".join(word.text for word in words)
    notations = {word.notation for word in words}
    if any(word.is_phrase for word in words):
        return "phrase"
    if is_spacing:
        return "spacing"
    if first == second:
        return "punctuation"
    if not notations.isdisjoint(NUMBER_NOTATIONS) or any(map(_is_number, text)):
        return "number"
    if all(word.is_unit for word in words):
        return "number"
    if is_korean and ("letter" in notations or any(map(is_latin, text))):
        return "latin"
    if len(words) == 2 and not _stems(first).isdisjoint(_stems(second)):
        return "ending"
    return "one_jamo" if _words_differ_in_one_jamo(first, second) else "other"


def _letters(word: str) -> str:
    """Returns the letters and numbers of a word, in whole syllables."""
    composed = unicodedata.normalize("NFC", word)
    return "".join(character for character in composed if unicodedata.category(character)[0] in "LMN")


def _is_number(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def _stems(word: str) -> set[str]:
    """Returns a word, and what is left of it without each of its endings: 냉장고는 ends in 는 and in 고는."""
    longest = min(MOST_ENDING_SYLLABLES, len(word) - 1)
    stems = {word}
    for size in range(1, longest + 1):
        if word[-size:] in ENDINGS:
            stems.add(word[:-size])
    return stems


def _words_differ_in_one_jamo(first: str, second: str) -> bool:
    """Returns whether two words differ in one syllable, and there in the initial, the medial or the final."""
    if len(first) != len(second):
        return False
    different = [(one, other) for one, other in zip(first, second, strict=True) if one != other]
    return len(different) == 1 and differ_in_one_jamo(*different[0])
