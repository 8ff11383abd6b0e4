"""Rows of the table of edits between two networks, without the cells that cost more than a limit.

The idea: a cell is the fewest edits for a node of the first network and one of the second; a row has all cells of a
node. What costs more than the limit cannot be on a path that costs no more (Ukkonen 1985). So of each row only the
columns from the first one within the limit to the last one are computed, and rows are dropped as soon as no later
one needs them. If the limit was too low, it grows: to what the rows that were reached let expect.

The trick: rows begin and end at columns that all paths of the second network pass, so that no cell needs one that was
left out.

To go back through the table, some rows are kept; those between two of them are computed a second time.
"""

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from .networks import NO_WORD, Network, only_path

FAR = 2**30  # more than any cost
_LONG = 64  # words; from here on arrays are faster than lists, and limits than whole rows
LIKELY = 16  # edits, where nothing is known
_AT_ONCE = 16  # columns that a row grows by
_BLOCK = 256  # rows; not fewer are kept together


class Equality(NamedTuple):
    """Whether words are equal.

    Attributes:
        test: of two words.
        keys: of a word: two equal words share one.
    """

    test: Callable[[Any, Any], Any]
    keys: Callable[[Any], Collection[str]]


class _Row(NamedTuple):
    """The cells of a node from a column on."""

    first: int
    cells: Any  # a list or an array


class _Columns:
    """The second network."""

    def __init__(self, network: Network, equality: Equality) -> None:
        self.equality = equality
        self.words = [None, *(arcs[0][1] for arcs in network.arcs[1:])]
        self.places: dict[str, list[int]] = {}  # of the words with a key
        for column, word in enumerate(self.words):
            if word in (None, NO_WORD):
                continue
            for key in equality.keys(word):
                self.places.setdefault(key, []).append(column)

    def equal_to(self, word: Any, begin: int, end: int) -> list[int]:
        """Returns the columns of a range whose word is equal."""
        if word is None:
            return []
        columns = []
        for key in self.equality.keys(word):
            places = self.places.get(key, ())
            near = itertools.islice(places, bisect_left(places, begin), bisect_left(places, end))
            columns += [column for column in near if self.equality.test(word, self.words[column])]
        return columns


class _ListColumns(_Columns):
    """A network whose rows are lists."""

    pack = staticmethod(np.ndarray.tolist)

    def __init__(self, network: Network, equality: Equality) -> None:
        super().__init__(network, equality)
        # for each node how many nodes before it its only arc comes from, and otherwise where all come from
        self.steps: list[tuple[int, Sequence[int]]] = [(0, ())]
        n_nodes = len(network.arcs)
        earliest = [n_nodes] * (n_nodes + 1)  # node that an arc to this node, or to a later one, comes from
        for node, arcs in enumerate(network.arcs[1:], start=1):
            sources = [source for source, _ in arcs]
            self.steps.append((0, sources) if arcs[0][1] == NO_WORD else (node - sources[0], ()))
            earliest[node] = min(sources)
        for node in range(n_nodes - 1, 0, -1):
            earliest[node] = min(earliest[node], earliest[node + 1])
        self.is_passed = [earliest[node + 1] >= node for node in range(n_nodes)]  # by all paths

    def start(self, limit: int) -> _Row:
        """Returns the row of the first node."""
        return self._finish(0, [0], [FAR], None, limit)

    def row(self, above: _Row, word: Any, limit: int) -> _Row | None:
        """Returns the row of a node behind an arc with a word, None if all of it is beyond the limit."""
        return self._finish(above.first, [above.cells[0] + 1], above.cells, word, limit)

    def _finish(self, first: int, row: list[int], over: list[int], word: Any, limit: int) -> _Row | None:
        """Returns a row whose first cell is known, as far as it is within the limit."""
        end = first + len(over)
        n_columns = len(self.steps)
        self._add_cells(row, over, first, end, word)
        while end < n_columns and min(row[-1], over[-1]) <= limit:
            least = min(end + _AT_ONCE, n_columns - 1)
            end = self.is_passed.index(True, least) + 1
            over = over + [FAR] * (end - first - len(over))
            self._add_cells(row, over, first, end, word)
        return self._within(first, row, limit)

    def _add_cells(self, row: list[int], over: Sequence[int], first: int, end: int, word: Any) -> None:
        """Adds the cells as far as a column.

        A cell is the fewest of three: the cell diagonally before, and an edit where the words differ; one more than the
        cell before; one more than the cell above. The cell before is that of the node from which the column's arc
        comes. Where paths join, a cell has no word, and is the fewest of the cells before it.
        """
        size = len(row)
        begin = first + size
        costs = bytearray(b"\1") * (end - begin)
        for column in self.equal_to(word, begin, end):
            costs[column - begin] = 0

        diagonal = over[size - 1]
        left = row[-1]
        for (back, sources), cost, above in zip(self.steps[begin:end], costs, over[size:], strict=True):
            if not back:
                left = min([row[source - first] for source in sources])
                row.append(left)
                diagonal = above
                continue

            if back > 1:
                diagonal = over[len(row) - back]
                left = row[-back]
            best = diagonal + cost
            # neighbours differ by at most 1, so that one more than a smaller one is no more than what it replaces
            if left < best:
                best = left + 1
            left = best if best <= above else above + 1
            row.append(left)
            diagonal = above

    def _within(self, first: int, cells: list[int], limit: int) -> _Row | None:
        """Returns a row without what is beyond the limit at its ends."""
        begin = 0
        end = len(cells)
        while begin < end and cells[begin] > limit:
            behind = end
            if begin + 1 < end:
                behind = self.is_passed.index(True, first + begin + 1) - first
            if min(cells[begin:behind]) <= limit:
                break
            begin = behind
        if begin == end:
            return None

        while cells[end - 1] > limit:
            before = end - 1
            while not self.is_passed[first + before - 1]:
                before -= 1
            if min(cells[before:end]) <= limit:
                break
            end = before
        return _Row(first + begin, cells[begin:end])


