"""Of which kind each edit of a character error rate is, see `error_kinds.py`.

All texts are one array of code points, and all edits of all texts are looked at together; the plain version, edit by
edit, is `slow_kinds` of tests/test_error_kinds.py.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.columns import lengths_of
from textgauge.core.reserved import WORD_END
from textgauge.edits.distances import AlignmentRun
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import Cleaning
from textgauge.tokens.code_points import CODE_POINTS, lookup

from .error_kinds import (
    ENDINGS,
    ERROR_KINDS,
    FINALS,
    FIRST_SYLLABLE,
    MEDIALS,
    MOST_ENDING_SYLLABLES,
    NUMERALS,
    SYLLABLES,
)
from .fillers import Fillers
from .pair_choice import Choice
from .phrase_marks import phrase_tokens
from .word_ends import Side, plain_sides, read_sides

# what a character is, as bits
_KNOWN, _SPACE, _MARK, _NUMBER, _NUMERAL, _WORD, _LATIN = (1 << bit for bit in range(7))

Block = tuple[int, int, int]  # equal characters: place in the reference, place in the prediction, how many


def character_kinds(
    predictions: Sequence[str],
    references: Sequence[str],
    choice: Choice,
    cleaning: Cleaning,
    readings: Readings | None,
    fillers: Fillers,
) -> np.ndarray:
    """Returns how many edits of each segment are of each kind, (n_segments, kinds) int64 in the order of `ERROR_KINDS`.

    Args:
        predictions: of the segments, before they are cleaned.
        references: the nearest ones.
        choice: how near they are, with counts.
        cleaning: what of a text counts.
        readings: that are equal.
        fillers: how to find them.
    """
    result = np.zeros((len(predictions), len(ERROR_KINDS)), dtype=np.int64)
    rows = np.flatnonzero(choice.counts[:, :3].any(axis=1)).tolist()
    read = {row: choice.read[row]() for row in rows if row in choice.read}
    phrases = {row: [*map(phrase_tokens, choice.phrases(row))] for row in rows}
    sides = []
    for place, (texts, compared) in enumerate(((references, choice.references), (predictions, choice.predictions))):
        of_read = {row: (of[1 + place], of.kinds[place]) for row, of in read.items()}
        own = {**plain_sides(rows, texts, compared, cleaning), **read_sides(of_read, texts, cleaning, readings)}
        sides.append([own[row]._replace(phrases=phrases[row][place]) for row in rows])
    runs = {**choice.runs, **{row: alignment.runs for row, alignment in read.items()}}
    blocks = [
        blocks_of(runs[row]) if row in runs else equal_blocks(choice.references[row], choice.predictions[row])
        for row in rows
    ]
    result[rows] = count_kinds(*sides, blocks, fillers)
    return result


def equal_blocks(reference: str, prediction: str) -> Iterable[Block]:
    """Returns what an alignment with the fewest edits has in common, and (length, length, 0) at the end."""
    return Levenshtein.editops(reference, prediction).as_matching_blocks()


def blocks_of(runs: Sequence[AlignmentRun]) -> list[Block]:
    """Returns the same of the runs of an alignment."""
    end = [(runs[-1][2], runs[-1][4], 0)] if runs else [(0, 0, 0)]
    return [(a, c, b - a) for kind, a, b, c, _ in runs if kind == "equal"] + end


def count_kinds(
    references: Sequence[Side], predictions: Sequence[Side], blocks: Iterable[Iterable[Block]], fillers: Fillers
) -> np.ndarray:
    """Returns how many edits of each pair are of each kind, (n_pairs, kinds) int64 in the order of `ERROR_KINDS`.

    Where several edits follow one another, their characters may be paired in several ways, see `_partners`. A stretch
    with a number ends at equal characters that are neither digits nor syllables of numerals.

    Args:
        references: texts.
        predictions: as many texts.
        blocks: of each pair, as `equal_blocks` returns them.
        fillers: how to find them.
    """
    characters, starts = _characters([*references, *predictions], fillers)
    lists = list(map(list, blocks))
    pairs = np.repeat(np.arange(len(lists)), lengths_of(lists))
    flat = itertools.chain.from_iterable(itertools.chain.from_iterable(lists))
    flat_blocks = np.fromiter(flat, dtype=np.intp, count=3 * len(pairs)).reshape(-1, 3)
    left, right, size = *(starts[:, pairs] + flat_blocks[:, :2].T), flat_blocks[:, 2]
    is_first = np.diff(pairs, prepend=-1) > 0
    both = zip(starts, (left, right), strict=True)
    gaps = [np.where(is_first, side[pairs], np.roll(at + size, 1)) for side, at in both]
    is_number = _are_numbers(characters.kinds, (left, right), size, gaps)
    gap_of, here, there = _partners(characters, gaps, (left - gaps[0], right - gaps[1]))
    kinds = _kinds(characters, here, there, is_number[gap_of])
    shape = len(lists), len(ERROR_KINDS)
    return np.bincount(pairs[gap_of] * shape[1] + kinds, minlength=shape[0] * shape[1]).reshape(shape)


class _Characters(NamedTuple):
    """The characters of all texts that are compared, one after the other; each array is (n_characters,)."""

    codes: np.ndarray
    kinds: np.ndarray
    is_filler: np.ndarray
    is_ending: np.ndarray
    is_phrase: np.ndarray
    is_korean: np.ndarray  # whether its text, or the other one of the pair, has Hangul


def _characters(texts: Sequence[Side], fillers: Fillers) -> tuple[_Characters, np.ndarray]:
    """Returns the characters of texts, and where each one begins, (2, n_pairs)."""
    # an eojeol ends at a line feed
    codes = np.frombuffer("\n".join([*(side.text for side in texts), ""]).encode("utf-32-le"), dtype=np.int32)
    lengths = lengths_of([side.text for side in texts]) + 1
    first = np.cumsum(lengths) - lengths
    kinds = lookup(codes, _kind_table(), _character_bits)
    is_syllable = (codes >= FIRST_SYLLABLE) & (codes < FIRST_SYLLABLE + SYLLABLES)
    is_korean = (np.add.reduceat(is_syllable, first) if len(first) else first).reshape(2, -1).any(axis=0)
    sizes = (codes != ord(WORD_END)).astype(np.intp)  # in what is compared
    is_apart = is_syllable & np.repeat(np.array([side.is_decomposed for side in texts], dtype=bool), lengths)
    sizes[is_apart] = 2 + ((codes[is_apart] - FIRST_SYLLABLE) % FINALS > 0)
    starts = np.append(0, np.cumsum(sizes))[first]
    is_phrase = np.zeros(sizes.sum(), dtype=bool)
    for start, side in zip(starts.tolist(), texts, strict=True):
        is_phrase[start + np.array(list(side.phrases), dtype=np.intp)] = True
    is_filler = np.zeros(len(codes), dtype=bool)
    for start, side in zip(first.tolist(), texts, strict=True):
        for match in fillers.compared.finditer(side.text):
            is_filler[start + match.start() : start + match.end()] = True
    arrays = codes, kinds, is_filler, _are_endings(codes, kinds)
    each = [np.repeat(array, sizes) for array in (*arrays, np.repeat(np.tile(is_korean, 2), lengths))]
    return _Characters(*each[:4], is_phrase, each[4]), starts.reshape(2, -1)


def _are_numbers(
    kinds: np.ndarray, blocks: tuple[np.ndarray, np.ndarray], size: np.ndarray, gaps: Sequence[np.ndarray]
) -> np.ndarray:
    """Returns for the gap before each block whether its stretch has a digit in one text and a numeral in the other.

    Args:
        kinds: of all characters.
        blocks: where they begin in each text.
        size: of the blocks; the last one of a pair has none.
        gaps: where they begin in each text.
    """
    of = [np.append(0, np.cumsum(kinds & bits > 0, dtype=np.int32)) for bits in (_NUMBER, _NUMERAL, _NUMBER | _NUMERAL)]
    either = of[2][blocks[0] + size] - of[2][blocks[0]]
    is_end = (size == 0) | (either < size)
    ends = np.flatnonzero(is_end)
    begins = np.append(0, ends[:-1] + 1)[: len(ends)]
    spans = [(at[ends], gap[begins]) for at, gap in zip(blocks, gaps, strict=True)]
    digits, words = ([count[end] > count[begin] for end, begin in spans] for count in of[:2])
    is_number = digits[0] & words[1] | digits[1] & words[0]
    return np.repeat(is_number, np.diff(ends, prepend=-1))


def _partners(
    characters: _Characters, gaps: Sequence[np.ndarray], sizes: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the gap, the place and the partner's place of each character of the longer text of each gap.

    Each character of the shorter text has a partner. Of the longer text some have none, for which -1 is returned:
    blanks first, then punctuation, then fillers, then the last ones: with "담을" for "잠 을" only the blank is missing.
    Any such pairing has the fewest edits.
    """
    is_left = sizes[0] >= sizes[1]
    longer, shorter = np.where(is_left, gaps, gaps[::-1])
    most, least = np.maximum(*sizes), np.minimum(*sizes)
    gap_of = np.repeat(np.arange(len(most)), most)
    first = np.cumsum(most) - most
    offsets = np.arange(len(gap_of)) - first[gap_of]
    places = longer[gap_of] + offsets
    kinds = characters.kinds[places]
    rank = np.select([kinds & _SPACE > 0, kinds & _MARK > 0, characters.is_filler[places]], [0, 1, 2], 3)
    order = np.lexsort((-offsets, rank, gap_of))  # gaps stay where they are
    is_paired = np.ones(len(gap_of), dtype=bool)
    is_paired[order] = offsets >= (most - least)[gap_of]
    before = np.cumsum(is_paired) - is_paired
    return gap_of, places, np.where(is_paired, shorter[gap_of] + before - (np.cumsum(least) - least)[gap_of], -1)


