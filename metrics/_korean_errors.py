"""What the errors of a Korean text concern: spacing, punctuation, number form, endings, one jamo, or something else.

There is no morphological analyser. An edit is assigned by the characters that it changes and by their places.
"""

import itertools
import re
import unicodedata
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Sequence

import numpy as np

from ._edits import Run

PARTS = ("spacing", "punctuation", "number_form", "ending", "one_jamo", "other")

_FIRST_SYLLABLE, _LAST_SYLLABLE = "가", "힣"
# Sino-Korean, then native
_NUMERALS = frozenset(
    "영공일이삼사오육륙칠팔구십백천만억조한하나두둘세셋석서네넷넉너다섯여일곱덟아홉열스물무서른마흔쉰예순든"
)
# particles, then endings of verbs and adjectives
_ENDINGS_TEXT = """
은 는 이 가 을 를 의 에 에는 에도 에서 에서는 에서도 에게 에게서 에게는 께 께서 한테 로 으로 로서 으로서 로써 으로써
로는 으로는 로도 으로도 와 과 와는 과는 랑 이랑 하고 도 만 만은 만을 까지 부터 보다 처럼 같이 마다 조차 마저 밖에 나
이나 든 이든 라도 이라도 라고 이라고 라는 이라는 며 이며 고 이고 요 이요 야 이야 들 들은 들이 들을 들의 다 니다
습니다 입니다 까 니까 습니까 입니까 는다 었다 았다 였다 했다 어 아 여 어요 아요 여요 해요 예요 이에요 에요 죠 지요
네 네요 군요 는데 은데 인데 데요 는데요 은데요 인데요 거든요 잖아요 지 지만 서 어서 아서 해서 면 으면 면서 으면서
으며 고서 고는 려 려고 으려고 러 으러 도록 게 던 는지 은지 을지 니 으니 자 자고 라 냐 냐고 다고 다는 다며 기 기에
기를 음 음을 던데 더라
"""
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
_LONGEST = max(map(len, _ENDINGS))
_EOJEOL = re.compile(r"\w+")


def locate_errors(runs: Sequence[Run], reference: str, prediction: str) -> np.ndarray:
    """Returns how many edits belong to each part, (6,) int64 in the order of `PARTS`; their sum is the number of edits.

    An edit belongs to the first part that fits it. It changes one character, or two where it substitutes. Where several
    edits follow one another, their characters may be paired in several ways, see `_pairs`.

    1. spacing: it changes whitespace.
    2. punctuation: it changes a character that is not a letter, mark or number.
    3. number_form: it changes a digit or a syllable of a numeral in a stretch in which one text has a digit and the
       other text such a syllable ("삼" or "세" for "3", "이십일" for "21"). Equal characters that are neither end a
       stretch.
    4. ending: it changes only particles and endings: the longest entry of `_ENDINGS` at the end of an eojeol, without
       its first syllable ("가" and "는" of "날씨가", "날씨는").
    5. one_jamo: it replaces a syllable with one that differs in one jamo ("닭", "닥").
    6. other.

    Args:
        runs: an alignment of the two texts.
        reference: a text, with its spaces and punctuation.
        prediction: a text.
    """
    counts = np.zeros(len(PARTS), dtype=np.int64)
    endings = _ending_positions(reference), _ending_positions(prediction)
    for group in _split(runs, lambda run: run[0] == "equal" and not all(map(_is_numeral, reference[run[1] : run[2]]))):
        a, b, c, d = _bounds(group)
        is_number = _has_both_forms(reference[a:b], prediction[c:d]) or _has_both_forms(prediction[c:d], reference[a:b])
        for block in _split(group, lambda run: run[0] == "equal"):
            a, b, c, d = _bounds(block)
            left, right = reference[a:b], prediction[c:d]
            for i, j in _pairs(left, right):
                characters = [text[at] for text, at in ((left, i), (right, j)) if at is not None]
                is_ending = (i is None or a + i in endings[0]) and (j is None or c + j in endings[1])
                counts[_part(characters, is_number, is_ending)] += 1
    return counts


def _part(characters: list[str], is_number: bool, is_ending: bool) -> int:
    """Returns the index of the first part that fits an edit."""
    if any(character.isspace() for character in characters):
        return 0
    if any(unicodedata.category(character)[0] not in "LMN" for character in characters):
        return 1
    if is_number and any(map(_is_numeral, characters)):
        return 2
    if is_ending:
        return 3
    return 4 if len(characters) == 2 and _differ_in_one_jamo(*characters) else 5


def _split(runs: Iterable[Run], is_between: Callable[[Run], bool]) -> list[list[Run]]:
    """Returns the groups of runs that lie between runs for which `is_between` is true."""
    return [list(group) for between, group in itertools.groupby(runs, is_between) if not between]


def _bounds(runs: Sequence[Run]) -> tuple[int, int, int, int]:
    """Returns start and end of a group of runs in the reference, and start and end in the prediction."""
    return runs[0][1], runs[-1][2], runs[0][3], runs[-1][4]


def _pairs(left: str, right: str) -> list[tuple[int | None, int | None]]:
    """Returns pairs of positions, in the reference and in the prediction, of characters in a block of edits.

    Each character of the shorter text has a partner. Of the longer text some have None: blanks first, then punctuation,
    then the last ones: with "담을" for "잠 을" only the blank is missing. Any such pairing has the fewest edits.
    """
    size = max(len(left), len(right))
    longer = left if len(left) == size else right
    by_part = sorted(range(size), key=lambda at: (_part([longer[at]], False, False), -at))
    alone = set(by_part[: abs(len(left) - len(right))])
    partners = itertools.count()
    pairs = [(at, None if at in alone else next(partners)) for at in range(size)]
    return pairs if longer is left else [(j, i) for i, j in pairs]


def _ending_positions(text: str) -> set[int]:
    """Returns the positions of the particles and endings of a text."""
    positions: set[int] = set()
    for match in _EOJEOL.finditer(text):
        start, end = match.span()
        for first in range(max(start + 1, end - _LONGEST), end):
            if text[first:end] in _ENDINGS:
                positions.update(range(first, end))
                break
    return positions


def _has_both_forms(with_digits: str, with_words: str) -> bool:
    """Returns whether the first text has a digit and the second a numeral in words."""
    return any(map(_is_number, with_digits)) and not _NUMERALS.isdisjoint(with_words)


def _is_numeral(character: str) -> bool:
    """Returns whether a character is a digit or a syllable of a numeral in words."""
    return _is_number(character) or character in _NUMERALS


def _is_number(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def _differ_in_one_jamo(first: str, second: str) -> bool:
    """Returns whether two characters are syllables that differ only in the initial, the medial or the final."""
    if not all(_FIRST_SYLLABLE <= character <= _LAST_SYLLABLE for character in (first, second)):
        return False
    jamo = [unicodedata.normalize("NFD", character).ljust(3) for character in (first, second)]
    return sum(a != b for a, b in zip(*jamo, strict=True)) == 1
