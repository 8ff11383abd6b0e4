"""Language models of the transformers library: loaded, checked, and run on a batch of tokens.

torch and transformers are optional, and imported by the functions that use them.
"""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from textgauge.core.errors import InputError


class LanguageModel(NamedTuple):
    """A model that is ready to score, and how it reads texts."""

    model: Any
    tokenizer: Any
    has_encoder: bool  # which reads the contexts; a model without one reads each context before its text
    start: int | None  # the token before each text, so that the text's first token is scored
    boundary: str  # how a context and its text become tokens: "together" or "apart"
    window: int | None  # how many tokens the model sees at once, `start` among them; None without a limit
    stride: int | None  # how many tokens each further window of a long text scores
    batch_size: int  # how many windows the model sees together


def _auto_tokenizer() -> Any:
    """Returns the class that finds a model's tokenizer; ImportError says what to install."""
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise ImportError(
            f"scoring texts needs {error.name}: pip install torch transformers; "
            "lists of token log-probabilities need nothing"
        ) from None
    return transformers.AutoTokenizer


class ModelOptions(NamedTuple):
    """The options that say which model reads texts, and how; MODEL_OPTIONS says what each is."""

    model_id: str | None
    model: Any
    model_tokenizer: Any
    dtype: Any
    add_start_token: bool
    boundary: str
    max_length: int | None
    stride: int | None
    batch_size: int
    device: str | None


def load_language_model(options: ModelOptions) -> LanguageModel:
    """Returns the model, and how it reads texts.

    Raises:
        ImportError: torch or transformers is missing.
        InputError: there is no start token, the window does not fit the model or `stride`, the model sees the tokens
            that it is to predict or predicts none, or torch cannot use the device.
    """
    auto_tokenizer = _auto_tokenizer()
    model = options.model
    tokenizer = options.model_tokenizer
    if model is None:
        device = _device(options.device)
    with _loading(options.model_id):
        if tokenizer is None:
            tokenizer = auto_tokenizer.from_pretrained(options.model_id)
        if model is None:
            model = _model_of(options.model_id, device, options.dtype)

    has_encoder = bool(model.config.is_encoder_decoder)
    window = _window(model, tokenizer, options.max_length)
    _check_causal(model, has_encoder, window)
    stride = options.stride
    if stride is None and window is not None:
        stride = window // 2
    if window is not None and stride >= window:
        raise InputError(f"stride is {stride}; pass at most {window - 1}, so that every token has one before it")
    start = _start(model, tokenizer, has_encoder, options.add_start_token)
    batch_size = 1 if _mixes_rows(model, has_encoder, window) else options.batch_size
    return LanguageModel(model, tokenizer, has_encoder, start, options.boundary, window, stride, batch_size)


@contextlib.contextmanager
def _loading(model_id: str | None) -> Iterator[None]:
    """Turns what transformers says of a folder that holds no model, or none that it knows, into an InputError."""
    try:
        yield
    except ValueError as error:
        reason = " ".join(str(error).split())  # it may have several lines
        raise InputError(f"model_id is {str(model_id)!r:.200}: {reason}") from None


def _model_of(model_id: str, device: Any, dtype: Any) -> Any:
    """Returns the model of this name or folder, on the device."""
    import transformers

    is_encoder_decoder = transformers.AutoConfig.from_pretrained(model_id).is_encoder_decoder
    kind = transformers.AutoModelForSeq2SeqLM if is_encoder_decoder else transformers.AutoModelForCausalLM
    return kind.from_pretrained(model_id, dtype=dtype).to(device)


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
        raise InputError(f"device is {device!r:.200}, which torch cannot use here ({reason}); leave it out") from None
    return device


