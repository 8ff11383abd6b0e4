"""Of which kind each edit of a character error rate is by its place, see `error_kinds.py`.

All texts are one array of code points, and all edits of all texts are looked at together; the plain version, edit by
edit, is `slow_kinds` of tests/test_error_kinds.py.
"""

import functools
import itertools
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.columns import lengths_of
from textgauge.core.reserved import WORD_END
from textgauge.edits.distances import AlignmentRun
from textgauge.korean.reading_networks import Alignment
from textgauge.tokens.code_points import CODE_POINTS, lookup

from ..nearest.choice import Choice
from ..nearest.rule import Rule
from ..phrases.marks import Marked, phrase_tokens
from ..phrases.number_words import NUMBER_NOTATIONS, NUMERAL_SYLLABLES, NUMERAL_WORDS
from .chain import Segment, count_letters, letter_spans
from .error_kinds import ERROR_KINDS
from .tables import ENDINGS, FINALS, FIRST_SYLLABLE, MEDIALS, MOST_ENDING_SYLLABLES, SPOKEN_UNITS, SYLLABLES, is_latin
from .word_ends import Side, plain_sides, read_sides

# what a character is, as bits; the last two also by what is around it
_KNOWN, _SPACE, _MARK, _NUMBER, _WORD, _LATIN, _NUMERAL, _UNIT = (1 << bit for bit in range(8))

Edit = tuple[int | None, int | None]  # places in a reference and in a prediction, None for none
_EQUAL = "equal"


