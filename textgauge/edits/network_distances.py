"""Shortest paths between a network of sentences and a prediction whose words may be reordered within a window.

The idea: walk through the network and read the prediction at the same time. The next word to be read is always one of
the `window` words from the first one not yet read (Kanthak et al. 2005). So a state is a node of the network, the first
word not yet read, and which of the window - 1 words behind it have been read.

The trick: all states of a node are in one array, and each step is taken by all of them at once. The array has an axis
of length 2 for each word behind the first one, the farthest one first, and a last axis for the first word not yet read:
(words + 1) 2^(window - 1) numbers.

To insert a word is a step between two states of the same node. All costs are kept less one edit for each word that has
been read, so that this step is free. A word can be inserted as soon as it is the first one not yet read, because
that makes the window of the others wider. So each state has the minimum of all states that lead to it by such steps,
and there is an order of these steps in which all states take them at once.

The plain version, whose states hold the set of all words that have been read, is `hyter_of_sets` of tests/oracles.py.
"""

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .networks import NO_WORD, Arcs

Index = tuple[Any, ...]
# node; a bit for each word behind the first one not yet read, set if it has been read; the first word not yet read
State = tuple[int, int, int]
Reads = tuple[np.ndarray, np.ndarray]  # flat indices of the states before a step, and of those after it


class EditCosts(NamedTuple):
    """What steps cost: edits x denominator - numerator x length, and of equal costs the shorter path, in one number."""

    edit: int
    length: int


class _Steps(NamedTuple):
    """How words are read: indices of the states before a step and of those after it.

    Attributes:
        shape: of the array of states.
        first: steps that read the first word not yet read.
        behind: steps that read a word behind it.
        in_order: those of `first` from states in which words behind have been read, in an order in which no step leads
            to a state from which an earlier one starts.
    """

    shape: tuple[int, ...]
    first: list[tuple[Index, Index]]
    behind: list[tuple[Index, Index]]
    in_order: list[tuple[Index, Index]]


def least_cost(arcs: Arcs, prediction: np.ndarray, window: int, costs: EditCosts) -> int:
    """Returns what the cheapest path costs.

    >>> arcs = [(), ((0, 7),), ((1, 8),)]  # one sentence, the words 7 and 8
    >>> [least_cost(arcs, np.array([8, 7]), window, EditCosts(edit=1, length=0)) for window in (1, 2)]
    [2, 0]

    Args:
        arcs: of the network.
        prediction: (n_words,) words as numbers.
        window: among how many words the next one is chosen.
        costs: of steps.
    """
    n_words = len(prediction)
    last = _walk(arcs, prediction, window, costs, keep_all=False)[len(arcs) - 1]
    return int(last.flat[n_words]) + n_words * costs.edit


def _walk(arcs: Arcs, prediction: np.ndarray, window: int, costs: EditCosts, keep_all: bool) -> dict[int, np.ndarray]:
    """Returns the least cost of each state, int64, of all nodes of a network, or without `keep_all` of the last one."""
    n_words = len(prediction)
    steps = _steps(max(1, min(window, n_words)), n_words)
    equal_reads = functools.cache(functools.partial(_equal_reads, prediction, _templates(len(steps.first))))
    last_use = {source: node for node, sources in enumerate(arcs) for source, _ in sources}
    # whatever has been inserted before the first step
    costs_of = {0: np.zeros(steps.shape, dtype=np.int64)}
    passed: dict[int, np.ndarray] = {}
    for node, sources in enumerate(arcs[1:], start=1):
        ways = []
        for source, word in sources:
            way = costs_of[source]
            if word != NO_WORD:
                if source not in passed:
                    passed[source] = _pass(way, steps, costs)
                reads = equal_reads(word)
                # to insert words after the arc is no better than before it, but where the word has been found
                way = _read_equal(way, passed[source], reads, steps, costs) if reads else passed[source]
            ways.append(way)
        costs_of[node] = functools.reduce(np.minimum, ways)
        for source in {source for source, _ in sources}:
            if last_use[source] != node:
                continue
            passed.pop(source, None)
            if not keep_all:
                del costs_of[source]
    return costs_of


@functools.lru_cache(64)
def _steps(window: int, n_words: int) -> _Steps:
    """Returns all steps; the window is at least 1, and at most the number of words if there are any."""
    n_behind = window - 1
    every = slice(None)

    def read_first(ones: int, rest: Sequence[Any]) -> tuple[Index, Index]:
        """Reads the first word, where so many words right behind it have been read, the next one has not, then rest."""
        before = (*rest, 0, *[1] * ones)[-n_behind:] if n_behind else ()
        after = (*[0] * (n_behind - len(rest)), *rest)
        return (*before, slice(n_words - ones)), (*after, slice(ones + 1, None))

    def states(ahead: int, read: int) -> Index:
        """Returns the states in which a word so far behind the first one has been read (1), or has not (0)."""
        return *[every] * (n_behind - 1 - ahead), read, *[every] * ahead, every

    in_order = []
    for size in range(n_behind, 0, -1):  # from the first word to the last one that has been read
        zeros = [0] * (n_behind - size)
        for ones in range(size - 1):
            anything = [every] * (size - 2 - ones)
            in_order.append(read_first(ones, [*zeros, 1, *anything]))
        in_order.append(read_first(size, zeros[1:]))

    shape = (*[2] * n_behind, n_words + 1)
    first = [read_first(ones, [every] * (n_behind - 1 - ones)) for ones in range(window)]
    # also words behind the end, which leads nowhere
    behind = [(states(ahead, 0), states(ahead, 1)) for ahead in range(n_behind)]
    return _Steps(shape, first, behind, in_order)


