"""What characters are, and units and endings of Korean, by which an edit is of a kind, see `error_kinds.py`."""

import functools
import re
import unicodedata

from textgauge.core.reserved import WORD_END
from textgauge.korean.spoken_units import UNITS

_SINO = "영공일이삼사오육륙칠팔구십백천만억조"
_NATIVE_TEXT = (
    "하나 한 두 둘 세 셋 석 서 네 넷 넉 너 다섯 여섯 일곱 여덟 아홉 열 스물 스무 서른 마흔 쉰 예순 일흔 여든 아흔"
)
_NATIVE = _NATIVE_TEXT.split()
NUMERALS = frozenset(_SINO).union(*_NATIVE)  # their syllables
# numerals of one syllable, and a pattern of the others, whose syllables alone are none (나 of 하나)
NUMERAL_SYLLABLES = frozenset(_SINO).union(word for word in _NATIVE if len(word) == 1)
NUMERAL_WORDS = re.compile("|".join(word for word in _NATIVE if len(word) > 1))
NUMBER_NOTATIONS = ("number", "date", "unit")  # kinds of notations that are numbers

_FIRST_SYLLABLE = 0xAC00
HANGUL_SYLLABLE = re.compile("[가-힣]")
_FINALS = 28  # syllables with one initial and one medial
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

# what a character is, as bits; from NUMERAL on also by what is around it
SPACE = 1
MARK = 2
NUMBER = 4
LATIN = 8
NUMERAL = 16
UNIT = 32
ENDING = 64
PHRASE = 128


@functools.cache
def character_bits(character: str) -> int:
    """Returns what a character is by itself, as bits.

    >>> character_bits("A") == LATIN, character_bits("1") == NUMBER
    (True, True)
    """
    bits = 0
    if character.isspace():
        bits |= SPACE
    category = unicodedata.category(character)[0]
    if category not in "LMN" and character != WORD_END:
        bits |= MARK
    if category == "N":
        bits |= NUMBER
    if is_latin(character):
        bits |= LATIN
    if character in NUMERAL_SYLLABLES:
        bits |= NUMERAL
    return bits


def is_latin(character: str) -> bool:
    """Returns whether a character is a Latin letter.

    >>> is_latin("é"), is_latin("가")
    (True, False)
    """
    return unicodedata.name(character, "").startswith("LATIN ")


@functools.lru_cache(65536)
def ending_size(word: str) -> int:
    """Returns how many syllables the longest particle or ending of a word has, 0 for none.

    >>> ending_size("집에서"), ending_size("에서")
    (2, 1)
    """
    longest = min(MOST_ENDING_SYLLABLES, len(word) - 1)
    return next((size for size in range(longest, 0, -1) if word[-size:] in ENDINGS), 0)


def decomposed_size(character: str) -> int:
    """Returns how many jamo a syllable has; 1 for any other character."""
    if not HANGUL_SYLLABLE.match(character):
        return 1
    return 3 if (ord(character) - _FIRST_SYLLABLE) % _FINALS else 2


def differ_in_one_jamo(first: str, second: str) -> bool:
    """Returns whether two characters are syllables that differ only in the initial, the medial or the final.

    >>> differ_in_one_jamo("닭", "닥"), differ_in_one_jamo("닭", "책")
    (True, False)
    """
    if not (HANGUL_SYLLABLE.match(first) and HANGUL_SYLLABLE.match(second)):
        return False
    jamo, other_jamo = [unicodedata.normalize("NFD", syllable).ljust(3) for syllable in (first, second)]
    return sum([one != other for one, other in zip(jamo, other_jamo, strict=True)]) == 1
