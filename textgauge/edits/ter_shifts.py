"""TER's shifts: a block of words that stands elsewhere in the reference is moved there, for one edit.

The fewest edits with shifts cannot be found fast, so Snover et al. (2006, section 2.1) search greedily: of all shifts
of a block that occurs in the reference, make the one after which the fewest edits remain, as long as there is one that
leaves fewer. The score depends on which shifts are tried, which of equally good ones is made, and where the search
stops. Here it is what Tercom does, as sacreBLEU has it.

The trick is that all shifts of one step are known before any is tried: their distances come from one call of
rapidfuzz. sacreBLEU's distance looks no further than a beam around the diagonal. As long as few edits remain no best
path leaves the beam, so that it makes no difference; else the matrix is filled in for all shifts of a step together.
Texts are strings with a character per word, as `as_strings` of `tokens/chunks.py` writes them.
"""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from .beam_rows import BEAM, BeamRows
from .distances import align

_LONGEST = 10  # words of a block
_FARTHEST = 50  # words between its places
_MOST_TRIED = 1000  # shifts in all: the step that reaches them is not made


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
    """Returns the shifts that are made, what they make of the prediction, and all edits.

    >>> shift_words("나오갔", "오나갔")
    Shifted(shifts=[Shift(start=0, length=1, target=1)], prediction='오나갔', edits=1)
    """
    shifts: list[Shift] = []
    beam = BeamRows(prediction, reference)
    tried = 0
    edits = _distance(beam)
    while reference and edits:
        candidates = list(itertools.islice(_candidates(beam), _MOST_TRIED - tried))
        tried += len(candidates)
        if tried >= _MOST_TRIED or not candidates:
            break
        # fewest edits, longest block, first block, first target
        candidates = sorted(set(candidates), key=lambda shift: (-shift.length, shift.start, shift.target))
        texts = [move(beam.prediction, shift) for shift in candidates]
        distances = _distances_after(candidates, texts, beam)
        best = int(np.argmin(distances))
        if distances[best] >= edits:
            break
        shifts.append(candidates[best])
        beam = BeamRows(texts[best], reference)
        edits = int(distances[best])
    return Shifted(shifts, beam.prediction, len(shifts) + int(edits))


def move(words: Sequence, shift: Shift) -> Sequence:
    """Returns the words with the block at its new place.

    >>> move("abcd", Shift(start=0, length=1, target=3)), move(["나는", "오늘"], Shift(1, 1, 0))
    ('bcad', ['오늘', '나는'])
    """
    end = shift.start + shift.length
    rest = words[: shift.start] + words[end:]
    return rest[: shift.place] + words[shift.start : end] + rest[shift.place :]


def _candidates(beam: BeamRows) -> Iterator[Shift]:
    """Yields the shifts that Tercom tries: of blocks with an error, to where the reference has them and is not met.

    They go behind the word that is aligned with any word of the block in the reference, or with the word before it.
    """
    partners, reference_errors, errors = _errors(_edit_steps(beam))
    for start, first, length in _common_blocks(beam.prediction, errors, beam.reference, reference_errors):
        if not any(errors[start : start + length]) or not any(reference_errors[first : first + length]):
            continue
        if start <= partners[first] < start + length:
            continue

        targets = [partner + 1 for partner in partners[max(first - 1, 0) : first + length]]
        if not first:
            targets.insert(0, 0)
        for target, _ in itertools.groupby(targets):
            yield Shift(start, length, target)


def _common_blocks(
    prediction: str, errors: Sequence[bool], reference: str, reference_errors: Sequence[bool]
) -> Iterator[tuple[int, int, int]]:
    """Yields start in the prediction, start in the reference, and length of all blocks that are in both.

    Those where the longest block would have no error in one text may be left out.
    """
    positions: dict[str, list[int]] = {}
    for first, word in enumerate(reference):
        if any(reference_errors[first : first + _LONGEST]):
            positions.setdefault(word, []).append(first)

    for start, word in enumerate(prediction):
        if word not in positions or not any(errors[start : start + _LONGEST]):
            continue
        found = positions[word]
        near = found[bisect_left(found, start - _FARTHEST) : bisect_right(found, start + _FARTHEST)]
        for first in near:
            pairs = zip(prediction[start : start + _LONGEST], reference[first : first + _LONGEST], strict=False)
            for length, (predicted, wanted) in enumerate(pairs, start=1):
                if predicted != wanted:
                    break
                yield start, first, length


def _errors(steps: Sequence[str]) -> tuple[list[int], list[bool], list[bool]]:
    """Returns the word of the prediction (or the one before) that each of the reference is aligned with, and errors.

    These are marks of the words of the reference, and of the prediction, that are not aligned with an equal word.
    """
    partners = []
    reference_errors = []
    errors = []
    last = -1
    for kind in steps:
        if kind != "delete":
            last += 1
            errors.append(kind != "equal")
        if kind != "insert":
            partners.append(last)
            reference_errors.append(kind != "equal")
    return partners, reference_errors, errors


def _distance(beam: BeamRows) -> int:
    """Returns the edit distance within the beam."""
    distance = Levenshtein.distance(beam.reference, beam.prediction)
    is_plain = _is_within_beam(np.int64(distance), len(beam.prediction), len(beam.reference))
    return distance if is_plain else beam.distance()


def _distances_after(shifts: Sequence[Shift], texts: Sequence[str], beam: BeamRows) -> np.ndarray:
    """Returns the edit distances within the beam of what shifts make of a prediction, (n_texts,) int64."""
    length = len(beam.prediction)
    reference_length = len(beam.reference)
    # of a text with more edits it is enough to know that it has more
    most = max(0, 2 * BEAM - 3 - abs(length - reference_length))
    distances = cdist([beam.reference], texts, scorer=Levenshtein.distance, score_cutoff=most, dtype=np.int64)[0]

    is_plain = _is_within_beam(distances, length, reference_length)
    for index in np.flatnonzero(~is_plain).tolist():
        shift = shifts[index]
        first, last = sorted((shift.start, shift.place))
        end = min(last + shift.length, length)
        distances[index] = beam.distance_of(texts[index], first, end)
    return distances


def _is_within_beam(distances: np.ndarray, length: int, reference_length: int) -> np.ndarray:
    """Tells for which distances no path of so many edits leaves the beam.

    With d edits and lengths that differ by s, no path is farther than (d + s) / 2 from the diagonal of the matrix; one
    more is for rounding. An empty prediction has one path.
    """
    return (distances + abs(length - reference_length) < 2 * BEAM - 2) | (length == 0) | (reference_length == 0)


def edit_steps(prediction: str, reference: str) -> list[str]:
    """Returns the kinds of the steps of the alignment that Tercom takes, as `align` names them.

    Seen from the end, it goes on in both texts wherever that is cheapest, else inserts, else deletes.

    >>> edit_steps("오늘갔", "오갔다")
    ['equal', 'substitute', 'substitute']
    """
    return _edit_steps(BeamRows(prediction, reference))


def _edit_steps(beam: BeamRows) -> list[str]:
    distance = Levenshtein.distance(beam.reference, beam.prediction)
    if not _is_within_beam(np.int64(distance), len(beam.prediction), len(beam.reference)):
        return beam.steps()
    runs = align(beam.reference, beam.prediction, "nlptutti", distance)
    steps = []
    for kind, start, end, predicted_start, predicted_end in runs:
        steps += [kind] * max(end - start, predicted_end - predicted_start)
    return steps
