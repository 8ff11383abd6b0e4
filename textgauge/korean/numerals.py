"""How the numbers of Korean text are read: Sino-Korean, native before counters, digit by digit, in English.

The tables are in `spoken.py` and `spoken_units.py`. Functions return trees of readings, or lists of them, the canonical
one first.
"""

import functools
import itertools
import re

from textgauge.edits.networks import Tree

from .patterns import INTEGER, NUMBER, one_of
from .reading_trees import BLANK, GAP, any_of, canonical_text, sequence, tagged
from .spoken import (
    AFTER_THIS,
    APPROXIMATE,
    APPROXIMATE_SINO,
    CLEAR_PARTICLES,
    COUNTED_WORDS,
    DIGIT_COUNTERS,
    DIGITS,
    ENGLISH_NUMERALS,
    MONTHS,
    MYRIADS,
    NATIVE_COUNTERS,
    NATIVE_ONES,
    NATIVE_TENS,
    OLD_MEASURES,
    PARTICLES,
    SINO_COUNTERS,
    SINO_FIRST,
    WORDS,
)
from .spoken_units import UNITS

_COUNTER = re.compile(rf" ?({one_of({*NATIVE_COUNTERS, *SINO_COUNTERS, *(r for u in UNITS.values() for r in u)})})")
_END = re.compile(rf"(?:{one_of({*PARTICLES, *NATIVE_COUNTERS, *SINO_COUNTERS})})*(?![가-힣])")
_CLEAR_AFTER = re.compile(
    rf", ?[가-힣]+ ?\d|{one_of(CLEAR_PARTICLES)}|[A-Za-z]| ?[~:+×*÷=/-] ?[0-9A-Za-z]| ?대 ?\d|과 ?\d"
)
_CLEAR_BEFORE = re.compile(r"(?:[A-Za-z√]|제 ?|분의 ?|[~:+×*÷=/-] ?|\d ?대 ?)$")
_NAME_BEFORE = re.compile(r"[A-Za-z] $")
_ENGLISH_BEFORE, _ENGLISH_AFTER = re.compile(r"[A-Za-z]-?$| ?\+ ?$"), re.compile(r"-?[A-Za-z]| ?\+ ?\d")
_WITH_POWERS = re.compile(rf"({NUMBER})([십백천만억조]*)")
_DECIMAL = re.compile(rf"({INTEGER})(?:\.(\d+))?([십백천만억조]*)")
NATIVE = frozenset(NATIVE_COUNTERS)
SINO = frozenset([*SINO_COUNTERS, *({r for readings in UNITS.values() for r in readings} - NATIVE)])
_AFTER_ZEROS = DIGIT_COUNTERS | {"시", "분", "초", "월", "일"}
_LONGEST = 20  # digits of a number that is read as one
_THIS_TIME = re.compile(r"번(?:[에엔은만]| ?[주달해]| ?(?:여름|겨울|학기|시즌|경기|사건|일))")  # 이번 주
_SPAN = re.compile(r" ?(?:전|후|뒤|간|동안|째|만|차|여)")  # 23년 전 is a span and no year


