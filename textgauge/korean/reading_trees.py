"""What notations may be read as, as trees of texts: the first path is the canonical reading.

Every text that is read and not written has a tag, because two notations may share a reading without being the same
(5km and 5kg, both 오 킬로): readings of two notations are equal only if their tags are. A guarded reading is that of a
number or letter that may as well be a word (2 in "2 영화", 1004 for 천사); no text equals it.
"""

import functools
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from textgauge.core.reserved import TAG
from textgauge.edits.networks import Tree

BLANK = " "
GAP: Tree = ("alt", (BLANK, ""))  # a blank that may be missing
JOINED: Tree = ("alt", ("", BLANK))  # a blank that may be there
_AS_WRITTEN = ("letter", "transcript")  # one of their readings is what is written
_LONGEST_AS_WRITTEN = 100
_LETTER = re.compile("[^\\W_]")
_WORDS = re.compile(f"{BLANK}|[^{BLANK}]+")


class Notation(NamedTuple):
    """A notation of a text; `tree` has its readings."""

    written: str
    kind: str  # number, date, unit, letter, symbol, own or transcript
    tree: Tree


def tree_of(piece: str | Notation) -> Tree:
    """Returns the readings of a piece of a text; a piece without notation is its own reading."""
    return piece.tree if isinstance(piece, Notation) else piece


def tagged(text: str, tag: str, is_guarded: bool = False) -> str:
    """Returns a text of a tree with what it may equal."""
    # one string is hashed and compared faster than an object
    return f"{text}{TAG}{'!' if is_guarded else ' '}{tag}" if text else ""


def retagged(tree: Tree, mark: str) -> Tree:
    """Returns a tree whose readings equal those of another notation only if this has the same mark.

    >>> retagged(("seq", (tagged("삼", "number"), "-")), "▲") == ("seq", (tagged("삼", "number▲"), "-"))
    True
    """
    if isinstance(tree, str):
        return tree + mark if TAG in tree else tree
    return tree[0], tuple([retagged(part, mark) for part in tree[1]])


def any_of(trees: Iterable[Tree]) -> Tree:
    """Returns a tree with alternatives.

    >>> any_of(["세", "삼"]), any_of(["세"])
    (('alt', ('세', '삼')), '세')
    """
    trees = tuple(trees)
    return trees[0] if len(trees) == 1 else ("alt", trees)


def sequence(*trees: Tree) -> Tree:
    """Returns a tree of parts that follow one another."""
    return "seq", trees


@functools.lru_cache(16384)
def unguarded(tree: Tree) -> Tree | None:
    """Returns a tree without its guarded readings; None if it has no others.

    >>> unguarded(("alt", (tagged("이", "number", is_guarded=True), "두")))
    '두'
    """
    if isinstance(tree, str):
        return None if f"{TAG}!" in tree else tree
    kind, parts = tree
    kept = [unguarded(part) for part in parts]
    if kind == "seq":
        return None if None in kept else sequence(*kept)
    kept = [part for part in kept if part is not None]
    return any_of(kept) if kept else None


def canonical_text(tree: Tree) -> str:
    """Returns the first path of a tree, without tags."""
    if isinstance(tree, str):
        return tree.partition(TAG)[0]
    kind, parts = tree
    return canonical_text(parts[0]) if kind == "alt" else "".join(map(canonical_text, parts))


def or_as_written(notation: Notation, others: Collection[str] = ()) -> Notation:
    """Returns a notation that may also be compared as it is written, unless it is one of some others.

    A sign alone may not: & is read as 앤드, and would be nothing where signs are removed, so that R&D were 알디.

    A notation of more than 100 characters is a number of a recogniser that loops: beside its digits as they are read,
    those that are written would be a second way of the same length, and the time that of all their pairs.

    >>> or_as_written(Notation("3", "number", "삼")).tree
    ('alt', ('삼', ('seq', ('3',))))
    """
    written, kind, tree = notation
    if written in others or kind in _AS_WRITTEN or len(written) > _LONGEST_AS_WRITTEN:
        return notation
    if kind == "symbol" and not _LETTER.search(written):
        return notation
    return Notation(written, kind, any_of([tree, as_written(written)]))


def as_written(text: str) -> Tree:
    """Returns the tree of a text that is compared as it is written.

    >>> as_written("3 kg")
    ('seq', ('3', ' ', 'kg'))
    """
    return sequence(*_WORDS.findall(text))
