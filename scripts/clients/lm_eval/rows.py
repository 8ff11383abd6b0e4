"""Scores of a task of lm-evaluation-harness: a row of each document, and the score of the rows that were added up."""

from collections.abc import Callable
from typing import Any

import evaluate

OPTIONS = {"bleu": {"tokenizer": "char"}, "chrf": {}, "ter": {}, "cer": {}, "wer": {}}
METRICS = {name: evaluate.load(f"./metrics/{name}.py", **options) for name, options in OPTIONS.items()}


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, list[float]]:
    """Returns the rows of one document; the harness gathers rows from all processes."""
    texts = {"predictions": results[:1], "references": [doc["answer"]]}
    return {name: metric.statistics(**texts)[0].tolist() for name, metric in METRICS.items()}


def _of_corpus(name: str) -> Callable[[list[list[float]]], float]:
    """Returns what gives the score of the corpus, where the mean over documents would be another number."""
    return lambda rows: METRICS[name].result(rows)[name]


bleu, chrf, ter, cer, wer = map(_of_corpus, OPTIONS)
