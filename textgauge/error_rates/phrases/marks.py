"""Where phrases are in a text, and what that means for its tokens.

A phrase occurs where its characters do, and what is around it does not hide it: among words blanks do not matter, and
neither do punctuation and Korean particles at the ends of its words.
"""

import functools
import itertools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from .keywords import Form, Keywords
from .number_marks import Places, inner_marks, is_inside_number, mark_places

# case particles, auxiliary particles, and forms of 이다
_CASES = "이 가 을 를 의 에 에서 에게 에게서 께 께서 한테 한테서 으로 로 으로서 로서 으로써 로써 와 과 랑 이랑 하고"
_AUXILIARIES = """
은 는 도 만 만은 만이 만을 만도 까지 부터 보다 처럼 같이 마다 조차 마저 밖에 뿐 대로 나 이나 라도 이라도 야 이야 요 이요
든 이든 든지 이든지 란 이란 며 이며 고 이고 라고 이라고 라는 이라는 이다 입니다 입니까 이었다 였다 이었습니다 였습니다
이에요 예요 이죠 인데 인데요 이네요 이니까 이라서 라서 이라면 라면
"""
# bound nouns and endings behind names and amounts: 5mg씩, 철수님, 한 알당
_BEHIND = "들|씩|짜리|정도|쯤|당|님|만큼"
_ANY_CASE = "|".join(_CASES.split())
_ANY_AUXILIARY = "|".join(_AUXILIARIES.split())
_PARTICLES = re.compile(f"(?:{_BEHIND}){{0,2}}(?:{_ANY_CASE})?(?:까지|부터|보다)?(?:{_ANY_AUXILIARY})?")
_JAMO_INSIDE = range(0x1160, 0x1200)  # medials and finals: they belong to the syllable before them


class Found(NamedTuple):
    """An occurrence of a phrase in characters, units or tokens of a text."""

    phrase: int
    start: int
    end: int


class Part(NamedTuple):
    """What a token has of a phrase."""

    phrase: int
    has_start: bool
    has_end: bool
    characters: tuple[int, int]  # which ones of the phrase


class Marks(NamedTuple):
    """What the phrases in a text mean for its tokens."""

    weights: list[float]  # of each token: of the heaviest phrase that has it, 1 for none
    inside: list[float]  # n + 1: of the heaviest phrase that goes on before and behind the place before a token, or 0
    parts: list[tuple[Part, ...]]  # of each token
    occurrences: list[Found]  # with the first token, and the token behind the last


Marked = tuple[Marks | None, Marks | None]  # of a reference and a prediction


def places_of(texts: Sequence[str], characters: Sequence[str], keywords: Keywords) -> Sequence[Places]:
    """Returns where marks were inside the numbers of texts; () where no phrase has a number.

    Args:
        texts: clean ones.
        characters: what is compared of them.
        keywords: the phrases.
    """
    return () if keywords.compared is None else mark_places(texts, characters, keywords.compared)


def mark_characters(text: str, keywords: Keywords, places: Places) -> Marks | None:
    """Returns the marks of a text whose characters are compared; None if no phrase occurs in it."""
    occurrences = []
    for found in _find(text, keywords, places):
        following = text[found.end : found.end + 1]
        if not goes_on(following):
            occurrences.append(found)
    return mark(occurrences, range(len(text) + 1), keywords)


def mark_words(words: Sequence[str], keywords: Keywords, places: Places) -> Marks | None:
    """Returns the marks of a text whose words are compared; None if no phrase occurs in it."""
    text = "".join(words)
    occurrences = _find(text, keywords, places)
    if not occurrences:
        return None
    bounds = list(itertools.accumulate(map(len, words), initial=0))

    def is_whole(found: Found) -> bool:
        """Returns whether its words have nothing else but punctuation before it, and a particle behind it."""
        word_start = bounds[bisect_right(bounds, found.start) - 1]
        word_end = bounds[bisect_left(bounds, found.end)]
        return is_punctuation(text[word_start : found.start]) and is_particle(text[found.end : word_end])

    return mark(list(filter(is_whole, occurrences)), bounds, keywords)


