"""BLEU of a task of lm-evaluation-harness: a row for each document, and the score of the rows that were added up."""

from typing import Any

import evaluate

bleu = evaluate.load("./metrics/bleu.py", tokenizer="char")


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, list[float]]:
    """Returns the row of one document; the harness gathers rows from all processes."""
    return {"bleu": bleu.statistics(predictions=results[:1], references=[doc["answer"]])[0].tolist()}


def aggregate(rows: list[list[float]]) -> float:
    """Returns the score of the corpus, where the mean over documents would be another number."""
    return bleu.result(rows)["bleu"]
