"""Weighted BLEU: BLEU with weights of phrases that a person chooses (Oh, Kim and Cha 2019, "단어 가중치 기반 BLEU").

The precision is the paper's equation (4). Where the paper is silent or contradicts itself, we decided: an n-gram has
the largest weight of the phrases that it contains, and 1 if it contains none ("n-gram내에 ... 있으면", "큰 값"); each
distinct n-gram counts as often as it occurs; precisions have a geometric mean as in BLEU, and are not multiplied as in
equation (1). That product, and the arithmetic mean of the paper's tables, are options. We know of no other program that
computes it. Without weights it is `bleu`.
"""

import itertools
from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, clean_texts  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import choice, flag, mapping  # From: -e .
from textgauge.core.phrase_counts import RowsWithPhrases, check_phrases, phrase_counts  # From: -e .
from textgauge.core.phrase_tables import (  # From: -e .
    PHRASES_AND_WEIGHTS,
    distinct_tables,
    read_weights,
    unused_entries,
    weights_text,
)
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.ngrams.counts import (  # From: -e .
    NgramCounts,
    count_ngrams,
    ngram_totals,
    remaining_tokens,
    sum_by_row,
    text_lengths,
)
from textgauge.ngrams.phrases import (  # From: -e .
    Phrases,
    compile_phrases,
    count_occurrences,
    missed_phrases,
    ngram_weights,
    phrase_classes,
    warn_of_long_phrases,
)
from textgauge.tokens.chunks import Chunk  # From: -e .
from textgauge.tokens.tokenizers import encode_chunk, tokenize  # From: -e .

from .bleu import (
    OPTIONS,
    CountOptions,
    MeanOptions,
    mean_precision,
    precisions,
    report_fields,
    without_rounding,
)
from .bleu import check as check_bleu
from .bleu import explain as explain_bleu
from .bleu import statistics as count_bleu


def statistics(
    predictions: list[str],
    references: list[list[str]],
    tables: np.ndarray,
    *,
    phrases: Phrases,
    counting: CountOptions,
    negative: str,
) -> RowsWithPhrases:
    """Returns rows [lengths (2), matches (N), n-grams (N), weighted matches (N), weighted n-grams (N)].

    Shape (n_segments, 2 + 4 N); the first 2 + 2 N are `bleu`'s. `tables`, (n_segments,), are numbers of tables.
    Beside the rows are the phrases that the texts of each segment have.

    >>> texts = {"predictions": ["시폰지 주세요"], "references": ["시폰지 주때요"]}
    >>> WeightedBleu().statistics(**texts, weights={"시폰지": 1.5}, max_order=1).tolist()
    [[2.0, 2.0, 1.0, 2.0, 1.5, 2.5]]
    """
    max_order = counting.max_order
    if not phrases.texts:  # all weights are 1, so the weighted matches and totals are those of bleu
        rows = count_bleu(predictions, references, **counting._asdict())
        return RowsWithPhrases(np.concatenate([rows, rows[:, 2:]], axis=1), phrase_counts([], {}, len(rows)))
    chunk = encode_chunk(predictions, references, counting.tokenizer)
    lengths = text_lengths(chunk, counting.ref_length)
    classes, found = phrase_classes(chunk.tokens, tables[chunk.rows], phrases, max_order)
    weighted_totals, negatives = _sum_weights(chunk, phrases.weights[classes], negative)
    matches = []
    weighted_matches = []
    for ngrams, negative_sums in zip(count_ngrams(chunk, max_order, classes), negatives, strict=True):
        matches_of_ngrams = ngrams.matches
        weighted = _weigh_matches(ngrams, matches_of_ngrams, phrases.weights[ngrams.classes], negative)
        matches.append(sum_by_row(ngrams, matches_of_ngrams, chunk.n_rows))
        weighted_matches.append(sum_by_row(ngrams, weighted, chunk.n_rows) + negative_sums)
    totals = ngram_totals(lengths[:, 0], max_order)
    rows = np.column_stack([lengths, *matches, totals, *weighted_matches, *weighted_totals])
    rows_of_texts = chunk.rows.astype(np.min_scalar_type(chunk.n_rows))  # small integers sort fast
    segment_of_tokens = np.repeat(rows_of_texts, chunk.lengths)
    return RowsWithPhrases(rows, count_occurrences(found, segment_of_tokens, chunk.n_rows, phrases))


