"""Which of two right notations a text has where another text has the other one: 3% or 삼 퍼센트, CT or 씨티.

Both are read alike, so neither is an error; which one is written is a style. Characters are compared, whatever the
metric compares.
"""

import itertools
import re
from collections.abc import Iterator, Sequence

import numpy as np

from textgauge.korean.spoken_units import CURRENCIES

from ..phrases.number_words import NUMERALS
from .alike import Pair, find_alike, write_alike
from .error_kinds import CHOICES, FORMS
from .tables import HANGUL_SYLLABLE, is_latin

_NAMES_OF_MONEY = {*CURRENCIES, *itertools.chain.from_iterable(CURRENCIES.values())}
_MONEY = re.compile("|".join(map(re.escape, _NAMES_OF_MONEY)))
_JOINTS = "~-,./:·+ "  # in notations of numbers, without a unit


def count_choices(predictions: Sequence[str], references: Sequence[str]) -> np.ndarray:
    """Returns how often one text has signs where the other one has words, (n_segments, choices, 2).

    First how often the prediction has the signs (digits, Latin letters, %), then how often the reference; the other
    text has words in Hangul. A notation may be several choices: "5%" for "오 퍼센트" one of a number and one of a unit,
    "5kg" for "5킬로그램" only of a unit. What is partly wrong is none.

    >>> count_choices(["3%"], ["삼 퍼센트"])[0].tolist()
    [[1, 0], [0, 0], [0, 0], [1, 0], [0, 0]]

    Args:
        predictions: of the segments.
        references: the nearest ones.
    """
    counts = np.zeros((len(predictions), len(CHOICES), len(FORMS)), dtype=np.int64)
    for row, texts in enumerate(zip(predictions, references, strict=True)):
        pairs = find_alike(*texts, skips_blanks=True) or []
        for choice, side in _choices(texts, pairs):
            counts[row, CHOICES.index(choice), side] += 1
    return counts


def _choices(texts: Sequence[str], pairs: Sequence[Pair]) -> Iterator[tuple[str, int]]:
    """Yields each choice, and which of two texts has the signs."""
    if not pairs:
        return
    first, second = texts
    for ((start, end, second_start, second_end), kinds), goes_on in zip(pairs, _go_on(texts, pairs), strict=True):
        stretches = first[start:end], second[second_start:second_end]
        rests = first[end:], second[second_end:]
        for side in (0, 1):
            signs = stretches[side]
            words = stretches[1 - side]
            if not kinds[side] or not HANGUL_SYLLABLE.search(words):
                continue
            for choice in _choices_of(kinds[side], signs, words, rests[side]):
                if choice in ("unit", "latin") or not goes_on:
                    yield choice, side


def _choices_of(kind: str, signs: str, words: str, behind: str) -> Iterator[str]:
    """Yields the choices that a notation of a kind is, beside words that are read alike; `behind` follows it."""
    is_number = any(map(str.isnumeric, signs)) and not any(map(str.isnumeric, words))
    if kind == "date" and is_number:
        yield "date"
    elif kind == "letter" and not any(map(is_latin, words)):
        yield "latin"
    elif kind in ("number", "unit"):
        is_money = bool(_MONEY.search(signs) or _MONEY.match(behind.lstrip()))
        if is_number:
            yield "money" if is_money else "number"
        if kind == "unit" and not is_money and _has_unit(signs) and not _has_unit(words):
            yield "unit"


def _has_unit(text: str) -> bool:
    """Returns whether a text has a unit in signs: km, %, ℃."""
    for character in text:
        is_of_number = HANGUL_SYLLABLE.match(character) or character.isnumeric() or character in _JOINTS
        if not is_of_number:
            return True
    return False


def _go_on(texts: Sequence[str], pairs: Sequence[Pair]) -> list[bool]:
    """Returns which pairs are parts of longer numbers that differ: 5 of 5층 reads like 오 of 십오 층."""
    first = texts[0]
    second = write_alike(*texts, pairs)
    result = []
    shift = 0  # of places in the second text by what was written alike before them
    for (start, end, second_start, second_end), _ in pairs:
        new_start = second_start + shift
        new_end = new_start + end - start
        shift += (end - start) - (second_end - second_start)
        before = _first_letter(first[:start][::-1])
        second_before = _first_letter(second[:new_start][::-1])
        behind = _first_letter(first[end:])
        second_behind = _first_letter(second[new_end:])
        result.append(_differ_in_number(before, second_before) or _differ_in_number(behind, second_behind))
    return result


def _first_letter(text: str) -> str:
    """Returns the first letter or number of a text, "" without one."""
    return next(filter(str.isalnum, text), "")


def _differ_in_number(one: str, other: str) -> bool:
    """Returns whether two characters differ, of which one belongs to a number; "" stands for a missing one."""
    if one == other:
        return False
    return any(character.isnumeric() or character in NUMERALS for character in (one, other) if character)
