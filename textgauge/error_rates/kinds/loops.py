"""Loops of a recogniser: a unit of up to some 24 words that a prediction repeats far more often than the reference.

The idea: where a text repeats itself with a period, it equals itself so many characters later. All texts are one array
of the letters and numbers that they have, without blanks, and each period is looked for in all of them at once.
"""

import itertools
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.tokens.cleaning import clean_characters

_LONGEST = 200  # characters of a unit: those of 24 words
# what a loop takes: surplus repeats, and (surplus repeats + 1) * characters of surplus text
_FEWEST = 2
_LEAST = 40
_SINGLE = 20  # surplus repeats of one character within a word (하하하), or of digits
_BLOCK = 2**20  # characters
_DIGITS = re.compile(r"\d+")

Cut = tuple[int, int]  # the first, and the one behind the last


class _Stretch(NamedTuple):
    """A stretch of a text that repeats a unit."""

    row: int  # which text it is
    start: int  # its first character
    period: int  # characters of the unit
    size: int  # characters of the stretch


def find_loops(predictions: Sequence[str], references: Sequence[str], marks: str = "keep") -> dict[int, list[Cut]]:
    """Returns which predictions loop, and for each of them the surplus repeats, which a list of cuts leaves out.

    A unit counts with its repeats that follow one another, of which those are surplus that are more than the unit's
    occurrences anywhere in the reference, and more than one. A cut goes from the first letter of its first repeat up to
    the next letter behind its last one, in letters and numbers of the text without its marks of transcripts.

    >>> find_loops(["네 네 네 네 네 네 네 네 네 네", "네"], ["네", "네"])
    {0: [(1, 10)]}

    Args:
        predictions: texts.
        references: as many texts.
        marks: of transcripts, as `clean_characters` takes them.
    """
    prediction_letters = _compared_letters(predictions, marks)
    reference_letters = _compared_letters(references, marks)
    loops: dict[int, list[Cut]] = {}
    blocks = np.array([*itertools.accumulate(map(len, prediction_letters))], dtype=np.intp) // _BLOCK
    first_rows = np.flatnonzero(np.diff(blocks)) + 1
    for rows in np.split(np.arange(len(predictions)), first_rows):
        letters_of_block = [prediction_letters[row] for row in rows.tolist()]
        for stretch in _repeats(letters_of_block):
            row = stretch.row + int(rows[0])
            unit = prediction_letters[row][stretch.start : stretch.start + stretch.period]
            repeats = stretch.size // stretch.period
            surplus = _surplus(unit, repeats, reference_letters[row], predictions[row])
            if surplus:
                end = stretch.start + repeats * stretch.period
                loops.setdefault(row, []).append((end - surplus * stretch.period, end))
    return loops


def places_of_loops(text: str, cuts: Sequence[Cut]) -> list[Cut]:
    """Returns which characters of a text, without marks of transcripts, go with the surplus repeats of its loops.

    >>> places_of_loops("네, 네, 네! 좋아요", [(1, 3)])
    [(1, 7)]

    Args:
        text: that loops.
        cuts: of letters and numbers, from `find_loops`; of those that overlap the last one counts.
    """
    positions = []  # of each letter and number in the text
    for position, character in enumerate(text):
        [letters] = _compared_letters([character], "keep")
        positions += [position] * len(letters)
    places: list[Cut] = []
    for first, end in sorted(cuts, reverse=True):
        if end <= len(positions):
            start = positions[first - 1] + 1 if first else 0
            places.append((start, positions[end - 1] + 1))
            positions = positions[:first]
    return places[::-1]


def _compared_letters(texts: Sequence[str], marks: str) -> list[str]:
    return [text.lower() for text in clean_characters(texts, "remove", "remove", "syllable", marks)]


def _repeats(texts: Sequence[str]) -> list[_Stretch]:
    """Returns each stretch that repeats a unit three times or more.

    The idea: where a text repeats a unit, each character equals the one that comes a period later. So all texts are one
    array, which is compared with itself, shifted by each period: equal characters in a row are a stretch, which ends a
    period later.
    """
    sizes = np.array([len(text) + 1 for text in texts], dtype=np.intp)
    starts = np.cumsum(sizes) - sizes
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le"), dtype=np.int32).copy()
    codes[starts + sizes - 1] = -1 - np.arange(len(texts))  # no end of a text equals another
    longest_period = min(_LONGEST, max(sizes, default=0) // (_FEWEST + 1))
    stretches = []
    for period in range(1, longest_period + 1):
        ends = np.flatnonzero(codes[period:] != codes[:-period])
        begins = np.append(0, ends[:-1] + 1)
        is_long = ends - begins >= _FEWEST * period
        for begin, end in zip(begins[is_long].tolist(), ends[is_long].tolist(), strict=True):
            row = int(np.searchsorted(starts, begin, side="right")) - 1
            stretches.append(_Stretch(row, begin - int(starts[row]), period, end - begin + period))
    return stretches


def _surplus(unit: str, repeats: int, reference_letters: str, prediction: str) -> int:
    """Returns how many of so many repeats of a unit are surplus, 0 where they are no loop."""
    if (unit + unit).find(unit, 1) < len(unit):
        return 0  # it is looked at with its own period
    rotations = {unit[index:] + unit[:index] for index in range(len(unit))}
    surplus = repeats - max(1, *map(reference_letters.count, rotations))
    if surplus < _SINGLE and (len(unit) == 1 or _DIGITS.fullmatch(unit)):
        n_words = _compared_letters(prediction.split(), "keep").count(unit)
        if n_words < repeats:
            return 0
    is_long = (surplus + 1) * surplus * len(unit) >= _LEAST
    return surplus if surplus >= _FEWEST and is_long else 0
