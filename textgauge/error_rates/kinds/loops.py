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

Cut = tuple[int, int]  # the first, and the one behind the last


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
    said, wanted = (_compared_letters(texts, marks) for texts in (predictions, references))
    loops: dict[int, list[Cut]] = {}
    blocks = np.cumsum(lengths_of(said)) // _BLOCK
    for rows in np.split(np.arange(len(said)), np.flatnonzero(np.diff(blocks)) + 1):
        for row, start, period, size in _repeats([said[row] for row in rows.tolist()]):
            row += int(rows[0])
            unit, repeats = said[row][start : start + period], size // period
            surplus = _surplus(unit, repeats, wanted[row], predictions[row], references[row])
            if surplus:
                loops.setdefault(row, []).append((start + (repeats - surplus) * period, start + repeats * period))
    return loops


def places_of_loops(text: str, cuts: Sequence[Cut]) -> list[Cut]:
    """Returns which characters of a text, without marks of transcripts, go with the surplus repeats of its loops.

    >>> places_of_loops("네, 네, 네! 좋아요", [(1, 3)])
    [(1, 7)]

    Args:
        text: that loops.
        cuts: of letters and numbers, from `find_loops`; of those that overlap the last one counts.
    """
    letters = [place for place, character in enumerate(text) for _ in _compared_letters([character], "keep")[0]]
    characters: list[Cut] = []
    for first, end in sorted(cuts, reverse=True):
        if end <= len(letters):
            start = letters[first - 1] + 1 if first else 0
            characters.append((start, letters[end - 1] + 1))
            letters = letters[:first]
    return characters[::-1]


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


def _surplus(unit: str, repeats: int, wanted: str, prediction: str, reference: str) -> int:
    """Returns how many of so many repeats of a unit are surplus, 0 where they are no loop."""
    if (unit + unit).find(unit, 1) < len(unit):
        return 0  # it is looked at with its own period
    rotations = {unit[at:] + unit[:at] for at in range(len(unit))}
    surplus = repeats - max(1, *map(wanted.count, rotations))
    if len(unit) == 1 or _DIGITS.fullmatch(unit):
        words = [_compared_letters(text.split(), "keep").count(unit) for text in (prediction, reference)]
        if surplus < _SINGLE and words[0] < repeats:
            return 0
    return surplus if surplus >= _FEWEST and (surplus + 1) * surplus * len(unit) >= _LEAST else 0