def _check_causal(model: Any, has_encoder: bool, window: int | None) -> None:
    """Raises InputError for a model that predicts no tokens, or whose prediction of one depends on later tokens.

    It is tried out with two texts that differ in their second half, because the configurations of models say it in
    different ways or not at all.
    """
    import torch

    if has_encoder and model.main_input_name != "input_ids":
        raise InputError(f"the encoder of {type(model).__name__} reads {model.main_input_name} instead of texts")
    ids = _trial_tokens(model, window)
    length = len(ids) // 2
    pair = torch.stack([ids[:length], torch.cat([ids[: length // 2], ids[length + length // 2 :]])])
    encoder = pair[:1].expand(2, -1) if has_encoder else None
    with evaluating(model), torch.no_grad():
        logits = logits_of(model, pair, torch.ones_like(pair), encoder)
    if logits is None or logits.shape[:2] != pair.shape:
        raise InputError(
            f"{type(model).__name__} does not predict the next token; pass a causal language model, or one with an "
            "encoder and a decoder"
        )
    if not _are_close(*logits[:, : length // 2]):
        raise InputError(
            f"{type(model).__name__} sees the tokens that it should predict, because it reads texts both ways; "
            "pass a causal language model (a BERT must be trained and loaded with is_decoder=True)"
        )


def _mixes_rows(model: Any, has_encoder: bool, window: int | None) -> bool:
    """Returns whether what a model makes of a text depends on the others of its batch.

    It is tried out with a text alone and with a longer one: ProphetNet sees what is padded behind the text. BigBird and
    its like, to whom the trial is too short, attend to all of a batch if it is short.
    """
    import torch

    if any(getattr(module, "attention_type", None) == "block_sparse" for module in model.modules()):
        return True
    ids = _trial_tokens(model, window).tolist()
    rows = [ids[: len(ids) // 4], ids[len(ids) // 2 :]]
    logits = []
    with evaluating(model), torch.no_grad():
        for batch in (rows[:1], rows):
            inputs = padded(batch)
            encoder_inputs = padded(batch) if has_encoder else ()
            logits.append(logits_of(model, *inputs, *encoder_inputs)[0, : len(rows[0])])
    alone, together = logits
    return not _are_close(alone, together)


def _trial_tokens(model: Any, window: int | None) -> Any:
    """Returns tokens for two texts: from the whole vocabulary, because neighbours may have the same embedding."""
    import torch

    last = model.get_input_embeddings().num_embeddings - 1
    n_tokens = 2 * min(8, window or 8)
    return torch.linspace(0, last, n_tokens).long()


def _are_close(first: Any, second: Any) -> bool:
    """Returns whether logits are equal up to rounding.

    It differs between batches, and is as large for small logits as for the largest: allow 4 % of this in bfloat16,
    0.002 % in single precision.
    """
    import torch

    tolerance = torch.finfo(first.dtype).eps ** (2 / 3)
    largest = torch.nan_to_num(first, posinf=0, neginf=0).abs().max().item()
    return torch.allclose(first, second, rtol=0, atol=tolerance * max(largest, 1), equal_nan=True)


def padded(rows: Sequence[list[int]]) -> tuple[Any, Any]:
    """Returns tokens and mask of several rows, padded at the end, where a causal model does not look."""
    import torch

    ids = torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
    mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(row), dtype=torch.long) for row in rows], batch_first=True)
    return ids, mask


def logits_of(model: Any, ids: Any, mask: Any, encoder_ids: Any = None, encoder_mask: Any = None) -> Any:
    """Returns the model's logits for a batch of tokens, (rows, length, vocabulary); None if it has none.

    The tokens of a model with an encoder are those of its decoder. They need no mask: padding is at the end, where a
    decoder does not look.
    """
    inputs = {"input_ids": ids, "attention_mask": mask}
    if encoder_ids is not None:
        inputs = {"input_ids": encoder_ids, "attention_mask": encoder_mask, "decoder_input_ids": ids}
    device = next(model.parameters()).device
    inputs = {name: value.to(device) for name, value in inputs.items() if value is not None}
    with _attention_kept(model):
        return getattr(model(**inputs, use_cache=False), "logits", None)


def _start(model: Any, tokenizer: Any, has_encoder: bool, add_start_token: bool) -> int | None:
    """Returns the token before each text: of a decoder the one that it begins with, else one of the tokenizer."""
    if not has_encoder:
        return start_token(tokenizer) if add_start_token else None
    if not add_start_token:
        raise InputError("add_start_token is False; a decoder always begins with its start token, so leave it out")
    for config in (model.generation_config, model.config):
        start = getattr(config, "decoder_start_token_id", None)
        if start is not None:
            return start
    raise InputError(
        f"the configuration of {type(model).__name__} has no decoder_start_token_id, the token that its decoder "
        "begins with; set it"
    )


def start_token(tokenizer: Any) -> int:
    """Returns the token that begins a text, or else the one that ends a text, as lm-eval-harness does."""
    for token in (tokenizer.bos_token_id, tokenizer.eos_token_id):
        if token is not None:
            return token
    raise InputError(
        "the tokenizer has no token for the beginning or end of a text; pass add_start_token=False, "
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
        raise InputError(f"max_length is {max_length}; the model sees {limit} tokens at most")
    return max_length or limit


@contextlib.contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Switches dropout and similar training behaviour off, and then on again where it was on."""
    training = [module for module in model.modules() if module.training]
    model.eval()
    try:
        yield
    finally:
        for module in training:
            module.training = True


@contextlib.contextmanager
def _attention_kept(model: Any) -> Iterator[None]:
    """Undoes what BigBird and its like do at the first short text: attend to all of it, and of each later one."""
    kept = [
        (module, module.attention_type, dict(module.named_children()))
        for module in model.modules()
        if hasattr(module, "attention_type")
    ]
    try:
        yield
    finally:
        for module, attention_type, children in kept:
            module.attention_type = attention_type
            for name, child in children.items():
                setattr(module, name, child)
