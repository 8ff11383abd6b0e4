"""CIDEr: the cosine between a prediction and its references, with n-grams weighted by rarity (Vedantam et al. 2015).

CIDEr-D, the default, and CIDEr follow the authors' code: term frequencies are counts, and the score is ten times
the paper's. pycocoevalcap's "CIDEr" is CIDEr-D.
"""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width, divide  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, number  # From: -e .
from textgauge.ngrams.corpus import (  # From: -e .
    NgramTable,
    count_documents,
    counts_at,
    find_ngrams,
    find_tokens,
    sorted_keys,
)
from textgauge.ngrams.corpus_metric import CorpusMetric, ngram_counts  # From: -e .
from textgauge.ngrams.counts import remaining_tokens  # From: -e .
from textgauge.ngrams.longest import longest_ngram  # From: -e .
from textgauge.tokens.chunks import Chunk  # From: -e .
from textgauge.tokens.corpus_tokens import encode_corpus  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, encode, encode_chunk  # From: -e .

_SCALE = 10.0  # the authors' code
_SIGMA = 6.0
_TOP = 10  # n-grams that `explain` shows per order


class Similarity(NamedTuple):
    """The choice of the similarity of two texts."""

    variant: str
    sigma: float  # of CIDEr-D


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    table: NgramTable,
    tokenizer: Any,
    max_order: int,
    similarity: Similarity,
) -> np.ndarray:
    """Returns rows [similarity of order 1..N, 1], (n_segments, N + 1); a similarity is the mean over the references.

    >>> texts = {"predictions": ["고양이 잔다", "개 짖는다"], "references": ["고양이 잔다", "개 잔다"]}
    >>> Cider().statistics(**texts, max_order=2).round(4).tolist()
    [[1.0, 1.0, 1.0], [0.7071, 0.0, 1.0]]
    """
    if table.counts[0][0] <= 1:  # every n-gram weighs log(1 / 1)
        return np.tile([0.0] * max_order + [1.0], (len(predictions), 1))
    chunk = encode_chunk(predictions, references, tokenizer)
    shares = _shares(chunk, similarity)
    columns = []
    for ngrams in _weighted_ngrams(chunk, table, max_order):
        _, entries, products = _products(chunk, ngrams, shares, similarity.variant)
        columns.append(_sum_in_order(chunk, chunk.rows, ngrams.starts[entries], products))
    return np.column_stack([*columns, np.ones(chunk.n_rows)])


class _Ngrams(NamedTuple):
    """The n-grams of one order in each text of a chunk, sorted by n-gram and then by text; arrays (n_entries,)."""

    keys: np.ndarray  # number of the n-gram x n_texts + number of the text
    texts: np.ndarray  # number of the text
    starts: np.ndarray  # the token of the chunk at which the n-gram begins first in the text
    values: np.ndarray  # occurrences in the text x weight


def _weighted_ngrams(chunk: Chunk, table: NgramTable, max_order: int) -> Iterator[_Ngrams]:
    """Yields the n-grams of each order; the weight is log(segments / segments in whose references the n-gram occurs).

    The idea: equal n-grams of a chunk get the same number, from the number of their first n - 1 tokens and their last
    token, so that each order is one sort. The plain version is `cider` of tests/oracles.py.
    """
    ids = chunk.tokens.ids
    n_texts = len(chunk.tokens.lengths)
    text_of_tokens = np.repeat(np.arange(n_texts), chunk.tokens.lengths)
    remaining = remaining_tokens(chunk.tokens.lengths)
    words = find_tokens(table, chunk.tokens)
    n_words = len(chunk.tokens.vocabulary)
    n_segments = max(table.counts[0][0], 1)

    # of the n-gram of the order before that begins at each token: its number in the chunk, and in the table
    prefixes = np.zeros_like(ids)
    prefixes_in_table = np.zeros_like(ids)
    for order in range(1, max_order + 1):
        # the n-grams of this order, the same ones side by side, and those of one text in its order
        positions = np.flatnonzero(remaining >= order)
        last_tokens = positions + order - 1
        ngrams = sorted_keys(prefixes[positions] * n_words + ids[last_tokens])
        positions = positions[ngrams.order]
        last_tokens = last_tokens[ngrams.order]
        numbers = np.cumsum(ngrams.is_new) - 1

        # each distinct one is looked up once
        first_prefixes = prefixes_in_table[positions[ngrams.starts]]
        first_words = words[last_tokens[ngrams.starts]]
        in_table = find_ngrams(table, order, first_prefixes, first_words)
        weights = np.log(n_segments / counts_at(table, order, in_table))
        prefixes[positions] = numbers
        prefixes_in_table[positions] = in_table[numbers]

        # an entry for each n-gram of each text
        texts = text_of_tokens[positions]
        is_first = ngrams.is_new | (np.diff(texts, prepend=-1) != 0)
        starts = np.flatnonzero(is_first)
        counts = np.diff(starts, append=len(texts))
        texts = texts[starts]
        numbers = numbers[starts]
        yield _Ngrams(numbers * n_texts + texts, texts, positions[starts], counts * weights[numbers])


