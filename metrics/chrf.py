"""chrF and chrF++: an F-score of character n-grams, and of word n-grams (Popović 2015, 2017).

Precision and recall are means over the orders, pooled over the corpus, and recall weighs beta times as much: section 2
of the first paper, with the words of the second one as further orders (`word_order=2`). Equal to sacreBLEU, whose scale
is 0-100, and so to Hugging Face's `chrf`; `eps_smoothing=True` is the mean of the orders' F-scores, as the author's
chrF++.py and Moses compute it.
"""

import itertools
import string
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS, lengths_of  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, flag, number  # From: -e .
from textgauge.core.references import best_references  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.ngrams.counts import matches_by_reference, ngram_totals  # From: -e .
from textgauge.ngrams.longest import longest_ngram  # From: -e .
from textgauge.ngrams.text_ngrams import matched_positions  # From: -e .
from textgauge.tokens.chunks import Chunk  # From: -e .
from textgauge.tokens.tokenizers import encode_chunk, tokenize  # From: -e .

_EPSILON = 1e-16  # sacreBLEU's
_BLOCK = 2**15  # characters
_PUNCTUATION = frozenset(string.punctuation)


class Orders(NamedTuple):
    """How long the n-grams are that count."""

    char_order: int
    word_order: int

    @property
    def width(self) -> int:
        """The numbers of a row."""
        return 3 * (self.char_order + self.word_order)


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    orders: Orders,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
) -> np.ndarray:
    """Returns rows [n-grams of the prediction of order 1..N, those of the reference, matches], (n_segments, 3 N).

    The orders are those of characters, then those of words. Of several references the one with the best score of the
    segment counts, the first of them on ties. Where the reference has no n-gram of an order, the prediction's are 0.

    >>> Chrf().statistics(predictions=["잤다"], references=["잔다"], char_order=2).tolist()
    [[2.0, 1.0, 2.0, 1.0, 1.0, 0.0]]
    """
    # the texts in blocks whose arrays fit into the processor's cache
    n_characters = sum(map(len, itertools.chain(predictions, *references)))
    size = 1 + _BLOCK * len(predictions) // (n_characters + 1)
    blocks = []
    for start in range(0, max(len(predictions), 1), size):
        end = start + size
        blocks.append(_counts(predictions[start:end], references[start:end], orders, whitespace))
    counts = np.concatenate(blocks)

    if len(counts) > len(references):
        scores, _, _ = _f_scores(counts, beta, eps_smoothing)
        counts = counts[best_references(scores, lengths_of(references))]
    return counts.reshape(-1, orders.width)


def _counts(predictions: list[str], references: list[list[str]], orders: Orders, whitespace: bool) -> np.ndarray:
    """Returns for each reference what a row has, (n_references, 3, N)."""
    counts = []
    if orders.char_order:
        characters = encode_chunk(predictions, references, list if whitespace else "char")
        counts.append(_counts_of_chunk(characters, orders.char_order))
    if orders.word_order:
        words = encode_chunk(predictions, references, split_words)
        counts.append(_counts_of_chunk(words, orders.word_order))
    return np.concatenate(counts, axis=-1)


def _counts_of_chunk(chunk: Chunk, max_order: int) -> np.ndarray:
    """Returns for each reference of a chunk of tokens what a row has, (n_references, 3, max_order)."""
    prediction_lengths = np.repeat(chunk.lengths[: chunk.n_rows], chunk.n_references)
    predicted = ngram_totals(prediction_lengths, max_order)
    wanted = ngram_totals(chunk.lengths[chunk.n_rows :], max_order)
    matches = matches_by_reference(chunk, max_order)
    return np.stack([np.where(wanted > 0, predicted, 0.0), wanted, matches], axis=1)


def split_words(text: str) -> list[str]:
    """Returns words as the second paper has them, with ASCII punctuation taken off the end of a word, or its start.

    As in chrF++.py only one mark of a word, so that "(hi)" is "(hi" and ")".

    >>> split_words('"네," 3.5')
    ['"네,', '"', '3.5']
    """
    words = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words


def score(rows: np.ndarray, *, orders: Orders, beta: float, eps_smoothing: bool) -> dict[str, np.ndarray]:
    """Returns chrf and the mean precision and recall, in [0, 1], for rows of shape (..., 3 N); without n-grams 0.

    >>> values = score(np.array([3, 2, 3, 2, 2, 1]), orders=Orders(2, 0), beta=2.0, eps_smoothing=False)
    >>> {key: round(value.item(), 4) for key, value in values.items()}
    {'chrf': 0.5833, 'precision': 0.5833, 'recall': 0.5833}
    """
    check_width(rows, orders.width)
    counts = rows.reshape(*rows.shape[:-1], 3, -1)
    f_score, precision, recall = _f_scores(counts, beta, eps_smoothing)
    return {"chrf": f_score, "precision": precision, "recall": recall}


