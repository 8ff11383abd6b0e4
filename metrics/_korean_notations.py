"""Finds the notations of a Korean text (3개, 20%, LG, 2024-03-01) and says how each one is read.

The tables are in `_korean_readings.py`. A notation becomes a tree of readings, whose first path is the canonical one.
Blanks in a reading may be there or not. Every reading has a tag, because two notations may share a reading without
being the same (5km and 5kg, both 오 킬로): readings of two notations are equal only if their tags are. A guarded
reading is that of a number or letter that may as well be a word (2 in "2 영화", 1004 for 천사); no text equals it.
"""

import functools
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from ._korean_readings import APPROXIMATE
from ._korean_readings import APPROXIMATE_SINO
from ._korean_readings import CIRCLED
from ._korean_readings import CLEAR_PARTICLES
from ._korean_readings import CURRENCIES
from ._korean_readings import DIGIT_COUNTERS
from ._korean_readings import DIGITS
from ._korean_readings import ENGLISH_NUMERALS
from ._korean_readings import JOINTS
from ._korean_readings import LETTER_NOUNS
from ._korean_readings import LETTERS
from ._korean_readings import MONTHS
from ._korean_readings import MYRIADS
from ._korean_readings import NAMED_DAYS
from ._korean_readings import NATIVE_COUNTERS
from ._korean_readings import NATIVE_ONES
from ._korean_readings import NATIVE_TENS
from ._korean_readings import OLD_MEASURES
from ._korean_readings import PARTICLES
from ._korean_readings import POWERS
from ._korean_readings import ROMAN
from ._korean_readings import SINO_COUNTERS
from ._korean_readings import SPELLINGS
from ._korean_readings import SYMBOLS
from ._korean_readings import TEMPERATURES
from ._korean_readings import UNIT_PREFIXES
from ._korean_readings import UNITS
from ._korean_readings import VULGAR
from ._korean_readings import WORDS
from ._networks import Tree

KINDS = ("number", "date", "unit", "letter", "symbol", "own", "transcript")
_LONGEST_NAME, _LONGEST_WORD = 6, 5  # letters: of a name in capitals, of another word that may be spelled


class Piece(str):
    """A text within a reading, with what it may equal."""

    tag: str
    is_guarded: bool

    def __new__(cls, text: str, tag: str, is_guarded: bool = False) -> "Piece":
        """Returns the text with its tag."""
        piece = super().__new__(cls, text)
        piece.tag, piece.is_guarded = tag, is_guarded
        return piece

    def __eq__(self, other: object) -> bool:
        """Returns whether the text and what it may equal are the same."""
        return isinstance(other, Piece) and vars(self) == vars(other) and str.__eq__(self, other)

    def __hash__(self) -> int:
        """Returns a hash, as what is found in the readings of a notation is kept."""
        return hash((str(self), self.tag, self.is_guarded))


class Notation(NamedTuple):
    """A notation of a text; `tree` has its readings."""

    written: str
    kind: str
    tree: Tree


_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()}
_TRANSLATION = str.maketrans({**{chr(code): chr(plain) for code, plain in _WIDE.items()}, **SPELLINGS})
_VULGAR = re.compile(rf"(\d?)([{''.join(VULGAR)}])")
# what a text must hold to have a notation
NOTATION_SIGNS = "0-9A-Za-z０-９Ａ-Ｚａ-ｚα-ωΩ㎀-㏄#" + "".join([*ROMAN, *CIRCLED, *VULGAR])


def _one_of(names) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


