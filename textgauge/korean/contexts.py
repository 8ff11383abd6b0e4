"""What is around a number: its counter, what ends behind it, and the 까지 that a ~ before it leads to.

If the number may be a word, the beginning of a longer noun is not a counter: 2주제에 is not 이 주제에.
"""

import functools
import itertools
import re
from typing import NamedTuple

from textgauge.edits.networks import Tree

from .numerals import counted, native_text, sino_text, value_of
from .patterns import one_of
from .reading_trees import Notation, any_of, sequence, tagged
from .spoken import CLEAR_PARTICLES, DIGIT_NOUNS, DIGITS, FIRST_PARTICLES, PARTICLES
from .spoken_counters import (
    AFTER_COUNTERS,
    CASE_PARTICLES,
    COUNTED_WORDS,
    DIGIT_COUNTERS,
    FEW_COUNTED,
    NATIVE_COUNTERS,
    NATIVE_NOUNS,
    ONLY_BEFORE,
    ORDINAL_NOUNS,
    SINO_COUNTERS,
)
from .spoken_units import UNITS

_SHORT = frozenset([*DIGITS, "십", "백", "천", "만"])  # numbers of one syllable
_COUNTERS = {*NATIVE_COUNTERS, *SINO_COUNTERS, *itertools.chain.from_iterable(UNITS.values())}
_BEFORE_COUNTERS = ("여", "몇")  # 10여명
_ORDINAL = re.compile(r"(?<![가-힣])제 ?$")
_NO_COUNTER = re.compile(one_of([*CLEAR_PARTICLES, *DIGIT_NOUNS, "정도"]))  # 3부터 is no 3부, nor 119구급대 119구
# a counter ends before these, whatever follows: 5월에결혼
_GLUED = re.compile(r"[을를에]|까지|부터|으로|마다|씩|쯤|정도|짜리")
_SCORE_BEFORE = re.compile(r"\d승 ?$")
_SCORE_AFTER = re.compile(r" ?\d+[패승무기]")
_AFTER_ZEROS = DIGIT_COUNTERS | {"시", "분", "초", "월", "일"}
_SPAN = re.compile(r" ?(?:전|후|뒤|간|동안|째|만|차|여)")  # 23년 전 is a span and no year
_EOJEOL = r"[^\s~,]*[0-9A-Za-z가-힣%℃](?<!까지)(?![^\s,.)])"
_GOES_ON = re.compile(rf"(?<=[년월시전후]) (?=\d){_EOJEOL}")  # 4월 2일, 오후 6시


# these patterns take long to compile, and texts without notations need none of them
@functools.cache
def _counter_pattern() -> re.Pattern[str]:
    return re.compile(rf" ?({one_of(_COUNTERS)})")


@functools.cache
def _suffix_pattern() -> re.Pattern[str]:
    return re.compile(one_of(AFTER_COUNTERS))


@functools.cache
def _noun_pattern() -> re.Pattern[str]:
    return re.compile(one_of(NATIVE_NOUNS))


@functools.cache
def _first_particles_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{one_of(FIRST_PARTICLES)}){{0,2}}")


@functools.cache
def _particles_pattern() -> re.Pattern[str]:
    return re.compile(rf"{_first_particles_pattern().pattern}(?:{one_of(CASE_PARTICLES)})?(?![가-힣])")


# forms of 이다 after a number: 일등이야, 두 명인데; all are listed, because 이야기 and 일자리 are nouns
@functools.cache
def _copula_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?:이(?:다(?:만|가)?|고[도요서]?|며|면[서은요]?|나마?|니까?요?|지(?:만?[은요]?|[는도를])|라(?:[고는도서며면니든지야][가-힣]{0,2})?"
        r"|란|야(?:말로|만)?|었[가-힣]{1,4}|냐[가-힣]{0,2}|든[지가]?|자|므로|던[데가지]?요?|네요?|죠|군요?|거(?:나|든요?)|기[에는도만]?"
        r"|십니[다까]|세요|셔[서요]|셨[가-힣]{1,4}|시(?:고|며|지만?|죠|네요?)|신(?:데요?|가요?)?|에요|요)|예요"
        r"|입(?:니[다까][가-힣]{0,2}|죠)|였[가-힣]{1,5}|인(?:데[도요다]?|가요?|지(?:라도|[는도를요])?|들)?"
        r"|일(?:까요?|지(?:라도|[는도요])?|수록|때[는도만]?|테[가-힣]{0,2}|뿐|수도)?|야|다|고|며|지만|라는|라고)?(?![가-힣])"
    )