def character_kinds(
    segments: Sequence[Segment], choice: Choice, alignments: Sequence[Alignment], rule: Rule
) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, (n_segments, kinds) in the order of `ERROR_KINDS`.

    Args:
        segments: with one reference each.
        choice: how near it is.
        alignments: of the segments.
        rule: of the comparison.
    """
    marked = [choice.phrases(row) for row in range(len(segments))]
    references = _sides(segments, marked, 0, choice, alignments, rule)
    predictions = _sides(segments, marked, 1, choice, alignments, rule)
    costs = [choice.edit_costs(row) for row in range(len(segments))]
    return count_kinds(references, predictions, [alignment.runs for alignment in alignments], costs)


def _sides(
    segments: Sequence[Segment],
    marked: Sequence[Marked],
    place: int,
    choice: Choice,
    alignments: Sequence[Alignment],
    rule: Rule,
) -> list[Side]:
    """Returns the references (place 0) or the predictions (place 1) of segments as they are compared."""
    texts = [segment[place] for segment in segments]
    sides: dict[int, Side] = {}
    read = list(choice.read)
    plain = [row for row in range(len(texts)) if row not in choice.special or choice.special[row].read is None]
    written = [texts[row].text for row in plain]
    compared = ["".join(alignments[row][1 + place]) for row in plain]
    for row, side in zip(plain, plain_sides(written, compared, rule.cleaning), strict=True):
        has_same_letters = count_letters(side.text) == count_letters(texts[row].text)
        sides[row] = side._replace(spelled=letter_spans(texts[row]) if has_same_letters else [])
    of_read = [alignments[row] for row in read]
    tokens = [own[1 + place] for own in of_read]
    kinds = [own.kinds[place] for own in of_read]
    written = [texts[row].text for row in read]
    sides.update(zip(read, read_sides(written, tokens, kinds, rule.cleaning, rule.readings), strict=True))
    return [sides[row]._replace(phrases=phrase_tokens(marks[place])) for row, marks in enumerate(marked)]


def edits_of(runs: Sequence[AlignmentRun]) -> list[Edit]:
    """Returns the edits of an alignment.

    >>> edits_of([("equal", 0, 1, 0, 1), ("substitute", 1, 2, 1, 2), ("insert", 2, 2, 2, 3)])
    [(1, 1), (None, 2)]
    """
    edits: list[Edit] = []
    for kind, a, b, c, d in runs:
        if kind != _EQUAL:
            edits += itertools.zip_longest(range(a, b), range(c, d))
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
    kinds = _kinds(characters, edits, _are_numbers(characters.kinds, gaps)[edits.gaps])
    shape = len(runs), len(ERROR_KINDS)
    places = gaps.pairs[edits.gaps] * shape[1] + kinds
    return np.bincount(places, weights=edit_costs, minlength=shape[0] * shape[1]).reshape(shape)


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
    first = np.cumsum(lengths) - lengths
    kinds = _kinds_in_text(joined, codes, first, texts)
    is_syllable = (codes >= FIRST_SYLLABLE) & (codes < FIRST_SYLLABLE + SYLLABLES)
    is_korean = (np.add.reduceat(is_syllable, first) if len(first) else first).reshape(2, -1).any(axis=0)
    sizes = (codes != ord(WORD_END)).astype(np.intp)  # in what is compared
    is_apart = is_syllable & np.repeat(np.array([side.is_decomposed for side in texts], dtype=bool), lengths)
    sizes[is_apart] = 2 + ((codes[is_apart] - FIRST_SYLLABLE) % FINALS > 0)
    starts = np.append(0, np.cumsum(sizes))[first]
    is_phrase = np.zeros(sizes.sum(), dtype=bool)
    for start, side in zip(starts.tolist(), texts, strict=True):
        is_phrase[start + np.array(list(side.phrases), dtype=np.intp)] = True
    arrays = codes, kinds, _are_endings(codes, kinds), np.repeat(np.tile(is_korean, 2), lengths)
    return _Characters(*(np.repeat(array, sizes) for array in arrays), is_phrase), starts.reshape(2, -1)


def _kinds_in_text(joined: str, codes: np.ndarray, first: np.ndarray, texts: Sequence[Side]) -> np.ndarray:
    """Returns what each character is: by itself, in a numeral or a unit, and in words that stand for a notation."""
    kinds = lookup(codes, _kind_table(), _character_bits).copy()
    for pattern, group, bit in ((NUMERAL_WORDS, 0, _NUMERAL), (SPOKEN_UNITS, 1, _UNIT)):
        for match in pattern.finditer(joined):
            kinds[slice(*match.span(group))] |= bit
    for start, side in zip(first.tolist(), texts, strict=True):
        if side.spelled:
            letters = [start + place for place, character in enumerate(side.text) if character.isalnum()]
            for begin, end, kind in side.spelled:
                bit = _NUMBER if kind in NUMBER_NOTATIONS else _LATIN if kind == "letter" else 0
                kinds[letters[begin:end]] |= bit
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
    flat = np.array(list(itertools.chain.from_iterable(blocks)), dtype=np.intp).reshape(-1, 3)
    sizes = flat[:, 2]
    is_first = np.diff(pairs, prepend=-1) > 0
    begins, ends = [], []
    for side in (0, 1):
        end = starts[side, pairs] + flat[:, side]
        ends.append(end)
        begins.append(np.where(is_first, starts[side, pairs], np.roll(end + sizes, 1)))
    return _Gaps(pairs, tuple(begins), tuple(ends), sizes)


def blocks_of(runs: Sequence[AlignmentRun]) -> list[tuple[int, int, int]]:
    """Returns the equal characters of an alignment: place in both texts, and how many; at the end there are none.

    >>> blocks_of([("equal", 0, 2, 0, 2), ("delete", 2, 3, 2, 2)])
    [(0, 0, 2), (3, 2, 0)]
    """
    end = (runs[-1][2], runs[-1][4], 0) if runs else (0, 0, 0)
    return [*((a, c, b - a) for kind, a, b, c, _ in runs if kind == _EQUAL), end]


def _are_numbers(kinds: np.ndarray, gaps: _Gaps) -> np.ndarray:
    """Returns which gaps are in a stretch that has a digit in one text and a numeral in the other, (n_gaps,).

    `kinds` are those of all characters.
    """
    digits, numerals, either = (
        np.append(0, np.cumsum(kinds & bits > 0, dtype=np.int32)) for bits in (_NUMBER, _NUMERAL, _NUMBER | _NUMERAL)
    )
    in_equal = either[gaps.ends[0] + gaps.sizes] - either[gaps.ends[0]]
    is_end = (gaps.sizes == 0) | (in_equal < gaps.sizes)
    ends = np.flatnonzero(is_end)
    begins = np.append(0, ends[:-1] + 1)[: len(ends)]
    has_digits, has_numerals = [], []
    for side in (0, 1):
        begin = gaps.begins[side][begins]
        end = gaps.ends[side][ends]
        has_digits.append(digits[end] > digits[begin])
        has_numerals.append(numerals[end] > numerals[begin])
    is_number = has_digits[0] & has_numerals[1] | has_digits[1] & has_numerals[0]
    return np.repeat(is_number, np.diff(ends, prepend=-1))


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
    sizes = [end - begin for begin, end in zip(gaps.begins, gaps.ends, strict=True)]
    is_left = sizes[0] >= sizes[1]
    longer, shorter = np.where(is_left, gaps.begins, gaps.begins[::-1])
    most = np.maximum(*sizes)
    least = np.minimum(*sizes)
    gap_of = np.repeat(np.arange(len(most)), most)
    first = np.cumsum(most) - most
    offsets = np.arange(len(gap_of)) - first[gap_of]
    places = longer[gap_of] + offsets
    kinds = characters.kinds[places]
    rank = np.select([kinds & _SPACE > 0, kinds & _MARK > 0, kinds & _UNIT > 0], [0, 1, 2], 3)
    order = np.lexsort((-offsets, rank, gap_of))  # gaps stay where they are
    is_paired = np.ones(len(gap_of), dtype=bool)
    is_paired[order] = offsets >= (most - least)[gap_of]
    before = np.cumsum(is_paired) - is_paired
    partners = np.where(is_paired, shorter[gap_of] + before - (np.cumsum(least) - least)[gap_of], -1)
    of_left = is_left[gap_of]
    return _Edits(gap_of, np.where(of_left, places, partners), np.where(of_left, partners, places))


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
    result = np.ones(len(edits.gaps))
    bounds = np.searchsorted(gaps.pairs[edits.gaps], np.arange(len(runs) + 1))
    for pair, of_pair in enumerate(costs):
        if of_pair is None:
            continue
        first = bounds[pair]
        result[first : bounds[pair + 1]] = of_pair
        aligned = edits_of(runs[pair])
        for _, members in itertools.groupby(range(first, bounds[pair + 1]), lambda number: edits.gaps[number]):
            members = list(members)
            if len({*result[members].tolist()}) > 1:
                for number in members:
                    left, right = aligned[number - first]
                    references[number] = -1 if left is None else starts[0, pair] + left
                    predictions[number] = -1 if right is None else starts[1, pair] + right
    return _Edits(edits.gaps, references, predictions), result


def _kinds(characters: _Characters, edits: _Edits, is_number: np.ndarray) -> np.ndarray:
    """Returns the index of the first kind that fits each edit, (n_edits,)."""
    places = edits.references, edits.predictions
    has = [place >= 0 for place in places]
    both = has[0] & has[1]
    of_sides = [np.where(own, characters.kinds[place], 0) for own, place in zip(has, places, strict=True)]
    either = of_sides[0] | of_sides[1]

    def any_of(flags: np.ndarray) -> np.ndarray:
        return has[0] & flags[places[0]] | has[1] & flags[places[1]]

    def all_of(flags: np.ndarray) -> np.ndarray:
        return (~has[0] | flags[places[0]]) & (~has[1] | flags[places[1]])

    is_blank, is_mark, is_unit = (characters.kinds & bit > 0 for bit in (_SPACE, _MARK, _UNIT))
    conditions = {
        "phrase": any_of(characters.is_phrase),
        "spacing": all_of(is_blank),
        "punctuation": all_of(is_blank | is_mark),
        "number": (either & _NUMBER > 0) | is_number & (either & _NUMERAL > 0) | all_of(is_unit),
        "latin": (either & _LATIN > 0) & any_of(characters.is_korean),
        "ending": all_of(characters.is_ending),
        "one_jamo": both & _differ_in_one_jamo(*(characters.codes[place] for place in places)),
    }
    return np.select(list(conditions.values()), list(map(ERROR_KINDS.index, conditions)), ERROR_KINDS.index("other"))


def _are_endings(codes: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Returns which characters belong to particles and endings; the last character is a line feed."""
    is_word = kinds & _WORD > 0
    changes = np.flatnonzero(np.diff(is_word, prepend=False))
    starts = changes[::2]
    ends = changes[1::2]
    lengths = np.zeros(len(ends), dtype=np.intp)
    keys = np.zeros(len(ends), dtype=np.int64)
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
    bits |= _LATIN * is_latin(character) | _NUMERAL * (character in NUMERAL_SYLLABLES)
    return _KNOWN | bits | _WORD * (character.isalnum() or character == "_")


def _differ_in_one_jamo(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns which characters are syllables that differ only in the initial, the medial or the final."""
    one = first - FIRST_SYLLABLE
    other = second - FIRST_SYLLABLE
    are_syllables = (np.minimum(one, other) >= 0) & (np.maximum(one, other) < SYLLABLES)
    differ_in_final = one % FINALS != other % FINALS
    differ_in_medial = one // FINALS % MEDIALS != other // FINALS % MEDIALS
    differ_in_initial = one // (FINALS * MEDIALS) != other // (FINALS * MEDIALS)
    n_differences = differ_in_final.astype(np.intp) + differ_in_medial + differ_in_initial
    return are_syllables & (n_differences == 1)
