"""How often two texts both have phrases that count more in an error rate."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from textgauge.edits.distances import AlignmentRun

from .keywords import Keywords
from .marks import Marked, Marks


def count_keywords(marked: Mapping[int, Marked], n_segments: int, keywords: Keywords) -> np.ndarray:
    """Returns for each segment how many phrases of at least weight 1 the reference has, the prediction, and both.

    A phrase that occurs several times in both is in both as often as in the text that has it less often. The phrases
    of the references, and those of them that are missed, are added to `keywords.counts`. Shape (n_segments, 3).

    Args:
        marked: the marks of the segments that have phrases.
        n_segments: how many there are.
        keywords: the phrases.
    """
    rows = np.zeros((n_segments, 3), dtype=np.int64)
    for row, pair in marked.items():
        wanted, predicted = (
            Counter(phrase for phrase, *_ in (marks.occurrences if marks else ()) if keywords.weights[phrase] >= 1)
            for marks in pair
        )
        rows[row] = wanted.total(), predicted.total(), (wanted & predicted).total()
        for phrase, count in wanted.items():
            missed = max(0, count - predicted[phrase])
            # adds in place, in one step of numpy's, so that several threads may count chunks at once
            np.add(keywords.counts[phrase], (count, missed), out=keywords.counts[phrase])
    return rows


def explain_keywords(marked: Sequence[Marks | None], runs: Sequence[AlignmentRun], keywords: Keywords) -> list[list]:
    """Returns [side, phrase, weight, first token, token behind the last, whether the other side has it] in a list.

    The sides are "reference" and "prediction". Of several occurrences of a phrase, those with the fewest errors inside
    are in both.
    """
    listed = []
    counts = [Counter(phrase for phrase, *_ in (marks.occurrences if marks else ())) for marks in marked]
    for side, (name, marks) in enumerate(zip(("reference", "prediction"), marked, strict=True)):
        right = {token for run in runs if run[0] == "equal" for token in range(run[1 + 2 * side], run[2 + 2 * side])}
        left = counts[0] & counts[1]
        occurrences = marks.occurrences if marks else []
        by_errors = sorted(occurrences, key=lambda place: len(set(range(*place[1:])) - right))
        in_both = {place for place in by_errors if left[place[0]] > 0 and not left.subtract([place[0]])}
        listed += [
            [name, keywords.phrases[place[0]], keywords.weights[place[0]], *place[1:], place in in_both]
            for place in occurrences
        ]
    return listed


def keyword_rates(wanted: np.ndarray, predicted: np.ndarray, both: np.ndarray) -> Mapping[str, np.ndarray]:
    """Returns recall and precision (...), nan where no text has a phrase, and the number of phrases in the references.

    Takes the phrases in references, in predictions and in both, (...) each.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "keyword_recall": both / wanted,
            "keyword_precision": both / predicted,
            "keywords": wanted.astype(np.int64),
        }
