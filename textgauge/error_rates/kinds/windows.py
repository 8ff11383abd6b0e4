"""Where in another text each character of a text is, by the alignment of both as they are written."""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Windows(NamedTuple):
    """Where in another text the characters of a text are, by the alignment of both as they are written, and its end."""

    first: list[int]
    last: list[int]
    are_equal: list[bool]  # whether each is the same character

    def is_same(self, start: int, end: int) -> bool:
        """Returns whether a stretch of the text is in the other one, too, as it is written."""
        if not all(self.are_equal[start:end]):
            return False
        return self.first[end - 1] - self.first[start] == end - 1 - start


def equal_blocks(first: str, second: str) -> list[tuple[int, int, int]]:
    """Returns what an alignment of two texts has in common: place in each, and how many characters.

    >>> equal_blocks("3% 할인", "삼 할인")
    [(2, 1, 3), (5, 4, 0)]
    """
    return [tuple(block) for block in Levenshtein.editops(first, second).as_matching_blocks()]


def windows_of(blocks: Sequence[tuple[int, int, int]], side: int, size: int, other_size: int) -> Windows:
    """Returns where in the other text each character of a text is.

    >>> windows_of([(1, 2, 1), (2, 3, 0)], 0, 2, 3)
    Windows(first=[0, 2, 3], last=[2, 2, 3], are_equal=[False, True, False])

    Args:
        blocks: what both texts have in common.
        side: which of the two the text is.
        size: its length.
        other_size: the other text's length.
    """
    windows = Windows([], [], [])
    behind = 0  # of the last block, in the other text
    for block in [*blocks, (size + 1, other_size, 0) if side == 0 else (other_size, size + 1, 0)]:
        start = block[side]
        other_start = block[1 - side]
        length = block[2]
        gap = start - len(windows.first)
        same = range(other_start, other_start + length)
        windows.first.extend([behind] * gap)
        windows.last.extend([other_start] * gap)
        windows.are_equal.extend([False] * gap + [True] * length)
        windows.first.extend(same)
        windows.last.extend(same)
        behind = other_start + length
    return windows
