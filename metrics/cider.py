"""CIDEr: how alike a prediction is to its references in n-grams weighed by their rarity (Vedantam et al. 2015).

CIDEr-D, the default, and CIDEr as the authors' code computes them: term frequencies are counts, and the score is ten
times the paper's. pycocoevalcap's "CIDEr" is CIDEr-D.
"""

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any
from typing import NamedTuple

import numpy as np

from ._bootstrap import resample as resample
from ._columns import REFERENCES
from ._columns import TEXTS
from ._corpus_metric import CorpusMetric
from ._corpus_metric import ngram_counts
from ._corpus_ngrams import NgramTable
from ._corpus_ngrams import count_documents
from ._corpus_ngrams import counts_at
from ._corpus_ngrams import find_ngrams
from ._corpus_ngrams import find_tokens
from ._corpus_ngrams import group
from ._metric import Metric as Metric
from ._options import LOWERCASE
from ._options import NORMALIZATION
from ._options import choice
from ._options import count
from ._options import number
from ._signature import VERSION as VERSION
from ._text_metric import check_width
from ._tokens import TOKENIZER
from ._tokens import Chunk
from ._tokens import encode
from ._tokens import encode_chunk
from ._tokens import encode_corpus

_SCALE = 10.0  # the authors' code
_TOP = 10  # n-grams that `explain` shows per order


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    table: NgramTable,
    tokenizer: Any,
    max_order: int,
    variant: str,
    sigma: float,
) -> np.ndarray:
    """Returns rows [similarity of order 1..N, 1], (n_segments, N + 1), each similarity the mean over the references."""
    chunk = encode_chunk(predictions, references, tokenizer)
    shares = _shares(chunk, variant, sigma)
    columns = []
    for ngrams in _weighted_ngrams(chunk, table, max_order):
        _, texts, products = _products(chunk, ngrams, shares, variant)
        columns.append(np.bincount(chunk.rows[texts], products, minlength=chunk.n_rows))
    return np.column_stack([*columns, np.ones(chunk.n_rows)])


class _Ngrams(NamedTuple):
    """The n-grams of one order in each text that has them, sorted by n-gram, then text; arrays (n_ngrams,)."""

    keys: np.ndarray  # n-gram x n_texts + text
    texts: np.ndarray
    starts: np.ndarray  # where it starts first, in the tokens of the chunk
    values: np.ndarray  # occurrences x weight


def _weighted_ngrams(chunk: Chunk, table: NgramTable, max_order: int) -> Iterator[_Ngrams]:
    """Yields the n-grams of each order; they weigh the logarithm of the corpus by the segments that have them."""
    ids, n_texts = chunk.tokens.ids, len(chunk.tokens.lengths)
    text_of = np.repeat(np.arange(n_texts), chunk.tokens.lengths)
    remaining = np.cumsum(chunk.tokens.lengths)[text_of] - np.arange(len(ids))
    words, size = find_tokens(table, chunk.tokens), len(chunk.tokens.vocabulary)
    numbers, places = np.zeros_like(ids), np.zeros_like(ids)
    for order in range(1, max_order + 1):
        positions = np.flatnonzero(remaining >= order)
        last = positions + order - 1
        # equal n-grams of the chunk get the same number, from that of their first n - 1 tokens
        runs = group(numbers[positions] * size + ids[last])
        positions, last = positions[runs.order], last[runs.order]
        found = find_ngrams(table, order, places[positions[runs.starts]], words[last[runs.starts]])
        number = np.cumsum(runs.is_new) - 1
        numbers[positions], places[positions] = number, found[number]
        weights = np.log(max(table.counts[0][0], 1) / counts_at(table, order, found))

        texts = text_of[positions]
        starts = np.flatnonzero(runs.is_new | (np.diff(texts, prepend=-1) != 0))
        counts, texts, number = np.diff(starts, append=len(texts)), texts[starts], number[starts]
        yield _Ngrams(number * n_texts + texts, texts, positions[starts], counts * weights[number])


