"""Edit distances between strings: error rates, counts of each kind of edit, alignments.

Texts are compared character by character. Tokens are compared likewise, with one character for each token (`as_strings`
of `tokens/chunks.py`). Where several alignments have the fewest edits, the numbers of substitutions, deletions and
insertions depend on which one is taken; `align` says which.
"""

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.columns import lengths_of

from .diagonal_steps import Characters, aligned_places, are_short
from .distance_columns import ColumnsBack

# edits of one kind that follow one another: kind, start and end in the reference, start and end in the prediction
AlignmentRun = tuple[str, int, int, int, int]


class Alignment(NamedTuple):
    """How two texts are aligned."""

    runs: Sequence[AlignmentRun]
    reference: Sequence[str]  # characters or words
    prediction: Sequence[str]


_KINDS = {"equal": "equal", "replace": "substitute", "delete": "delete", "insert": "insert"}


def count_edits(references: Sequence[str], predictions: Sequence[str], edits: np.ndarray, ties: str) -> np.ndarray:
    """Returns substitutions, deletions, insertions and hits of each pair of strings, (n_pairs, 4) int64.

    The idea: with S substitutions, D deletions and I insertions there are S + D + I edits, and D - I is the difference
    of the lengths. So S alone has to be found. The trick: for most pairs the two numbers determine S already, and only
    the others are aligned. The plain version counts `steps` of tests/oracles.py.

    >>> count_edits(["한글날", "책"], ["한굴", "책"], np.array([2, 0]), ties="jiwer").tolist()
    [[1, 1, 0, 1], [0, 0, 0, 1]]

    Args:
        references: strings.
        predictions: as many strings.
        edits: (n_pairs,) their edit distances.
        ties: which alignment to count, see `align`.
    """
    lengths = lengths_of(references)
    prediction_lengths = lengths_of(predictions)
    surplus = lengths - prediction_lengths
    # edits = S + 2 min(D, I) + |surplus|: where this is at most |surplus| + 1, the one more is a substitution
    substitutions = edits - np.abs(surplus)
    open_pairs = np.flatnonzero(substitutions > 1)
    if ties == "jiwer":
        hits = [_hits(references[pair], predictions[pair]) for pair in open_pairs.tolist()]
        # S + D + hits is one length, S + I + hits the other
        edits_left = (lengths + prediction_lengths - edits)[open_pairs]
        substitutions[open_pairs] = edits_left - 2 * np.array(hits, dtype=np.int64)
    else:
        substitutions[open_pairs] = _substitutions(references, predictions, edits, open_pairs, ties)
    deletions = (edits - substitutions + surplus) // 2
    return np.column_stack([substitutions, deletions, deletions - surplus, lengths - substitutions - deletions])


def _hits(reference: str, prediction: str) -> int:
    """Returns how many characters the alignment "jiwer" has in common."""
    return sum([block.size for block in Levenshtein.editops(reference, prediction).as_matching_blocks()])


def _substitutions(
    references: Sequence[str], predictions: Sequence[str], edits: np.ndarray, chosen: np.ndarray, ties: str
) -> np.ndarray:
    """Returns how many substitutions the alignments of the chosen pairs have."""
    wanted = Characters.of(references)
    predicted = Characters.of(predictions)
    is_short = are_short(wanted, predicted, edits)[chosen]
    pairs, places, predicted_places = aligned_places(wanted, predicted, edits, chosen[is_short], ties == "nlptutti")
    differ = wanted.codes[places] != predicted.codes[predicted_places]
    counts = np.bincount(pairs[differ], minlength=len(edits))
    for pair in chosen[~is_short].tolist():
        runs = align(references[pair], predictions[pair], ties, int(edits[pair]))
        counts[pair] = sum(end - start for kind, start, end, _, _ in runs if kind == "substitute")
    return counts[chosen]


def align(reference: str, prediction: str, ties: str = "jiwer", edits: int | None = None) -> list[AlignmentRun]:
    """Returns an alignment with the fewest edits, as runs of one kind: "equal", "substitute", "delete" or "insert".

    >>> align("한글날", "한굴")
    [('equal', 0, 1, 0, 1), ('substitute', 1, 2, 1, 2), ('delete', 2, 3, 2, 2)]

    Args:
        reference: a string.
        prediction: a string.
        ties: which alignment, where several have the fewest edits. All go through both strings from the end.
            "jiwer" (rapidfuzz's): first what both strings end with and begin with is aligned. Of the rest it deletes
            wherever that is cheapest; else it inserts, if the prediction without its last character is nearer to the
            reference than to the reference without its last character; else it takes a character of both.
            "espnet": it takes a character of both wherever that is cheapest, else it deletes, else it inserts.
            "nlptutti": as "espnet", but it inserts where that is as cheap as to delete.
        edits: their edit distance, if it is known.
    """
    if ties == "jiwer":
        return [(_KINDS[kind], a, b, c, d) for kind, a, b, c, d in Levenshtein.opcodes(reference, prediction).as_list()]
    return runs_of(_diagonal_path(reference, prediction, ties == "nlptutti", edits))


def runs_of(kinds: Iterable[str]) -> list[AlignmentRun]:
    """Returns the steps of an alignment, of which these are the kinds, as runs.

    >>> runs_of(["equal", "equal", "delete", "insert"])
    [('equal', 0, 2, 0, 2), ('delete', 2, 3, 2, 2), ('insert', 3, 3, 2, 3)]
    """
    runs = []
    i = 0
    j = 0
    for kind, steps in itertools.groupby(kinds):
        length = len(list(steps))
        end_i = i if kind == "insert" else i + length
        end_j = j if kind == "delete" else j + length
        runs.append((kind, i, end_i, j, end_j))
        i, j = end_i, end_j
    return runs


def _diagonal_path(reference: str, prediction: str, insert_first: bool, edits: int | None) -> list[str]:
    """Returns the kind of each step of the alignment that takes a character of both strings wherever it can."""
    edits = Levenshtein.distance(reference, prediction) if edits is None else edits
    columns = ColumnsBack(reference, prediction, edits)
    i = len(reference)
    j = len(prediction)
    steps = []
    column = columns.before([i])
    while i and j:
        if reference[i - 1] == prediction[j - 1]:
            kind = "equal"
        else:
            is_level, deletes, inserts = column.at(i)
            if not is_level:
                kind = "substitute"
            elif inserts and (insert_first or not deletes):
                kind = "insert"
            else:
                kind = "delete"

        steps.append(kind)
        if kind != "insert":
            i -= 1
        if kind != "delete":
            j -= 1
            column = columns.before([i])
    return [*["delete"] * i, *["insert"] * j, *reversed(steps)]
