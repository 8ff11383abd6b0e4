"""Of which kind each edit of a character error rate is by its place, see `error_kinds.py`.

All texts are one array of code points, and all edits of all texts are looked at together; the plain version, edit by
edit, is `slow_kinds` of tests/test_error_kinds.py.
"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of, ranges
from textgauge.core.reserved import WORD_END
from textgauge.edits.distances import Alignment, AlignmentRun

from ..nearest.choice import Choice
from ..nearest.rule import Rule
from ..nearest.spelling import SpelledPair
from ..phrases.marks import Marked, phrase_tokens
from ..phrases.number_words import NUMBER_NOTATIONS, NUMERAL_WORDS
from .chain import count_letters, letter_spans
from .error_kinds import ERROR_KINDS
from .tables import (
    FINALS,
    FIRST_SYLLABLE,
    LATIN,
    MARK,
    NUMBER,
    NUMERAL,
    SPACE,
    SPOKEN_UNITS,
    SYLLABLES,
    UNIT,
    WORD,
    are_endings,
    character_bits,
    differ_in_one_jamo,
)
from .word_ends import Side, plain_sides

Edit = tuple[int | None, int | None]  # places in a reference and in a prediction, None for none
_EQUAL = "equal"


def character_kinds(
    segments: Sequence[SpelledPair], choice: Choice, alignments: Sequence[Alignment], rule: Rule
) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, (n_segments, kinds) in the order of `ERROR_KINDS`.

    Args:
        segments: with one reference each.
        choice: how near it is.
        alignments: of the segments.
        rule: of the comparison.
    """
    marked = [choice.phrases(row) for row in range(len(segments))]
    references = _sides(segments, marked, 0, alignments, rule)
    predictions = _sides(segments, marked, 1, alignments, rule)
    costs = [choice.edit_costs(row) for row in range(len(segments))]
    return count_kinds(references, predictions, [alignment.runs for alignment in alignments], costs)


def _sides(
    segments: Sequence[SpelledPair],
    marked: Sequence[Marked],
    index: int,
    alignments: Sequence[Alignment],
    rule: Rule,
) -> list[Side]:
    """Returns the references (index 0) or the predictions (index 1) of segments as they are compared."""
    texts = [segment[index] for segment in segments]
    tokens = [alignment[1 + index] for alignment in alignments]
    written = [text.text for text in texts]
    compared = list(map("".join, tokens))
    sides = []
    for text, side, marks in zip(texts, plain_sides(written, compared, rule.cleaning), marked, strict=True):
        has_same_letters = count_letters(side.text) == count_letters(text.text)
        spelled = letter_spans(text) if has_same_letters else []
        sides.append(side._replace(spelled=spelled, phrases=phrase_tokens(marks[index])))
    return sides


def edits_of(runs: Sequence[AlignmentRun]) -> list[Edit]:
    """Returns the edits of an alignment.

    >>> edits_of([("equal", 0, 1, 0, 1), ("substitute", 1, 2, 1, 2), ("insert", 2, 2, 2, 3)])
    [(1, 1), (None, 2)]
    """
    edits: list[Edit] = []
    for kind, start, end, prediction_start, prediction_end in runs:
        if kind != _EQUAL:
            edits += itertools.zip_longest(range(start, end), range(prediction_start, prediction_end))
    return edits


def count_kinds(
    references: Sequence[Side],
    predictions: Sequence[Side],
    runs: Sequence[Sequence[AlignmentRun]],
    costs: Sequence[list[float] | None],
) -> np.ndarray:
    """Returns what the edits of each kind cost in each pair, (n_pairs, kinds) in the order of `ERROR_KINDS`.

    Where several edits follow one another, their characters may be paired in several ways, see `_partners`. A stretch
    with a number ends at equal characters that are neither digits nor numerals.

    Args:
        references: texts.
        predictions: as many texts.
        runs: the alignment of each pair.
        costs: of the edits of each pair, in the order of its alignment; None where each costs 1.
    """
    characters, starts = _characters([*references, *predictions])
    gaps = _gaps_of(runs, starts)
    edits, edit_costs = _weighed(_partners(characters, gaps), gaps, runs, costs, starts)
    is_number = _are_numbers(characters.kinds, gaps)
    kinds = _kinds(characters, edits, is_number[edits.gaps])
    n_kinds = len(ERROR_KINDS)
    cells = gaps.pairs[edits.gaps] * n_kinds + kinds
    return np.bincount(cells, weights=edit_costs, minlength=len(runs) * n_kinds).reshape(-1, n_kinds)


