"""Excel's cells as people see them: dates, percentages and numbers by the format that the sheet gives them."""

import datetime
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from ..errors import InputError
from .further_packages import needed_by

_DIGITS = 11  # that Excel shows of a number without a format
_PRECISE = 15  # digits that Excel computes with: it shows 0.1 + 0.2 as 0.3 in any format
_EXACT = Context(prec=400, rounding=ROUND_HALF_UP)  # the digits of the largest float, and some behind the point
_FIXED = re.compile(r"(?:(?P<thousands>#,##0)|(?P<zeros>0+))(?:\.(?P<decimals>0+))?(?P<percent>%)?")
_DURATIONS = {
    "[h]:mm": "{hours}:{minutes:02}",
    "[hh]:mm": "{hours:02}:{minutes:02}",
    "[h]:mm:ss": "{hours}:{minutes:02}:{seconds:02}",
    "[hh]:mm:ss": "{hours:02}:{minutes:02}:{seconds:02}",
    "[m]:ss": "{all_minutes}:{seconds:02}",
    "[mm]:ss": "{all_minutes:02}:{seconds:02}",
}
_OF_REGION = ("mm-dd-yy", "m/d/yy h:mm")  # how openpyxl calls short dates, which each region has in its own order
_PLAIN = ("General", "@")
_DATE_PARTS = re.compile(r"AM/PM|y+|m+|d+|h+|s+|\"[^\"]*\"|\\.|[-/.,: 년월일시분초]", re.IGNORECASE)
_SECTIONS = re.compile(r"\[(?:\$[^\]]*|[A-Za-z]+)\]|;@.*\Z")  # a language, a colour, and what holds for texts

_NAMES = {("m", 3): "%b", ("m", 4): "%B", ("d", 3): "%a", ("d", 4): "%A"}  # of months and days, in English
_OTHER_LANGUAGE = re.compile(r"\[\$-(?!0*409\])")


class FormattedNumber(float):
    """A number in a format that is not read as people see it; columns of numbers take it, all others refuse it."""

    format = ""

    def __repr__(self) -> str:
        return f"{float(self)!r} in the format {self.format}, which is not supported: save the column as text"


def sheet_rows(path: str) -> Iterator[tuple[int, list[Any]]]:
    """Yields the rows of the only sheet of an Excel file as text, from 1.

    Raises:
        InputError: the file is not .xlsx, or it has several sheets.
    """
    with needed_by(f"{path}, unless it is saved as CSV (UTF-8),", extra="excel"):
        import openpyxl
    try:
        book = openpyxl.load_workbook(path, data_only=True)
    except OSError:
        raise
    except Exception as error:  # what unpacks and parses such a file raises exceptions of all kinds
        raise InputError(f"{path} is not an .xlsx file: {error}") from None
    sheets = list(filter(_has_cells, book.worksheets))
    if len(sheets) > 1:
        names = ", ".join(sheet.title for sheet in sheets)
        raise InputError(f"{path} has the sheets {names}; save the one to score as CSV (UTF-8)")
    for sheet in sheets:
        for number, row in enumerate(sheet.iter_rows(), start=1):
            yield number, [shown_cell(cell.value, cell.number_format) for cell in row]


