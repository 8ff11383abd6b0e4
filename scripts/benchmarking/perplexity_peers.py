"""Hugging Face's definition of perplexity, written down anew from what its script does."""

import functools
import math
from pathlib import Path
from typing import Any

from .sides import Peer, Side, mean


def _add_padding(tokenizer: Any) -> None:
    """Has a tokenizer pad with its first special token; ValueError if it has none."""
    specials = list(tokenizer.special_tokens_map.values())
    if not specials:
        raise ValueError("without any special token there is none to pad with")
    tokenizer.add_special_tokens({"pad_token": specials[0]})


def hugging_face(
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


@functools.cache
def small_model() -> tuple[Any, Any]:
    """Returns a GPT-2 with random weights, and a tokenizer whose tokens are bytes."""
    import tokenizers
    import torch
    import transformers

    letters = ["<s>", *sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({letter: i for i, letter in enumerate(letters)}, []))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    torch.set_num_threads(1)  # as the other metrics have
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(letters), n_embd=32, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", pad_token="<s>")
    return model, fast


def _hugging_face(_: Path | None) -> Side:
    model, tokenizer = small_model()
    return lambda corpus: math.log(mean(hugging_face(corpus.predictions, model, tokenizer)))


PEERS = {"HF perplexity": Peer({"perplexity": _hugging_face}, tolerance=1e-4)}  # single precision