def _sum_weights(chunk: Chunk, weights: np.ndarray, negative: str) -> tuple[np.ndarray, np.ndarray]:
    """Returns the sum of the weights of each prediction's n-grams, and that of the negative ones.

    Both are (max_order, n_rows); `weights`, (max_order, n_tokens), has those of the n-grams of each order at each
    token. With "penalty" a negative n-gram weighs 1 in the first sum, which is the denominator, as it does in BLEU.
    """
    lengths = chunk.lengths[: chunk.n_rows]
    remaining = remaining_tokens(lengths)
    orders = np.arange(len(weights))[:, None]
    sums_of_tokens = orders * chunk.n_rows + np.repeat(np.arange(chunk.n_rows), lengths)  # which sum a weight is of

    def summed(values: np.ndarray) -> np.ndarray:
        sums = np.bincount(sums_of_tokens.ravel(), values.ravel(), minlength=len(weights) * chunk.n_rows)
        return sums.reshape(len(weights), chunk.n_rows)

    in_numerator = np.where(remaining > orders, weights[:, : len(remaining)], 0.0)
    in_denominator = in_numerator
    if negative == "penalty":
        in_denominator = np.where(in_numerator < 0, 1.0, in_numerator)
    return summed(in_denominator), summed(np.minimum(in_numerator, 0.0))


def _weigh_matches(ngrams: NgramCounts, matches: np.ndarray, weights: np.ndarray, negative: str) -> np.ndarray:
    """Returns what each n-gram adds to the numerator of equation (4); for a negative weight w, without w c.

    An n-gram occurs c times in the prediction and r_j times in reference j. It adds max_j min(w c, w r_j), which is
    w min(c, max_j r_j) for w >= 0. For w < 0 it is w max(c, min_j r_j). There w c is added elsewhere, for all n-grams
    of the prediction, and w (min_j r_j - c) is left where min_j r_j is larger than c.
    """
    is_negative = weights < 0
    if not is_negative.any():
        return weights * matches
    surplus = 0
    if negative == "literal":
        surplus = np.maximum(ngrams.reference_min - ngrams.counts, 0)
    return weights * np.where(is_negative, surplus, matches)


def _parts(rows: np.ndarray, max_order: int) -> list[np.ndarray]:
    """Returns lengths, matches and totals, (..., 2) and (..., N), and the weighted matches and totals."""
    check_width(rows, 2 + 4 * max_order)
    parts = [rows[..., :2]]
    for start in range(2, 2 + 4 * max_order, max_order):
        parts.append(rows[..., start : start + max_order])
    lengths, matches, totals, weighted_matches, weighted_totals = parts
    # cancelling weights are taken to be of the order of 1
    weighted_matches = without_rounding(weighted_matches, totals)
    weighted_totals = without_rounding(weighted_totals, totals)
    return [lengths, matches, totals, weighted_matches, weighted_totals]


