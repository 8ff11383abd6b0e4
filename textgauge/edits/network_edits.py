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

import heapq
from collections.abc import Callable, Iterator

from .network_rows import LIKELY, DistanceTable, Equality
from .networks import NO_WORD, Network

_FEW_EDITS = 4  # edits
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]


def are_equal(first: str, second: str) -> bool:
    """Returns whether two labels are equal.

    Characters without a tag equal each other, and those with one unless they are guarded; two with tags are equal only
    if these are the same.

    >>> are_equal("이", "이 number"), are_equal("이", "이!number"), are_equal("이 number", "이 unit")
    (True, False, False)
    """
    if first == second:
        return True
    if first[0] != second[0]:
        return False
    if len(first) > 1 and len(second) > 1:
        return first[2:] == second[2:]
    return max(first, second, key=len)[1:2] == " "


CHARACTERS = Equality(are_equal, lambda label: label[0])


def count_fewest(reference: Network, prediction: Network, equality: Equality = CHARACTERS, likely: int = LIKELY) -> int:
    """Returns the fewest edits between any path of one network and any path of the other.

    `likely` is a guess at it, such as the edits between the texts as written; only the time depends on it.

    >>> either = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)])
    >>> count_fewest(either, Network([(), ((0, "세"),)]))
    2
    """
    left, right = reference.arcs, prediction.arcs
    width = len(right)
    places = [len(left) * width - 1]  # u * width + v, from the last two nodes to the first
    seen: set[int] = set()
    for edits in range(_FEW_EDITS):
        later: list[int] = []  # what is before a place with one edit more
        while places:
            place = places.pop()
            if place in seen:
                continue
            if not place:
                return edits
            seen.add(place)
            u, v = divmod(place, width)
            above, before = left[u], right[v]
            if above and above[0][1] == NO_WORD:
                places += [source * width + v for source, _ in above]
            elif before and before[0][1] == NO_WORD:
                places += [u * width + source for source, _ in before]
            elif above and before:
                (source, word), (other_source, other) = above[0], before[0]
                both = source * width + other_source
                if word == other or equality.test(word, other):  # most are the same, and need no call
                    places.append(both)
                else:
                    later += [both, source * width + v, u * width + other_source]
            else:
                later.append(above[0][0] * width + v if above else u * width + before[0][0])
        places = later
    return DistanceTable(reference, prediction, equality, max(likely, _FEW_EDITS)).total


def nearest_paths(reference: Network, prediction: Network, equality: Equality = CHARACTERS) -> list[Step]:
    """Returns the steps of a path with the fewest edits; of several it takes words of both wherever it can.

    >>> either = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)])
    >>> nearest_paths(either, Network([(), ((0, "세"),)]))
    [('delete', 1, -1), ('substitute', 2, 1)]
    """
    cell, steps = (len(reference.arcs) - 1, len(prediction.arcs) - 1), []
    table = DistanceTable(reference, prediction, equality)
    while any(cell):
        kind, before = next(_last_steps(table, reference, prediction, *cell))
        steps += _step(kind, *cell)
        cell = before
    return steps[::-1]


def cheapest_paths(
    reference: Network, prediction: Network, equality: Equality, cost: Callable[[str, int, int], float]
) -> tuple[list[Step], list[float], float]:
    """Returns the steps of that path with the fewest edits that costs least, what each costs, and all of them together.

    Of several it takes, from the beginning, words of both wherever it can, else it inserts, else it deletes. The plain
    version, which tries all paths, is `slow_weights` of tests/test_read_phrases.py.

    >>> networks = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)]), Network([(), ((0, "세"),)])
    >>> cheapest_paths(*networks, CHARACTERS, lambda kind, node, other: 2.5)
    ([('substitute', 1, 1), ('delete', 2, -1)], [2.5, 2.5], 5.0)

    Args:
        reference: a network.
        prediction: a network.
        equality: of their words.
        cost: of an edit, a node of each network: the one behind the word that it changes, or where it is.
    """
    last = len(reference.arcs) - 1, len(prediction.arcs) - 1
    table = DistanceTable(reference, prediction, equality)
    order = (1, 0) if table.is_turned else (0, 1)  # row by row
    # for each cell that is on a path with the fewest edits: cost from it to the end, rank of the step, it, cell behind
    best: dict[tuple[int, int], tuple[float, int, str, tuple[int, int]]] = {last: (0.0, 0, "", last)}
    left = [(-last[order[0]], -last[order[1]])]
    while left:
        place = heapq.heappop(left)
        cell = -place[order[0]], -place[order[1]]
        for kind, before in _last_steps(table, reference, prediction, *cell):
            total = best[cell][0] + (cost(kind, *cell) if kind not in ("", "equal") else 0.0)
            rank = ("insert", "delete").index(kind) + 1 if kind in ("insert", "delete") else 0
            if before not in best:
                heapq.heappush(left, (-before[order[0]], -before[order[1]]))
            # of several readings the first one, whose cells come last
            if before not in best or (total, rank) <= best[before][:2]:
                best[before] = total, rank, kind, cell
    steps, costs, cell = [], [], (0, 0)
    while cell != last:
        *_, kind, cell = best[cell]
        steps += _step(kind, *cell)
        if kind:
            # where paths join, a step says of one of its nodes only where it is
            costs.append(cost(kind, *cell) if kind != "equal" else 0.0)
    return steps, costs, best[0, 0][0]


def _step(kind: str, u: int, v: int) -> list[Step]:
    """Returns the step that leads to two nodes, none where it has no word."""
    return [(kind, u if kind != "insert" else -1, v if kind != "delete" else -1)] if kind else []


def _last_steps(
    table: DistanceTable, reference: Network, prediction: Network, u: int, v: int
) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yields the kinds of the last steps of all paths with the fewest edits to two nodes, and where they begin.

    The kind is "" where a network goes on without a word.
    """
    fewest = table.cost(u, v)
    above, left = reference.arcs[u], prediction.arcs[v]
    over, beside = (sources[0] if sources and sources[0][1] != NO_WORD else None for sources in (above, left))
    for source, _ in above if not over else ():
        if table.cost(source, v) == fewest:
            yield "", (source, v)
    for source, _ in left if not beside else ():
        if table.cost(u, source) == fewest:
            yield "", (u, source)
    if over and beside:
        is_equal = table.equality.test(over[1], beside[1])
        if table.cost(over[0], beside[0]) + (not is_equal) == fewest:
            yield "equal" if is_equal else "substitute", (over[0], beside[0])
    if over and table.cost(over[0], v) + 1 == fewest:
        yield "delete", (over[0], v)
    if beside and table.cost(u, beside[0]) + 1 == fewest:
        yield "insert", (u, beside[0])
