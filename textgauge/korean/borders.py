"""Where words may end around notations: 코로나19 is 코로나 십구, and 5%할인 is 오 퍼센트 할인."""

import re

from textgauge.edits.networks import Tree

from .contexts import word_ends
from .reading_trees import BLANK, GAP, JOINED, Notation, any_of, canonical_text, sequence
from .spoken import DIGITS

_ORDINAL_PREFIX = re.compile("(?<![가-힣])제 $")  # 제 2차 is 제이 차
_SOME = re.compile("(?<![가-힣])[몇수] $")  # 수 10억 is 수십억
_POWER_OF_TEN = re.compile(r"1[0,]*0(?![.,]?\d)")
_OF_VERB = re.compile(f"[{''.join(map(chr, range(ord('갈'), ord('힣') + 1, 28)))}] 수 $")  # 할 수 10번 is no 할 수십 번
_SINO = re.compile(f"(?!일곱)[{DIGITS}공십백천만억조경]|$")


def with_borders(text: str, pieces: list[str | Notation]) -> list[str | Notation]:
    """Returns pieces of a text in which a blank may be where a notation touches a word, except for a particle.

    A blank that may be at both sides of a place is there once, and signs and counters have theirs already.

    >>> with_borders("T1", [Notation("T", "letter", "티"), Notation("1", "number", "원")])[1].tree
    ('seq', (('alt', ('', ' ')), '원'))
    """
    result: list[str | Notation] = []
    start = 0
    for index, piece in enumerate(pieces):
        if isinstance(piece, str):
            result.append(piece)
            start += len(piece)
            continue
        end = start + len(piece.written)
        if piece.kind != "symbol":
            before = result[-1] if result else ""
            tree = piece.tree
            if isinstance(before, str) and _may_be_joined(before, piece):
                sino = _sino_readings(tree)
                if sino == tree:
                    result[-1:] = [before[:-1], Notation(BLANK, "symbol", GAP)]
                elif sino is not None:
                    result[-1] = before[:-1]
                    tree = any_of([sequence(BLANK, tree), sino])  # 제 3장 is 제 세 장 and 제삼 장, but not 제세 장
                    piece = Notation(BLANK + piece.written, piece.kind, tree)
            if text[start - 1 : start].isalnum() and not _has_gap(pieces[index - 1]):
                tree = sequence(JOINED, tree)
            behind = pieces[index + 1] if index + 1 < len(pieces) else ""
            is_followed = isinstance(behind, str) and behind[:1].isalnum()
            if is_followed and not _has_gap(piece) and not word_ends(text, end):
                tree = sequence(tree, JOINED)
            if tree is not piece.tree:
                piece = Notation(piece.written, piece.kind, tree)
        result.append(piece)
        start = end
    return result


def _may_be_joined(before: str, number: Notation) -> bool:
    """Returns whether the blank between a text and a number may be missing."""
    if _ORDINAL_PREFIX.search(before):
        return number.written[:1].isdecimal()
    return bool(_SOME.search(before) and _POWER_OF_TEN.match(number.written)) and not _OF_VERB.search(before)


def _sino_readings(tree: Tree) -> Tree | None:
    """Returns the readings of a number that begin with a Sino-Korean numeral; None if it has no such reading."""
    if isinstance(tree, str):
        return tree if _SINO.match(canonical_text(tree)) else None
    kind, parts = tree
    if kind == "alt":
        kept = [part for part in map(_sino_readings, parts) if part is not None]
        return any_of(kept) if kept else None
    first = _sino_readings(parts[0])
    return None if first is None else sequence(first, *parts[1:])


def _has_gap(piece: str | Notation) -> bool:
    """Returns whether a piece is a notation that ends in a blank that may be missing, or a sign with its own blanks."""
    return isinstance(piece, Notation) and (piece.kind == "symbol" or _ends_in_gap(piece.tree))


def _ends_in_gap(tree: Tree) -> bool:
    if tree in (GAP, JOINED):
        return True
    if isinstance(tree, str) or not tree[1]:
        return False
    kind, parts = tree
    return all(map(_ends_in_gap, parts)) if kind == "alt" else _ends_in_gap(parts[-1])
