"""iBLEU: BLEU against the references, minus a share of BLEU against the source (Sun and Zhou 2012).

The definition is section 2 of the paper: alpha BLEU(prediction, references) - (1 - alpha) BLEU(prediction, source), for
a corpus or for a segment. Two calls of sacreBLEU with the same options give the same values.
"""

from typing import Any

import numpy as np

from textgauge.core.columns import REFERENCES, TEXTS  # From: -e .
from textgauge.core.metric import check_width  # From: -e .
from textgauge.core.options import number  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.ngrams.text_ngrams import matched_positions  # From: -e .
from textgauge.tokens.tokenizers import tokenize  # From: -e .

from .bleu import OPTIONS, MeanOptions
from .bleu import check as check_bleu
from .bleu import explain as explain_bleu
from .bleu import score as score_bleu
from .bleu import statistics as statistics_bleu

SOURCES = TEXTS._replace(help="one string per segment, the sentence to paraphrase.")


def statistics(
    predictions: list[str],
    references: list[list[str]],
    sources: list[str],
    *,
    tokenizer: Any,
    max_order: int,
    ref_length: str,
) -> np.ndarray:
    """Returns rows [`bleu`'s row against the references, `bleu`'s row against the source], (n_segments, 4 + 4 N).

    >>> texts = {"predictions": ["나는 갔다"], "references": [["나는 갔다"]], "sources": ["내가 갔다"]}
    >>> statistics(**texts, tokenizer="whitespace", max_order=1, ref_length="closest").tolist()
    [[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0]]
    """
    options = {"tokenizer": tokenizer, "max_order": max_order, "ref_length": ref_length}
    against_references = statistics_bleu(predictions, references, **options)
    against_source = statistics_bleu(predictions, [[source] for source in sources], **options)
    return np.hstack([against_references, against_source])


def score(
    rows: np.ndarray,
    *,
    alpha: float,
    means: MeanOptions,
    ref_length: str,
) -> dict[str, np.ndarray]:
    """Returns iBLEU in [alpha - 1, alpha], both BLEU scores, and the parts of the one against the references.

    Rows have the shape (..., 4 + 4 N). A BLEU score that is 0 because there are no n-grams is 0 here too.

    >>> values = Ibleu().score([2, 2, 2, 2, 2, 2, 1, 2], max_order=1, alpha=0.75)
    >>> [values[key].item() for key in ("ibleu", "bleu", "source_bleu")]
    [0.625, 1.0, 0.5]
    """
    check_width(rows, 4 + 4 * means.max_order)
    rows_of_references, rows_of_source = np.split(rows, 2, axis=-1)
    against_references = score_bleu(rows_of_references, means=means, ref_length=ref_length)
    bleu = against_references["bleu"]
    source_bleu = score_bleu(rows_of_source, means=means, ref_length=ref_length)["bleu"]
    ibleu = alpha * bleu - (1 - alpha) * source_bleu
    return {"ibleu": ibleu, "bleu": bleu, "source_bleu": source_bleu, **against_references}


def explain(
    predictions: list[str], references: list[list[str]], sources: list[str], *, tokenizer: Any, max_order: int
) -> dict[str, Any]:
    """Returns the explanation of `bleu` for one segment, the source's tokens, and the n-grams that match the source.

    >>> explained = explain(["나는 갔다"], [["나는 갔다"]], ["내가 갔다"], tokenizer="whitespace", max_order=1)
    >>> explained["matches"], explained["source"], explained["source_matches"]
    ([[0, 1]], ['내가', '갔다'], [[1]])
    """
    explained = explain_bleu(predictions, references, tokenizer=tokenizer, max_order=max_order)
    (source,) = tokenize(sources, tokenizer)
    copied = matched_positions(explained["prediction"], [source], max_order)
    return {**explained, "source": source, "source_matches": copied}


def check(*, means: MeanOptions) -> None:
    """Raises ValueError for options that contradict one another."""
    check_bleu(means=means)


class Ibleu(TextMetric):
    """iBLEU measures paraphrases: BLEU against the references, minus a share of BLEU against the original sentence.

    Returns:
        ibleu in [alpha - 1, alpha]; bleu (against the references) and source_bleu (against the sources), both in
        [0, 1]; precisions, brevity_penalty, length_ratio, translation_length and reference_length that belong to bleu.

    Examples:
        >>> ibleu = Ibleu()  # or evaluate.load("./metrics/ibleu.py")
        >>> result = ibleu.compute(
        ...     predictions=["나는 어제 학교에 늦게 갔다"],
        ...     references=["어제 나는 학교에 늦게 갔다"],
        ...     sources=["나는 어제 학교에 일찍 갔다"],
        ...     max_order=2,
        ... )
        >>> [round(result[key], 4) for key in ("ibleu", "bleu", "source_bleu")]
        [0.5732, 0.7071, 0.6325]
    """

    CITATION = """\
@inproceedings{sun-zhou-2012-joint,
    title = "Joint Learning of a Dual {SMT} System for Paraphrase Generation",
    author = "Sun, Hong and Zhou, Ming",
    booktitle = "Proceedings of the 50th Annual Meeting of the Association for Computational Linguistics (Volume 2:
        Short Papers)",
    year = "2012",
    pages = "38--42",
    url = "https://aclanthology.org/P12-2008",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES, "sources": SOURCES}
    LOWER_IS_BETTER = False
    USUAL_RANGE = (-1, 1)
    USES_THREADS = True
    OPTIONS = {
        **OPTIONS,
        "alpha": number(
            0.9,
            "alpha",
            "weight of BLEU against the references; BLEU against the source, with weight 1 - alpha, is subtracted.",
            high=1,
        ),
    }
