"""Marks inside numbers, which most conventions remove: 1.5 and 15, 3/4 and 34, -3 and 3 are the same characters then.

The idea: reserved characters, which no text has, are put around each such mark. They survive whatever the convention
removes, and say where a mark was, and which one.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.reserved import NUMBER_MARKS, REMOVED_NUMBER_MARKS, RESERVED
from textgauge.korean.readings import Cleaning
from textgauge.korean.written_forms import in_usual_form
from textgauge.tokens.cleaning import clean_characters

# any other mark, ".", ",", "/", ":", a minus, a comma of thousands, a blank
_OTHER, _POINT, _COMMA, _SLASH, _COLON, _MINUS, _THOUSANDS, _BLANK = NUMBER_MARKS  # letters for each of them
_LETTERS = {".": _POINT, ",": _COMMA, "/": _SLASH, ":": _COLON}
_MINUSES = "-\u2212\u2010-\u2013\uff0d\ufe63"  # also hyphens, en dash and forms of other widths
_JOINING = {_POINT, _COMMA, _SLASH, _COLON, _THOUSANDS}  # what is on both sides of them is one number
_EMPTY = re.compile(f"[{_THOUSANDS}{_BLANK}]")  # 1,500 and 1500 mean the same, and so do 010 1234 and 0101234
_REMOVED = re.compile(f"([{_OTHER}-{_MINUS}])\\1")  # both letters of a mark that was between them
_ONE_FOR_BOTH = dict(zip(NUMBER_MARKS, REMOVED_NUMBER_MARKS, strict=True))
_OWN = re.compile(f"[{_OTHER}-{_BLANK}]")
_MARK_BEHIND_LETTER = re.compile(f"{_OWN.pattern}(.)", re.S)
_MARK_IN_NUMBER = re.compile(
    r"(?P<thousands>(?<=\d),(?=\d{3}(?!\d)))|(?P<blank>(?<=\d)\s+(?=\d))|(?P<mark>(?<=\d)(?:[^\w\s"
    + RESERVED
    + r"]|_)+(?=\d))|(?P<minus>(?<!\S)["
    + _MINUSES
    + r"](?=\d))"
)
_DIGIT = re.compile(r"\d")
_NUMBER_WITH_MARKS = re.compile(rf"(?:(?<!\S)[{_MINUSES}])?\d+(?:(?:[^\w\s]|_)+\d+)*")
Places = dict[int, set[str]]  # between two characters that are compared -> letters of what was there
Compared = Callable[[list[str]], list[Any]]  # texts to what is compared of them: characters, or words


def has_mark(text: str) -> bool:
    """Returns whether a number in a text has a mark that means something."""
    first_digit = _DIGIT.search(text)
    if first_digit is None:  # as in most texts
        return False
    start = max(0, first_digit.start() - 1)
    return any(match.lastgroup in ("mark", "minus") for match in _MARK_IN_NUMBER.finditer(text, start))


def mark_places(texts: Sequence[str], characters: Sequence[str], compared: Compared) -> list[Places]:
    """Returns where the characters of texts that are compared had marks or blanks inside numbers.

    A text of which the convention makes something else with letters in it has none.
    """
    lettered = _lettered(texts, compared)
    places: list[Places] = [{} for _ in characters]
    for row, compared_text in lettered.items():
        places[row] = _mark_places(compared_text, characters[row])
    return places


def _mark_places(lettered: str, characters: str) -> Places:
    """Returns where a text with letters around its marks has marks, if the rest are these characters."""
    places: Places = {}
    position = 0
    for character in lettered:
        if _OWN.match(character):
            places.setdefault(position, set()).add(character)
        else:
            position += 1
    return places if without_marks(lettered) == characters else {}


def _lettered(texts: Sequence[str], compared: Compared) -> dict[int, Any]:
    """Returns what is compared of those texts that have marks, with letters around these."""
    rows = [row for row, text in enumerate(texts) if _MARK_IN_NUMBER.search(text)]
    if not rows:
        return {}
    lettered = [_MARK_IN_NUMBER.sub(_with_letters, texts[row]) for row in rows]
    return dict(zip(rows, compared(lettered), strict=True))


def _letter(match: re.Match[str]) -> str:
    named = {"thousands": _THOUSANDS, "blank": _BLANK, "minus": _MINUS}
    return named.get(match.lastgroup) or _LETTERS.get(in_usual_form(match[0]), _OTHER)


def _with_letters(match: re.Match[str]) -> str:
    letter = _letter(match)
    return f"{letter}{match[0]}{letter}"


def mark_numbers(text: str) -> str:
    """Returns a text with a letter before each mark inside a number that means something."""
    return _MARK_IN_NUMBER.sub(lambda match: _EMPTY.sub("", _letter(match)) + match[0], text)


def with_shown_marks(tokens: Sequence[str], text: str) -> Sequence[str]:
    """Returns tokens of a text, characters or words, with each letter of a mark as that mark, which follows it there.

    >>> with_shown_marks("3" + _POINT + "5", "3" + _POINT + ".5")
    '3.5'
    """
    marks = iter(_MARK_BEHIND_LETTER.findall(text))
    shown = [_OWN.sub(lambda _: next(marks), token) for token in tokens]
    return "".join(shown) if isinstance(tokens, str) else shown


def is_inside_number(text: str, start: int, end: int, places: Places) -> bool:
    """Returns whether a part of the characters that are compared begins or ends inside a longer number."""
    return _is_in_number(text, start, text[start], places) or _is_in_number(text, end, text[end - 1], places)


def _is_in_number(text: str, position: int, character: str, places: Places) -> bool:
    """Returns whether a number goes on from a character to the other side of the position beside it."""
    if not character.isdecimal():
        return False
    if position in places:
        return not places[position].isdisjoint(_JOINING)
    is_inside = 0 < position < len(text)
    return is_inside and text[position - 1].isdecimal() and text[position].isdecimal()


def inner_marks(places: Places, start: int, end: int) -> frozenset[tuple[int, str]]:
    """Returns the marks inside a part of the characters that are compared, and a minus before it."""
    inner = set()
    for position, letters in places.items():
        for letter in letters:
            is_inside = start < position < end or (position == start and letter == _MINUS)
            if is_inside and not _EMPTY.match(letter):
                inner.add((position - start, letter))
    return frozenset(inner)


def sign_edits(predictions: Sequence[str], references: Sequence[str], compared: Compared) -> np.ndarray:
    """Returns the edits of each pair that only the removal of marks inside numbers hides, (n_pairs,).

    These are the edits between the texts with a letter for each mark that was removed, minus those without.
    """
    edits = np.zeros(len(references), dtype=np.int64)
    rows = []
    lettered_references = []
    lettered_predictions = []
    for row, (reference, prediction) in enumerate(zip(references, predictions, strict=True)):
        if has_mark(reference) or has_mark(prediction):
            rows.append(row)
            lettered_references.append(_MARK_IN_NUMBER.sub(_with_letters, reference))
            lettered_predictions.append(_MARK_IN_NUMBER.sub(_with_letters, prediction))
    if not rows:
        return edits
    pairs = zip(compared(lettered_references), compared(lettered_predictions), strict=True)
    for row, pair in zip(rows, pairs, strict=True):
        with_marks = [_of_each(side, _with_removed) for side in pair]
        without = [_of_each(side, without_marks) for side in pair]
        if with_marks != without:
            edits[row] = Levenshtein.distance(*with_marks) - Levenshtein.distance(*without)
    return edits


def hidden_marks(predictions: Sequence[str], references: Sequence[str], cleaning: Cleaning) -> np.ndarray:
    """Returns whether the removal of marks inside numbers hides an edit of each pair, (n_pairs,) bool."""
    if (cleaning.special, cleaning.marks) == ("keep", "keep"):
        return np.zeros(len(references), dtype=bool)  # nothing is removed
    return sign_edits(predictions, references, lambda texts: clean_characters(texts, *cleaning)) > 0


def _of_each(side: Any, change: Callable[[str], str]) -> Any:
    """Returns changed characters, or words of which none is empty."""
    return change(side) if isinstance(side, str) else list(filter(None, map(change, side)))


def without_marks(text: str) -> str:
    """Returns a text without the letters of marks."""
    return _OWN.sub("", text)


def _with_removed(text: str) -> str:
    return without_marks(_REMOVED.sub(lambda match: _ONE_FOR_BOTH[match[1]], text))


def differing_numbers(reference: str, prediction: str) -> tuple[str, str]:
    """Returns the first numbers of two texts that differ, such as 1.5 and 15."""
    numbers = _NUMBER_WITH_MARKS.findall(reference)
    prediction_numbers = _NUMBER_WITH_MARKS.findall(prediction)
    for number, prediction_number in zip(numbers, prediction_numbers, strict=False):
        if number != prediction_number:
            return number, prediction_number
    return "", ""
