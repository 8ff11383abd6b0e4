"""Where words may end around notations: 코로나19 is 코로나 십구, and 5%할인 is 오 퍼센트 할인."""

import re

from textgauge.edits.networks import Tree

from .contexts import word_ends
from .reading_trees import BLANK, GAP, JOINED, Notation, sequence

_PREFIX = re.compile("(?<![가-힣])[제몇수] $")  # 제 2차 is 제이 차, 수 10억 is 수십억


def with_borders(text: str, pieces: list[str | Notation]) -> list[str | Notation]:
    """Returns pieces of a text in which a blank may be where a notation touches a word, except for a particle.

    A blank that may be at both sides of a place is there once, and signs and counters have theirs already.

    >>> with_borders("T1", [Notation("T", "letter", "티"), Notation("1", "number", "원")])[1].tree
    ('seq', (('alt', ('', ' ')), '원'))
    """
    result: list[str | Notation] = []
    start = 0
    for place, piece in enumerate(pieces):
        if isinstance(piece, str):
            result.append(piece)
            start += len(piece)
            continue
        end = start + len(piece.written)
        if piece.kind != "symbol":
            before = result[-1] if result else ""
            if isinstance(before, str) and piece.written[:1].isdecimal() and _PREFIX.search(before):
                result[-1:] = [before[:-1], Notation(BLANK, "symbol", GAP)]
            tree = piece.tree
            if text[start - 1 : start].isalnum() and not _has_gap(pieces[place - 1]):
                tree = sequence(JOINED, tree)
            behind = pieces[place + 1] if place + 1 < len(pieces) else ""
            is_followed = isinstance(behind, str) and behind[:1].isalnum()
            if is_followed and not _has_gap(piece) and not word_ends(text, end):
                tree = sequence(tree, JOINED)
            if tree is not piece.tree:
                piece = Notation(piece.written, piece.kind, tree)
        result.append(piece)
        start = end
    return result


def _has_gap(piece: str | Notation) -> bool:
    """Returns whether a piece is a notation that ends in a blank that may be missing, or a sign with its own blanks."""
    return isinstance(piece, Notation) and (piece.kind == "symbol" or _ends_in_gap(piece.tree))


def _ends_in_gap(tree: Tree) -> bool:
    if tree in (GAP, JOINED):
        return True
    return not isinstance(tree, str) and tree[0] == "seq" and bool(tree[1]) and _ends_in_gap(tree[1][-1])
