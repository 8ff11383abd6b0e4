"""The characters that are compared, with the ends of their words.

Where blanks are removed nothing says where words end; so a reserved character, which no text has, stands behind each
word while the text is cleaned.
"""

import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

from textgauge.core.reserved import WORD_END
from textgauge.korean.readings import Cleaning, mark_word_ends
from textgauge.tokens.cleaning import clean_characters

from ..nearest.spelling import Span
from .tables import HANGUL_SYLLABLE


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
