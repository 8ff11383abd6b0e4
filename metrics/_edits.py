"""Edit distance between strings: distances of a whole chunk at once, counts of each kind of edit, alignments.

Anything that can be written as a string can be compared: texts character by character, and tokens as `as_strings` of
`_tokens.py` writes them. Several alignments may have the fewest edits, and then the numbers of substitutions, deletions
and insertions are not unique; `align` says which one is taken.
"""

import itertools
from collections.abc import Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

# kind, start and end in the reference, start and end in the prediction
Run = tuple[str, int, int, int, int]
_KINDS = {"equal": "equal", "replace": "substitute", "delete": "delete", "insert": "insert"}


def repeat(texts: Sequence[str], counts: np.ndarray) -> list[str]:
    """Returns each text as often as its count says, one after the other."""
    if (counts == 1).all():
        return list(texts)
    return [text for text, count in zip(texts, counts.tolist(), strict=True) for _ in range(count)]


def closest_references(
    predictions: Sequence[str],
    references: Sequence[str],
    counts: np.ndarray,
    bounded: bool = False,
    ties: str = "jiwer",
) -> tuple[np.ndarray, np.ndarray]:
    """Finds for each segment the reference with the lowest error rate, the first one on ties.

    Args:
        predictions: one string per reference, the prediction of a segment repeated.
        references: the references of all segments, one after the other.
        counts: (n_segments,) references of each segment.
        bounded: whether the rate is edits by edits and hits, instead of edits by length.
        ties: which alignment has the hits, see `align`.

    Returns:
        The index of the reference in `references`, and its edits; both (n_segments,) int64.
    """
    edits = cpdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int64)
    first = np.cumsum(counts) - counts
    if len(edits) == len(counts):
        return first, edits
    lengths = np.fromiter(map(len, references), dtype=np.int64, count=len(references))
    if bounded:
        lengths = edits + count_edits(references, predictions, edits, ties)[:, 3]
    rates = error_rate(edits, lengths)
    is_lowest = np.flatnonzero(rates == np.repeat(np.minimum.reduceat(rates, first), counts))
    chosen = is_lowest[np.searchsorted(is_lowest, first)]
    return chosen, edits[chosen]


