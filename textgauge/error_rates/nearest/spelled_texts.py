"""The texts of segments that are compared: without fillers that are dropped, and with notations as words."""

import itertools
from collections.abc import Iterable, Sequence

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import pieces_of

from .choice import Choice
from .pairs import ComparedTexts, SpelledRows, compared_texts, repeat
from .rule import Rule
from .spelling import Spelled, SpelledPair, Way, spell


def spelled_rows(
    predictions: Sequence[str], references: Sequence[Sequence[str]], way: Way, rule: Rule
) -> list[list[SpelledPair]]:
    """Returns for each reference of each segment the pair whose notations are words, without dropped fillers."""
    compared = compared_texts(predictions, references, rule)
    counts = lengths_of(compared.references)
    flat = list(itertools.chain.from_iterable(compared.references))
    pairs = iter(spell(repeat(compared.predictions, counts), flat, way))
    return [list(itertools.islice(pairs, count)) for count in counts.tolist()]


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
