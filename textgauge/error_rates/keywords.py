"""Phrases that count more in an error rate: where they occur in a text, and how often two texts both have them.

A phrase occurs where its characters do, and what is around it does not hide it: among words blanks do not matter, and
neither do punctuation and Korean particles at the ends of its words.
"""

import functools
import itertools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.options import mapping
from textgauge.edits.distances import Run
from textgauge.ngrams.phrase_tables import read_weights, weights_text

from .number_marks import Compared, Places, inner_marks, is_inside_number, mark_places

_HEAVIEST = 100.0
# case particles, auxiliary particles, and forms of 이다
_CASES = "이 가 을 를 의 에 에서 에게 에게서 께 께서 한테 한테서 으로 로 으로서 로서 으로써 로써 와 과 랑 이랑 하고"
_AUXILIARIES = """
은 는 도 만 만은 만이 만을 만도 까지 부터 보다 처럼 같이 마다 조차 마저 밖에 뿐 대로 나 이나 라도 이라도 야 이야 요 이요
든 이든 든지 이든지 란 이란 며 이며 고 이고 라고 이라고 라는 이라는 이다 입니다 입니까 이었다 였다 이었습니다 였습니다
이에요 예요 이죠 인데 인데요 이네요 이니까 이라서 라서 이라면 라면
"""
# bound nouns and endings behind names and amounts: 5mg씩, 철수님, 한 알당
_BEHIND = "들|씩|짜리|정도|쯤|당|님|만큼"
_PARTICLES = re.compile(
    f"(?:{_BEHIND}){{0,2}}(?:{'|'.join(_CASES.split())})?(?:까지|부터|보다)?(?:{'|'.join(_AUXILIARIES.split())})?"
)
_JAMO_INSIDE = range(0x1160, 0x1200)  # medials and finals: they belong to the syllable before them


class Keywords(NamedTuple):
    """The phrases of a table, cleaned as texts are."""

    phrases: list[str]  # as the user wrote them
    texts: list[str]  # what is looked for
    weights: list[float]
    first: re.Pattern[str] | None  # finds the first character of any phrase; None if there is no phrase
    by_first: dict[str, list[int]]
    counts: np.ndarray  # (n_phrases, 2) occurrences in references and how many are missed; `count_keywords` adds to it
    inner: list[frozenset[tuple[int, str]]]  # marks inside the numbers of each phrase
    compared: Compared | None  # what is compared of clean texts; None if no phrase has a digit
    used: np.ndarray  # (n_phrases,) whether a reference has it; `mark_pairs` sets it


class Marks(NamedTuple):
    """What the phrases in a text mean for its tokens."""

    weights: list[float]  # of each token: of the heaviest phrase that has it, 1 for none
    inside: list[float]  # n + 1: of the heaviest phrase that goes on before and behind the place before a token, or 0
    parts: list[tuple[tuple[int, int, int], ...]]  # of each token: the phrases in it, and which of their characters
    occurrences: list[tuple[int, int, int]]  # phrase, first token, the token behind the last


def read_keywords(weights: Any) -> dict[str, float]:
    """Returns the option `weights` of an error rate as a table; see `read_weights` for what is wrong with one."""
    return read_weights(weights, 0.0, _HEAVIEST, is_one_table=True)


KEYWORDS = mapping(
    None,
    "weights",
    "phrases that count more (or less), such as names, drugs and amounts, with weights in [0, 100]: a table, or a "
    "file (JSON; TSV or CSV with a phrase and a weight per line). An error inside a phrase costs its weight, and the "
    "reference's weighted length divides; adds `keyword_recall`, `keyword_precision` and `missed_keywords`.",
    ("phrase", "weight"),
    lambda name, value: read_keywords(value),
    text=functools.partial(weights_text, read=read_keywords),
    in_code="Or a dict phrase -> weight.",
)