class _ArrayColumns(_Columns):
    """A single path, whose rows are arrays."""

    pack = staticmethod(np.asarray)

    def start(self, limit: int) -> _Row:
        """Returns the row of the first node."""
        return _Row(0, np.arange(min(limit + 1, len(self.words)), dtype=np.int32))

    def row(self, above: _Row, word: Any, limit: int) -> _Row | None:
        """Returns the row of a node behind an arc with a word, None if all of it is beyond the limit."""
        first, over = above
        n_more = max(0, limit - int(over[-1]) + 1)
        end = min(len(self.words), first + len(over) + n_more)
        over = np.append(over, np.full(end - first - len(over), FAR, dtype=np.int32))
        costs = np.ones(len(over), dtype=np.int32)
        equal = np.array(self.equal_to(word, first + 1, end), dtype=np.intp)
        costs[equal - first] = 0

        cells = over + 1
        np.minimum(cells[1:], over[:-1] + costs[1:], out=cells[1:])
        # a word of the path may be inserted behind any column before it: without what that costs, the running minimum
        inserted = np.arange(len(over), dtype=np.int32)
        cells -= inserted
        np.minimum.accumulate(cells, out=cells)
        cells += inserted

        near = np.flatnonzero(cells <= limit)
        if not len(near):
            return None
        return _Row(first + int(near[0]), cells[near[0] : near[-1] + 1])


def _least(rows: Sequence[_Row]) -> _Row:
    """Returns the smallest cells of rows."""
    if len(rows) == 1:
        return rows[0]
    first = min(row.first for row in rows)
    end = max(row.first + len(row.cells) for row in rows)
    cells = np.full(end - first, FAR, dtype=np.int32)
    for row in rows:
        part = cells[row.first - first :][: len(row.cells)]
        np.minimum(part, row.cells, out=part)
    return _Row(first, cells if isinstance(rows[0].cells, np.ndarray) else cells.tolist())


def _packed(rows: dict[int, _Row | None], pack: Callable[[Any], Any]) -> dict[int, _Row | None]:
    """Returns rows whose cells are lists, or arrays, as `pack` makes them."""
    packed = {}
    for node, row in rows.items():
        packed[node] = _Row(row.first, pack(row.cells)) if row else None
    return packed


