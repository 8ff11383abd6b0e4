"""The other implementations of BLEU, called as their users call them."""

import itertools
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .corpus import Corpus
from .sides import Peer, Side, Unavailable, hugging_face


def _hugging_face(hf_metrics: Path | None, **options: Any) -> Side:
    metric = hugging_face("bleu", hf_metrics)
    return lambda corpus: metric.compute(**corpus._asdict(), **options)["bleu"]


def _sacrebleu(_: Path | None, tokenizer: str) -> Side:
    import sacrebleu

    options = {"tokenize": tokenizer, "smooth_method": "none", "force": True}

    def run(corpus: Corpus) -> float:
        return sacrebleu.corpus_bleu(corpus.predictions, transposed(corpus.references), **options).score / 100

    return run


def _sacrebleu_twice(hf_metrics: Path | None, alpha: float) -> Side:
    bleu = _sacrebleu(hf_metrics, "13a")

    def run(corpus: Corpus) -> float:
        good, copied = (bleu(Corpus(corpus.predictions, [[row[i]] for row in corpus.references])) for i in (0, 1))
        return alpha * good - (1 - alpha) * copied

    return run


def sacrebleu_interval(resamples: int) -> Side:
    """Returns sacreBLEU's BLEU with a bootstrap."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise Unavailable("sacrebleu: pip install sacrebleu") from None
    metric = BLEU(smooth_method="none")

    def run(corpus: Corpus) -> float:
        return metric.corpus_score(corpus.predictions, transposed(corpus.references), n_bootstrap=resamples).score / 100

    return run


def _nltk(_: Path | None) -> Side:
    from nltk.translate.bleu_score import corpus_bleu

    def run(corpus: Corpus) -> float:
        references = [[text.split() for text in row] for row in corpus.references]
        return corpus_bleu(references, [text.split() for text in corpus.predictions])

    return run


def _bleuscore(_: Path | None) -> Side:
    import bleuscore

    return lambda corpus: bleuscore.compute(**corpus._asdict(), max_order=4, smooth=False)["bleu"]


def torchmetrics_bleu(_: Path | None) -> Side:
    """Returns torchmetrics' BLEU of words."""
    from torchmetrics.functional.text import bleu_score

    return _of_columns(bleu_score)


def torchmetrics_sacrebleu(_: Path | None) -> Side:
    """Returns torchmetrics' BLEU with mteval's tokenizer."""
    from torchmetrics.functional.text import sacre_bleu_score

    return _of_columns(partial(sacre_bleu_score, tokenize="13a"))


def _of_columns(function: Callable[..., Any]) -> Side:
    return lambda corpus: float(function(corpus.predictions, corpus.references))


def transposed(references: list[list[str]]) -> list[tuple[str | None, ...]]:
    """Returns one list per set of references, as sacreBLEU wants it; None where a segment has fewer."""
    return list(itertools.zip_longest(*references))


PEERS = {
    "HF bleu": Peer(
        {"bleu 13a": _hugging_face, "bleu whitespace": partial(_hugging_face, tokenizer=str.split)},
        ref_length="shortest",
    ),
    "sacrebleu": Peer(
        {
            "bleu 13a": partial(_sacrebleu, tokenizer="13a"),
            "bleu whitespace": partial(_sacrebleu, tokenizer="none"),
            "bleu char": partial(_sacrebleu, tokenizer="char"),
            "ibleu": partial(_sacrebleu_twice, alpha=0.9),
        }
    ),
    "nltk": Peer(
        {"bleu whitespace": _nltk},
        differs="it counts one 4-gram in a prediction too short to have any",
        differs_for=lambda corpus: any(len(text.split()) < 4 for text in corpus.predictions),
    ),
    "bleuscore": Peer({"bleu 13a": _bleuscore}, ref_length="shortest"),
}
