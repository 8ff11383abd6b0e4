"""What is around a number: its counter, and the words that it may be a part of.

A number that reads as a word, or as the beginning of one, is guarded: 1004 is no 천사, and 1부러 no 일부러.
"""

import functools
import itertools
import re

from textgauge.edits.networks import Tree

from .numerals import digit_by_digit, plain_number, sino, sino_text, value_of
from .patterns import one_of
from .reading_trees import Notation, any_of, sequence, tagged
from .spoken import (
    AFTER_COUNTERS,
    CLEAR_PARTICLES,
    COUNTED_WORDS,
    DIGIT_COUNTERS,
    DIGITS,
    ENGLISH_NUMERALS,
    FEW_COUNTED,
    LETTERS,
    NATIVE_COUNTERS,
    PARTICLES,
    SINO_COUNTERS,
    WORDS,
)
from .spoken_units import UNITS

_LONGER = {counter for counter in (*NATIVE_COUNTERS, *SINO_COUNTERS) if len(counter) > 1}
_CLEAR_AFTER = re.compile(r", ?[가-힣]+ ?\d|[A-Za-z]| ?[~:+×*÷=/·&-] ?[0-9A-Za-z]| ?vs| ?대 ?\d|과 ?\d")
_CLEAR_PARTICLE = re.compile(one_of(CLEAR_PARTICLES))
_WITH_PARTICLE = re.compile("사이[다라]|[오구]이|이보다|일(?:보다|입|이|예)")  # 사이다 is no 4이다
_LETTERS_BEFORE = re.compile(r"(?<![A-Za-z])[A-Za-z]{1,2}$")
_SHORT = frozenset([*DIGITS[1:], "십", "백", "천", "만"])  # numbers of one syllable
_SCORE_BEFORE, _SCORE_AFTER = re.compile(r"\d승 ?$"), re.compile(r" ?\d+[패승무기]")
_CLEAR_BEFORE = re.compile(r"(?:[A-Za-z√±]|[Nn][Oo]\. ?|vs\.? ?|제 ?|분의 ?|[~:+×*÷=/·&-] ?|\d ?대 ?)$")
_NAME_BEFORE = re.compile(r"[A-Za-z] $")
_ENGLISH_BEFORE, _ENGLISH_AFTER = re.compile(r"[A-Za-z]-?$|[Nn][Oo]\. ?$| ?\+ ?$"), re.compile(r"-?[A-Za-z]| ?\+ ?\d")
_AFTER_ZEROS = DIGIT_COUNTERS | {"시", "분", "초", "월", "일"}
_THIS_ONE = re.compile(  # 이번 주, 이쪽으로
    r"번(?:[에엔은만]| ?[주달해]| ?(?:여름|겨울|학기|시즌|경기|사건|일))|쪽(?:으로|에서|[이은도]|(?![가-힣]))"
)
_SPAN = re.compile(r" ?(?:전|후|뒤|간|동안|째|만|차|여)")  # 23년 전 is a span and no year
_EOJEOL = r"[^\s~,]*[0-9A-Za-z가-힣%℃](?<!까지)(?![^\s,.)])"
_GOES_ON = re.compile(rf"(?<=[년월시전후]) (?=\d){_EOJEOL}")  # 4월 2일, 오후 6시


# these patterns take long to compile, and texts without notations need none of them
@functools.cache
def _counter_pattern() -> re.Pattern[str]:
    return re.compile(rf" ?({one_of({*NATIVE_COUNTERS, *SINO_COUNTERS, *(r for u in UNITS.values() for r in u)})})")


@functools.cache
def _end_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{one_of({*PARTICLES, *AFTER_COUNTERS, *_LONGER})})*(?![가-힣])")


@functools.cache
def _after_counter_pattern() -> re.Pattern[str]:
    """What may follow a counter of one syllable: a word that begins with both goes on otherwise."""
    return re.compile(
        rf"(?:{one_of(AFTER_COUNTERS)})?(?:{one_of(PARTICLES)})*(?:(?:[이인입일였]|예요)[가-힣]{{0,4}})?(?![가-힣])"
        r"|[을를에는]|까지|부터|으로|마다|씩|쯤|정도|짜리"
    )


@functools.cache
def _after_tilde_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:(?<=[0-9가-힣])|(?<= ))~ ?(?=\d|오[전후])|(?<=[가-힣])~(?=[가-힣])){_EOJEOL}")


def counter_after(match: re.Match[str]) -> tuple[str, bool]:
    """Returns the counter behind a number, "" for none, and whether there is a blank before it."""
    after = _counter_pattern().match(match.string, match.end())
    if after is None or _CLEAR_PARTICLE.match(match.string, match.end()):  # 3부터 is no 3부
        return "", False
    is_apart = after[0][0] == " "
    if is_apart and not _end_pattern().match(match.string, after.end()):
        return "", False
    counter = after[1]
    digits = match[0]
    if digits[0] == "0" and digits.isdigit() and len(digits) > 1 and counter not in _AFTER_ZEROS:
        return "", False
    if counter in FEW_COUNTED and not _is_counted(match, counter, after.end()):
        return "", False
    if counter == "년" and _SPAN.match(match.string, after.end()):
        counter = "년간"
    return counter, is_apart


