"""The perplexity of texts as the script of Hugging Face's `evaluate` defines it, written anew."""

from typing import Any


def _add_padding(tokenizer: Any) -> None:
    """Has a tokenizer pad with its first special token; ValueError if it has none."""
    specials = list(tokenizer.special_tokens_map.values())
    if not specials:
        raise ValueError("without any special token there is none to pad with")
    tokenizer.add_special_tokens({"pad_token": specials[0]})


def perplexities(
    texts: list[str],
    model: Any,
    tokenizer: Any,
    batch_size: int = 16,
    add_start_token: bool = True,
    max_length: int | None = None,
) -> list[float]:
    """Returns the perplexity of each text as `evaluate`'s own metric does, with its limits.

    Texts are padded as the tokenizer likes it, in the order in which they come, and cut off after `max_length` tokens;
    the start token is put before the padding.
    """
    import torch

    if tokenizer.pad_token is None and batch_size > 1:
        _add_padding(tokenizer)
    room = max_length and max_length - 1 if add_start_token else max_length
    kind = {"padding": True, "truncation": room is not None, "max_length": room, "return_tensors": "pt"}
    encoded = tokenizer(texts, add_special_tokens=False, **kind)
    counts = encoded["attention_mask"].sum(1)
    assert (counts >= (1 if add_start_token else 2)).all() or (not add_start_token and max_length is None)
    values = []
    for begin in range(0, len(texts), batch_size):
        ids = encoded["input_ids"][begin : begin + batch_size]
        mask = encoded["attention_mask"][begin : begin + batch_size]
        if add_start_token and tokenizer.bos_token_id is not None:
            ids = torch.cat([torch.full((len(ids), 1), tokenizer.bos_token_id), ids], 1)
            mask = torch.cat([torch.ones((len(ids), 1), dtype=mask.dtype), mask], 1)
        with torch.no_grad():
            logits = model(ids, attention_mask=mask).logits[:, :-1]
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
        weights = mask[:, 1:]
        values += torch.exp((losses * weights).sum(1) / weights.sum(1)).tolist()
    return values
