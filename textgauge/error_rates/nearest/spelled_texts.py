"""The texts of segments that are compared: without fillers that are dropped, and with notations as words."""

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import pieces_of

from .choice import Choice
from .pairs import repeat
from .rule import Rule
from .spelling import Spelled, SpelledPair, Way, spell

SpelledRows = Sequence[Sequence[SpelledPair]]  # of each segment a pair for each reference


class ComparedTexts(NamedTuple):
    """The texts of segments as they are compared."""

    predictions: list[str]  # one for each segment, or one for each reference where notations are words
    references: list[list[str]]
    canonical: list[str] | None = None  # for each reference the text whose length divides, if that is another one


def spelled_rows(
    predictions: Sequence[str], references: Sequence[Sequence[str]], way: Way, rule: Rule
) -> list[list[SpelledPair]]:
    """Returns for each reference of each segment the pair whose notations are words, without dropped fillers."""
    compared = compared_texts(predictions, references, rule)
    counts = lengths_of(compared.references)
    flat = list(itertools.chain.from_iterable(compared.references))
    pairs = iter(spell(repeat(compared.predictions, counts), flat, way))
    return [list(itertools.islice(pairs, count)) for count in counts.tolist()]


def compared_texts(
    predictions: Sequence[str],
    references: Sequence[Sequence[str]],
    rule: Rule,
    spelled: SpelledRows | None = None,
) -> ComparedTexts:
    """Returns the texts of segments as they are compared, of those that are given.

    `spelled` has what `spelled_rows` returns of them, where notations are words.
    """
    if spelled is not None:
        pairs = list(itertools.chain.from_iterable(spelled))
        return ComparedTexts(
            [pair.prediction.text for pair in pairs],
            [[pair.reference.text for pair in row] for row in spelled],
            [pair.canonical for pair in pairs],
        )
    if rule.fillers.are_dropped:
        return ComparedTexts(*rule.fillers.drop_from(predictions, references))
    return ComparedTexts(predictions, references)


def nearest_pairs(compared: ComparedTexts, choice: Choice, spelled: SpelledRows | None) -> list[SpelledPair]:
    """Returns the prediction and the nearest reference of each segment as they are compared."""
    if spelled is not None:
        return [row[index] for row, index in zip(spelled, choice.indices, strict=True)]
    pairs = []
    for prediction, row, index in zip(compared.predictions, compared.references, choice.indices, strict=True):
        pairs.append(SpelledPair(Spelled(row[index]), Spelled(prediction)))
    return pairs


def check_phrases_are_words(phrases: Iterable[str], readings: Readings) -> None:
    """Raises InputError for a phrase with a notation: what it is spelled as differs from text to text."""
    for phrase in phrases:
        if has_a_notation(phrase, readings):
            raise InputError(f"weights has {phrase!r:.40}, which readings spell as words; write the words, or drop one")


def has_a_notation(phrase: str, readings: Readings) -> bool:
    """Returns whether a phrase has a notation."""
    return any(not isinstance(piece, str) for piece in pieces_of(phrase, readings, "keep"))
