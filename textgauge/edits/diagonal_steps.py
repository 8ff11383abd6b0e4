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
_MOST_CELLS = 2**20  # of a pair
_MOST_STEPS = 2**13  # of a pair
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
    lanes = _Lanes.of(references, predictions, edits, chosen)
    reference_codes = references.codes
    prediction_codes = predictions.codes
    if reference_codes.max() < 2**16 and prediction_codes.max() < 2**16:  # compared faster
        reference_codes = reference_codes.astype(np.uint16)
        prediction_codes = prediction_codes.astype(np.uint16)

    nothing = chosen[:0]
    aligned = [(nothing, nothing, nothing)]
    needed = np.maximum(lanes.cells, _LEAST_CELLS) * (lanes.steps + 1)
    for start, end in _batches(needed):
        batch = _Lanes(*(values[start:end] for values in lanes))
        reached, bases = _reached(batch, reference_codes, prediction_codes, insert_first)
        aligned.append(_walk_back(batch, reached, bases, insert_first))
    pairs, reference_places, prediction_places = map(np.concatenate, zip(*aligned, strict=True))
    return pairs, reference_places, prediction_places


def _batches(needed: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yields the bounds of the pairs that need up to `_CELLS` together, or of one."""
    start = 0
    needed_before = np.append(0, np.cumsum(needed))
    while start < len(needed):
        most = needed_before[start] + _CELLS
        end = int(np.searchsorted(needed_before, most, side="right")) - 1
        end = max(start + 1, end)
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
        sizes = references.lengths[pairs]
        edits = edits[pairs].astype(np.intp)
        surplus = predictions.lengths[pairs] - sizes
        half = -((edits - surplus) // 2) // 2
        cells = ((edits + surplus) // 2 - 2 * half + 1) // 2 + 2
        return cls(
            pairs=pairs,
            sizes=sizes,
            steps=steps[pairs],
            reference_starts=references.starts[pairs],
            prediction_starts=predictions.starts[pairs],
            half=half,
            cells=cells,
        )

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
        # a cell of an odd diagonal is between those of the even diagonals of the same number and the next one
        if step % 2:
            distances = odd[1 : size + 1]
            inserted = even[:size]
            deleted = even[1 : size + 1]
        else:
            distances = even[:size]
            inserted = odd[:size]
            deleted = odd[1 : size + 1]
        first, second = (inserted, deleted) if insert_first else (deleted, inserted)

        differ = wanted[:size] != predicted[:size]
        is_first = first < distances
        is_sideways = ((second < distances) | is_first) & differ
        # the cell diagonally before is in the same place of the same array
        distances += (differ ^ is_sideways).view(np.uint8)
        is_second = is_sideways > is_first
        kinds = reached[bases[step] : bases[step] + size]
        np.add(is_sideways.view(np.uint8), is_second.view(np.uint8), out=kinds)
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
    active = lanes.active()
    ends = np.cumsum(lanes.cells)
    firsts = ends - lanes.cells
    lasts = ends - 1
    n_cells = ends[-1]
    n_moves = len(active) // 2
    within = np.arange(n_cells) - np.repeat(firsts, lanes.cells)

    left = np.empty(n_cells + n_moves, dtype=references.dtype)
    first_places = lanes.reference_starts - lanes.half - 1
    left[n_moves:] = references.take(np.repeat(first_places, lanes.cells) - within, mode="clip")

    right = np.empty(n_cells + n_moves, dtype=references.dtype)
    starts = lanes.prediction_starts + lanes.half
    right[:n_cells] = predictions.take(np.repeat(starts, lanes.cells) + within, mode="clip")
    last_places = starts + lanes.cells - 1

    for step in range(1, len(active)):
        move = step // 2
        n_active = active[step]
        if step % 2:
            new = predictions.take(last_places[:n_active] + move, mode="clip")
            right[lasts[:n_active] + move] = new
        else:
            new = references.take(first_places[:n_active] + move, mode="clip")
            left[firsts[:n_active] + n_moves - move] = new
        yield left[n_moves - move :], right[(step - 1) // 2 :]


def _walk_back(
    lanes: _Lanes, reached: np.ndarray, bases: np.ndarray, insert_first: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns pairs, and the places in both arrays of codes, of the characters that are taken together."""
    # by the kind of a step: how many anti-diagonals, and diagonals, are between its cells
    back = np.array([2, 1, 1])
    sideways = np.array([0, -1, 1] if insert_first else [0, 1, -1])

    step = lanes.steps
    diagonal = lanes.steps - 2 * lanes.sizes
    n_active = len(lanes.steps)
    origins = np.cumsum(lanes.cells) - lanes.cells - lanes.half
    visited = []
    while n_active:
        for _ in range(_UNCHECKED):
            cells = bases.take(step, mode="clip") + origins[:n_active] + (diagonal >> 1)
            kinds = reached.take(cells, mode="clip")
            visited.append((np.arange(n_active), kinds, step, diagonal))
            step = step - back.take(kinds)
            diagonal = diagonal + sideways.take(kinds)
        # the longest pairs come first, so that mostly the last ones are done
        n_active = int(np.flatnonzero(step > np.abs(diagonal)).max(initial=-1)) + 1
        step = step[:n_active]
        diagonal = diagonal[:n_active]

    lane, kinds, step, diagonal = map(np.concatenate, zip(*visited, strict=True))
    # where one text is at its start, nothing is taken together any more
    across = np.flatnonzero((kinds == _ACROSS) & (step > np.abs(diagonal)))
    lane = lane[across]
    step = step[across]
    n_predicted = (step + diagonal[across]) // 2
    n_wanted = step - n_predicted
    reference_places = lanes.reference_starts[lane] + n_wanted - 1
    prediction_places = lanes.prediction_starts[lane] + n_predicted - 1
    return lanes.pairs[lane], reference_places, prediction_places
