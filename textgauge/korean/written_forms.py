"""The forms in which Unicode has numbers and units: ⅗, ㊿, ⅻ, ㎸, and the digits of other scripts.

Most follow from Unicode's own tables, so that none is missing.
"""

import re
import unicodedata

from .spoken_units import UNITS

_NUMBER_FORMS = "".join(map(chr, [*range(0xBC, 0xBF), *range(0x2150, 0x215F), 0x2189]))
VULGAR = {sign: unicodedata.normalize("NFKC", sign).replace("⁄", "/") for sign in _NUMBER_FORMS if sign != "⅟"}
ROMAN = {chr(first + value): value + 1 for first in (0x2160, 0x2170) for value in range(12)}
_CIRCLED = ((0x2460, 0x249C), (0x24EA, 0x2500), (0x2776, 0x2794), (0x3251, 0x3260), (0x32B1, 0x32C0))
_CIRCLED_VALUES = {chr(code): unicodedata.numeric(chr(code), None) for codes in _CIRCLED for code in range(*codes)}
CIRCLED = {sign: int(value) for sign, value in _CIRCLED_VALUES.items() if value is not None}
_SQUARED = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in range(0x3371, 0x33E0)}
_SQUARED = {sign: text.replace("∕", "/").replace("µ", "μ") for sign, text in _SQUARED.items()}


def _digits() -> dict[str, str]:
    """Returns the digits of other scripts; ten of a script follow one another, so that one of ten characters is one."""
    digits = {chr(0x2080 + digit): str(digit) for digit in range(10)}  # H₂O
    for code in range(0x80, 0x20000, 10):
        value = unicodedata.decimal(chr(code), None)
        if value is not None:
            digits |= {chr(code - value + digit): str(digit) for digit in range(10)}
    return digits


_WIDE = {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code - 0xFEE0).isalnum()}
# other ways to write signs
_SIGNS = {"µ": "μ", "∼": "~", "〜": "~", "～": "~", "∙": "·", "‧": "·", "・": "·", "⋅": "·", "•": "·", "％": "%",
          "′": "'", "″": '"', "⁄": "/", "∕": "/", "／": "/", "：": ":", "∶": ":", "．": ".", "٫": ".", "，": ",",
          "￦": "₩", "￥": "¥", "￡": "£", "￠": "¢", "＄": "$", "№": "No.", "㈜": "(주)",
          "Ω": "Ω", "＋": "+", "＃": "#", "＆": "&", **dict.fromkeys("–−‐‑‒－﹣", "-")}  # fmt: skip
SPELLINGS = {**{sign: text for sign, text in _SQUARED.items() if text in UNITS}, **_digits(), **_WIDE, **_SIGNS}
_TRANSLATION = str.maketrans(SPELLINGS)
_KEYCAP = re.compile("(?<=[0-9])\ufe0f?\u20e3")
_VULGAR_FORM = re.compile(rf"(\d?)([{''.join(VULGAR)}])")
UNUSUAL_SIGNS = "".join([*SPELLINGS, *VULGAR])
_UNUSUAL = frozenset(UNUSUAL_SIGNS + "\u20e3")


def in_usual_form(text: str) -> str:
    """Returns a text with the usual widths of characters, and with fractions in figures.

    >>> in_usual_form("３㎏, ⅗")
    '3kg, 3/5'
    """
    if _UNUSUAL.isdisjoint(text):
        return text
    text = _KEYCAP.sub("", text.translate(_TRANSLATION))
    return _VULGAR_FORM.sub(lambda m: (f"{m[1]}과 " if m[1] else "") + VULGAR[m[2]], text)
