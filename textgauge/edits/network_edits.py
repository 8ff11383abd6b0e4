"""The fewest edits between any sentence of one network and any sentence of another: a shortest path in their product.

The idea: walk through both networks at the same time. A state is a pair of nodes; a step deletes the word of an arc of
the first network, inserts that of the second, or takes both. So the cost of all pairs of nodes is a table, filled row
by row as for two texts, except that a cell may have several neighbours where paths join. No path is left out, however
many there are. The plain version lists all sentences of both: `edits_of_readings` of tests/oracles.py.

Most pairs are nearly alike. So `count_fewest` first looks for a path with no edit, then with one, and fills the table
only if a few are not enough; of many pairs the tables are filled together. Where the words that lead to two nodes are
equal, no path is better than one that takes both.

Characters of a reading are labels: the character, " " or "!" where it is guarded, and what it may equal (its tag).
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from .network_batches import count_fewest_of_batches
from .network_rows import LIKELY, DistanceTable, Equality
from .networks import NO_WORD, Network

_FEW_EDITS = 4  # edits
# kind of edit; the node behind its arc in the first network, and in the second one; -1 where it has none
Step = tuple[str, int, int]
Cell = tuple[int, int]  # a node of each network
_RANKS = {"insert": 1, "delete": 2}  # of kinds of steps; 0 for the others


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
    few = _few_edits(reference, prediction, equality)
    return _many_edits(reference, prediction, equality, likely) if few is None else few


def count_fewest_of_pairs(
    references: Sequence[Network], predictions: Sequence[Network], likely: Sequence[int]
) -> list[int]:
    """Returns the same for each pair of networks of characters.

    >>> either = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)])
    >>> count_fewest_of_pairs([either, either], [either, Network([(), ((0, "세"),)])], [16, 16])
    [0, 2]
    """
    fewest = [_few_edits(*pair, CHARACTERS) for pair in zip(references, predictions, strict=True)]
    different = [place for place, edits in enumerate(fewest) if edits is None]
    different_references = [references[place] for place in different]
    different_predictions = [predictions[place] for place in different]
    counts = count_fewest_of_batches(different_references, different_predictions)
    for place, edits in zip(different, counts, strict=True):
        if edits is None:  # too few are as large
            edits = _many_edits(references[place], predictions[place], CHARACTERS, likely[place])
        fewest[place] = edits
    return fewest


def _many_edits(reference: Network, prediction: Network, equality: Equality, likely: int) -> int:
    return DistanceTable(reference, prediction, equality, max(likely, _FEW_EDITS)).total


def _few_edits(reference: Network, prediction: Network, equality: Equality) -> int | None:
    """Returns the fewest edits, None if these are not few."""
    width = len(prediction.arcs)
    cells = [len(reference.arcs) * width - 1]  # u * width + v for nodes u and v, from the last two to the first
    seen: set[int] = set()
    for edits in range(_FEW_EDITS):
        later: list[int] = []  # cells from which one edit more leads to the end
        while cells:
            cell = cells.pop()
            if cell in seen:
                continue
            if not cell:
                return edits
            seen.add(cell)

            u, v = divmod(cell, width)
            arcs = reference.arcs[u]
            predicted_arcs = prediction.arcs[v]
            if arcs and arcs[0][1] == NO_WORD:
                cells += [source * width + v for source, _ in arcs]
            elif predicted_arcs and predicted_arcs[0][1] == NO_WORD:
                cells += [u * width + source for source, _ in predicted_arcs]
            elif arcs and predicted_arcs:
                source, word = arcs[0]
                predicted_source, predicted = predicted_arcs[0]
                diagonal = source * width + predicted_source
                if word == predicted or equality.test(word, predicted):  # most are the same, and need no call
                    cells.append(diagonal)
                else:
                    later += [diagonal, source * width + v, u * width + predicted_source]
            elif arcs:
                later.append(arcs[0][0] * width + v)
            else:
                later.append(u * width + predicted_arcs[0][0])
        cells = later
    return None


def nearest_paths(reference: Network, prediction: Network, equality: Equality = CHARACTERS) -> list[Step]:
    """Returns the steps of a path with the fewest edits; of several it takes words of both wherever it can.

    >>> either = Network([(), ((0, "삼"), (0, "세")), ((1, "개"),)])
    >>> nearest_paths(either, Network([(), ((0, "세"),)]))
    [('delete', 1, -1), ('substitute', 2, 1)]
    """
    cell = len(reference.arcs) - 1, len(prediction.arcs) - 1
    steps = []
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
    table = DistanceTable(reference, prediction, equality)
    last = len(reference.arcs) - 1, len(prediction.arcs) - 1
    best = _best_steps(table, reference, prediction, last, cost)
    steps = []
    costs = []
    cell = 0, 0
    while cell != last:
        kind = best[cell].kind
        cell = best[cell].target
        steps += _step(kind, *cell)
        if kind:
            # where paths join, a step says of one of its nodes only where it is
            costs.append(cost(kind, *cell) if kind != "equal" else 0.0)
    return steps, costs, best[0, 0].total


class _BestStep(NamedTuple):
    """The step from a cell that is on the cheapest of the paths with the fewest edits."""

    total: float  # cost from the cell to the end
    rank: int  # of the kind: of steps after which the rest costs as much, the lowest
    kind: str
    target: Cell  # the cell that it leads to


def _best_steps(
    table: DistanceTable,
    reference: Network,
    prediction: Network,
    last: Cell,
    cost: Callable[[str, int, int], float],
) -> dict[Cell, _BestStep]:
    """Returns the best step from each cell that is on a path with the fewest edits.

    The idea: go from the last cell to the first, and only where such paths go. The rows of the table are kept for a
    walk from row to row, so a heap has the cells that are left, those of the last row first.
    """

    def flipped(cell: Cell) -> Cell:
        """Returns row and column, negative, of a cell, and the cell of these."""
        u, v = cell
        return (-v, -u) if table.is_turned else (-u, -v)

    best = {last: _BestStep(0.0, 0, "", last)}
    left = [flipped(last)]
    while left:
        cell = flipped(heapq.heappop(left))
        for kind, before in _last_steps(table, reference, prediction, *cell):
            price = 0.0 if kind in ("", "equal") else cost(kind, *cell)
            step = _BestStep(best[cell].total + price, _RANKS.get(kind, 0), kind, cell)
            if before not in best:
                heapq.heappush(left, flipped(before))
                best[before] = step
            # of several readings the first one, whose cells come last
            elif (step.total, step.rank) <= (best[before].total, best[before].rank):
                best[before] = step
    return best


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
