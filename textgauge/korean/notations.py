"""Finds the notations of a Korean text (3개, 20%, LG, 2024-03-01) and says how each one is read.

The tables are in `spoken.py` and `spoken_units.py`, the patterns in `patterns.py`, numbers in `numerals.py`.
"""

import re
from collections.abc import Iterable

from textgauge.edits.networks import Tree

from .borders import with_borders
from .contexts import Counter, counted_before, counter_after, reads_as_word, with_until
from .dates import month_and_day, read_date, read_days, read_short_date, read_time, read_version
from .letters import read_letters
from .numerals import approximate, counted, digit_by_digit, plain_number, sino, value_of
from .patterns import notation_pattern
from .reading_trees import BLANK, GAP, Notation, any_of, retagged, sequence, tagged
from .spoken import (
    APPROXIMATE_SINO,
    DIRECTIONS,
    JOINTS,
    POWERS,
    SYMBOLS,
)
from .spoken_counters import MEASURES
from .spoken_units import CURRENCIES, UNIT_COUNTERS
from .standing_numbers import english, english_numerals, is_of_fraction, may_be_word, standing
from .units import signed, with_unit
from .written_forms import CIRCLED, ROMAN, in_usual_form

_FIGURE = re.compile(r"\d")
_HANGUL = re.compile("[가-힣]")
_UNREAD_BETWEEN = re.compile(r"(?:[^\w\s]|_)+")
_UNREAD = re.compile(rf"\d(?:[^\w\s]|_)+\d|[{''.join(DIRECTIONS)}]")
_RATIO = re.compile(r" ?대 ?\d")
_QUARTER = re.compile(" ?분기")
_UNITS_LIKE_WORDS = ("°", "k", "s", "h", "t")  # behind one digit and a blank
_COUNTERS_OF_DATES = ("년", "월", "일", "시", "분", "초")


def find_notations(text: str) -> list[str | Notation]:
    """Returns a text cut into notations and what is between them, which has the usual widths of characters.

    `find_notations("커피 4잔")` is ["커피 ", Notation("4", "number", ...), "잔"].

    >>> [piece.written if isinstance(piece, Notation) else piece for piece in find_notations("오전 9시에 사과 3개")]
    ['오전 ', '9', '시에 사과 ', '3', '개']
    """
    text = in_usual_form(text)
    pieces: list[str | Notation] = []
    position = 0
    for match in notation_pattern().finditer(text):
        kind_and_tree = _READERS[match.lastgroup](match)
        if kind_and_tree is not None:
            pieces += [text[position : match.start()], Notation(match[0], *kind_and_tree)]
            position = match.end()
    pieces.append(text[position:])
    pieces = [piece for piece in pieces if piece]
    if _UNREAD.search(text):
        pieces = _with_unread_signs(pieces)
    if "~" in text:
        pieces = with_until(text, pieces)
    return with_borders(text, pieces)


def _with_unread_signs(pieces: list[str | Notation]) -> list[str | Notation]:
    """Returns pieces in which a number beside a sign that is not read equals no number without that sign.

    The 5 of 3★5 is not that of 35, and ▲3 is not ▼3. The words 오 and 삼 equal them all.
    """
    result = [*pieces]
    for index, piece in enumerate(pieces):
        before = pieces[index - 1] if index else None
        behind = pieces[index + 1] if index + 1 < len(pieces) else None
        sign = _unread_sign(piece)
        follows_number = isinstance(before, Notation) and before.written[-1:].isdecimal()
        precedes_number = isinstance(behind, Notation) and behind.written[:1].isdecimal()

        if _has_number(behind) and sign[-1:] in DIRECTIONS:
            result[index + 1] = _retagged(behind, DIRECTIONS[sign[-1]])
        elif _has_number(before) and sign[:1] in DIRECTIONS:
            result[index - 1] = _retagged(before, DIRECTIONS[sign[0]])
        elif follows_number and precedes_number and sign and _UNREAD_BETWEEN.fullmatch(sign):
            result[index + 1] = _retagged(behind, sign)
    return result


def _has_number(piece: str | Notation | None) -> bool:
    """Returns whether a piece is a notation with digits: $3, but not LG."""
    return isinstance(piece, Notation) and _FIGURE.search(piece.written) is not None


def _unread_sign(piece: str | Notation) -> str:
    """Returns the text between two notations, or a sign that may be left unread."""
    if isinstance(piece, str):
        return piece.strip()
    sign = piece.written.strip()
    return sign if piece.kind == "symbol" and sign in ("-", "·") else ""


def _retagged(notation: Notation, mark: str) -> Notation:
    return notation._replace(tree=retagged(notation.tree, mark))


def _read_phone(match: re.Match[str]) -> tuple[str, Tree]:
    parts: list[Tree] = []
    for part in re.findall(r"\d+|\D+", match[0]):
        if part.isdigit():
            parts.append(digit_by_digit(part))
        elif part == "+":
            parts.append(sequence(tagged("플러스", "joint"), GAP))
        elif part != "(":
            parts.append(any_of([GAP, sequence(tagged("에", "joint"), GAP)]))
    return "number", sequence(*parts)


