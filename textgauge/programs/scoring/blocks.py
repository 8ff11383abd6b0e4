"""Rows of a corpus of any size, summed into a bounded number of blocks of neighbours."""

import numpy as np

CAPACITY = 2**18


def block_size(n_rows: int) -> int:
    """Returns how many rows a block of `Blocks` has: the least power of two that leaves fewer blocks than CAPACITY."""
    size = 1
    while n_rows // size >= CAPACITY:
        size *= 2
    return size


class Blocks:
    """Sums of `size` neighbouring rows each, which depend on the rows alone and not on the batches that they came in.

    As long as there are fewer than CAPACITY rows, a block is a row, and an interval that of `compute`. Whenever there
    are that many blocks, each two become one: a bootstrap over blocks of neighbours takes its place.
    """

    def __init__(self) -> None:
        self.size = 1  # rows in a block
        self.count = 0  # blocks
        self.sums = np.empty((0, 0))  # (CAPACITY, n_statistics), of which `count` are filled
        self.rest = np.empty((0, 0))  # rows that do not fill a block yet

    def add(self, rows: np.ndarray) -> None:
        """Takes further rows, (n_segments, n_statistics)."""
        if not self.sums.size:
            self.sums = np.empty((CAPACITY, rows.shape[1]))
            self.rest = rows[:0]
        rows = np.concatenate([self.rest, rows])
        while added := min(len(rows) // self.size, CAPACITY - self.count):
            n_rows = added * self.size
            end = self.count + added
            self.sums[self.count : end] = _sums(rows[:n_rows], self.size)
            self.count = end
            rows = rows[n_rows:]
            if self.count == CAPACITY:
                self.count //= 2
                self.size *= 2
                self.sums[: self.count] = _sums(self.sums, 2)
        self.rest = rows.copy()

    def rows(self) -> np.ndarray:
        """Returns the arguments of `TextMetric.result` that replace the rows."""
        incomplete_block = _sums(self.rest, max(1, len(self.rest)))
        return np.concatenate([self.sums[: self.count], incomplete_block])


def _sums(rows: np.ndarray, size: int) -> np.ndarray:
    """Returns the sum of each `size` rows."""
    return rows.reshape(-1, size, rows.shape[-1]).sum(1)