def _products(
    chunk: Chunk, ngrams: _Ngrams, shares: np.ndarray, variant: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the contribution of each n-gram in both prediction and reference to the similarity of their segment.

    Three arrays (n_shared,): the token of the chunk at which the n-gram begins in the prediction, the index of the
    n-gram in the reference, and its contribution.
    """
    squares = _sum_in_order(chunk, np.arange(len(shares)), ngrams.starts, ngrams.values**2)
    norms = np.sqrt(squares)

    # the entries of references, and those of the same n-grams in their predictions, found by their keys
    in_references = np.flatnonzero(chunk.reference_numbers[ngrams.texts] > 0)
    texts = ngrams.texts[in_references]
    predictions = chunk.rows[texts]  # text i is the prediction of row i
    keys = ngrams.keys[in_references] - texts + predictions
    # never the end, because the prediction's entry comes before those of its references
    in_predictions = np.searchsorted(ngrams.keys, keys)
    is_shared = ngrams.keys[in_predictions] == keys
    in_references = in_references[is_shared]
    in_predictions = in_predictions[is_shared]
    texts = texts[is_shared]
    predictions = predictions[is_shared]

    reference_values = ngrams.values[in_references]
    prediction_values = ngrams.values[in_predictions]
    if variant == "cider-d":
        prediction_values = np.minimum(prediction_values, reference_values)
    cosines = divide(prediction_values * reference_values, norms[predictions] * norms[texts])
    return ngrams.starts[in_predictions], in_references, cosines * shares[texts]


def _sum_in_order(chunk: Chunk, groups: np.ndarray, starts: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Returns the sums of values of n-grams, added up in the order of the texts, and so the same in any chunk.

    Args:
        chunk: the texts.
        groups: (n_texts,) which sum a text belongs to.
        starts: (n_values,) the token of the chunk at which an n-gram begins, all different.
        values: (n_values,) its contribution.
    """
    by_token = np.zeros(len(chunk.tokens.ids))
    by_token[starts] = values
    group_of_tokens = np.repeat(groups, chunk.tokens.lengths)
    n_groups = groups.max(initial=-1) + 1
    return np.bincount(group_of_tokens, by_token, minlength=n_groups)


def _shares(chunk: Chunk, similarity: Similarity) -> np.ndarray:
    """Returns the weight of each text as a reference: 1 / their number, for CIDEr-D less where the lengths differ."""
    n_references = np.bincount(chunk.rows) - 1
    shares = 1.0 / n_references[chunk.rows]
    if similarity.variant == "cider":
        return shares
    lengths = chunk.tokens.lengths.astype(np.float64)
    prediction_lengths = lengths[: chunk.n_rows]
    with np.errstate(over="ignore"):  # of a tiny sigma
        distances = (prediction_lengths[chunk.rows] - lengths) / float(similarity.sigma)
        return shares * np.exp(-(distances**2) / 2)


def score(rows: np.ndarray, *, max_order: int) -> dict[str, np.ndarray]:
    """Returns the mean over the segments for rows of shape (..., N + 1); cider and each of per_order are in [0, 10].

    cider is the mean of per_order. An order is 0 where the prediction or its references have no n-gram of it.

    >>> values = score(np.array([[0.5, 0.25, 1.0], [1.0, 0.75, 1.0]]), max_order=2)
    >>> values["cider"].tolist(), values["per_order"].tolist()
    ([3.75, 8.75], [[5.0, 2.5], [10.0, 7.5]])
    """
    check_width(rows, max_order + 1)
    with np.errstate(invalid="ignore"):
        # above 10 by rounding alone
        per_order = np.minimum(_SCALE * rows[..., :-1] / rows[..., -1:], _SCALE)
    return {"cider": per_order.mean(-1), "per_order": per_order}


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    table: NgramTable,
    tokenizer: Any,
    max_order: int,
    similarity: Similarity,
) -> dict[str, Any]:
    """Returns the contributions of the n-grams of one segment to its score.

    Keys: `per_order`, as in the result; `ngrams`, for each order up to ten pairs [n-gram, its contribution to the value
    of that order], the largest first, and in the order of the prediction where they are equal.

    >>> counts = Cider().corpus_counts(references=["고양이 잔다", "개 짖는다"])
    >>> cider = Cider(max_order=1, document_frequencies=counts)
    >>> [[ngram, added]] = cider.explain(prediction="고양이 잔다", reference="고양이 온다")["ngrams"][0]
    >>> ngram, round(added, 4)
    ('고양이', 5.0)
    """
    chunk = encode_chunk(predictions, references, tokenizer)
    words = chunk.tokens.words()
    tokens = [words[token] for token in chunk.tokens.ids.tolist()]
    shares = _shares(chunk, similarity)
    per_order = []
    top_ngrams = []
    for order, ngrams in enumerate(_weighted_ngrams(chunk, table, max_order), start=1):
        starts, _, products = _products(chunk, ngrams, shares, similarity.variant)
        distinct, numbers = np.unique(starts, return_inverse=True)
        added = _SCALE * np.bincount(numbers, products, minlength=len(distinct))
        per_order.append(min(float(added.sum()), _SCALE))
        top_of_order = []
        for index in np.argsort(-added, kind="stable")[:_TOP]:
            start = distinct[index]
            top_of_order.append([" ".join(tokens[start : start + order]), added[index].item()])
        top_ngrams.append(top_of_order)
    return {"per_order": per_order, "ngrams": top_ngrams}


