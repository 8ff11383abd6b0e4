"""Correlations, the agreement of raters and perplexity: scipy, krippendorff, scikit-learn, torchmetrics."""

import itertools
import math
import warnings
from typing import Any

from .peer import Case, Difference, Peer, Values, module

_COEFFICIENTS = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}
_LEVELS = {"alpha": "interval", "ordinal_alpha": "ordinal", "nominal_alpha": "nominal"}


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


def _has_one_row(case: Case) -> bool:
    return len(case.columns["predictions"]) < 2


SCIPY = Peer(
    "human_correlation",
    "scipy",
    "scipy",
    module("scipy.stats"),
    _scipy,
    timed=("human correlation",),
    differences=(Difference("it refuses a single row; ours is nan", _has_one_row),),
    tolerance=1e-9,
)
KRIPPENDORFF = Peer(
    "human_correlation",
    "krippendorff",
    "krippendorff",
    module("krippendorff"),
    _krippendorff,
    differences=(
        Difference(
            "it refuses scores without two different ones in rows with two; ours is nan", _has_nothing_to_compare
        ),
    ),
    tolerance=1e-9,
)
SKLEARN = Peer("human_correlation", "scikit-learn", "scikit-learn", module("sklearn.metrics"), _sklearn, tolerance=1e-9)
TORCHMETRICS = Peer(
    "perplexity",
    "torchmetrics",
    "torchmetrics",
    module("torchmetrics.functional.text"),
    _torchmetrics,
    tolerance=1e-9,
)