def compile_keywords(weights: Any, clean: Callable[[list[str]], list[str]], compared: Compared) -> Keywords | None:
    """Returns the phrases of an option `weights`, None without it.

    Args:
        weights: the option.
        clean: returns phrases in the Unicode form and case of texts.
        compared: returns the characters of these that are compared.

    Raises:
        ValueError: a phrase of which nothing is compared, or two that are the same and have different weights.
    """
    if not weights:
        return None
    table = read_keywords(weights)
    first: dict[tuple[str, frozenset[tuple[int, str]]], str] = {}
    cleaned = clean(list(table))
    texts = compared(cleaned)
    for phrase, text, places in zip(table, texts, mark_places(cleaned, texts, compared), strict=True):
        if not text:
            raise ValueError(f"weights[{phrase!r}]: no character of this phrase is compared")
        other = first.setdefault((text, inner_marks(places, 0, len(text))), phrase)
        if table[other] != table[phrase]:
            raise ValueError(f"weights: {other!r} and {phrase!r} are the same characters; give them one weight")
    by_first: dict[str, list[int]] = {}
    for index, (text, _) in enumerate(first):
        by_first.setdefault(text[0], []).append(index)
    pattern = re.compile(f"[{''.join(map(re.escape, by_first))}]") if by_first else None
    has_digits = any(map(str.isdecimal, itertools.chain.from_iterable(texts)))
    return Keywords(
        phrases=[*first.values()],
        texts=[text for text, _ in first],
        weights=[table[phrase] for phrase in first.values()],
        first=pattern,
        by_first=by_first,
        counts=np.zeros((len(first), 2), dtype=np.int64),
        inner=[inner for _, inner in first],
        compared=compared if has_digits else None,
        used=np.zeros(len(first), dtype=bool),
    )


def check_keywords(weights: Any, readings: Any) -> None:
    """Raises ValueError for weights of texts that may be read in several ways."""
    if weights and readings is not None:
        raise ValueError("weights has no meaning with readings, of which a phrase may have several; drop one of them")


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
    found = _find(text, keywords, places)
    return _mark(
        [place for place in found if not _goes_on(text[place[2] : place[2] + 1])], range(len(text) + 1), keywords
    )


def mark_words(words: Sequence[str], keywords: Keywords, places: Places) -> Marks | None:
    """Returns the marks of a text whose words are compared; None if no phrase occurs in it."""
    text = "".join(words)
    found = _find(text, keywords, places)
    if not found:
        return None
    bounds = list(itertools.accumulate(map(len, words), initial=0))

    def is_whole(start: int, end: int) -> bool:
        before = text[bounds[bisect_right(bounds, start) - 1] : start]
        return _is_punctuation(before) and _is_particle(text[end : bounds[bisect_left(bounds, end)]])

    return _mark([place for place in found if is_whole(*place[1:])], bounds, keywords)


def _find(text: str, keywords: Keywords, places: Places) -> list[tuple[int, int, int]]:
    """Returns phrase, start and end wherever the characters of a phrase are, from the left.

    A number of a phrase is a whole one, with the same marks: 5mg is neither in 15mg nor in 1.5mg.
    """
    found = [
        (phrase, match.start(), match.start() + len(keywords.texts[phrase]))
        for match in (keywords.first.finditer(text) if keywords.first else ())
        for phrase in keywords.by_first[match[0]]
        if text.startswith(keywords.texts[phrase], match.start())
    ]
    if keywords.compared is None:
        return found
    return [
        (phrase, start, end)
        for phrase, start, end in found
        if not is_inside_number(text, start, end, places) and inner_marks(places, start, end) == keywords.inner[phrase]
    ]


def _mark(found: Sequence[tuple[int, int, int]], bounds: Sequence[int], keywords: Keywords) -> Marks | None:
    """Returns the marks of a text with these phrases; where one overlaps itself, the left one counts."""
    if not found:
        return None
    size, ends = len(bounds) - 1, {}
    weights: list[list[float]] = [[] for _ in range(size)]
    marks = Marks([], [0.0] * (size + 1), [()] * size, [])
    for phrase, start, end in found:
        if ends.get(phrase, 0) > start:
            continue
        ends[phrase] = end
        weight, first, last = keywords.weights[phrase], bisect_right(bounds, start) - 1, bisect_left(bounds, end)
        marks.occurrences.append((phrase, first, last))
        for token in range(first, last):
            weights[token].append(weight)
            part = (phrase, max(bounds[token], start) - start, min(bounds[token + 1], end) - start)
            marks.parts[token] += (part,)
            if token > first:
                marks.inside[token] = max(marks.inside[token], weight)
    marks.weights.extend(max(of_token, default=1.0) for of_token in weights)
    return marks


