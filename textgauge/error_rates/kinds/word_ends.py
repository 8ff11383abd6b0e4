"""The characters that are compared, with the ends of their words, and with what notations are read as.

Where blanks are removed nothing says where words end; so a reserved character, which no text has, stands behind each
word while the text is cleaned.
"""

import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

from textgauge.core.reserved import WORD_END
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import Cleaning, Text, mark_word_ends, read_texts
from textgauge.tokens.cleaning import clean_characters

from ..phrases.number_words import NUMBER_NOTATIONS
from .spelled import Span
from .tables import HANGUL_SYLLABLE

_STAND_INS = {**dict.fromkeys(NUMBER_NOTATIONS, "0"), "letter": "A"}  # for what is read of a notation


class Side(NamedTuple):
    """A text whose characters are compared."""

    text: str  # in whole syllables, with WORD_END behind each word
    is_decomposed: bool = False  # whether jamo are compared
    phrases: Collection[int] = ()  # what of what is compared is of a phrase of the user's
    spelled: Sequence[Span] = ()  # words that stand for notations, in letters and numbers of the text


def plain_sides(texts: Sequence[str], compared: Sequence[str], cleaning: Cleaning) -> list[Side]:
    """Returns references or predictions with the ends of their words."""
    spaces, special, _, marks = cleaning
    kept = clean_characters(list(texts), "keep", "keep", "syllable", marks)
    ended = clean_characters(list(map(mark_word_ends, kept)), spaces, special, "syllable", "keep")
    return list(map(_side, ended, compared))


def read_sides(
    texts: Sequence[str],
    compared: Sequence[Sequence[str]],
    kinds: Sequence[Sequence[str]],
    cleaning: Cleaning,
    readings: Readings | None,
) -> list[Side]:
    """Returns the same of texts with notations.

    Args:
        texts: as they are written.
        compared: the characters of their nearest readings.
        kinds: of the notation of each of these, "" for none.
        cleaning: what of a text counts.
        readings: that are equal.
    """
    pieces = read_texts(texts, readings, cleaning._replace(unit="syllable"), mark_word_ends)
    is_decomposed = cleaning.unit == "jamo"
    return [_read_side(*of_text, is_decomposed) for of_text in zip(pieces, compared, kinds, strict=True)]


def _side(ended: str, compared: str) -> Side:
    """Returns a text with the ends of its words; without them where these change what is left of it."""
    is_decomposed = not HANGUL_SYLLABLE.search(compared)
    ended = unicodedata.normalize("NFC", ended) if is_decomposed else ended
    if _decomposed(ended.replace(WORD_END, ""), is_decomposed) == compared:
        return Side(ended, is_decomposed)
    return Side(compared)


def _decomposed(text: str, is_decomposed: bool) -> str:
    """Returns a text, if asked with its syllables as jamo."""
    return HANGUL_SYLLABLE.sub(lambda match: unicodedata.normalize("NFD", match[0]), text) if is_decomposed else text


def _read_side(pieces: Text, tokens: Sequence[str], kinds: Sequence[str], is_decomposed: bool) -> Side:
    """Returns what is read of a text; a digit or a Latin letter stands for what is read of a notation."""
    shown, position = [], 0
    for piece in pieces:
        if isinstance(piece, str):
            shown.append(piece)
            position += len(_decomposed(piece.replace(WORD_END, ""), is_decomposed))
        else:
            end = next((at for at in range(position, len(kinds)) if not kinds[at]), len(kinds))
            shown += [_STAND_INS.get(kinds[at], tokens[at][:1] or "0") for at in range(position, end)]
            position = end
    return Side("".join(shown), is_decomposed)