def error_rate(edits: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Returns edits by length; without length 0 where there is no edit, else inf."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(edits > 0, edits / lengths, 0.0)


def count_edits(
    references: Sequence[str], predictions: Sequence[str], edits: np.ndarray, ties: str = "jiwer"
) -> np.ndarray:
    """Counts substitutions, deletions, insertions and hits of each pair, (n_pairs, 4) int64.

    Args:
        references: strings.
        predictions: as many strings.
        edits: (n_pairs,) their edit distances.
        ties: which alignment to count, see `align`.
    """
    lengths = np.fromiter(map(len, references), dtype=np.int64, count=len(references))
    surplus = lengths - np.fromiter(map(len, predictions), dtype=np.int64, count=len(predictions))
    # edits = S + 2 min(D, I) + |surplus|: up to one more edit than the lengths demand, and that one is a substitution
    substitutions = edits - np.abs(surplus)
    for pair in np.flatnonzero(substitutions > 1).tolist():
        if ties == "jiwer":
            operations = Levenshtein.editops(references[pair], predictions[pair]).as_list()
            substitutions[pair] = sum(operation[0] == "replace" for operation in operations)
        else:
            runs = align(references[pair], predictions[pair], ties)
            substitutions[pair] = sum(run[2] - run[1] for run in runs if run[0] == "substitute")
    deletions = (edits - substitutions + surplus) // 2
    return np.column_stack([substitutions, deletions, deletions - surplus, lengths - substitutions - deletions])


def align(reference: str, prediction: str, ties: str = "jiwer") -> list[Run]:
    """Returns an alignment with the fewest edits as runs of one kind: "equal", "substitute", "delete" or "insert".

    Args:
        reference: a string.
        prediction: a string.
        ties: which one, where several have the fewest edits. "jiwer" (rapidfuzz's): what both strings begin and end
            with is equal; between, seen from the end, it deletes wherever that is cheapest, else inserts if the
            prediction without this character is nearer to the reference without its own, else goes on in both.
            "espnet": seen from the end, it goes on in both wherever that is cheapest, else deletes, else inserts.
            "nlptutti": the same, but inserts before it deletes.
    """
    if ties == "jiwer":
        return [(_KINDS[kind], *bounds) for kind, *bounds in Levenshtein.opcodes(reference, prediction).as_list()]
    runs, i, j = [], 0, 0
    for kind, run in itertools.groupby(_diagonal_path(reference, prediction, ties == "nlptutti")):
        length = len(list(run))
        end_i, end_j = i + length * (kind != "insert"), j + length * (kind != "delete")
        runs.append((kind, i, end_i, j, end_j))
        i, j = end_i, end_j
    return runs


def take_spacing(prediction: str, reference: str) -> str:
    """Returns the prediction with the reference's spacing at the characters that both have, as sWER wants it.

    Each character carries whether a blank stands before it. The characters are aligned without their blanks, and one
    that is aligned with an equal one takes over the other's blank: "이 파일은" is "이파일은" beside "이파일을". After
    Bang et al. (2020) and ESPnet's get_space_normalized_hyps.py, with its order of ties.
    """
    characters, has_blank = _split_blanks(prediction)
    other_characters, other_has_blank = _split_blanks(reference)
    for kind, a, b, c, d in align(other_characters, characters, "espnet"):
        if kind == "equal":
            has_blank[c:d] = other_has_blank[a:b]
    return "".join(" " * blank + character for blank, character in zip(has_blank, characters, strict=True)).strip()


def _split_blanks(text: str) -> tuple[str, list[bool]]:
    """Returns the text without whitespace, and whether whitespace (or nothing) stands before each character."""
    words = text.split()
    return "".join(words), [index == 0 for word in words for index in range(len(word))]


def _diagonal_path(reference: str, prediction: str, insert_first: bool) -> list[str]:
    """Returns the kind of each step of the alignment that goes on in both strings wherever that costs no more."""
    columns = _distance_columns(reference, prediction)
    i, j, steps = len(reference), len(prediction), []
    while i and j:
        is_level, deletes, inserts = (bits >> (i - 1) & 1 for bits in columns[j - 1])
        if reference[i - 1] == prediction[j - 1]:
            steps.append("equal")
        elif not is_level:
            steps.append("substitute")
        else:
            steps.append("insert" if inserts and (insert_first or not deletes) else "delete")
        i -= steps[-1] != "insert"
        j -= steps[-1] != "delete"
    return [*["delete"] * i, *["insert"] * j, *reversed(steps)]


def _distance_columns(reference: str, prediction: str) -> list[tuple[int, int, int]]:
    """Computes the matrix of edit distances a column at a time, bit i for row i + 1 (Hyyrö 2003, figure 8).

    Returns for each character of the prediction the rows whose distance is that of the cell before in both strings,
    one more than in the row above (a deletion is cheapest), and one more than in the column before (an insertion).
    """
    mask = (1 << len(reference)) - 1
    rows_of: dict[str, int] = {}
    for row, character in enumerate(reference):
        rows_of[character] = rows_of.get(character, 0) | 1 << row
    rises, falls, columns = mask, 0, []
    for character in prediction:
        equal = rows_of.get(character, 0)
        level = (((equal & rises) + rises) ^ rises | equal | falls) & mask
        grows, shrinks = falls | ~(level | rises) & mask, level & rises
        shifted = grows << 1 | 1
        rises, falls = (shrinks << 1 | ~(level | shifted)) & mask, shifted & level & mask
        columns.append((level, rises, grows))
    return columns
