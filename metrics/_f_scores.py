"""Precision, recall and F of counts, with one reference or several."""

import numpy as np


def segment_scores(
    counts: np.ndarray, n_references: np.ndarray, beta: float, multi_ref: str, exponent: float = 1.0
) -> np.ndarray:
    """Reduces the counts of each segment's references to its precision, recall and F: (n_segments, 3) in [0, 1].

    Args:
        counts: [matches, units of the prediction, units of the reference] for each reference, (n_pairs, 3).
        n_references: of each segment, (n_segments,).
        beta: of F.
        multi_ref: "best" takes the reference with the best F, the first one on ties; "average" adds up the counts of
            the references; "jackknife" is the mean, over the sets that lack one reference, of the best in the set.
        exponent: precision and recall are roots of this degree.
    """
    first = np.cumsum(n_references) - n_references
    if multi_ref == "average":
        # ROUGE-1.5.5 -f A: a ratio of sums, not a mean of ratios
        return f_scores(np.add.reduceat(counts, first), beta, exponent)
    scores = f_scores(counts, beta, exponent)
    if len(scores) == len(n_references):
        return scores
    rows = np.repeat(np.arange(len(n_references)), n_references)
    ranked = scores[np.lexsort((-_rank_value(scores), rows))]
    best, second = ranked[first], ranked[first + (n_references > 1)]
    if multi_ref == "best":
        return best
    # the best reference is the best of every set but the one that lacks it
    return best + (second - best) / n_references[:, None]


def f_scores(counts: np.ndarray, beta: float, exponent: float = 1.0) -> np.ndarray:
    """Returns precision, recall and F of counts (..., 3); 0 where there is nothing to divide by."""
    matches, totals = counts[..., :1], counts[..., 1:]
    ratios = np.divide(matches, totals, out=np.zeros_like(totals), where=totals > 0) ** (1 / exponent)
    precision, recall = ratios[..., 0], ratios[..., 1]
    denominator = recall + beta**2 * precision
    product = (1 + beta**2) * precision * recall
    f = np.divide(product, denominator, out=np.zeros_like(product), where=denominator > 0)
    return np.stack([precision, recall, f], axis=-1)


def best_reference(counts: np.ndarray, beta: float) -> int:
    """Returns the index of the reference with the best F, the first one on ties."""
    return int(np.argmax(_rank_value(f_scores(counts, beta))))


def _rank_value(scores: np.ndarray) -> np.ndarray:
    # rounded, so that equal fractions tie
    return np.round(scores[..., 2], 12)