def _is_counted(match: re.Match[str], counter: str, end: int) -> bool:
    """Returns whether a number is usual before a counter that many nouns end in."""
    value, text = value_of(match[0]), match.string
    if value is None or not _is_short(value) or value in FEW_COUNTED[counter]:
        return True
    before = text[max(0, match.start() - 3) : match.start()]
    return counter in ("무", "전") and bool(_SCORE_BEFORE.search(before) or _SCORE_AFTER.match(text, end))


def _is_short(value: int) -> bool:
    return sino_text(value) in _SHORT


def reads_as_word(match: re.Match[str], counter: str) -> bool:
    """Returns whether a number with the counter right behind it reads as a word: 2번에 as 이번에, 1부러 as 일부러."""
    text, start, written = match.string, match.start(), match["value"]
    value = value_of(written) if written.isdigit() else None
    if value is None or not _is_short(value):
        return False
    if len(counter) == 1 and not _after_counter_pattern().match(text, match.end() + 1):
        return True
    if sino_text(value) + counter not in COUNTED_WORDS:
        return False
    return not text[max(0, start - 2) : start].rstrip().endswith("제") and (
        counter not in ("번", "쪽") or _THIS_ONE.match(text, match.end()) is not None
    )


def standing(match: re.Match[str], written: str, start: int, end: int) -> list[Tree]:
    """Returns the readings of a number without a counter; guarded are those that may be words."""
    before, after = match.string[max(0, start - 4) : start], match.string[end : end + 12]
    digits, value = (written if written.isdigit() else ""), value_of(written)
    is_clear = bool(match["power"] or _CLEAR_AFTER.match(after) or _CLEAR_BEFORE.search(before))
    is_clear = is_clear or value is not None and value >= 10 and _NAME_BEFORE.search(before) is not None
    is_clear = is_clear or value == 0 and after[:1].strip() != ""
    trees: list[Tree] | tuple[Tree, ...] = []
    if digits and digits[0] == "0" and len(digits) > 1:
        trees = [digit_by_digit(digits, _is_word(digits, after))]
    elif value is None:
        trees = plain_number(written)
    else:
        reading = sino_text(value)
        is_word = any(_starts_a_word(one + reading, after) for one in ("", "일"))
        is_clear = is_clear or _CLEAR_PARTICLE.match(after) is not None and not _WITH_PARTICLE.match(reading + after)
        is_word = (is_word or len(reading) == 1) and not is_clear or _ends_a_word(before, reading, after)
        trees = [sino(value, "number", is_word)]
        if len(digits) >= 2:
            trees.append(digit_by_digit(digits, _is_word(digits, after)))
    return trees


def english(match: re.Match[str]) -> list[Tree]:
    """Returns the English readings of a number beside Latin letters, and in offers such as 1+1."""
    start, end = match.span()
    if _ENGLISH_BEFORE.search(match.string, max(0, start - 4), start) or _ENGLISH_AFTER.match(match.string, end):
        return english_numerals(match["value"])
    return []


def english_numerals(digits: str) -> list[Tree]:
    """Returns the English readings of a number; 오 of 0 is not that of 5."""
    return [tagged(reading, f"english {digits}") for reading in ENGLISH_NUMERALS.get(digits, [])]


def _is_word(digits: str, after: str) -> bool:
    """Returns whether digits one by one read as a word."""
    if len(digits) > 3:
        return False
    names = ["공영" if digit == "0" else DIGITS[int(digit)] for digit in digits]
    return any(_starts_a_word("".join(reading), after) for reading in itertools.product(*names))


def _starts_a_word(reading: str, after: str) -> bool:
    """Returns whether a reading is a word, or begins one that goes on behind it."""
    whole = reading + after
    return any(whole[:size] in WORDS for size in range(len(reading), len(reading) + 3) if size <= len(whole))


def _ends_a_word(before: str, reading: str, after: str) -> bool:
    """Returns whether a reading goes on with a word that the names of letters before it begin: G9 as 지구."""
    letters = _LETTERS_BEFORE.search(before)
    names = [LETTERS[letter.upper()] for letter in letters[0]] if letters else []
    return bool(names) and any(_starts_a_word("".join([*way, reading]), after) for way in itertools.product(*names))


def with_until(text: str, pieces: list[str | Notation]) -> list[str | Notation]:
    """Returns pieces in which 까지 may follow what a ~ leads to: 9시~6시 is 아홉 시부터 여섯 시까지."""
    until = any_of(["", tagged("까지", "joint")])
    ends = set()
    for match in _after_tilde_pattern().finditer(text):
        while match:
            ends.add(match.end())
            match = _GOES_ON.match(text, match.end())
    result: list[str | Notation] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece if isinstance(piece, str) else piece.written)
        if isinstance(piece, Notation):
            result.append(piece._replace(tree=sequence(piece.tree, until)) if end in ends else piece)
            continue
        for place in sorted(place for place in ends if start < place <= end):
            last = text[place - 1]
            result += [text[start : place - 1], Notation(last, "symbol", sequence(last, until))]
            start = place
        result.append(text[start:end])
    return [piece for piece in result if piece]
