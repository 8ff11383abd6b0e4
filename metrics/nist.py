"""NIST: matched n-grams, each weighted by its information in the references (Doddington 2002).

The rules are those of NIST's own mteval: an n-gram may match in any reference, the reference length is the mean, and
the information comes from all references of the corpus. nltk, and so Hugging Face's `nist_mt`, takes for each order the
one reference with the best score. With one reference per segment and the same tokens all three agree.
"""

import itertools
import math
from functools import partial
from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.errors import InputError  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, flag  # From: -e .
from textgauge.ngrams.corpus import NgramTable, count_corpus, find_ngrams, find_tokens  # From: -e .
from textgauge.ngrams.corpus_metric import CorpusMetric, ngram_counts  # From: -e .
from textgauge.ngrams.counts import count_ngrams, ngram_totals, sum_by_row, text_lengths  # From: -e .
from textgauge.ngrams.longest import longest_ngram  # From: -e .
from textgauge.ngrams.text_ngrams import matched_positions  # From: -e .
from textgauge.tokens.chunks import Tokens  # From: -e .
from textgauge.tokens.corpus_tokens import encode_corpus  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, encode, encode_chunk, tokenize  # From: -e .

# a prediction of 2/3 of the references' length gets half of the score (Doddington 2002, equation 3)
_BETA = math.log(0.5) / math.log(1.5) ** 2


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    table: NgramTable,
    weights: list[np.ndarray],
    tokenizer: Any,
    n: int,
) -> np.ndarray:
    """Returns rows [translation length, mean reference length, matched information of order 1..n, n-grams of 1..n].

    Shape (n_segments, 2 + 2 n). A match is clipped at the most occurrences in one reference.

    >>> texts = {"predictions": ["개가 짖는다", "개가 잔다"], "references": ["개가 짖는다", "고양이가 잔다"]}
    >>> Nist().statistics(**texts, n=1).tolist()
    [[2.0, 2.0, 4.0, 2.0], [2.0, 2.0, 2.0, 2.0]]
    """
    chunk = encode_chunk(predictions, references, tokenizer)
    classes = _classes(table, len(weights), chunk.tokens)
    information = np.zeros((chunk.n_rows, n))
    for index, ngrams in enumerate(count_ngrams(chunk, len(weights), classes)):
        bits = weights[index][ngrams.classes]
        information[:, index] = sum_by_row(ngrams, ngrams.matches * bits, chunk.n_rows)
    lengths = text_lengths(chunk, "average")
    return np.column_stack([lengths, information, ngram_totals(lengths[:, 0], n)])


def _weigh(table: NgramTable) -> list[np.ndarray]:
    """Returns for each order the information log2(#(w1..wn-1) / #(w1..wn)) of each class of `_classes`: (n_classes,).

    The count of the empty n-gram is the number of words. An n-gram that is not in the table counts once, and so orders
    without information, for which the table has no n-grams of n - 1 tokens, are left out.
    """
    weights = []
    for keys, counts, prefix_counts in zip(table.keys, table.counts[1:], table.counts, strict=False):
        if not len(prefix_counts):
            break
        bits_of_prefixes = np.log2(np.maximum(prefix_counts, 1))
        prefixes = keys[:-1] // (table.size or 1)
        bits_of_ngrams = bits_of_prefixes[prefixes] - np.log2(counts)
        weights.append(np.concatenate([[0.0], bits_of_prefixes, bits_of_ngrams]))
    return weights


def _classes(table: NgramTable, max_order: int, tokens: Tokens) -> list[np.ndarray]:
    """Returns for each order the class of the n-gram at each token; where the text ends before it, any class.

    Class 0 has the n-grams of which neither they nor their first n - 1 tokens are in the table. There follow a class
    for each n-gram of order n - 1, of n-grams that begin with it and are not in the table, and one for each n-gram of
    the table.
    """
    words = find_tokens(table, tokens)
    prefixes = np.zeros(len(words), dtype=np.int64)
    classes = []
    for order in range(1, max_order + 1):
        behind_last = np.full(min(order - 1, len(words)), -1)
        last_words = np.concatenate([words[order - 1 :], behind_last])
        ngrams = find_ngrams(table, order, prefixes, last_words)  # -1 for one that is not in the table
        n_prefixes = len(table.counts[order - 1])
        classes.append(np.where(ngrams >= 0, 1 + n_prefixes + ngrams, 1 + prefixes))
        prefixes = ngrams
    return classes


