"""deltaBLEU: BLEU with a weight from -1 to 1 for each reference, as people rated it (Galley et al. 2015).

The definition is the paper's: an n-gram's credit is its matches in a reference times the weight of that reference, and
the largest credit over the references counts. The denominator is the credit if all n-grams matched in the reference
with the largest weight. The author's fork of sacreBLEU may take the largest weight and the largest count from two
references; `formula="author"` gives its values.
"""

import itertools
from collections import Counter
from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.number_columns import NUMBER_LISTS  # From: -e .
from textgauge.core.options import choice  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.ngrams.counts import NgramCounts, count_ngrams, ngram_totals, sum_by_row, text_lengths  # From: -e .
from textgauge.tokens.tokenizers import encode_chunk  # From: -e .

from .bleu import (
    OPTIONS,
    CountOptions,
    MeanOptions,
    brevity_penalty,
    mean_precision,
    precisions,
    report_fields,
    without_rounding,
)
from .bleu import check as check_bleu
from .bleu import explain as explain_bleu

REFERENCE_WEIGHTS = NUMBER_LISTS._replace(
    help="for each segment a list with one weight per reference, from -1 (an unacceptable answer) to 1 (a perfect "
    "answer), at least one of them above 0."
)


def statistics(
    predictions: list[str],
    references: list[list[str]],
    reference_weights: list[list[float]],
    *,
    counting: CountOptions,
    formula: str,
) -> np.ndarray:
    """Returns rows [lengths (2), matches (N), n-grams (N), credits (N), largest possible credits (N)].

    Shape (n_segments, 2 + 4 N); the first 2 + 2 N are `bleu`'s.

    >>> texts = {"predictions": ["맛이 없었어요"], "references": [["맛이 있었어요", "맛이 없었어요"]]}
    >>> DeltaBleu().statistics(**texts, reference_weights=[[1.0, -0.5]], max_order=1).tolist()
    [[2.0, 2.0, 2.0, 2.0, 0.5, 2.0]]
    """
    chunk = encode_chunk(predictions, references, counting.tokenizer)
    lengths = text_lengths(chunk, counting.ref_length)
    weights = np.array(list(itertools.chain.from_iterable(reference_weights)), dtype=np.float64)
    first = np.flatnonzero(chunk.reference_numbers[chunk.n_rows :] == 1)  # of each segment's weights
    matches = []
    credits = []
    for ngrams in count_ngrams(chunk, counting.max_order):
        credits_of_ngrams = _credits(ngrams, weights, first, formula)
        matches.append(sum_by_row(ngrams, ngrams.matches, chunk.n_rows))
        credits.append(sum_by_row(ngrams, credits_of_ngrams, chunk.n_rows))
    totals = ngram_totals(lengths[:, 0], counting.max_order)
    largest_weights = np.maximum.reduceat(weights, first)
    return np.column_stack([lengths, *matches, totals, *credits, largest_weights[:, None] * totals])


def _credits(ngrams: NgramCounts, weights: np.ndarray, first: np.ndarray, formula: str) -> np.ndarray:
    """Returns the credit of each n-gram that matches, (n_ngrams,).

    Args:
        ngrams: the n-grams of one order.
        weights: of all references, segment by segment.
        first: index of each segment's first weight.
        formula: the option.
    """
    if not len(ngrams.starts):
        return np.zeros(0)
    # an n-gram has an entry for each text in which it occurs: of a reference its weight, and of the prediction none
    n_texts = np.diff(ngrams.starts, append=len(ngrams.reference_numbers))
    is_reference = ngrams.reference_numbers > 0
    first_weights = np.repeat(first[ngrams.rows], n_texts)
    indices = np.where(is_reference, first_weights + ngrams.reference_numbers - 1, 0)
    weights_of_texts = weights[indices]
    if formula == "paper":
        counts = np.repeat(ngrams.counts, n_texts)
        weights_of_texts = weights_of_texts * np.minimum(counts, ngrams.reference_counts)
    best = np.maximum.reduceat(np.where(is_reference, weights_of_texts, -np.inf), ngrams.starts)
    return best * ngrams.matches if formula == "author" else best


def score(
    rows: np.ndarray,
    *,
    means: MeanOptions,
    ref_length: str,
) -> dict[str, np.ndarray]:
    """Returns deltaBLEU, the BLEU of the same texts, and the parts of deltaBLEU; rows have the shape (..., 2 + 4 N).

    A numerator below 0, where bad references match more than good ones, becomes 0 as in the author's code. Then it is
    smoothed.

    >>> values = DeltaBleu().score([2.0, 2.0, 2.0, 2.0, 0.5, 2.0], max_order=1)
    >>> values["delta_bleu"].item(), values["bleu"].item()
    (0.25, 1.0)
    """
    order = means.max_order
    check_width(rows, 2 + 4 * order)
    bounds = [2, 2 + order, 2 + 2 * order, 2 + 3 * order]
    lengths, matches, totals, credits, largest_credits = np.split(rows, bounds, axis=-1)
    credits = np.maximum(without_rounding(credits, largest_credits), 0.0)

    weighted, exists = precisions(credits, largest_credits, totals, means.smooth, means.smooth_value)
    plain, plain_exists = precisions(matches, totals, totals, means.smooth, means.smooth_value)
    mean = mean_precision(weighted, exists, means.order_weights, means.effective_order, "geometric")
    plain_mean = mean_precision(plain, plain_exists, means.order_weights, means.effective_order, "geometric")

    is_defined = (lengths[..., 1] > 0) | (matches > 0).any(-1)
    penalty = is_defined * brevity_penalty(lengths)
    return {"delta_bleu": penalty * mean, "bleu": penalty * plain_mean, **report_fields(lengths, weighted, ref_length)}