def check(*, variant: str, sigma: float) -> None:
    """Raises InputError for an option that changes nothing without others."""
    if variant == "cider" and sigma != _SIGMA:
        raise InputError(f"sigma is {sigma!r}, but only variant='cider-d' takes one; leave one of them out")


class Cider(CorpusMetric):
    """CIDEr measures how well a caption agrees with captions by several people, above all in rare words.

    Returns:
        cider from 0 to 10, the mean of the segments, and per_order, its value for each order.

    Examples:
        >>> cider = Cider()  # or evaluate.load("./metrics/cider.py")
        >>> result = cider.compute(
        ...     predictions=["고양이가 방에서 잠을 자고 있다", "아이가 책을 읽는다"],
        ...     references=[["고양이가 방에서 자고 있다"], ["아이가 책을 읽고 있다", "소년이 책을 읽는다"]],
        ... )
        >>> round(result["cider"], 4), [round(value, 4) for value in result["per_order"]]
        (3.1711, [7.5807, 5.1035, 0.0, 0.0])
    """

    CITATION = """\
@inproceedings{vedantam-etal-2015-cider,
    title = "{CIDEr}: Consensus-based Image Description Evaluation",
    author = "Vedantam, Ramakrishna and Zitnick, C. Lawrence and Parikh, Devi",
    booktitle = "Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition",
    year = "2015",
    pages = "4566--4575",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, 10)
    USES_THREADS = True
    OPTIONS = {
        "variant": choice(
            "cider-d",
            "variant",
            "`cider-d`: matches are clipped, and a difference in length lowers the score; or `cider`.",
            ("cider-d", "cider"),
        ),
        "tokenizer": TOKENIZER,
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "max_order": longest_ngram(4, "order"),
        "sigma": number(_SIGMA, "sigma", "how far lengths may differ in CIDEr-D, in tokens.", is_open=True),
        "document_frequencies": ngram_counts(
            None,
            "df",
            "how many segments have references with each n-gram",
            smallest_total=1,
        ),
    }
    COUNTS_OPTION = "document_frequencies"

    def _count(self, references, options, smallest):
        """Counts the segments whose references have each n-gram."""
        encode_texts = partial(encode_corpus, encode_part=partial(encode, tokenizer=options["tokenizer"]))
        return count_documents(references, encode_texts, options["max_order"], smallest)

    def _max_order(self, options):
        return options["max_order"]

    def _prepare(self, columns, options):
        """Warns where no n-gram can be rarer than another."""
        columns, options = super()._prepare(columns, options)
        if options["table"].counts[0][0] == 1:
            warnings.warn(
                "CIDEr is 0 for a corpus of one segment: no n-gram is rarer than another; pass more segments, or "
                "document_frequencies of a larger corpus",
                stacklevel=2,
            )
        return columns, options
