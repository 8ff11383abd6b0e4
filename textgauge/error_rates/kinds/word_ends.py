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
    sides = []
    for pieces_of_text, tokens, kinds_of_tokens in zip(pieces, compared, kinds, strict=True):
        sides.append(_read_side(pieces_of_text, tokens, kinds_of_tokens, is_decomposed))
    return sides


def _side(ended: str, compared: str) -> Side:
    """Returns a text with the ends of its words; without them where these change what is left of it."""
    is_decomposed = not HANGUL_SYLLABLE.search(compared)
    if is_decomposed:
        ended = unicodedata.normalize("NFC", ended)
    if _decomposed(ended.replace(WORD_END, ""), is_decomposed) == compared:
        return Side(ended, is_decomposed)
    return Side(compared)


def _decomposed(text: str, is_decomposed: bool) -> str:
    """Returns a text, if asked with its syllables as jamo."""
    if not is_decomposed:
        return text
    return HANGUL_SYLLABLE.sub(lambda match: unicodedata.normalize("NFD", match[0]), text)


def _read_side(pieces: Text, tokens: Sequence[str], kinds: Sequence[str], is_decomposed: bool) -> Side:
    """Returns what is read of a text; a digit or a Latin letter stands for what is read of a notation."""
    characters = []
    index = 0  # of the next token
    for piece in pieces:
        if isinstance(piece, str):
            characters.append(piece)
            index += len(_decomposed(piece.replace(WORD_END, ""), is_decomposed))
            continue
        while index < len(kinds) and kinds[index]:
            character = tokens[index][:1] or "0"
            characters.append(_STAND_INS.get(kinds[index], character))
            index += 1
    return Side("".join(characters), is_decomposed)
