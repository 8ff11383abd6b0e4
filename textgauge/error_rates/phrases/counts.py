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
        reference_marks, prediction_marks = marked.get(row, (None, None))
        wanted = _heavy_phrases(reference_marks, keywords)
        missed = wanted - _heavy_phrases(prediction_marks, keywords)
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
    occurrences = [marks.occurrences if marks else [] for marks in marked]
    counts = []
    for occurrences_of_side in occurrences:
        counts.append(Counter(found.phrase for found in occurrences_of_side))
    listed = []
    for index, side in enumerate(("reference", "prediction")):
        right = _right_tokens(runs, index)
        by_errors = sorted(occurrences[index], key=lambda found: len(set(range(found.start, found.end)) - right))
        n_left = counts[0] & counts[1]  # of each phrase, how many are in both and not taken yet
        in_both = set()
        for found in by_errors:
            if n_left[found.phrase] > 0:
                n_left[found.phrase] -= 1
                in_both.add(found)
        for found in occurrences[index]:
            phrase = keywords.phrases[found.phrase]
            weight = keywords.weights[found.phrase]
            listed.append([side, phrase, weight, found.start, found.end, found in in_both])
    return listed


def _right_tokens(runs: Sequence[AlignmentRun], index: int) -> set[int]:
    """Returns which tokens of the reference (index 0) or of the prediction (index 1) are right."""
    tokens: set[int] = set()
    for kind, *bounds in runs:
        if kind == "equal":
            tokens.update(range(bounds[2 * index], bounds[2 * index + 1]))
    return tokens


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
