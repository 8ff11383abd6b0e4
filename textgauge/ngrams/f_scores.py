"""Precision, recall and F, with one reference or several."""

import numpy as np

from textgauge.core.references import best_references


def segment_scores(
    counts: np.ndarray, n_references: np.ndarray, beta: float, multi_ref: str, exponent: float = 1.0
) -> np.ndarray:
    """Returns precision, recall and F of each segment, (n_segments, 3) in [0, 1].

    >>> counts = np.array([[1, 2, 4], [2, 2, 4], [3, 3, 3]])
    >>> segment_scores(counts * 1.0, np.array([2, 1]), beta=1.0, multi_ref="best").round(4).tolist()
    [[1.0, 0.5, 0.6667], [1.0, 1.0, 1.0]]

    Args:
        counts: [matches, units of the prediction, units of the reference] for each reference, (n_references, 3).
        n_references: (n_segments,) number of references of each segment.
        beta: of F; recall is beta times as important as precision.
        multi_ref: "best" takes the reference with the best F, the first one on ties; "average" adds up the counts of
            the references; "jackknife" leaves out each reference in turn, and is the mean of the best of the others.
        exponent: precision and recall are roots of this degree.
    """
    first = np.cumsum(n_references) - n_references
    if multi_ref == "average":
        # ROUGE-1.5.5 -f A: a ratio of sums, not a mean of ratios
        return f_scores(np.add.reduceat(counts, first), beta, exponent)
    scores = f_scores(counts, beta, exponent)
    if len(scores) == len(n_references):
        return scores
    values = rank_values(scores)
    best = best_references(values, n_references)
    if multi_ref == "best":
        return scores[best]
    values[best] = -np.inf
    second = best_references(values, n_references)
    # the best reference is the best of every set except for the one that leaves it out
    return scores[best] + (scores[second] - scores[best]) / n_references[:, None]


def f_scores(counts: np.ndarray, beta: float, exponent: float = 1.0) -> np.ndarray:
    """Returns precision, recall and F, (..., 3), for counts (..., 3), see `segment_scores`; 0 where a denominator is 0.

    >>> f_scores(np.array([2.0, 2.0, 4.0]), beta=1.0).round(4).tolist()
    [1.0, 0.5, 0.6667]
    """
    matches = counts[..., :1]
    totals = counts[..., 1:]
    ratios = np.divide(matches, totals, out=np.zeros_like(totals), where=totals > 0) ** (1 / exponent)
    precision = ratios[..., 0]
    recall = ratios[..., 1]
    denominator = recall + beta**2 * precision
    product = (1 + beta**2) * precision * recall
    f = np.divide(product, denominator, out=np.zeros_like(product), where=denominator > 0)
    return np.stack([precision, recall, f], axis=-1)


def rank_values(scores: np.ndarray) -> np.ndarray:
    """Returns F, (...) for scores (..., 3), by which the best reference is found; rounded, so that equal fractions tie.

    >>> rank_values(np.array([[1.0, 0.5, 0.1 + 0.2], [0.5, 1.0, 0.3]])).tolist()
    [0.3, 0.3]
    """
    return np.round(scores[..., 2], 12)
