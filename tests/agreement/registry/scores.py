"""Correlations, the agreement of raters and perplexity: scipy, krippendorff, scikit-learn, torchmetrics."""

import itertools
import math
import warnings
from collections.abc import Callable

from hypothesis import strategies as st

from .agreements import Agreement, Case, Columns, Difference, Values, of_numbers, of_ratings
from .inputs import LOG_PROBABILITIES, NUMBERS, RATINGS


def load_scipy() -> Callable[[Case], Values]:
    """Returns scipy's three coefficients; nan where it has none for so few rows."""
    from scipy import stats

    functions = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}

    def theirs(case: Case) -> Values:
        rows = case.columns["predictions"], case.columns["references"]
        return {name: float(function(*rows)[0]) for name, function in functions.items()}

    return theirs


def load_krippendorff() -> Callable[[Case], Values]:
    """Returns the package's alpha for interval, ordinal and nominal data."""
    import krippendorff
    import numpy as np

    def theirs(case: Case) -> Values:
        data = np.array(case.columns["references"], dtype=float).T
        levels = {"alpha": "interval", "ordinal_alpha": "ordinal", "nominal_alpha": "nominal"}
        return {
            key: float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
            for key, level in levels.items()
        }

    return theirs


def load_sklearn() -> Callable[[Case], Values]:
    """Returns the mean of scikit-learn's kappas of all pairs of raters, which takes the categories of all."""
    import numpy as np
    from sklearn.metrics import cohen_kappa_score

    def theirs(case: Case) -> Values:
        data = np.array(case.columns["references"], dtype=float)
        labels, codes = np.unique(data[~np.isnan(data)], return_inverse=True)
        numbered = np.full(data.shape, -1)
        numbered[~np.isnan(data)] = codes
        found = {"kappa": [], "weighted_kappa": []}
        for pair in itertools.combinations(numbered.T, 2):
            both = np.array(pair)[:, np.min(pair, axis=0) >= 0]
            for key, weights in (("kappa", None), ("weighted_kappa", "quadratic")):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of what is undefined
                    value = (
                        cohen_kappa_score(*both, labels=[*range(len(labels))], weights=weights)
                        if both.size
                        else math.nan
                    )
                found[key] += [] if math.isnan(value) else [value]
        return {key: float(np.mean(values)) if values else math.nan for key, values in found.items()}

    return theirs


def load_torchmetrics_perplexity() -> Callable[[Case], Values]:
    """Returns torchmetrics' perplexity, which takes logits: here of each token, and of all others together."""
    import torch
    from torchmetrics.functional.text import perplexity

    def theirs(case: Case) -> Values:
        values = [value for row in case.columns["predictions"] for value in row]
        tokens = torch.tensor([[[value, _of_all_others(value)] for value in values]], dtype=torch.float64)
        return {"perplexity": float(perplexity(tokens, torch.zeros((1, len(values)), dtype=torch.long)))}

    return theirs


def _of_all_others(value: float) -> float:
    return math.log(-math.expm1(value)) if value else -math.inf


def log_columns(texts: list[list[float]]) -> Columns:
    """Returns the column of perplexity that needs no model."""
    return {"predictions": texts}


def _has_nothing_to_compare(case: Case) -> bool:
    """No row has two scores, or all scores in such rows are equal."""
    rows = [[score for score in row if score is not None] for row in case.columns["references"]]
    return len({score for row in rows if len(row) > 1 for score in row}) < 2


def _has_one_row(case: Case) -> bool:
    return len(case.columns["predictions"]) < 2


AGREEMENTS = [
    Agreement(
        "human_correlation",
        "scipy",
        "scipy",
        "Pearson, Spearman, Kendall's tau-b",
        load_scipy,
        differences=(Difference("it refuses a single row; ours is nan", _has_one_row),),
        tolerance=1e-9,
        columns=of_numbers,
        inputs=NUMBERS,
        one_reference=True,
    ),
    Agreement(
        "human_correlation",
        "krippendorff",
        "krippendorff",
        "Krippendorff's alpha of several raters, interval, ordinal and nominal",
        load_krippendorff,
        differences=(
            Difference("it refuses scores without two different ones in rows with two; ours is nan",
                       _has_nothing_to_compare),
        ),
        tolerance=1e-9,
        columns=of_ratings,
        inputs=RATINGS,
        one_reference=True,
    ),
    Agreement(
        "human_correlation",
        "scikit-learn",
        "scikit-learn",
        "Cohen's kappa and the weighted one, the mean over pairs of raters",
        load_sklearn,
        tolerance=1e-9,
        columns=of_ratings,
        inputs=RATINGS,
        one_reference=True,
    ),
    Agreement(
        "perplexity",
        "torchmetrics",
        "torchmetrics",
        "log-probabilities of tokens, all texts pooled",
        load_torchmetrics_perplexity,
        st.just({}),
        tolerance=1e-9,
        columns=log_columns,
        inputs=LOG_PROBABILITIES,
        one_reference=True,
    ),
]  # fmt: skip