class _Characters(NamedTuple):
    """The characters of all texts that are compared, one after the other; each array is (n_characters,)."""

    codes: np.ndarray
    kinds: np.ndarray
    is_ending: np.ndarray
    is_korean: np.ndarray  # whether its text, or the other one of the pair, has Hangul
    is_phrase: np.ndarray


def _characters(texts: Sequence[Side]) -> tuple[_Characters, np.ndarray]:
    """Returns the characters of texts, and where each text begins, (2, n_pairs)."""
    joined = "\n".join([*(side.text for side in texts), ""])  # an eojeol ends at a line feed
    codes = np.frombuffer(joined.encode("utf-32-le"), dtype=np.int32)
    lengths = lengths_of([side.text for side in texts]) + 1
    first_characters = np.cumsum(lengths) - lengths
    kinds = _kinds_in_text(joined, codes, first_characters, texts)
    is_ending = are_endings(codes, kinds & WORD > 0)
    is_syllable = (codes >= FIRST_SYLLABLE) & (codes < FIRST_SYLLABLE + SYLLABLES)

    # a pair is Korean where one of its two texts has a syllable
    texts_with_syllable = np.repeat(np.arange(len(texts)), lengths)[is_syllable]
    has_syllable = np.bincount(texts_with_syllable, minlength=len(texts)) > 0
    is_pair_korean = has_syllable.reshape(2, -1).any(axis=0)
    is_korean = np.repeat(np.tile(is_pair_korean, 2), lengths)

    # how many characters each one is in what is compared: the end of a word is none, a syllable may be its jamo
    sizes = (codes != ord(WORD_END)).astype(np.intp)
    is_text_decomposed = np.array([side.is_decomposed for side in texts], dtype=bool)
    is_decomposed = is_syllable & np.repeat(is_text_decomposed, lengths)
    has_final = (codes[is_decomposed] - FIRST_SYLLABLE) % FINALS > 0
    sizes[is_decomposed] = 2 + has_final
    starts = np.append(0, np.cumsum(sizes))[first_characters]

    is_phrase = np.zeros(sizes.sum(), dtype=bool)
    for start, side in zip(starts.tolist(), texts, strict=True):
        is_phrase[start + np.array(list(side.phrases), dtype=np.intp)] = True
    arrays = [np.repeat(array, sizes) for array in (codes, kinds, is_ending, is_korean)]
    return _Characters(*arrays, is_phrase), starts.reshape(2, -1)


def _kinds_in_text(joined: str, codes: np.ndarray, starts: np.ndarray, texts: Sequence[Side]) -> np.ndarray:
    """Returns what each character is: by itself, in a numeral or a unit, and in words that stand for a notation."""
    kinds = character_bits(codes)
    for match in NUMERAL_WORDS.finditer(joined):
        kinds[match.start() : match.end()] |= NUMERAL
    for match in SPOKEN_UNITS.finditer(joined):
        kinds[match.start(1) : match.end(1)] |= UNIT
    for start, side in zip(starts.tolist(), texts, strict=True):
        if not side.spelled:
            continue
        letters = [start + index for index, character in enumerate(side.text) if character.isalnum()]
        for begin, end, kind, _ in side.spelled:
            if kind in NUMBER_NOTATIONS:
                kinds[letters[begin:end]] |= NUMBER
            elif kind == "letter":
                kinds[letters[begin:end]] |= LATIN
    return kinds


class _Gaps(NamedTuple):
    """What is between equal characters of two texts, and before the end of each pair; arrays are (n_gaps,)."""

    pairs: np.ndarray  # which pair it is of
    begins: tuple[np.ndarray, np.ndarray]  # its first character in the reference, and in the prediction
    ends: tuple[np.ndarray, np.ndarray]  # where the equal characters behind it begin
    sizes: np.ndarray  # how many equal characters are behind it, 0 for the last one of a pair