def _products(
    chunk: Chunk, ngrams: _Ngrams, shares: np.ndarray, variant: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns what n-grams that prediction and reference share add to the similarity of their segment.

    That is: where each starts in the tokens of the chunk, the text of the reference, and what it adds, all (n_shared,).
    """
    norms = np.sqrt(np.bincount(ngrams.texts, ngrams.values**2, minlength=len(shares)))
    others = np.flatnonzero(chunk.reference_numbers[ngrams.texts] > 0)
    own_texts = chunk.rows[ngrams.texts[others]]  # text i is the prediction of row i
    wanted = ngrams.keys[others] - ngrams.texts[others] + own_texts
    own = np.searchsorted(ngrams.keys, wanted)  # never the end, for a prediction stands before its references
    shared = ngrams.keys[own] == wanted
    own, others, own_texts = own[shared], others[shared], own_texts[shared]

    texts, values = ngrams.texts[others], ngrams.values[own]
    if variant == "cider-d":
        values = np.minimum(values, ngrams.values[others])
    scale = norms[own_texts] * norms[texts]
    cosines = np.divide(values * ngrams.values[others], scale, out=np.zeros_like(values), where=scale > 0)
    return ngrams.starts[own], texts, cosines * shares[texts]


def _shares(chunk: Chunk, variant: str, sigma: float) -> np.ndarray:
    """Returns what each text weighs as a reference: 1 by their number, for CIDEr-D less where lengths differ."""
    shares = 1.0 / (np.bincount(chunk.rows) - 1)[chunk.rows]
    if variant == "cider":
        return shares
    lengths = chunk.tokens.lengths.astype(np.float64)
    with np.errstate(over="ignore"):  # of a tiny sigma
        distances = (lengths[: chunk.n_rows][chunk.rows] - lengths) / float(sigma)
        return shares * np.exp(-(distances**2) / 2)


def score(rows: np.ndarray, *, max_order: int) -> dict[str, np.ndarray]:
    """Returns the mean over the segments for rows of shape (..., N + 1); cider and each of per_order are in [0, 10].

    cider is the mean of per_order; an order for which one of both texts has no n-gram is 0.
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
    variant: str,
    sigma: float,
) -> dict[str, Any]:
    """Returns of one segment what made its score, order by order.

    Keys: `per_order`, as in the result; `ngrams`, for each order up to ten pairs [n-gram, what it adds to the value of
    that order], the largest first, equal ones as they stand in the prediction.
    """
    chunk = encode_chunk(predictions, references, tokenizer)
    words, shares = chunk.tokens.vocabulary.to_pylist(), _shares(chunk, variant, sigma)
    per_order, shown = [], []
    for order, ngrams in enumerate(_weighted_ngrams(chunk, table, max_order), start=1):
        starts, _, products = _products(chunk, ngrams, shares, variant)
        distinct, index = np.unique(starts, return_inverse=True)
        added = _SCALE * np.bincount(index, products, minlength=len(distinct))
        best = np.argsort(-added, kind="stable")[:_TOP]
        texts = [" ".join(words[i] for i in chunk.tokens.ids[at : at + order]) for at in distinct[best].tolist()]
        per_order.append(min(float(added.sum()), _SCALE))
        shown.append([list(pair) for pair in zip(texts, added[best].tolist(), strict=True)])
    return {"per_order": per_order, "ngrams": shown}


class Cider(CorpusMetric):
    """CIDEr tells how well a caption agrees with what several people wrote, above all in words that are rare.

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
    OPTIONS = {
        "variant": choice(
            "cider-d",
            "variant",
            "`cider-d`: matches are clipped, and other lengths cost; or `cider`.",
            ("cider-d", "cider"),
        ),
        "tokenizer": TOKENIZER,
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "max_order": count(4, "order", "longest n-gram."),
        "sigma": number(6.0, "sigma", "how far lengths may differ in CIDEr-D, in tokens.", is_open=True),
        "document_frequencies": ngram_counts(
            None,
            "df",
            "in how many segments n-grams occur, from `corpus_counts`, when the corpus is another than the references "
            "that are scored: a dict, or a JSON or TSV file. What it lacks counts once.",
            smallest_total=1,
        ),
    }
    COUNTS_OPTION = "document_frequencies"

    def _count(self, references, options, smallest):
        """Counts the segments in whose references each n-gram occurs."""
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
