"""The matrix of edit distances column by column, each in a few integers: forwards, and for a walk back through it.

The matrix has a row for each character of the reference and a column for each one of the prediction, and row and column
0. Tokens are compared likewise.
"""

import collections
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

_KEPT_EVERY = 1024  # columns of the matrix, of which one is kept
_FEW_BITS = 12  # bits, below which it is faster to set one after the other


class BitColumn(NamedTuple):
    """What decides the steps back from the cells of a column, see `distance_columns`."""

    first: int  # row; the integers begin with the one behind it
    level: int
    rises: int
    grows: int

    def at(self, row: int) -> tuple[int, int, int]:
        """Returns 1 if the cell's distance is that diagonally before, if a deletion and if an insertion is cheapest."""
        bit = row - self.first - 1
        return self.level >> bit & 1, self.rises >> bit & 1, self.grows >> bit & 1


class ColumnsBack:
    """The columns from the last one to the first, for a walk from the end along paths with the fewest edits.

    The idea: one column in so many is kept, and the block between two is computed when the walk comes to it.

    The trick: only rows to which such a path may come are computed. With d edits it stays on d + 1 diagonals of the
    matrix, and from the cell where the walk enters a block it can reach few rows of the column before the block. Cells
    beyond have too large distances, so that no such path goes there. The plain version, with all cells, is `steps` of
    tests/oracles.py.
    """

    def __init__(self, reference: str, prediction: str, edits: int) -> None:
        """Computes the columns that are kept, of two strings with so many edits."""
        self._rows_of = masks_of(reference)
        self._prediction = prediction
        self._n_rows = len(reference)
        surplus = len(prediction) - len(reference)
        self._kept = self._keep((edits + surplus) // 2, (edits - surplus) // 2)
        # distances in the column that comes next, and their first row
        self._entered = np.array([edits]), len(reference)
        self._block: list[BitColumn] = []

    def before(self, rows: Iterable[int]) -> BitColumn | None:
        """Returns the column before the one that was returned last; None for column 0, where all steps delete.

        Args:
            rows: those in which the walk comes to the column.
        """
        if not self._block and self._kept:
            self._block = self._columns_between(self._kept.pop(), rows)
        return self._block.pop() if self._block else None

    def _keep(self, above: int, below: int) -> list["_KeptColumn"]:
        """Returns the column before each block, in the rows of so many diagonals above and below the one of (0, 0)."""
        kept: list[_KeptColumn] = []
        for number in range(0, len(self._prediction), _KEPT_EVERY):
            first = max(0, number - above)
            last = min(self._n_rows, number + _KEPT_EVERY + below)
            if not number:
                kept.append(_KeptColumn(0, first, last, 0, -1, 0))
                continue
            before = kept[-1]
            columns = self._columns(before, number, before.first, before.last)
            [(_, rises, _, falls)] = collections.deque(columns, maxlen=1)
            # along the first row the distance counts as one more in each column
            column = before._replace(number=number, distance=before.distance + _KEPT_EVERY, rises=rises, falls=falls)
            kept.append(column.cut(first, last))
        return kept

    def _columns(self, kept: "_KeptColumn", end: int, first: int, last: int) -> Iterator[tuple[int, int, int, int]]:
        """Yields the columns from the one behind a kept one to the end, from the row behind the first to the last."""
        tokens = self._prediction[kept.number : end]
        size = last - first
        rows_of = {}
        for token in {*tokens} & self._rows_of.keys():
            rows_of[token] = self._rows_of[token] >> first & (1 << size) - 1
        n_left_out = first - kept.first
        return distance_columns(rows_of, size, tokens, kept.rises >> n_left_out, kept.falls >> n_left_out)

    def _columns_between(self, kept: "_KeptColumn", rows: Iterable[int]) -> list[BitColumn]:
        """Returns the columns of a block, in those rows from which the walk's rows in its last column are reached."""
        end = min(kept.number + _KEPT_EVERY, len(self._prediction))
        rows = list(rows)
        # from row a before the block to row b at its end there are at least b - a edits less its width
        end_distances, first_entered = self._entered
        nearest = max(int(end_distances[row - first_entered]) - row for row in rows) + end - kept.number
        distances = kept.distances()
        self._entered = distances, kept.first
        is_reached = distances - np.arange(kept.first, kept.last + 1) <= nearest
        first = kept.first + int(np.flatnonzero(is_reached)[0])

        columns = self._columns(kept, end, first, max(rows))
        return [BitColumn(first, level, rises, grows) for level, rises, grows, _ in columns]


class _KeptColumn(NamedTuple):
    """A column of the matrix, in some of its rows."""

    number: int
    first: int
    last: int
    distance: int  # in the first row
    rises: int  # from the row behind it on: where the distance is one more than in the row above
    falls: int  # where it is one less

    def cut(self, first: int, last: int) -> "_KeptColumn":
        """Returns the column from a later row to a later one; the distance counts as one more in each new row."""
        size = self.last - self.first
        mask = (1 << size) - 1
        rises = self.rises & mask
        falls = self.falls & mask
        n_left_out = first - self.first
        left_out = (1 << n_left_out) - 1
        distance = self.distance + (rises & left_out).bit_count() - (falls & left_out).bit_count()
        rises |= -1 << size
        return _KeptColumn(self.number, first, last, distance, rises >> n_left_out, falls >> n_left_out)

    def distances(self) -> np.ndarray:
        """Returns the distance in each row."""
        size = self.last - self.first
        steps = bits_of(self.rises, size) - bits_of(self.falls, size)
        return self.distance + np.append(0, np.cumsum(steps))


def distance_columns(
    rows_of: Mapping[str, int], n_rows: int, prediction: Iterable[str], rises: int, falls: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yields what decides each step back through the matrix of edit distances, column by column.

    The idea: neighbouring cells differ by at most 1. The trick: a whole column is a few integers, with bit i for row
    i + 1, and follows from the column before in a few operations (Hyyrö 2003, figure 8). Bits beyond the last row have
    no meaning. The plain version, cell by cell, is `steps` of tests/oracles.py.

    The integers have these bits set: where the distance is that of the cell diagonally before; where it is one more
    than in the row above, so that a deletion is cheapest; where it is one more than in the column before, so that an
    insertion is; where it is one less than in the row above.

    Args:
        rows_of: mask of the rows of each character of the reference.
        n_rows: the rows to compute, from the first one on.
        prediction: the characters of the columns.
        rises: the column before, where the distance is one more than in the row above; -1, everywhere, for column 0.
        falls: likewise, where it is one less.
    """
    mask = (1 << n_rows) - 1
    rises &= mask
    falls &= mask
    for character in prediction:
        equal = rows_of.get(character, 0)
        level = ((equal & rises) + rises) ^ rises | equal | falls
        grows = falls | (level | rises) ^ mask  # not ~, which is slow
        shrinks = level & rises
        shifted = grows << 1 | 1
        rises = shrinks << 1 | (level | shifted) ^ mask
        falls = shifted & level
        yield level, rises, grows, falls


def prefix_distances(reference: Sequence[str], prediction: Sequence[str]) -> np.ndarray:
    """Returns the edit distance of a text to each beginning of another one, (n_tokens + 1,) int64.

    Both are strings or lists of words. Memory is linear: only the last row of the matrix is kept.

    >>> prefix_distances("한글", "한굴날").tolist()
    [2, 1, 1, 2]
    """
    rises, falls = -1, 0
    places = _places(prediction)
    for start in range(0, len(reference), _KEPT_EVERY):
        tokens = reference[start : start + _KEPT_EVERY]
        rows_of = {token: _mask(places[token], len(prediction)) for token in set(tokens) & places.keys()}
        columns = distance_columns(rows_of, len(prediction), tokens, rises, falls)
        [(_, rises, _, falls)] = collections.deque(columns, maxlen=1)
    steps = bits_of(rises, len(prediction)) - bits_of(falls, len(prediction))
    return len(reference) + np.append(0, np.cumsum(steps))


def masks_of(tokens: Sequence[str]) -> dict[str, int]:
    """Returns for each token an integer with the bits of its places."""
    return {token: _mask(places, len(tokens)) for token, places in _places(tokens).items()}


def _places(tokens: Sequence[str]) -> dict[str, list[int]]:
    """Returns where each token is."""
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, []).append(place)
    return places


def _mask(rows: Sequence[int], size: int) -> int:
    """Returns an integer with these bits set."""
    if len(rows) < _FEW_BITS:
        return sum([1 << row for row in rows])
    bits = np.zeros(size, dtype=np.uint8)
    bits[rows] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def bits_of(mask: int, size: int) -> np.ndarray:
    """Returns the lowest bits of an integer, (size,) int64."""
    data = (mask & (1 << size) - 1).to_bytes(size // 8 + 1, "little")
    return np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=size, bitorder="little").astype(np.int64)
