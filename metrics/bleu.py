"""BLEU: the geometric mean of clipped n-gram precisions, times a brevity penalty (Papineni et al. 2002).

The definition is that of the paper, with the counts of the corpus added up first, and with sacreBLEU's smoothing.
sacreBLEU gives the same values on a scale of 0 to 100. So does nltk's corpus_bleu, except for predictions too short to
have an n-gram, and for orders without a match whose weight is small. Hugging Face's `bleu` takes the shortest reference
where this one takes the closest; `ref_length="shortest"` gives its values.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width, divide  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, flag, is_number, number, own  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.ngrams.counts import count_matches, ngram_totals, text_lengths  # From: -e .
from textgauge.ngrams.longest import longest_ngram  # From: -e .
from textgauge.ngrams.text_ngrams import matched_positions  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, encode_chunk, tokenize  # From: -e .

_SMOOTHING = (False, None, True, "none", "add-one", "floor", "add-k", "exp")
_ROUNDING = 1e-12
# sacreBLEU's defaults
_SMOOTH_VALUES = {"floor": 0.1, "add-k": 1.0}


class CountOptions(NamedTuple):
    """The options that say which n-grams are counted, and which length a segment's references have."""

    tokenizer: Any
    max_order: int
    ref_length: str


class MeanOptions(NamedTuple):
    """The options that say how the precisions of orders are smoothed, and how they make one score."""

    max_order: int
    order_weights: Sequence[float] | None
    smooth: bool | str | None
    smooth_value: float | None
    effective_order: bool


def statistics(
    predictions: list[str], references: list[list[str]], *, tokenizer: Any, max_order: int, ref_length: str
) -> np.ndarray:
    """Returns rows [translation length, reference length, matches of order 1..N, n-grams of order 1..N].

    Shape (n_segments, 2 + 2 N). An n-gram matches at most as often as it occurs in one reference (section 2.1).

    >>> rows = statistics(["밥을 먹었다"], [["밥을 다 먹었다"]], tokenizer="13a", max_order=2, ref_length="closest")
    >>> rows.tolist()
    [[2.0, 3.0, 2.0, 0.0, 2.0, 1.0]]
    """
    chunk = encode_chunk(predictions, references, tokenizer)
    lengths = text_lengths(chunk, ref_length)
    totals = ngram_totals(lengths[:, 0], max_order)
    return np.concatenate([lengths, count_matches(chunk, max_order), totals], axis=1)


def score(rows: np.ndarray, *, means: MeanOptions, ref_length: str) -> dict[str, np.ndarray]:
    """Returns BLEU and its parts for rows of shape (..., 2 + 2 N); bleu, precisions, brevity_penalty in [0, 1].

    The precision of an order without n-grams is 0, and then BLEU is 0 too, except with `effective_order` or with a
    smoothing that adds to such orders. BLEU is 0 for empty references. length_ratio is nan for 0/0 and inf for n/0.

    >>> Bleu().score([[2, 3, 2, 2], [1, 1, 1, 1]], max_order=1)["bleu"].round(4).tolist()
    [0.6065, 1.0]
    """
    max_order = means.max_order
    check_width(rows, 2 + 2 * max_order)
    lengths = rows[..., :2]
    matches = rows[..., 2 : 2 + max_order]
    totals = rows[..., 2 + max_order :]
    values, exists = precisions(matches, totals, totals, means.smooth, means.smooth_value)
    mean = mean_precision(values, exists, means.order_weights, means.effective_order, "geometric")
    fields = report_fields(lengths, values, ref_length)
    # add-one smoothing would give a score above 0 where there is nothing to match
    is_defined = (lengths[..., 1] > 0) | matches.any(-1)
    return {"bleu": is_defined * fields["brevity_penalty"] * mean, **fields}