def _gaps_of(runs: Sequence[Sequence[AlignmentRun]], starts: np.ndarray) -> _Gaps:
    """Returns the gaps of all pairs, of which the texts begin at `starts`, (2, n_pairs)."""
    blocks = list(map(blocks_of, runs))
    pairs = np.repeat(np.arange(len(blocks)), lengths_of(blocks))
    all_blocks = np.array(list(itertools.chain.from_iterable(blocks)), dtype=np.intp).reshape(-1, 3)
    sizes = all_blocks[:, 2]
    is_first = np.diff(pairs, prepend=-1) > 0  # of its pair
    begins = []
    ends = []
    for side in (0, 1):
        text_starts = starts[side, pairs]
        end = text_starts + all_blocks[:, side]
        behind_last_block = np.roll(end + sizes, 1)
        ends.append(end)
        begins.append(np.where(is_first, text_starts, behind_last_block))
    return _Gaps(pairs, tuple(begins), tuple(ends), sizes)


def blocks_of(runs: Sequence[AlignmentRun]) -> list[tuple[int, int, int]]:
    """Returns the equal characters of an alignment: place in both texts, and how many; at the end there are none.

    >>> blocks_of([("equal", 0, 2, 0, 2), ("delete", 2, 3, 2, 2)])
    [(0, 0, 2), (3, 2, 0)]
    """
    blocks = []
    for kind, start, end, prediction_start, _ in runs:
        if kind == _EQUAL:
            blocks.append((start, prediction_start, end - start))
    _, _, end, _, prediction_end = runs[-1] if runs else (_EQUAL, 0, 0, 0, 0)
    return [*blocks, (end, prediction_end, 0)]


def _are_numbers(kinds: np.ndarray, gaps: _Gaps) -> np.ndarray:
    """Returns which gaps are in a stretch that has a digit in one text and a numeral in the other, (n_gaps,).

    `kinds` are those of all characters.
    """

    def counts_before(bits: int) -> np.ndarray:
        """Returns how many characters before each one are of these kinds."""
        return np.append(0, np.cumsum(kinds & bits > 0, dtype=np.int32))

    # a stretch ends at equal characters of which one is neither a digit nor a numeral
    of_numbers = counts_before(NUMBER | NUMERAL)
    equal_starts = gaps.ends[0]
    n_of_numbers = of_numbers[equal_starts + gaps.sizes] - of_numbers[equal_starts]
    is_end = (gaps.sizes == 0) | (n_of_numbers < gaps.sizes)
    last_gaps = np.flatnonzero(is_end)
    first_gaps = np.append(0, last_gaps[:-1] + 1)[: len(last_gaps)]

    digits = counts_before(NUMBER)
    numerals = counts_before(NUMERAL)
    has_digits = []
    has_numerals = []
    for side in (0, 1):
        begins = gaps.begins[side][first_gaps]
        ends = gaps.ends[side][last_gaps]
        has_digits.append(digits[ends] > digits[begins])
        has_numerals.append(numerals[ends] > numerals[begins])
    is_number = has_digits[0] & has_numerals[1] | has_digits[1] & has_numerals[0]
    return np.repeat(is_number, np.diff(last_gaps, prepend=-1))


class _Edits(NamedTuple):
    """The edits of all pairs; each array is (n_edits,)."""

    gaps: np.ndarray  # which gap it is of
    references: np.ndarray  # places of characters, -1 for none
    predictions: np.ndarray


def _partners(characters: _Characters, gaps: _Gaps) -> _Edits:
    """Returns the edits of all gaps.

    Each character of a gap's shorter text has a partner. Of the longer text some have none: blanks first, then
    punctuation, then units, then the last ones: with "담을" for "잠 을" only the blank is missing. Any such pairing has
    the fewest edits.
    """
    reference_sizes = gaps.ends[0] - gaps.begins[0]
    prediction_sizes = gaps.ends[1] - gaps.begins[1]
    is_reference_longer = reference_sizes >= prediction_sizes
    longer_begins, shorter_begins = np.where(is_reference_longer, gaps.begins, gaps.begins[::-1])
    most = np.maximum(reference_sizes, prediction_sizes)
    least = np.minimum(reference_sizes, prediction_sizes)

    # an edit for each character of the longer text
    gap_of_edits = np.repeat(np.arange(len(most)), most)
    offsets = ranges(np.zeros_like(most), most)  # in the gap
    characters_of_longer = longer_begins[gap_of_edits] + offsets

    # in the order in which they are left alone, gap by gap
    kinds = characters.kinds[characters_of_longer]
    ranks = np.select([kinds & SPACE > 0, kinds & MARK > 0, kinds & UNIT > 0], [0, 1, 2], 3)
    order = np.lexsort((-offsets, ranks, gap_of_edits))
    n_alone = most - least
    is_paired = np.ones(len(gap_of_edits), dtype=bool)
    is_paired[order] = offsets >= n_alone[gap_of_edits]

    # the paired ones of a gap have the characters of its shorter text one after the other
    n_paired_before = np.cumsum(is_paired) - is_paired
    n_paired_before_gap = np.cumsum(least) - least
    offsets_in_shorter = n_paired_before - n_paired_before_gap[gap_of_edits]
    partners = np.where(is_paired, shorter_begins[gap_of_edits] + offsets_in_shorter, -1)

    is_reference = is_reference_longer[gap_of_edits]
    references = np.where(is_reference, characters_of_longer, partners)
    predictions = np.where(is_reference, partners, characters_of_longer)
    return _Edits(gap_of_edits, references, predictions)