_INTEGER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"
_NUMBER = rf"{_INTEGER}(?:\.\d+)?"
_MIXED = rf"{_NUMBER}(?:[십백천만억조]+(?: ?{_INTEGER}[십백천]?[만억조]?(?![\d.,:/~-]))*)?"
_UNIT = _one_of([*UNITS, *(code for code in CURRENCIES if code.isalpha())])
_JOINED = r"0-9A-Za-zα-ωΩ%℃℉°²³년월일시분초ⅠⅡⅢⅣⅤ"
_PATTERNS = (
    r"(?P<phone>(?<![\d.,])(?:\+\d{1,3}(?:[- ]\d{1,4}){2,4}|0\d{1,3}[-). ] ?\d{3,4}[- .]\d{4}"
    r"|\d{3}[-.]\d{3,4}[-.]\d{4}|1\d{3}-\d{4})(?![\d-]))",
    r"(?P<date>(?<![\d.])(?P<year>\d{4})(?P<by>[-./] ?)(?P<month>0?[1-9]|1[0-2])(?P=by)"
    r"(?P<day>[12]\d|3[01]|0?[1-9])(?![\d-])\.?)",
    r"(?P<time>(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:]))",
    r"(?P<fraction>(?<![\d/.])-?(?:(?P<whole>\d+)(?:과|와| ) ?)?(?P<over>\d+)/(?P<under>[1-9]\d*)(?![\d/])"
    rf"(?: ?(?P<fraction_unit>{_UNIT})(?![A-Za-z]))?)",
    rf"(?P<days>(?<![\d.·])(?P<first>\d{{1,2}})[.·](?P<second_part>\d{{1,2}})(?![\d.·%만억조]| ?(?:{_UNIT})))",
    r"(?P<listed>(?<![\d.,])(?P<one>[1-8]), ?(?P<next>[2-9])(?= ?[가-힣]))",
    rf"(?P<range>(?<![\d~-])(?P<low>{_MIXED}) ?[~-] ?(?P<high>{_MIXED})(?![\d~:=-])"
    rf"(?: ?(?P<range_unit>{_UNIT})(?![A-Za-z]))?)",
    rf"(?P<money>(?P<currency>{_one_of(name for name in CURRENCIES if name != 'KRW')}) ?(?P<amount>{_MIXED}))",
    r"(?P<code>(?<=[A-Za-z])(?P<digits>\d+)(?=[A-Za-z]))",
    rf"(?P<number>(?P<sign>(?<![\w)%])[-+]|)(?P<value>{_MIXED})"
    rf"(?:(?P<unit_blank> ?)(?P<unit>{_UNIT})(?![A-Za-z0-9]))?(?P<power>[²³]?))",
    rf"(?P<figure>[{''.join(ROMAN)}{''.join(CIRCLED)}])",
    r"(?P<letters>[A-Za-zα-ωΩ]+)",
    rf"(?P<joint>(?<=[{_JOINED}]) ?[-~:+×*÷=/·&] ?(?=[0-9A-Za-zα-ωΩ])|(?<=[A-Z])\+(?![0-9A-Za-z])"
    r"|(?<=\w)[.@](?=[A-Za-z]))",
    r"(?P<symbol>[#*](?=[을를]? ?누))",
)
# any of them begins so: without this each pattern would be tried at each character
_BEGINNING = "".join(map(re.escape, {name[0] for name in CURRENCIES} | {*"+-~:×*÷=/·&.@# ", *ROMAN, *CIRCLED}))
_NOTATION = re.compile(rf"(?=[0-9A-Za-zα-ωΩ{_BEGINNING}])(?:{'|'.join(_PATTERNS)})")
_COUNTER = re.compile(rf" ?({_one_of({*NATIVE_COUNTERS, *SINO_COUNTERS, *(r for u in UNITS.values() for r in u)})})")
_END = re.compile(rf"(?:{_one_of({*PARTICLES, *NATIVE_COUNTERS, *SINO_COUNTERS})})*(?![가-힣])")
_CLEAR_AFTER = re.compile(rf"{_one_of(CLEAR_PARTICLES)}|[A-Za-z]| ?[~:+×*÷=/-] ?[0-9A-Za-z]| ?대 ?\d|과 ?\d")
_CLEAR_BEFORE = re.compile(r"(?:[A-Za-z]|제 ?|분의 ?|[~:+×*÷=/-] ?|\d ?대 ?)$")
_ENGLISH = re.compile(r"[A-Za-z]-?$| ?\+ ?$")
_NATIVE = frozenset(NATIVE_COUNTERS)
_SINO = frozenset([*SINO_COUNTERS, *({r for readings in UNITS.values() for r in readings} - _NATIVE)])
_AFTER_ZEROS = DIGIT_COUNTERS | {"시", "분", "초", "월", "일"}
_SPAN = re.compile(r" ?(?:전|후|뒤|간|동안|째|만|차|여)")  # 23년 전 is a span and no year
BLANK = " "  # a blank that may be missing


