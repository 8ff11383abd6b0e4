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
_SIGNS_BEHIND = {sign for sign in (*_NAMED, *SPELLINGS) if len(sign) == 1 and SPELLINGS.get(sign, sign) in _NAMED}
_SIGNS = one_of(sign for sign in {*_SIGNS_BEHIND, *DIRECTIONS} if not sign.isalnum())
_SIGN = re.compile(rf"(?P<before>{_SIGNS})(?= ?\d)|(?:(?<=\d)|(?<=\d ))(?P<behind>(?:{_SIGNS})+)")  # 3%▲


def hidden_signs(predictions: Sequence[str], references: Sequence[str], cleaning: Cleaning) -> np.ndarray:
    """Returns whether the removal of signs beside numbers hides that two texts of a pair have others, (n_pairs,) bool.

    >>> remove = Cleaning("remove", "remove", "syllable", "keep")
    >>> hidden_signs(["£20", "20", "20%"], ["¥20", "¥20", "20%"], remove).tolist()
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
        for (digit, side), sign in signs.items():
            other = others.get((digit + shift, side), sign)
            if block.src_start <= digit < block.src_end and not _are_alike(sign, other):
                return True
    return False


def _signs_of_digits(text: str, cleaning: Cleaning) -> dict[tuple[int, str], str]:
    """Returns the signs that are removed, by the place of the digit in what is left of a text, and the side of it."""
    signs: dict[tuple[int, str], str] = {}
    for match in _SIGN.finditer(text):
        sign = match[0]
        before, own = clean_characters([text[: match.start()], sign], *cleaning)
        if not own:
            digit = len(before) - (match.lastgroup == "behind")
            signs[digit, match.lastgroup] = "".join(DIRECTIONS.get(part) or in_usual_form(part) for part in sign)
    return signs


def _are_alike(first: str, second: str) -> bool:
    return first == second or (_DEGREE in (first, second) and {first, second} <= {*TEMPERATURES})