def _kinds(characters: _Characters, here: np.ndarray, there: np.ndarray, is_number: np.ndarray) -> np.ndarray:
    """Returns the index of the first kind that fits each edit of the characters at two places; -1 is none."""
    is_alone = there < 0
    kinds = characters.kinds
    either = kinds[here] | np.where(is_alone, 0, kinds[there])

    def one(flags: np.ndarray) -> np.ndarray:
        return flags[here] | ~is_alone & flags[there]

    conditions = (
        one(characters.is_phrase),
        one(characters.is_filler),
        either & _SPACE > 0,
        either & _MARK > 0,
        (either & _NUMBER > 0) | is_number & (either & _NUMERAL > 0),
        (either & _LATIN > 0) & characters.is_korean[here],
        characters.is_ending[here] & (is_alone | characters.is_ending[there]),
        ~is_alone & _differ_in_one_jamo(characters.codes[here], characters.codes[there]),
    )
    first = ERROR_KINDS.index("phrase")
    return np.select(conditions, range(first, first + len(conditions)), first + len(conditions))


def _are_endings(codes: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Returns which characters belong to particles and endings; the last character is a line feed."""
    is_word = kinds & _WORD > 0
    changes = np.flatnonzero(np.diff(is_word, prepend=False))
    starts, ends = changes[::2], changes[1::2]
    lengths, keys = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.int64)
    for size, endings in enumerate(_ending_keys(), start=1):
        syllables = codes[ends - size].astype(np.int64) - FIRST_SYLLABLE + 1
        is_inside = (ends - size > starts) & (syllables > 0) & (syllables <= SYLLABLES)
        keys = np.where(is_inside & (keys >= 0), keys + syllables * (SYLLABLES + 1) ** (size - 1), -1)
        lengths[endings.take(np.searchsorted(endings, keys), mode="clip") == keys] = size
    result = np.zeros(len(codes), dtype=bool)
    for offset in range(1, MOST_ENDING_SYLLABLES + 1):
        result[ends[lengths >= offset] - offset] = True
    return result


@functools.cache
def _ending_keys() -> list[np.ndarray]:
    """Returns for each length the endings as sorted numbers, with the last syllable as the last digit."""

    def key(ending: str) -> int:
        digits = (ord(syllable) - FIRST_SYLLABLE + 1 for syllable in reversed(ending))
        return sum(digit * (SYLLABLES + 1) ** place for place, digit in enumerate(digits))

    return [np.array(sorted(key(e) for e in ENDINGS if len(e) == size)) for size in range(1, MOST_ENDING_SYLLABLES + 1)]


@functools.cache
def _kind_table() -> np.ndarray:
    """Returns the kinds known so far, one per code point; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _character_bits(character: str) -> int:
    """Returns what a character is; the end of a word is nothing but that."""
    if character == WORD_END:
        return _KNOWN
    category = unicodedata.category(character)
    bits = _SPACE * character.isspace() | _MARK * (category[0] not in "LMN") | _NUMBER * (category[0] == "N")
    bits |= _LATIN * unicodedata.name(character, "").startswith("LATIN ") | _NUMERAL * (character in NUMERALS)
    return _KNOWN | bits | _WORD * (character.isalnum() or character == "_")


def _differ_in_one_jamo(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns which characters are syllables that differ only in the initial, the medial or the final."""
    first, second = first - FIRST_SYLLABLE, second - FIRST_SYLLABLE
    are_syllables = (np.minimum(first, second) >= 0) & (np.maximum(first, second) < SYLLABLES)
    finals, medials = first % FINALS != second % FINALS, first // FINALS % MEDIALS != second // FINALS % MEDIALS
    initials = first // (FINALS * MEDIALS) != second // (FINALS * MEDIALS)
    return are_syllables & (finals.astype(np.intp) + medials + initials == 1)
