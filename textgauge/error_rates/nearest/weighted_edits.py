"""What edits cost where phrases have weights, and the alignment that costs least among those with the fewest edits.

The definition: an edit costs the largest weight of what it touches. A token weighs as much as the heaviest phrase that
has it, and 1 without one; a substitution touches two tokens, an insertion also the phrase of the reference inside which
it is, a deletion also that of the prediction. A substitution of a word by one that has the same part of the same
phrases costs 1, for then the error is outside them, in a particle.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from textgauge.edits.distance_columns import BitColumn, ColumnsBack
from textgauge.edits.distances import AlignmentRun, runs_of

from ..phrases.marks import Marks, are_alike


class Costs:
    """What the edits between two texts cost."""

    def __init__(self, reference: Marks | None, prediction: Marks | None, lengths: tuple[int, int]) -> None:
        """Takes the marks of both texts, None for one without a phrase, and their lengths in tokens."""
        length, prediction_length = lengths
        self.reference = reference or _no_phrases(length)
        self.prediction = prediction or _no_phrases(prediction_length)

    def is_plain(self) -> bool:
        """Returns whether each edit costs 1."""
        return {*self.reference.weights, *self.prediction.weights} <= {1.0}

    def of(self, kind: str, i: int, j: int) -> float:
        """Returns the cost of an edit of this kind, at token i of the reference and token j of the prediction."""
        reference = self.reference
        prediction = self.prediction
        if kind == "equal":
            return 0.0
        if kind == "delete":
            return max(reference.weights[i], prediction.inside[j])
        if kind == "insert":
            return max(prediction.weights[j], reference.inside[i])
        if are_alike(reference.parts[i], prediction.parts[j]):
            return 1.0
        return max(reference.weights[i], prediction.weights[j])

    def of_runs(self, runs: Sequence[AlignmentRun]) -> float:
        """Returns the cost of an alignment."""
        total = 0.0
        for run in runs:
            total += sum(self._of_run(run))
        return total

    def of_edits(self, runs: Sequence[AlignmentRun]) -> list[float]:
        """Returns the cost of each edit of an alignment."""
        return [cost for run in runs for cost in self._of_run(run)]

    def _of_run(self, run: AlignmentRun) -> list[float]:
        """Returns the cost of each edit of a run."""
        kind, start, end, prediction_start, prediction_end = run
        if kind == "equal":
            return []
        costs = []
        for offset in range(max(end - start, prediction_end - prediction_start)):
            i = start if kind == "insert" else start + offset
            j = prediction_start if kind == "delete" else prediction_start + offset
            costs.append(self.of(kind, i, j))
        return costs

    def of_hits(self, runs: Sequence[AlignmentRun]) -> float:
        """Returns the weights of the reference's tokens that are equal."""
        total = 0.0
        for kind, start, end, _, _ in runs:
            if kind == "equal":
                total += sum(self.reference.weights[start:end])
        return total


def _no_phrases(size: int) -> Marks:
    """Returns the marks of a text without a phrase, which has `size` tokens."""
    return Marks([1.0] * size, [0.0] * (size + 1), [()] * size, [])


class _Way(NamedTuple):
    """The cheapest way from a cell of the matrix to the last cell."""

    cost: float
    kind: str  # of the first step; "" at the end


def cheapest_alignment(reference: str, prediction: str, costs: Costs, starts: tuple[int, int]) -> list[AlignmentRun]:
    """Returns that one of the alignments with the fewest edits that costs least.

    Of several it takes, from the beginning, a token of both wherever it can, else it inserts, else it deletes.

    The idea: a cell of the matrix of distances is on an alignment with the fewest edits if a step leads from it to such
    a cell. The trick: only these cells are visited, from the last one on, column by column and upwards in each; a step
    leads to the cell from the one before it in the texts, so that the way from there to the end is known. Then the
    steps are read from the first cell on. The plain version, which tries all alignments, is `slow_alignments` of
    tests/test_keywords.py.

    Args:
        reference: a character for each token.
        prediction: likewise.
        costs: of edits.
        starts: where the two texts begin in those that `costs` is about.
    """
    start, prediction_start = starts
    columns = ColumnsBack(reference, prediction, Levenshtein.distance(reference, prediction))
    ways: list[dict[int, _Way]] = [{} for _ in range(len(prediction) + 1)]  # by column, then by row
    ways[-1][len(reference)] = _Way(0.0, "")
    for column in range(len(prediction), -1, -1):
        distances = columns.before(ways[column])
        rows_left = sorted(ways[column])
        while rows_left:
            row = rows_left.pop()
            for kind in _last_steps(reference, prediction, distances, row, column):
                row_before = row if kind == "insert" else row - 1
                column_before = column if kind == "delete" else column - 1
                cost_of_step = costs.of(kind, start + row_before, prediction_start + column_before)
                cost = ways[column][row].cost + cost_of_step
                known = ways[column_before].get(row_before)
                if known is None and kind == "delete":  # it is in this column, and comes next
                    rows_left.append(row_before)
                if known is None or cost < known.cost:
                    ways[column_before][row_before] = _Way(cost, kind)

    kinds = []
    row = 0
    column = 0
    while ways[column][row].kind:
        kind = ways[column][row].kind
        kinds.append(kind)
        row += kind != "insert"
        column += kind != "delete"
    return runs_of(kinds)


def _last_steps(reference: str, prediction: str, distances: BitColumn | None, row: int, column: int) -> list[str]:
    """Returns the kinds of steps that lead to a cell with the fewest edits; a token of both first, a deletion last."""
    if not row or not column:
        return ["delete"] * (row > 0) + ["insert"] * (column > 0)
    is_level, is_deletion, is_insertion = distances.at(row)
    kinds = []
    if reference[row - 1] == prediction[column - 1]:
        kinds.append("equal")
    elif not is_level:
        kinds.append("substitute")
    if is_insertion:
        kinds.append("insert")
    if is_deletion:
        kinds.append("delete")
    return kinds
