"""Log-probabilities of the tokens of texts under a causal language model of the transformers library.

torch and transformers are optional, and imported by the functions that use them.
"""

import contextlib
import itertools
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any
from typing import NamedTuple

import numpy as np
from evaluate.utils.logging import tqdm


class LanguageModel(NamedTuple):
    """A model that is ready to score, and how it reads texts."""

    model: Any
    tokenizer: Any
    start: int | None  # the token before each text, so that the text's first token is scored
    window: int | None  # how many tokens the model sees at once, `start` among them; None without a limit
    stride: int | None  # how many tokens each further window of a long text scores
    batch_size: int  # how many windows the model sees together


def load_language_model(
    *,
    model_id: str | None,
    model: Any,
    model_tokenizer: Any,
    add_start_token: bool,
    max_length: int | None,
    stride: int | None,
    batch_size: int,
    device: str | None,
    dtype: Any,
) -> LanguageModel:
    """Returns the model, and how it reads texts.

    Raises:
        ImportError: torch or transformers is missing.
        ValueError: there is no start token, the window does not fit the model or `stride`, the model sees the tokens
            that it is to predict, or torch cannot use the device.
    """
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise ImportError(
            f"scoring texts needs {error.name}: pip install torch transformers; "
            "lists of token log-probabilities need nothing"
        ) from None
    if model_tokenizer is None:
        model_tokenizer = transformers.AutoTokenizer.from_pretrained(model_id)
    if model is None:
        device = _device(device)
        model = transformers.AutoModelForCausalLM.from_pretrained(model_id, dtype=dtype).to(device)
    if model.config.is_encoder_decoder:
        raise ValueError("the model has an encoder and a decoder; pass a causal language model")
    window = _window(model, model_tokenizer, max_length)
    _check_causal(model, window)
    if stride is None and window is not None:
        stride = window // 2
    if window is not None and stride >= window:
        raise ValueError(f"stride is {stride}; pass at most {window - 1}, so that every token has one before it")
    start = _start_token(model_tokenizer) if add_start_token else None
    return LanguageModel(model, model_tokenizer, start, window, stride, batch_size)


def _device(device: Any) -> Any:
    """Returns the device that is asked for, or else an accelerator, or else the CPU."""
    import torch

    if device is None:
        return torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
    device = "cuda" if device == "gpu" else device
    try:
        torch.zeros(1, device=device)
    except (AssertionError, RuntimeError, TypeError) as error:
        reason = str(error).partition("\n")[0]
        raise ValueError(f"device is {device!r}, which torch cannot use here ({reason}); leave it out") from None
    return device


