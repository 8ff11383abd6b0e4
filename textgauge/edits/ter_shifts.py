"""TER's shifts: a block of words that stands elsewhere in the reference is moved there, for one edit.

The fewest edits with shifts cannot be found fast, so Snover et al. (2006, section 2.1) search greedily: of all shifts
of a block that occurs in the reference, make the one after which the fewest edits remain, as long as there is one that
leaves fewer. The score depends on which shifts are tried, which of equally good ones is made, and where the search
stops. Here it is what Tercom does, as sacreBLEU has it.

The trick is that all shifts of one step are known before any is tried: their distances come from one call of
rapidfuzz. sacreBLEU's distance looks no further than a beam around the diagonal. As long as few edits remain no best
path leaves the beam, so that it makes no difference; else the matrix is filled in for all shifts of a step together.
Texts are strings with a character per word, as `as_strings` of `tokens/tokenizers.py` writes them.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from .distances import align

_LONGEST, _FARTHEST, _BEAM = 10, 50, 25  # words of a block; between its places; on either side of the diagonal
_MOST_TRIED = 1000  # shifts in all: the step that reaches them is not made
_INFINITE = 2**40


class Shift(NamedTuple):
    """A block of the prediction, and where Tercom puts it."""

    start: int
    length: int
    target: int  # the word before which it goes; one within the block or just behind counts without the block

    @property
    def place(self) -> int:
        """Where the block starts afterwards."""
        return self.target if self.target <= self.start + self.length else self.target - self.length


class Shifted(NamedTuple):
    """A prediction on its way to a reference."""

    shifts: list[Shift]  # one after the other
    prediction: str  # after all of them
    edits: int  # those that then remain, and the shifts


def shift_words(prediction: str, reference: str) -> Shifted:
    """Returns the shifts that are made, what they make of the prediction, and all edits."""
    shifts: list[Shift] = []
    tried, edits = 0, _distances([prediction], reference)[0]
    while reference and edits:
        found = list(itertools.islice(_candidates(prediction, reference), _MOST_TRIED - tried))
        tried += len(found)
        if tried >= _MOST_TRIED or not found:
            break
        # fewest edits, longest block, first block, first target
        found = sorted(set(found), key=lambda shift: (-shift.length, shift.start, shift.target))
        texts = [move(prediction, shift) for shift in found]
        distances = _distances(texts, reference)
        best = int(np.argmin(distances))
        if distances[best] >= edits:
            break
        shifts.append(found[best])
        prediction, edits = texts[best], int(distances[best])
    return Shifted(shifts, prediction, len(shifts) + int(edits))


def move(words: Sequence, shift: Shift) -> Sequence:
    """Returns the words with the block at its new place: "abcd" with Shift(0, 1, 3) is "bcad"."""
    end = shift.start + shift.length
    rest = words[: shift.start] + words[end:]
    return rest[: shift.place] + words[shift.start : end] + rest[shift.place :]


def _candidates(prediction: str, reference: str) -> Iterator[Shift]:
    """Yields the shifts that Tercom tries: of blocks with an error, to where the reference has them and is not met.

    They go behind the word that is aligned with any word of the block in the reference, or with the word before it.
    """
    partners, reference_errors, errors = _errors(edit_steps(prediction, reference))
    for start, first, length in _common_blocks(prediction, reference):
        if not (any(errors[start : start + length]) and any(reference_errors[first : first + length])):
            continue
        if start <= partners[first] < start + length:
            continue
        places = (partners[at] + 1 if at >= 0 else 0 for at in range(first - 1, first + length))
        for target, _ in itertools.groupby(places):
            yield Shift(start, length, target)


def _common_blocks(prediction: str, reference: str) -> Iterator[tuple[int, int, int]]:
    """Yields start in the prediction, start in the reference, and length of all blocks that are in both."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(reference):
        places.setdefault(word, []).append(place)
    for start, word in enumerate(prediction):
        for first in places.get(word, ()):
            if abs(first - start) <= _FARTHEST:
                pairs = zip(prediction[start : start + _LONGEST], reference[first : first + _LONGEST], strict=False)
                for length, (one, other) in enumerate(pairs, start=1):
                    if one != other:
                        break
                    yield start, first, length


