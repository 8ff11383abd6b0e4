"""The texts of segments that are compared: without fillers that are dropped, and with notations as words."""

import itertools
import warnings
from collections.abc import Iterable

from textgauge.core.columns import lengths_of
from textgauge.core.errors import InputError
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import pieces_of

from .choice import Choice
from .pairs import ComparedTexts, repeat
from .rule import Rule
from .spelling import Spelled, SpelledPair, spell, way_of


def compared_texts(predictions: list[str], references: list[list[str]], rule: Rule) -> ComparedTexts:
    """Returns the texts of segments as they are compared, of those that are given.

    Fillers leave them if these are dropped; then notations become words if there are readings, in each pair apart.
    """
    if rule.fillers.are_dropped:
        predictions = rule.fillers.dropped(predictions)
        references = list(map(rule.fillers.dropped, references))
    if rule.readings is None:
        return ComparedTexts(predictions, references)
    counts = lengths_of(references)
    flat = list(itertools.chain.from_iterable(references))
    pairs = spell(repeat(predictions, counts), flat, way_of(rule))
    n_left = sum(not pair.is_searched for pair in pairs)
    if n_left:
        warnings.warn(
            f"readings: {n_left} of {len(pairs)} pairs of texts have more readings than can be tried; these are "
            "compared by the first reading of each notation",
            stacklevel=2,
        )
    texts = [pair.reference.text for pair in pairs]
    canonical = [pair.canonical for pair in pairs]
    texts_left = iter(texts)
    spelled_references = [list(itertools.islice(texts_left, count)) for count in counts.tolist()]
    spelled_predictions = [pair.prediction.text for pair in pairs]
    return ComparedTexts(spelled_predictions, spelled_references, None if canonical == texts else canonical, pairs)


def compared_pairs(predictions: list[str], references: list[str], rule: Rule) -> list[SpelledPair]:
    """Returns the same of predictions and one reference for each."""
    predictions = rule.fillers.dropped(predictions)
    references = rule.fillers.dropped(references)
    if rule.readings is not None:
        return spell(predictions, references, way_of(rule))
    pairs = zip(map(Spelled, references), map(Spelled, predictions), strict=True)
    return [SpelledPair(*pair) for pair in pairs]


def nearest_pairs(compared: ComparedTexts, choice: Choice) -> list[SpelledPair]:
    """Returns the prediction and the nearest reference of each segment as they are compared."""
    if compared.spelled:
        return [compared.spelled[pair] for pair in choice.chosen]
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
