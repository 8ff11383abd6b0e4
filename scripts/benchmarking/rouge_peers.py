"""The other implementations of ROUGE; the score of each is the mean F of its types, and of the segments."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .corpus import Corpus
from .sides import Peer, Side, hugging_face, mean, module_of, pairs

TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
TYPES_OF_ROUGE_RUST = TYPES[:3]
_WORDS = "rouge whitespace"


def _hugging_face(hf_metrics: Path | None, **options: Any) -> Side:
    """Returns Hugging Face's mean, for its default is the median of a bootstrap, another number in each call."""
    metric = hugging_face("rouge", hf_metrics)

    def run(corpus: Corpus) -> float:
        result = metric.compute(**pairs(corpus), use_aggregator=False, **options)
        return mean(mean(result[name]) for name in TYPES)

    return run


def _hugging_face_bootstrap(hf_metrics: Path | None, **options: Any) -> Side:
    metric = hugging_face("rouge", hf_metrics)
    return lambda corpus: mean(metric.compute(**pairs(corpus), **options).values())


def _rouge_score(_: Path | None, **options: Any) -> Side:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(TYPES), **options)

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        scores = [scorer.score(*pair) for pair in zip(texts["references"], texts["predictions"], strict=True)]
        return mean(mean(score[name].fmeasure for score in scores) for name in TYPES)

    return run


def _rouge_rust(_: Path | None) -> Side:
    score_batch_flat = module_of("rouge-rust", "fast_rouge").score_batch_flat

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        columns = score_batch_flat(texts["references"], texts["predictions"])
        return mean(mean(getattr(columns, f"{name}_fmeasure")) for name in TYPES_OF_ROUGE_RUST)

    return run


def _rouge_score_rs(_: Path | None, tokenizer: str | None = None, **options: Any) -> Side:
    module = module_of("rouge-score-rs", "rouge_score_rs")
    chosen = getattr(module.tokenizers, tokenizer)() if tokenizer else None
    scorer = module.RougeScorer(list(TYPES), tokenizer=chosen, **options)

    def run(corpus: Corpus) -> float:
        texts = pairs(corpus)
        scores = scorer.score_batch(texts["references"], texts["predictions"])
        return mean(mean(score[name].fmeasure for score in scores) for name in TYPES)

    return run


PEERS = {
    "HF rouge": Peer(
        {
            "rouge": _hugging_face,
            _WORDS: partial(_hugging_face, tokenizer=str.split),
            "rouge stemmer": partial(_hugging_face, use_stemmer=True),
        }
    ),
    "HF rouge, bootstrap": Peer(
        {"rouge": _hugging_face_bootstrap, _WORDS: partial(_hugging_face_bootstrap, tokenizer=str.split)},
        differs="it is the median of a random bootstrap, not the mean",
        differs_for=lambda corpus: True,
    ),
    "rouge_score": Peer(
        {
            "rouge": _rouge_score,
            _WORDS: partial(_rouge_score, tokenizer=SimpleNamespace(tokenize=str.split)),
            "rouge stemmer": partial(_rouge_score, use_stemmer=True),
        }
    ),
    "rouge-score-rs": Peer(
        {
            "rouge": _rouge_score_rs,
            "rouge unicode": partial(_rouge_score_rs, tokenizer="UnicodeTokenizer"),
            "rouge stemmer": partial(_rouge_score_rs, use_stemmer=True),
        },
        differs="its words are those of UAX 29, with 3.5 and don't as one word",
        differs_for=lambda corpus: not all(map(str.isascii, corpus.predictions)),
    ),
    "rouge-rust": Peer({"rouge 1, 2, L": _rouge_rust}),
}
