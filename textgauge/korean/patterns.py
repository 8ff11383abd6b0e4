"""What the notations of a Korean text look like: one pattern, which finds each with its parts."""

import re
from collections.abc import Iterable

from .spoken import CIRCLED, ROMAN, SPELLINGS, VULGAR
from .spoken_units import CURRENCIES, UNITS

_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()}
_TRANSLATION = str.maketrans({**{chr(code): chr(plain) for code, plain in _WIDE.items()}, **SPELLINGS})
_VULGAR_FORM = re.compile(rf"(\d?)([{''.join(VULGAR)}])")
_UNUSUAL = re.compile(f"[{re.escape(''.join([*map(chr, _TRANSLATION), *VULGAR]))}]")
# what a text must hold to have a notation
NOTATION_SIGNS = "0-9A-Za-z０-９Ａ-Ｚａ-ｚα-ωΩ㎀-㏄#" + "".join([*ROMAN, *CIRCLED, *VULGAR])


def one_of(names: Iterable[str]) -> str:
    """Returns a pattern for any of some texts, the longest one first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


INTEGER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"
NUMBER = rf"{INTEGER}(?:\.\d+)?"
MIXED = rf"{NUMBER}(?:(?:[십백천만억]|조(?!각))+(?: ?{INTEGER}[십백천]?[만억조]?(?![\d.,:/~-]))*)?"
_UNIT = one_of([*UNITS, *(code for code in CURRENCIES if code.isalpha())])
_JOINED = r"0-9A-Za-zα-ωΩ%℃℉°²³년월일시분초ⅠⅡⅢⅣⅤ"
_PATTERNS = (
    r"(?P<phone>(?<![\d.,])(?:\+\d{1,3}(?:[- ]\d{1,4}){2,4}|\(?0\d{1,3}[-). ] ?\d{3,4}[- .]\d{4}"
    r"|\d{3}[-.]\d{3,4}[-.]\d{4}|1\d{3}-\d{4})(?![\d-]))",
    r"(?P<date>(?<![\d.])(?P<year>\d{4})(?P<by>[-./] ?)(?P<month>0?[1-9]|1[0-2])(?P=by)"
    r"(?P<day>[12]\d|3[01]|0?[1-9])(?![\d-])\.?)",
    r"(?P<short_date>(?<![\d.])(?:(?:19|20)\d\d\.(?:0?[1-9]|1[0-2])"
    rf"|\d\d\.(?:0?[1-9]|1[0-2])\.(?:[12]\d|3[01]|0?[1-9]))(?![\d.%만억조배점원]| ?(?:{_UNIT})))",
    r"(?P<time>(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:]))",
    r"(?P<fraction>(?<![\d/.])-?(?:(?P<whole>\d+)(?:과|와| ) ?)?(?P<over>\d+)/(?P<under>[1-9]\d*)(?![\d/])"
    rf"(?: ?(?P<fraction_unit>{_UNIT})(?![A-Za-z]))?)",
    rf"(?P<days>(?<![\d.·])(?P<first>\d{{1,2}})[.·](?P<second_part>\d{{1,2}})(?![\d.·%만억조]| ?(?:{_UNIT})))",
    r"(?P<listed>(?<![\d.,])(?P<one>[1-8]), ?(?P<next>[2-9])(?= ?[가-힣]))",
    rf"(?P<range>(?<![\d~-])(?P<low>{MIXED}) ?[~-] ?(?P<high>{MIXED})(?![\d~:=-])"
    rf"(?: ?(?P<range_unit>{_UNIT})(?![A-Za-z]))?)",
    rf"(?P<money>(?P<currency>{one_of(name for name in CURRENCIES if name != 'KRW')}) ?(?P<amount>{MIXED}))",
    r"(?P<code>(?<=[A-Za-z])(?P<digits>\d+)(?=[A-Za-z]))",
    rf"(?P<number>(?P<sign>(?<![\w)%])[-+]|)(?P<value>{MIXED})"
    rf"(?:(?P<unit_blank> ?)(?P<unit>{_UNIT})(?![A-Za-z0-9]))?(?P<power>[²³]?))",
    rf"(?P<figure>[{''.join(ROMAN)}{''.join(CIRCLED)}])",
    r"(?P<letters>[A-Za-zα-ωΩ]+)",
    rf"(?P<joint>(?<=[{_JOINED}])(?: ?[-~:+×*÷=/·&] ?(?=[0-9A-Za-zα-ωΩ])| ?~ ?(?=오[전후]))"
    r"|(?<=[A-Z])\+(?![0-9A-Za-z])|(?<=[A-F])-(?=[가-힣 ]|$)"
    r"|(?<=\w)[.@](?=[A-Za-z]))",
    r"(?P<symbol>[#*](?=[을를]? ?누)|√(?=\d)|(?<=[A-Za-z])[²³])",
)
# any of them begins so: without this each pattern would be tried at each character
_BEGINNING = "".join(map(re.escape, {name[0] for name in CURRENCIES} | {*"(+-~:×*÷=/·&.@#√²³", *ROMAN, *CIRCLED}))
NOTATION = re.compile(rf"(?=[0-9A-Za-zα-ωΩ{_BEGINNING}]| [-~:+×*÷=/·&])(?:{'|'.join(_PATTERNS)})")


def in_usual_form(text: str) -> str:
    """Returns a text with the usual widths of characters, and with fractions in figures: `３㎏` is `3kg`."""
    if not _UNUSUAL.search(text):
        return text
    return _VULGAR_FORM.sub(lambda m: (f"{m[1]}과 " if m[1] else "") + VULGAR[m[2]], text.translate(_TRANSLATION))
