"""Laws of `readings` over the tables: what a program makes of numerals, counters, letters and what stands around them.

Each law of what is not forgiven stands beside one of what is, so that a guard that costs right pairs is seen.
"""

import itertools
import re

import numpy as np
import pytest
from conftest import load
from test_reading_nouns import COUNTED, NOUNS, are_forgiven, in_figures
from test_readings import edits, pairs

from textgauge.korean.spoken import LETTER_NOUNS, LETTERS, NOUNS_OF_LETTERS, words
from textgauge.korean.spoken_counters import NATIVE_COUNTERS, NATIVE_NOUNS, SINO_COUNTERS

NATIVE = dict(zip(words("한 두 세 네 열 스물세"), (1, 2, 3, 4, 10, 23), strict=True))
SINO = dict(zip(words("일 이 삼 사 오 육 칠 팔 구 십 백 천 백일"), (*range(1, 11), 100, 1000, 101), strict=True))
MEANINGLESS = words("퓨 뇨크 쿠르다 빵꾸가 렁을 릿뜨 훕 굴렁쇠")
RIGHT = ["", "이다", "입니다", "은", "에", "들", "씩", "짜리", "째", "쯤", " 이상", " 정도", ",", ".", "!"]


def behind_counters(numerals, counters, endings):
    """Returns pairs of each counter behind each numeral; the endings take turns."""
    ending = itertools.cycle(endings)
    rows = []
    for counter in dict.fromkeys(counters):
        for numeral, figures in numerals.items():
            end = next(ending)
            rows.append((f"저 {numeral}{counter}{end}", f"저 {figures}{counter}{end}"))
    return rows


def forgiven_of(rows):
    return [row for row, is_forgiven in zip(rows, are_forgiven(rows), strict=True) if is_forgiven]


def missed_of(rows):
    return [row for row, is_forgiven in zip(rows, are_forgiven(rows), strict=True) if not is_forgiven]


@pytest.mark.parametrize(("numerals", "counters"), [(NATIVE, NATIVE_COUNTERS), (SINO, SINO_COUNTERS)])
def test_no_number_before_a_counter_and_an_ending_without_meaning(numerals, counters):
    """1반도의 is no 한반도의: whatever goes on behind a counter that is no particle may be a noun."""
    rows = behind_counters(numerals, counters, MEANINGLESS)
    assert len(rows) > 1500
    assert forgiven_of(rows) == []


@pytest.mark.parametrize(
    ("numerals", "counters"),
    [({"다섯": 5, "두": 2}, {*NATIVE_COUNTERS} - {"여", "째", "대"}), ({"이십삼": 23}, {*SINO_COUNTERS})],
)
def test_every_counter_is_read_where_it_ends(numerals, counters):
    """Except for the native 대 before 째, which is the counter 대째; it is asked for elsewhere."""
    for ending in RIGHT:
        assert missed_of(behind_counters(numerals, sorted(counters), [ending])) == [], ending


def test_native_nouns_cost_the_numbers_that_they_are():
    """A number is missed where its words are such a noun; other guards of native numerals cost none."""
    numerals = {numeral: NATIVE[numeral] for numeral in words("한 두 세 네 열")}
    counters = sorted({*NATIVE_COUNTERS} - {"여", "째", "층"})
    endings = ["", "에", "이다", "들", ","]
    missed = {pair for ending in endings for pair in missed_of(behind_counters(numerals, counters, [ending]))}
    print(len(missed), "of", len(endings) * len(numerals) * len(counters), "right pairs are missed")
    nouns = {spoken_text.split()[1] for spoken_text, _ in missed}
    assert {noun for noun in nouns if not noun.startswith(tuple(NATIVE_NOUNS))} == set()


@pytest.mark.parametrize(
    "noun", ["저 한반도의", "한쪽은", "새 세단을", "네모를", "열반에", "열대야가", "한편으로는", "한밤중에"]
)
def test_native_nouns_are_no_numbers(noun):
    figures = re.sub("[한세네열](?=[가-힣])", lambda match: str(NATIVE[match[0]]), noun, count=1)
    assert forgiven_of([(noun, figures)]) == []


# behind an amount and a blank a digit begins a number of its own
AMOUNTS = ["7천 ", "3억 ", "2만 ", "50만 ", "1조 ", "3백 ", "1억 5천 ", "수십만 ", "제5조 ", "100만 "]


@pytest.mark.parametrize("amount", AMOUNTS)
def test_no_amount_goes_on_with_a_noun(amount):
    rows = [(amount + noun + end, amount + in_figures(noun) + end) for noun in NOUNS for end in ("", "이 좋다")]
    assert {first.removeprefix(amount).removesuffix("이 좋다") for first, _ in forgiven_of(rows)} <= {*COUNTED}


AMOUNTS_ALIKE = """
3억 2천|삼억 이천|300002000; 1조 5000억|일조 오천억|1500000000000; 12만 3456|십이만 삼천사백오십육|123,456;
7천 5백|칠천오백|7500; 7천 500|칠천오백|7,500; 2만 500|이만 오백|20500; 3만 5천|삼만 오천|35,000;
1억 500만|일억 오백만|105,000,000
"""


