"""Texts for a terminal: what would control it is shown, and Hangul, ideographs and emoji are two places wide."""

import unicodedata

_SYMBOLS = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"} | {0x7F: 0x2421}  # C0
# C1, and what turns the direction of the text behind it
_SYMBOLS |= dict.fromkeys(
    [*range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "�"
)


def visible(text: str) -> str:
    r"""Returns the text with a symbol for each character that a terminal obeys; it may come from a model.

    >>> visible("\x1b[2J")
    '␛[2J'
    """
    return text.translate(_SYMBOLS)


def text_width(text: str) -> int:
    """Returns the places that a text takes."""
    return sum(_width(character) for character in visible(text))


def padded(text: str, width: int) -> str:
    """Returns the text with blanks behind it up to a width."""
    return text + " " * (width - text_width(text))


def _width(character: str) -> int:
    # the second and third letter of a decomposed Hangul syllable (NFD) are drawn into the first
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")
