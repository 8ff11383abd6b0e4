"""Names of systems on pages: where a long one may break, and how it is shortened in the head of a narrow column."""

import os.path
import re
from collections.abc import Sequence

from ..saying.widths import text_width

_SEPARATOR = re.compile(r"[-/_. ]")
_MOST = 12  # places of a name in the head of a column; an ideograph takes two
_LEFT_OUT = "…"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Returns each name as the head of a column has it: all of them are different if the names are.

    A long name loses the beginning that it shares with another name, up to a separator, and its middle where it is
    still too long.

    >>> list(short_names(["meta/Llama-3.1-8B-Instruct", "meta/Llama-3.1-70B-Instruct", "base"]).values())
    ['…8B-Instruct', '…70B-I…truct', 'base']
    """
    short = {}
    for name in names:
        others = [other for other in names if other != name]
        short[name] = _short(name, others)
    are_different = len(set(short.values())) == len(set(names))
    return short if are_different else {name: name for name in names}


def _short(name: str, others: Sequence[str]) -> str:
    if text_width(name) <= _MOST:
        return name
    shared = max((os.path.commonprefix([name, other]) for other in others), key=len, default="")
    ends = [match.end() for match in _SEPARATOR.finditer(shared)]
    rest = f"{_LEFT_OUT}{name[ends[-1] :]}" if ends else name
    return rest if text_width(rest) <= _MOST else _without_middle(rest)


def _without_middle(name: str) -> str:
    """Returns the beginning and the end of a name, as much of each as fits."""
    kept = len(name) - 1
    while kept > 2 and text_width(_ends(name, kept)) > _MOST:
        kept -= 1
    return _ends(name, kept)


def _ends(name: str, kept: int) -> str:
    """Returns a name with only this number of characters, half of them from its end."""
    n_last = kept // 2
    return f"{name[: kept - n_last].rstrip(_LEFT_OUT)}{_LEFT_OUT}{name[-n_last:]}"
