"""What ROUGE refuses: types that there are not, and options that do not go with the types or the tokenizer."""

from collections.abc import Sequence
from typing import Any

from textgauge.core.errors import InputError

from .rouge_counts import TYPE

_OF_CHARACTERS = ("char", "jamo")  # tokenizers


def check_stemmed(tokenizer: Any) -> None:
    """Raises InputError for a tokenizer whose tokens are characters.

    >>> check_stemmed("char")
    Traceback (most recent call last):
    textgauge.core.errors.InputError: use_stemmer is True, and the tokens of tokenizer='char' are not words; drop one
    """
    if isinstance(tokenizer, str) and tokenizer in _OF_CHARACTERS:
        raise InputError(f"use_stemmer is True, and the tokens of tokenizer={tokenizer!r:.200} are not words; drop one")


def check_idf_types(names: Sequence[str]) -> None:
    """Raises InputError unless all types are ROUGE-N.

    >>> check_idf_types(["rouge1", "rougeL"])
    Traceback (most recent call last):
    textgauge.core.errors.InputError: idf weighs n-grams, and not rougeL; pass rouge_types such as ['rouge1', 'rouge2']
    """
    wrong = [name for name in names if not TYPE.fullmatch(name)["order"]]
    if wrong:
        raise InputError(
            f"idf weighs n-grams, and not {', '.join(wrong)}; pass rouge_types such as ['rouge1', 'rouge2']"
        )


def check_types(name: str, rouge_types: Any) -> None:
    """Raises InputError unless this is None, a type of ROUGE or a list of different ones.

    >>> check_types("rouge_types", ["rouge1", "rouge1"])
    Traceback (most recent call last):
    textgauge.core.errors.InputError: rouge_types is ['rouge1', 'rouge1']; name each type once
    """
    if rouge_types is None or (isinstance(rouge_types, str) and TYPE.fullmatch(rouge_types)):
        return
    kinds = "rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS*, rougeS4, rougeSU*, rougeSU4"
    if not isinstance(rouge_types, (list, tuple)) or not rouge_types:
        raise InputError(f"{name} is {rouge_types!r:.200}; pass a list of {kinds}")
    for entry in rouge_types:
        if not isinstance(entry, str) or not TYPE.fullmatch(entry):
            raise InputError(f"{name} holds {entry!r:.200}; pass a list of {kinds}")
    if len(set(rouge_types)) < len(rouge_types):
        raise InputError(f"{name} is {rouge_types!r:.200}; name each type once")
