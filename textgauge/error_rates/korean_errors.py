"""What the errors of a Korean text concern: spacing, punctuation, number form, endings, one jamo, or something else.

There is no morphological analyser. An edit is assigned by the characters that it changes and by their places. All texts
are one array of code points, and all edits of all texts are looked at together. The plain version, edit by edit, is
`slow_errors` of tests/test_korean_errors.py.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterable, Sequence

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.columns import lengths_of
from textgauge.edits.distances import Run
from textgauge.tokens.code_points import CODE_POINTS, lookup

PARTS = ("spacing", "punctuation", "number_form", "ending", "one_jamo", "other")

_FIRST_SYLLABLE, _SYLLABLES = 0xAC00, 11172
_FINALS, _MEDIALS = 28, 21  # syllables with one medial; medials
# what a character is, as bits
_KNOWN, _SPACE, _MARK, _NUMBER, _NUMERAL, _WORD = (1 << bit for bit in range(6))
# Sino-Korean, then native
_NUMERALS = frozenset(
    "영공일이삼사오육륙칠팔구십백천만억조한하나두둘세셋석서네넷넉너다섯여일곱덟아홉열스물무서른마흔쉰예순든"
)
# particles, then endings of verbs and adjectives
_ENDINGS_TEXT = """
은 는 이 가 을 를 의 에 에는 에도 에서 에서는 에서도 에게 에게서 에게는 께 께서 한테 로 으로 로서 으로서 로써 으로써
로는 으로는 로도 으로도 와 과 와는 과는 랑 이랑 하고 도 만 만은 만을 까지 부터 보다 처럼 같이 마다 조차 마저 밖에 나
이나 든 이든 라도 이라도 라고 이라고 라는 이라는 며 이며 고 이고 요 이요 야 이야 들 들은 들이 들을 들의 다 니다
습니다 입니다 까 니까 습니까 입니까 는다 었다 았다 였다 했다 어 아 여 어요 아요 여요 해요 예요 이에요 에요 죠 지요
네 네요 군요 는데 은데 인데 데요 는데요 은데요 인데요 거든요 잖아요 지 지만 서 어서 아서 해서 면 으면 면서 으면서
으며 고서 고는 려 려고 으려고 러 으러 도록 게 던 는지 은지 을지 니 으니 자 자고 라 냐 냐고 다고 다는 다며 기 기에
기를 음 음을 던데 더라
"""
_ENDINGS = frozenset(_ENDINGS_TEXT.split())
_LONGEST = max(map(len, _ENDINGS))

Block = tuple[int, int, int]  # equal characters: place in the reference, place in the prediction, how many


def equal_blocks(reference: str, prediction: str) -> Iterable[Block]:
    """Returns what an alignment with the fewest edits has in common, and (length, length, 0) at the end."""
    return Levenshtein.editops(reference, prediction).as_matching_blocks()


def blocks_of(runs: Sequence[Run]) -> list[Block]:
    """Returns the same of the runs of an alignment."""
    end = [(runs[-1][2], runs[-1][4], 0)] if runs else [(0, 0, 0)]
    return [(a, c, b - a) for kind, a, b, c, _ in runs if kind == "equal"] + end


def locate_errors(
    references: Sequence[str], predictions: Sequence[str], blocks: Iterable[Iterable[Block]]
) -> np.ndarray:
    """Returns how many edits of each pair belong to each part, (n_pairs, 6) int64 in the order of `PARTS`.

    An edit belongs to the first part that fits it. It changes one character, or two where it substitutes. Where several
    edits follow one another, their characters may be paired in several ways, see `_partners`.

    1. spacing: it changes whitespace.
    2. punctuation: it changes a character that is not a letter, mark or number.
    3. number_form: it changes a digit or a syllable of a numeral in a stretch in which one text has a digit and the
       other text such a syllable ("삼" or "세" for "3", "이십일" for "21"). Equal characters that are neither end a
       stretch.
    4. ending: it changes only particles and endings: the longest entry of `_ENDINGS` at the end of an eojeol, without
       its first syllable ("가" and "는" of "날씨가", "날씨는").
    5. one_jamo: it replaces a syllable with one that differs in one jamo ("닭", "닥").
    6. other.

    Args:
        references: texts, with their spaces and punctuation.
        predictions: as many texts.
        blocks: of each pair, as `equal_blocks` returns them.
    """
    texts, n_pairs = [*references, *predictions], len(references)
    codes = np.frombuffer("\n".join([*texts, ""]).encode("utf-32-le"), dtype=np.int32)  # an eojeol ends at a line feed
    sizes = lengths_of(texts) + 1
    starts = (np.cumsum(sizes) - sizes).reshape(2, n_pairs)
    kinds = lookup(codes, _kind_table(), _kind)
    lists = list(map(list, blocks))
    pairs = np.repeat(np.arange(n_pairs), lengths_of(lists))
    flat = itertools.chain.from_iterable(itertools.chain.from_iterable(lists))
    found = np.fromiter(flat, dtype=np.intp, count=3 * len(pairs)).reshape(-1, 3)
    left, right, size = *(starts[:, pairs] + found[:, :2].T), found[:, 2]
    is_first = np.diff(pairs, prepend=-1) > 0
    both = zip(starts, (left, right), strict=True)
    gaps = [np.where(is_first, side[pairs], np.roll(at + size, 1)) for side, at in both]
    is_number = _are_numbers(kinds, (left, right), size, gaps)
    gap_of, here, there = _partners(kinds, gaps, (left - gaps[0], right - gaps[1]))
    parts = _parts(codes, kinds, here, there, is_number[gap_of])
    return np.bincount(pairs[gap_of] * len(PARTS) + parts, minlength=n_pairs * len(PARTS)).reshape(-1, len(PARTS))


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
    kinds: np.ndarray, gaps: Sequence[np.ndarray], sizes: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the gap, the place and the partner's place of each character of the longer text of each gap.

    Each character of the shorter text has a partner. Of the longer text some have none, for which -1 is returned:
    blanks first, then punctuation, then the last ones: with "담을" for "잠 을" only the blank is missing. Any such
    pairing has the fewest edits.
    """
    is_left = sizes[0] >= sizes[1]
    longer, shorter = np.where(is_left, gaps, gaps[::-1])
    most, least = np.maximum(*sizes), np.minimum(*sizes)
    gap_of = np.repeat(np.arange(len(most)), most)
    first = np.cumsum(most) - most
    offsets = np.arange(len(gap_of)) - first[gap_of]
    places = longer[gap_of] + offsets
    rank = np.where(kinds[places] & _SPACE, 0, np.where(kinds[places] & _MARK, 1, 2))
    order = np.lexsort((-offsets, rank, gap_of))  # gaps stay where they are
    is_paired = np.ones(len(gap_of), dtype=bool)
    is_paired[order] = offsets >= (most - least)[gap_of]
    before = np.cumsum(is_paired) - is_paired
    return gap_of, places, np.where(is_paired, shorter[gap_of] + before - (np.cumsum(least) - least)[gap_of], -1)


