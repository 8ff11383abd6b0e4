"""The fewest edits between any sentence of one network and any sentence of another: a shortest path in their product.

The idea: walk through both networks at the same time. A state is a pair of nodes; a step deletes the word of an arc of
the first network, inserts that of the second, or takes both. So the cost of all pairs of nodes is a table, filled row
by row as for two texts, except that a cell may have several neighbours where paths join. No path is left out, however
many there are. The plain version lists all sentences of both: `edits_of_readings` of tests/oracles.py.

Most pairs are nearly alike. So `count_fewest` first looks for a path with no edit, then with one, and fills the table
only if a few are not enough. Where each of two nodes has one arc and their words are equal, no path is better than one
that takes both.

The words are `label`s: texts with what they may equal.
"""

from collections.abc import Sequence
from typing import Any

from ._networks import Network

_EMPTY = -1
_FEW = 4  # edits
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]


def label(text: str, tag: str = "", is_guarded: bool = False) -> str:
    """Returns a character of a text as a word of a network.

    Characters without a tag equal each other, and those with one unless they are guarded; two with tags are equal only
    if these are the same.
    """
    return f"{text}{'!' if is_guarded else ' '}{tag}" if tag else text


def are_equal(first: str, second: str) -> bool:
    """Returns whether two labels are equal; `are_equal("이", label("이", "number"))` is True."""
    if first == second:
        return True
    if first[0] != second[0]:
        return False
    if len(first) > 1 and len(second) > 1:
        return first[2:] == second[2:]
    return max(first, second, key=len)[1:2] == " "


def count_fewest(reference: Network, prediction: Network) -> int:
    """Returns the fewest edits between any path of one network and any path of the other."""
    left, right = leaving_arcs(reference), leaving_arcs(prediction)
    end, places, seen = (len(left) - 1, len(right) - 1), [(0, 0)], set()
    for edits in range(_FEW):
        later: list[tuple[int, int]] = []
        while places:
            place = places.pop()
            if place in seen:
                continue
            if place == end:
                return edits
            seen.add(place)
            _step_on(left[place[0]], right[place[1]], place, places, later)
        places = later
    return edit_table(reference, prediction)[-1][-1]


def _step_on(
    left: list[tuple[int, Any]],
    right: list[tuple[int, Any]],
    place: tuple[int, int],
    places: list[tuple[int, int]],
    later: list[tuple[int, int]],
) -> None:
    """Adds what is reached from a place without an edit to `places`, and what is reached with one to `later`."""
    u, v = place
    if len(left) == len(right) == 1:
        (after, word), (other_after, other) = left[0], right[0]
        if word != _EMPTY and other != _EMPTY and are_equal(word, other):
            places.append((after, other_after))
            return
    for after, word in left:
        if word == _EMPTY:
            places.append((after, v))
            continue
        later.append((after, v))
        for other_after, other in right:
            if other != _EMPTY:
                (places if are_equal(word, other) else later).append((after, other_after))
    for other_after, other in right:
        (places if other == _EMPTY else later).append((u, other_after))


def leaving_arcs(network: Network) -> list[list[tuple[int, Any]]]:
    """Returns for each node the arcs that leave it: pairs (node, word)."""
    found: list[list[tuple[int, Any]]] = [[] for _ in network.arcs]
    for node, arcs in enumerate(network.arcs):
        for source, word in arcs:
            found[source].append((node, word))
    return found


def edit_table(reference: Network, prediction: Network) -> list[list[int]]:
    """Returns the fewest edits for each node of the first network and each one of the second."""
    columns = _columns(prediction)
    table, costs_of = [_first_row(columns)], {}
    for arcs in reference.arcs[1:]:
        source, word = arcs[0]
        if word == _EMPTY:
            table.append(list(map(min, *(table[source] for source, _ in arcs))))
            continue
        if word not in costs_of:
            costs_of[word] = [int(other == _EMPTY or not are_equal(word, other)) for _, other, _ in columns]
        table.append(_row(table[source], costs_of[word], columns))
    return table


def _columns(network: Network) -> list[tuple[int, Any, list[int]]]:
    """Returns for each node but the first where its only arc comes from, its word, and where all come from."""
    return [(arcs[0][0], arcs[0][1], [source for source, _ in arcs]) for arcs in network.arcs[1:]]


def _first_row(columns: Sequence[tuple[int, Any, list[int]]]) -> list[int]:
    row = [0]
    for source, word, sources in columns:
        row.append(row[source] + 1 if word != _EMPTY else min(row[source] for source in sources))
    return row


def _row(above: list[int], costs: list[int], columns: Sequence[tuple[int, Any, list[int]]]) -> list[int]:
    row = [above[0] + 1]
    for (source, word, sources), over, cost in zip(columns, above[1:], costs, strict=True):
        if word == _EMPTY:
            row.append(min([row[source] for source in sources]))
            continue
        best = above[source] + cost
        if row[source] < best:
            best = row[source] + 1
        row.append(best if best <= over else over + 1)
    return row


def trace(table: list[list[int]], reference: Network, prediction: Network) -> list[Step]:
    """Returns the steps of a path with the fewest edits; of several it takes words of both wherever it can."""
    u, v, steps = len(reference.arcs) - 1, len(prediction.arcs) - 1, []
    while u or v:
        cost = table[u][v]
        above, left = reference.arcs[u], prediction.arcs[v]
        if above and above[0][1] == _EMPTY:
            u = next(source for source, _ in above if table[source][v] == cost)
        elif left and left[0][1] == _EMPTY:
            v = next(source for source, _ in left if table[u][source] == cost)
        else:
            kind = _last_step(table, u, v, above, left)
            steps.append((kind, u if kind != "insert" else -1, v if kind != "delete" else -1))
            u, v = (above[0][0] if kind != "insert" else u), (left[0][0] if kind != "delete" else v)
    return steps[::-1]


def _last_step(table: list[list[int]], u: int, v: int, above: list, left: list) -> str:
    cost = table[u][v]
    if above and left:
        before = table[above[0][0]][left[0][0]]
        if before == cost and are_equal(above[0][1], left[0][1]):
            return "equal"
        if before + 1 == cost:
            return "substitute"
    return "delete" if above and table[above[0][0]][v] + 1 == cost else "insert"
