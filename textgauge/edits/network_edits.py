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

from collections.abc import Callable

from .network_rows import Equality, Table
from .networks import NO_WORD, Arcs, Network

_FEW = 4  # edits
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]


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


CHARACTERS = Equality(are_equal, lambda label: label[0])


def count_fewest(reference: Network, prediction: Network, equality: Equality = CHARACTERS) -> int:
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
                _step_back(reference.arcs, prediction.arcs, place, equality.test, places, later)
        places = later
    return Table(reference, prediction, equality).total


def _step_back(left: Arcs, right: Arcs, place: int, equal: Callable, places: list[int], later: list[int]) -> None:
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


def nearest_paths(reference: Network, prediction: Network, equality: Equality = CHARACTERS) -> list[Step]:
    """Returns the steps of a path with the fewest edits; of several it takes words of both wherever it can."""
    u, v, steps = len(reference.arcs) - 1, len(prediction.arcs) - 1, []
    table = Table(reference, prediction, equality)
    while u or v:
        cost = table.cost(u, v)
        above, left = reference.arcs[u], prediction.arcs[v]
        if above and above[0][1] == NO_WORD:
            u = next(source for source, _ in above if table.cost(source, v) == cost)
        elif left and left[0][1] == NO_WORD:
            v = next(source for source, _ in left if table.cost(u, source) == cost)
        else:
            kind = _last_step(table, u, v, above, left, equality)
            steps.append((kind, u if kind != "insert" else -1, v if kind != "delete" else -1))
            u, v = (above[0][0] if kind != "insert" else u), (left[0][0] if kind != "delete" else v)
    return steps[::-1]


def _last_step(table: Table, u: int, v: int, above: list, left: list, equality: Equality) -> str:
    if above and left:
        if equality.test(above[0][1], left[0][1]):
            return "equal"
        if table.cost(above[0][0], left[0][0]) + 1 == table.cost(u, v):
            return "substitute"
    return "delete" if above and table.cost(above[0][0], v) + 1 == table.cost(u, v) else "insert"
