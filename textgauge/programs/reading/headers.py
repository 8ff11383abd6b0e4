"""Names of columns that look like texts: a table without a header loses its first row."""

import difflib
import re
from collections.abc import Sequence
from typing import Any

from .compressed import suffix_of

_WITH_HEADER = (".csv", ".tsv", ".tab", ".xlsx")
_WORDS = 4  # of a name that may be a sentence; but "model output (GPT-4o)" is not one
_CELLS = 20  # that a name is compared with
_LIKENESS = 0.6
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.A)  # as names are written in programs
_END = re.compile(r"[.!?。…]\s*\Z")
_BRACKETS = re.compile(r"[()\[\]{}]")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def looks_like_text(path: str, name: str, cells: Sequence[Any]) -> bool:
    """Returns whether the name of a column is a sentence, a number above numbers, or one of its own cells."""
    if suffix_of(path) not in _WITH_HEADER or not name.strip():
        return False
    words = name.split()
    has_end = len(words) > 1 and _END.search(name)
    is_sentence = has_end or (len(words) >= _WORDS and not _BRACKETS.search(name))
    return bool(is_sentence) or name in cells or all(map(_is_number, [name, *cells]))


def could_be_text(path: str, name: str, cells: Sequence[Any]) -> bool:
    """Returns whether the name of a column is as long as its first cells are, and ends as they do."""
    texts = [cell.strip() for cell in cells[:_CELLS] if isinstance(cell, str) and cell.strip()]
    if suffix_of(path) not in _WITH_HEADER or not texts or _is_number(name):
        return False
    lengths = [len(text) for text in texts]
    n_with_end = sum(_END.search(text) is not None for text in texts)
    ends_as_they_do = 2 * n_with_end <= len(texts) or _END.search(name) is not None
    return min(lengths) <= len(name.strip()) <= max(lengths) and ends_as_they_do


def are_nearly_equal(one: str, other: str) -> bool:
    """Returns whether two names are alike as two texts of one segment are: texts and text are names."""
    if one == other or (_PLAIN.fullmatch(one) and _PLAIN.fullmatch(other)):
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() >= _LIKENESS


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and _NUMBER.fullmatch(value.strip()) is not None