# and those that have no 이 behind a vowel: 두 개면, 세 대네요
_SHORT_COPULA = re.compile(
    r"(?:면[서은요]?|니까요?|네요?|죠|지요?|군요?|라(?:서|도|며|니|면|든지)?|던데?|든지?|거든요?|잖아요?)(?![가-힣])"
)


@functools.cache
def _particle_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:{one_of(PARTICLES)})(?![가-힣])")


@functools.cache
def _ordinal_noun_pattern() -> re.Pattern[str]:
    return re.compile(one_of(ORDINAL_NOUNS))


@functools.cache
def _after_tilde_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?:(?:(?<=[0-9가-힣])|(?<= ))~ ?(?=\d|오[전후])|(?<=[가-힣])~(?=[가-힣])){_EOJEOL}")


class Counter(NamedTuple):
    """What is counted behind a number."""

    name: str  # "" for none
    is_apart: bool  # whether there is a blank before it
    ends: bool  # whether a word ends behind it, apart from what may follow this counter


_NONE = Counter("", False, False)


def counter_after(match: re.Match[str], last: str = "") -> Counter:
    """Returns the counter behind a number; `last` is that number, where the notation has several."""
    text = match.string
    after = _counter_pattern().match(text, match.end())
    if after is None or _NO_COUNTER.match(text, match.end()):
        return _NONE
    if is_of_ordinal_noun(text, match.start(), match.end()):  # 세 of 제3세계 counts nothing
        return _NONE
    is_apart = after[0][0] == " "
    name, ends = _that_ends(text, after.start(1), after[1])
    end = after.start(1) + len(name)
    if is_apart and not _ends_behind(text, end, name):
        return _NONE
    digits = last or match[0]
    if digits[0] == "0" and digits.isdigit() and len(digits) > 1 and name not in _AFTER_ZEROS:
        return _NONE
    if name in FEW_COUNTED and not _is_counted(match, digits, name, end):
        return _NONE
    if name == "년" and _SPAN.match(text, end):
        name = "년간"
    return Counter(name, is_apart, ends)


def word_ends(text: str, end: int) -> bool:
    """Returns whether a word ends here, apart from a particle or a form of 이다.

    >>> word_ends("5%를", 2), word_ends("5%할인", 2)
    (True, False)
    """
    if not "가" <= text[end : end + 1] <= "힣":
        return True
    if _particles_pattern().match(text, end) or _copula_follows(text, end):
        return True
    first = _first_particles_pattern().match(text, end)
    return first is not None and first.end() > end and _copula_follows(text, first.end())


def _copula_follows(text: str, end: int) -> bool:
    if _copula_pattern().match(text, end):
        return True
    return _ends_in_vowel(text[end - 1]) and _SHORT_COPULA.match(text, end) is not None


def _ends_in_vowel(character: str) -> bool:
    return "가" <= character <= "힣" and (ord(character) - ord("가")) % 28 == 0


def _that_ends(text: str, start: int, longest: str) -> tuple[str, bool]:
    """Returns the counter that a word ends behind, and else the longest one: 호 of 3호선수, and not 호선.

    Also returns whether a word ends behind it.
    """
    for size in range(len(longest), 0, -1):
        counter = longest[:size]
        behind = start + size
        if counter in _COUNTERS and (_GLUED.match(text, behind) or _ends_behind(text, behind, counter)):
            return counter, True
    return longest, False


def _is_counted(match: re.Match[str], digits: str, counter: str, end: int) -> bool:
    """Returns whether a number is usual before a counter that many nouns end in."""
    value, text = value_of(digits), match.string
    if value is None or not _is_short(value) or value in FEW_COUNTED[counter]:
        return True
    before = text[max(0, match.start() - 3) : match.start()]
    return counter in ("무", "전") and bool(_SCORE_BEFORE.search(before) or _SCORE_AFTER.match(text, end))


def _is_short(value: int) -> bool:
    return sino_text(value) in _SHORT


def _ends_behind(text: str, end: int, counter: str) -> bool:
    """Returns whether a word ends behind a counter, apart from what may follow this one: 3년간은, but not 2주제에."""
    further = _counter_pattern().match(text, end) if counter in _BEFORE_COUNTERS else None
    if further is not None:
        return _ends_behind(text, further.end(), further[1])
    while not word_ends(text, end):
        suffix = _suffix_pattern().match(text, end)
        if suffix is None or not {counter, "-"} & {*AFTER_COUNTERS[suffix[0]]}:
            return False
        end = suffix.end()
    return True


