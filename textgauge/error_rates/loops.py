"""Loops of a recogniser: a unit of up to some 24 words that a prediction repeats far more often than the reference.

The idea: where a text repeats itself with a period, it equals itself so many characters later. All texts are one array
of the letters and numbers that they have, without blanks, and each period is looked for in all of them at once.
"""

import re
from collections.abc import Sequence

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.tokens.cleaning import clean_characters

_LONGEST = 200  # characters of a unit: those of 24 words
# what a loop takes: surplus repeats, and (surplus repeats + 1) * characters of surplus text
_FEWEST, _LEAST = 2, 40
_SINGLE = 20  # surplus repeats of one character within a word (하하하), or of digits
_BLOCK = 2**20  # characters
_DIGITS = re.compile(r"\d+")


def are_loops(predictions: Sequence[str], references: Sequence[str], marks: str = "keep") -> np.ndarray:
    """Returns which predictions loop, (n_segments,) bool.

    A unit counts with its repeats that follow one another, of which those are surplus that are more than the unit's
    occurrences anywhere in the reference, and more than one.

    >>> are_loops(["네 네 네 네 네 네 네 네 네 네", "네"], ["네", "네"]).tolist()
    [True, False]

    Args:
        predictions: texts.
        references: as many texts.
        marks: of transcripts, as `clean_characters` takes them.
    """
    said, wanted = (_compared_letters(texts, marks) for texts in (predictions, references))
    result = np.zeros(len(predictions), dtype=bool)
    blocks = np.cumsum(lengths_of(said)) // _BLOCK
    for rows in np.split(np.arange(len(said)), np.flatnonzero(np.diff(blocks)) + 1):
        for row, start, period, size in _repeats([said[row] for row in rows.tolist()]):
            row += int(rows[0])
            unit, repeats = said[row][start : start + period], size // period
            if not result[row]:
                result[row] = _is_loop(unit, repeats, wanted[row], predictions[row], references[row])
    return result


def _compared_letters(texts: Sequence[str], marks: str) -> list[str]:
    return [text.lower() for text in clean_characters(texts, "remove", "remove", "syllable", marks)]


def _repeats(texts: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Returns text, place, period and length of each stretch that repeats a unit three times or more."""
    sizes = lengths_of(texts) + 1
    starts = np.cumsum(sizes) - sizes
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le"), dtype=np.int32).copy()
    codes[starts + sizes - 1] = -1 - np.arange(len(texts))  # no end of a text equals another
    repeats = []
    for period in range(1, min(_LONGEST, max(sizes, default=0) // (_FEWEST + 1)) + 1):
        ends = np.flatnonzero(codes[period:] != codes[:-period])
        begins = np.append(0, ends[:-1] + 1)
        for at in np.flatnonzero(ends - begins >= _FEWEST * period).tolist():
            row = int(np.searchsorted(starts, begins[at], side="right")) - 1
            repeats.append((row, int(begins[at] - starts[row]), period, int(ends[at] - begins[at]) + period))
    return repeats


def _is_loop(unit: str, repeats: int, wanted: str, prediction: str, reference: str) -> bool:
    """Returns whether so many repeats of a unit are a loop."""
    if (unit + unit).find(unit, 1) < len(unit):
        return False  # it is looked at with its own period
    rotations = {unit[at:] + unit[:at] for at in range(len(unit))}
    surplus = repeats - max(1, *map(wanted.count, rotations))
    if len(unit) == 1 or _DIGITS.fullmatch(unit):
        words = [_compared_letters(text.split(), "keep").count(unit) for text in (prediction, reference)]
        if surplus < _SINGLE and words[0] < repeats:
            return False
    return surplus >= _FEWEST and (surplus + 1) * surplus * len(unit) >= _LEAST
