"""Edit distances between strings: error rates, counts of each kind of edit, alignments.

Texts are compared character by character. Tokens are compared likewise, with one character for each token (`as_strings`
of `tokens/tokenizers.py`). Where several alignments have the fewest edits, the numbers of substitutions, deletions and
insertions depend on which one is taken; `align` says which.
"""

import collections
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.columns import lengths_of

from .diagonal_steps import Characters, aligned_places, are_short

# edits of one kind that follow one another: kind, start and end in the reference, start and end in the prediction
Run = tuple[str, int, int, int, int]
_KEPT_EVERY = 1024  # columns of the matrix of edit distances, of which one is kept
_KINDS = {"equal": "equal", "replace": "substitute", "delete": "delete", "insert": "insert"}


def count_edits(references: Sequence[str], predictions: Sequence[str], edits: np.ndarray, ties: str) -> np.ndarray:
    """Returns substitutions, deletions, insertions and hits of each pair of strings, (n_pairs, 4) int64.

    The idea: with S substitutions, D deletions and I insertions there are S + D + I edits, and D - I is the difference
    of the lengths. So S alone has to be found. The trick: for most pairs the two numbers determine S already, and only
    the others are aligned. The plain version counts `steps` of tests/oracles.py.

    Args:
        references: strings.
        predictions: as many strings.
        edits: (n_pairs,) their edit distances.
        ties: which alignment to count, see `align`.
    """
    lengths, others = lengths_of(references), lengths_of(predictions)
    surplus = lengths - others
    # edits = S + 2 min(D, I) + |surplus|: where this is at most |surplus| + 1, the one more is a substitution
    substitutions = edits - np.abs(surplus)
    open_pairs = np.flatnonzero(substitutions > 1)
    if ties == "jiwer":
        hits = [_hits(references[pair], predictions[pair]) for pair in open_pairs.tolist()]
        # S + D + hits is one length, S + I + hits the other
        substitutions[open_pairs] = (lengths + others - edits)[open_pairs] - 2 * np.array(hits, dtype=np.int64)
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
    left, right = Characters.of(references), Characters.of(predictions)
    short = are_short(left, right, edits)
    places = aligned_places(left, right, edits, chosen[short[chosen]], ties == "nlptutti")
    pairs, differ = places[0], left.codes[places[1]] != right.codes[places[2]]
    counts = np.bincount(pairs[differ], minlength=len(edits))
    for pair in chosen[~short[chosen]].tolist():
        runs = align(references[pair], predictions[pair], ties)
        counts[pair] = sum(run[2] - run[1] for run in runs if run[0] == "substitute")
    return counts[chosen]


def align(reference: str, prediction: str, ties: str = "jiwer") -> list[Run]:
    """Returns an alignment with the fewest edits, as runs of one kind: "equal", "substitute", "delete" or "insert".

    Args:
        reference: a string.
        prediction: a string.
        ties: which alignment, where several have the fewest edits. All go through both strings from the end.
            "jiwer" (rapidfuzz's): first what both strings end with and begin with is aligned. Of the rest it deletes
            wherever that is cheapest; else it inserts, if the prediction without its last character is nearer to the
            reference than to the reference without its last character; else it takes a character of both.
            "espnet": it takes a character of both wherever that is cheapest, else it deletes, else it inserts.
            "nlptutti": as "espnet", but it inserts where that is as cheap as to delete.
    """
    if ties == "jiwer":
        return [(_KINDS[kind], a, b, c, d) for kind, a, b, c, d in Levenshtein.opcodes(reference, prediction).as_list()]
    return runs_of(_diagonal_path(reference, prediction, ties == "nlptutti"))


def runs_of(kinds: Iterable[str]) -> list[Run]:
    """Returns the steps of an alignment, of which these are the kinds, as runs."""
    runs, i, j = [], 0, 0
    for kind, steps in itertools.groupby(kinds):
        length = len(list(steps))
        end_i, end_j = i + length * (kind != "insert"), j + length * (kind != "delete")
        runs.append((kind, i, end_i, j, end_j))
        i, j = end_i, end_j
    return runs


def _diagonal_path(reference: str, prediction: str, insert_first: bool) -> list[str]:
    """Returns the kind of each step of the alignment that takes a character of both strings wherever it can."""
    columns = columns_from_last(reference, prediction)
    i, j, steps = len(reference), len(prediction), []
    column = next(columns, ())
    while i and j:
        is_level, deletes, inserts = (bits >> (i - 1) & 1 for bits in column)
        if reference[i - 1] == prediction[j - 1]:
            steps.append("equal")
        elif not is_level:
            steps.append("substitute")
        else:
            steps.append("insert" if inserts and (insert_first or not deletes) else "delete")
        i -= steps[-1] != "insert"
        if steps[-1] != "delete":
            j, column = j - 1, next(columns, ())
    return [*["delete"] * i, *["insert"] * j, *reversed(steps)]