def _check_causal(model: Any, window: int | None) -> None:
    """Raises ValueError for a model whose prediction of a token depends on later tokens.

    It is tried out with two texts that differ in their second half, because the configurations of models say it in
    different ways or not at all.
    """
    import torch

    length = min(8, window or 8)
    # from the whole vocabulary, because tokens with neighbouring ids may have the same embedding
    ids = torch.linspace(0, model.get_input_embeddings().num_embeddings - 1, 2 * length).long()
    pair = torch.stack([ids[:length], torch.cat([ids[: length // 2], ids[length + length // 2 :]])])
    with _evaluating(model), torch.no_grad():
        first, second = _logits(model, pair, torch.ones_like(pair))[:, : length // 2]
    # models with experts round differently for each batch: allow 4 % in bfloat16, 0.002 % in single precision
    tolerance = torch.finfo(first.dtype).eps ** (2 / 3)
    if not torch.allclose(first, second, rtol=tolerance, atol=tolerance, equal_nan=True):
        raise ValueError(
            f"{type(model).__name__} sees the tokens that it is to predict, for it reads texts in both directions; "
            "pass a causal language model (of BERT and its like, one trained and loaded with is_decoder=True)"
        )


def _logits(model: Any, ids: Any, mask: Any) -> Any:
    """Returns the model's logits for a batch of tokens, (rows, length, vocabulary)."""
    device = next(model.parameters()).device
    return model(input_ids=ids.to(device), attention_mask=mask.to(device), use_cache=False).logits


def _start_token(tokenizer: Any) -> int:
    """Returns the token that begins a text, or else the one that ends a text, as lm-eval-harness does."""
    for token in (tokenizer.bos_token_id, tokenizer.eos_token_id):
        if token is not None:
            return token
    raise ValueError(
        "the tokenizer has no token to begin or to end a text; pass add_start_token=False, "
        "which leaves the first token of each text unscored"
    )


def _window(model: Any, tokenizer: Any, max_length: int | None) -> int | None:
    """Returns how many tokens the model sees at once: `max_length`, or its context."""
    config = model.config.get_text_config()
    limits = [getattr(config, name, None) for name in ("max_position_embeddings", "max_seq_len")]
    # RoBERTa and similar models number positions from the id after that of the padding token
    tables = [module for name, module in model.named_modules() if name.endswith("position_embeddings")]
    skipping = [table for table in tables if getattr(table, "padding_idx", None) is not None]
    limits[:0] = [table.num_embeddings - table.padding_idx - 1 for table in skipping]
    # tokenizers without a limit say a huge number
    limits.append(tokenizer.model_max_length if tokenizer.model_max_length < 1e9 else None)
    # XLNet says -1 for no limit
    limit = next((int(limit) for limit in limits if limit and limit > 0), None)
    if max_length is not None and limit is not None and max_length > limit:
        raise ValueError(f"max_length is {max_length}; the model sees {limit} tokens at most")
    return max_length or limit


def log_probabilities(language_model: LanguageModel, texts: Sequence[str]) -> list[np.ndarray]:
    """Returns the natural log-probabilities of the tokens of each text; without a start token, not of the first one.

    A text longer than the window is read in windows that overlap. Each token is scored once, in the first window that
    contains it. The results do not depend on the size of batches, nor on how the tokenizer would pad.

    Raises:
        ValueError: the model does not know a token, or it returns a probability that is not a number.
    """
    import torch

    model, sequences = language_model.model, _sequences(language_model, texts)
    found = [np.zeros(max(len(sequence) - 1, 0)) for sequence in sequences]
    windows = [
        (row, *window)
        for row, sequence in enumerate(sequences)
        for window in windows_of(len(sequence), language_model.window, language_model.stride)
    ]
    # the longest first: batches need little padding, and if one is too large for the memory, it is the first one
    windows.sort(key=lambda window: window[2] - window[1], reverse=True)
    starts = range(0, len(windows), language_model.batch_size)
    with _evaluating(model), torch.no_grad():
        for index in tqdm(starts, desc="language model", unit="batch", delay=2, leave=False):
            batch = windows[index : index + language_model.batch_size]
            pieces = [sequences[row][begin:end] for row, begin, end, _ in batch]
            firsts = [first - begin for _, begin, _, first in batch]
            for (row, _, end, first), values in zip(batch, _score(model, pieces, firsts), strict=True):
                found[row][first - 1 : end - 1] = values
    for row, values in enumerate(found):
        if np.isnan(values).any():
            raise ValueError(f"the model returns nan for {texts[row]!r:.40}; try dtype='float32'")
    return found


def tokens(language_model: LanguageModel, text: str) -> list[str]:
    """Returns the piece of the text that each scored token covers; the first one only with a start token."""
    tokenizer = language_model.tokenizer
    if tokenizer.is_fast:
        encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        spans = encoded["offset_mapping"]
        # where several tokens share a character, the first one has it and the others have ""
        ends = itertools.accumulate((end for _, end in spans), max, initial=0)
        pieces = [text[max(begin, before) : end] for (begin, end), before in zip(spans, ends, strict=False)]
    else:
        pieces = tokenizer.tokenize(text)
    return pieces if language_model.start is not None else pieces[1:]


def _sequences(language_model: LanguageModel, texts: Sequence[str]) -> list[list[int]]:
    """Returns for each text the start token and then its tokens, without those that the tokenizer would add."""
    start = [] if language_model.start is None else [language_model.start]
    encoded = language_model.tokenizer(list(texts), add_special_tokens=False, verbose=False) if texts else {}
    sequences = [start + list(tokens) if tokens else [] for tokens in encoded.get("input_ids", [])]
    known = language_model.model.get_input_embeddings().num_embeddings
    largest = max(map(max, filter(None, sequences)), default=0)
    if largest >= known:
        raise ValueError(f"the tokenizer gives a token {largest}, but the model knows {known}: they are no pair")
    return sequences


def windows_of(length: int, window: int | None, stride: int | None) -> Iterator[tuple[int, int, int]]:
    """Yields start and end of each window, and the first position that it scores; position 0 is never scored."""
    end = min(length, window or length)
    if length > 1:
        yield 0, end, 1
    while end < length:
        first, end = end, min(end + stride, length)
        yield end - window, end, first


def _score(model: Any, pieces: list[list[int]], firsts: list[int]) -> Iterator[np.ndarray]:
    """Yields for each piece the log-probabilities of its tokens from its entry in `firsts` on."""
    import torch

    # padded at the end, where a causal model does not look, so that any token will do
    shape = len(pieces), max(map(len, pieces))
    ids, mask = torch.zeros(shape, dtype=torch.long), torch.zeros(shape, dtype=torch.long)
    for row, piece in enumerate(pieces):
        ids[row, : len(piece)], mask[row, : len(piece)] = torch.tensor(piece), 1
    logits = _logits(model, ids, mask)
    for row, (piece, first) in enumerate(zip(pieces, firsts, strict=True)):
        # one row at a time, so that half precision is not converted for the whole batch at once
        values = logits[row, first - 1 : len(piece) - 1]
        values = values.to(torch.promote_types(values.dtype, torch.float32))
        targets = torch.tensor(piece[first:], device=values.device)[:, None]
        scored = values.gather(-1, targets)[:, 0] - values.logsumexp(-1)
        yield scored.double().cpu().numpy()


@contextlib.contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Switches dropout and similar training behaviour off, and then on again where it was on."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True