def _read_fraction(match: re.Match[str]) -> tuple[str, Tree]:
    over = any_of(plain_number(match["over"]))
    under = any_of(plain_number(match["under"]))
    parts: list[Tree] = [under, GAP, tagged("분의", "number"), GAP, over]
    if match["whole"]:
        joint = any_of([tagged("과", "number"), tagged("와", "number")])
        parts = [any_of(plain_number(match["whole"])), joint, GAP, *parts]
    trees: list[Tree] = [sequence(*parts)]

    month = value_of(match["over"]) or 0
    day = value_of(match["under"]) or 0
    if not match["whole"] and 1 <= month <= 12 and 1 <= day <= 31 and not match["fraction_unit"]:
        trees.append(sequence(*month_and_day(month, day)))

    if not match["whole"] and not match["fraction_unit"]:
        trees += _two_numbers(match, over, under)
    tree = any_of(trees)
    if match[0].startswith("-"):
        tree = sequence(tagged("마이너스", "sign"), GAP, tree)
    if match["fraction_unit"]:
        return "unit", with_unit((tree,), match["fraction_unit"], "")
    if _HANGUL.match(match.string, match.end()):
        tree = sequence(tree, GAP)
    return "number", tree


def _two_numbers(match: re.Match[str], over: Tree, under: Tree) -> list[Tree]:
    """Returns the readings of two numbers that are no fraction: 120/80 as 백이십에 팔십, 1/4분기 as 일사분기."""
    after = retagged(under, "/")  # 120/80 is not 12080
    if _QUARTER.match(match.string, match.end()):
        return [sequence(over, GAP, after)]
    if len(match["under"]) == 1 or int(match["over"]) <= int(match["under"]):
        return []
    return [sequence(over, tagged("에", "joint"), GAP, after)]


