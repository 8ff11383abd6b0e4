"""The words of many texts, found in their bytes all at once: at blanks, by mteval's rules, or between letters.

The idea: a byte that is not blank begins a word at the start of a text, after a blank, and where it or the byte before
it is a mark on its own. So the words follow from the kind of each byte and of its neighbours, by a few
operations on arrays.

The trick: a table of 256 entries gives the kind of most bytes. In UTF-8 the first byte of a character narrows down
which one it is; only where that leaves the kind open is the character looked up, each distinct one once.

The plain versions, text by text, are sacreBLEU's Tokenizer13a, `str.split`, and `slow_unicode` of tests/test_words.py.
"""

import functools
import re
import string
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.reserved import is_reserved
from textgauge.core.strings import Strings, is_alphanumeric, number_slices

from .code_points import CODE_POINTS, lookup

_INSIDE, _BLANK, _ALONE, _POINT, _DASH, _OPEN = range(6)  # kinds of bytes; _OPEN: the character has to be looked up
_BLANKS = frozenset(filter(str.isspace, map(chr, range(0x3001))))  # all there are
_ASCII = string.ascii_lowercase + string.digits
# first bytes of letters, marks and numbers alone: Latin, Cyrillic, ideographs, Hangul
_FIRST_OF_LETTERS = bytes([*range(0xC4, 0xCA), 0xD0, 0xD1, *range(0xE5, 0xEA), 0xEB, 0xEC])
_HANGUL = ((0xEA, 0xB0, 0xBF), (0xED, 0x80, 0x9D))  # syllables that begin with other bytes
MTEVAL_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_MTEVAL_REMOVED = ("<skipped>", "-\n")


class WordRule(NamedTuple):
    """What separates words."""

    kinds: bytes  # (256,) kind of the characters that begin with this byte, and of the bytes inside others
    is_blank: Callable[[str], bool]  # decides where the first byte leaves it open; "\n" is a blank
    pairs: tuple[tuple[int, int, int], ...] = ()  # (first byte, least, largest second one) that do not leave it open


def find_words(texts: Sequence[str], rule: WordRule) -> tuple[np.ndarray, np.ndarray, Strings]:
    """Returns the ids of the words of all texts, (n_words,); how many each text has, (n_texts,); the distinct words.

    >>> ids, lengths, words = find_words(["닭이 3.5마리, 닭", ""], MTEVAL)
    >>> ids.tolist(), lengths.tolist(), list(map(str, words))
    ([0, 1, 2, 3], [4, 0], ['닭이', '3.5마리', ',', '닭'])
    """
    raw, starts = _encoded(texts)
    data = np.frombuffer(raw, np.uint8)
    kinds = np.frombuffer(bytearray(raw.translate(rule.kinds)), np.uint8)
    for first, least, most in (pair for pair in rule.pairs if pair[0] in raw):
        kinds[:-1] *= (data[:-1] != first) | (data[1:] < least) | (data[1:] > most)  # else _INSIDE, which is 0
    special = np.flatnonzero(kinds >= _POINT)
    if len(special):
        _settle(data, kinds, special, rule)
    bounds = _word_bounds(kinds, _ALONE in rule.kinds)
    ids, vocabulary = number_slices(raw, bounds)
    return ids, np.diff(np.searchsorted(bounds[::2], starts)), vocabulary


def _word_bounds(kinds: np.ndarray, has_alone: bool) -> np.ndarray:
    """Returns where the first word begins and ends, where the second one does, and so on; the last byte is a blank."""
    changes = kinds[1:] != kinds[:-1]
    if not has_alone:
        return np.flatnonzero(changes) + 1
    changes |= kinds[1:] == _ALONE
    bounds = np.flatnonzero(changes) + 1
    are_both = (kinds[bounds - 1] != _BLANK) & (kinds[bounds] != _BLANK)  # one word ends and the next begins
    return np.repeat(bounds, are_both.astype(np.intp) + 1)


def _encoded(texts: Sequence[str]) -> tuple[bytes, np.ndarray]:
    """Returns the bytes of all texts with a blank before each and behind the last; where these are: (n_texts + 1,).

    Arrow would encode texts too, but then CPython keeps the bytes of each Korean text as long as the text lives.
    """
    encoded = list(map(str.encode, texts))
    blanks = np.append(0, np.cumsum(lengths_of(encoded) + 1))
    return b"\n".join([b"", *encoded, b""]), blanks


def _settle(data: np.ndarray, kinds: np.ndarray, special: np.ndarray, rule: WordRule) -> None:
    """Gives the bytes whose kind depends on more than themselves their kind: `_INSIDE`, `_BLANK` or `_ALONE`."""
    found = kinds[special]
    kinds[special] = _INSIDE
    opening = special[found == _OPEN]
    if len(opening):
        codes, sizes = _characters(data, opening)
        is_blank = lookup(codes, _blanks(rule), lambda character: 1 + rule.is_blank(character)) == 2
        blanks = opening[is_blank]
        sizes = sizes[is_blank]
        for offset in range(int(sizes.max(initial=0))):
            kinds[blanks[sizes > offset] + offset] = _BLANK

    dashes = special[found == _DASH]
    is_behind_digit = _is_digit(data, dashes - 1)
    kinds[dashes[is_behind_digit]] = _ALONE
    points = special[found == _POINT]
    kinds[points[_are_alone(data, points)]] = _ALONE


