"""How the numbers of Korean text are read: Sino-Korean, native before counters, digit by digit, in English.

The tables are in `spoken.py` and `spoken_units.py`. Functions return trees of readings, or lists of them, the canonical
one first.
"""

import functools
import math
import re

from textgauge.edits.networks import Tree

from .patterns import INTEGER, NUMBER
from .reading_trees import BLANK, GAP, any_of, canonical_text, sequence, tagged
from .spoken import APPROXIMATE, APPROXIMATE_SINO, DIGITS, MONTHS, MYRIADS, NATIVE_ONES, NATIVE_TENS
from .spoken_counters import (
    AFTER_THIS,
    COUNTED_WORDS,
    DIGIT_COUNTERS,
    NATIVE_COUNTERS,
    OLD_MEASURES,
    SINO_COUNTERS,
    SINO_FIRST,
)
from .spoken_units import UNITS

_WITH_POWERS = re.compile(rf"({NUMBER})([십백천만억조]*)")
_DECIMAL = re.compile(rf"({INTEGER})(?:\.(\d+))?([십백천만억조]*)")
NATIVE = frozenset(NATIVE_COUNTERS)
SINO = frozenset([*SINO_COUNTERS, *({r for readings in UNITS.values() for r in readings} - NATIVE)])
_LONGEST = 20  # digits of a number that is read as one


@functools.lru_cache(4096)
def sino(value: int, tag: str = "number", is_guarded: bool = False, is_money: bool = False) -> Tree:
    """Returns the Sino-Korean reading, with or without 일 before 천 and at its start before 만."""
    if not value:
        return tagged("영", tag, is_guarded)
    all_digits = str(value)
    n_groups = math.ceil(len(all_digits) / 4)
    groups = [int(group) for group in re.findall(r"\d{4}", all_digits.zfill(4 * n_groups))]

    parts: list[Tree] = []
    text = ""
    for index, group in enumerate(groups):
        myriad = MYRIADS[min(n_groups - 1 - index, len(MYRIADS) - 1)]
        digits = []
        if group:
            digits = list(zip(f"{group:04}", ("천", "백", "십", ""), strict=True))
        if group == 1 and myriad == "만" and index == 0:
            digits = [("1", "만")]
            myriad = ""
        for digit, power in digits:
            if digit == "1" and (power in ("천", "만") or power and is_money):
                parts += [tagged(text, tag, is_guarded), any_of(["", tagged("일", tag, is_guarded)])]
                text = power
            elif digit == "1" and power:
                text += power
            elif digit != "0":
                text += DIGITS[int(digit)] + power

        if group:
            text += myriad
            if any(groups[index + 1 :]):
                parts += [tagged(text, tag, is_guarded), GAP]
                text = ""
    parts.append(tagged(text, tag, is_guarded))
    return sequence(*[part for part in parts if part])


@functools.lru_cache(4096)
def sino_text(value: int) -> str:
    """Returns the canonical Sino-Korean reading.

    >>> sino_text(21), sino_text(10500)
    ('이십일', '만오백')
    """
    return canonical_text(sino(value)).replace(BLANK, "")


@functools.lru_cache(4096)
def digit_by_digit(digits: str, is_guarded: bool = False, tag: str = "number") -> Tree:
    """Returns the readings of digits that are read one by one: 119 as 일일구, a zero as 공 or 영."""
    zero = any_of([tagged("공", tag, is_guarded), tagged("영", tag, is_guarded)])
    parts = []
    for digit in digits:
        parts.append(zero if digit == "0" else tagged(DIGITS[int(digit)], tag, is_guarded))
    return sequence(*parts)


def native_text(value: int) -> str:
    """Returns the native numeral below 100 before a counter.

    >>> native_text(3), native_text(20), native_text(21)
    ('세', '스무', '스물한')
    """
    tens, ones = divmod(value, 10)
    return "스무" if value == 20 else NATIVE_TENS[tens] + NATIVE_ONES[ones]


@functools.lru_cache(4096)
def native(value: int, counter: str, is_guarded: bool = False) -> tuple[Tree, ...]:
    """Returns the native readings before a counter: 세, and 서 before 말; 백다섯."""
    rest = value % 100
    hundreds = value - rest
    if not rest or (value, counter) == (1, "층"):  # 한층 is "even more"
        return ()

    forms = [native_text(rest)]
    if counter == "번째" and value == 1:
        forms = ["첫", "한"]
    if counter == "째" and value <= 4:
        forms = [("첫", "둘", "셋", "넷")[value - 1]]
    if value in OLD_MEASURES:
        forms += OLD_MEASURES[value].get(counter, [])

    trees = tuple(tagged(form, "number", is_guarded) for form in forms)
    if not hundreds:
        return trees
    return tuple(sequence(sino(hundreds), GAP, tree) for tree in trees)