def explain(
    predictions: list[str],
    references: list[list[str]],
    reference_weights: list[list[float]],
    *,
    tokenizer: Any,
    max_order: int,
    formula: str,
) -> dict[str, Any]:
    """Returns the explanation of `bleu` for one segment, and the credits of its n-grams.

    Keys besides: `credits`, for each order a list of [n-gram, count, credit] of the n-grams that occur in a reference;
    the credits of an order add up to its numerator. `reference_weights`, those of the segment.

    >>> texts = {"prediction": "맛이 없었어요", "reference": ["맛이 있었어요", "맛이 없었어요"]}
    >>> DeltaBleu(max_order=1).explain(**texts, reference_weights=[1.0, -0.5])["credits"]
    [[['맛이', 1, 1.0], ['없었어요', 1, -0.5]]]
    """
    explained = explain_bleu(predictions, references, tokenizer=tokenizer, max_order=max_order)
    weights = reference_weights[0]
    credits = []
    for order in range(1, max_order + 1):
        counts_of_references = [_count_ngrams(tokens, order) for tokens in explained["references"]]
        credits_of_order = []
        for ngram, count in _count_ngrams(explained["prediction"], order).items():
            reference_counts = [counts[ngram] for counts in counts_of_references]
            if any(reference_counts):
                credit = _credit(count, reference_counts, weights, formula)
                credits_of_order.append([" ".join(ngram), count, credit])
        credits.append(credits_of_order)
    return {**explained, "credits": credits, "reference_weights": weights}


def _count_ngrams(tokens: list[str], order: int) -> Counter[tuple[str, ...]]:
    """Returns how often a text has each n-gram of an order."""
    shifted = [tokens[start:] for start in range(order)]
    return Counter(zip(*shifted, strict=False))


def _credit(count: int, reference_counts: list[int], weights: list[float], formula: str) -> float:
    """Returns the credit of one n-gram, as `_credits` does."""
    weighted = [(weight, n) for weight, n in zip(weights, reference_counts, strict=True) if n]
    if formula == "paper":
        return max(weight * min(count, n) for weight, n in weighted)
    return max(weight for weight, _ in weighted) * min(count, max(reference_counts))


def check(*, means: MeanOptions) -> None:
    """Raises ValueError for options that contradict one another."""
    check_bleu(means=means)


class DeltaBleu(TextMetric):
    """deltaBLEU is BLEU with references that people rated from -1 (bad) to 1 (good).

    Returns:
        delta_bleu, bleu (the same with all weights 1), precisions (weighted, one per order) and brevity_penalty in
        [0, 1]; length_ratio, translation_length, reference_length.

    Examples:
        >>> delta_bleu = DeltaBleu()  # or evaluate.load("./metrics/delta_bleu.py")
        >>> result = delta_bleu.compute(
        ...     predictions=["밥은 맛이 없었어요"],
        ...     references=[["밥은 맛이 있었어요", "밥은 별로 맛이 없었어요"]],
        ...     reference_weights=[[1.0, -0.5]],
        ...     max_order=1,
        ... )
        >>> result["bleu"], result["delta_bleu"]
        (1.0, 0.5)
    """

    CITATION = """\
@inproceedings{galley-etal-2015-deltableu,
    title = "delta{BLEU}: A Discriminative Metric for Generation Tasks with Intrinsically Diverse Targets",
    author = "Galley, Michel and Brockett, Chris and Sordoni, Alessandro and Ji, Yangfeng and Auli, Michael and
        Quirk, Chris and Mitchell, Margaret and Gao, Jianfeng and Dolan, Bill",
    booktitle = "Proceedings of the 53rd Annual Meeting of the Association for Computational Linguistics and the 7th
        International Joint Conference on Natural Language Processing (Volume 2: Short Papers)",
    year = "2015",
    pages = "445--450",
    url = "https://aclanthology.org/P15-2073",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES, "reference_weights": REFERENCE_WEIGHTS}
    LOWER_IS_BETTER = False
    HAS_NEGATIVE_ROWS = True  # references may have negative weights
    USUAL_RANGE = (0, 1)
    USES_THREADS = True
    OPTIONS = {
        **OPTIONS,
        "formula": choice(
            "paper",
            "formula",
            "`paper`: an n-gram's credit is its matches in a reference times the weight of that reference, the largest "
            "such product; `author`, as in the author's code: the largest weight times the most matches, which may be "
            "those of two references.",
            ("paper", "author"),
        ),
    }

    def _check_columns(self, columns):
        """Raises InputError unless each reference has a weight in [-1, 1], and each segment a positive one."""
        for row, weights in enumerate(columns["reference_weights"]):
            n_references = len(columns["references"][row])
            if len(weights) != n_references:
                raise InputError(
                    f"reference_weights[{row}] has {len(weights)} weights and references[{row}] {n_references} "
                    "references; pass one weight per reference"
                )
            if not -1 <= min(weights) <= max(weights) <= 1:
                index = next(index for index, weight in enumerate(weights) if not -1 <= weight <= 1)
                raise InputError(f"reference_weights[{row}][{index}] is {weights[index]}; pass a weight from -1 to 1")
            if max(weights) <= 0:
                # the paper assumes a positive weight: without one the denominator would not be positive
                raise InputError(
                    f"reference_weights[{row}] has no weight above 0; leave out segments without a good one"
                )
