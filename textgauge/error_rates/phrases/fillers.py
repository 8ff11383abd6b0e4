"""Fillers of speech ("음", "어어", "uh"), by the user's list or the suite's: where they are, and texts without them."""

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from textgauge.core.errors import InputError
from textgauge.core.options import flag, own, value_text
from textgauge.core.tables import table_text

FILLERS = (
    *("아", "어", "음", "으", "으음", "흠"),
    *("uh", "uhm", "um", "umm", "eh", "er", "erm", "ah", "hm", "hmm", "mhm"),
)
_VALUES = {"yes", "no", "none", "nan", "inf", "infinity"}  # of other options, in signatures


def _check_fillers(name: str, value: Any) -> None:
    """Raises InputError unless this is None or a list of words."""
    if value is None:
        return
    if not isinstance(value, (list, tuple)):
        raise InputError(f"{name} is {value!r:.60}; pass a list of words")
    for row, filler in enumerate(value):
        words = filler.split() if isinstance(filler, str) else []
        if not words or not all(map(_is_letters, words)):
            raise InputError(f"{name}[{row}] is {filler!r:.60}; pass letters and numbers, without punctuation")


def _is_letters(word: str) -> bool:
    return all(unicodedata.category(character)[0] in "LMN" for character in word)


def _fillers_text(value: Sequence[str] | None) -> str:
    """Writes fillers as a signature has them: the words, unless these would be read as something else."""
    if value is None:
        return "none"
    words = " ".join(value).split()
    are_letters = all(re.fullmatch(r"[^\W\d]+", word) for word in words)
    if value and are_letters and _VALUES.isdisjoint(value):
        return value_text(value)
    return table_text(len(value), sorted(value))


OWN_FILLERS = own(
    None,
    "fillers",
    "the words that count as fillers, instead of the built-in list, such as `음` (also `음음`) or `you know`.",
    _check_fillers,
    kind="list",
    text=_fillers_text,
)
DROP_FILLERS = flag(
    "dropped", "remove fillers, and the punctuation after them, from all texts before these are compared."
)


class Fillers(NamedTuple):
    """How fillers are found."""

    are_dropped: bool
    written: re.Pattern[str]  # in any text, with the marks that follow, except for brackets, and one of two blanks

    def dropped(self, texts: list[str]) -> list[str]:
        """Returns texts without fillers, and the marks and blanks that go with these, if they are dropped.

        >>> compile_fillers(are_dropped=True).dropped(["나는 음, 학교에", "(음) 네"])
        ['나는 학교에', '() 네']
        """
        return [self.written.sub("", text) for text in texts] if self.are_dropped else texts


@functools.lru_cache(maxsize=16)
def compile_fillers(fillers: tuple[str, ...] | None = None, are_dropped: bool = False) -> Fillers:
    """Returns how to find the user's fillers, or those of the suite, of which a word may repeat one."""
    if fillers is None:
        fillers = FILLERS
    forms = set()
    for filler in fillers:
        forms |= {unicodedata.normalize("NFC", filler), unicodedata.normalize("NFD", filler)}
    return Fillers(are_dropped, _pattern(forms))


def _pattern(fillers: Iterable[str]) -> re.Pattern[str]:
    """Returns the pattern of fillers with the marks that follow; nothing matches where there are none.

    The blanks behind a filler go too, unless it is glued to the text before it: else two words would become one.
    """
    patterns = []
    for filler in sorted(fillers):
        words = list(map(re.escape, filler.split()))
        patterns.append(r"\W+".join(words) if len(words) > 1 else f"(?:{words[0]})+")
    any_filler = "|".join(patterns) or "(?!)"
    return re.compile(rf"(?<!\w)((?<!\S))?(?:{any_filler})(?!\w)[^\w\s()<>\[\]{{}}]*(?(1)\s*)", re.I)
