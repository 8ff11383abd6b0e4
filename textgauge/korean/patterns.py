"""What the notations of a Korean text look like: one pattern, which finds each with its parts."""

import functools
import re
import string
from collections.abc import Iterable

from .spoken_units import CURRENCIES, UNITS
from .written_forms import CIRCLED, ROMAN, UNUSUAL_SIGNS

_GREEK = "αβγδεζηθικλμνξοπρςστυφχψωΩ"
# of which a text must hold one to have a notation; a pattern with all of them takes ten times as long
NOTATION_SIGNS = frozenset([*string.digits, *string.ascii_letters, *_GREEK, *"#*~(", *ROMAN, *CIRCLED, *UNUSUAL_SIGNS])


def one_of(names: Iterable[str]) -> str:
    """Returns a pattern for any of some texts, the longest one first."""
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


INTEGER = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)"
NUMBER = rf"{INTEGER}(?:\.\d+)?"
# 조 is a power where an amount goes on or ends behind it; 조건, 조장 and 조각 are words,
# and that of a law is a counter: 제103조, 1조 2항
_TRILLION = (
    r"(?<!제\d)(?<!제\d\d)(?<!제\d{3})조(?! \d+[항호])(?![가-힣](?<![가와과나로을를은는에의도만억원달엔유위여]))"
)
# behind a blank an amount goes on only with a lower power: 3억 2천 and 1조 5000억, but not 7천 2웃; what has none is a
# number of its own, which is read alike: 12만 3456
_LOWER = (
    r"(?: (?:(?<=조 )\d+[천백십]?억|(?<=[억조천백] )\d+[천백십]?만"
    r"|(?<=[만억조] )\d[천백십]|(?<=천 )\d[백십]|(?<=백 )\d십)"
    rf"|{INTEGER}[십백천]?[만억조]?)(?![\d.,:/~-])"
)
MIXED = rf"{NUMBER}(?:(?:[십백천만억]|{_TRILLION})+(?:{_LOWER})*)?"
_UNIT = one_of([*UNITS, *CURRENCIES])  # a sign of a currency may also follow its number
_POWER = "[²³⁴]"
_JOINED = r"0-9A-Za-zα-ωΩ%℃℉°²³년월일시분초ⅠⅡⅢⅣⅤ"
_PATTERNS = (
    r"(?P<phone>(?<![\d.,])(?:\+\d{1,3}(?:[- ]\d{1,4}){2,4}|\(?0\d{1,3}[-). ] ?\d{3,4}[- .]\d{4}"
    r"|\d{3}[-.]\d{3,4}[-.]\d{4}|1\d{3}-\d{4})(?![\d-]))",
    r"(?P<date>(?<![\d.])(?P<year>\d{4})(?P<by>[-./] ?)(?P<month>0?[1-9]|1[0-2])(?P=by)"
    r"(?P<day>[12]\d|3[01]|0?[1-9])(?![\d-])\.?)",
    r"(?P<short_date>(?<![\d.])(?:(?:19|20)\d\d\.(?:0?[1-9]|1[0-2])"
    rf"|\d\d\.(?:0?[1-9]|1[0-2])\.(?:[12]\d|3[01]|0?[1-9]))(?![\d.%만억조배점원]| ?(?:{_UNIT})))",
    r"(?P<version>(?<![\d.])\d{1,3}(?:\.\d{1,4}){2,3}(?![\d.]\d))",
    r"(?P<time>(?<![\d:])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\d:]))",
    r"(?P<fraction>(?<![\d/.])-?(?:(?P<whole>\d+)(?:과|와| ) ?)?(?P<over>\d+)/(?P<under>[1-9]\d*)(?![\d/])"
    rf"(?: ?(?P<fraction_unit>{_UNIT})(?![A-Za-z]))?)",
    rf"(?P<days>(?<![\d.·])(?P<first>\d{{1,2}})[.·](?P<second_part>\d{{1,2}})(?![\d.·%십백천만억조]| ?(?:{_UNIT})))",
    r"(?P<listed>(?<![\d.,])(?P<one>[1-8]), ?(?P<next>[2-9])(?= ?[가-힣]))",
    rf"(?P<range>(?<![\d~-])(?P<low>{MIXED}) ?[~-] ?(?P<high>{MIXED})(?![\d~:=-])"
    rf"(?: ?(?P<range_unit>{_UNIT})(?![A-Za-z])|(?P<comma>,)(?= ?\d+-\d))?)",
    rf"(?P<money>(?P<currency>{one_of(name for name in CURRENCIES if name != 'KRW')}) ?(?P<amount>{MIXED}))",
    r"(?P<code>(?<=[A-Za-z])(?P<digits>\d+)(?=[A-Za-z]))",
    rf"(?P<number>(?P<sign>(?<![\w)%])[-+±]|)(?P<value>{MIXED})"
    rf"(?:(?P<unit_blank> ?)(?P<unit>{_UNIT})(?:(?![A-Za-z0-9])|(?<=[a-z][a-z])(?=[A-Z]{{2}})))?(?P<power>{_POWER}?))",
    rf"(?P<figure>[{''.join(ROMAN)}{''.join(CIRCLED)}])",
    r"(?P<numbered>(?<![A-Za-z])[Nn][Oo]\. ?(?=\d)|(?:(?<=\d)|(?<=\d ))vs\.? ?(?=\d))",
    r"(?P<pluses>(?<=[A-Za-z])\+{1,2}(?![0-9A-Za-z+]))",
    r"(?P<letters>[A-Za-zα-ωΩ]+)",
    rf"(?P<joint>(?<=[{_JOINED}])(?: ?[-~:+×*÷=/·&] ?(?=[0-9A-Za-zα-ωΩ])| ?~ ?(?=오[전후]))"
    r"|(?<=[가-힣])(?:~(?=[가-힣])|-(?=\d))|(?<=[A-F])-(?=[가-힣 ]|$)"
    r"|(?<=\w)[.@](?=[A-Za-z]))",
    r"(?P<symbol>[#*](?=[을를]? ?누)|(?<=[CF])#(?![0-9A-Za-z])|√(?=\d)"
    r"|\((?:주|유|재|사)\)(?= ?[가-힣A-Z])|(?<=[가-힣A-Za-z])\(주\)|(?<=[A-Za-z])[²³⁴])",
)
# any of them begins so: without this each pattern would be tried at each character
_FIRST_SIGNS = "".join(map(re.escape, {name[0] for name in CURRENCIES} | {*"(+-~:×*÷=/·&.@#√²³⁴±", *ROMAN, *CIRCLED}))


@functools.cache
def notation_pattern() -> re.Pattern[str]:
    """Returns the pattern of any notation; it takes long to compile, and most calls of a metric need none.

    >>> [match[0] for match in notation_pattern().finditer("3개와 20%")]
    ['3', '20%']
    """
    return re.compile(rf"(?=[0-9A-Za-zα-ωΩ{_FIRST_SIGNS}]| [-~:+×*÷=/·&])(?:{'|'.join(_PATTERNS)})")
