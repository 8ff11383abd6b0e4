"""chrF and chrF++: an F-score of character n-grams, and of word n-grams (Popović 2015, 2017).

Precision and recall are means over the orders, pooled over the corpus, and recall weighs beta times as much: section 2
of the first paper, with the words of the second one as further orders (`word_order=2`). Equal to sacreBLEU, whose scale
is 0-100, and so to Hugging Face's `chrf`; `eps_smoothing=True` is the mean of the orders' F-scores, as the author's
chrF++.py and Moses compute it.
"""

import itertools
import string
from typing import Any

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


def statistics(
    predictions: list[str],
    references: list[list[str]],
    *,
    char_order: int,
    word_order: int,
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
    kinds = [(list if whitespace else "char", char_order), (split_words, word_order)]
    characters = sum(map(len, itertools.chain(predictions, *references)))
    step = 1 + _BLOCK * len(predictions) // (characters + 1)  # segments at a time: their arrays fit into the cache
    counts = np.concatenate(
        [
            _counts(predictions[start : start + step], references[start : start + step], kinds)
            for start in range(0, max(len(predictions), 1), step)
        ]
    )
    if len(counts) > len(references):
        values = _f_scores(counts, beta, eps_smoothing)[0]
        counts = counts[best_references(values, lengths_of(references))]
    return counts.reshape(-1, 3 * (char_order + word_order))


def _counts(predictions: list[str], references: list[list[str]], kinds: list[tuple[Any, int]]) -> np.ndarray:
    """Returns for each reference what a row has, (n_references, 3, N), for tokenizers and their longest n-gram."""
    return np.concatenate(
        [
            _counts_of_kind(encode_chunk(predictions, references, tokenizer), order)
            for tokenizer, order in kinds
            if order
        ],
        axis=-1,
    )


def _counts_of_kind(chunk: Chunk, max_order: int) -> np.ndarray:
    """Returns the same for the tokens of one kind, (n_references, 3, max_order)."""
    lengths = np.repeat(chunk.lengths[: chunk.n_rows], chunk.n_references), chunk.lengths[chunk.n_rows :]
    predicted, wanted = (ngram_totals(of_side, max_order) for of_side in lengths)
    return np.stack([np.where(wanted > 0, predicted, 0.0), wanted, matches_by_reference(chunk, max_order)], axis=1)


def split_words(text: str) -> list[str]:
    """Returns words as the second paper has them, with ASCII punctuation taken off the end of a word, or its start.

    As in chrF++.py only one mark of a word, so that "(hi)" is "(hi" and ")".

    >>> split_words('"네," 3.5')
    ['"네,', '"', '3.5']
    """
    words = []
    for word in text.split():
        cut = len(word) - 1 if word[-1] in _PUNCTUATION else 1 if word[0] in _PUNCTUATION else 0
        words += [word[:cut], word[cut:]] if cut else [word]
    return words


def score(
    rows: np.ndarray, *, char_order: int, word_order: int, beta: float, eps_smoothing: bool
) -> dict[str, np.ndarray]:
    """Returns chrf and the mean precision and recall, in [0, 1], for rows of shape (..., 3 N); without n-grams 0.

    >>> values = score(np.array([3, 2, 3, 2, 2, 1]), char_order=2, word_order=0, beta=2.0, eps_smoothing=False)
    >>> {key: round(value.item(), 4) for key, value in values.items()}
    {'chrf': 0.5833, 'precision': 0.5833, 'recall': 0.5833}
    """
    check_width(rows, 3 * (char_order + word_order))
    values = _f_scores(rows.reshape(*rows.shape[:-1], 3, -1), beta, eps_smoothing)
    return dict(zip(("chrf", "precision", "recall"), values, strict=True))


def _f_scores(counts: np.ndarray, beta: float, eps_smoothing: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns F, precision and recall for counts (..., 3, N); each step is sacreBLEU's, so that ties are as well."""
    predicted, wanted, matches = (counts[..., side, :] for side in range(3))
    factor = beta**2
    with np.errstate(divide="ignore", invalid="ignore"):
        precisions = np.where(predicted > 0, matches / predicted, _EPSILON)
        recalls = np.where(wanted > 0, matches / wanted, _EPSILON)
        # orders for which one side has no n-gram are left out
        exists = (predicted > 0) & (wanted > 0)
        n_orders = np.maximum(exists.sum(-1), 1)
        precision, recall = (_sum(exists * values) / n_orders for values in (precisions, recalls))
        if eps_smoothing:
            weighted = factor * precisions + recalls
            of_orders = np.where(weighted > 0, (1 + factor) * precisions * recalls / weighted, _EPSILON)
            return _sum(of_orders) / counts.shape[-1], precision, recall
        f_score = (1 + factor) * precision * recall / (factor * precision + recall)
    return np.where(precision + recall > 0, f_score, 0.0), precision, recall


def _sum(values: np.ndarray) -> np.ndarray:
    """Returns the sums over the last axis, added up from the left; numpy's own sum takes another order."""
    return np.add.accumulate(values, axis=-1)[..., -1]


def explain(
    predictions: list[str],
    references: list[list[str]],
    *,
    char_order: int,
    word_order: int,
    whitespace: bool,
) -> dict[str, Any]:
    """Returns the characters of one segment, and where its matched n-grams start, for each order.

    With `word_order` the same of its words, as `words`.

    >>> explain(["잤다"], [["잔다"]], char_order=2, word_order=0, whitespace=False)
    {'prediction': ['잤', '다'], 'references': [['잔', '다']], 'matches': [[1], []]}
    """
    kinds = {"characters": (list if whitespace else "char", char_order), "words": (split_words, word_order)}
    by_kind = {}
    for kind, (tokenizer, max_order) in kinds.items():
        prediction, *others = tokenize([*predictions, *references[0]], tokenizer)
        matches = matched_positions(prediction, others, max_order)
        by_kind[kind] = {"prediction": prediction, "references": others, "matches": matches}
    return {**by_kind["characters"], "words": by_kind["words"]} if word_order else by_kind["characters"]


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
        "beta": number(2.0, "beta", "recall weighs so many times as much as precision"),
    }
