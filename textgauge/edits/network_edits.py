"""The fewest edits between any sentence of one network and any sentence of another: a shortest path in their product.

The idea: walk through both networks at the same time. A state is a pair of nodes; a step deletes the word of an arc of
the first network, inserts that of the second, or takes both. So the cost of all pairs of nodes is a table, filled row
by row as for two texts, except that a cell may have several neighbours where paths join. No path is left out, however
many there are. The plain version lists all sentences of both: `edits_of_readings` of tests/oracles.py.

Most pairs are nearly alike. So where few edits are likely `nearest_paths` first looks for a path with no edit, then
with one, and fills the table only if a few are not enough. Where the words that lead to two nodes are equal, no path is
better than one that takes both.

Characters of a reading are labels: the character, " " or "!" where it is guarded, and what it may equal (its tag).
"""

import math
from collections.abc import Iterator, Mapping

from .network_rows import LIKELY, DistanceTable, Equality
from .networks import NO_WORD, Network

_FEW_EDITS = 4  # edits
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]
Cell = tuple[int, int]  # a node of each network


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


def nearest_paths(
    reference: Network,
    prediction: Network,
    equality: Equality = CHARACTERS,
    likely: int = LIKELY,
    most_cells: float = math.inf,
) -> list[Step] | None:
    """Returns the steps of a path with the fewest edits, of several one of those that come first in both networks.

    >>> either = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)])
    >>> nearest_paths(either, Network([(), ((0, "세"),)]))
    [('delete', 1, -1), ('substitute', 2, 1)]

    Args:
        reference: a network.
        prediction: a network.
        equality: of their words.
        likely: a guess at the edits, such as those between two paths; only the time depends on it.
        most_cells: of the table, beyond which the result is None.
    """
    if likely < _FEW_EDITS:
        few = _few_edits(reference, prediction, equality)
        if few is not None:
            return few
    table = DistanceTable.within(most_cells, reference, prediction, equality, max(likely, _FEW_EDITS))
    if table is None:
        return None
    cell = len(reference.arcs) - 1, len(prediction.arcs) - 1
    steps = []
    while any(cell):
        kind, before = next(_last_steps(table, reference, prediction, *cell))
        steps += _step(kind, *cell)
        cell = before
    return steps[::-1]


def _few_edits(reference: Network, prediction: Network, equality: Equality) -> list[Step] | None:
    """Returns the steps of a path with the fewest edits; None if these are not few.

    The idea: from the last two nodes to the first, first all pairs of nodes that no edit leads to the end from, then
    those that one edit does; each is reached from the pair behind it.
    """
    last = len(reference.arcs) - 1, len(prediction.arcs) - 1
    behind: dict[Cell, tuple[Cell, str]] = {}  # the cell that each one leads to, and the kind of the step
    later = [(last, last, "")]
    for _ in range(_FEW_EDITS):
        left = later[::-1]  # the ones that were found first are looked at first
        later = []
        while left:
            cell, next_cell, step = left.pop()
            if cell in behind:
                continue
            behind[cell] = next_cell, step
            if not any(cell):
                return _steps_behind(behind, last)
            u, v = cell
            arcs = reference.arcs[u]
            predicted_arcs = prediction.arcs[v]
            if arcs and arcs[0][1] == NO_WORD:
                left += [((source, v), cell, "") for source, _ in reversed(arcs)]
            elif predicted_arcs and predicted_arcs[0][1] == NO_WORD:
                left += [((u, source), cell, "") for source, _ in reversed(predicted_arcs)]
            elif arcs and predicted_arcs:
                source, word = arcs[0]
                predicted_source, predicted = predicted_arcs[0]
                diagonal = source, predicted_source
                if word == predicted or equality.test(word, predicted):  # most are the same, and need no call
                    left.append((diagonal, cell, "equal"))
                else:
                    later.append((diagonal, cell, "substitute"))
                    later.append(((source, v), cell, "delete"))
                    later.append(((u, predicted_source), cell, "insert"))
            elif arcs:
                later.append(((arcs[0][0], v), cell, "delete"))
            else:
                later.append(((u, predicted_arcs[0][0]), cell, "insert"))
    return None


def _steps_behind(behind: Mapping[Cell, tuple[Cell, str]], last: Cell) -> list[Step]:
    """Returns the steps from the first two nodes to the last."""
    steps = []
    cell = (0, 0)
    while cell != last:
        cell, kind = behind[cell]
        steps += _step(kind, *cell)
    return steps


def _step(kind: str, u: int, v: int) -> list[Step]:
    """Returns the step that leads to two nodes, none where it has no word."""
    return [(kind, u if kind != "insert" else -1, v if kind != "delete" else -1)] if kind else []


def _last_steps(
    table: DistanceTable, reference: Network, prediction: Network, u: int, v: int
) -> Iterator[tuple[str, Cell]]:
    """Yields the kinds of the last steps of all paths with the fewest edits to two nodes, and where they begin.

    The kind is "" where a network goes on without a word.
    """
    fewest = table.cost(u, v)
    arcs = reference.arcs[u]
    predicted_arcs = prediction.arcs[v]
    has_word = bool(arcs) and arcs[0][1] != NO_WORD
    has_predicted_word = bool(predicted_arcs) and predicted_arcs[0][1] != NO_WORD

    if not has_word:
        for source, _ in arcs:
            if table.cost(source, v) == fewest:
                yield "", (source, v)
    if not has_predicted_word:
        for source, _ in predicted_arcs:
            if table.cost(u, source) == fewest:
                yield "", (u, source)

    if has_word and has_predicted_word:
        source, word = arcs[0]
        predicted_source, predicted = predicted_arcs[0]
        is_equal = table.equality.test(word, predicted)
        if table.cost(source, predicted_source) + (not is_equal) == fewest:
            yield "equal" if is_equal else "substitute", (source, predicted_source)
    if has_word:
        source, _ = arcs[0]
        if table.cost(source, v) + 1 == fewest:
            yield "delete", (source, v)
    if has_predicted_word:
        source, _ = predicted_arcs[0]
        if table.cost(u, source) + 1 == fewest:
            yield "insert", (u, source)