def score(rows: np.ndarray, *, n: int) -> dict[str, np.ndarray]:
    """Returns NIST, which is at least 0 and has no upper limit, and its parts for rows of shape (..., 2 + 2 n).

    An order without n-grams adds 0, so an empty prediction scores 0. length_ratio is nan for 0/0 and inf for n/0.

    >>> values = score(np.array([2.0, 3.0, 3.0, 1.0, 2.0, 1.0]), n=2)
    >>> values["information_per_ngram"].tolist(), round(values["nist"].item(), 4)
    ([1.5, 1.0], 1.25)
    """
    check_width(rows, 2 + 2 * n)
    length = rows[..., 0]
    reference_length = rows[..., 1]
    information = rows[..., 2 : 2 + n]
    totals = rows[..., 2 + n :]
    per_ngram = information / np.maximum(totals, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = length / reference_length
        logarithm = np.log(np.minimum(ratio, 1.0))
    penalty = np.where(reference_length > 0, np.exp(_BETA * logarithm**2), 1.0)
    return {
        "nist": per_ngram.sum(-1) * penalty,
        "information_per_ngram": per_ngram,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": length.astype(np.int64),
        "reference_length": reference_length,
    }


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    table: NgramTable,
    weights: list[np.ndarray],
    tokenizer: Any,
    n: int,
) -> dict[str, Any]:
    """Returns the tokens of one segment, and for each order where matched n-grams start and their information.

    `weights` has the information of each class of n-grams of an order, (n_classes,).

    >>> counts = Nist().corpus_counts(references=["개가 짖는다", "개가 잔다"])
    >>> explained = Nist(n=1, information=counts).explain(prediction="개가 짖는다", reference="개가 짖는다")
    >>> explained["matches"], explained["information"]
    ([[0, 1]], [[1.0, 2.0]])
    """
    prediction, *reference_tokens = tokenize([*predictions, *references[0]], tokenizer)
    matches = matched_positions(prediction, reference_tokens, n)
    classes = _classes(table, len(weights), encode(predictions, tokenizer))
    information = [[0.0] * len(starts) for starts in matches]
    for index, (bits, classes_of_order) in enumerate(zip(weights, classes, strict=True)):
        classes_of_matches = classes_of_order[matches[index]]
        information[index] = bits[classes_of_matches].tolist()
    return {
        "prediction": prediction,
        "references": reference_tokens,
        "matches": matches,
        "information": information,
    }


def check(*, western_lang: bool, tokenizer: Any) -> None:
    """Raises InputError for options that contradict one another."""
    if not western_lang and tokenizer not in ("13a", "whitespace"):
        raise InputError(
            f"western_lang=False splits at whitespace, but tokenizer is {tokenizer!r}; leave one of them out"
        )


def _tokenizer(options: dict[str, Any]) -> Any:
    return options["tokenizer"] if options["western_lang"] else "whitespace"


class Nist(CorpusMetric):
    """NIST weights each matched n-gram by its information: the rarer it is in the references, the more it counts.

    Returns:
        nist, at least 0 and without an upper limit; information_per_ngram (matched bits, one per order; nist is their
        sum times the penalty); brevity_penalty in [0, 1]; length_ratio; translation_length and reference_length (the
        mean) in tokens.

    Examples:
        >>> nist = Nist()  # or evaluate.load("./metrics/nist.py")
        >>> result = nist.compute(
        ...     predictions=["고양이가 방에서 잠을 자고 있다", "아이가 책을 읽는다"],
        ...     references=[["고양이가 방에서 자고 있다"], ["아이가 책을 읽고 있다", "소년이 책을 읽는다"]],
        ... )
        >>> round(result["nist"], 4), [round(bits, 4) for bits in result["information_per_ngram"]]
        (2.9437, [2.777, 0.1667, 0.0, 0.0, 0.0])
    """

    CITATION = """\
@inproceedings{doddington-2002-nist,
    title = "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
    author = "Doddington, George",
    booktitle = "Proceedings of the Second International Conference on Human Language Technology Research",
    year = "2002",
    pages = "138--145",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, np.inf)
    USES_THREADS = True
    OPTIONS = {
        "tokenizer": TOKENIZER,
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "western_lang": flag(
            "west", "False for texts that are tokenized already: they are only split at whitespace.", default=True
        ),
        "n": longest_ngram(5, "order"),
        "information": ngram_counts(
            None,
            "info",
            "how often each n-gram occurs",
        ),
    }
    COUNTS_OPTION = "information"

    def _count(self, references, options, smallest):
        """Returns the counts of the n-grams of all references; that of the empty n-gram is the number of words."""
        encode_part = partial(encode, tokenizer=_tokenizer(options))
        tokens = encode_corpus(itertools.chain.from_iterable(references), encode_part)
        return count_corpus(tokens, options["n"], total=len(tokens.ids), smallest=smallest)

    def _tokenization(self, options):
        return super()._tokenization({**options, "tokenizer": _tokenizer(options)})

    def _max_order(self, options):
        return options["n"]

    def _prepare(self, columns, options):
        """Adds the information of the n-grams of the table."""
        columns, options = super()._prepare(columns, options)
        weights = _weigh(options["table"])
        return columns, {**options, "weights": weights, "tokenizer": _tokenizer(options)}
