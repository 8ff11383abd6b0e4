"""The options of a metric that runs a language model of the transformers library, and their checks."""

import os
from collections.abc import Callable
from typing import Any

from textgauge.core.errors import InputError
from textgauge.core.options import check_choice, choice, count, flag, own

_DTYPES = ("auto", "float64", "float32", "bfloat16", "float16")


def check_models(
    *,
    model_id: str | None,
    model: Callable[..., Any] | None,
    model_tokenizer: Callable[..., Any] | None,
    device: Any,
    dtype: Any,
) -> None:
    """Raises InputError for options that contradict one another."""
    if model_id is not None and model is not None:
        raise InputError("model_id and model are given; pass one of them")
    if model_id is None and (model is None) != (model_tokenizer is None):
        raise InputError("model and model_tokenizer belong together; pass both, or model_id")
    if model_id is None and (device is not None or dtype != "auto"):
        raise InputError("device and dtype are for a model_id; move and convert a model of your own yourself")


def _check_model_id(name: str, model_id: Any) -> None:
    if model_id is not None and not (isinstance(model_id, (str, os.PathLike)) and str(model_id)):
        raise InputError(f"{name} is {model_id!r:.200}; pass a name or a folder, or model= and model_tokenizer=")


def _check_dtype(name: str, dtype: Any) -> None:
    """Raises InputError unless this is a choice, or one of torch's of that name."""
    if _dtype_name(dtype) not in _DTYPES:
        check_choice(name, dtype, _DTYPES)


def _dtype_name(dtype: Any) -> str:
    """Returns the name of a dtype, which may be one of torch's."""
    return str(dtype).removeprefix("torch.")


def _model_text(model: Any) -> str:
    """Returns the name of a model object in a signature."""
    return "none" if model is None else f"custom({model.config.name_or_path or type(model).__name__})"


MODEL_OPTIONS = {
    "model_id": own(
        None,
        "model",
        "a language model of transformers: its name, or its folder.",
        _check_model_id,
        kind="model",
    ),
    "model": own(
        None, "object", "a model object instead of model_id, with `model_tokenizer`.", kind="call", text=_model_text
    ),
    "model_tokenizer": own(None, "", "the tokenizer of `model`, an object.", kind="call"),
    "dtype": choice(
        "auto",
        "dtype",
        f"for a model_id: the type of its weights; `auto`: as saved; {', '.join(_DTYPES[1:])}.",
        _DTYPES,
        text=_dtype_name,
    )._replace(check=_check_dtype),
    "add_start_token": flag(
        "start",
        "put the tokenizer's start token before each text and its context (or its end token, if it has no other), so "
        "that the first token of a text without context is scored too. If the text already has it, it is not repeated. "
        "Without it, a text of one token has no value.",
        default=True,
    ),
    "boundary": choice(
        "together",
        "boundary",
        "where a context ends. `together`, as in lm-eval-harness: context and text are tokenized as one string. If the "
        "context alone has n tokens, the tokens after the first n are scored; blanks at the end of the context belong "
        "to the text. `apart`: each is tokenized by itself.",
        ("together", "apart"),
    ),
    "max_length": count(
        None,
        "maxlen",
        "how many tokens the model reads at once; by default, and at most, the model's limit. Longer texts are read in "
        "windows and are not cut off. A context that is too long to be read with its text loses its beginning.",
        low=2,
    ),
    "stride": count(
        None,
        "stride",
        "how many tokens each window after the first one scores, by default half of max_length; its other tokens "
        "are context. Each token is scored once.",
    ),
    "batch_size": count(16, "", "how many texts, or windows of long ones, the model reads together."),
    "device": own(
        None,
        "",
        "for a model_id: `cuda`, `cpu`, ...; by default an accelerator if there is one. A device that torch "
        "cannot use is an error before the model is loaded.",
    ),
}
