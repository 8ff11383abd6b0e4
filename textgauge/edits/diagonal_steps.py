"""Alignments of many pairs of strings at once that take a character of both strings wherever that is cheapest.

The idea: the cells of an anti-diagonal of the matrix of edit distances do not depend on one another, and neither do
pairs of strings. So each anti-diagonal of all pairs is computed at once, and each cell keeps from where it is reached.
Then all pairs walk back together. With d edits, a cheapest path stays on d + 1 diagonals; the others are left out.

The trick: every other anti-diagonal has the even diagonals alone. So two rows of cells are enough, each pair with as
many as it needs, and what meets on a cell are slices of arrays, which move by one cell every other step. A cell is at
most one more than the cell diagonally before it, and it is as much wherever its characters differ and neither a
deletion nor an insertion comes from a smaller one.

The plain version, for one pair, is `align` of `distances.py`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of

_CELLS = 2**23  # bytes that are kept together
_LEAST_CELLS = 16  # of a pair: the way back needs memory for each step, however few diagonals there are
_MOST_CELLS, _MOST_STEPS = 2**20, 2**13  # of a pair
_FAR = 2**14  # more than any distance here; with _MOST_STEPS added it fits into 16 bits
_ACROSS = 0  # how a cell is reached; 1 and 2 are the first and the second choice of delete and insert
_UNCHECKED = 8  # steps back before it is asked which pairs are at their start


class Characters(NamedTuple):
    """The characters of several strings, one string after the other."""

    codes: np.ndarray  # code points, and one more, so that there is one
    lengths: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Characters":
        """Returns the characters of texts."""
        lengths = lengths_of(texts)
        codes = np.frombuffer("".join([*texts, " "]).encode("utf-32-le"), dtype=np.int32)
        return cls(codes, lengths, np.cumsum(lengths) - lengths)


def are_short(references: Characters, predictions: Characters, edits: np.ndarray) -> np.ndarray:
    """Returns which pairs `aligned_places` takes, (n_pairs,) as their distances are: not those that need much memory.

    >>> sides = Characters.of(["가나", "다" * 10**6]), Characters.of(["가다", "다"])
    >>> are_short(*sides, np.array([1, 10**6 - 1])).tolist()
    [True, False]
    """
    steps = references.lengths + predictions.lengths + 1
    return (steps < _MOST_STEPS) & (steps * (edits // 2 + 2) < _MOST_CELLS)


def aligned_places(
    references: Characters, predictions: Characters, edits: np.ndarray, chosen: np.ndarray, insert_first: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns which characters are aligned with each other: the pair, and the places in both arrays of codes.

    Each array is (n_aligned,).

    >>> sides = Characters.of(["가나다"]), Characters.of(["가다"])
    >>> pairs, places, other_places = aligned_places(*sides, np.array([1]), np.array([0]), insert_first=False)
    >>> pairs.tolist(), places.tolist(), other_places.tolist()
    ([0, 0], [2, 0], [1, 0])

    Args:
        references: strings.
        predictions: as many strings.
        edits: (n_pairs,) their edit distances.
        chosen: (n_chosen,) numbers of the pairs to align, which are short.
        insert_first: insert where that is as cheap as to delete.
    """
    lanes, codes = _Lanes.of(references, predictions, edits, chosen), (references.codes, predictions.codes)
    if max(map(np.max, codes)) < 2**16:  # compared faster
        codes = [side.astype(np.uint16) for side in codes]
    by_batch = [(chosen[:0],) * 3]
    for start, end in _batches(np.maximum(lanes.cells, _LEAST_CELLS) * (lanes.steps + 1)):
        batch = _Lanes(*(values[start:end] for values in lanes))
        by_batch.append(_walk_back(batch, *_reached(batch, *codes, insert_first), insert_first))
    pairs, left, right = map(np.concatenate, zip(*by_batch, strict=True))
    return pairs, left, right


