"""The alignment on which kinds of errors rest: of those with the fewest edits one with the most hits.

An alignment with fewer hits calls a word wrong that both texts have. The idea: against deleting all and inserting all a
hit saves two edits, and a substitution slightly less than one, so little less that no number of them is worth an edit.
The trick: a row of the matrix is computed at once, because deletions and insertions save nothing.
"""

from collections.abc import Sequence

import numpy as np

from .distances import AlignmentRun, runs_of

_LARGEST_MATRIX = 2**22  # cells, 16 MB


def most_hits(reference: Sequence[str], prediction: Sequence[str]) -> list[AlignmentRun] | None:
    """Returns an alignment with the fewest edits, and of these the most hits; None for texts that are too long.

    It goes through both texts from the end and takes a token of both where that is as good; else that of the two which
    sorts last, so that exchanged texts have exchanged alignments.

    >>> most_hits(["하하", "3", "네"], ["3", "네", "네", "네"])
    [('delete', 0, 1, 0, 0), ('equal', 1, 2, 0, 1), ('insert', 2, 2, 1, 3), ('equal', 2, 3, 3, 4)]
    """
    start = _n_equal(reference, prediction)
    end = _n_equal(reference[start:][::-1], prediction[start:][::-1])
    wanted = reference[start : len(reference) - end]
    predicted = prediction[start : len(prediction) - end]
    if (len(wanted) + 1) * (len(predicted) + 1) > _LARGEST_MATRIX:
        return None
    return runs_of([*["equal"] * start, *_kinds_of_steps(wanted, predicted), *["equal"] * end])


def _n_equal(reference: Sequence[str], prediction: Sequence[str]) -> int:
    """Returns how many first tokens are equal."""
    for place, (wanted, predicted) in enumerate(zip(reference, prediction, strict=False)):
        if wanted != predicted:
            return place
    return min(len(reference), len(prediction))


def _kinds_of_steps(reference: Sequence[str], prediction: Sequence[str]) -> list[str]:
    """Returns the kind of each step of the alignment."""
    edit = min(len(reference), len(prediction)) + 1
    gains = _gains(reference, prediction, edit)
    i = len(reference)
    j = len(prediction)
    steps = []
    while i and j:
        gain = gains[i, j]
        if reference[i - 1] == prediction[j - 1]:
            kind = "equal"
        elif gain == gains[i - 1, j - 1] + edit - 1:
            kind = "substitute"
        else:
            deletes = gain == gains[i - 1, j]
            inserts = gain == gains[i, j - 1]
            kind = "delete" if deletes and not (inserts and prediction[j - 1] > reference[i - 1]) else "insert"
        steps.append(kind)
        i -= kind != "insert"
        j -= kind != "delete"
    return [*["delete"] * i, *["insert"] * j, *reversed(steps)]


def _gains(reference: Sequence[str], prediction: Sequence[str], edit: int) -> np.ndarray:
    """Returns what is gained by an alignment of the first tokens, (len(reference) + 1, len(prediction) + 1).

    One that deletes and inserts all gains nothing. Each edit less gains `edit`, more than all substitutions lose.
    """
    numbers: dict[str, int] = {}
    wanted = np.array([numbers.setdefault(token, len(numbers)) for token in reference], dtype=np.int32)
    predicted = np.array([numbers.setdefault(token, len(numbers)) for token in prediction], dtype=np.int32)
    of_pairs = np.where(wanted[:, None] == predicted, np.int32(2 * edit), np.int32(edit - 1))
    gains = np.zeros((len(reference) + 1, len(prediction) + 1), dtype=np.int32)
    for above, row, gains_of_pairs in zip(gains, gains[1:], of_pairs, strict=False):
        np.maximum(above[1:], above[:-1] + gains_of_pairs, out=row[1:])
        np.maximum.accumulate(row, out=row)
    return gains