def _parts(
    codes: np.ndarray, kinds: np.ndarray, here: np.ndarray, there: np.ndarray, is_number: np.ndarray
) -> np.ndarray:
    """Returns the index of the first part that fits each edit of the characters at two places; -1 is none."""
    is_alone = there < 0
    either = kinds[here] | np.where(is_alone, 0, kinds[there])
    in_ending = _are_endings(codes, kinds)
    conditions = (
        either & _SPACE > 0,
        either & _MARK > 0,
        is_number & (either & (_NUMBER | _NUMERAL) > 0),
        in_ending[here] & (is_alone | in_ending[there]),
        ~is_alone & _differ_in_one_jamo(codes[here], codes[there]),
    )
    return np.select(conditions, range(len(conditions)), len(conditions))


def _are_endings(codes: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Returns which characters belong to particles and endings; the last character is a line feed."""
    is_word = kinds & _WORD > 0
    changes = np.flatnonzero(np.diff(is_word, prepend=False))
    starts, ends = changes[::2], changes[1::2]
    lengths, keys = np.zeros(len(ends), dtype=np.intp), np.zeros(len(ends), dtype=np.int64)
    for size, endings in enumerate(_ending_keys(), start=1):
        syllables = codes[ends - size].astype(np.int64) - _FIRST_SYLLABLE + 1
        is_inside = (ends - size > starts) & (syllables > 0) & (syllables <= _SYLLABLES)
        keys = np.where(is_inside & (keys >= 0), keys + syllables * (_SYLLABLES + 1) ** (size - 1), -1)
        lengths[endings.take(np.searchsorted(endings, keys), mode="clip") == keys] = size
    result = np.zeros(len(codes), dtype=bool)
    for offset in range(1, _LONGEST + 1):
        result[ends[lengths >= offset] - offset] = True
    return result


@functools.cache
def _ending_keys() -> list[np.ndarray]:
    """Returns for each length the endings as sorted numbers, with the last syllable as the last digit."""

    def key(ending: str) -> int:
        digits = (ord(syllable) - _FIRST_SYLLABLE + 1 for syllable in reversed(ending))
        return sum(digit * (_SYLLABLES + 1) ** place for place, digit in enumerate(digits))

    return [np.array(sorted(key(e) for e in _ENDINGS if len(e) == size)) for size in range(1, _LONGEST + 1)]


@functools.cache
def _kind_table() -> np.ndarray:
    """Returns the kinds known so far, one per code point; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _kind(character: str) -> int:
    """Returns what a character is."""
    category = unicodedata.category(character)
    bits = _SPACE * character.isspace() | _MARK * (category[0] not in "LMN") | _NUMBER * (category[0] == "N")
    return _KNOWN | bits | _NUMERAL * (character in _NUMERALS) | _WORD * (character.isalnum() or character == "_")


def _differ_in_one_jamo(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns which characters are syllables that differ only in the initial, the medial or the final."""
    first, second = first - _FIRST_SYLLABLE, second - _FIRST_SYLLABLE
    are_syllables = (np.minimum(first, second) >= 0) & (np.maximum(first, second) < _SYLLABLES)
    finals, medials = first % _FINALS != second % _FINALS, first // _FINALS % _MEDIALS != second // _FINALS % _MEDIALS
    initials = first // (_FINALS * _MEDIALS) != second // (_FINALS * _MEDIALS)
    return are_syllables & (finals.astype(np.intp) + medials + initials == 1)
