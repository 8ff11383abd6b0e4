"""Where in another text each character of a text is, by the alignment of both as they are written."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein


class Windows(NamedTuple):
    """Where in another text the characters of a text are, by the alignment of both as they are written, and its end.

    The lists are about the stretches that both have in common, and about a last one behind the text's end.
    """

    starts: list[int]  # of the stretches
    other_starts: list[int]  # where the other text has them
    lengths: list[int]

    def first(self, place: int) -> int:
        """Returns the first place at which the other text can have a character."""
        block = bisect_right(self.starts, place) - 1
        if block < 0:
            return 0
        return self.other_starts[block] + min(place - self.starts[block], self.lengths[block])

    def last(self, place: int) -> int:
        """Returns the last place at which the other text can have a character."""
        block = bisect_right(self.starts, place) - 1
        if block >= 0 and place < self.starts[block] + self.lengths[block]:
            return self.other_starts[block] + place - self.starts[block]
        return self.other_starts[block + 1]

    def is_same(self, start: int, end: int) -> bool:
        """Returns whether a stretch of the text is in the other one, too, as it is written."""
        block = bisect_right(self.starts, start) - 1
        return block >= 0 and end <= self.starts[block] + self.lengths[block]


def equal_blocks(first: str, second: str) -> list[tuple[int, int, int]]:
    """Returns what an alignment of two texts has in common: place in each, and how many characters.

    >>> equal_blocks("3% 할인", "삼 할인")
    [(2, 1, 3), (5, 4, 0)]
    """
    return [tuple(block) for block in Levenshtein.editops(first, second).as_matching_blocks()]


def windows_of(blocks: Sequence[tuple[int, int, int]], side: int, size: int, other_size: int) -> Windows:
    """Returns where in the other text each character of a text is.

    >>> windows = windows_of([(1, 2, 1), (2, 3, 0)], 0, 2, 3)
    >>> [(windows.first(place), windows.last(place)) for place in range(3)]
    [(0, 2), (2, 2), (3, 3)]

    Args:
        blocks: what both texts have in common.
        side: which of the two the text is.
        size: its length.
        other_size: the other text's length.
    """
    starts = [block[side] for block in blocks]
    other_starts = [block[1 - side] for block in blocks]
    lengths = [block[2] for block in blocks]
    return Windows([*starts, size + 1], [*other_starts, other_size], [*lengths, 0])