def ends_behind_number(text: str, end: int) -> bool:
    """Returns whether a word ends behind a number, apart from a particle or a form of 이다.

    >>> [ends_behind_number(text, 1) for text in ("2", "2의", "2이지만", "2야기", "2 야기")]
    [True, True, True, False, True]
    """
    is_hangul = "가" <= text[end : end + 1] <= "힣"
    return not is_hangul or _particle_pattern().match(text, end) is not None or has_copula(text, end)


def has_copula(text: str, end: int) -> bool:
    """Returns whether a form of 이다 is behind a number; one of a single syllable may be of a noun, as in 4고.

    >>> has_copula("1이다", 1), has_copula("1이", 1), has_copula("4고", 1)
    (True, False, False)
    """
    copula = _copula_pattern().match(text, end)
    return copula is not None and len(copula[0]) > 1


def is_ordinal(text: str, start: int) -> bool:
    """Returns whether 제 is before a number: of 제2 and 제 2, but not of 문제2."""
    return _ORDINAL.search(text, 0, start) is not None


def is_of_ordinal_noun(text: str, start: int, end: int) -> bool:
    """Returns whether a number is behind 제 and before a noun that is usual there: 3 of 제3공화국.

    >>> is_of_ordinal_noun("제3공화국", 1, 2), is_of_ordinal_noun("제2야기", 1, 2)
    (True, False)
    """
    return is_ordinal(text, start) and _ordinal_noun_pattern().match(text, end) is not None


def counted_before(text: str, start: int, end: int, counter: Counter) -> tuple[Tree, ...]:
    """Returns the readings of a number before its counter; guarded are those that may be words.

    Args:
        text: with the number.
        start: where it begins.
        end: where it ends.
        counter: of the number.
    """
    written = text[start:end]
    if counter.is_apart:
        return counted(written, counter.name, True)
    is_word = reads_as_word(text, start, end, counter)
    return counted(written, counter.name, False, is_word, _reads_as_native_word(text, start, end, counter))


def _reads_as_native_word(text: str, start: int, end: int, counter: Counter) -> bool:
    """Returns whether a native numeral with its counter may be a word: 1반도의 as 한반도의, 3단을 as 세단을."""
    if not counter.ends:
        return True
    value = value_of(text[start:end])
    if value is None or value >= 100:
        return False
    spoken_text = native_text(value) + text[end : end + 12]
    noun = _noun_pattern().match(spoken_text)
    return noun is not None and _ends_behind(spoken_text, noun.end(), counter.name)


def reads_as_word(text: str, start: int, end: int, counter: Counter) -> bool:
    """Returns whether a Sino-Korean number with the counter right behind it reads as a word: 2번에 as 이번에.

    Args:
        text: with the number.
        start: where it begins.
        end: where it ends, and its counter begins.
        counter: of the number.
    """
    written = text[start:end]
    value = value_of(written) if written.isdigit() else None
    if value is None:
        return False
    if not begins_words(value):
        return False
    if not counter.ends:
        return True
    if sino_text(value) + counter.name not in COUNTED_WORDS or text[start - 1] != " " and is_ordinal(text, start):
        return False
    pattern = ONLY_BEFORE.get(counter.name)
    return pattern is None or pattern.match(text, end + len(counter.name)) is not None


def begins_words(value: int) -> bool:
    """Returns whether other words begin as a number does: of one syllable, or 백일, 천일 and 만사.

    >>> [begins_words(value) for value in (3, 100, 101, 10004, 24)]
    [True, True, True, True, False]
    """
    reading = sino_text(value)
    return reading in _SHORT or len(reading) == 2 and reading[0] in "백천만"


def with_until(text: str, pieces: list[str | Notation]) -> list[str | Notation]:
    """Returns pieces in which 까지 may follow what a ~ leads to: 9시~6시 is 아홉 시부터 여섯 시까지."""
    until = any_of(["", tagged("까지", "joint")])
    ends = set()
    for match in _after_tilde_pattern().finditer(text):
        while match:
            ends.add(match.end())
            match = _GOES_ON.match(text, match.end())
    result: list[str | Notation] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece if isinstance(piece, str) else piece.written)
        if isinstance(piece, Notation):
            result.append(piece._replace(tree=sequence(piece.tree, until)) if end in ends else piece)
            continue
        for until_end in sorted(ends):
            if start < until_end <= end:
                last = text[until_end - 1]
                result += [text[start : until_end - 1], Notation(last, "symbol", sequence(last, until))]
                start = until_end
        result.append(text[start:end])
    return [piece for piece in result if piece]
