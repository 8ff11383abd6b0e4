"""Numbers without a counter: how they are read, and which words they may be.

A number that reads as a word, or as the beginning of one, is guarded: 1004 is not read as 천사, nor 5빠 as 오빠.
A sign or 제 before the number lifts the guard, but only if a word ends behind the number: 제2의 is read as 제이의, and
제2야기 is not read as 제이야기.
"""

import itertools
import re

from textgauge.edits.networks import Tree

from .contexts import begins_words, ends_behind_number, has_copula, is_of_ordinal_noun, is_ordinal
from .numerals import digit_by_digit, plain_number, sino, sino_text, value_of
from .patterns import one_of
from .reading_trees import tagged
from .spoken import CLEAR_PARTICLES, DIGIT_NOUNS, DIGITS, ENGLISH_NUMERALS, LETTERS, WORDS

_SAID = "더하기|빼기|곱하기|나누기"  # arithmetic said aloud
_OPENS = re.compile(rf"(?:{_SAID}) ?$|(?:[A-Za-z√±]|[Nn][Oo]\. ?|vs\.? ?|(?<![가-힣])제 ?|[~:+×*÷=/·&-] ?|\d ?대 ?)$")
_OF_FRACTION = re.compile(r"[\d삼사오육칠팔구십백천만억] ?분의 ?$")  # 대부분의, 두 분의 and 이 분의 are not fractions
_NAME_BEFORE = re.compile(r"[A-Za-z] $")
_LETTERS_BEFORE = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,2}$")
_CLEAR_AFTER = re.compile(
    r", ?[가-힣]+ ?\d|[A-Za-z]| ?[~:+×*÷=/·&-] ?[0-9A-Za-z]| ?vs| ?대 ?\d|과 ?\d| ?(?:" + _SAID + ")"
)
# what is worked out: 2 of 1+1은 2
_RESULT = re.compile(rf"(?:[+×*÷-]|{_SAID}) ?\d+[은는] $")
_ENDS = re.compile(r"[.!?]?$")
_NO_NOUNS = (3, 4, 5, 6, 7, 9)  # other digits are nouns too, which end a sentence as well: 할 일
_CLEAR_PARTICLE = re.compile(one_of(CLEAR_PARTICLES))
_DIGIT_NOUN = re.compile(one_of(DIGIT_NOUNS))
_HAS_NUMBER_BEHIND = re.compile(r" \d")  # 2만 500원
_NOUN = re.compile("[사오구]이")  # 2분의 오이 is no 2분의 5이
_WITH_PARTICLE = re.compile("사이[다라]|[오구]이|이보다|일(?:보다|입|이|예)")  # 사이다 is no 4이다
_ENGLISH_BEFORE = re.compile(r"[A-Za-z]-?$|[Nn][Oo]\. ?$| ?\+ ?$")
_ENGLISH_AFTER = re.compile(r"-?[A-Za-z]| ?\+ ?\d| ?(?:아웃|스트라이크|룸)")


def is_of_fraction(text: str, start: int) -> bool:
    """Returns whether the number that begins here is the upper one of a fraction: 1 of 2분의 1, but not of 대부분의 1.

    >>> is_of_fraction("2분의 1", 4), is_of_fraction("대부분의 1", 5)
    (True, False)
    """
    return _OF_FRACTION.search(text, max(0, start - 5), start) is not None


def standing(match: re.Match[str], written: str, start: int, end: int) -> list[Tree]:
    """Returns the readings of a number without a counter; guarded are those that may be words."""
    text = match.string
    after = text[end : end + 12]
    digits = written if written.isdigit() else ""
    value = value_of(written)
    if digits and digits[0] == "0" and len(digits) > 1:
        return [digit_by_digit(digits, _is_word(digits, text, end))]
    if value is None:
        return list(plain_number(written))
    is_clear = bool(match["power"]) or _is_clear(text, start, end, value)
    reading = sino_text(value)
    is_word = len(reading) == 1 or any(starts_a_word(one + reading, after) for one in ("", "일"))
    if not ends_behind_number(text, end):
        is_word = is_word or begins_words(value)
    elif len(reading) > 1 and reading != "이만" and _is_amount(written):
        is_word = False
    is_guarded = is_word and not is_clear or _ends_a_word(text[max(0, start - 4) : start], reading, after)
    trees = [sino(value, "number", is_guarded)]
    if len(digits) >= 2:
        trees.append(digit_by_digit(digits, _is_word(digits, text, end)))
    return trees


