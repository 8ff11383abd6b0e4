"""What edits cost where phrases have weights, and the alignment that costs least among those with the fewest edits.

The definition: an edit costs the largest weight of what it touches. A token weighs as much as the heaviest phrase that
has it, and 1 without one; a substitution touches two tokens, an insertion also the phrase of the reference inside which
it is, a deletion also that of the prediction. A substitution of a word by one that has the same part of the same
phrases costs 1, for then the error is outside them, in a particle.
"""

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from textgauge.edits.distance_columns import BitColumn, ColumnsBack
from textgauge.edits.distances import AlignmentRun, runs_of

from ..phrases.marks import Marks, are_alike


class Costs:
    """What the edits between two texts cost."""

    def __init__(self, reference: Marks | None, prediction: Marks | None, lengths: tuple[int, int]) -> None:
        """Takes the marks of both texts, None for one without a phrase, and their lengths in tokens."""
        sides = (reference, prediction)
        filled = [
            marks or Marks([1.0] * size, [0.0] * (size + 1), [()] * size, [])
            for marks, size in zip(sides, lengths, strict=True)
        ]
        self.reference, self.prediction = filled

    def is_plain(self) -> bool:
        """Returns whether each edit costs 1."""
        return {*self.reference.weights, *self.prediction.weights} <= {1.0}

    def of(self, kind: str, i: int, j: int) -> float:
        """Returns the cost of an edit of this kind, at token i of the reference and token j of the prediction."""
        reference, prediction = self.reference, self.prediction
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
        kind, a, b, c, d = run
        if kind == "equal":
            return []
        costs = []
        for offset in range(max(b - a, d - c)):
            i = a + offset if b > a else a
            j = c + offset if d > c else c
            costs.append(self.of(kind, i, j))
        return costs

    def of_hits(self, runs: Sequence[AlignmentRun]) -> float:
        """Returns the weights of the reference's tokens that are equal."""
        return sum(sum(self.reference.weights[a:b]) for kind, a, b, _, _ in runs if kind == "equal")


def cheapest_alignment(reference: str, prediction: str, costs: Costs, at: tuple[int, int]) -> list[AlignmentRun]:
    """Returns that one of the alignments with the fewest edits that costs least.

    Of several it takes, from the beginning, a token of both wherever it can, else it inserts, else it deletes.

    The idea: a cell of the matrix of distances is on an alignment with the fewest edits if a step leads from it to such
    a cell. The trick: only these cells are visited, from the last one on. The plain version, which tries all
    alignments, is `slow_alignments` of tests/test_keywords.py.

    Args:
        reference: a character for each token.
        prediction: likewise.
        costs: of edits.
        at: where the two texts begin in those that `costs` is about.
    """
    columns = ColumnsBack(reference, prediction, Levenshtein.distance(reference, prediction))
    # for each column the cost from a cell to the end, and the next step, by row
    best: list[dict[int, tuple[float, str]]] = [{} for _ in range(len(prediction) + 1)]
    best[-1][len(reference)] = 0.0, ""
    for j in range(len(prediction), -1, -1):
        rows, column = sorted(best[j]), columns.before(best[j])
        while rows:
            i = rows.pop()
            for kind in _last_steps(reference, prediction, column, i, j):
                a, b = i - (kind != "insert"), j - (kind != "delete")
                cost = best[j][i][0] + costs.of(kind, at[0] + a, at[1] + b)
                if kind == "delete" and a not in best[j]:
                    rows.append(a)
                if a not in best[b] or cost < best[b][a][0]:
                    best[b][a] = cost, kind
    kinds, i, j = [], 0, 0
    while (i, j) != (len(reference), len(prediction)):
        kinds.append(best[j][i][1])
        i, j = i + (kinds[-1] != "insert"), j + (kinds[-1] != "delete")
    return runs_of(kinds)


def _last_steps(reference: str, prediction: str, column: BitColumn | None, i: int, j: int) -> list[str]:
    """Returns the kinds of steps that lead to a cell with the fewest edits."""
    if not (i and j):
        return ["delete"] * (i > 0) + ["insert"] * (j > 0)
    is_level, deletes, inserts = column.at(i)
    both = ["equal"] if reference[i - 1] == prediction[j - 1] else [] if is_level else ["substitute"]
    return [*both, *["insert"] * inserts, *["delete"] * deletes]
