"""Predictions that are segmented differently from the references: joined, and segmented like the references.

The idea is that of Matusov et al. (2005), "Evaluating Machine Translation Output with Automatic Sentence Segmentation":
of all ways to cut, take one whose segments have the fewest edits in sum, which are then those of the whole texts.
"""

import itertools
import re
import unicodedata
from collections.abc import Callable, Sequence

import numpy as np

from textgauge.core.columns import check_texts
from textgauge.core.errors import InputError
from textgauge.edits.distance_columns import prefix_distances
from textgauge.tokens.cleaning import clean_characters

_Spans = list[tuple[int, int]]  # start and end of each token in a text


def align_segments(predictions: Sequence[str], references: Sequence[str], unit: str = "words") -> list[str]:
    """Returns the text of the predictions cut into as many segments as there are references, (n_references,).

    >>> align_segments(["네 그럼 시작", "할까요 좋아요."], ["네, 그럼 시작할까요?", "좋아요."], unit="characters")
    ['네 그럼 시작 할까요', '좋아요.']

    The edits of all segments add up to those of the whole, and how the predictions were cut before does not matter. Of
    several places that a border could have, one between words is taken before one inside a word, and then the last, so
    that what is surplus belongs to the segment before.

    Args:
        predictions: texts of one document or recording, in their order.
        references: likewise.
        unit: what edits are counted in. "words": what is between blanks, as `wer` has it by default; "characters":
            letters, digits and their marks, as `cer` has it.

    Returns:
        Texts in the Unicode form NFC, without blanks at their ends; "" where nothing is left for a segment.

    Raises:
        InputError: another unit; no reference; anything but a list of texts.
    """
    if unit not in UNITS:
        raise InputError(f"unit is {unit!r:.200}; pass one of {', '.join(UNITS)}")
    predictions = check_texts("predictions", predictions)
    references = check_texts("references", references)
    if not references:
        raise InputError("references is empty; pass the segments that the predictions get")
    text = unicodedata.normalize("NFC", " ".join(filter(None, map(str.strip, predictions))))
    spans = UNITS[unit](text)
    tokens = [text[start:end] for start, end in spans]
    wanted = [_tokens(reference, unit) for reference in references]
    cuts = _cheapest_cuts(wanted, tokens, _fitness(text, spans))
    bounds = [0, *[_position(text, spans, cut) for cut in cuts], len(text)]
    return [text[start:end].strip() for start, end in itertools.pairwise(bounds)]


def _words(text: str) -> _Spans:
    return [word.span() for word in re.finditer(r"\S+", text)]


def _characters(text: str) -> _Spans:
    kept = set(clean_characters(list(set(text)), "remove", "remove", "syllable", "keep"))
    return [(position, position + 1) for position, character in enumerate(text) if character in kept]


UNITS: dict[str, Callable[[str], _Spans]] = {"words": _words, "characters": _characters}


def _tokens(text: str, unit: str) -> list[str]:
    text = unicodedata.normalize("NFC", text)
    return [text[start:end] for start, end in UNITS[unit](text)]


def _gap(text: str, spans: _Spans, token: int) -> tuple[int, int]:
    """Returns where what is between a token and the one before it starts and ends."""
    start = spans[token - 1][1] if token else 0
    end = spans[token][0] if token < len(spans) else len(text)
    return start, end


def _fitness(text: str, spans: _Spans) -> np.ndarray:
    """Returns how well a text can be cut before each token, and at its end: 2 between words, 0 before a mark."""
    fitness = np.full(len(spans) + 1, 2)
    for token in range(1, len(spans)):
        start, end = _gap(text, spans, token)
        if not re.search(r"\s", text[start:end]):
            fitness[token] = not unicodedata.category(text[end]).startswith("M")
    return fitness


def _position(text: str, spans: _Spans, token: int) -> int:
    """Returns where a text is cut before a token: at a blank, or else behind the punctuation."""
    if token == 0:
        return 0
    start, end = _gap(text, spans, token)
    blank = re.search(r"\s", text[start:end])
    return start + blank.start() if blank else end


def _cheapest_cuts(references: Sequence[list[str]], prediction: list[str], fitness: np.ndarray) -> list[int]:
    """Returns how many tokens of the prediction are before each border of the references.

    The idea is Hirschberg's (1975): a border in the middle is placed where the distance of the text before it, and of
    what is behind it, is least in sum; then the two parts are independent of each other. Memory is linear in the texts.
    """
    if len(references) < 2:
        return []
    weights = np.cumsum([len(reference) + 1 for reference in references])  # with empty ones the depth is bounded, too
    middle = 1 + int(np.abs(weights[:-1] - weights[-1] / 2).argmin())
    before = list(itertools.chain.from_iterable(references[:middle]))
    behind = list(itertools.chain.from_iterable(references[middle:]))
    costs_before = prefix_distances(before, prediction)
    costs_behind = prefix_distances(behind[::-1], prediction[::-1])[::-1]
    costs = costs_before + costs_behind
    cheapest = np.flatnonzero(costs == costs.min())
    fit = fitness[cheapest]
    cut = int(cheapest[fit == fit.max()][-1])
    left = _cheapest_cuts(references[:middle], prediction[:cut], fitness[: cut + 1])
    right = _cheapest_cuts(references[middle:], prediction[cut:], fitness[cut:])
    return [*left, cut, *(cut + further for further in right)]
