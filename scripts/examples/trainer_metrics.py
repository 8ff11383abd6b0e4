"""The metrics of this repository inside the Trainers of transformers: import this module, or copy what you need.

A Trainer calls `compute_metrics` with arrays in which -100 means no token, and takes back a flat dict of floats.
"""

import math
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import evaluate
import numpy as np

METRICS = Path(__file__).parents[2] / "metrics"
IGNORED = -100


def text_scores(
    names: Iterable[str],
    tokenizer: Any,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    prediction_decoding: Mapping[str, Any] | None = None,
    reference_decoding: Mapping[str, Any] | None = None,
) -> Callable[[Any], dict[str, float]]:
    """Returns a `compute_metrics` for models that write texts.

    Args:
        names: metrics, such as ["bleu", "rouge"].
        tokenizer: turns token ids into texts; a processor does as well.
        options: options of metrics, such as {"bleu": {"tokenizer": "char"}}.
        prediction_decoding: arguments of `batch_decode`, which skips special tokens otherwise.
        reference_decoding: the same for the references.
    """
    metrics = {name: load_metric(name) for name in names}

    def compute_metrics(outputs: Any) -> dict[str, float]:
        predictions = decode(outputs.predictions, tokenizer, **(prediction_decoding or {}))
        references = decode(outputs.label_ids, tokenizer, **(reference_decoding or {}))
        scores = {}
        for name, metric in metrics.items():
            result = metric.compute(predictions=predictions, references=references, **(options or {}).get(name, {}))
            scores.update(flat(name, result))
        return scores

    return compute_metrics


def perplexity_scores() -> Callable[[Any], dict[str, float]]:
    """Returns a `compute_metrics` for causal language models; `token_log_probabilities` has to go before it."""
    metric = load_metric("perplexity")

    def compute_metrics(outputs: Any) -> dict[str, float]:
        is_scored = outputs.label_ids[:, 1:] != IGNORED
        rows = [values[scored] for values, scored in zip(outputs.predictions, is_scored, strict=True)]
        return flat("perplexity", metric.compute(predictions=rows))

    return compute_metrics


def token_log_probabilities(logits: Any, labels: Any) -> Any:
    """Returns the log-probability of each label but the first, (batch, length - 1): a `preprocess_logits_for_metrics`.

    The Trainer then keeps one number per token, not one per token and word of the vocabulary. The value of a label that
    is ignored means nothing.
    """
    import torch

    logits = logits[0] if isinstance(logits, tuple) else logits
    targets = labels[:, 1:].clamp(min=0)[..., None]
    # one text at a time: the vocabulary is large
    scores = labels.new_zeros(targets.shape[:2], dtype=torch.float32)
    for row, target, values in zip(logits, targets, scores, strict=True):
        row = row[:-1].float()
        values[:] = row.gather(-1, target)[:, 0] - row.logsumexp(-1)
    return scores


def most_likely_tokens(logits: Any, labels: Any) -> Any:
    """Returns the most likely token at each position: a `preprocess_logits_for_metrics` for speech with CTC."""
    logits = logits[0] if isinstance(logits, tuple) else logits
    return logits.argmax(-1)


def decode(ids: Any, tokenizer: Any, **decoding: Any) -> list[str]:
    """Returns the texts of arrays of token ids, without -100; a pad token is not needed."""
    ids = ids[0] if isinstance(ids, tuple) else ids
    rows = [row[row != IGNORED].tolist() for row in np.asarray(ids)]
    return [text.strip() for text in tokenizer.batch_decode(rows, **{"skip_special_tokens": True, **decoding})]


def flat(name: str, result: Mapping[str, Any]) -> dict[str, float]:
    """Returns the defined numbers of a result as floats, each under a key that begins with the metric's name."""
    return {
        key if key.startswith(name) else f"{name}_{key}": float(value)
        for key, value in result.items()
        if isinstance(value, (int, float)) and not math.isnan(value)
    }


def load_metric(name: str) -> evaluate.Metric:
    """Returns a metric of this repository."""
    return evaluate.load(str(METRICS / f"{name}.py"))
