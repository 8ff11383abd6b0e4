"""How the Latin and Greek letters of Korean text are read: LG as 엘지."""

import functools
import itertools
import re

from textgauge.edits.networks import Tree

from .contexts import counter_after, word_ends
from .numerals import counted, sino
from .patterns import one_of
from .reading_trees import GAP, any_of, sequence, tagged
from .spoken import (
    LETTER_NOUNS,
    LETTERS,
    NAMES_AND_WORDS,
    NAMES_IN_WORDS,
    NOUNS_OF_LETTERS,
    ROMAN_COUNTERS,
    ROMAN_LETTERS,
)
from .spoken_units import UNITS
from .standing_numbers import english_numerals, starts_a_word
from .units import unit_readings

_LONGEST_NAME = 6  # letters of a name in capitals
_LONGEST_WORD = 5  # letters of another word that may be spelled
_NAMED = re.compile("[가-힣] $")
_DIGIT_BEFORE = re.compile(r"(?<![0-9A-Za-z])\d$")
# what is before and after one letter that is not a word
_CLEAR_BEFORE_LETTERS = re.compile(r"[\d=&+/:-]$")
_CLEAR_AFTER_LETTERS = re.compile(rf"[-+=&/:#]|\d|{one_of(LETTER_NOUNS)}")


@functools.cache
def _noun_of_letter_pattern() -> re.Pattern[str]:
    return re.compile(one_of(NOUNS_OF_LETTERS))


def read_letters(match: re.Match[str]) -> tuple[str, Tree] | None:
    """Reads letters by their names; other than a short name in capitals, a word may stay as it is."""
    word = match[0]
    start, end = match.span()
    is_name = word.isupper() or not word.isascii()
    longest = _LONGEST_NAME if is_name else _LONGEST_WORD
    if len(word) > longest and word not in ROMAN_LETTERS:
        return None
    if not word.isascii() and None in map(_names_of, word):
        return None
    goes_on = NAMES_AND_WORDS.get(word.upper())
    if goes_on and goes_on.match(match.string, end):
        return None

    after = match.string[end : end + 2]
    spelled = _spelled(word, after, _may_be_word(match), _begins_noun(match))
    ways = [spelled, word] if is_name else [word, spelled]
    if word in UNITS and match.string.startswith("당", end):
        ways.append(unit_readings(word))
    return "letter", any_of([*_roman(match), *ways])


def _may_be_word(match: re.Match[str]) -> bool:
    """Returns whether what is around letters leaves open that they are a word: of one letter only some of it does."""
    text = match.string
    start, end = match.span()
    if len(match[0]) > 1 or _vowel_ends_a_word(match):
        return True
    is_clear_before = _CLEAR_BEFORE_LETTERS.search(text, max(0, start - 1), start) is not None
    return not is_clear_before and _CLEAR_AFTER_LETTERS.match(text, end) is None


def _begins_noun(match: re.Match[str]) -> bool:
    """Returns whether one letter may be the beginning of a noun: Y of Y프가 is that of 와이프가."""
    text = match.string
    end = match.end()
    if len(match[0]) > 1 or _CLEAR_AFTER_LETTERS.match(text, end):
        return False
    noun = _noun_of_letter_pattern().match(text, end)
    return not word_ends(text, noun.end() if noun else end)


def _roman(match: re.Match[str]) -> list[Tree]:
    """Returns the readings of a Roman numeral where it stands as one: XIV세, 제II장, 수학 II."""
    text = match.string
    start, end = match.span()
    before = text[max(0, start - 2) : start]
    value = ROMAN_LETTERS.get(match[0])
    if value is None or text[end : end + 1].isdecimal() or before[-1:].isdecimal():
        return []

    counter = counter_after(match)
    if counter.name in ROMAN_COUNTERS:
        trees = counted(str(value), counter.name, counter.is_apart, is_native_word=not counter.ends)
        return list(trees) if counter.is_apart else [sequence(any_of(trees), GAP)]
    is_ordinal = before.rstrip().endswith("제")
    is_named = len(match[0]) > 1 and _NAMED.search(before)
    if is_ordinal or is_named:
        return [sino(value), *english_numerals(str(value))]
    return []


@functools.lru_cache(4096)
def _spelled(word: str, after: str, may_be_word: bool, begins_noun: bool) -> Tree:
    """Returns the names of letters; guarded are those that read as a word, or as the beginning of one."""
    names = [_names_of(letter, word) for letter in word]
    ways = []
    if (may_be_word or begins_noun) and len(word) <= 3:
        ways = list(itertools.product(*names))
    guarded = [begins_noun or starts_a_word("".join(way), after) for way in ways]
    if not any(guarded):
        letters = []
        for letter, letter_names in zip(word, names, strict=True):
            letters.append(any_of([_letter(name, letter) for name in letter_names]))
        return sequence(*letters)

    trees = []
    for way, is_guarded in zip(ways, guarded, strict=True):
        trees.append(sequence(*[_letter(name, letter, is_guarded) for name, letter in zip(way, word, strict=True)]))
    return any_of(trees)


def _vowel_ends_a_word(match: re.Match[str]) -> bool:
    """Returns whether a vowel behind a digit ends a word: 2U as 이유; 5G is no 오지."""
    return match[0] in "EOUeou" and _DIGIT_BEFORE.search(match.string, 0, match.start()) is not None


def _letter(name: str, letter: str, is_guarded: bool = False) -> str:
    return tagged(name, f"letter {letter}", is_guarded)


def _names_of(letter: str, word: str = "") -> list[str] | None:
    names, words = NAMES_IN_WORDS.get(letter.upper(), ([], None))
    if words and words.fullmatch(word.upper()):
        return names
    return LETTERS.get(letter.upper() if letter.isascii() else letter)