def _is_long_path(network: Network) -> bool:
    """Returns whether a network is a single path for which arrays are faster than lists."""
    return len(network.arcs) > _LONG and only_path(network) is not None


class _TooManyCells(Exception):
    """A table takes too long."""


class DistanceTable:
    """The fewest edits for each node of a network and each one of another, as far as they are within the total."""

    @classmethod
    def within(cls, most_cells: float, *arguments: Any) -> "DistanceTable | None":
        """Returns the table of such arguments; None if it takes more cells than that to find the total."""
        try:
            return cls(*arguments, most_cells=most_cells)
        except _TooManyCells:
            return None

    def __init__(
        self,
        first: Network,
        second: Network,
        equality: Equality,
        likely: int = LIKELY,
        most_cells: float = math.inf,
    ) -> None:
        """Takes both networks, and computes the total; `likely` is a guess at it, on which only the time depends."""
        self._cells_left = most_cells
        self.equality = equality
        is_first_long = _is_long_path(first)
        is_second_long = _is_long_path(second)
        self.is_turned = is_first_long and not is_second_long
        rows, columns = (second, first) if self.is_turned else (first, second)
        kind = _ArrayColumns if is_first_long or is_second_long else _ListColumns
        self._columns = kind(columns, equality)
        self._arcs = rows.arcs
        self._n_columns = len(columns.arcs)
        self._last_use = {source: node for node, arcs in enumerate(rows.arcs) for source, _ in arcs}
        self._block = max(_BLOCK, math.isqrt(len(rows.arcs)))  # rows
        self._limit = likely if self._n_columns > _LONG else FAR
        reached = self._fill()
        while self.total > self._limit:
            expected = self._limit * len(self._arcs) // reached
            grown = max(self._limit * 3 // 2 + 1, expected * 9 // 8)
            self._limit = min(grown, self._limit * 8)
            reached = self._fill()
        self._cells_left = math.inf  # to go back takes no more

    def _fill(self) -> int:
        """Computes all rows and the total, unless it is beyond the limit; returns how many rows are within it.

        Keeps the rows before each block that it needs, and those of the last block.
        """
        self.total = FAR + 1
        self._kept: list[dict[int, _Row | None]] = []
        self._rows: dict[int, _Row | None] = {}
        for begin in range(0, len(self._arcs), self._block):
            needed = {node: row for node, row in self._rows.items() if self._last_use.get(node, 0) >= begin}
            if begin and not any(needed.values()):
                break
            self._kept.append(_packed(needed, np.asarray))
            self._rows = self._block_from(begin, needed)
        else:
            self.total = self._cell(len(self._arcs) - 1, self._n_columns - 1)
        return 1 + max(node for node, row in self._rows.items() if row)

    def _block_from(self, begin: int, rows: dict[int, _Row | None]) -> dict[int, _Row | None]:
        """Returns the rows of a block, with those before it that it needs."""
        for node in range(begin, min(begin + self._block, len(self._arcs))):
            arcs = self._arcs[node]
            above = []
            for source, _ in arcs:
                row = rows[source]
                if row:
                    above.append(row)

            if not arcs:
                rows[node] = self._columns.start(self._limit)
            elif not above:
                rows[node] = None
            elif arcs[0][1] == NO_WORD:
                rows[node] = _least(above)
            else:
                rows[node] = self._columns.row(above[0], arcs[0][1], self._limit)
                self._cells_left -= len(above[0].cells)
                if self._cells_left < 0:
                    raise _TooManyCells
        return rows

    def cost(self, node: int, other: int) -> int:
        """Returns the fewest edits for a node of each network, or more than there are if that is beyond the limit."""
        row, column = (other, node) if self.is_turned else (node, other)
        if row not in self._rows:
            block = row // self._block
            kept = _packed(self._kept[block], self._columns.pack)
            self._rows = self._block_from(block * self._block, kept)
        return self._cell(row, column)

    def _cell(self, node: int, column: int) -> int:
        row = self._rows[node]
        if row and row.first <= column < row.first + len(row.cells):
            return int(row.cells[column - row.first])
        return FAR + 1