def report_fields(lengths: np.ndarray, values: np.ndarray, ref_length: str) -> dict[str, np.ndarray]:
    """Returns what BLEU and its relatives report besides the score, for lengths (..., 2) and precisions (..., N).

    >>> report_fields(np.array([2.0, 4.0]), np.array([1.0, 0.5]), "closest")["length_ratio"].item()
    0.5
    """
    length = lengths[..., 0]
    reference_length = lengths[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = length / reference_length
    return {
        "precisions": values,
        "brevity_penalty": brevity_penalty(lengths),
        "length_ratio": ratio,
        "translation_length": length.astype(np.int64),
        "reference_length": reference_length if ref_length == "average" else reference_length.astype(np.int64),
    }


def brevity_penalty(lengths: np.ndarray) -> np.ndarray:
    """Returns exp(1 - r/c) where c < r, else 1 (Papineni et al. 2002, section 2.3); lengths [c, r], (..., 2).

    >>> brevity_penalty(np.array([[3, 3], [4, 3], [2, 3]])).round(4).tolist()
    [1.0, 1.0, 0.6065]
    """
    length = lengths[..., 0]
    reference_length = lengths[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.exp(np.fmin(1.0 - reference_length / length, 0.0))  # fmin: 0/0, two empty texts, has no penalty


def precisions(
    matches: np.ndarray,
    totals: np.ndarray,
    counts: np.ndarray,
    smooth: bool | str | None,
    smooth_value: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Returns modified n-gram precisions in [0, 1], and which orders exist; all arrays are (..., N).

    A precision is 0, or smoothed, where its numerator or denominator is not above 0.

    >>> values, exists = precisions(*np.array([[2.0, 0.0], [4.0, 3.0], [4.0, 3.0]]), smooth="exp")
    >>> values.round(4).tolist(), exists.tolist()
    ([0.5, 0.1667], [True, True])

    Args:
        matches, totals: clipped matches and n-grams of the prediction per order, weighted or not.
        counts: number of n-grams of the prediction per order; an order exists if it has one.
        smooth: False, None or "none"; True or "add-one" adds 1 to every order (Hugging Face); "floor", "add-k", "exp"
            are methods 1 to 3 of Chen and Cherry (2014) as sacreBLEU computes them.
        smooth_value: for "floor" (0.1) and "add-k" (1).
    """
    if smooth not in (False, None, "none"):
        if smooth_value is None:
            smooth_value = _SMOOTH_VALUES.get(smooth, 0.0)
        matches, totals, counts = _smoothed(matches, totals, counts, smooth, float(smooth_value))
    is_positive = (matches > 0) & (totals > 0)
    ratio = np.divide(matches, totals, out=np.zeros_like(totals), where=is_positive)
    return np.minimum(ratio, 1.0), counts > 0  # only rounding makes a ratio larger than 1


def _smoothed(
    matches: np.ndarray, totals: np.ndarray, counts: np.ndarray, smooth: bool | str, value: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns what `precisions` divides, smoothed, and the counts with what is added."""
    has_match = (matches > 0).any(-1, keepdims=True)
    if smooth in ("floor", "exp"):
        is_missing = (matches <= 0) & (totals > 0) & has_match
        halvings = np.cumsum(is_missing, axis=-1)  # "exp": 1/2, 1/4, ... of a match for the 1st, 2nd, ... missing order
        substitute = value if smooth == "floor" else 0.5**halvings
        # weights may leave less than that
        return np.where(is_missing, np.minimum(substitute, totals), matches), totals, counts
    added = 1.0
    if smooth == "add-k":
        # Lin and Och (2004): every order above 1; nothing to smooth where no unigram matches
        added = np.where(has_match, value, 0.0) * (np.arange(matches.shape[-1]) > 0)
    return matches + added, totals + added, counts + added


def without_rounding(sums: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Returns sums of weights (...), with 0 for one that is only rounding; `scale` is the size of what was added up.

    >>> without_rounding(np.array([0.1 + 0.2 - 0.3, 0.5]), np.ones(2)).tolist()
    [0.0, 0.5]
    """
    return np.where(np.abs(sums) <= _ROUNDING * scale, 0.0, sums)


def mean_precision(
    values: np.ndarray, exists: np.ndarray, weights: Sequence[float] | None, effective_order: bool, aggregate: str
) -> np.ndarray:
    """Returns the mean of precisions over the orders, the last axis: (..., N) -> (...).

    >>> mean_precision(np.array([0.8, 0.2]), np.array([True, True]), None, False, "arithmetic").item()
    0.5

    Args:
        values, exists: as `precisions` returns them.
        weights: weight of each order, None for uniform.
        effective_order: leave out orders without n-grams, and divide their weight among the others.
        aggregate: "geometric" mean, "arithmetic" mean, or "product" (no mean at all).
    """
    n_orders = values.shape[-1]
    weights = np.full(n_orders, 1 / n_orders) if weights is None else np.asarray(weights, float)
    if effective_order:
        weights = np.where(exists, weights, 0.0)
        weights = divide(weights, weights.sum(-1, keepdims=True))
    if aggregate == "arithmetic":
        # weights add up to 1 except for rounding
        return divide((weights * values).sum(-1), weights.sum(-1))

    if aggregate == "product":
        weights = (weights > 0).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.exp(np.where(weights > 0, weights * np.log(values), 0.0).sum(-1))
    if not effective_order:
        return mean
    return np.where((weights > 0).any(-1), mean, 0.0)


def explain(predictions: list[str], references: list[list[str]], *, tokenizer: Any, max_order: int) -> dict[str, Any]:
    """Returns the tokens of one segment, and for each order the positions at which matched n-grams start.

    >>> explain(["밥을 먹었다"], [["밥을 다 먹었다"]], tokenizer="whitespace", max_order=2)
    {'prediction': ['밥을', '먹었다'], 'references': [['밥을', '다', '먹었다']], 'matches': [[0, 1], []]}
    """
    prediction, *reference_tokens = tokenize([*predictions, *references[0]], tokenizer)
    return {
        "prediction": prediction,
        "references": reference_tokens,
        "matches": matched_positions(prediction, reference_tokens, max_order),
    }


def check(*, means: MeanOptions) -> None:
    """Raises InputError for options that contradict one another."""
    smooth_value = means.smooth_value
    if smooth_value is not None and means.smooth not in _SMOOTH_VALUES:
        raise InputError(f"smooth_value is {smooth_value!r:.200}, but only smooth='floor' and 'add-k' take one")
    if smooth_value is not None and means.smooth == "floor" and smooth_value > 1:
        raise InputError(f"smooth_value is {smooth_value!r:.200}; pass a positive number, for 'floor' of at most 1")
    if means.order_weights is not None and not _are_weights(means.order_weights, means.max_order):
        raise InputError(
            f"order_weights is {means.order_weights!r:.200}; "
            f"pass {means.max_order} weights (max_order) of at least 0 that sum to 1"
        )


def _are_weights(order_weights: Any, max_order: int) -> bool:
    """Returns whether these are `max_order` numbers, none negative, that sum to 1."""
    if not isinstance(order_weights, (list, tuple)) or len(order_weights) != max_order:
        return False
    if not all(is_number(weight) and weight >= 0 for weight in order_weights):
        return False
    return math.isclose(sum(order_weights), 1, abs_tol=1e-9)


def _order_weights_text(order_weights: Sequence[float] | None) -> str:
    """Returns `order_weights` as a signature has them: numbers, each with a comma after it."""
    return "none" if order_weights is None else "".join(f"{float(weight)!r}," for weight in order_weights)


def _smoothing_text(smooth: bool | str | None) -> str:
    """Returns `smooth` as a signature has it: the name of the method."""
    return "add-one" if smooth is True else smooth or "none"


OPTIONS = {
    "tokenizer": TOKENIZER,
    "lowercase": LOWERCASE,
    "normalization": NORMALIZATION,
    "max_order": longest_ngram(4, "order"),
    "order_weights": own(
        None,
        "ow",
        "weight of each order, at least 0 and adding up to 1; uniform by default.",
        kind="list",
        text=_order_weights_text,
    ),
    "smooth": choice(
        False,
        "smooth",
        "`False`, `None` or `none`; `True` or `add-one` adds one match and one n-gram to every order (Hugging Face's); "
        "`floor`, `add-k`, `exp`: methods 1 to 3 of Chen and Cherry (2014) as in sacreBLEU, `add-k` only for orders "
        "above 1.",
        _SMOOTHING,
        text=_smoothing_text,
    ),
    "smooth_value": number(None, "sv", "for `floor` (`0.1` by default, at most 1) and `add-k` (1).", is_open=True),
    "effective_order": flag("eff", "leave out orders without an n-gram in the prediction; for single sentences."),
    "ref_length": choice(
        "closest",
        "reflen",
        "with several references, the length that is `closest` to the prediction's, of two equally close ones the "
        "shorter; `shortest` (Hugging Face's); or `average`.",
        ("closest", "shortest", "average"),
    ),
}


class Bleu(TextMetric):
    """BLEU measures how many n-grams of a prediction occur in its references, with a penalty for short predictions.

    Returns:
        bleu, precisions (one per order) and brevity_penalty in [0, 1]; length_ratio; translation_length and
        reference_length in tokens.

    Examples:
        >>> bleu = Bleu()  # or evaluate.load("./metrics/bleu.py")
        >>> predictions, references = ["고양이가 침대에서 잠을 자고 있다."], [["고양이가 방에서 잠을 자고 있다."]]
        >>> result = bleu.compute(predictions=predictions, references=references, tokenizer="whitespace")
        >>> result["bleu"], [round(precision, 4) for precision in result["precisions"]]
        (0.0, [0.8, 0.5, 0.3333, 0.0])
        >>> bleu.signature(tokenizer="whitespace")
        'bleu|nrefs:var|tok:whitespace|case:mixed|norm:NFC|order:4|smooth:none|eff:no|reflen:closest|v1.0'
    """

    CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    pages = "311--318",
    url = "https://aclanthology.org/P02-1040",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, 1)
    IS_PERCENT = True
    USES_THREADS = True
    OPTIONS = OPTIONS