def score(
    rows: np.ndarray, *, means: MeanOptions, ref_length: str, aggregate: str, per_order: bool
) -> dict[str, np.ndarray]:
    """Returns Weighted BLEU, the BLEU of the same n-grams without weights, and the parts of Weighted BLEU.

    Rows have the shape (..., 2 + 4 N). A weighted precision with a numerator or denominator <= 0 is 0, or smoothed;
    `degenerate_orders` lists the orders in which n-grams match all the same. With `per_order`, B@n and wB@n are the
    brevity penalty times the precision of order n; the paper's Table 1 reports the arithmetic mean of its B@n.

    >>> WeightedBleu().score([2, 2, 1, 2, 1.5, 2.5], max_order=1)["weighted_bleu"].item()
    0.6
    """
    lengths, matches, totals, weighted_matches, weighted_totals = _parts(rows, means.max_order)
    is_defined = (lengths[..., 1] > 0) | (matches > 0).any(-1)
    # the same n-grams without weights and with them; add-k finds orders only where something matches, which may be in
    # one of the two alone: each has its own
    numerators = np.stack([matches, weighted_matches])
    denominators = np.stack([totals, weighted_totals])
    values, exists = precisions(numerators, denominators, totals, means.smooth, means.smooth_value)
    plain_mean, mean = mean_precision(values, exists, means.order_weights, means.effective_order, aggregate)
    plain, weighted = values
    fields = report_fields(lengths, weighted, ref_length)
    penalty = fields["brevity_penalty"]
    result = {
        "weighted_bleu": is_defined * penalty * mean,
        "bleu": is_defined * penalty * plain_mean,
        **fields,
        "degenerate_orders": (matches > 0) & (weighted_matches <= 0),
    }
    if per_order:
        result["bleu_per_order"] = penalty[..., None] * plain
        result["weighted_bleu_per_order"] = penalty[..., None] * weighted
    return result


def explain(
    predictions: list[str],
    references: list[list[str]],
    tables: np.ndarray,
    *,
    phrases: Phrases,
    tokenizer: Any,
    max_order: int,
) -> dict[str, Any]:
    """Returns what `bleu` explains for one segment, and for each order the weight of the n-gram at each token.

    `weights` are those of the prediction. `missed` has for each reference the phrases that the prediction lacks, except
    for those that weigh 1: [start, number of tokens, weight]. `tables` is (1,), the number of the segment's table.

    >>> explained = WeightedBleu(weights={"시폰지": 1.5}, max_order=1).explain(prediction="네", reference="네 시폰지")
    >>> explained["weights"], explained["missed"]
    ([[1.0]], [[[1, 1, 1.5]]])
    """
    explained = explain_bleu(predictions, references, tokenizer=tokenizer, max_order=max_order)
    weights = ngram_weights(predictions[0], tables[:1], phrases, tokenizer, max_order)
    missed = []
    for text, tokens in zip(references[0], explained["references"], strict=True):
        reference_weights = ngram_weights(text, tables[:1], phrases, tokenizer, max_order)
        missed.append(missed_phrases(tokens, explained["prediction"], reference_weights))
    return {**explained, "weights": weights, "missed": missed}


def check(*, means: MeanOptions, aggregate: str, weights: Any, negative: str) -> None:
    """Raises InputError for options that contradict one another."""
    check_bleu(means=means)
    if aggregate == "product" and means.order_weights is not None:
        raise InputError("order_weights has no effect with aggregate='product': equation (1) has no weights")
    if weights is None and negative != "literal":
        raise InputError(f"negative is {negative!r}, but there are no weights; pass weights, or leave negative out")