def _weighed(
    edits: _Edits,
    gaps: _Gaps,
    runs: Sequence[Sequence[AlignmentRun]],
    costs: Sequence[list[float] | None],
    starts: np.ndarray,
) -> tuple[_Edits, np.ndarray]:
    """Returns the edits, and what each of them costs, (n_edits,).

    Where the edits of a gap cost more or less than one another, their places are those of the alignment.
    """
    references = edits.references.copy()
    predictions = edits.predictions.copy()
    all_costs = np.ones(len(edits.gaps))
    bounds = np.searchsorted(gaps.pairs[edits.gaps], np.arange(len(runs) + 1))
    for pair, costs_of_pair in enumerate(costs):
        if costs_of_pair is None:
            continue
        first = bounds[pair]
        numbers = range(first, bounds[pair + 1])
        all_costs[first : bounds[pair + 1]] = costs_of_pair
        aligned = edits_of(runs[pair])
        for _, numbers_of_gap in itertools.groupby(numbers, lambda number: edits.gaps[number]):
            members = list(numbers_of_gap)
            if len(set(all_costs[members].tolist())) == 1:
                continue
            for number in members:
                reference, prediction = aligned[number - first]
                references[number] = -1 if reference is None else starts[0, pair] + reference
                predictions[number] = -1 if prediction is None else starts[1, pair] + prediction
    return _Edits(edits.gaps, references, predictions), all_costs


def _kinds(characters: _Characters, edits: _Edits, is_number: np.ndarray) -> np.ndarray:
    """Returns the index of the first kind that fits each edit, (n_edits,)."""
    references = edits.references
    predictions = edits.predictions
    has_reference = references >= 0
    has_prediction = predictions >= 0

    def any_of(flags: np.ndarray) -> np.ndarray:
        """Returns of which edits a character has a flag, (n_edits,)."""
        return has_reference & flags[references] | has_prediction & flags[predictions]

    def all_of(flags: np.ndarray) -> np.ndarray:
        """Returns of which edits all characters, one or two, have a flag, (n_edits,)."""
        return (~has_reference | flags[references]) & (~has_prediction | flags[predictions])

    def is_of_kind(bits: int) -> np.ndarray:
        """Returns which characters are of these kinds, (n_characters,)."""
        return characters.kinds & bits > 0

    is_written_number = any_of(is_of_kind(NUMBER))
    is_spoken_number = is_number & any_of(is_of_kind(NUMERAL))
    is_substitution = has_reference & has_prediction
    differ_in_jamo = differ_in_one_jamo(characters.codes[references], characters.codes[predictions])
    is_latin = any_of(is_of_kind(LATIN))
    conditions = {}  # the first one that is met counts
    conditions["phrase"] = any_of(characters.is_phrase)
    conditions["spacing"] = all_of(is_of_kind(SPACE))
    conditions["punctuation"] = all_of(is_of_kind(SPACE | MARK))
    conditions["number"] = is_written_number | is_spoken_number | all_of(is_of_kind(UNIT))
    conditions["latin"] = is_latin & any_of(characters.is_korean)
    conditions["ending"] = all_of(characters.is_ending)
    conditions["one_jamo"] = is_substitution & differ_in_jamo
    indices = [ERROR_KINDS.index(kind) for kind in conditions]
    return np.select(list(conditions.values()), indices, ERROR_KINDS.index("other"))
