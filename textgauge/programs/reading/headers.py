"""Names of columns that look like texts: a table without a header loses its first row."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .compressed import suffix_of

_WITH_HEADER = (".csv", ".tsv", ".tab", ".xlsx")
_WORDS = 3  # of a name that may be a sentence; "reference text" is none
_LIKENESS = 0.6
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.A)  # as names are written in programs
_END = re.compile(r"[.!?。…]\s*")
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def doubted_name(path: str, records: Sequence[Mapping[str, Any]]) -> str:
    """Returns a name of a column that looks like a text of the first row; "" for none.

    It is a sentence or a number, or is a value of its own column too.
    """
    if suffix_of(path) not in _WITH_HEADER or not records:
        return ""
    for name in records[0]:
        has_end = len(name) > 1 and _END.search(name[-1:])
        is_sentence = has_end or len(name.split()) >= _WORDS
        is_value = bool(name.strip()) and any(record[name] == name for record in records)
        if is_sentence or is_value or _NUMBER.fullmatch(name.strip()):
            return name
    return ""


def are_nearly_equal(one: str, other: str) -> bool:
    """Returns whether two names are alike as two texts of one segment are: texts and text are names."""
    if one == other or (_PLAIN.fullmatch(one) and _PLAIN.fullmatch(other)):
        return False
    return difflib.SequenceMatcher(None, one, other).ratio() >= _LIKENESS
