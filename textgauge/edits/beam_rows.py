"""Edit distances within Tercom's beam, the cells of the matrix near its diagonal, as sacreBLEU has it.

The matrix has a row for each word of the prediction and a column for each one of the reference. The idea: within the
beam, too, neighbouring cells differ by at most 1, so that a row is a few integers, as in `distance_columns.py`.

The trick: a prediction of which a block has moved has the same rows before the words that are changed, and behind them
the same edits from each cell to the end. So only the rows of these words are computed. The plain version, cell by cell,
is `edit_steps` of tests/oracles.py.
"""

import functools
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .distance_columns import bits_of, distance_columns, masks_of

BEAM = 25  # columns on either side of the diagonal


class Row(NamedTuple):
    """A row of the matrix, from its column `low` to the one before `high`."""

    low: int
    high: int
    edge: int  # the column before the first one, or column 0
    distance: int  # in this column
    rises: int  # from the column behind it on: where the distance is one more than in the column before
    falls: int  # where it is one less
    level: int = 0  # where it is that of the cell diagonally before
    grows: int = 0  # where it is one more than in the row above

    def distances(self) -> np.ndarray:
        """Returns the distance in each column within the beam."""
        size = self.high - 1 - self.edge
        steps = bits_of(self.rises, size) - bits_of(self.falls, size)
        return (self.distance + np.append(0, np.cumsum(steps)))[self.low - self.edge :]

    def next_row(self, low: int, high: int, equal: int) -> "Row":
        """Returns the row below, with these columns; `equal` has the bits of those whose words are equal to its word.

        Cells beyond the beam count as one more than their neighbours, so that no way through them is shorter.
        """
        edge = max(low - 1, 0)
        n_left_out = edge - self.edge
        left_out = (1 << n_left_out) - 1
        distance = self.distance
        distance += (self.rises & left_out).bit_count() - (self.falls & left_out).bit_count()
        rises = self.rises >> n_left_out
        falls = self.falls >> n_left_out
        if 0 < low == self.low:  # the column before the first one is beyond the beam of this row, too
            distance += (rises & 1) - (falls & 1) + 1
            rises = rises >> 1 << 1
            falls |= 1

        n_known = self.high - 1 - edge
        size = high - 1 - edge
        rises |= -1 << n_known
        equal = equal >> edge & (1 << min(n_known + 1, size)) - 1
        [(level, rises, grows, falls)] = distance_columns({"": equal}, size, [""], rises, falls)
        mask = (1 << size) - 1
        return Row(low, high, edge, distance + 1, rises & mask, falls & mask, level, grows)


class BeamRows:
    """The matrix of a prediction and a reference, both with a word."""

    def __init__(self, prediction: str, reference: str) -> None:
        """Takes two strings, a character per word; the rows are computed when they are asked for."""
        self.prediction = prediction
        self.reference = reference

    @functools.cached_property
    def _bounds(self) -> list[tuple[int, int]]:
        return _bounds(len(self.prediction), len(self.reference))

    @functools.cached_property
    def _equal(self) -> dict[str, int]:
        return masks_of(self.reference)

    @functools.cached_property
    def _rows(self) -> list[Row]:
        """The rows from 0 on."""
        top = Row(*self._bounds[0], 0, 0, -1, 0)
        return _rows_behind(top, self._bounds[1:], self.prediction, self._equal)

    @functools.cached_property
    def _rows_to_end(self) -> list[Row]:
        """The edits from each cell to the end, rows and columns from the last to the first, except for row 0."""
        width = len(self.reference) + 1
        bounds = [(width - high, width - low) for low, high in self._bounds[:0:-1]]
        top = Row(*bounds[0], 0, 0, -1, 0)
        return _rows_behind(top, bounds[1:], self.prediction[:0:-1], masks_of(self.reference[::-1]))

    def distance(self) -> int:
        """Returns the edits."""
        return int(self._rows[-1].distances()[-1])

    def distance_of(self, prediction: str, first: int, end: int) -> int:
        """Returns the edits of another prediction of that length, which differs from the first word on to the end."""
        rows = _rows_behind(self._rows[first], self._bounds[first + 1 :], prediction[first:end], self._equal)
        edits_before = rows[-1].distances()
        edits_behind = self._rows_to_end[len(prediction) - end].distances()[::-1]
        return int((edits_before + edits_behind).min())

    def steps(self) -> list[str]:
        """Returns the kinds of the steps of Tercom's alignment, see `edit_steps` of `ter_shifts.py`."""
        i = len(self.prediction)
        j = len(self.reference)
        steps = []
        while i or j:
            low, high = self._bounds[i - 1] if i else (0, 0)
            row = self._rows[i]
            bit = j - 1 - row.edge
            is_equal = i and j and self.prediction[i - 1] == self.reference[j - 1]
            if low < j <= high and (is_equal or not row.level >> bit & 1):
                kind = "equal" if is_equal else "substitute"
            elif not j or row.grows >> bit & 1:
                kind = "insert"
            else:
                kind = "delete"

            steps.append(kind)
            if kind != "delete":
                i -= 1
            if kind != "insert":
                j -= 1
        return steps[::-1]


def _rows_behind(row: Row, bounds: Sequence[tuple[int, int]], words: str, equal: Mapping[str, int]) -> list[Row]:
    """Returns a row and those of the words behind it; `equal` has the bits of the columns of each word."""
    rows = [row]
    for (low, high), word in zip(bounds, words, strict=False):
        rows.append(rows[-1].next_row(low, high, equal.get(word, 0)))
    return rows


def _bounds(n_rows: int, n_columns: int) -> list[tuple[int, int]]:
    """Returns for each row, from 0 on, the first column within the beam and the one behind the last."""
    ratio = n_columns / n_rows
    beam = math.ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
    middles = [math.floor(i * ratio) for i in range(1, n_rows + 1)]
    bounds = [(max(0, middle - beam), min(n_columns + 1, middle + beam)) for middle in middles]
    return [(0, n_columns + 1), *bounds[:-1], (bounds[-1][0], n_columns + 1)]
