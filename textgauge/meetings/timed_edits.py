"""Edits between words that have times, where only words that overlap in time may be aligned (tcpWER).

The times of words are those that von Neumann et al. (2023) give them: the time of an utterance is shared out by the
length of its words; a word of the reference has all of that, and one of a prediction the middle of it, with a collar.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.edits.distances import AlignmentRun, runs_of

_EDIT = (
    2**32
)  # what an edit costs; a substitution one more, so that of all cheapest alignments one with most hits counts


class TimedTokens(NamedTuple):
    """The words of a speaker, or the characters, each with its time."""

    tokens: list[str]
    starts: np.ndarray
    ends: np.ndarray


def timed_tokens(
    utterances: Sequence[Sequence[str]], times: Sequence[tuple[float, float]], collar: float | None
) -> TimedTokens:
    """Returns the words of several utterances with their times.

    Args:
        utterances: words, or characters, of each.
        times: start and end of each.
        collar: seconds around the middle of a word of a prediction; None for a reference.
    """
    parts = [_shared_out(tokens, *of) for tokens, of in zip(utterances, times, strict=True)]
    starts, ends = np.concatenate([np.empty((2, 0)), *parts], axis=1)
    if collar is not None:
        middles = (ends + starts) / 2
        starts, ends = middles - collar, middles + collar
    return TimedTokens([token for tokens in utterances for token in tokens], starts, ends)


def _shared_out(tokens: Sequence[str], start: float, end: float) -> np.ndarray:
    """Returns starts and ends of the words of an utterance, (2, n_tokens)."""
    if len(tokens) == 1:
        return np.array([[start], [end]])
    places = np.cumsum([0, *map(len, tokens)])
    each = (end - start) / max(places[-1], 1)
    return np.stack([start + each * places[:-1], start + each * places[1:]])


def count_timed_edits(reference: TimedTokens, prediction: TimedTokens) -> tuple[int, int, int, int]:
    """Returns substitutions, deletions, insertions and hits of a cheapest alignment; of these one with most hits."""
    lengths = len(reference.tokens), len(prediction.tokens)
    cost = lengths[1] * _EDIT
    for _, values in _rows(reference, prediction):
        cost = int(values[-1])
    edits, substitutions = divmod(cost, _EDIT)
    deletions = (edits - substitutions + lengths[0] - lengths[1]) // 2
    insertions = edits - substitutions - deletions
    return substitutions, deletions, insertions, lengths[0] - substitutions - deletions


def align_timed(reference: TimedTokens, prediction: TimedTokens) -> list[AlignmentRun]:
    """Returns the alignment whose edits `count_timed_edits` counts."""
    i, j = len(reference.tokens), len(prediction.tokens)
    rows = [(0, _insertions(j + 1)), *_rows(reference, prediction)]

    def cost(row: int, column: int) -> float:
        first, values = rows[row]
        beyond = max(column - first - len(values) + 1, 0)  # where there are only insertions
        return values[column - first - beyond] + beyond * _EDIT if column >= first else np.inf

    kinds = []
    while i and j:
        if cost(i - 1, j) + _EDIT == cost(i, j):
            kinds.append("delete")
        elif cost(i, j - 1) + _EDIT == cost(i, j):
            kinds.append("insert")
        else:
            kinds.append("equal" if reference.tokens[i - 1] == prediction.tokens[j - 1] else "substitute")
        i -= kinds[-1] != "insert"
        j -= kinds[-1] != "delete"
    return runs_of([*["delete"] * i, *["insert"] * j, *reversed(kinds)])


def _rows(reference: TimedTokens, prediction: TimedTokens) -> Iterator[tuple[int, np.ndarray]]:
    """Yields for each word of the reference the first column of its row of the table of edits, and the row's costs.

    The trick: words of the prediction that end before all words that are left begin stand before a row's first column,
    and those that begin after all words so far have ended behind its last one; neither can be aligned there. The
    last row goes to the end.
    """
    symbols = {token: number for number, token in enumerate({*reference.tokens, *prediction.tokens})}
    ours, theirs = (
        np.array([symbols[token] for token in side.tokens], dtype=np.int64) for side in (reference, prediction)
    )
    size = len(theirs)
    # words of a speaker need not be in the order of their times, where utterances overlap
    firsts = np.searchsorted(np.maximum.accumulate(prediction.ends), reference.starts, side="right")
    lasts = np.searchsorted(np.minimum.accumulate(prediction.starts[::-1])[::-1], reference.ends, side="left")
    firsts = np.minimum.accumulate(firsts[::-1])[::-1]
    lasts = np.maximum(np.maximum.accumulate(lasts), firsts)
    lasts[-1:] = size
    first, costs = 0, np.zeros(1, dtype=np.int64)
    for row, (start, end) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
        known = first + len(costs) - 1
        above = np.concatenate([costs, costs[-1] + _insertions(end - known + 1)[1:]])[start - first :]
        below = above + _EDIT
        columns = slice(start, end)
        may_match = (reference.starts[row] < prediction.ends[columns]) & (
            prediction.starts[columns] < reference.ends[row]
        )
        aligned = np.where(theirs[columns] == ours[row], above[:-1], above[:-1] + _EDIT + 1)
        below[1:] = np.where(may_match, np.minimum(below[1:], aligned), below[1:])
        steps = _insertions(len(below))
        first, costs = start, np.minimum.accumulate(below - steps) + steps
        yield first, costs


def _insertions(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.int64) * _EDIT  # a browser's integers have 32 bits
