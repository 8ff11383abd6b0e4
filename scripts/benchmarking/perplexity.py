"""Perplexity of log-probabilities, and of texts under a small model."""

import math

from .perplexity_peers import small_model
from .session import Report, Setting, available, compare
from .sides import Side, Unavailable, metric_of

_FEW = 200  # texts that a model reads


def log_probabilities(report: Report, setting: Setting, language: str) -> None:
    """Times log-probabilities, one per word, beside a loop over them."""
    corpus = setting.corpus(language, setting.segments, 1)
    rows = [[-0.25 * len(word) for word in text.split()] for text in corpus.predictions]
    metric = metric_of("perplexity")

    def loop() -> float:
        return math.exp(-math.fsum(map(math.fsum, rows)) / sum(map(len, rows)))

    sides = {"ours": lambda _: metric.compute(predictions=rows)["perplexity"], "sum in Python": lambda _: loop()}
    compare(report, setting, "perplexity, log-probabilities", language, corpus, sides)


def texts(report: Report, setting: Setting, language: str) -> None:
    """Compares the mean perplexity of texts under the same model."""
    corpus = setting.corpus(language, min(_FEW, setting.segments), 1)
    found = available(report, setting, "perplexity")
    compare(report, setting, "perplexity, small model", language, corpus, {"ours": _ours(), **found})


def _ours() -> Side:
    try:
        model, tokenizer = small_model()
    except ImportError as error:
        raise Unavailable(f"perplexity, small model: pip install {error.name}") from None
    metric, options = metric_of("perplexity"), {"model": model, "model_tokenizer": tokenizer}
    return lambda corpus: math.log(metric.compute(predictions=corpus.predictions, **options)["mean_perplexity"])


COMPARISONS = {"perplexity-log-probabilities": log_probabilities, "perplexity-model": texts}
