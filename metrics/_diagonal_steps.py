"""Alignments of many pairs of strings at once that take a character of both strings wherever that is cheapest.

The idea: the cells of an anti-diagonal of the matrix of edit distances do not depend on one another, and neither do
pairs of strings. So each anti-diagonal of all pairs is computed at once, and each cell keeps from where it is reached.
Then all pairs walk back together. With d edits, a cheapest path stays on d + 1 diagonals; the others are left out.

The trick: diagonals are numbered from an even one on, so that every other anti-diagonal has the even ones alone, and a
pair's characters are shifted by its first diagonal. Then what meets on an anti-diagonal are slices of arrays.

The plain version, for one pair, is `align` of `_edits.py`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ._columns import lengths_of

_CELLS = 2**23  # bytes that are kept together
_LEAST_WIDTH = 16
_MOST_CELLS, _MOST_STEPS = 2**20, 2**13  # of a pair
_FAR = 2**14  # more than any distance here; with _MOST_STEPS added it fits into 16 bits
_ACROSS, _DONE = 0, 3  # how a cell is reached; 1 and 2 are the first and the second choice of delete and insert


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
    """Returns which pairs `aligned_places` takes: not those that need much memory."""
    steps = references.lengths + predictions.lengths + 1
    return (steps < _MOST_STEPS) & (steps * (edits // 2 + 2) < _MOST_CELLS)


def aligned_places(
    references: Characters, predictions: Characters, edits: np.ndarray, chosen: np.ndarray, insert_first: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns which characters are aligned with each other: the pair, and the places in both arrays of codes.

    Args:
        references: strings.
        predictions: as many strings.
        edits: (n_pairs,) their edit distances.
        chosen: numbers of the pairs to align, which are short.
        insert_first: insert where that is as cheap as to delete.
    """
    edits, found = edits.astype(np.intp), [(chosen[:0],) * 3]
    for batch in _batches(references.lengths + predictions.lengths, edits, chosen):
        lanes = _Lanes.of(references, predictions, edits, batch)
        reached = _reached(lanes, references, predictions, insert_first)
        found.append(_walk(lanes, reached, insert_first))
    pairs, left, right = map(np.concatenate, zip(*found, strict=True))
    return pairs, left, right


def _batches(steps: np.ndarray, edits: np.ndarray, chosen: np.ndarray) -> Iterator[np.ndarray]:
    """Yields numbers of pairs that need up to `_CELLS` cells together, those with the longest texts first."""
    order, start = chosen[np.argsort(-steps[chosen], kind="stable")], 0
    while start < len(order):
        longest, most = steps[order[start]] + 1, np.maximum.accumulate(edits[order[start:]])
        # the way back needs memory for each step, however few diagonals there are
        needed = longest * np.maximum(most // 2 + 2, _LEAST_WIDTH) * np.arange(1, len(most) + 1)
        end = start + max(1, int(np.searchsorted(needed, _CELLS, side="right")))
        yield order[start:end]
        start = end


class _Lanes(NamedTuple):
    """The pairs of a batch, those with the longest texts first; arrays (n_pairs,)."""

    pairs: np.ndarray
    sizes: np.ndarray  # characters of the reference
    steps: np.ndarray  # characters of both
    reference_starts: np.ndarray
    prediction_starts: np.ndarray
    half: np.ndarray  # half the number of the first diagonal; a diagonal is the place in the prediction less the other
    width: int  # even diagonals, less one

    @classmethod
    def of(cls, references: Characters, predictions: Characters, edits: np.ndarray, pairs: np.ndarray) -> "_Lanes":
        """Returns these pairs."""
        sizes, others = references.lengths[pairs], predictions.lengths[pairs]
        surplus, edits = others - sizes, edits[pairs]
        half = -((edits - surplus) // 2) // 2
        width = int(((edits + surplus) // 2 - 2 * half + 1).max() // 2)
        return cls(pairs, sizes, sizes + others, references.starts[pairs], predictions.starts[pairs], half, width)


def _taken(texts: Characters, starts: np.ndarray, lengths: np.ndarray, places: np.ndarray, fill: int) -> np.ndarray:
    """Returns the characters at places of texts, (n_places, n_texts), and `fill` outside of a text."""
    inside = (places >= 0) & (places < lengths)
    return np.where(inside, np.take(texts.codes, starts + places, mode="clip"), np.int32(fill))


def _reached(lanes: _Lanes, references: Characters, predictions: Characters, insert_first: bool) -> np.ndarray:
    """Returns how each cell is reached: (anti-diagonal, half the number of the diagonal, pair)."""
    longest, width, half = int(lanes.steps[0]), lanes.width, lanes.half
    middle, n_pairs = longest // 2, len(half)
    places = np.arange(middle + width + 2)[:, None]
    predicted = _taken(predictions, lanes.prediction_starts, lanes.steps - lanes.sizes, places + half - 1, -1)
    wanted = _taken(references, lanes.reference_starts, lanes.sizes, middle - places - half - 1, -2)
    even = np.full((width + 1, n_pairs), _FAR, dtype=np.int16)  # distances on the two latest anti-diagonals
    odd = np.full((width + 2, n_pairs), _FAR, dtype=np.int16)  # the first and the last one are left out
    even[-half, np.arange(n_pairs)] = 0
    reached = np.empty((longest + 1, width + 1, n_pairs), dtype=np.uint8)
    reached[0] = _DONE
    active = np.searchsorted(-lanes.steps, -np.arange(longest + 1), side="right").tolist()
    for step in range(1, longest + 1):
        (at, is_odd), n = divmod(step, 2), active[step]
        here = odd[1:-1, :n] if is_odd else even[:, :n]
        insert, delete = (even[:-1, :n], even[1:, :n]) if is_odd else (odd[:-1, :n], odd[1:, :n])
        first, second = (insert, delete) if insert_first else (delete, insert)
        rows = len(here)
        differ = predicted[at + is_odd : at + is_odd + rows, :n] != wanted[middle - at : middle - at + rows, :n]
        across, other = here + differ.view(np.int8), np.minimum(first, second)
        other += 1
        np.left_shift((across > other).view(np.uint8), (second < first).view(np.uint8), out=reached[step, :rows, :n])
        np.minimum(across, other, out=here)
    return reached


def _walk(lanes: _Lanes, reached: np.ndarray, insert_first: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns pairs, and the places in both arrays of codes, of the characters that are taken together."""
    back, sideways = np.array([2, 1, 1, 0]), np.array([0, -1, 1, 0] if insert_first else [0, 1, -1, 0])
    _, width, n_pairs = reached.shape
    at, diagonal, numbers = lanes.steps, lanes.steps - 2 * (lanes.sizes + lanes.half), np.arange(n_pairs)
    flat, visited = reached.ravel(), [(at[:0],) * 3]
    while at.any():
        kinds = np.take(flat, (at * width + (diagonal >> 1)) * n_pairs + numbers)
        visited.append((kinds, at, diagonal))
        at, diagonal = at - back.take(kinds), diagonal + sideways.take(kinds)
    kinds, at, diagonal = map(np.concatenate, zip(*visited, strict=True))
    across = np.flatnonzero(kinds == _ACROSS)
    lane = across % n_pairs
    predicted = (at[across] + diagonal[across]) // 2 + lanes.half[lane]
    left = lanes.reference_starts[lane] + at[across] - predicted - 1
    return lanes.pairs[lane], left, lanes.prediction_starts[lane] + predicted - 1