def _goes_on(character: str) -> bool:
    """Returns whether a character belongs to the letter before it: a combining mark, or jamo of a syllable."""
    return character != "" and (ord(character) in _JAMO_INSIDE or unicodedata.category(character)[0] == "M")


@functools.lru_cache(2**16)
def _is_particle(text: str) -> bool:
    """Returns whether a text is nothing or a Korean particle, except for punctuation around it."""
    inner = unicodedata.normalize("NFC", text)
    while inner and _is_punctuation(inner[0]):
        inner = inner[1:]
    while inner and _is_punctuation(inner[-1]):
        inner = inner[:-1]
    return _PARTICLES.fullmatch(inner) is not None


def _is_punctuation(text: str) -> bool:
    return all(unicodedata.category(character)[0] == "P" for character in text)


def phrase_tokens(marks: Marks | None) -> frozenset[int]:
    """Returns which tokens of a text are in a phrase."""
    return frozenset(itertools.chain.from_iterable(range(*place[1:]) for place in (marks.occurrences if marks else ())))


def count_keywords(pairs: Sequence[tuple[Marks | None, Marks | None]], keywords: Keywords) -> np.ndarray:
    """Returns for each pair how many phrases of at least weight 1 the reference has, the prediction, and both.

    A phrase that occurs several times in both is in both as often as in the text that has it less often. The phrases
    of the references, and those of them that are missed, are added to `keywords.counts`. Shape (n_pairs, 3).
    """
    rows = np.zeros((len(pairs), 3), dtype=np.int64)
    for row, pair in enumerate(pairs):
        if pair == (None, None):
            continue
        wanted, predicted = (
            Counter(phrase for phrase, *_ in (marks.occurrences if marks else ()) if keywords.weights[phrase] >= 1)
            for marks in pair
        )
        rows[row] = wanted.total(), predicted.total(), (wanted & predicted).total()
        for phrase, count in wanted.items():
            # adds to the array in place, in one step, so that several threads may count chunks at once
            keywords.counts[phrase] += count, max(0, count - predicted[phrase])
    return rows


def unused_keywords(keywords: Keywords) -> list[str]:
    """Returns the phrases that no reference has."""
    return [phrase for phrase, is_used in zip(keywords.phrases, keywords.used.tolist(), strict=True) if not is_used]


def missed_keywords(keywords: Keywords) -> list[list]:
    """Returns [phrase, how often it is missed, how often references have it], the most often missed ones first."""
    missed = [[phrase, n, total] for phrase, (total, n) in zip(keywords.phrases, keywords.counts.tolist(), strict=True)]
    return sorted((entry for entry in missed if entry[1]), key=lambda entry: (-entry[1], entry[0]))


def explain_keywords(marked: Sequence[Marks | None], runs: Sequence[Run], keywords: Keywords) -> list[list]:
    """Returns [side, phrase, weight, first token, token behind the last, whether the other side has it] in a list.

    The sides are "reference" and "prediction". Of several occurrences of a phrase, those with the fewest errors inside
    are in both.
    """
    found = []
    counts = [Counter(phrase for phrase, *_ in (marks.occurrences if marks else ())) for marks in marked]
    for side, (name, marks) in enumerate(zip(("reference", "prediction"), marked, strict=True)):
        right = {token for run in runs if run[0] == "equal" for token in range(run[1 + 2 * side], run[2 + 2 * side])}
        left = counts[0] & counts[1]
        occurrences = marks.occurrences if marks else []
        by_errors = sorted(occurrences, key=lambda place: len(set(range(*place[1:])) - right))
        in_both = {place for place in by_errors if left[place[0]] > 0 and not left.subtract([place[0]])}
        found += [
            [name, keywords.phrases[place[0]], keywords.weights[place[0]], *place[1:], place in in_both]
            for place in occurrences
        ]
    return found


def keyword_rates(wanted: np.ndarray, predicted: np.ndarray, both: np.ndarray) -> Mapping[str, np.ndarray]:
    """Returns recall and precision, nan where no text has a phrase, and the number of phrases in the references."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "keyword_recall": both / wanted,
            "keyword_precision": both / predicted,
            "keywords": wanted.astype(np.int64),
        }
