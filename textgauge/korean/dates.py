"""How dates and times are read: 2024-03-01, 24.3.1, 9:30, 8·15."""

import re

from textgauge.edits.networks import Tree

from .contexts import counter_after
from .numerals import counted, digit_by_digit, plain_number, sino
from .reading_trees import GAP, any_of, sequence, tagged
from .spoken import MONTHS, NAMED_DAYS


def read_date(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 2024-03-01."""
    year = sino(int(match["year"]))
    days = month_and_day(int(match["month"]), int(match["day"]))
    return "date", sequence(year, GAP, tagged("년", "date"), GAP, *days)


def read_short_date(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 2020.3, which may be a decimal too, and 24.3.1, which may be a version."""
    year, month, *day = map(int, re.findall(r"\d+", match[0]))
    year_sign = [GAP, tagged("년", "date"), GAP]
    if day:
        days = month_and_day(month, *day)
        short = sequence(sino(year), *year_sign, *days)
        full = sequence(sino(2000 + year), *year_sign, *days)
        return "date", any_of([short, full, _version(match[0])])
    years = [sino(year), digit_by_digit(str(year))]
    date = sequence(any_of(years), *year_sign, _month(month), tagged("월", "date"))
    return "date", any_of([*plain_number(match[0]), date])


def read_version(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 3.10.2."""
    return "number", _version(match[0])


def _version(written: str) -> Tree:
    """Returns the readings of numbers with points between them, each as one or digit by digit."""
    first, *others = written.split(".")
    parts: list[Tree] = [_whole(first)]
    for number in others:
        parts += [GAP, tagged("점", "version"), GAP, _whole(number)]
    return sequence(*parts)


def _whole(digits: str) -> Tree:
    return any_of([sino(int(digits)), digit_by_digit(digits)])


def _month(month: int) -> Tree:
    return tagged(MONTHS[month], "number") if month in MONTHS else sino(month)


def month_and_day(month: int, day: int) -> list[Tree]:
    """Returns the parts of a month and a day."""
    return [_month(month), tagged("월", "date"), GAP, sino(day), GAP, tagged("일", "date")]


def read_time(match: re.Match[str]) -> tuple[str, Tree]:
    """Reads 9:30, which may be a ratio too."""
    hours = any_of(counted(str(int(match["hour"])), "시", False))
    time: list[Tree] = [hours, GAP, tagged("시", "date")]
    minute = int(match["minute"])
    if minute:
        time += [GAP, sino(minute), GAP, tagged("분", "date")]
    if match["second"]:
        time += [GAP, sino(int(match["second"])), GAP, tagged("초", "date")]

    first, *others = [sino(int(part)) for part in match[0].split(":")]
    ratio: list[Tree] = [first]
    for number in others:
        ratio += [GAP, tagged("대", "joint"), GAP, number]
    return "date", any_of([sequence(*time), sequence(*ratio)])


def read_days(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads 8·15 and 3.11, which may be days, versions or decimals."""
    first = match["first"]
    second = match["second_part"]
    is_point = "." in match[0]
    counter = counter_after(match)
    if is_point and (counter.name not in ("", "절") or f"{first}.{second}" not in NAMED_DAYS):
        number = any_of(plain_number(match[0]))
        if counter.name and not counter.is_apart:
            number = sequence(number, GAP)
        return "number", number

    tag = f"day {int(first)} {int(second)}"  # 3·15 and 315 are not the same
    month = sino(int(first), tag)
    trees = [
        digit_by_digit(first + second, tag=tag),
        sequence(month, digit_by_digit(second, tag=tag)),
        sequence(month, GAP, sino(int(second), tag)),
    ]
    if is_point:
        trees += plain_number(match[0])
    return "date", any_of(trees)
