"""What characters are, and units and endings of Korean, by which an edit is of a kind, see `error_kinds.py`."""

import functools
import re
import unicodedata

import numpy as np

from textgauge.core.reserved import WORD_END
from textgauge.korean.spoken_units import UNITS
from textgauge.tokens.code_points import CODE_POINTS, lookup

from ..phrases.number_words import NUMERAL_SYLLABLES, NUMERALS

FIRST_SYLLABLE = 0xAC00
SYLLABLES = 11172
_SYLLABLE_DIGITS = SYLLABLES + 1  # a syllable, or none, as a digit of a number
HANGUL_SYLLABLE = re.compile("[가-힣]")
FINALS = 28  # syllables with one initial and one medial
MEDIALS = 21
UNIT_WORDS = frozenset(
    reading for readings in UNITS.values() for reading in readings if len(reading) > 1 and reading.isalnum()
)
_LONGEST_FIRST = sorted(UNIT_WORDS, key=lambda word: (-len(word), word))
_NUMERALS = "".join(sorted(NUMERALS))
# a unit behind a numeral, with or without the end of a word and a blank between them
SPOKEN_UNITS = re.compile(f"(?<=[{_NUMERALS}]){WORD_END}? ?({'|'.join(_LONGEST_FIRST)})")
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
ENDINGS = frozenset(_ENDINGS_TEXT.split())
MOST_ENDING_SYLLABLES = max(map(len, ENDINGS))

# what a character is, as bits; a numeral and a unit also by what is around it
_KNOWN = 1
SPACE = 2
MARK = 4
NUMBER = 8
WORD = 16
LATIN = 32
NUMERAL = 64
UNIT = 128


def character_bits(codes: np.ndarray) -> np.ndarray:
    """Returns what each character is by itself, as bits, (n_characters,) uint8.

    >>> bits = character_bits(np.array([ord("A"), ord("1")]))
    >>> (bits & LATIN > 0).tolist(), (bits & NUMBER > 0).tolist()
    ([True, False], [False, True])
    """
    return lookup(codes, _bits_table(), _character_bits).copy()


@functools.cache
def _bits_table() -> np.ndarray:
    """Returns the bits known so far, one number per code point; 1 MiB."""
    return np.zeros(CODE_POINTS, dtype=np.uint8)


def _character_bits(character: str) -> int:
    """Returns what a character is; the end of a word is nothing but known."""
    if character == WORD_END:
        return _KNOWN
    category = unicodedata.category(character)[0]
    bits = _KNOWN
    if character.isspace():
        bits |= SPACE
    if category not in "LMN":
        bits |= MARK
    if category == "N":
        bits |= NUMBER
    if is_latin(character):
        bits |= LATIN
    if character in NUMERAL_SYLLABLES:
        bits |= NUMERAL
    if character.isalnum() or character == "_":
        bits |= WORD
    return bits


def is_latin(character: str) -> bool:
    """Returns whether a character is a Latin letter.

    >>> is_latin("é"), is_latin("가")
    (True, False)
    """
    return unicodedata.name(character, "").startswith("LATIN ")


def are_endings(codes: np.ndarray, is_word: np.ndarray) -> np.ndarray:
    """Returns which characters belong to particles and endings, (n_characters,).

    The idea: the last syllables of a word are the digits of a number, and so are those of each ending. From one
    syllable to several, the numbers are looked up among the sorted ones of the endings; the longest ending counts.

    >>> text = "집에서 왔다" + chr(10)
    >>> codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.int32)
    >>> are_endings(codes, np.array([character.isalnum() for character in text])).astype(int).tolist()
    [0, 1, 1, 0, 0, 1, 0]

    Args:
        codes: (n_characters,) code points, of which the last one is a line feed.
        is_word: (n_characters,) whether each belongs to a word.
    """
    changes = np.flatnonzero(np.diff(is_word, prepend=False))
    starts = changes[::2]
    ends = changes[1::2]
    longest = np.zeros(len(ends), dtype=np.intp)  # syllables of the longest ending of each word
    keys = np.zeros(len(ends), dtype=np.int64)
    for size, endings in enumerate(_ending_keys(), start=1):
        digits = codes[ends - size].astype(np.int64) - FIRST_SYLLABLE + 1
        is_inside = (ends - size > starts) & (digits > 0) & (digits <= SYLLABLES)
        keys = np.where(is_inside & (keys >= 0), keys + digits * _SYLLABLE_DIGITS ** (size - 1), -1)
        nearest = endings.take(np.searchsorted(endings, keys), mode="clip")
        longest[nearest == keys] = size
    result = np.zeros(len(codes), dtype=bool)
    for offset in range(1, MOST_ENDING_SYLLABLES + 1):
        result[ends[longest >= offset] - offset] = True
    return result


@functools.cache
def _ending_keys() -> list[np.ndarray]:
    """Returns for each length the endings as sorted numbers, with the last syllable as the last digit."""
    keys: list[list[int]] = [[] for _ in range(MOST_ENDING_SYLLABLES)]
    for ending in ENDINGS:
        key = 0
        for syllable in ending:
            key = key * _SYLLABLE_DIGITS + ord(syllable) - FIRST_SYLLABLE + 1
        keys[len(ending) - 1].append(key)
    return [np.array(sorted(keys_of_size)) for keys_of_size in keys]


def differ_in_one_jamo(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns which characters are syllables that differ only in the initial, the medial or the final.

    Takes code points, (n,), and returns an array of the same shape.
    """
    one = first - FIRST_SYLLABLE
    other = second - FIRST_SYLLABLE
    are_syllables = (np.minimum(one, other) >= 0) & (np.maximum(one, other) < SYLLABLES)
    differ_in_final = one % FINALS != other % FINALS
    differ_in_medial = one // FINALS % MEDIALS != other // FINALS % MEDIALS
    differ_in_initial = one // (FINALS * MEDIALS) != other // (FINALS * MEDIALS)
    n_differences = differ_in_final.astype(np.intp) + differ_in_medial + differ_in_initial
    return are_syllables & (n_differences == 1)