def _f_scores(counts: np.ndarray, beta: float, eps_smoothing: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns F, precision and recall for counts (..., 3, N); each step is sacreBLEU's, so that ties are as well."""
    predicted = counts[..., 0, :]
    wanted = counts[..., 1, :]
    matches = counts[..., 2, :]
    factor = beta**2
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(predicted > 0, matches / predicted, _EPSILON)
        recalls = np.where(wanted > 0, matches / wanted, _EPSILON)
        # orders for which one side has no n-gram are left out
        exists = (predicted > 0) & (wanted > 0)
        n_orders = np.maximum(exists.sum(-1), 1)
        precision = _sum(exists * precisions) / n_orders
        recall = _sum(exists * recalls) / n_orders
        if eps_smoothing:
            denominators = factor * precisions + recalls
            f_scores = (1 + factor) * precisions * recalls / denominators
            f_scores = np.where(denominators > 0, f_scores, _EPSILON)
            return _sum(f_scores) / counts.shape[-1], precision, recall
        f_score = (1 + factor) * precision * recall / (factor * precision + recall)
    return np.where(precision + recall > 0, f_score, 0.0), precision, recall


def _sum(values: np.ndarray) -> np.ndarray:
    """Returns the sums over the last axis, added up from the left; numpy's own sum takes another order."""
    return np.add.accumulate(values, axis=-1)[..., -1]


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    orders: Orders,
    whitespace: bool,
) -> dict[str, Any]:
    """Returns the characters of one segment, and where its matched n-grams start, for each order.

    With `word_order` the same of its words, as `words`.

    >>> explain(["잤다"], [["잔다"]], orders=Orders(2, 0), whitespace=False)
    {'prediction': ['잤', '다'], 'references': [['잔', '다']], 'matches': [[1], []]}
    """
    texts = [predictions[0], *references[0]]
    explained = _explain_tokens(texts, list if whitespace else "char", orders.char_order)
    if orders.word_order:
        explained["words"] = _explain_tokens(texts, split_words, orders.word_order)
    return explained


def _explain_tokens(texts: list[str], tokenizer: Any, max_order: int) -> dict[str, Any]:
    """Returns the tokens of a prediction and its references, and where matched n-grams start, for each order."""
    prediction, *reference_tokens = tokenize(texts, tokenizer)
    matches = matched_positions(prediction, reference_tokens, max_order)
    return {"prediction": prediction, "references": reference_tokens, "matches": matches}


class Chrf(TextMetric):
    """chrF measures the character n-grams that a prediction and its reference have in common, recall above all.

    Returns:
        chrf, and precision and recall, the means over the orders, all in [0, 1].

    Examples:
        >>> chrf = Chrf()  # or evaluate.load("./metrics/chrf.py")
        >>> texts = {"predictions": ["고양이가 방에서 잤다"], "references": ["고양이가 방에서 잔다"]}
        >>> {key: round(value, 4) for key, value in chrf.compute(**texts).items()}
        {'chrf': 0.6866, 'precision': 0.6866, 'recall': 0.6866}
        >>> round(chrf.compute(**texts, word_order=2)["chrf"], 4)
        0.6608
    """

    CITATION = """\
@inproceedings{popovic-2015-chrf,
    title = "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
    author = "Popovi{\'c}, Maja",
    booktitle = "Proceedings of the Tenth Workshop on Statistical Machine Translation",
    year = "2015",
    pages = "392--395",
    url = "https://aclanthology.org/W15-3049",
}
@inproceedings{popovic-2017-chrf,
    title = "chr{F}++: words helping character n-grams",
    author = "Popovi{\'c}, Maja",
    booktitle = "Proceedings of the Second Conference on Machine Translation",
    year = "2017",
    pages = "612--618",
    url = "https://aclanthology.org/W17-4770",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (0, 1)
    IS_PERCENT = True
    USES_THREADS = True
    OPTIONS = {
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
        "eps_smoothing": flag(
            "eff",
            "mean of the orders' F-scores, where an order without n-grams counts as 1e-16 (chrF++.py, Moses); else "
            "the F-score of the mean precision and recall of the orders that exist.",
            text=lambda value: "no" if value else "yes",
        ),
        "char_order": longest_ngram(6, "nc", " of characters"),
        "word_order": longest_ngram(0, "nw", " of words; 2 is chrF++", low=0),
        "whitespace": flag("space", "keep blanks as characters."),
        "beta": number(2.0, "beta", "recall weighs this many times as much as precision"),
    }