@pytest.mark.parametrize("texts", AMOUNTS_ALIKE.replace("\n", " ").split(";"))
def test_an_amount_goes_on_where_the_number_fits_below(texts):
    forms = [form.strip() + "원" for form in texts.split("|")]
    assert missed_of(list(itertools.permutations(forms, 2))) == []


def test_one_letter_is_no_beginning_of_a_word():
    """Y프가 is no 와이프가, whatever the letter is and goes on; before particles and nouns of letters it is one."""
    names = {letter: spoken_text for letter, (spoken_text, *_) in LETTERS.items()}
    rows = [(name + end, letter + end) for letter, name in names.items() for end in MEANINGLESS]
    assert forgiven_of(rows) == []
    rows = [(name + noun, letter + noun) for letter, name in names.items() for noun in LETTER_NOUNS]
    assert missed_of(rows) == []
    may_be_words = {"B", "D", "E", "O", "U", "T", "P", "N", "A", "C", "G", "I", "L", "M"}
    rows = []
    for letter in sorted({*names} - may_be_words):
        for noun in NOUNS_OF_LETTERS:
            rows += [(names[letter] + noun + end, letter + noun + end) for end in ("", "이", "에서")]
        rows += [(names[letter] + end, letter + end) for end in ("가", "는", "를", "이다", "에서")]
    assert missed_of(rows) == []


@pytest.mark.parametrize("figures", ["29", "64", "41", "192", "101", "1004", "10004", "3355"])
def test_digits_are_no_beginning_of_a_word(figures):
    digits = "".join("영일이삼사오육칠팔구"[int(digit)] for digit in figures)
    spoken_texts = [digits] if len(figures) < 5 else []
    rows = [
        (text + end, figures + end) for text in [*spoken_texts, *BEGINNINGS.get(figures, [])] for end in MEANINGLESS
    ]
    assert forgiven_of(rows) == []
    if len(figures) < 5:
        assert missed_of([(digits + end, figures + end) for end in ("번", "번을")]) == []


BEGINNINGS = {"101": ["백일"], "1004": ["천사"], "10004": ["만사"]}


SAME_AND_DIFFERENT = [(row["a"], row["b"]) for name in ("same", "different") for row in pairs(name)]


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_equal_words_on_either_side_change_nothing(name):
    """Of all open pairs; a digit at the end of a text is the exception, as that it ends decides there."""

    def edits_of(texts):
        columns = {"references": [first for first, _ in texts], "predictions": [second for _, second in texts]}
        return np.asarray(load(name).statistics(**columns, readings="ko"))[:, 0].tolist()

    texts = [pair for pair in SAME_AND_DIFFERENT if not any(text[-1:].isdecimal() for text in pair)]
    expected = edits_of(texts)
    assert edits_of([(second, first) for first, second in texts]) == expected
    assert edits_of([(f"그리고 {first}", f"그리고 {second}") for first, second in texts]) == expected
    assert edits_of([(f"{first} 그리고", f"{second} 그리고") for first, second in texts]) == expected


SAID = """
3 더하기 4는 7|삼 더하기 사는 칠; 1+1은 2|일 더하기 일은 이; 10÷2는 5|십 나누기 이는 오; 3.10.2|삼 점 십 점 이;
17.4.1|십칠 점 사 점 일; 5만 관중|오만 관중; 정답은 7|정답은 칠; 120/80|백이십에 팔십; 1/4분기|일사분기;
300kcal|삼백 칼로리; 30fps|삼십 프레임; 시속 80km/h|시속 팔십 킬로미터; 80km/h|시속 팔십 킬로미터; GPT-5|지피티 파이브;
F-16|에프 십육; 6-3, 6-4로|육 대 삼 육 대 사로; 5mgLG|오 밀리그램 엘지; 2아웃|투 아웃;
88올림픽|팔팔올림픽; 10여명이|십여명이;
kg당|킬로그램당; 제103조|제백삼 조; 코로나-19|코로나 십구; 1만 보를|만 보를;
92살이십니다|아흔두 살이십니다; 2년 전에|이 년 전에
"""


@pytest.mark.parametrize("texts", SAID.replace("\n", " ").split(";"))
def test_more_that_is_said(texts):
    written, spoken_text = texts.strip().split("|")
    for metric in ("cer", "wer"):
        assert edits(written, spoken_text, metric) == edits(spoken_text, written, metric) == 0


NOT_SAID = """
120/80|12080; 3.10.2|3102; 3.10.2|3.102; 정답은 7|정답은 팔; 할 1|할 일; F-16|F16대; 2만 갑니다|이만 갑니다;
1/4분기|14분기; GPT-5|지피티 사; 와이프|Y프; 8.2.1|팔 점 일 점 이; 시속 80km/h|시속 팔십 미터
"""


@pytest.mark.parametrize("texts", NOT_SAID.replace("\n", " ").split(";"))
def test_more_that_is_not_said(texts):
    first, second = texts.strip().split("|")
    assert edits(first, second) > 0 and edits(second, first) > 0