def value_of(written: str) -> int | None:
    """Returns the value of an integer that may have 만 and others inside; None for anything else, or if it is too long.

    >>> value_of("3만 5천"), value_of("35,000"), value_of("1.5")
    (35000, 35000, None)
    """
    if written.isdigit() and len(written) <= _LONGEST:
        return int(written)
    total = section = 0
    for number, powers in _WITH_POWERS.findall(written):
        if "." in number:
            return None
        digits = number.replace(",", "")
        if len(digits) > _LONGEST:
            return None
        value = int(digits)
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
    """Returns the Sino-Korean readings of a number, with a decimal point or without.

    A number of more than 20 digits is read digit by digit: a recogniser that loops writes one.
    """
    value = value_of(written)
    if value is not None:
        return (sino(value, "number", is_guarded, is_money),)
    match = _DECIMAL.match(written)
    if match is None or match[2] is None:
        return (_one_by_one(written),)
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
        if len(shifted) > _LONGEST:
            return tuple(trees)
        power = 10 ** sum({"십": 1, "백": 2, "천": 3}.get(p) or 4 * MYRIADS.index(p) for p in powers)
        value, rest = divmod(int(shifted) * power, 10 ** len(digits))
        trees += [sino(value)] if not rest and value < 10**_LONGEST else []
    return tuple(trees)


def _one_by_one(written: str) -> Tree:
    """Returns the reading of a long number: its digits one by one, and the powers behind them."""
    parts: list[Tree] = []
    for number, powers in _WITH_POWERS.findall(written):
        parts.append(digit_by_digit(re.sub(r"\D", "", number)))
        parts.append(tagged(powers, "number"))
    return sequence(*parts)


@functools.lru_cache(4096)
def counted(
    written: str, counter: str, is_apart: bool, is_word: bool = False, is_native_word: bool = False
) -> tuple[Tree, ...]:
    """Returns the readings of a number before a counter; the Sino-Korean or the native ones may be words.

    So is the Sino-Korean one if a blank follows it, as 이.
    """
    value = value_of(written)
    if value is None:
        return plain_number(written, is_money=counter.startswith("원"))
    digits = written if written.isdigit() else ""
    if counter == "월" and value in MONTHS:
        return (tagged(MONTHS[value], "number"),)

    natives = native(value, counter, is_native_word) if counter in NATIVE else ()
    trees = list(natives)

    if counter in SINO or not natives or value >= 10 and (counter != "시" or value > 12):
        # 이 분 is "this person", and 이 페이지 "this page", more often than 2분 or 2페이지 with a blank
        may_be_word = value in (1, 2) and (len(counter) == 1 or counter in AFTER_THIS)
        is_word = is_word or is_apart and (may_be_word or DIGITS[value % 10] + counter in COUNTED_WORDS)
        sino_tree = sino(value, "number", is_word, counter.startswith("원"))
        is_first = counter not in NATIVE or counter in SINO_FIRST or counter == "시" and value > 12
        trees = [sino_tree, *natives] if is_first else [*natives, sino_tree]
    if len(digits) > 1 and counter in DIGIT_COUNTERS:
        trees.append(digit_by_digit(digits, is_native_word))
    return tuple(trees)


def approximate(low: int, high: int, counter: str) -> list[Tree]:
    """Returns readings as one numeral: 서너 and 삼사 for 3 and 4, 삼사십 for 30 and 40."""
    power = 1
    while low and low % 10 == high % 10 == 0 and power < 10**8:
        low //= 10
        high //= 10
        power *= 10
    sino_reading = APPROXIMATE_SINO.get((low, high))

    readings = APPROXIMATE.get((low, high), [])
    if power > 1:
        unit = sino_text(power).removeprefix("일")  # of 일억
        readings = [sino_reading + unit] if sino_reading else []
    elif counter not in NATIVE:
        if counter == "월" and (low, high) == (5, 6):
            sino_reading = "오뉴"
        readings = [sino_reading] if sino_reading else []
    elif counter not in SINO:
        readings = [reading for reading in readings if reading != sino_reading]
    return [tagged(reading, "approximate") for reading in readings]
