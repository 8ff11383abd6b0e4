"""Signs beside numbers that conventions remove: 10㎡ and 10㎥ are the same characters then, and £20 and ¥20.

With Korean readings such a sign is read, so that two texts that have another one at the same number are not compared as
they are written. A sign that only one of them has is no difference: 10㎡ and 10 are the same characters.
"""

import re
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.korean.patterns import one_of
from textgauge.korean.readings import Cleaning
from textgauge.korean.spoken import DIRECTIONS
from textgauge.korean.spoken_units import CURRENCIES, TEMPERATURES, UNITS
from textgauge.korean.written_forms import SPELLINGS, in_usual_form
from textgauge.tokens.cleaning import clean_characters

_DEGREE = "°"  # of any temperature
_NAMED = (*UNITS, *CURRENCIES)
_SINGLE_SIGNS = [sign for sign in (*_NAMED, *SPELLINGS) if len(sign) == 1]
_SIGNS_BEHIND = {sign for sign in _SINGLE_SIGNS if SPELLINGS.get(sign, sign) in _NAMED}
_SIGNS = one_of(sign for sign in {*_SIGNS_BEHIND, *DIRECTIONS} if not sign.isalnum())
_SIGN = re.compile(rf"(?P<before>(?:{_SIGNS})+)(?= ?\d)|(?:(?<=\d)|(?<=\d ))(?P<behind>(?:{_SIGNS})+)")  # 3%▲
_Place = tuple[int, str, bool]  # of a sign: its digit in what is left of a text, the side of it, whether it is an arrow


def differing_signs(predictions: Sequence[str], references: Sequence[str], cleaning: Cleaning) -> np.ndarray:
    """Returns whether the removal of signs beside numbers hides that two texts of a pair have others, (n_pairs,) bool.

    >>> remove = Cleaning("remove", "remove", "syllable", "keep")
    >>> differing_signs(["£20", "20", "20%"], ["¥20", "¥20", "20%"], remove).tolist()
    [True, False, False]
    """
    hidden = np.zeros(len(references), dtype=bool)
    if (cleaning.special, cleaning.marks) == ("keep", "keep"):
        return hidden  # nothing is removed
    for row, (reference, prediction) in enumerate(zip(references, predictions, strict=True)):
        signs = [match[0] for match in _SIGN.finditer(reference)]
        if signs:
            others = [match[0] for match in _SIGN.finditer(prediction)]
            hidden[row] = bool(others) and signs != others and _differ(reference, prediction, cleaning)
    return hidden


def _differ(reference: str, prediction: str, cleaning: Cleaning) -> bool:
    """Returns whether two texts have other signs at a number that both have."""
    signs = _signs_of_digits(reference, cleaning)
    others = _signs_of_digits(prediction, cleaning)
    texts = clean_characters([reference, prediction], *cleaning)
    for block in Levenshtein.opcodes(*texts):
        if block.tag != "equal":
            continue
        shift = block.dest_start - block.src_start
        for (digit, *kind), sign in signs.items():
            other = others.get((digit + shift, *kind), sign)
            if block.src_start <= digit < block.src_end and not _are_alike(sign, other):
                return True
    return False


def _signs_of_digits(text: str, cleaning: Cleaning) -> dict[_Place, str]:
    """Returns the signs that are removed, by their place; of two at one place the one that is nearer to the digit."""
    signs: dict[_Place, str] = {}
    for match in _SIGN.finditer(text):
        side = match.lastgroup
        before, *cleaned = clean_characters([text[: match.start()], *match[0]], *cleaning)
        digit = len(before) - 1 if side == "behind" else len(before)
        pairs = list(zip(match[0], cleaned, strict=True))
        if side == "before":  # the nearest one to the digit first
            pairs.reverse()
        for sign, cleaned_sign in pairs:
            if not cleaned_sign:
                place = digit, side, sign in DIRECTIONS
                signs.setdefault(place, DIRECTIONS.get(sign) or in_usual_form(sign))
    return signs


def _are_alike(first: str, second: str) -> bool:
    return first == second or (_DEGREE in (first, second) and {first, second} <= {*TEMPERATURES})
