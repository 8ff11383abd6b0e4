"""Words that a transcript in NIST's formats marks, as sclite reads them: words that may be missing, and fragments.

A word in parentheses, `(uh)`, is right where it is missing; one of a prediction is not counted where it is too much. A
fragment, `st-`, is right where the other side has a word that begins so; `-op` where it ends so.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.metric import error_rate

_OPTIONAL = re.compile(r"\([^()\s]+\)")
_FRAGMENT = re.compile(r"[^\W\d_]+-|-[^\W\d_]+")


class _Pair(NamedTuple):
    """Two texts whose marked words are resolved, their edits, and the words of the reference."""

    edits: int
    length: int
    prediction: str
    reference: str


def has_marked_words(text: str) -> bool:
    """Returns whether a text has a word in parentheses, or a fragment.

    >>> has_marked_words("(어) 네"), has_marked_words("ye- yes"), has_marked_words("a-b (c d)")
    (True, True, False)
    """
    return any(_OPTIONAL.fullmatch(word) or _FRAGMENT.fullmatch(word) for word in text.split())


def resolve_marked_words(
    predictions: Sequence[str], references: Sequence[Sequence[str]]
) -> tuple[list[str], list[list[str]], dict[int, int]]:
    """Returns texts without the marks that sclite reads: what may be missing, and is, is in both texts.

    A word of the prediction that may be missing is out where the reference does not have it. A segment with such words
    keeps the reference with the lowest rate alone, as the prediction is resolved by it; the third value says which one
    it was, by segment.

    >>> resolve_marked_words(["here we g-"], [["we go", "(uh) here we go"]])
    (['uh here we go'], [['uh here we go']], {0: 1})
    """
    texts = list(predictions)
    others = [list(row) for row in references]
    nearest = {}
    for row, (text, row_references) in enumerate(zip(predictions, references, strict=True)):
        if not has_marked_words(text) and not any(map(has_marked_words, row_references)):
            continue
        pairs = [_resolved(text, reference) for reference in row_references]
        edits = np.array([pair.edits for pair in pairs])
        lengths = np.array([pair.length for pair in pairs])
        best = error_rate(edits, lengths).argmin()
        texts[row] = pairs[best].prediction
        others[row] = [pairs[best].reference]
        nearest[row] = int(best)
    return texts, others, nearest


def _resolved(prediction: str, reference: str) -> _Pair:
    """Returns both texts by an alignment with the fewest edits in which marked words cost as sclite has it."""
    heard = prediction.split()
    wanted = reference.split()
    costs = _cost_table(wanted, heard)
    return _Pair(int(costs[-1, -1]), len(wanted), *_walked_back(costs, wanted, heard))


def _cost_table(wanted: list[str], heard: list[str]) -> np.ndarray:
    """Returns what the first words of one text cost against the first ones of the other, (1 + n_wanted, 1 + n_heard).

    A row is computed at once: of all words that may be too much, the running minimum takes the cheapest beginning.
    """
    surplus = np.cumsum([0, *map(_cost_alone, heard)])
    bare = np.array([*map(_bare, heard), ""], dtype=object)[:-1]
    fragments = [j for j, word in enumerate(bare) if _FRAGMENT.fullmatch(word)]
    costs = np.empty((len(wanted) + 1, len(heard) + 1), dtype=np.int32)
    costs[0] = surplus
    for i, word in enumerate(wanted):
        row = costs[i] + _cost_alone(word)
        differ = bare != _bare(word)
        columns = range(len(heard)) if _FRAGMENT.fullmatch(_bare(word)) else fragments
        for j in columns:
            differ[j] = not _are_equal(word, heard[j])
        row[1:] = np.minimum(row[1:], costs[i, :-1] + differ)
        costs[i + 1] = np.minimum.accumulate(row - surplus) + surplus
    return costs


def _ways(
    costs: np.ndarray, wanted: list[str], heard: list[str], cell: tuple[int, int]
) -> list[tuple[int, tuple[int, int]]]:
    """Returns the cost of each way to a cell of the table, and the cell that it comes from."""
    i, j = cell
    ways = []
    if i and j:
        differ = not _are_equal(wanted[i - 1], heard[j - 1])
        ways.append((costs[i - 1, j - 1] + differ, (i - 1, j - 1)))
    if i:
        ways.append((costs[i - 1, j] + _cost_alone(wanted[i - 1]), (i - 1, j)))
    if j:
        ways.append((costs[i, j - 1] + _cost_alone(heard[j - 1]), (i, j - 1)))
    return ways


def _cost_alone(word: str) -> int:
    """Returns what a word costs that the other text lacks: nothing where it may be missing."""
    return 0 if _OPTIONAL.fullmatch(word) else 1


def _walked_back(costs: np.ndarray, wanted: list[str], heard: list[str]) -> tuple[str, str]:
    """Returns prediction and reference with what is missing and may be, and with whole words for their fragments."""
    i = len(wanted)
    j = len(heard)
    reference = []
    prediction = []
    while i or j:
        ways = _ways(costs, wanted, heard, (i, j))
        _, (before_i, before_j) = min(ways, key=lambda way: way[0])
        word = _bare(wanted[i - 1]) if before_i < i else ""
        other = _bare(heard[j - 1]) if before_j < j else ""
        if word and other:
            is_right = _are_equal(wanted[i - 1], heard[j - 1])
            reference.append(other if is_right and _FRAGMENT.fullmatch(word) else word)
            prediction.append(word if is_right and _FRAGMENT.fullmatch(other) else other)
        elif word:
            reference.append(word)
            if _OPTIONAL.fullmatch(wanted[i - 1]):  # missing is right, and counts as a word
                prediction.append(word)
        elif other and not _OPTIONAL.fullmatch(heard[j - 1]):
            prediction.append(other)
        i, j = before_i, before_j
    return " ".join(reversed(prediction)), " ".join(reversed(reference))


def _bare(word: str) -> str:
    return word[1:-1] if _OPTIONAL.fullmatch(word) else word


def _are_equal(one: str, other: str) -> bool:
    """Returns whether two words are equal, or one is a fragment of the other."""
    one = _bare(one)
    other = _bare(other)
    return one == other or _is_fragment_of(one, other) or _is_fragment_of(other, one)


def _is_fragment_of(part: str, word: str) -> bool:
    if not _FRAGMENT.fullmatch(part):
        return False
    return word.startswith(part[:-1]) if part.endswith("-") else word.endswith(part[1:])
