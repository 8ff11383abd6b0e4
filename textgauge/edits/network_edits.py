"""The fewest edits between any sentence of one network and any sentence of another: a shortest path in their product.

The idea: walk through both networks at the same time. A state is a pair of nodes; a step deletes the word of an arc of
the first network, inserts that of the second, or takes both. So the cost of all pairs of nodes is a table, filled row
by row as for two texts, except that a cell may have several neighbours where paths join. No path is left out, however
many there are. The plain version lists all sentences of both: `edits_of_readings` of tests/oracles.py.

Most pairs are nearly alike. So `count_fewest` first looks for a path with no edit, then with one, and fills the table
only if a few are not enough. Where the words that lead to two nodes are equal, no path is better than one that takes
both.

Characters of a reading are labels: the character, " " or "!" where it is guarded, and what it may equal (its tag).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .networks import NO_WORD, Arcs, Network, only_path

_FEW = 4  # edits
_LONG = 64  # words; from here on arrays are faster than lists
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]
_Column = tuple[int | None, list[int]]  # how many nodes before its only arc comes from; else where all come from
Equality = Callable[[Any, Any], Any]  # whether two words are equal


def are_equal(first: str, second: str) -> bool:
    """Returns whether two labels are equal; `are_equal("이", "이 number")` is True.

    Characters without a tag equal each other, and those with one unless they are guarded; two with tags are equal only
    if these are the same.
    """
    if first == second:
        return True
    if first[0] != second[0]:
        return False
    if len(first) > 1 and len(second) > 1:
        return first[2:] == second[2:]
    return max(first, second, key=len)[1:2] == " "


def count_fewest(reference: Network, prediction: Network, equal: Equality = are_equal) -> int:
    """Returns the fewest edits between any path of one network and any path of the other."""
    width = len(prediction.arcs)
    places, seen = [len(reference.arcs) * width - 1], set()  # u * width + v, from the last two nodes to the first
    for edits in range(_FEW):
        later: list[int] = []
        while places:
            place = places.pop()
            if place not in seen:
                if not place:
                    return edits
                seen.add(place)
                _step_back(reference.arcs, prediction.arcs, place, equal, places, later)
        places = later
    return int(edit_table(reference, prediction, equal)[-1][-1])


def _step_back(left: Arcs, right: Arcs, place: int, equal: Equality, places: list[int], later: list[int]) -> None:
    """Adds what is before a place without an edit to `places`, and what is before it with one to `later`."""
    width = len(right)
    u, v = divmod(place, width)
    above, before = left[u], right[v]
    if above and above[0][1] == NO_WORD:
        places += [source * width + v for source, _ in above]
    elif before and before[0][1] == NO_WORD:
        places += [u * width + source for source, _ in before]
    elif above and before:
        (source, word), (other_source, other) = above[0], before[0]
        if equal(word, other):
            places.append(source * width + other_source)
        else:
            later += [source * width + other_source, source * width + v, u * width + other_source]
    else:
        later.append(above[0][0] * width + v if above else u * width + before[0][0])


def edit_table(reference: Network, prediction: Network, equal: Equality = are_equal) -> list[list[int]] | np.ndarray:
    """Returns the fewest edits for each node of the first network and each one of the second."""
    for first, second in ((reference, prediction), (prediction, reference)):
        words = only_path(second) if len(second.arcs) > _LONG else None
        if words is not None:
            table = _path_table(first, words, equal)
            return table if second is prediction else table.T
    columns, words = _columns(prediction), [arcs[0][1] for arcs in prediction.arcs[1:]]
    table, costs_of = [_first_row(columns)], {}
    for arcs in reference.arcs[1:]:
        source, word = arcs[0]
        if word == NO_WORD:
            table.append(list(map(min, *(table[source] for source, _ in arcs))))
            continue
        if word not in costs_of:
            costs_of[word] = [int(other == NO_WORD or not equal(word, other)) for other in words]
        table.append(_row(table[source], costs_of[word], columns))
    return table


def _path_table(network: Network, words: Sequence[Any], equal: Equality) -> np.ndarray:
    """Returns the table of a network and a single path, whose rows are computed as arrays."""
    places = np.arange(len(words) + 1, dtype=np.int32)
    table = np.empty((len(network.arcs), len(words) + 1), dtype=np.int32)
    table[0], costs_of = places, {}
    for row, arcs in zip(table[1:], network.arcs[1:], strict=True):
        source, word = arcs[0]
        if word == NO_WORD:
            row[:] = table[[source for source, _ in arcs]].min(axis=0)
            continue
        if word not in costs_of:
            costs_of[word] = np.array([not equal(word, other) for other in words], dtype=np.int32)
        above = table[source]
        row[0] = above[0] + 1
        np.minimum(above[1:] + 1, above[:-1] + costs_of[word], out=row[1:])
        # a word of the path may be inserted behind any place before it
        np.minimum.accumulate(row - places, out=row)
        row += places
    return table


def _columns(network: Network) -> list[_Column]:
    """Returns for each node but the first where its arcs come from."""
    return [
        (None, [source for source, _ in arcs]) if arcs[0][1] == NO_WORD else (node - arcs[0][0], [])
        for node, arcs in enumerate(network.arcs[1:], start=1)
    ]


def _first_row(columns: Sequence[_Column]) -> list[int]:
    row = [0]
    for back, sources in columns:
        row.append(row[-back] + 1 if back else min(row[source] for source in sources))
    return row


def _row(above: list[int], costs: list[int], columns: Sequence[_Column]) -> list[int]:
    before, left = above[0], above[0] + 1
    row = [left]
    for node, ((back, sources), cost) in enumerate(zip(columns, costs, strict=True), start=1):
        over = above[node]
        if back is None:
            left = min([row[source] for source in sources])
        else:
            if back > 1:
                before, left = above[node - back], row[-back]
            best = before + cost
            if left < best:
                best = left + 1
            left = best if best <= over else over + 1
        row.append(left)
        before = over
    return row


def trace(
    table: list[list[int]] | np.ndarray, reference: Network, prediction: Network, equal: Equality = are_equal
) -> list[Step]:
    """Returns the steps of a path with the fewest edits; of several it takes words of both wherever it can."""
    u, v, steps = len(reference.arcs) - 1, len(prediction.arcs) - 1, []
    while u or v:
        cost = table[u][v]
        above, left = reference.arcs[u], prediction.arcs[v]
        if above and above[0][1] == NO_WORD:
            u = next(source for source, _ in above if table[source][v] == cost)
        elif left and left[0][1] == NO_WORD:
            v = next(source for source, _ in left if table[u][source] == cost)
        else:
            kind = _last_step(table, u, v, above, left, equal)
            steps.append((kind, u if kind != "insert" else -1, v if kind != "delete" else -1))
            u, v = (above[0][0] if kind != "insert" else u), (left[0][0] if kind != "delete" else v)
    return steps[::-1]


def _last_step(table: Any, u: int, v: int, above: list, left: list, equal: Equality) -> str:
    cost = table[u][v]
    if above and left:
        before = table[above[0][0]][left[0][0]]
        if before == cost and equal(above[0][1], left[0][1]):
            return "equal"
        if before + 1 == cost:
            return "substitute"
    return "delete" if above and table[above[0][0]][v] + 1 == cost else "insert"