def _are_alone(data: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Returns which periods and commas are tokens of their own: those that are not between digits.

    mteval's rules 2 and 3 take two characters at a time. So in a row of marks without a blank between, every second one
    is taken with the character before it, and the last one stays with a digit behind it only if it is not.
    """
    follows = np.zeros(len(points), dtype=bool)
    follows[1:] = np.diff(points) == 1
    numbers = np.arange(len(points))
    leads = np.maximum.accumulate(np.where(follows, 0, numbers))  # the first mark of the row
    after_digit = _is_digit(data, points - 1)[leads]
    before_digit = _is_digit(data, points + 1)
    return ~(before_digit & ((numbers - leads) % 2 == 1 - after_digit))


def _is_digit(data: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Returns which bytes are ASCII digits."""
    return data[positions] - np.uint8(ord("0")) < 10


def _characters(data: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the code points of the characters that begin at these bytes, which are not ASCII, and their sizes."""
    first = data[starts].astype(np.intp)
    sizes = 2 + (first >= 0xE0) + (first >= 0xF0)
    codes = first & (0x7F >> sizes)
    for offset in (1, 2, 3):
        following = codes << 6 | data.take(starts + offset, mode="clip") & 0x3F
        codes = np.where(sizes > offset, following, codes)
    return codes, sizes


@functools.cache
def _blanks(rule: WordRule) -> np.ndarray:
    """Returns the table of the kinds of a rule's characters; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _is_letter(character: str) -> bool:
    """Returns whether this is a letter, mark or number, for Python's Unicode version or for Arrow's, which is newer.

    So is a reserved character, which stays with the word that it was put into.
    """
    category = unicodedata.category(character)
    if category != "Cn":
        return category[0] in "LMN"
    return is_reserved(character) or is_alphanumeric(character)


def _kinds(kind_of: Callable[[str], int], open_bytes: Iterable[int] = (), other: int = _INSIDE) -> bytes:
    """Returns the kind of each byte: that of its ASCII character, else `_OPEN` for some bytes, and one for the rest."""
    beyond = [_OPEN if byte in open_bytes else other for byte in range(128, 256)]
    return bytes([*map(kind_of, map(chr, range(128))), *beyond])


def _mteval_kind(character: str) -> int:
    if character in _BLANKS:
        return _BLANK
    named = {".": _POINT, ",": _POINT, "-": _DASH, "'": _INSIDE}
    return named.get(character, _ALONE if character in string.punctuation else _INSIDE)


def mteval_texts(texts: Sequence[str]) -> Sequence[str]:
    """Returns texts with what mteval-v13a removes and replaces before it looks for words."""
    together = "".join(texts)
    if "&" in together or any(removed in together for removed in _MTEVAL_REMOVED):
        for old, new in (*((removed, "") for removed in _MTEVAL_REMOVED), *MTEVAL_ENTITIES):
            texts = [text.replace(old, new) for text in texts]
    return texts


@functools.cache
def _lone() -> re.Pattern[str]:
    """A character of Hangul, kana or ideographs with the marks that belong to it, or a syllable of conjoining jamo."""
    return re.compile(
        "(?:[\u1100-\u115f\ua960-\ua97c][\u1160-\u11a7\ud7b0-\ud7c6]+[\u11a8-\u11ff\ud7cb-\ud7fb]*"
        "|[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
        "\u30fc-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
        "\uff66-\uffdc\U0001aff0-\U0001b16f\U00020000-\U0003ffff])"
        "[\u0300-\u036f\u3099\u309a\ufe00-\ufe0f\U000e0100-\U000e01ef]*"
    )


def set_apart(text: str) -> str:
    """Returns a text with blanks around each character of Hangul, kana and ideographs."""
    return _lone().sub(r" \g<0> ", text)


_FIRST_OF_BLANKS = {blank.encode()[0] for blank in _BLANKS}
_FIRST_OF_OTHERS = set(range(0xC2, 0xF5)).difference(_FIRST_OF_LETTERS)
# words are what blanks separate, as for `str.split`
WHITESPACE = WordRule(_kinds(lambda c: _BLANK if c in _BLANKS else _INSIDE, _FIRST_OF_BLANKS), str.isspace)
# mteval-v13a: punctuation stands alone; so do a period or comma that is not between digits, and a dash after a digit
MTEVAL = WordRule(_kinds(_mteval_kind, _FIRST_OF_BLANKS), str.isspace)
# words are made of letters, marks and numbers of any script
LETTERS = WordRule(
    _kinds(lambda c: _INSIDE if c.isalnum() else _BLANK, _FIRST_OF_OTHERS), lambda c: not _is_letter(c), _HANGUL
)
# rouge_score's, for texts in lower case
ASCII_LETTERS = WordRule(_kinds(lambda c: _INSIDE if c in _ASCII else _BLANK, other=_BLANK), str.isspace)