def shown_cell(value: Any, number_format: str) -> Any:
    """Returns a cell as a sheet shows it: "20%" for 0.2 in a format of percent; a FormattedNumber for other formats.

    >>> shown_cell(0.2, "0%"), shown_cell(1234.5, "#,##0.00"), shown_cell(datetime.date(2024, 3, 1), "yyyy-mm-dd")
    ('20%', '1,234.50', '2024-03-01')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, (int, float)):
        return _number(value, number_format)
    if isinstance(value, datetime.timedelta):
        return _duration(value, number_format)
    if isinstance(value, (datetime.date, datetime.time)):
        return _date(value, number_format)
    return str(value)


def _number(value: float, number_format: str) -> Any:
    of_numbers = _SECTIONS.sub("", number_format).strip()
    if of_numbers in _PLAIN:
        is_whole = abs(value) < 10**_PRECISE and value == int(value)
        return str(int(value)) if is_whole or isinstance(value, int) else f"{value:.{_DIGITS}g}"
    match = _FIXED.fullmatch(of_numbers)
    if not match:
        return _unread(value, number_format)
    number = Decimal(value) if isinstance(value, int) else Decimal(f"{value:.{_PRECISE}g}")
    decimals = len(match["decimals"] or "")
    rounded = _rounded(_EXACT.scaleb(number, 2 if match["percent"] else 0), decimals)
    sign = "-" if rounded < 0 else ""
    comma = "," if match["thousands"] else ""
    whole, point, fraction = f"{rounded.copy_abs():{comma}f}".partition(".")
    return f"{sign}{whole.zfill(len(match['zeros'] or ''))}{point}{fraction}{match['percent'] or ''}"


def _rounded(number: Decimal, decimals: int) -> Decimal:
    """Returns a number with this number of decimals; a half is rounded up, as in Excel."""
    return number.quantize(Decimal(1).scaleb(-decimals), context=_EXACT)


def _unread(value: float, number_format: str) -> FormattedNumber:
    number = FormattedNumber(value)
    number.format = number_format
    return number


def _duration(value: datetime.timedelta, number_format: str) -> Any:
    """Returns a duration in its format; in one that is not read, or where it is negative, the days as a number."""
    form = _DURATIONS.get(number_format.split(";")[0].lower())
    if form is None or value < datetime.timedelta():
        return _unread(value / datetime.timedelta(days=1), number_format)
    seconds = int(_rounded(Decimal(str(value.total_seconds())), 0))
    minutes = seconds // 60
    return form.format(hours=minutes // 60, minutes=minutes % 60, all_minutes=minutes, seconds=seconds % 60)


def _date(value: datetime.date | datetime.time, number_format: str) -> str:
    """Returns a date or a time in its format; in one that is not read as ISO 8601, without a time of midnight."""
    of_dates = _SECTIONS.sub("", number_format)
    if of_dates in _OF_REGION:
        return _iso(value)
    if _OTHER_LANGUAGE.search(number_format) and re.search("m{3}|d{3}", of_dates, re.IGNORECASE):
        return _iso(value)
    parts = _DATE_PARTS.findall(of_dates)
    if "".join(parts) != of_dates:
        return _iso(value)
    try:
        return "".join(_date_part(value, parts, index) for index in range(len(parts)))
    except (ValueError, KeyError):
        return _iso(value)


def _has_cells(sheet: Any) -> bool:
    return any(cell.value is not None for row in sheet for cell in row)


def _iso(value: datetime.date | datetime.time) -> str:
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return value.isoformat(sep=" ") if isinstance(value, datetime.datetime) else value.isoformat()


def _date_part(value: datetime.date | datetime.time, parts: list[str], index: int) -> str:
    """Returns one part of a date; `m` is a minute behind an hour and before a second."""
    part = parts[index]
    letter = part[0].lower()
    width = len(part)
    if part.upper() == "AM/PM":
        return f"{value:%p}"
    if part[0] in '"\\':
        return part.strip('"').removeprefix("\\")
    if letter not in "ymdhs":
        return part
    letters = [neighbour[0].lower() for neighbour in parts]
    before = [earlier for earlier in letters[:index] if earlier in "ymdhs"][-1:]
    after = [later for later in letters[index + 1 :] if later in "ymdhs"][:1]
    is_minute = letter == "m" and ("h" in before or "s" in after)
    if letter == "y":
        return f"{value:%Y}" if width > 2 else f"{value:%y}"
    hours = "%I" if any(neighbour.upper() == "AM/PM" for neighbour in parts) else "%H"
    if width > 2 and letter in "md":
        return format(value, _NAMES[letter, width])
    code = {"m": "%M" if is_minute else "%m", "d": "%d", "h": hours, "s": "%S"}[letter]
    number = int(format(value, code))
    return f"{number:0{width}}"
