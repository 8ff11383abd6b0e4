"""Edits between words that have times, where only words that overlap in time may be aligned (tcpWER).

The times of words are those that von Neumann et al. (2023) give them: the time of an utterance is shared out by the
length of its words; a word of the reference has all of that, and one of a prediction the middle of it, with a collar.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.edits.distances import AlignmentRun, runs_of

# what an edit costs; a substitution one more, so that of all cheapest alignments one with most hits counts
_EDIT = 2**32


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
    parts = [np.empty((2, 0))]
    for utterance, (start, end) in zip(utterances, times, strict=True):
        parts.append(_shared_out(utterance, start, end))
    starts, ends = np.concatenate(parts, axis=1)
    if collar is not None:
        middles = (ends + starts) / 2
        starts = middles - collar
        ends = middles + collar
    return TimedTokens([token for utterance in utterances for token in utterance], starts, ends)


def _shared_out(tokens: Sequence[str], start: float, end: float) -> np.ndarray:
    """Returns starts and ends of the words of an utterance, (2, n_tokens)."""
    if len(tokens) == 1:
        return np.array([[start], [end]])
    bounds = np.cumsum([0, *map(len, tokens)])
    character_time = (end - start) / max(bounds[-1], 1)
    times = start + character_time * bounds
    return np.stack([times[:-1], times[1:]])


def count_timed_edits(reference: TimedTokens, prediction: TimedTokens) -> tuple[int, int, int, int]:
    """Returns substitutions, deletions, insertions and hits of a cheapest alignment; of these one with most hits."""
    n_wanted = len(reference.tokens)
    n_predicted = len(prediction.tokens)
    cost = n_predicted * _EDIT
    for _, values in _rows(reference, prediction):
        cost = int(values[-1])
    edits, substitutions = divmod(cost, _EDIT)
    deletions = (edits - substitutions + n_wanted - n_predicted) // 2
    insertions = edits - substitutions - deletions
    return substitutions, deletions, insertions, n_wanted - substitutions - deletions


def align_timed(reference: TimedTokens, prediction: TimedTokens) -> list[AlignmentRun]:
    """Returns the alignment whose edits `count_timed_edits` counts."""
    i = len(reference.tokens)
    j = len(prediction.tokens)
    rows = [(0, _insertions(j + 1)), *_rows(reference, prediction)]

    def cost(row: int, column: int) -> float:
        first, values = rows[row]
        beyond = max(column - first - len(values) + 1, 0)  # where there are only insertions
        return values[column - first - beyond] + beyond * _EDIT if column >= first else np.inf

    kinds = []
    while i and j:
        if cost(i - 1, j) + _EDIT == cost(i, j):
            kind = "delete"
        elif cost(i, j - 1) + _EDIT == cost(i, j):
            kind = "insert"
        elif reference.tokens[i - 1] == prediction.tokens[j - 1]:
            kind = "equal"
        else:
            kind = "substitute"

        kinds.append(kind)
        if kind != "insert":
            i -= 1
        if kind != "delete":
            j -= 1
    return runs_of([*["delete"] * i, *["insert"] * j, *reversed(kinds)])


def _rows(reference: TimedTokens, prediction: TimedTokens) -> Iterator[tuple[int, np.ndarray]]:
    """Yields for each word of the reference the first column of its row of the table of edits, and the row's costs.

    The trick: words of the prediction that end before all words that are left begin stand before a row's first column,
    and those that begin after all words so far have ended behind its last one; neither can be aligned there. The
    last row goes to the end.
    """
    symbols = {token: number for number, token in enumerate({*reference.tokens, *prediction.tokens})}
    wanted = np.array([symbols[token] for token in reference.tokens], dtype=np.int64)
    predicted = np.array([symbols[token] for token in prediction.tokens], dtype=np.int64)
    # words of a speaker need not be in the order of their times, where utterances overlap
    firsts = np.searchsorted(np.maximum.accumulate(prediction.ends), reference.starts, side="right")
    lasts = np.searchsorted(np.minimum.accumulate(prediction.starts[::-1])[::-1], reference.ends, side="left")
    firsts = np.minimum.accumulate(firsts[::-1])[::-1]
    lasts = np.maximum(np.maximum.accumulate(lasts), firsts)
    lasts[-1:] = len(predicted)

    first = 0
    costs = np.zeros(1, dtype=np.int64)
    for row, (start, end) in enumerate(zip(firsts.tolist(), lasts.tolist(), strict=True)):
        last_known = first + len(costs) - 1
        inserted = costs[-1] + _insertions(end - last_known + 1)[1:]
        above = np.concatenate([costs, inserted])[start - first :]

        columns = slice(start, end)
        begins_before = prediction.starts[columns] < reference.ends[row]
        ends_behind = reference.starts[row] < prediction.ends[columns]
        may_match = begins_before & ends_behind
        aligned = np.where(predicted[columns] == wanted[row], above[:-1], above[:-1] + _EDIT + 1)
        below = above + _EDIT
        below[1:] = np.where(may_match, np.minimum(below[1:], aligned), below[1:])

        steps = _insertions(len(below))
        costs = np.minimum.accumulate(below - steps) + steps
        first = start
        yield first, costs


def _insertions(count: int) -> np.ndarray:
    return np.arange(count, dtype=np.int64) * _EDIT  # a browser's integers have 32 bits