def columns_from_last(reference: str, prediction: str) -> Iterator[tuple[int, int, int]]:
    """Yields what `_distance_columns` says of each character of the prediction, from the last one to the first.

    A walk back through the matrix of edit distances needs all of it in the end. The trick: only one column in so many
    is kept, and those between are computed again.
    """
    rows_of = {character: _mask(rows, len(reference)) for character, rows in _places(reference).items()}
    kept = _kept_columns(rows_of, len(reference), prediction)
    for number in reversed(range(len(kept))):
        between = prediction[number * _KEPT_EVERY : (number + 1) * _KEPT_EVERY]
        columns = [column[:3] for column in _distance_columns(rows_of, len(reference), between, *kept[number])]
        yield from reversed(columns)


def _kept_columns(rows_of: Mapping[str, int], n_rows: int, prediction: str) -> list[tuple[int, int]]:
    """Returns where the distance rises and falls down a column, for columns 0, `_KEPT_EVERY`, and so on."""
    kept = [(-1, 0)]
    if len(prediction) > _KEPT_EVERY:
        columns = _distance_columns(rows_of, n_rows, prediction, *kept[0])
        kept += [column[1::2] for column in itertools.islice(columns, _KEPT_EVERY - 1, None, _KEPT_EVERY)]
    return kept


def _distance_columns(
    rows_of: Mapping[str, int], n_rows: int, prediction: str, rises: int, falls: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yields what decides each step back through the matrix of edit distances, column by column.

    The idea: the matrix has a row for each character of the reference and a column for each one of the prediction, and
    neighbouring cells differ by at most 1. The trick: a whole column is a few integers, with bit i for row i + 1, and
    follows from the column before in a few operations (Hyyrö 2003, figure 8). The plain version, cell by cell, is
    `steps` of tests/oracles.py.

    The integers have these bits set: where the distance is that of the cell diagonally before; where it is one more
    than in the row above, so that a deletion is cheapest; where it is one more than in the column before, so that an
    insertion is; where it is one less than in the row above.

    Args:
        rows_of: mask of the rows of each character of the reference.
        n_rows: the rows to compute, from the first one on.
        prediction: the characters of the columns.
        rises: the column before, where the distance is one more than in the row above; -1, everywhere, for column 0.
        falls: likewise, where it is one less.
    """
    mask = (1 << n_rows) - 1
    rises, falls = rises & mask, falls & mask
    for character in prediction:
        equal = rows_of.get(character, 0) & mask
        level = (((equal & rises) + rises) ^ rises | equal | falls) & mask
        grows, shrinks = falls | ~(level | rises) & mask, level & rises
        shifted = grows << 1 | 1
        rises, falls = (shrinks << 1 | ~(level | shifted)) & mask, shifted & level & mask
        yield level, rises, grows, falls


def prefix_distances(reference: Sequence[str], prediction: Sequence[str]) -> np.ndarray:
    """Returns the edit distance of a text to each beginning of another one, (len(prediction) + 1,) int64.

    Both are strings or lists of words. Memory is linear: only the last row of the matrix is kept.
    """
    rises, falls = -1, 0
    places = _places(prediction)
    for start in range(0, len(reference), _KEPT_EVERY):
        tokens = reference[start : start + _KEPT_EVERY]
        rows_of = {token: _mask(places[token], len(prediction)) for token in set(tokens) & places.keys()}
        columns = _distance_columns(rows_of, len(prediction), tokens, rises, falls)
        [(_, rises, _, falls)] = collections.deque(columns, maxlen=1)
    steps = _bits(rises, len(prediction)) - _bits(falls, len(prediction))
    return len(reference) + np.concatenate([[0], np.cumsum(steps)])


def _places(tokens: Sequence[str]) -> dict[str, list[int]]:
    """Returns where each token is."""
    places: dict[str, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, []).append(place)
    return places


def _mask(rows: Sequence[int], size: int) -> int:
    """Returns an integer with these bits set."""
    bits = np.zeros(size, dtype=np.uint8)
    bits[rows] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _bits(mask: int, size: int) -> np.ndarray:
    """Returns the lowest bits of an integer, (size,) int64."""
    data = (mask & (1 << size) - 1).to_bytes(size // 8 + 1, "little")
    return np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=size, bitorder="little").astype(np.int64)