def _errors(steps: Sequence[str]) -> tuple[list[int], list[bool], list[bool]]:
    """Returns the word of the prediction (or the one before) that each of the reference is aligned with, and errors.

    These are marks of the words of the reference, and of the prediction, that are not aligned with an equal word.
    """
    partners, reference_errors, errors, place = [], [], [], -1
    for kind in steps:
        if kind != "delete":
            place += 1
            errors.append(kind != "equal")
        if kind != "insert":
            partners.append(place)
            reference_errors.append(kind != "equal")
    return partners, reference_errors, errors


def _distances(predictions: Sequence[str], reference: str) -> np.ndarray:
    """Returns the edit distances within the beam of predictions of equal length, (n_predictions,) int64."""
    distances = cdist([reference], predictions, scorer=Levenshtein.distance, dtype=np.int64)[0]
    beyond = np.flatnonzero(~_is_within_beam(distances, len(predictions[0]), len(reference)))
    if len(beyond):
        for _, row in _beam_rows([predictions[i] for i in beyond.tolist()], reference):
            last = row
        distances[beyond] = last[:, -1]
    return distances


def _is_within_beam(distances: np.ndarray, length: int, reference_length: int) -> np.ndarray:
    """Tells for which distances no path of so many edits leaves the beam.

    With d edits and lengths that differ by s, no path is farther than (d + s) / 2 from the diagonal of the matrix; one
    more is for rounding. An empty prediction has one path.
    """
    return (distances + abs(length - reference_length) < 2 * _BEAM - 2) | (length == 0) | (reference_length == 0)


def edit_steps(prediction: str, reference: str) -> list[str]:
    """Returns the kinds of the steps of the alignment that Tercom takes, as `align` names them.

    Seen from the end, it goes on in both texts wherever that is cheapest, else inserts, else deletes.
    """
    distance = Levenshtein.distance(reference, prediction)
    if _is_within_beam(np.int64(distance), len(prediction), len(reference)):
        runs = align(reference, prediction, "nlptutti")
        return [kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))]
    rows = [(0, range(len(reference) + 1)), *((low, row[0]) for low, row in _beam_rows([prediction], reference))]

    def cost(i: int, j: int) -> int:
        low, row = rows[i]
        return int(row[j - low]) if low <= j < low + len(row) else _INFINITE

    i, j, steps = len(prediction), len(reference), []
    while i or j:
        is_equal = i and j and prediction[i - 1] == reference[j - 1]
        if i and j and cost(i - 1, j - 1) + (not is_equal) == cost(i, j):
            steps.append("equal" if is_equal else "substitute")
        else:
            steps.append("insert" if i and cost(i - 1, j) + 1 == cost(i, j) else "delete")
        i -= steps[-1] != "delete"
        j -= steps[-1] != "insert"
    return steps[::-1]


def _beam_rows(predictions: Sequence[str], reference: str) -> Iterator[tuple[int, np.ndarray]]:
    """Yields the matrices of edit distances row by row, where they are within the beam.

    Each row is the first column within it and the costs from there on, (n_predictions, n_columns) int64.
    """
    words = np.array([[*map(ord, text)] for text in predictions])
    columns = np.array([-1, *map(ord, reference)])  # the word before each column
    ratio = len(reference) / words.shape[1]
    beam = math.ceil(ratio / 2 + _BEAM) if ratio / 2 > _BEAM else _BEAM
    low, row = 0, np.broadcast_to(np.arange(len(columns)), (len(words), len(columns)))
    for i, word in enumerate(words.T[:, :, None], start=1):
        middle, before = math.floor(i * ratio), low
        low, high = max(0, middle - beam), len(columns) if i == len(words.T) else min(len(columns), middle + beam)
        above = np.full((len(words), high - low + 1), _INFINITE)  # from one column before
        first, last = max(low - 1, before), min(high, before + row.shape[1])
        above[:, first - low + 1 : last - low + 1] = row[:, first - before : last - before]
        costs = np.minimum(above[:, 1:] + 1, above[:, :-1] + (word != columns[low:high]))
        # a deletion costs one more than the column before: the least of all columns before, each with its distance
        places = np.arange(high - low)
        row = np.minimum.accumulate(costs - places, axis=1) + places
        yield low, row
