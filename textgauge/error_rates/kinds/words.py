"""Of which kind each edit of a word error rate is by its place, see `error_kinds.py`."""

import itertools
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.edits.distances import AlignmentRun
from textgauge.korean.reading_networks import Alignment

from ..nearest.choice import Choice
from ..phrases.marks import phrase_tokens
from ..phrases.number_words import NUMBER_NOTATIONS, NUMERALS
from .chain import Segment, count_letters, letter_spans
from .characters import Edit, edits_of
from .error_kinds import ERROR_KINDS
from .spelled import Span
from .tables import ENDINGS, HANGUL_SYLLABLE, MOST_ENDING_SYLLABLES, UNIT_WORDS, is_latin


class _Word(NamedTuple):
    """A word of a text that is compared."""

    text: str
    letters: str  # its letters and numbers, in whole syllables
    notation: str  # kind of the notation that it is read from, or stands for; "" for none
    is_phrase: bool  # whether it is of a phrase of the user's
    is_unit: bool  # whether it is a unit behind a numeral


class _WordSide(NamedTuple):
    """A text whose words are compared."""

    tokens: Sequence[str]
    kinds: Sequence[str]  # of the notation that each is read from, "" for none
    spans: Sequence[Span]  # words that stand for notations, in letters of the text
    phrases: Collection[int]  # which tokens are of phrases of the user's

    def word(self, number: int) -> _Word:
        """Returns one of the words."""
        token = self.tokens[number]
        notation = self.kinds[number] if self.kinds else ""
        if self.spans and not notation:
            start = sum(map(count_letters, self.tokens[:number]))
            notation = _kind_at(self.spans, start, start + count_letters(token))
        letters = _letters(token)
        is_unit = letters in UNIT_WORDS and number > 0 and _letters(self.tokens[number - 1])[-1:] in NUMERALS
        return _Word(token, letters, notation, number in self.phrases, is_unit)


def word_kinds(segments: Sequence[Segment], choice: Choice, alignments: Sequence[Alignment]) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, (n_segments, kinds) in the order of `ERROR_KINDS`.

    Args:
        segments: with one reference each.
        choice: how near it is.
        alignments: of the segments.
    """
    kinds = np.zeros((len(segments), len(ERROR_KINDS)))
    for row, (segment, alignment) in enumerate(zip(segments, alignments, strict=True)):
        phrases = list(map(phrase_tokens, choice.phrases(row)))
        tokens = alignment.reference, alignment.prediction
        sides = list(map(_WordSide, tokens, alignment.kinds, map(letter_spans, segment), phrases))
        for kind, cost in _kinds_of_edits(*sides, alignment.runs, choice.edit_costs(row)):
            kinds[row, ERROR_KINDS.index(kind)] += cost
    return kinds


def _kind_at(spans: Sequence[Span], start: int, end: int) -> str:
    """Returns the kind of the notation for which something between two letters stands, "" for none."""
    return next((span.kind for span in spans if span.start < end and start < span.end), "")


def _kinds_of_edits(
    reference: _WordSide, prediction: _WordSide, runs: Sequence[AlignmentRun], costs: Sequence[float] | None
) -> Iterator[tuple[str, float]]:
    """Yields the kind of each edit of two texts, and what it costs."""
    is_korean = any(map(HANGUL_SYLLABLE.search, itertools.chain(reference.tokens, prediction.tokens)))
    number = 0
    for is_equal, neighbours in itertools.groupby(runs, lambda run: run[0] == "equal"):
        if is_equal:
            continue
        gap = list(neighbours)
        (_, a, _, c, _), (_, _, b, _, d) = gap[0], gap[-1]
        left = {n: reference.word(n) for n in range(a, b)}
        right = {n: prediction.word(n) for n in range(c, d)}
        edits = edits_of(gap)
        own_costs = [1.0] * len(edits) if costs is None else costs[number : number + len(edits)]
        number += len(edits)
        if len({*own_costs}) == 1:
            edits = _paired_words(left, right)
        is_spacing = "".join(reference.tokens[a:b]) == "".join(prediction.tokens[c:d])
        for (i, j), cost in zip(edits, own_costs, strict=True):
            words = [left[i]] if i is not None else []
            words += [right[j]] if j is not None else []
            yield _kind(words, is_spacing, is_korean), cost


def _paired_words(left: Mapping[int, _Word], right: Mapping[int, _Word]) -> list[Edit]:
    """Returns pairs of words between equal ones; those of the longer text that are left over have no partner.

    That are first words without letters, then units, then the last ones; any such pairing has the fewest edits.
    """
    if len(left) < len(right):
        return [(i, j) for j, i in _paired_words(right, left)]
    ranks = {n: 0 if not word.letters else 1 if word.is_unit else 2 for n, word in left.items()}
    by_rank = sorted(left, key=lambda n: (ranks[n], -n))
    alone = {*by_rank[: len(left) - len(right)]}
    others = iter(right)
    return [(n, None if n in alone else next(others)) for n in left]


def _kind(words: Sequence[_Word], is_spacing: bool, is_korean: bool) -> str:
    """Returns the first kind that fits an edit of one word or two."""
    first, second = [*(word.letters for word in words), ""][:2]
    is_read_number = any(word.notation in NUMBER_NOTATIONS or any(map(_is_number, word.text)) for word in words)
    is_read_latin = any(word.notation == "letter" or any(map(is_latin, word.text)) for word in words)
    conditions = {
        "phrase": any(word.is_phrase for word in words),
        "spacing": is_spacing,
        "punctuation": first == second,
        "number": is_read_number or all(word.is_unit for word in words),
        "latin": is_korean and is_read_latin,
        "ending": len(words) == 2 and _stem(first) == _stem(second),
        "one_jamo": _words_differ_in_one_jamo(first, second),
    }
    return next((kind for kind, fits in conditions.items() if fits), "other")


def _letters(word: str) -> str:
    """Returns the letters and numbers of a word, in whole syllables."""
    return "".join(c for c in unicodedata.normalize("NFC", word) if unicodedata.category(c)[0] in "LMN")


def _is_number(character: str) -> bool:
    return unicodedata.category(character)[0] == "N"


def _stem(word: str) -> str:
    """Returns a word without its longest ending."""
    sizes = range(min(MOST_ENDING_SYLLABLES, len(word) - 1), 0, -1)
    return next((word[:-size] for size in sizes if word[-size:] in ENDINGS), word)


def _words_differ_in_one_jamo(first: str, second: str) -> bool:
    """Returns whether two words differ in one syllable, and there in the initial, the medial or the final."""
    different = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    if len(first) != len(second) or len(different) != 1 or not all(map(HANGUL_SYLLABLE.match, different[0])):
        return False
    jamo = (unicodedata.normalize("NFD", syllable).ljust(3) for syllable in different[0])
    return sum(a != b for a, b in zip(*jamo, strict=True)) == 1