def _read_range(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads 3~4명, 15~20% and scores as 2-0."""
    unit = match["range_unit"]
    counter = Counter("원", is_apart=False, ends=True) if unit else counter_after(match, match["high"])
    text = match.string
    start, end = match.span("high")
    if counter.name:
        is_word = not unit and not counter.is_apart and reads_as_word(text, start, end, counter)
        low = counted(match["low"], counter.name, False)
        high = counted_before(text, start, end, counter._replace(is_apart=False))
    else:
        is_word = may_be_word(text, start, end)
        low = _joined_number(match, "low")
        high = _joined_number(match, "high", is_word)

    sign = "~" if "~" in match[0] else "-"
    trees: list[Tree] = [sequence(any_of(low), _joint(sign), any_of(high))]
    if sign == "-":
        trees.append(_unread(match, low, high, is_word))
    if counter.name and not unit:
        after = sequence(GAP, tagged(counter.name, "number"), _joint(sign))
        trees.append(sequence(any_of(low), after, any_of(high)))
    shared = re.fullmatch(r"(\d)([십백천만억]+)", match["high"])  # 2~3만 is 이삼만
    if shared and match["low"].isdigit():
        reading = APPROXIMATE_SINO.get((int(match["low"]), int(shared[1])))
        if reading:
            trees.append(tagged(reading + shared[2], "approximate"))
    values = value_of(match["low"]), value_of(match["high"])
    if None not in values and (counter.ends or not is_word):  # 삼사람 is no 3~4람
        numerals = approximate(*values, counter.name)
        trees = [*numerals, *trees] if sign == "~" else [*trees, *numerals]

    if unit:
        return "unit", with_unit(tuple(trees), unit, "")
    if match["comma"]:  # of scores of sets: 6-3, 6-4
        return "number", sequence(any_of(trees), any_of([",", ""]))
    return "number", _before_counter(any_of(trees), counter)


def _read_code(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads the 2 of B2B."""
    digits = match["digits"]
    in_english = english_numerals(digits)
    return "number", any_of([*plain_number(digits), *in_english, digit_by_digit(digits)])


def _read_listed(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 2, 3년 as 이삼 년 too."""
    counter = counter_after(match, match["next"])
    first: Tree = match["one"]
    second: Tree = match["next"]
    if counter.name:
        first = any_of(counted_before(match.string, *match.span("one"), counter))
        second = any_of(counted_before(match.string, *match.span("next"), counter))
    trees = [sequence(first, ",", GAP, retagged(second, ","))]  # 5, 2년 is not 52년
    if counter.ends:
        trees += approximate(int(match["one"]), int(match["next"]), counter.name)
    return "number", _before_counter(any_of(trees), counter)


def _joined_number(match: re.Match[str], part: str, is_guarded: bool = False) -> list[Tree]:
    trees = list(plain_number(match[part], is_guarded))
    if match[part].isdigit() and len(match[part]) > 1:
        trees.append(digit_by_digit(match[part]))
    return trees


def _unread(match: re.Match[str], low: Iterable[Tree], high: Iterable[Tree], is_word: bool) -> Tree:
    """Returns a range whose sign is not read; 3-4 is not 34 and 2-100 not 2100, but an extension 02-345 is 02345.

    `is_word` is whether the second number may be a word, or the beginning of one.
    """
    first = match["low"]
    second = match["high"]
    if any(len(part) > 2 or not part.isdigit() for part in (first, second)):
        after = any_of(high)
        is_extension = first.isdigit() and first[0] == "0" and len(first) > 1
        return sequence(any_of(low), "-", after if is_extension else retagged(after, "-"))
    tag = f"score {first}-{second}"
    return sequence(digit_by_digit(first, tag=tag), any_of(["-", ""]), digit_by_digit(second, is_word, tag))


def _joint(sign: str) -> Tree:
    """Returns how a sign that is read is read between two others."""
    return any_of(sequence(GAP, tagged(reading, "joint"), GAP) for reading in JOINTS[sign] if reading != "-")


def _read_money(match: re.Match[str]) -> tuple[str, Tree]:
    return "unit", with_unit(plain_number(match["amount"], is_money=True), match["currency"], "")


def _read_number(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads a number with its sign, unit and power, or as what follows wants it."""
    written = match["value"]
    unit = match["unit"]
    sign = match["sign"]
    if unit:
        is_word = bool(match["unit_blank"]) and unit in _UNITS_LIKE_WORDS and len(written) == 1
        numbers = plain_number(written, is_word, unit in CURRENCIES)
        if unit in UNIT_COUNTERS:
            numbers = (*numbers, *counted(written, UNIT_COUNTERS[unit], False))
        before = match.string[max(0, match.start() - 3) : match.start()].strip()
        return "unit", with_unit(numbers, unit, sign, before)

    counter = counter_after(match)
    start, end = match.span("value")
    if counter.name:
        trees = list(counted_before(match.string, start, end, counter))
        if counter.name == "대" and _RATIO.match(match.string, match.end()):
            trees = [*plain_number(written), *trees]
        if counter.name in MEASURES and is_of_fraction(match.string, start):
            trees = [*plain_number(written, not counter.ends), *trees]
    else:
        trees = list(standing(match, written, start, end))
    trees += english(match)

    tree = _before_counter(any_of(trees), counter)
    if match["power"]:
        tree = sequence(tree, _power(match["power"]))
    if sign:
        tree = signed(tree, sign, counter.name)
    return ("date" if counter.name in _COUNTERS_OF_DATES else "number"), tree


def _read_figure(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads Ⅲ and ③ as the number."""
    value = {**ROMAN, **CIRCLED}[match[0]]
    counter = counter_after(match)
    trees = [sino(value)]
    if counter.name:
        trees = list(counted(str(value), counter.name, counter.is_apart, is_native_word=not counter.ends))
    if match[0] in ROMAN:
        trees += english_numerals(str(value))
    return "number", _before_counter(any_of(trees), counter)


def _before_counter(tree: Tree, counter: Counter) -> Tree:
    """Returns a number, and a blank that may be missing where a counter follows without one."""
    return sequence(tree, GAP) if counter.name and not counter.is_apart else tree


def _read_joint(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads a sign between two others, or not: but 1:3 is not 13."""
    sign = match[0].strip()
    readings = JOINTS[sign]
    read = [_joint(sign)] if readings != ["-"] else []
    text = match.string
    start, end = match.span()
    is_between = text[start - 1].isdecimal() and text[end].isdecimal()
    if "-" not in readings or is_between and read and sign in ":~/":
        return "symbol", any_of(read)
    if readings[0] == "-":
        is_hyphen = sign == "-" and text[end : end + 1].isdecimal()
        return "symbol", any_of([sign, *read, *(["", BLANK] if is_hyphen else [""])])
    return "symbol", any_of([*read, sign, ""])


def _read_symbol(match: re.Match[str]) -> tuple[str, Tree]:
    if match[0] in POWERS:
        return "symbol", _power(match[0])
    readings = SYMBOLS[match[0].strip(" .").lower()]
    return "symbol", any_of(sequence(GAP, tagged(reading, "symbol"), GAP) for reading in readings)


def _read_pluses(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads A+ and C++."""
    trees = []
    for name in ("플러스", "쁠"):
        plus = [GAP, tagged(name, "joint")]
        trees.append(sequence(*plus * len(match[0])))
    return "symbol", any_of(trees)


def _power(sign: str) -> Tree:
    trees = []
    for reading in POWERS[sign]:
        parts: list[Tree] = []
        for word in reading.split():
            if word != "의":
                parts.append(GAP)
            parts.append(tagged(word, "power"))
        trees.append(sequence(*parts))
    return any_of(trees)


_READERS = {
    "phone": _read_phone,
    "date": read_date,
    "short_date": read_short_date,
    "version": read_version,
    "time": read_time,
    "fraction": _read_fraction,
    "days": read_days,
    "code": _read_code,
    "listed": _read_listed,
    "range": _read_range,
    "money": _read_money,
    "number": _read_number,
    "figure": _read_figure,
    "numbered": _read_symbol,
    "pluses": _read_pluses,
    "letters": read_letters,
    "joint": _read_joint,
    "symbol": _read_symbol,
}