def find_notations(text: str) -> list[str | Notation]:
    """Returns a text cut into notations and what is between them, which has the usual widths of characters.

    `find_notations("커피 4잔")` is ["커피 ", Notation("4", "number", ...), "잔"].
    """
    text = _VULGAR.sub(lambda m: (f"{m[1]}과 " if m[1] else "") + VULGAR[m[2]], text.translate(_TRANSLATION))
    pieces: list[str | Notation] = []
    position = 0
    for match in _NOTATION.finditer(text):
        kind = next(name for name in _READERS if match[name])
        found = _READERS[kind](match)
        if found is not None:
            pieces += [text[position : match.start()], Notation(match[0], found[0], frozen(found[1]))]
            position = match.end()
    return [piece for piece in [*pieces, text[position:]] if piece]


def frozen(tree: Tree) -> Tree:
    """Returns a tree with tuples, which can be kept."""
    return tree if isinstance(tree, str) else (tree[0], tuple(map(frozen, tree[1])))


def _any_of(trees: list[Tree]) -> Tree:
    return trees[0] if len(trees) == 1 else ("alt", trees)


def _sequence(*trees: Tree) -> Tree:
    return "seq", list(trees)


# -- numerals ---------------------------------------------------------------------------------------------------------


@functools.lru_cache(4096)
def _sino(value: int, tag: str = "number", is_guarded: bool = False, is_money: bool = False) -> Tree:
    """Returns the Sino-Korean reading, with or without 일 before 천 and at its start before 만."""
    parts: list[Tree] = []
    groups = [int(group) for group in re.findall(r"\d{4}", str(value).zfill(-(-len(str(value)) // 4) * 4))]
    for index, group in enumerate(groups):
        myriad = MYRIADS[min(len(groups) - 1 - index, len(MYRIADS) - 1)]
        if group == 1 and myriad == "만" and index == 0:
            parts.append(("alt", ["", Piece("일", tag, is_guarded)]))
        elif group:
            for digit, power in zip(f"{group:04}", ("천", "백", "십", ""), strict=True):
                if digit == "1" and power:
                    if power == "천" or is_money:
                        parts.append(("alt", ["", Piece("일", tag, is_guarded)]))
                    parts.append(Piece(power, tag, is_guarded))
                elif digit != "0":
                    parts.append(Piece(DIGITS[int(digit)] + power, tag, is_guarded))
        if group and myriad:
            parts.append(Piece(myriad, tag, is_guarded))
        if group and any(groups[index + 1 :]):
            parts.append(BLANK)
    return _sequence(*parts) if value else Piece("영", tag, is_guarded)


def sino_text(value: int) -> str:
    """Returns the canonical Sino-Korean reading: `sino_text(21)` is "이십일"."""
    return canonical_text(_sino(value)).replace(BLANK, "")


def canonical_text(tree: Tree) -> str:
    """Returns the first path of a tree."""
    if isinstance(tree, str):
        return str(tree)
    kind, parts = tree
    return canonical_text(parts[0]) if kind == "alt" else "".join(map(canonical_text, parts))


def _digit_by_digit(digits: str, is_guarded: bool = False) -> Tree:
    zero = ("alt", [Piece("공", "number", is_guarded), Piece("영", "number", is_guarded)])
    return _sequence(*(zero if d == "0" else Piece(DIGITS[int(d)], "number", is_guarded) for d in digits))


@functools.lru_cache(4096)
def _native(value: int, counter: str) -> list[Tree]:
    """Returns the native readings before a counter: 세, and 서 before 말; 백다섯."""
    hundreds, rest = value // 100 * 100, value % 100
    if not rest:
        return []
    tens, ones = divmod(rest, 10)
    forms = ["스무" if rest == 20 else NATIVE_TENS[tens] + NATIVE_ONES[ones]]
    if value == 1 and counter == "번째":
        forms = ["첫", "한"]
    if value in OLD_MEASURES:
        forms += OLD_MEASURES[value].get(counter, [])
    trees: list[Tree] = [Piece(form, "number") for form in forms]
    return [_sequence(_sino(hundreds), BLANK, tree) for tree in trees] if hundreds else trees


def _value_of(written: str) -> int | None:
    """Returns the value of an integer that may be mixed with 만 and others: 35000 for "3만 5천"; None for others."""
    total = section = 0
    for number, powers in re.findall(rf"({_NUMBER})([십백천만억조]*)", written):
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
    return total if total < 10**20 else None


def _plain_number(written: str, is_guarded: bool = False, is_money: bool = False) -> list[Tree]:
    """Returns the Sino-Korean readings of a number, with a decimal point or without."""
    value = _value_of(written)
    if value is not None:
        return [_sino(value, "number", is_guarded, is_money)]
    match = re.match(rf"({_INTEGER})(?:\.(\d+))?([십백천만억조]*)", written)
    if match is None or match[2] is None:
        return [_digit_by_digit(re.sub(r"\D", "", written))]
    whole, digits, powers = match.groups()
    before = _sino(int(whole.replace(",", ""))) if len(whole) < 20 else _digit_by_digit(whole)
    if whole == "0":
        before = ("alt", [before, Piece("공", "number")])
    ways = ["".join(DIGITS[int(digit)] for digit in digits)]
    after: Tree = Piece(ways[0], "number")
    if "0" in digits:
        after = ("alt", [after, _digit_by_digit(digits)])
    if len(digits) > 1 and digits[0] != "0" and len(digits) < 4:
        after = ("alt", [after, _sino(int(digits))])
    trees: list[Tree] = [_sequence(before, BLANK, Piece("점", "number"), BLANK, after, Piece(powers, "number"))]
    if powers:
        shifted = re.sub(r"\D", "", whole) + digits
        power = 10 ** sum({"십": 1, "백": 2, "천": 3}.get(p) or 4 * MYRIADS.index(p) for p in powers)
        value, rest = divmod(int(shifted) * power, 10 ** len(digits))
        trees += [_sino(value)] if not rest and value < 10**20 else []
    return trees


def _counter_after(match: re.Match[str]) -> tuple[str, bool]:
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


def _counted(written: str, counter: str, is_apart: bool) -> list[Tree]:
    """Returns the readings of a number before a counter."""
    value = _value_of(written)
    if value is None:
        return _plain_number(written, is_money=counter.startswith("원"))
    digits = written if written.isdigit() else ""
    if counter == "월" and value in MONTHS:
        return [Piece(MONTHS[value], "number")]
    takes_native = counter in _NATIVE and (counter != "시" or value <= 12)
    natives = _native(value, counter) if takes_native else []
    trees = list(natives)
    if counter in _SINO or not natives or value >= 10 and counter != "시":
        # 이 일 and 이 분 are words more often than 2 일 and 2 분 are written apart
        is_word = is_apart and value in (1, 2) and len(counter) == 1
        sino = [_sino(value, "number", is_word, counter.startswith("원"))]
        trees = [*sino, *natives] if counter in _SINO and counter not in _NATIVE else [*natives, *sino]
    if len(digits) > 1 and counter in DIGIT_COUNTERS:
        trees.append(_digit_by_digit(digits))
    return trees


def _standing(match: re.Match[str], written: str, start: int, end: int) -> list[Tree]:
    """Returns the readings of a number without a counter; guarded are those that may be words."""
    before, after = match.string[max(0, start - 4) : start], match.string[end : end + 12]
    digits, value = (written if written.isdigit() else ""), _value_of(written)
    is_clear = bool(match["power"] or _CLEAR_AFTER.match(after) or _CLEAR_BEFORE.search(before))
    is_clear = is_clear or value == 0 and after[:1].strip() != ""
    trees: list[Tree] = []
    if digits and digits[0] == "0" and len(digits) > 1:
        trees = [_digit_by_digit(digits, _is_word(digits, after))]
    elif value is None:
        trees = _plain_number(written)
    else:
        reading = sino_text(value)
        is_word = len(reading) == 1 or any(_starts_a_word(one + reading, after) for one in ("", "일"))
        trees = [_sino(value, "number", is_word and not is_clear)]
        if len(digits) >= 2:
            trees.append(_digit_by_digit(digits, _is_word(digits, after)))
    return trees


def _english(match: re.Match[str]) -> list[Tree]:
    """Returns the English readings of a number beside Latin letters, and in offers such as 1+1."""
    before, after = match.string[max(0, match.start() - 4) : match.start()], match.string[match.end() :][:4]
    if _ENGLISH.search(before) or re.match(r"-?[A-Za-z]| ?\+ ?\d", after):
        return [Piece(reading, "number") for reading in ENGLISH_NUMERALS.get(match["value"], [])]
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


# -- notations --------------------------------------------------------------------------------------------------------


def _read_phone(match: re.Match[str]) -> tuple[str, Tree]:
    parts: list[Tree] = []
    for part in re.findall(r"\d+|\D+", match[0]):
        if part.isdigit():
            parts.append(_digit_by_digit(part))
        elif part == "+":
            parts.append(Piece("플러스", "joint"))
        else:
            parts.append(("alt", [BLANK, _sequence(Piece("에", "joint"), BLANK)]))
    return "number", _sequence(*parts)


def _read_date(match: re.Match[str]) -> tuple[str, Tree]:
    month, day = int(match["month"]), int(match["day"])
    parts = [_sino(int(match["year"])), BLANK, Piece("년", "date"), BLANK]
    return "date", _sequence(*parts, *_month_and_day(month, day))


def _month_and_day(month: int, day: int) -> list[Tree]:
    name = Piece(MONTHS[month], "number") if month in MONTHS else _sino(month)
    return [name, Piece("월", "date"), BLANK, _sino(day), BLANK, Piece("일", "date")]


def _read_time(match: re.Match[str]) -> tuple[str, Tree]:
    hour, minute = int(match["hour"]), int(match["minute"])
    parts: list[Tree] = [_any_of(_counted(str(hour), "시", False)), BLANK, Piece("시", "date")]
    if minute:
        parts += [BLANK, _sino(minute), BLANK, Piece("분", "date")]
    if match["second"]:
        parts += [BLANK, _sino(int(match["second"])), BLANK, Piece("초", "date")]
    numbers = [_sino(int(part)) for part in match[0].split(":")]
    ratio = _sequence(numbers[0], *(t for n in numbers[1:] for t in (BLANK, Piece("대", "joint"), BLANK, n)))
    return "date", ("alt", [_sequence(*parts), ratio])


def _read_fraction(match: re.Match[str]) -> tuple[str, Tree]:
    over, under = int(match["over"]), int(match["under"])
    parts: list[Tree] = [_sino(under), BLANK, Piece("분의", "number"), BLANK, _sino(over)]
    if match["whole"]:
        joint = ("alt", [Piece("과", "number"), Piece("와", "number")])
        parts = [_sino(int(match["whole"])), joint, BLANK, *parts]
    trees: list[Tree] = [_sequence(*parts)]
    if not match["whole"] and 1 <= over <= 12 and under <= 31 and not match["fraction_unit"]:
        trees.append(_sequence(*_month_and_day(over, under)))
    tree = _any_of(trees)
    if match[0].startswith("-"):
        tree = _sequence(Piece("마이너스", "sign"), BLANK, tree)
    return ("unit", _with_unit([tree], match["fraction_unit"], "")) if match["fraction_unit"] else ("number", tree)


def _read_days(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads 8·15 and 3.11, which may be days, versions or decimals."""
    first, second = match["first"], match["second_part"]
    is_point = "." in match[0]
    digits = _digit_by_digit(first + second)
    together = _sequence(_sino(int(first)), BLANK, _sino(int(second)))
    counter, _ = _counter_after(match)
    if is_point and (counter not in ("", "절") or f"{first}.{second}" not in NAMED_DAYS):
        return "number", _any_of(_plain_number(match[0]))
    return "date", ("alt", [digits, together, *(_plain_number(match[0]) if is_point else [])])


def _read_range(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads 3~4명, 15~20% and scores as 2-0."""
    unit = match["range_unit"]
    counter, is_apart = ("원", False) if unit else _counter_after(match)
    low, high = (
        _counted(match[part], counter, is_apart) if counter else _joined_number(match, part) for part in ("low", "high")
    )
    sign = "~" if "~" in match[0] else "-"
    trees: list[Tree] = [_sequence(_any_of(low), _joint(sign), _any_of(high))]
    if counter and not unit:
        after = _sequence(BLANK, Piece(counter, "number"), _joint(sign))
        trees.append(_sequence(_any_of(low), after, _any_of(high)))
    shared = re.fullmatch(r"(\d)([십백천만억]+)", match["high"])  # 2~3만 is 이삼만
    if shared and match["low"].isdigit():
        reading = APPROXIMATE_SINO.get((int(match["low"]), int(shared[1])))
        trees += [Piece(reading + shared[2], "approximate")] if reading else []
    values = _value_of(match["low"]), _value_of(match["high"])
    if None not in values:
        trees = [*_approximate(*values, counter), *trees] if sign == "~" else [*trees, *_approximate(*values, counter)]
    if unit:
        return "unit", _with_unit(trees, unit, "")
    return "number", _sequence(_any_of(trees), BLANK) if counter and not is_apart else _any_of(trees)


def _read_code(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads the 2 of B2B."""
    digits = match["digits"]
    english = [Piece(reading, "number") for reading in ENGLISH_NUMERALS.get(digits, [])]
    return "number", _any_of([*_plain_number(digits), *english, _digit_by_digit(digits)])


def _read_listed(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 2, 3년 as 이삼 년 too."""
    counter, is_apart = _counter_after(match)
    numbers = [
        _any_of(_counted(match[part], counter, is_apart)) if counter else match[part] for part in ("one", "next")
    ]
    trees = [_sequence(numbers[0], ",", BLANK, numbers[1])]
    trees += _approximate(int(match["one"]), int(match["next"]), counter) if counter else []
    return "number", _sequence(_any_of(trees), *([BLANK] if counter and not is_apart else []))


def _joined_number(match: re.Match[str], part: str) -> list[Tree]:
    trees = _plain_number(match[part])
    if match[part].isdigit() and len(match[part]) > 1:
        trees.append(_digit_by_digit(match[part]))
    return trees


def _approximate(low: int, high: int, counter: str) -> list[Tree]:
    """Returns readings as one numeral: 서너 and 삼사 for 3 and 4, 삼사십 for 30 and 40."""
    power = 1
    while low and low % 10 == high % 10 == 0 and power < 10**8:
        low, high, power = low // 10, high // 10, power * 10
    readings = APPROXIMATE.get((low, high), [])
    if power > 1:
        readings = [APPROXIMATE_SINO[low, high] + sino_text(power)] if (low, high) in APPROXIMATE_SINO else []
    elif counter not in _NATIVE:
        readings = readings[-1:] if counter != "월" else [*readings[-1:], *(r for r in readings if r == "오뉴")]
    if (low, high) == (5, 6) and power == 1 and counter not in _NATIVE:
        readings = ["오뉴"] if counter == "월" else ["오륙"]
    elif counter in _NATIVE and counter not in _SINO and power == 1:
        readings = [reading for reading in readings if reading != APPROXIMATE_SINO.get((low, high))]
    return [Piece(reading, "approximate") for reading in readings]


def _joint(sign: str) -> Tree:
    """Returns how a sign between two others is read."""
    trees: list[Tree] = [
        sign if reading == "-" else _sequence(BLANK, Piece(reading, "joint"), BLANK) for reading in JOINTS[sign]
    ]
    return _any_of(trees)


def _read_money(match: re.Match[str]) -> tuple[str, Tree]:
    return "unit", _with_unit(_plain_number(match["amount"], is_money=True), match["currency"], "")


def _read_number(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads a number with its sign, unit and power, or as what follows wants it."""
    written, unit, sign = match["value"], match["unit"], match["sign"]
    if unit:
        is_word = bool(match["unit_blank"]) and unit in ("°", "k", "s", "h", "t") and len(written) == 1
        return "unit", _with_unit(_plain_number(written, is_word, unit in CURRENCIES), unit, sign)
    counter, is_apart = _counter_after(match)
    if counter:
        trees = _counted(written, counter, is_apart)
        if counter == "대" and re.match(r" ?대 ?\d", match.string[match.end() :]):
            trees = [*_plain_number(written), *trees]
    else:
        trees = _standing(match, written, match.start("value"), match.end("value"))
    if counter and match.string[: match.start()].rstrip().endswith("분의"):
        trees = [*_plain_number(written), *trees]
    trees = [*trees, *_english(match)]
    tree = _any_of(trees)
    if counter and not is_apart:
        tree = _sequence(tree, BLANK)
    if match["power"]:
        readings = [_sequence(Piece(reading, "power")) for reading in POWERS[match["power"]]]
        tree = _sequence(tree, _any_of(readings))
    if sign:
        tree = _signed(tree, sign, counter)
    return ("date" if counter in ("년", "월", "일", "시", "분", "초") else "number"), tree


def _signed(tree: Tree, sign: str, unit: str) -> Tree:
    readings = {"-": ["마이너스"], "+": ["플러스"]}[sign]
    if unit in TEMPERATURES:
        readings = {"-": ["영하", "마이너스"], "+": ["영상", "플러스"]}[sign]
    return _sequence(_any_of([Piece(reading, "sign") for reading in readings]), BLANK, tree)


@functools.cache
def _unit_readings(unit: str) -> list[Piece]:
    """Returns the readings of a unit; a reading that another unit shares has the unit's own tag."""
    table = CURRENCIES if unit in CURRENCIES else UNITS
    return [Piece(reading, _owner(unit) if _is_shared(reading) else "unit") for reading in table[unit]]


def _owner(unit: str) -> str:
    kind, table = ("money", CURRENCIES) if unit in CURRENCIES else ("".join(UNIT_PREFIXES.get(unit, [])), UNITS)
    return f"{kind} {table[unit][0]}"


@functools.cache
def _is_shared(reading: str) -> bool:
    """Returns whether a reading belongs to units that are not the same."""
    owners = {_owner(unit) for table in (UNITS, CURRENCIES) for unit, readings in table.items() if reading in readings}
    return len(owners) > 1


def _with_unit(numbers: list[Tree], unit: str, sign: str) -> Tree:
    """Returns the readings of a number with its unit: 삼십억 달러 for $30억, 시속 백 킬로미터 for 100km/h."""
    number = _any_of(numbers)
    if sign:
        number = _signed(number, sign, unit)
    readings = _any_of(list(_unit_readings(unit)))
    trees: list[Tree] = [_sequence(number, BLANK, readings)]
    for prefix in UNIT_PREFIXES.get(unit, []):
        base = _any_of(list(_unit_readings(unit.partition("/")[0])))
        trees.append(_sequence(Piece(prefix, "unit"), BLANK, number, BLANK, base))
    return _any_of(trees)


def _read_figure(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads Ⅲ and ③ as the number."""
    value = {**ROMAN, **CIRCLED}[match[0]]
    counter, is_apart = _counter_after(match)
    trees = _counted(str(value), counter, is_apart) if counter else [_sino(value)]
    if match[0] in ROMAN:
        trees += [Piece(reading, "number") for reading in ENGLISH_NUMERALS.get(str(value), [])]
    return "number", _sequence(_any_of(trees), BLANK) if counter and not is_apart else _any_of(trees)


def _read_letters(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads letters by their names; other than a short name in capitals, a word may stay as it is."""
    word, before, after = match[0], match.string[: match.start()][-3:], match.string[match.end() :][:6]
    is_name = word.isupper() or not word.isascii()
    if len(word) > (_LONGEST_NAME if is_name else _LONGEST_WORD):
        return None
    names = [LETTERS.get(letter.upper() if letter.isascii() else letter) for letter in word]
    if None in names:
        return None
    is_guarded = False
    is_clear = re.match(rf"[-+=&/]|\d|{_one_of(LETTER_NOUNS)}", after) or re.search(r"[\d=&+/-]$", before)
    if len(word) <= 3 and not (len(word) == 1 and is_clear):
        is_guarded = any("".join(reading) in WORDS for reading in itertools.product(*names))
    spelled = _sequence(
        *(
            _any_of([Piece(name, f"letter {letter.upper()}", is_guarded) for name in own])
            for letter, own in zip(word, names, strict=True)
        )
    )
    return "letter", spelled if is_name else ("alt", [word, spelled])


def _read_joint(match: re.Match[str]) -> tuple[str, Tree]:
    sign = match[0].strip()
    return "symbol", _joint(sign)


def _read_symbol(match: re.Match[str]) -> tuple[str, Tree]:
    return "symbol", _any_of([Piece(reading, "symbol") for reading in SYMBOLS[match[0]]])


_READERS = {
    "phone": _read_phone,
    "date": _read_date,
    "time": _read_time,
    "fraction": _read_fraction,
    "days": _read_days,
    "code": _read_code,
    "listed": _read_listed,
    "range": _read_range,
    "money": _read_money,
    "number": _read_number,
    "figure": _read_figure,
    "letters": _read_letters,
    "joint": _read_joint,
    "symbol": _read_symbol,
}


def all_readings(tree: Tree) -> Iterator[str]:
    """Yields every reading of a tree, without its optional blanks."""
    if isinstance(tree, str):
        yield tree.replace(BLANK, "")
    elif tree[0] == "alt":
        for part in tree[1]:
            yield from all_readings(part)
    else:
        for readings in itertools.product(*(list(all_readings(part)) for part in tree[1])):
            yield "".join(readings)
