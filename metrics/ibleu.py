"""iBLEU: BLEU against the references, less a share of BLEU against the source (Sun and Zhou 2012).

The definition is section 2 of the paper: alpha BLEU(prediction, references) - (1 - alpha) BLEU(prediction, source), for
a corpus or for a segment. Others call sacreBLEU twice; equal to that with the same options.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._columns import REFERENCES
from ._columns import TEXTS
from ._ngrams import matched_positions
from ._text_metric import TextMetric
from ._text_metric import check_width
from ._text_metric import is_number
from ._tokens import tokenize
from .bleu import SIGNATURE
from .bleu import SIGNATURE_TEXT
from .bleu import check as check_bleu
from .bleu import explain as explain_bleu
from .bleu import score as score_bleu
from .bleu import statistics as statistics_bleu


def statistics(
    predictions: list[str],
    references: list[list[str]],
    sources: list[str],
    *,
    tokenizer: Any,
    max_order: int,
    ref_length: str,
) -> np.ndarray:
    """Returns rows [`bleu`'s row against the references (2 + 2 N), `bleu`'s row against the source (2 + 2 N)]."""
    options = {"tokenizer": tokenizer, "max_order": max_order, "ref_length": ref_length}
    return np.hstack(
        [
            statistics_bleu(predictions, references, **options),
            statistics_bleu(predictions, [[source] for source in sources], **options),
        ]
    )


def score(
    rows: np.ndarray,
    *,
    alpha: float,
    max_order: int,
    order_weights: Sequence[float] | None,
    smooth: bool | str | None,
    smooth_value: float | None,
    effective_order: bool,
    ref_length: str,
) -> dict[str, np.ndarray]:
    """Returns iBLEU in [alpha - 1, alpha], both its BLEUs, and the parts of the one against the references.

    Rows have the shape (..., 4 + 4 N). A BLEU that is 0 for want of n-grams is 0 here too.
    """
    check_width(rows, 4 + 4 * max_order)
    options = {
        "max_order": max_order,
        "order_weights": order_weights,
        "smooth": smooth,
        "smooth_value": smooth_value,
        "effective_order": effective_order,
        "ref_length": ref_length,
    }
    against_references, against_source = (score_bleu(side, **options) for side in np.split(rows, 2, axis=-1))
    bleu, source_bleu = against_references["bleu"], against_source["bleu"]
    ibleu = alpha * bleu - (1 - alpha) * source_bleu
    return {"ibleu": ibleu, "bleu": bleu, "source_bleu": source_bleu, **against_references}


def explain(
    predictions: list[str], references: list[list[str]], sources: list[str], *, tokenizer: Any, max_order: int
) -> dict[str, Any]:
    """Returns what `bleu` explains of one segment, the source's tokens, and the n-grams that match the source."""
    explained = explain_bleu(predictions, references, tokenizer=tokenizer, max_order=max_order)
    (source,) = tokenize(sources, tokenizer)
    copied = matched_positions(explained["prediction"], [source], max_order)
    return {**explained, "source": source, "source_matches": copied}


def check(*, alpha: float) -> None:
    """Raises ValueError unless alpha is a share."""
    if not is_number(alpha) or not 0 <= alpha <= 1:
        raise ValueError(f"alpha is {alpha!r}; pass a number from 0 to 1")


class Ibleu(TextMetric):
    """iBLEU measures paraphrases: BLEU against the references, less a share of BLEU against the sentence rephrased."""

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
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES, "sources": TEXTS}
    SIGNATURE = {**SIGNATURE, "alpha": "alpha"}
    SIGNATURE_TEXT = SIGNATURE_TEXT

    _statistics = staticmethod(statistics)
    _score = staticmethod(score)
    _explain = staticmethod(explain)
    _checks = (check_bleu, check)

    def _compute(
        self,
        predictions,
        references,
        sources,
        alpha=0.9,
        tokenizer="13a",
        lowercase=False,
        normalization="NFC",
        max_order=4,
        order_weights=None,
        smooth=False,
        smooth_value=None,
        effective_order=False,
        ref_length="closest",
        per_segment=False,
        confidence=None,
        resamples=1000,
        seed=12345,
    ):
        """Scores paraphrases against references, and against the sentences that they rephrase.

        Args:
            predictions: one string per segment.
            references: for each segment a string or a non-empty list of strings.
            sources: for each segment the string that was to be rephrased.
            alpha: share of BLEU against the references, from 0 to 1; the rest is taken off for likeness to the source.
            tokenizer, lowercase, normalization, max_order, order_weights, smooth, smooth_value, effective_order,
                ref_length, per_segment, confidence, resamples, seed: as `bleu` has them.

        Returns:
            ibleu in [alpha - 1, alpha]; bleu (against the references) and source_bleu (against the sources), both in
            [0, 1]; precisions, brevity_penalty, length_ratio, translation_length, reference_length of the former.

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
        return self._result(locals())