def _batches(needed: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yields the bounds of the pairs that need up to `_CELLS` together, or of one."""
    start, total = 0, np.append(0, np.cumsum(needed))
    while start < len(needed):
        end = max(start + 1, int(np.searchsorted(total, total[start] + _CELLS, side="right")) - 1)
        yield start, end
        start = end


class _Lanes(NamedTuple):
    """Pairs, those with the longest texts first; arrays (n_pairs,)."""

    pairs: np.ndarray
    sizes: np.ndarray  # characters of the reference
    steps: np.ndarray  # characters of both
    reference_starts: np.ndarray
    prediction_starts: np.ndarray
    half: np.ndarray  # half the number of the first diagonal; a diagonal is the place in the prediction less the other
    cells: np.ndarray  # even diagonals, and one between neighbours

    @classmethod
    def of(cls, references: Characters, predictions: Characters, edits: np.ndarray, chosen: np.ndarray) -> "_Lanes":
        """Returns the chosen pairs."""
        steps = references.lengths + predictions.lengths
        pairs = chosen[np.argsort(-steps[chosen], kind="stable")]
        sizes, others, edits = references.lengths[pairs], predictions.lengths[pairs], edits[pairs].astype(np.intp)
        surplus = others - sizes
        half = -((edits - surplus) // 2) // 2
        cells = ((edits + surplus) // 2 - 2 * half + 1) // 2 + 2
        return cls(pairs, sizes, sizes + others, references.starts[pairs], predictions.starts[pairs], half, cells)

    def active(self) -> np.ndarray:
        """Returns how many pairs have each of the anti-diagonals, from 0 on."""
        return np.searchsorted(-self.steps, -np.arange(self.steps[0] + 1), side="right")


def _reached(
    lanes: _Lanes, references: np.ndarray, predictions: np.ndarray, insert_first: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Returns how each cell is reached, anti-diagonal by anti-diagonal, and where each of these begins."""
    ends = np.cumsum(lanes.cells)
    sizes = np.append(0, ends)[lanes.active()]
    bases = np.cumsum(sizes) - sizes
    reached = np.zeros(sizes.sum(), dtype=np.uint8)
    even, odd = _at_start(lanes)  # distances on the two latest anti-diagonals
    for step, (wanted, predicted) in enumerate(_meeting(lanes, references, predictions), start=1):
        size = sizes[step]
        if step % 2:
            here, insert, delete = odd[1 : size + 1], even[:size], even[1 : size + 1]
        else:
            here, insert, delete = even[:size], odd[:size], odd[1 : size + 1]
        first, second = (insert, delete) if insert_first else (delete, insert)
        differ = wanted[:size] != predicted[:size]
        is_first = first < here
        sideways = ((second < here) | is_first) & differ
        here += (differ ^ sideways).view(np.uint8)
        into = reached[bases[step] : bases[step] + size]
        np.add(sideways.view(np.uint8), (sideways > is_first).view(np.uint8), out=into)
    return reached, bases


def _at_start(lanes: _Lanes) -> tuple[np.ndarray, np.ndarray]:
    """Returns the distances of even and odd diagonals before the first step: how far they are from the middle one.

    That is right for the cells along the edges of the matrix, and what is before them has no effect. Behind the
    last diagonal of a pair, and before its first odd one, nothing is near.
    """
    ends = np.cumsum(lanes.cells)
    firsts = ends - lanes.cells
    diagonals = 2 * (np.arange(ends[-1]) + np.repeat(lanes.half - firsts, lanes.cells))
    even, odd = (np.append(np.abs(row), _FAR).astype(np.int16) for row in (diagonals, diagonals - 1))
    even[ends - 1] = odd[ends - 1] = odd[firsts] = _FAR
    return even, odd


def _meeting(lanes: _Lanes, references: np.ndarray, predictions: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields the characters of both sides that meet on the cells of each anti-diagonal, from 1 on.

    From one to the next but one, those of the predictions move one cell back, those of the references one on, and each
    pair gets one new character. Beyond the ends of a text there is anything.
    """
    active, ends = lanes.active(), np.cumsum(lanes.cells)
    firsts, moves = ends - lanes.cells, len(active) // 2
    left, right = (np.empty(ends[-1] + moves, dtype=references.dtype) for _ in range(2))
    within = np.arange(ends[-1]) - np.repeat(firsts, lanes.cells)
    left_places, right_places = lanes.reference_starts - lanes.half - 1, lanes.prediction_starts + lanes.half
    left[moves:] = references.take(np.repeat(left_places, lanes.cells) - within, mode="clip")
    right[: ends[-1]] = predictions.take(np.repeat(right_places, lanes.cells) + within, mode="clip")
    lasts, right_places = ends - 1, right_places + lanes.cells - 1
    for step in range(1, len(active)):
        at, n = step // 2, active[step]
        if step % 2:
            right[lasts[:n] + at] = predictions.take(right_places[:n] + at, mode="clip")
        else:
            left[firsts[:n] + moves - at] = references.take(left_places[:n] + at, mode="clip")
        yield left[moves - at :], right[(step - 1) // 2 :]


def _walk_back(
    lanes: _Lanes, reached: np.ndarray, bases: np.ndarray, insert_first: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns pairs, and the places in both arrays of codes, of the characters that are taken together."""
    back, sideways = np.array([2, 1, 1]), np.array([0, -1, 1] if insert_first else [0, 1, -1])
    at, diagonal, n = lanes.steps, lanes.steps - 2 * lanes.sizes, len(lanes.steps)
    origins, visited = np.cumsum(lanes.cells) - lanes.cells - lanes.half, []
    while n:
        for _ in range(_UNCHECKED):
            kinds = reached.take(bases.take(at, mode="clip") + origins[:n] + (diagonal >> 1), mode="clip")
            visited.append((np.arange(n), kinds, at, diagonal))
            at, diagonal = at - back.take(kinds), diagonal + sideways.take(kinds)
        n = int(np.flatnonzero(at > np.abs(diagonal)).max(initial=-1)) + 1
        at, diagonal = at[:n], diagonal[:n]
    lane, kinds, at, diagonal = map(np.concatenate, zip(*visited, strict=True))
    # where one text is at its start, nothing is taken together any more
    across = np.flatnonzero((kinds == _ACROSS) & (at > np.abs(diagonal)))
    lane, predicted = lane[across], (at[across] + diagonal[across]) // 2
    left = lanes.reference_starts[lane] + at[across] - predicted - 1
    return lanes.pairs[lane], left, lanes.prediction_starts[lane] + predicted - 1