@functools.lru_cache(4096)
def sino(value: int, tag: str = "number", is_guarded: bool = False, is_money: bool = False) -> Tree:
    """Returns the Sino-Korean reading, with or without 일 before 천 and at its start before 만."""
    parts: list[Tree] = []
    text = ""
    groups = [int(group) for group in re.findall(r"\d{4}", str(value).zfill(-(-len(str(value)) // 4) * 4))]
    for index, group in enumerate(groups):
        myriad = MYRIADS[min(len(groups) - 1 - index, len(MYRIADS) - 1)]
        digits = [*zip(f"{group:04}", ("천", "백", "십", ""), strict=True)] if group else []
        if group == 1 and myriad == "만" and index == 0:
            digits = [("1", "만")]
            myriad = ""
        for digit, power in digits:
            if digit == "1" and (power in ("천", "만") or power and is_money):
                parts += [tagged(text, tag, is_guarded), any_of(["", tagged("일", tag, is_guarded)])]
                text = power
            elif digit != "0":
                text += ("" if digit == "1" and power else DIGITS[int(digit)]) + power
        if group:
            text += myriad
            if any(groups[index + 1 :]):
                parts += [tagged(text, tag, is_guarded), GAP]
                text = ""
    parts = [part for part in [*parts, tagged(text, tag, is_guarded)] if part]
    return sequence(*parts) if value else tagged("영", tag, is_guarded)


@functools.lru_cache(4096)
def sino_text(value: int) -> str:
    """Returns the canonical Sino-Korean reading: `sino_text(21)` is "이십일"."""
    return canonical_text(sino(value)).replace(BLANK, "")


@functools.lru_cache(4096)
def digit_by_digit(digits: str, is_guarded: bool = False, tag: str = "number") -> Tree:
    """Returns the readings of digits that are read one by one: 119 as 일일구, a zero as 공 or 영."""
    zero = any_of([tagged("공", tag, is_guarded), tagged("영", tag, is_guarded)])
    return sequence(*(zero if d == "0" else tagged(DIGITS[int(d)], tag, is_guarded) for d in digits))


@functools.lru_cache(4096)
def native(value: int, counter: str) -> tuple[Tree, ...]:
    """Returns the native readings before a counter: 세, and 서 before 말; 백다섯."""
    hundreds, rest = value // 100 * 100, value % 100
    if not rest:
        return ()
    tens, ones = divmod(rest, 10)
    forms = ["스무" if rest == 20 else NATIVE_TENS[tens] + NATIVE_ONES[ones]]
    if counter == "번째" and value == 1:
        forms = ["첫", "한"]
    if counter == "째" and value <= 4:
        forms = [("첫", "둘", "셋", "넷")[value - 1]]
    if value in OLD_MEASURES:
        forms += OLD_MEASURES[value].get(counter, [])
    trees = tuple(tagged(form, "number") for form in forms)
    return tuple(sequence(sino(hundreds), GAP, tree) for tree in trees) if hundreds else trees


def value_of(written: str) -> int | None:
    """Returns the value of an integer that may be mixed with 만 and others: 35000 for "3만 5천"; None for others."""
    if written.isdigit() and len(written) <= _LONGEST:
        return int(written)
    total = section = 0
    for number, powers in _WITH_POWERS.findall(written):
        if "." in number:
            return None
        value = int(number.replace(",", ""))
        for power in powers:
            if power in "십백천":
                value *= {"십": 10, "백": 100, "천": 1000}[power]
            else:
                total, section, value = total + (section + value) * 10 ** (4 * MYRIADS.index(power)), 0, 0
        section += value
    total += section
    return total if total < 10**_LONGEST else None


@functools.lru_cache(4096)
def plain_number(written: str, is_guarded: bool = False, is_money: bool = False) -> tuple[Tree, ...]:
    """Returns the Sino-Korean readings of a number, with a decimal point or without."""
    value = value_of(written)
    if value is not None:
        return (sino(value, "number", is_guarded, is_money),)
    match = _DECIMAL.match(written)
    if match is None or match[2] is None:
        return (digit_by_digit(re.sub(r"\D", "", written)),)
    whole, digits, powers = match.groups()
    before = sino(int(whole.replace(",", ""))) if len(whole) < _LONGEST else digit_by_digit(whole)
    if whole == "0":
        before = any_of([before, tagged("공", "number")])
    ways = ["".join(DIGITS[int(digit)] for digit in digits)]
    after: Tree = tagged(ways[0], "number")
    if "0" in digits:
        after = any_of([after, digit_by_digit(digits)])
    if len(digits) > 1 and digits[0] != "0" and len(digits) < 4:
        after = any_of([after, sino(int(digits))])
    trees: list[Tree] = [sequence(before, GAP, tagged("점", "number"), GAP, after, tagged(powers, "number"))]
    if powers:
        shifted = re.sub(r"\D", "", whole) + digits
        power = 10 ** sum({"십": 1, "백": 2, "천": 3}.get(p) or 4 * MYRIADS.index(p) for p in powers)
        value, rest = divmod(int(shifted) * power, 10 ** len(digits))
        trees += [sino(value)] if not rest and value < 10**_LONGEST else []
    return tuple(trees)


def counter_after(match: re.Match[str]) -> tuple[str, bool]:
    """Returns the counter behind a number, "" for none, and whether there is a blank before it."""
    found = _COUNTER.match(match.string, match.end())
    if found is None:
        return "", False
    is_apart = found[0][0] == " "
    if is_apart and not _END.match(match.string, found.end()):
        return "", False
    counter = found[1]
    digits = match[0]
    if digits[0] == "0" and digits.isdigit() and len(digits) > 1 and counter not in _AFTER_ZEROS:
        return "", False
    if counter == "년" and _SPAN.match(match.string, found.end()):
        counter = "년간"
    return counter, is_apart


def reads_as_word(match: re.Match[str], counter: str) -> bool:
    """Returns whether a digit with the counter right behind it reads as a word: 2번에 as 이번에, 4과 as 사과."""
    text, start = match.string, match.start()
    if not match[0].isdigit() or len(match[0]) > 1 or DIGITS[int(match[0])] + counter not in COUNTED_WORDS:
        return False
    return not text[max(0, start - 2) : start].rstrip().endswith("제") and (
        counter != "번" or _THIS_TIME.match(text, match.end()) is not None
    )


@functools.lru_cache(4096)
def counted(written: str, counter: str, may_be_word: bool) -> tuple[Tree, ...]:
    """Returns the readings of a number before a counter, which may be a word if a blank follows it."""
    value = value_of(written)
    if value is None:
        return plain_number(written, is_money=counter.startswith("원"))
    digits = written if written.isdigit() else ""
    if counter == "월" and value in MONTHS:
        return (tagged(MONTHS[value], "number"),)
    takes_native = counter in NATIVE
    natives = native(value, counter) if takes_native else ()
    trees = [*natives]
    if counter in SINO or not natives or value >= 10 and (counter != "시" or value > 12):
        # 이 일 and 이 분 are words more often than 2 일 and 2 분 are written apart
        is_word = value in (1, 2) and (len(counter) == 1 or counter in AFTER_THIS)
        is_word = may_be_word and (is_word or DIGITS[value % 10] + counter in COUNTED_WORDS)
        by_sino = [sino(value, "number", is_word, counter.startswith("원"))]
        is_first = counter not in NATIVE or counter in SINO_FIRST or counter == "시" and value > 12
        trees = [*by_sino, *natives] if is_first else [*natives, *by_sino]
    if len(digits) > 1 and counter in DIGIT_COUNTERS:
        trees.append(digit_by_digit(digits))
    return tuple(trees)


def approximate(low: int, high: int, counter: str) -> list[Tree]:
    """Returns readings as one numeral: 서너 and 삼사 for 3 and 4, 삼사십 for 30 and 40."""
    power = 1
    while low and low % 10 == high % 10 == 0 and power < 10**8:
        low, high, power = low // 10, high // 10, power * 10
    readings = APPROXIMATE.get((low, high), [])
    if power > 1:
        readings = [APPROXIMATE_SINO[low, high] + sino_text(power)] if (low, high) in APPROXIMATE_SINO else []
    elif counter not in NATIVE:
        readings = readings[-1:] if counter != "월" else [*readings[-1:], *(r for r in readings if r == "오뉴")]
    if (low, high) == (5, 6) and power == 1 and counter not in NATIVE:
        readings = ["오뉴"] if counter == "월" else ["오륙"]
    elif counter in NATIVE and counter not in SINO and power == 1:
        readings = [reading for reading in readings if reading != APPROXIMATE_SINO.get((low, high))]
    return [tagged(reading, "approximate") for reading in readings]


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
        is_word = len(reading) == 1 or any(_starts_a_word(one + reading, after) for one in ("", "일"))
        trees = [sino(value, "number", is_word and not is_clear)]
        if len(digits) >= 2:
            trees.append(digit_by_digit(digits, _is_word(digits, after)))
    return trees


def english(match: re.Match[str]) -> list[Tree]:
    """Returns the English readings of a number beside Latin letters, and in offers such as 1+1."""
    start, end = match.span()
    if _ENGLISH_BEFORE.search(match.string, max(0, start - 4), start) or _ENGLISH_AFTER.match(match.string, end):
        return [tagged(reading, "number") for reading in ENGLISH_NUMERALS.get(match["value"], [])]
    return []


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
