"""Correlations, the agreement of raters and perplexity: scipy, krippendorff, scikit-learn, torchmetrics."""

import itertools
import math
import warnings
from collections.abc import Iterable
from typing import Any

from .inputs import LOG_PROBABILITIES, NUMBERS, RATINGS, Columns
from .peer import Case, Difference, Peer, Values, module

_COEFFICIENTS = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}
_LEVELS = {"alpha": "interval", "ordinal_alpha": "ordinal", "nominal_alpha": "nominal"}


def _of_numbers(rows: Iterable[tuple[float, float]]) -> Columns:
    predictions, references = zip(*rows, strict=True)
    return {"predictions": list(predictions), "references": list(references)}


def _of_ratings(rows: list[list[float | None]]) -> Columns:
    """Returns scores of people; the metric's own do not matter."""
    return {"predictions": [float(row) for row in range(len(rows))], "references": rows}


def _of_log_probabilities(texts: list[list[float]]) -> Columns:
    return {"predictions": texts}


def _scipy(stats: Any, case: Case) -> Values:
    rows = case.columns["predictions"], case.columns["references"]
    return {key: float(getattr(stats, name)(*rows)[0]) for key, name in _COEFFICIENTS.items()}


def _krippendorff(krippendorff: Any, case: Case) -> Values:
    import numpy as np

    data = np.array(case.columns["references"], dtype=float).T
    return {
        key: float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
        for key, level in _LEVELS.items()
    }


def _sklearn(metrics: Any, case: Case) -> Values:
    """Returns the mean of its kappas of all pairs of raters, which takes the categories of all."""
    import numpy as np

    data = np.array(case.columns["references"], dtype=float)
    labels, codes = np.unique(data[~np.isnan(data)], return_inverse=True)
    numbered = np.full(data.shape, -1)
    numbered[~np.isnan(data)] = codes
    found = {"kappa": [], "weighted_kappa": []}
    for pair in itertools.combinations(numbered.T, 2):
        have_scores = np.min(pair, axis=0) >= 0
        if not have_scores.any():
            continue
        first, second = np.array(pair)[:, have_scores]
        for key, weights in (("kappa", None), ("weighted_kappa", "quadratic")):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of what is undefined
                value = metrics.cohen_kappa_score(first, second, labels=[*range(len(labels))], weights=weights)
            found[key] += [] if math.isnan(value) else [value]
    return {key: float(np.mean(values)) if values else math.nan for key, values in found.items()}


def _torchmetrics(text: Any, case: Case) -> Values:
    """Takes logits: here of each token, and of all others together."""
    import torch

    values = list(itertools.chain(*case.columns["predictions"]))
    logits = [[value, _of_all_others(value)] for value in values]
    tokens = torch.tensor([logits], dtype=torch.float64)
    targets = torch.zeros((1, len(values)), dtype=torch.long)
    return {"perplexity": float(text.perplexity(tokens, targets))}


def _of_all_others(value: float) -> float:
    return math.log(-math.expm1(value)) if value else -math.inf


def _has_nothing_to_compare(case: Case) -> bool:
    """No row has two scores, or all scores in such rows are equal."""
    compared: set[float] = set()
    for row in case.columns["references"]:
        scores = [score for score in row if score is not None]
        if len(scores) > 1:
            compared.update(scores)
    return len(compared) < 2


_REFUSES_A_ROW = Difference("it refuses a single row; ours is nan", lambda case: len(case.columns["predictions"]) < 2)
_REFUSES_EQUAL = Difference(
    "it refuses scores without two different ones in rows with two; ours is nan", _has_nothing_to_compare
)
_OF_RATERS = {"metric": "human_correlation", "columns": _of_ratings, "inputs": RATINGS, "tolerance": 1e-9}
PEERS = [
    Peer("human_correlation", "scipy", "scipy", "Pearson, Spearman, Kendall's tau-b", module("scipy.stats"), _scipy,
         differences=(_REFUSES_A_ROW,), columns=_of_numbers, inputs=NUMBERS, tolerance=1e-9),
    Peer(name="krippendorff", package="krippendorff", load=module("krippendorff"), call=_krippendorff,
         settings="Krippendorff's alpha of several raters, interval, ordinal and nominal",
         differences=(_REFUSES_EQUAL,), **_OF_RATERS),
    Peer(name="scikit-learn", package="scikit-learn", load=module("sklearn.metrics"), call=_sklearn,
         settings="Cohen's kappa and the weighted one, the mean over pairs of raters", **_OF_RATERS),
    Peer("perplexity", "torchmetrics", "torchmetrics", "log-probabilities of tokens, all texts pooled",
         module("torchmetrics.functional.text"), _torchmetrics, columns=_of_log_probabilities,
         inputs=LOG_PROBABILITIES, tolerance=1e-9),
]  # fmt: skip
