"""The user's own tokenizer, a function or an object with `.tokenize`: how it is called, checked and named."""

import re
from collections.abc import Callable
from typing import Any

from textgauge.core.errors import InputError


def own_function(tokenizer: Any) -> Any:
    """Returns the function from a text to its tokens: of an object that has one its method `tokenize`."""
    # `.tokenize` first: a transformers tokenizer is callable too, but then it returns ids
    return getattr(tokenizer, "tokenize", tokenizer)


def own_tokens(function: Callable[[str], list[str]], text: str) -> list[str]:
    """Returns the tokens of one text.

    >>> own_tokens(str.split, "잔다 .")
    ['잔다', '.']

    Raises:
        InputError: the function does not return a list of strings.
    """
    tokens = function(text)
    if not isinstance(tokens, (list, tuple)) or not all(isinstance(token, str) for token in tokens):
        raise InputError(f"tokenizer returned {tokens!r:.80} for {text!r:.40}; it must return a list of strings")
    try:
        "".join(tokens).encode()
    except UnicodeEncodeError:
        message = f"tokenizer returned {tokens!r:.80} for {text!r:.40}; a lone surrogate is not valid Unicode"
        raise InputError(message) from None
    return list(tokens)


def own_name(tokenizer: Any) -> str:
    """Returns the name of its function or class for the signature.

    >>> own_name(str.split)
    'custom(builtins.str.split)'
    """
    own = tokenizer if hasattr(tokenizer, "__qualname__") else type(tokenizer)
    name = f"{getattr(own, '__module__', None) or 'builtins'}.{own.__qualname__}"
    return f"custom({re.sub(r'[|:]', '_', name)})"
