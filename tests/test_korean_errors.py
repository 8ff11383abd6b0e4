"""What the errors of Korean text concern, against a slow version that looks at one edit after the other."""

import itertools
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.edits.distances import align
from textgauge.error_rates import korean_errors

PIECES = [
    "가 3시에",
    "세 개를",
    "삼백",
    "3",
    "이십일",
    "21",
    "에서",
    "는",
    "가",
    "닭",
    "닥",
    "_",
    ".",
    " ",
    "½",
    "\u0301",
]
SENTENCE = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def slow_errors(runs, reference, prediction):
    counts = [0] * 6
    endings = ending_positions(reference), ending_positions(prediction)
    for group in split(runs, lambda run: run[0] == "equal" and not all(map(is_numeral, reference[run[1] : run[2]]))):
        a, b, c, d = bounds(group)
        is_number = has_both_forms(reference[a:b], prediction[c:d]) or has_both_forms(prediction[c:d], reference[a:b])
        for block in split(group, lambda run: run[0] == "equal"):
            a, b, c, d = bounds(block)
            for i, j in partners(reference[a:b], prediction[c:d]):
                characters = [text[at] for text, at in ((reference[a:b], i), (prediction[c:d], j)) if at is not None]
                is_ending = (i is None or a + i in endings[0]) and (j is None or c + j in endings[1])
                counts[part(characters, is_number, is_ending)] += 1
    return counts


def part(characters, is_number, is_ending):
    if any(character.isspace() for character in characters):
        return 0
    if any(unicodedata.category(character)[0] not in "LMN" for character in characters):
        return 1
    if is_number and any(map(is_numeral, characters)):
        return 2
    if is_ending:
        return 3
    return 4 if len(characters) == 2 and differ_in_one_jamo(*characters) else 5


def split(runs, is_between):
    return [list(group) for between, group in itertools.groupby(runs, is_between) if not between]


def bounds(runs):
    return runs[0][1], runs[-1][2], runs[0][3], runs[-1][4]


def partners(left, right):
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    by_part = sorted(range(len(longer)), key=lambda at: (part([longer[at]], False, False), -at))
    alone = set(by_part[: len(longer) - len(shorter)])
    numbers = itertools.count()
    pairs = [(at, None if at in alone else next(numbers)) for at in range(len(longer))]
    return pairs if longer is left else [(j, i) for i, j in pairs]


def ending_positions(text):
    positions = set()
    for match in re.finditer(r"\w+", text):
        start, end = match.span()
        for first in range(start + 1, end):
            if text[first:end] in korean_errors._ENDINGS:
                positions.update(range(first, end))
                break
    return positions


def has_both_forms(with_digits, with_words):
    return any(map(is_number, with_digits)) and not korean_errors._NUMERALS.isdisjoint(with_words)


def is_numeral(character):
    return is_number(character) or character in korean_errors._NUMERALS


def is_number(character):
    return unicodedata.category(character)[0] == "N"


def differ_in_one_jamo(first, second):
    if not all("가" <= character <= "힣" for character in (first, second)):
        return False
    jamo = [unicodedata.normalize("NFD", character).ljust(3) for character in (first, second)]
    return sum(a != b for a, b in zip(*jamo, strict=True)) == 1


@pytest.mark.parametrize(
    ("pair", "index"),
    [("가각", 4), ("힢힣", 4), ("힣힟", 4), ("\uabe2가", 5), ("힣\ud7b0", 5), ("가힣", 5), ("가갸", 4)],
)
def test_the_first_and_the_last_syllable(pair, index):
    for reference, prediction in (pair, pair[::-1]):
        counts = korean_errors.locate_errors([reference], [prediction], [[(1, 1, 0)]]).tolist()
        assert counts == [[int(place == index) for place in range(6)]]


@pytest.mark.parametrize("from_runs", [False, True])
@given(st.lists(st.tuples(SENTENCE, SENTENCE) | st.tuples(TEXT, TEXT), max_size=5))
def test_parts(from_runs, pairs):
    sides = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    runs = [align(*pair) for pair in pairs]
    blocks = map(korean_errors.blocks_of, runs) if from_runs else map(korean_errors.equal_blocks, *sides)
    found = korean_errors.locate_errors(*sides, blocks)
    assert found.shape == (len(pairs), 6)
    assert found.tolist() == [slow_errors(of_pair, *pair) for of_pair, pair in zip(runs, pairs, strict=True)]
