"""The metrics of this repository inside the Trainers of transformers: import this module, or copy what you need.

A Trainer calls `compute_metrics` with arrays in which -100 means no token, and takes back a flat dict of floats. With
`batch_eval_metrics=True` it does so for each batch, of which only the rows of the metrics are kept.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from .kept_rows import KeptRows, share

IGNORED = -100


def text_scores(
    names: Iterable[str],
    tokenizer: Any,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    prediction_decoding: Mapping[str, Any] | None = None,
    reference_decoding: Mapping[str, Any] | None = None,
) -> Callable[..., dict[str, float]]:
    """Returns a `compute_metrics` for models that write texts; of several texts for one input, all are scored.

    Args:
        names: metrics, such as ["bleu", "rouge"].
        tokenizer: turns token ids into texts; a processor does as well.
        options: options of metrics, such as {"bleu": {"tokenizer": "char"}}.
        prediction_decoding: arguments of `batch_decode`, which skips special tokens otherwise.
        reference_decoding: the same for the references.
    """
    evaluation = _Evaluation(names, options)

    def compute_metrics(outputs: Any, compute_result: bool | None = None) -> dict[str, float]:
        labels = _array(outputs.label_ids)
        ids = _array(outputs.predictions)
        _check_ids(ids)
        length = ids.shape[-1]
        ids = ids.reshape(len(labels), -1, length)  # a row may have several texts
        mine = evaluation.share(len(labels), compute_result)
        predictions = decode(ids[mine].reshape(-1, length), tokenizer, **(prediction_decoding or {}))
        references = []
        for reference in decode(labels[mine], tokenizer, **(reference_decoding or {})):
            references += [reference] * ids.shape[1]
        return evaluation.scores(mine, len(labels), compute_result, predictions=predictions, references=references)

    return compute_metrics


def _check_ids(ids: np.ndarray) -> None:
    """Raises ValueError unless a model's output is token ids."""
    if not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(
            f"predictions are {ids.dtype} of shape {ids.shape}, and no token ids: pass predict_with_generate=True to "
            "Seq2SeqTrainingArguments, or preprocess_logits_for_metrics=most_likely_tokens to a Trainer for CTC"
        )


def perplexity_scores() -> Callable[..., dict[str, float]]:
    """Returns a `compute_metrics` for causal language models; `token_log_probabilities` has to go before it."""
    evaluation = _Evaluation(["perplexity"])

    def compute_metrics(outputs: Any, compute_result: bool | None = None) -> dict[str, float]:
        is_scored = _array(outputs.label_ids)[:, 1:] != IGNORED
        values = _array(outputs.predictions)
        mine = evaluation.share(len(values), compute_result)
        predictions = [values[row][is_scored[row]] for row in mine]
        return evaluation.scores(mine, len(values), compute_result, predictions=predictions)

    return compute_metrics


class _Evaluation:
    """The rows of one evaluation of a Trainer, which hands each batch to all processes.

    Without `compute_result` it hands over all at once, and every process scores all. With it each scores its share.
    """

    def __init__(self, names: Iterable[str], options: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        names = list(names)
        flat_options = {name: {**(options or {}).get(name, {}), "flat": True} for name in names}
        self.rows = KeptRows(names, flat_options)
        self.loader: Any = None
        self.seen = 0

    def share(self, count: int, compute_result: bool | None) -> list[int]:
        """Returns the segments of a batch of this size that this process scores."""
        if compute_result is None:
            self.rows.clear()
            return list(range(count))
        from accelerate.state import GradientState

        state = GradientState()
        if state.active_dataloader is not self.loader:  # this is its first batch; another may have been interrupted
            self.rows.clear()
            self.loader, self.seen = state.active_dataloader, 0
        if compute_result and 0 < state.remainder < count:
            count = state.remainder  # Seq2SeqTrainer keeps what fills up the last batch, so that all processes have one
        return list(share(count))

    def scores(self, rows: list[int], count: int, compute_result: bool | None, **columns: Any) -> dict[str, float]:
        """Keeps the rows of these segments of a batch; returns the scores where it is the last, and else nothing."""
        self.rows.add([self.seen + row for row in rows], **columns)
        self.seen += count
        if compute_result is False:
            return {}
        self.loader, self.seen = None, 0
        results = self.rows.results(from_all=compute_result is not None)
        return {key: value for name, result in results.items() for key, value in prefixed(name, result).items()}


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
    rows = [row[row != IGNORED].tolist() for row in _array(ids)]
    # transformers 5 decodes no rows as one
    texts = tokenizer.batch_decode(rows, **{"skip_special_tokens": True, **decoding}) if rows else []
    return [text.strip() for text in texts]


def _array(values: Any) -> np.ndarray:
    """Returns what a Trainer hands over as an array: an array, a tensor on any device, or a tuple that begins so."""
    values = values[0] if isinstance(values, tuple) else values
    return values.cpu().numpy() if hasattr(values, "cpu") else np.asarray(values)


def prefixed(name: str, result: Mapping[str, Any]) -> dict[str, float]:
    """Returns the numbers of a flat result as floats, each under a key that begins with the metric's name."""
    return {key if key.startswith(name) else f"{name}_{key}": float(value) for key, value in result.items()}
