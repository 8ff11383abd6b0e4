"""Correlations, the agreement of raters, and perplexity."""

from collections.abc import Iterable

from lab.peers import scores
from lab.peers.peer import Columns

from ..agreement import Agreement
from ..inputs import LOG_PROBABILITIES, NUMBERS, RATINGS


def _of_numbers(rows: Iterable[tuple[float, float]]) -> Columns:
    predictions, references = zip(*rows, strict=True)
    return {"predictions": list(predictions), "references": list(references)}


def _of_ratings(rows: list[list[float | None]]) -> Columns:
    """Returns scores of people; the metric's own do not matter."""
    return {"predictions": [float(row) for row in range(len(rows))], "references": rows}


def _of_log_probabilities(texts: list[list[float]]) -> Columns:
    return {"predictions": texts}


AGREEMENTS = [
    Agreement(scores.SCIPY, "scipy", "Pearson, Spearman, Kendall's tau-b", columns=_of_numbers, inputs=NUMBERS),
    Agreement(
        scores.KRIPPENDORFF,
        "krippendorff",
        "Krippendorff's alpha of several raters, interval, ordinal and nominal",
        columns=_of_ratings,
        inputs=RATINGS,
    ),
    Agreement(
        scores.SKLEARN,
        "scikit-learn",
        "Cohen's kappa and the weighted one, the mean over pairs of raters",
        columns=_of_ratings,
        inputs=RATINGS,
    ),
    Agreement(
        scores.TORCHMETRICS,
        "torchmetrics",
        "log-probabilities of tokens, all texts pooled",
        columns=_of_log_probabilities,
        inputs=LOG_PROBABILITIES,
    ),
]
