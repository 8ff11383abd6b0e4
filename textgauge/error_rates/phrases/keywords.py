"""Phrases that count more in an error rate: the option `weights`, and the table that is made of it."""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from textgauge.core.errors import InputError
from textgauge.core.options import mapping
from textgauge.core.phrase_tables import PHRASES_AND_WEIGHTS, read_weights, weights_text

from .number_marks import Compared, inner_marks, mark_places

_HEAVIEST = 100.0
_OR = " | "  # between the aliases of a phrase


class Form(NamedTuple):
    """One way to write a phrase."""

    phrase: int
    cleaned: str  # as texts are, with what is not compared
    text: str  # what is looked for
    inner: frozenset[tuple[int, str]]  # marks inside its numbers


class Keywords(NamedTuple):
    """The phrases of a table, cleaned as texts are."""

    phrases: list[str]  # as the user wrote them
    weights: list[float]
    forms: list[Form]
    first: re.Pattern[str] | None  # finds the first character of any form; None if there is none
    lengths: dict[str, list[int]]  # of the forms that begin with a character, the longest first
    by_text: dict[str, list[int]]  # forms; of one text there are several where marks inside numbers differ
    compared: Compared | None  # what is compared of clean texts; None if no form has a digit


def read_keywords(weights: Any) -> dict[str, float]:
    """Returns the option `weights` of an error rate as a table; see `read_weights` for what is wrong with one.

    A phrase may have aliases: a tuple as its key, or a text with " | " between them, which is returned.
    """
    if isinstance(weights, Mapping):
        keys = [_OR.join(key) if _are_aliases(key) else key for key in weights]
        if len({*keys}) < len(keys):
            raise InputError(f"weights: {max(keys, key=keys.count)!r:.200} occurs twice; give each phrase one weight")
        weights = dict(zip(keys, weights.values(), strict=True))
    return read_weights(weights, 0.0, _HEAVIEST, is_one_table=True)


def _are_aliases(key: Any) -> bool:
    return isinstance(key, tuple) and all(isinstance(alias, str) for alias in key)


KEYWORDS = mapping(
    None,
    "weights",
    "phrases that count more (or less), such as names, drugs and amounts, with weights in [0, 100]: "
    f"{PHRASES_AND_WEIGHTS} An error inside a phrase costs its weight, and the "
    "reference's weighted length divides; adds `keyword_recall`, `keyword_precision` and `missed_keywords`. "
    "`나사 | NASA` is one phrase with an alias.",
    ("phrase", "weight"),
    lambda name, value: read_keywords(value),
    text=functools.partial(weights_text, read=read_keywords),
    in_code="Or a dict phrase -> weight; a phrase with aliases is a tuple.",
)


def compile_keywords(weights: Any, clean: Callable[[list[str]], list[str]], compared: Compared) -> Keywords | None:
    """Returns the phrases of an option `weights`, None without it.

    Args:
        weights: the option.
        clean: returns phrases in the Unicode form and case of texts.
        compared: returns the characters of these that are compared.

    Raises:
        InputError: a phrase of which nothing is compared, or two that are the same and have different weights.
    """
    if not weights:
        return None
    table = read_keywords(weights)
    phrases, forms = _forms(table, clean, compared)
    by_text: dict[str, list[int]] = {}
    lengths: dict[str, set[int]] = {}
    for index, form in enumerate(forms):
        by_text.setdefault(form.text, []).append(index)
        lengths.setdefault(form.text[0], set()).add(len(form.text))
    has_digits = any(character.isdecimal() for form in forms for character in form.text)
    first = None
    if lengths:
        first_characters = "".join(map(re.escape, lengths))
        first = re.compile(f"[{first_characters}]")
    return Keywords(
        phrases=phrases,
        weights=[table[phrase] for phrase in phrases],
        forms=forms,
        first=first,
        lengths={character: sorted(sizes, reverse=True) for character, sizes in lengths.items()},
        by_text=by_text,
        compared=compared if has_digits else None,
    )


def _forms(
    table: Mapping[str, float], clean: Callable[[list[str]], list[str]], compared: Compared
) -> tuple[list[str], list[Form]]:
    """Returns the phrases of a table that differ, and the ways to write them."""
    aliases = [(phrase, alias.strip()) for phrase in table for alias in phrase.split(_OR)]
    cleaned = clean([alias for _, alias in aliases])
    texts = compared(cleaned)
    places = mark_places(cleaned, texts, compared)
    first: dict[tuple[str, frozenset[tuple[int, str]]], tuple[str, str]] = {}  # the first alias of what is compared
    for (phrase, _), clean_alias, text, places_of_marks in zip(aliases, cleaned, texts, places, strict=True):
        if not text:
            raise InputError(f"weights[{phrase!r:.200}]: no character of this phrase is compared")
        compared_as = text, inner_marks(places_of_marks, 0, len(text))
        first_phrase, _ = first.setdefault(compared_as, (phrase, clean_alias))
        if table[first_phrase] != table[phrase]:
            raise InputError(
                f"weights: {first_phrase!r:.200} and {phrase!r:.200} are the same characters; give them one weight"
            )
    numbers: dict[str, int] = {}
    forms = []
    for (text, inner), (phrase, clean_alias) in first.items():
        number = numbers.setdefault(phrase, len(numbers))
        forms.append(Form(number, clean_alias, text, inner))
    return list(numbers), forms