def _insert(costs: np.ndarray, steps: _Steps) -> np.ndarray:
    """Inserts words: they are read without a step in the network. Changes its argument."""
    _relax(costs, costs, steps.in_order)
    nothing_behind = costs[(0,) * (costs.ndim - 1)]
    np.minimum.accumulate(nothing_behind, out=nothing_behind)
    return costs


def _relax(costs: np.ndarray, sources: np.ndarray, steps: Sequence[tuple[Index, Index]]) -> None:
    """Takes one step after the other wherever that makes a state cheaper; changes its first argument."""
    for before, after in steps:
        way = costs[after]
        np.minimum(way, sources[before], out=way)


def _pass(costs: np.ndarray, steps: _Steps, prices: EditCosts) -> np.ndarray:
    """Returns the costs behind an arc whose word is deleted or replaced."""
    replaced = costs + prices.length
    passed = replaced + prices.edit
    _relax(passed, replaced, steps.first)
    _relax(passed, replaced, steps.behind)
    return passed


def _read_equal(costs: np.ndarray, passed: np.ndarray, reads: Reads, steps: _Steps, prices: EditCosts) -> np.ndarray:
    """Returns the costs behind an arc whose word occurs in the prediction: those in `passed`, or less by reading it."""
    before, after = reads
    read = costs.reshape(-1)[before] + (prices.length - prices.edit)
    best = passed.copy()
    np.minimum.at(best.reshape(-1), after, read)
    return _insert(best, steps)


@functools.lru_cache(8)
def _templates(window: int) -> np.ndarray:
    """Returns all ways to read a word, (4, n_ways): bits and first word before, bits and first word after.

    The bits say which words behind the first one not yet read have been read, as in `State`. The first word is given
    relative to the word that is read.
    """
    ways = []
    for read in range(2 ** (window - 1)):
        step = (read ^ (read + 1)).bit_length()
        ways.append((read, 0, read >> step, step))
        ways += [(read, -1 - bit, read | 1 << bit, -1 - bit) for bit in range(window - 1) if not read >> bit & 1]
    return np.array(ways).T


def _equal_reads(prediction: np.ndarray, templates: np.ndarray, word: int) -> Reads | None:
    """Returns all ways to read a word at all its positions in the prediction, None if it does not occur there."""
    positions = np.flatnonzero(prediction == word)[:, None]
    if not len(positions):
        return None
    width = len(prediction) + 1
    read, first, read_after, first_after = templates
    is_possible = (positions + first >= 0) & (positions + first_after < width)
    before = read * width + first + positions
    after = read_after * width + first_after + positions
    return before[is_possible], after[is_possible]


def trace(arcs: Arcs, prediction: np.ndarray, window: int, costs: EditCosts) -> list[tuple[int, int]]:
    """Returns the steps of a cheapest path: word of the network and position in the prediction, -1 for none.

    Takes the arguments of `least_cost`, words (n_words,) among them.

    >>> arcs = [(), ((0, 7),), ((1, 8),)]  # one sentence, the words 7 and 8
    >>> trace(arcs, np.array([8, 7, 9]), window=2, costs=EditCosts(edit=1, length=0))
    [(7, 1), (8, 0), (-1, 2)]
    """
    costs_of = _walk(arcs, prediction, window, costs, keep_all=True)
    width = len(prediction) + 1

    def cost(node: int, read: int, first: int) -> int:
        return int(costs_of[node].flat[read * width + first])

    state: State = (len(arcs) - 1, 0, len(prediction))
    steps = []
    while any(state):
        total = cost(*state)
        ways = _ways_to(state, arcs[state[0]], prediction, costs_of[0].ndim, costs)
        cheapest = ((before, step) for before, step, price in ways if cost(*before) + price == total)
        state, step = next(cheapest)
        if step != (NO_WORD, -1):
            steps.append(step)
    return steps[::-1]


def _ways_to(
    state: State, sources: Sequence[tuple[int, int]], prediction: np.ndarray, window: int, costs: EditCosts
) -> Iterator[tuple[State, tuple[int, int], int]]:
    """Yields the states from which a step leads to this one, the step as `trace` has it, and what it costs."""
    node, read, first = state
    reads = list(_reads_to(read, first, window))
    for source, word in sources:
        if word == NO_WORD:
            yield (source, read, first), (NO_WORD, -1), 0
        else:
            for *before, position in reads:
                price = costs.length - costs.edit * int(prediction[position] == word)
                yield (source, *before), (word, position), price
            yield (source, read, first), (word, -1), costs.edit + costs.length
    for *before, position in reads:
        yield (node, *before), (NO_WORD, position), 0


def _reads_to(read: int, first: int, window: int) -> Iterator[tuple[int, int, int]]:
    """Yields the states, as (bits, first word), from which a state is reached by reading a word, and its position."""
    for ones in range(min(window, first)):
        before = read << ones + 1 | (1 << ones) - 1
        if before < 1 << window - 1:
            yield before, first - ones - 1, first - ones - 1
    for ahead in range(read.bit_length()):
        if read >> ahead & 1:
            yield read ^ 1 << ahead, first, first + 1 + ahead
