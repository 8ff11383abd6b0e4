"""Words that a transcript in NIST's formats marks, as sclite reads them: words that may be missing, and fragments.

A word in parentheses, `(uh)`, is right where it is missing; one of a prediction is not counted where it is too much. A
fragment, `st-`, is right where the other side has a word that begins so; `-op` where it ends so.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

_OPTIONAL = re.compile(r"\([^()\s]+\)")
_FRAGMENT = re.compile(r"[^\W\d_]+-|-[^\W\d_]+")


class _Pair(NamedTuple):
    """Two texts whose marked words are resolved, and how many edits there are between them."""

    edits: int
    prediction: str
    reference: str


def has_marked_words(text: str) -> bool:
    """Returns whether a text has a word in parentheses, or a fragment.

    >>> has_marked_words("(어) 네"), has_marked_words("ye- yes"), has_marked_words("a-b (c d)")
    (True, True, False)
    """
    return any(_OPTIONAL.fullmatch(word) or _FRAGMENT.fullmatch(word) for word in text.split())


def resolve_marked_words(
    predictions: Sequence[str], references: Sequence[Sequence[str]], ignore_case: bool = False
) -> tuple[list[str], list[list[str]]]:
    """Returns texts without the marks that sclite reads: what may be missing, and is, is in both texts.

    A word of the prediction that may be missing is out where the reference does not have it. Of several references of a
    segment that has such words, the one with the fewest edits is left.

    >>> resolve_marked_words(["here we g-"], [["(uh) here we go"]])
    (['uh here we go'], [['uh here we go']])
    """
    texts = list(predictions)
    others = [list(row) for row in references]
    for row, (text, of_row) in enumerate(zip(texts, others, strict=True)):
        if has_marked_words(text) or any(map(has_marked_words, of_row)):
            best = min((_resolved(text, other, ignore_case) for other in of_row), key=lambda pair: pair.edits)
            texts[row], others[row] = best.prediction, [best.reference]
    return texts, others


def _resolved(prediction: str, reference: str, ignore_case: bool) -> _Pair:
    """Returns both texts by an alignment with the fewest edits in which marked words cost as sclite has it."""
    heard = prediction.split()
    said = reference.split()
    costs = [[0] * (len(heard) + 1) for _ in range(len(said) + 1)]
    for i in range(len(said) + 1):
        for j in range(len(heard) + 1):
            ways = _ways(costs, said, heard, (i, j), ignore_case)
            costs[i][j] = min((cost for cost, _ in ways), default=0)
    return _walked_back(costs, said, heard, ignore_case)


def _ways(
    costs: list[list[int]], said: list[str], heard: list[str], place: tuple[int, int], ignore_case: bool
) -> list[tuple[int, tuple[int, int]]]:
    """Returns the cost of each way to a place in the table, and the place that it comes from."""
    i, j = place
    ways = []
    if i and j:
        differ = not _are_equal(said[i - 1], heard[j - 1], ignore_case)
        ways.append((costs[i - 1][j - 1] + differ, (i - 1, j - 1)))
    if i:
        ways.append((costs[i - 1][j] + _cost_alone(said[i - 1]), (i - 1, j)))
    if j:
        ways.append((costs[i][j - 1] + _cost_alone(heard[j - 1]), (i, j - 1)))
    return ways


def _cost_alone(word: str) -> int:
    """Returns what a word costs that the other text lacks: nothing where it may be missing."""
    return 0 if _OPTIONAL.fullmatch(word) else 1


def _walked_back(costs: list[list[int]], said: list[str], heard: list[str], ignore_case: bool) -> _Pair:
    """Returns both texts with what is missing and may be, and with the whole word for a fragment of it."""
    i = len(said)
    j = len(heard)
    reference, prediction = [], []
    while i or j:
        _, (before_i, before_j) = min(_ways(costs, said, heard, (i, j), ignore_case), key=lambda way: way[0])
        word = _bare(said[i - 1]) if before_i < i else ""
        other = _bare(heard[j - 1]) if before_j < j else ""
        if word and other:
            is_right = _are_equal(said[i - 1], heard[j - 1], ignore_case)
            reference.append(other if is_right and _FRAGMENT.fullmatch(word) else word)
            prediction.append(word if is_right and _FRAGMENT.fullmatch(other) else other)
        elif word:
            reference.append(word)
            prediction += [word] if _OPTIONAL.fullmatch(said[i - 1]) else []  # missing is right, and counts as a word
        elif other and not _OPTIONAL.fullmatch(heard[j - 1]):
            prediction.append(other)
        i, j = before_i, before_j
    return _Pair(costs[-1][-1], " ".join(reversed(prediction)), " ".join(reversed(reference)))


def _bare(word: str) -> str:
    return word[1:-1] if _OPTIONAL.fullmatch(word) else word


def _are_equal(one: str, other: str, ignore_case: bool) -> bool:
    """Returns whether two words are equal, or one is a fragment of the other."""
    one = _bare(one)
    other = _bare(other)
    if ignore_case:
        one = one.lower()
        other = other.lower()
    return one == other or _is_fragment_of(one, other) or _is_fragment_of(other, one)


def _is_fragment_of(part: str, word: str) -> bool:
    if not _FRAGMENT.fullmatch(part):
        return False
    return word.startswith(part[:-1]) if part.endswith("-") else word.endswith(part[1:])
