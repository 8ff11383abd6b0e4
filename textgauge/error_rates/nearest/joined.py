"""Words that are joined in one text and apart in the other: "white paper" and "whitepaper".

The definition is that of kaldialign (`merge_compounds`): adjacent words of one text that, joined, are one word of the
other text are no error, whatever their number; everything else is Levenshtein's distance. Of several ways with the
fewest edits, ours is one with the fewest joins.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from rapidfuzz.distance.Levenshtein import distance

from textgauge.edits.distances import AlignmentRun, align

from .pairs import PairResult, Pairs, Texts, count_runs
from .rule import Rule

Join = tuple[int, int, int, int]  # start and end in the reference, start and end in the prediction

AlignPart = Callable[[str, str, tuple[int, int]], list[AlignmentRun]]  # of two parts that begin at these places

FEW = 32  # joins, up to which it is faster to compare what is between them than cell by cell


def joined_pairs(texts: Texts, pairs: Pairs, rule: Rule) -> dict[int, PairResult]:
    """Returns the results of the pairs that have fewer edits where words may be joined, by their numbers."""
    results = {}
    for number in np.flatnonzero(pairs.edits).tolist():
        joins = find_joins(*texts.words[number])
        if not joins:
            continue
        reference = texts.references[number]
        prediction = texts.predictions[number]
        edits, chosen = choose_joins(reference, prediction, joins)
        if chosen:
            runs = align_between(reference, prediction, chosen, lambda one, other, at: align(one, other, rule.ties))
            steps = count_runs(runs)
            denominator = edits + steps[3] if rule.bounded else len(reference)
            results[number] = PairResult(edits, denominator, len(reference), steps, runs)
    return results


def align_between(reference: str, prediction: str, joins: Sequence[Join], align_part: AlignPart) -> list[AlignmentRun]:
    """Returns the alignment of two texts, a character for each word: joins are runs, the rest is aligned by part.

    Args:
        reference: a character for each word.
        prediction: likewise.
        joins: in their order.
        align_part: returns the alignment of two parts, which begin at two places.
    """
    runs: list[AlignmentRun] = []
    i = 0  # up to which both texts are aligned
    j = 0
    behind_all = (len(reference), len(reference), len(prediction), len(prediction))
    for start, end, prediction_start, prediction_end in [*joins, behind_all]:
        between = align_part(reference[i:start], prediction[j:prediction_start], (i, j))
        for kind, *bounds in between:
            runs.append((kind, i + bounds[0], i + bounds[1], j + bounds[2], j + bounds[3]))
        if start < end:
            runs.append(("equal", start, end, prediction_start, prediction_end))
        i = end
        j = prediction_end
    return runs


def joins_of(runs: Sequence[AlignmentRun]) -> list[Join]:
    """Returns the joins among the runs of an alignment: what is equal, and has unlike numbers of words.

    >>> joins_of([("equal", 0, 1, 0, 1), ("equal", 1, 3, 1, 2), ("delete", 3, 4, 2, 2)])
    [(1, 3, 1, 2)]
    """
    return [(a, b, c, d) for kind, a, b, c, d in runs if kind == "equal" and b - a != d - c]


def find_joins(reference: Sequence[str], prediction: Sequence[str]) -> list[Join]:
    """Returns where adjacent words of one text are one word of the other, in the order of their ends.

    `find_joins(["white", "paper"], ["a", "whitepaper"])` is `[(0, 2, 1, 2)]`.
    """
    joins = [(start, end, word, word + 1) for start, end, word in _spans(reference, prediction)]
    joins += [(word, word + 1, start, end) for start, end, word in _spans(prediction, reference)]
    return sorted(joins, key=lambda join: (join[1], join[3], join[0], join[2]))


def _spans(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Yields start and end of adjacent words, and the place of the other text's word that they are together."""
    numbers_of: dict[str, list[int]] = {}
    for number, word in enumerate(others):
        numbers_of.setdefault(word, []).append(number)
    longest = max(map(len, numbers_of), default=0)
    for start, joined in enumerate(words):
        for end in range(start + 1, len(words)):
            joined += words[end]
            if len(joined) > longest:
                break
            for number in numbers_of.get(joined, ()):
                yield start, end + 1, number


def choose_joins(reference: str, prediction: str, joins: Sequence[Join]) -> tuple[int, list[Join]]:
    """Returns the fewest edits of two texts, and the joins that leave them.

    Args:
        reference: a character for each word.
        prediction: likewise.
        joins: that are possible, from `find_joins`.
    """
    choose = _choose_by_gaps if len(joins) <= FEW else _choose_by_cells
    edits, before, last = choose(reference, prediction, joins)
    chosen = []
    while last >= 0:
        chosen.append(joins[last])
        last = before[last]
    return edits, chosen[::-1]


def _choose_by_gaps(reference: str, prediction: str, joins: Sequence[Join]) -> tuple[int, list[int], int]:
    """Returns the fewest edits, for each join the one before it on the best way to it (-1 for none), and the last one.

    The idea: between two joins that follow one another, the texts have their plain distance.
    """
    end = (len(reference), len(reference), len(prediction), len(prediction))
    best: list[tuple[int, int, int]] = []  # edits, number of joins before it, the last of them
    for index, (i, _, j, _) in enumerate([*joins, end]):
        ways = [(distance(reference[:i], prediction[:j]), 0, -1)]
        for last, (_, a, _, b) in enumerate(joins[:index]):
            if a <= i and b <= j:
                edits, count, _ = best[last]
                ways.append((edits + distance(reference[a:i], prediction[b:j]), count + 1, last))
        best.append(min(ways))
    *of_joins, (edits, _, last) = best
    return edits, [of_join[2] for of_join in of_joins], last


def _choose_by_cells(reference: str, prediction: str, joins: Sequence[Join]) -> tuple[int, list[int], int]:
    """Returns the same as `_choose_by_gaps`, row by row of the matrix of distances.

    The trick: a cell holds edits, number of joins and the last join as one integer, so that the smallest is the best.
    """
    size = len(joins) + 1
    edit = size * (len(reference) + len(prediction) + 1)
    words = np.frombuffer(prediction.encode("utf-32-le"), dtype=np.uint32)
    insertions = np.arange(len(words) + 1) * edit
    rows, before = {0: insertions}, [-1] * len(joins)
    ending: dict[int, list[int]] = {}
    for index, join in enumerate(joins):
        ending.setdefault(join[1], []).append(index)
    needed = {join[0] for join in joins}
    above = insertions
    for row, word in enumerate(reference, start=1):
        cells = above + edit
        cells[1:] = np.minimum(cells[1:], above[:-1] + edit * (words != ord(word)))
        for index in ending.get(row, ()):
            start, _, first, end = joins[index]
            value = int(rows[start][first])
            before[index] = value % size - 1
            cells[end] = min(cells[end], value - value % size + size + index + 1)
        above = np.minimum.accumulate(cells - insertions) + insertions
        if row in needed:
            rows[row] = above
    value = int(above[-1])
    return value // edit, before, value % size - 1
