"""How units, currencies and signs of Korean text are read, with the numbers that they belong to."""

import functools
import re

from textgauge.edits.networks import Tree

from .reading_trees import BLANK, GAP, JOINED, any_of, sequence, tagged
from .spoken_units import CASES, CURRENCIES, TEMPERATURES, UNIT_PREFIXES, UNITS

# where a reading of a unit may have a blank: behind 제곱 and 평방, around 퍼, and before the last part of 미터 매초
_PARTS = re.compile(
    "(?<=제곱)(?=.)|(?<=평방)|(?<=입방)|(?<=.)(?=퍼[가-힣])|(?<=.퍼)(?=.)|(?=매[시초])|(?<=와트)(?=시|아워)"
)


def signed(tree: Tree, sign: str, unit: str) -> Tree:
    """Returns the readings of a number with a sign before it: 영하 십 도 for -10도."""
    readings = {"-": ["마이너스"], "+": ["플러스"], "±": ["플러스 마이너스"]}[sign]
    if unit in TEMPERATURES:
        readings = {"-": ["영하"], "+": ["영상"]}.get(sign, []) + readings
    ways = []
    for reading in readings:
        parts: list[Tree] = []
        for word in reading.split():
            parts += [tagged(word, "sign"), GAP]
        ways.append(sequence(*parts))
    return sequence(any_of(ways), tree)


@functools.cache
def unit_readings(unit: str) -> Tree:
    """Returns the readings of a unit; a reading that another unit shares has the unit's own tag."""
    table = CURRENCIES if unit in CURRENCIES else UNITS
    return any_of(_spaced(reading, _owner(unit) if _is_shared(reading) else "unit") for reading in table[unit])


def _spaced(reading: str, tag: str) -> Tree:
    """Returns a reading of a unit, which may have blanks in it: 미터 퍼 세컨드, 제곱 미터."""
    parts = _PARTS.sub(BLANK, reading).split(BLANK)
    if len(parts) == 1:
        return tagged(reading, tag)
    trees: list[Tree] = [tagged(parts[0], tag)]
    for part in parts[1:]:
        trees += [JOINED, tagged(part, tag)]
    return sequence(*trees)


def _owner(unit: str) -> str:
    if unit in CURRENCIES:
        return f"money {CURRENCIES[unit][0]}"
    prefixes = "".join(UNIT_PREFIXES.get(unit, []))
    return f"{prefixes} {UNITS[unit][0]}"


@functools.cache
def _is_shared(reading: str) -> bool:
    """Returns whether a reading belongs to units that are not the same."""
    owners = set()
    for unit, readings in (*UNITS.items(), *CURRENCIES.items()):
        if reading in readings:
            owners.add(_owner(unit))
    return len(owners) > 1


@functools.lru_cache(4096)
def with_unit(numbers: tuple[Tree, ...], unit: str, sign: str, before: str = "") -> Tree:
    """Returns the readings of a number with its unit: 삼십억 달러 for $30억, 시속 백 킬로미터 for 100km/h.

    What is before it may have said a part of the unit: 시속 100km/h.
    """
    number = any_of(numbers)
    if sign:
        number = signed(number, sign, unit)
    trees = [sequence(number, GAP, unit_readings(unit))]
    for prefix in UNIT_PREFIXES.get(unit, []):
        base = unit_readings(CASES.get(unit, unit).partition("/")[0])
        parts = [number, GAP, base]
        trees.append(sequence(tagged(prefix, "unit"), GAP, *parts))
        if before.endswith(prefix):
            trees.append(sequence(*parts))
    return any_of(trees)