def _find(text: str, keywords: Keywords, places: Places) -> list[Found]:
    """Returns phrase, start and end wherever the characters of a phrase are, from the left.

    A number of a phrase is a whole one, with the same marks: 5mg is neither in 15mg nor in 1.5mg.
    """
    if keywords.first is None:
        return []
    occurrences = []
    for match in keywords.first.finditer(text):
        start = match.start()
        for length in keywords.lengths[match[0]]:
            end = start + length
            if end > len(text):
                continue
            for number in keywords.by_text.get(text[start:end], ()):
                form = keywords.forms[number]
                if keywords.compared is None or _has_same_numbers(form, text, start, end, places):
                    occurrences.append(Found(form.phrase, start, end))
    return occurrences


def _has_same_numbers(form: Form, text: str, start: int, end: int, places: Places) -> bool:
    """Returns whether a part of a text has the same marks inside numbers as a form, and no part of a longer number."""
    if is_inside_number(text, start, end, places):
        return False
    return inner_marks(places, start, end) == form.inner


def mark(occurrences: Sequence[Found], bounds: Sequence[int], keywords: Keywords) -> Marks | None:
    """Returns the marks of a text with these phrases, None without; where one overlaps itself, the left one counts.

    Args:
        occurrences: from the left; of those that begin at one place the longest one counts.
        bounds: where each token begins, and where the last one ends.
        keywords: the phrases.
    """
    if not occurrences:
        return None
    size = len(bounds) - 1
    weights_of_tokens: list[list[float]] = [[] for _ in range(size)]
    last_ends: dict[int, int] = {}  # by phrase
    marks = Marks([], [0.0] * (size + 1), [()] * size, [])
    for phrase, start, end in occurrences:
        if last_ends.get(phrase, 0) > start:
            continue
        last_ends[phrase] = end
        weight = keywords.weights[phrase]
        first_token = bisect_right(bounds, start) - 1
        end_token = bisect_left(bounds, end)
        marks.occurrences.append(Found(phrase, first_token, end_token))
        for token in range(first_token, end_token):
            weights_of_tokens[token].append(weight)
            marks.parts[token] += (_part(phrase, start, end, bounds[token], bounds[token + 1]),)
            if token > first_token:
                marks.inside[token] = max(marks.inside[token], weight)
    marks.weights.extend(max(weights, default=1.0) for weights in weights_of_tokens)
    return marks


def _part(phrase: int, start: int, end: int, token_start: int, token_end: int) -> Part:
    """Returns what a token has of a phrase; both are where they start and end in the text."""
    characters = max(token_start - start, 0), min(token_end, end) - start
    return Part(phrase, token_start <= start, token_end >= end, characters)


def are_alike(parts: Sequence[Part], others: Sequence[Part]) -> bool:
    """Returns whether two tokens have the same parts of the same phrases, and some."""
    return bool(parts) and tuple(parts) == tuple(others)


def goes_on(character: str) -> bool:
    """Returns whether a character belongs to the letter before it: a combining mark, or jamo of a syllable."""
    return character != "" and (ord(character) in _JAMO_INSIDE or unicodedata.category(character)[0] == "M")


@functools.lru_cache(2**16)
def is_particle(text: str) -> bool:
    """Returns whether a text is nothing or a Korean particle, except for punctuation around it."""
    inner = unicodedata.normalize("NFC", text)
    while inner and is_punctuation(inner[0]):
        inner = inner[1:]
    while inner and is_punctuation(inner[-1]):
        inner = inner[:-1]
    return _PARTICLES.fullmatch(inner) is not None


def is_punctuation(text: str) -> bool:
    """Returns whether all characters of a text are punctuation."""
    return all(unicodedata.category(character)[0] == "P" for character in text)


def phrase_tokens(marks: Marks | None) -> frozenset[int]:
    """Returns which tokens of a text are in a phrase."""
    tokens: set[int] = set()
    if marks is not None:
        for found in marks.occurrences:
            tokens.update(range(found.start, found.end))
    return frozenset(tokens)
