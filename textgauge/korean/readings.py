"""Texts cut into notations and what is between them, which is cleaned.

Texts without a notation are found for the whole corpus at once, and stay as they are.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.reserved import NOTATION, WORD_END
from textgauge.tokens.cleaning import clean_characters, split_transcript, without_brackets, without_symbols

from .notations import find_notations
from .own_readings import has_own, with_own
from .patterns import NOTATION_SIGNS
from .reading_tables import Readings
from .reading_trees import Notation, any_of, sequence, tree_of
from .written_forms import in_usual_form

_END = re.compile(rf"(?<=[\w{NOTATION}])(?![\w{NOTATION}])")
_TWO_FORMS = re.compile(r"\)\s*/\s*\(")  # of transcripts: (70%)/(칠십 퍼센트)


class Cleaning(NamedTuple):
    """What counts, as `clean_characters` takes it."""

    spaces: str
    special: str
    unit: str
    marks: str


Text = list[str | Notation]


def has_notation(texts: Sequence[str], readings: Readings, marks: str) -> list[bool]:
    """Returns which texts may have a notation.

    >>> has_notation(["3시에 만나", "세 시에 만나"], Readings(True, ()), marks="keep")
    [True, False]
    """
    if readings.own or marks == "ksponspeech":
        return [_may_have_notation(text, readings, marks) for text in texts]
    codes = np.frombuffer("".join(texts).encode("utf-32-le"), dtype=np.int32)
    is_sign = _sign_table().take(codes)
    if not is_sign.any():
        return [False] * len(texts)
    ends = np.cumsum(lengths_of(texts))
    signs_before = np.append(0, np.cumsum(is_sign))
    signs_at_ends = signs_before[np.append(0, ends)]
    return (np.diff(signs_at_ends) > 0).tolist()


def _may_have_notation(text: str, readings: Readings, marks: str) -> bool:
    has_sign = readings.is_korean and not NOTATION_SIGNS.isdisjoint(text)
    if has_sign or has_own(text, readings):
        return True
    return marks == "ksponspeech" and _TWO_FORMS.search(text) is not None


def mark_word_ends(text: str) -> str:
    """Returns a text with WORD_END behind each word.

    >>> mark_word_ends("네, 좋아요").replace(WORD_END, "/")
    '네/, 좋아요/'
    """
    return _END.sub(WORD_END, text)


@functools.cache
def _sign_table() -> np.ndarray:
    """Returns for each code point whether it is a sign of a notation."""
    table = np.zeros(0x110000, dtype=bool)
    table[list(map(ord, NOTATION_SIGNS))] = True
    return table


@functools.lru_cache(4096)
def pieces_of(text: str, readings: Readings, marks: str) -> tuple[str | Notation, ...]:
    """Returns a text cut into notations and what is between them."""
    if marks == "whisper":
        text = without_brackets(text)
    parts = split_transcript(text) if marks == "ksponspeech" else [text]
    pieces: Text = []
    for part in parts:
        if isinstance(part, str):
            pieces += _own_pieces(part, readings)
        else:
            trees = [sequence(*map(tree_of, _own_pieces(side, readings))) for side in part]
            pieces.append(Notation(f"({part[0]})/({part[1]})", "transcript", any_of(trees)))
    return tuple(pieces)


def _own_pieces(text: str, readings: Readings) -> Text:
    """Finds the user's notations, and the Korean ones."""
    if not readings.own:
        return _korean_pieces(text, readings)
    if readings.is_korean:
        text = in_usual_form(text)
    return with_own(text, _korean_pieces(text, readings), readings, lambda part: _korean_pieces(part, readings))


def _korean_pieces(text: str, readings: Readings) -> Text:
    if not text:
        return []
    return find_notations(text) if readings.is_korean else [text]


def read_texts(texts: Sequence[str], readings: Readings, cleaning: Cleaning) -> list[Text]:
    """Returns the pieces of texts; what is between notations is cleaned.

    While a text is cleaned, a reserved character represents each of its notations.

    >>> cleaning = Cleaning("remove", "remove", "syllable", "keep")
    >>> [pieces] = read_texts(["약 3% 할인"], Readings(True, ()), cleaning)
    >>> [piece.written if isinstance(piece, Notation) else piece for piece in pieces]
    ['약', '3%', '할인']
    """
    texts_read = [pieces_of(text, readings, cleaning.marks) for text in texts]
    joined = []
    for pieces in texts_read:
        joined.append("".join([piece if isinstance(piece, str) else NOTATION for piece in pieces]))
    if cleaning.marks != "keep":
        joined = list(map(str.lower if cleaning.marks == "ksponspeech" else without_symbols, joined))
    cleaned = clean_characters(joined, **{**cleaning._asdict(), "marks": "keep"})
    result: list[Text] = []
    for text, pieces in zip(cleaned, texts_read, strict=True):
        notations = [piece for piece in pieces if isinstance(piece, Notation)]
        first, *others = text.split(NOTATION)
        parts: Text = [first]
        for notation, behind in zip(notations, others, strict=True):
            parts += [notation, behind]
        result.append([part for part in parts if part])
    return result
