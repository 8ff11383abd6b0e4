"""Of which kind each edit of a word error rate is, see `error_kinds.py`."""

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from textgauge.edits.distances import AlignmentRun
from textgauge.korean.reading_networks import Alignment
from textgauge.tokens.tokenizers import tokenize

from .error_kinds import ENDINGS, ERROR_KINDS, MOST_ENDING_SYLLABLES, NUMBER_NOTATIONS
from .fillers import Fillers
from .pair_choice import Choice
from .phrase_marks import phrase_tokens

_SYLLABLE = re.compile("[가-힣]")
_Word = tuple[str, str]  # with the kind of its notation; empty where there is none


def word_kinds(
    choice: Choice, references: Sequence[str], predictions: Sequence[str], tokenizer: Any, ties: str, fillers: Fillers
) -> np.ndarray:
    """Returns how many edits of each segment are of each kind, (n_segments, kinds) int64 in the order of `ERROR_KINDS`.

    Args:
        choice: the nearest references, with counts.
        references: of all pairs.
        predictions: of all pairs.
        tokenizer: of words.
        ties: which alignment, see `align`.
        fillers: how to find them.
    """
    counts = np.zeros((len(choice.edits), len(ERROR_KINDS)), dtype=np.int64)
    rows = np.flatnonzero(choice.counts[:, :3].any(axis=1)).tolist()
    pairs = [choice.chosen[row] for row in rows]
    tokens = tokenize([side[pair] for pair in pairs for side in (references, predictions)], tokenizer)
    for row, *pair in zip(rows, tokens[::2], tokens[1::2], strict=True):
        counts[row] = _count(choice.alignment(row, ties, pair), [*map(phrase_tokens, choice.phrases(row))], fillers)
    return counts


def _count(alignment: Alignment, phrases: Sequence[Collection[int]], fillers: Fillers) -> list[int]:
    """Returns how many edits of two texts are of each kind, in the order of `ERROR_KINDS`.

    Args:
        alignment: of their words.
        phrases: which words of the reference, and of the prediction, are of phrases of the user's.
        fillers: how to find them.
    """
    counts = [0] * len(ERROR_KINDS)
    sides = alignment.reference, alignment.prediction
    words = [list(itertools.zip_longest(*of, fillvalue="")) for of in zip(sides, alignment.kinds, strict=True)]
    are_fillers = [fillers.words(list(map(_letters, side))) for side in sides]
    is_korean = any(map(_SYLLABLE.search, itertools.chain(*sides)))
    for is_equal, neighbours in itertools.groupby(alignment.runs, lambda run: run[0] == "equal"):
        if is_equal:
            continue
        runs = list(neighbours)
        (_, a, _, c, _), (_, _, b, _, d) = runs[0], runs[-1]
        is_spacing = "".join(sides[0][a:b]) == "".join(sides[1][c:d])
        for left, right in _edits(runs):
            first, second = (
                ("", "") if at is None else side[at] for side, at in zip(words, (left, right), strict=True)
            )
            known = (("phrase", phrases), ("filler", are_fillers))
            kind = next((kind for kind, (own, others) in known if left in own or right in others), "")
            kind = kind or _kind(first, second, is_spacing, is_korean)
            counts[ERROR_KINDS.index(kind)] += 1
    return counts


def _edits(runs: Sequence[AlignmentRun]) -> Iterator[tuple[int | None, int | None]]:
    """Yields the places of the words of each edit, None for none."""
    for _, a, b, c, d in runs:
        yield from itertools.zip_longest(range(a, b), range(c, d))


def _kind(first: _Word, second: _Word, is_spacing: bool, is_korean: bool) -> str:
    """Returns the first kind that fits, other than of a phrase or a filler."""
    letters = [_letters(word) for word, _ in (first, second)]
    conditions = {
        "spacing": is_spacing,
        "punctuation": letters[0] == letters[1],
        "number": any(kind in NUMBER_NOTATIONS or any(map(_is_number, word)) for word, kind in (first, second)),
        "latin": is_korean and any(kind == "letter" or any(map(_is_latin, word)) for word, kind in (first, second)),
        "ending": _stem(letters[0]) == _stem(letters[1]),
        "one_jamo": _words_differ_in_one_jamo(*letters),
    }
    return next((kind for kind, fits in conditions.items() if fits), "other")


def _letters(word: str) -> str:
    """Returns the letters and numbers of a word, in whole syllables."""
    return "".join(c for c in unicodedata.normalize("NFC", word) if unicodedata.category(c)[0] in "LMN")


def _is_number(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def _is_latin(character: str) -> bool:
    return unicodedata.name(character, "").startswith("LATIN ")


def _stem(word: str) -> str:
    """Returns a word without its longest ending."""
    sizes = range(min(MOST_ENDING_SYLLABLES, len(word) - 1), 0, -1)
    return next((word[:-size] for size in sizes if word[-size:] in ENDINGS), word)


def _words_differ_in_one_jamo(first: str, second: str) -> bool:
    """Returns whether two words differ in one syllable, and there in the initial, the medial or the final."""
    different = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    if len(first) != len(second) or len(different) != 1 or not all(map(_SYLLABLE.match, different[0])):
        return False
    jamo = (unicodedata.normalize("NFD", syllable).ljust(3) for syllable in different[0])
    return sum(a != b for a, b in zip(*jamo, strict=True)) == 1
