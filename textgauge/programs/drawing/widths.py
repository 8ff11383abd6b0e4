"""How wide texts are where every character takes one place, and Hangul, ideographs and emoji two."""

import unicodedata


def text_width(text: str) -> int:
    """Returns the places that a text takes."""
    return sum(_width(character) for character in text)


def padded(text: str, width: int) -> str:
    """Returns the text with blanks behind it up to a width."""
    return text + " " * (width - text_width(text))


def _width(character: str) -> int:
    # the second and third letter of a decomposed Hangul syllable (NFD) are drawn into the first
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 1 + (unicodedata.east_asian_width(character) in "WF")