class WeightedBleu(TextMetric):
    """Weighted BLEU is BLEU in which n-grams with phrases of your choice count more, less or negatively.

    Returns:
        weighted_bleu, bleu (the same without weights), precisions (weighted, one per order) and brevity_penalty in
        [0, 1]; length_ratio, translation_length, reference_length; degenerate_orders, in which n-grams match but the
        weights make the numerator <= 0; unused_count, of phrases that occur in no n-gram of any text, and unused_keys,
        the first ten of them.

    Examples:
        >>> weighted_bleu = WeightedBleu()  # or evaluate.load("./metrics/weighted_bleu.py")
        >>> result = weighted_bleu.compute(
        ...     predictions=["무엇을 하고 시폰지 정확히 말씀해 주세요 ."],
        ...     references=["무엇을 하고 시폰지 정확히 말해 주때요 ."],
        ...     weights={"시폰지": 1.2, "말해": 1.1, "주때요": 1.3},
        ...     max_order=1,
        ... )
        >>> round(result["weighted_bleu"], 4), round(result["bleu"], 4)
        (0.7222, 0.7143)
        >>> result["unused_count"], result["unused_keys"]
        (0, [])
    """

    CITATION = """\
@inproceedings{oh-etal-2019-weighted-bleu,
    title = "Weighted {BLEU}: 단어 가중치 기반 {BLEU}",
    author = "Oh, Jinyoung and Kim, Jeong-Moo and Cha, Jeong-Won",
    year = "2019",
    note = "Changwon National University; in Korean",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    HAS_NEGATIVE_ROWS = True  # phrases may have negative weights
    USUAL_RANGE = (0, 1)
    USES_THREADS = True
    OPTIONS = {
        **OPTIONS,
        "weights": mapping(
            None,
            "weights",
            f"phrases with weights in [-2, 2]: {PHRASES_AND_WEIGHTS} Phrases are tokenized like the texts. An n-gram "
            "without any of the phrases weighs 1.",
            ("phrase", "weight"),
            lambda name, value: read_weights(value),
            text=weights_text,
            in_code="Or a dict phrase -> weight; or a list of such dicts, one per segment.",
        ),
        "negative": choice(
            "literal",
            "neg",
            "`literal`: the paper's equation (4), where a negative weight can raise the score; `penalty`: a negative "
            "n-gram counts its weight in the numerator and 1 in the denominator, which never raises the score, except "
            "with smooth=`exp` and `floor`.",
            ("literal", "penalty"),
        ),
        "aggregate": choice(
            "geometric",
            "agg",
            "`geometric` mean, as in BLEU; `product`, as in the paper's equation (1); `arithmetic` mean, as in its "
            "tables.",
            ("geometric", "product", "arithmetic"),
        ),
        "all_unused": flag("", "let `unused_keys` list all unused phrases, not only ten."),
        "per_order": flag("", "add `bleu_per_order` and `weighted_bleu_per_order`, the paper's B@n and wB@n."),
    }

    def segment_options(self, row, **options):
        """Returns the options with the segment's own table, where each segment has one."""
        tables = read_weights(self._resolved_options(options)["weights"])
        return {**options, "weights": [tables[row]]} if isinstance(tables, list) else options

    def _prepare(self, columns, options):
        """Adds the tokenized phrases, and the number of each segment's table."""
        weights = read_weights(options["weights"])
        n_rows = len(columns["predictions"])
        if isinstance(weights, list) and len(weights) != n_rows:
            raise InputError(f"weights has {len(weights)} tables and predictions {n_rows} rows; pass one table per row")
        if isinstance(weights, list):
            tables, table_of = distinct_tables(weights)
        else:
            tables = [weights]
            table_of = np.zeros(n_rows, dtype=np.int64)

        def tokens_of(phrases: list[str]) -> list[list[str]]:
            cleaned = clean_texts(phrases, lowercase=options["lowercase"], normalization=options["normalization"])
            return tokenize(cleaned, options["tokenizer"])

        phrases = compile_phrases(tables, tokens_of)
        warn_of_long_phrases(phrases, options["max_order"])
        return {**columns, "tables": table_of}, {**options, "phrases": phrases}

    def _phrase_values(self, phrases, options):
        """Returns the phrases that occur nowhere, such as 주때요 where texts have it with a full stop."""
        return unused_entries(phrases.unused(), options["all_unused"])

    def _check_phrases(self, phrases, options):
        """Raises InputError for phrases that are not in `weights`."""
        tables = read_weights(options["weights"])
        tables = tables if isinstance(tables, list) else [tables]
        check_phrases(phrases, itertools.chain.from_iterable(tables))
