"""How often two texts both have phrases that count more in an error rate."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from textgauge.core.phrase_counts import PhraseCounts, phrase_counts
from textgauge.edits.distances import AlignmentRun

from .keywords import Keywords
from .marks import Marked, Marks

KEYWORD_COLUMNS = ("keywords", "predicted keywords", "found keywords")


def count_phrases(
    marked: Mapping[int, Marked], used: Mapping[int, Collection[int]], n_segments: int, keywords: Keywords
) -> PhraseCounts:
    """Returns which phrases the references of each segment have, and how many the prediction misses of the nearest one.

    A phrase of less than weight 1 is used, and neither wanted nor missed.

    Args:
        marked: the marks of a prediction and its nearest reference, of the segments that have phrases.
        used: which phrases any reference of a segment has, of the segments that have some.
        n_segments: how many there are.
        keywords: the phrases.
    """
    found = {}
    for row, phrases in used.items():
        wanted, predicted = (_heavy_phrases(marks, keywords) for marks in marked.get(row, (None, None)))
        missed = wanted - predicted
        found[row] = {phrase: (wanted[phrase], missed[phrase]) for phrase in sorted(phrases)}
    return phrase_counts(keywords.phrases, found, n_segments)


def keyword_columns(counts: PhraseCounts, marked: Mapping[int, Marked], keywords: Keywords) -> dict[str, np.ndarray]:
    """Returns how many phrases of at least weight 1 each reference has, each prediction, and both, (n_segments,) each.

    A phrase that occurs several times in both is in both as often as in the text that has it less often.
    """
    n_segments = len(counts.sizes)
    segments = np.repeat(np.arange(n_segments), counts.sizes)
    wanted = np.bincount(segments, counts.wanted, n_segments)
    predicted = np.zeros(n_segments)
    for row, (_, marks) in marked.items():
        if marks is not None:
            predicted[row] = sum(keywords.weights[phrase] >= 1 for phrase, *_ in marks.occurrences)
    both = wanted - np.bincount(segments, counts.missed, n_segments)
    return dict(zip(KEYWORD_COLUMNS, (wanted, predicted, both), strict=True))


def _heavy_phrases(marks: Marks | None, keywords: Keywords) -> Counter[int]:
    """Returns how often a text has each phrase of at least weight 1."""
    if marks is None:
        return Counter()
    return Counter(phrase for phrase, *_ in marks.occurrences if keywords.weights[phrase] >= 1)


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