def _is_amount(written: str) -> bool:
    """Returns whether a number ends in 만 or 억: 5만 is no arrogance, as 50000 may be."""
    return written[-1] in "만억"


def _is_clear(text: str, start: int, end: int, value: int) -> bool:
    """Returns whether the text around a number shows that it is not a word."""
    after = text[end : end + 12]
    reading = sino_text(value)
    if _CLEAR_AFTER.match(after) or _is_amount(text[start:end]) and _HAS_NUMBER_BEHIND.match(after):
        return True
    if _CLEAR_PARTICLE.match(after) and not _WITH_PARTICLE.match(reading + after):
        return True
    if not ends_behind_number(text, end):
        return is_of_ordinal_noun(text, start, end)
    if _RESULT.search(text, max(0, start - 12), start) or value in _NO_NOUNS and _ends_text(text, start, end):
        return True
    is_predicate = has_copula(text, end) and not is_ordinal(text, start)  # 제 일이다 is no 제1이다
    if is_of_fraction(text, start):
        return is_predicate or not _NOUN.match(reading + after)
    is_hangul = "가" <= after[:1] <= "힣"
    if is_hangul and not is_predicate and any((reading + after)[: len(reading) + more] in WORDS for more in (1, 2)):
        return False  # 오이 behind 제, too
    begin = max(0, start - 5)
    if value == 0 and after[:1].strip():
        return True
    if value >= 10 and _NAME_BEFORE.search(text, begin, start):
        return True
    return _OPENS.search(text, begin, start) is not None


def _ends_text(text: str, start: int, end: int) -> bool:
    """Returns whether a number is the last word of a text, and not the first: 정답은 7."""
    return start > 1 and text[start - 1] == " " and _ENDS.match(text, end) is not None


def may_be_word(text: str, start: int, end: int) -> bool:
    """Returns whether a number of one syllable is the beginning of a longer word: 5 of 3-5빠.

    >>> may_be_word("3-5빠", 2, 3), may_be_word("3-5로", 2, 3), may_be_word("3-20빠", 2, 4)
    (True, False, False)
    """
    value = value_of(text[start:end])
    return value is not None and len(sino_text(value)) == 1 and not ends_behind_number(text, end)


def english(match: re.Match[str]) -> list[Tree]:
    """Returns the English readings of a number beside Latin letters, and in offers such as 1+1."""
    start, end = match.span()
    if _ENGLISH_BEFORE.search(match.string, max(0, start - 4), start) or _ENGLISH_AFTER.match(match.string, end):
        return english_numerals(match["value"])
    return []


def english_numerals(digits: str) -> list[Tree]:
    """Returns the English readings of a number; 오 of 0 is not that of 5."""
    return [tagged(reading, f"english {digits}") for reading in ENGLISH_NUMERALS.get(digits, [])]


def _is_word(digits: str, text: str, end: int) -> bool:
    """Returns whether digits one by one may be a word, or the beginning of one: 29 of 29동성, not 119 of 119구급대."""
    if len(digits) > 4:
        return False
    if digits[0] != "0" and not ends_behind_number(text, end) and not _DIGIT_NOUN.match(text, end):
        return True
    names = ["공영" if digit == "0" else DIGITS[int(digit)] for digit in digits]
    after = text[end : end + 12]
    return any(starts_a_word("".join(reading), after) for reading in itertools.product(*names))


def starts_a_word(reading: str, after: str) -> bool:
    """Returns whether a reading is a word, or begins one that goes on behind it.

    >>> starts_a_word("천사", "가"), starts_a_word("사", "이를"), starts_a_word("삼", "명")
    (True, True, False)
    """
    whole = reading + after
    return any(whole[:size] in WORDS for size in range(len(reading), len(reading) + 3) if size <= len(whole))


def _ends_a_word(before: str, reading: str, after: str) -> bool:
    """Returns whether a reading goes on with a word that the names of letters before it begin: G9 as 지구."""
    letters = _LETTERS_BEFORE.search(before)
    if letters is None:
        return False
    names = [LETTERS[letter.upper()] for letter in letters[0]]
    begun = ("".join(way) for way in itertools.product(*names))
    return any(starts_a_word(beginning + reading, after) for beginning in begun)
