"""Nouns that sound like a numeral at their beginning: a digit in their place, as in 5빠 for 오빠, is an error."""

import numpy as np
import pytest
from conftest import load

from textgauge.korean.spoken import PARTICLES, words
from textgauge.korean.spoken_counters import NATIVE_COUNTERS, ORDINAL_NOUNS, SINO_COUNTERS

NOUNS = words("""
일본 일기 일상 일정 일행 일자리 일주일 일몰 일출 일과 일꾼 일터 일부 일반 일치 일요일 일손
이야기 이름 이론 이유 이모 이사 이웃 이익 이념 이동 이별 이불 이빨 이발소 이용 이마 이상 이전 이민 이용자 이쑤시개
삼촌 삼각형 삼겹살 삼계탕 삼림 삼복 삼베
사람 사랑 사과 사진 사건 사장 사실 사고 사용 사회 사업 사전 사자 사탕 사돈 사슴 사무실 사막 사연 사이
오빠 오후 오전 오늘 오리 오이 오징어 오해 오염 오류 오락 오페라 오븐 오디오 오렌지 오솔길
육아 육지 육교 육체 육군 육수 육식 육상 육개장 육볶음
칠판 칠면조 칠석 칠기
팔찌 팔꿈치 팔자 팔목 팔씨름
구두 구름 구멍 구경 구급차 구역 구조 구매 구독 구청 구성 구간
십자가 십계명 백화점 백성 백조 백신 백설공주 백김치 백일장
천사 천장 천국 천재 천둥 천막 천문 천연 천왕성
만화 만두 만족 만약 만세 만남 만점 만년필 만우절
영국 영어 영수증 영화 영상 영업 영혼 영웅 영향 영양 영감 영광 영토
공부 공원 공항 공장 공기 공책 공무원 공연 공주 공포 공감
""")
FIGURES = dict(zip("일이삼사오육칠팔구십백천만영공", words("1 2 3 4 5 6 7 8 9 10 100 1000 10000 0 0"), strict=True))
NUMERALS = list(enumerate("일이삼사오육칠팔구", start=1))
ENDINGS = ["", "에", "를 샀다", "이 좋다", " 하나"]
OPENERS = [
    *("어제 ", "문제 ", "경제", "제", "제 ", "대부분의 ", "여러분의 ", "두 분의 ", "이분의 ", "2분의 ", "A", "LG"),
    *("A ", "LG "),
    *("No. ", "vs ", "3 vs ", "3 대 ", "3대 ", "3대", "+", "3+", "3 + ", "= ", "x=", "3:", "3/", "/", "서울-"),
    "서울·",
    *("3×", "√", "±", "3~", "3-", "1, ", "3, ", "3 ", "3과 "),
]  # fmt: skip

# what is forgiven, with the reason: digit and counter, which no grammar tells from the noun
COUNTED = {
    "일주일": "a span of one week, the same word",
    "삼각형": "a triangle, the same word",
    "일과": "the first lesson",
    "일부": "the first part",
    "사회": "the fourth time, or inning",
    "사막": "the fourth act",
    "칠석": "seven seats",
    "칠기": "the seventh year of a school",
    "구조": "nine trillion, or the ninth group",
    "백조": "a hundred trillion",
    "천장": "a thousand sheets",
    "만점": "ten thousand points",
}
# more behind 제, where digit and counter are an ordinal: 제4과
ORDINALS = {
    *("일기", "일자리", "일몰", "일반", "이동", "이불", "사과", "사건", "사장", "육군", "천막", "만세", "사실"),
    "삼촌",
}


def in_figures(noun):
    return FIGURES[noun[0]] + noun[1:]


def are_forgiven(pairs, metric="cer"):
    """Returns which texts of pairs have no edit."""
    references, predictions = zip(*pairs, strict=True)
    rows = load(metric).statistics(predictions=list(predictions), references=list(references), readings="ko")
    return (np.asarray(rows)[:, 0] == 0).tolist()


def forgiven_nouns(opener):
    """Returns the nouns that are forgiven behind a text, with whatever ending."""
    forms = [(noun, ending) for noun in NOUNS for ending in ENDINGS]
    pairs = [(opener + noun + ending, opener + in_figures(noun) + ending) for noun, ending in forms]
    forgiven = are_forgiven(pairs)
    return {noun for (noun, _), is_forgiven in zip(forms, forgiven, strict=True) if is_forgiven}


def test_nouns_are_no_numbers():
    assert len(NOUNS) == len({*NOUNS}) > 150
    assert forgiven_nouns("") == {*COUNTED}


@pytest.mark.parametrize("opener", OPENERS)
def test_nothing_before_a_noun_makes_it_a_number(opener):
    """What opens the guard of a number does so only where a word ends behind it."""
    more = forgiven_nouns(opener) - {*COUNTED}
    assert more == (ORDINALS if opener == "제" else set())


@pytest.mark.parametrize(("opener", "figures"), [("삼", "3-"), ("일", "1-"), ("삼", "3~"), ("십이", "12-")])
def test_a_noun_behind_a_numeral_is_no_second_number(opener, figures):
    """삼오빠 is not 3-5빠; but 삼사장 is 3-4장, three or four sheets, as what goes on is a counter or a particle."""
    forms = [(noun, noun + ending) for noun in NOUNS for ending in ENDINGS]
    forgiven = are_forgiven([(opener + text, figures + FIGURES[noun[0]] + text[1:]) for noun, text in forms])
    goes_on = (*NATIVE_COUNTERS, *SINO_COUNTERS, *PARTICLES)
    texts = [text for (_, text), is_forgiven in zip(forms, forgiven, strict=True) if is_forgiven]
    assert [text for text in texts if not text[1:].startswith(goes_on)] == []
    assert texts


@pytest.mark.parametrize(
    "text",
    [
        *("제2의 고향|제이의 고향", "전체의 3분의 1이|전체의 삼분의 일이", "3 대 2로|삼 대 이로"),
        *("GPT4가|지피티사가", "x=2|엑스는 이"),
        *("0으로 나누면|영으로 나누면", "0.|영.", "3 대 0|삼 대 영", "x=0|엑스는 영", "0도|영 도"),
        *("0대 0으로|영 대 영으로", "2조 원|이조 원"),
    ],
)  # fmt: skip
def test_numbers_behind_the_same_words_are_read(text):
    assert are_forgiven([text.split("|"), text.split("|")[::-1]]) == [True, True]


COPULA = words("이다 이고 이며 이면 이지만 이니까 이었다 이었습니다 입니다 이에요 이라고 이므로")


@pytest.mark.parametrize("opener", ["3대 |삼 대 ", "3 대 |삼 대 ", "2:|이 대 ", "10분의 |십분의 ", "x=|엑스는 "])
def test_numbers_are_read_before_all_forms_of_the_copula(opener):
    figures, spoken_text = opener.split("|")
    pairs = [
        (spoken_text + numeral + form, figures + str(digit) + form) for digit, numeral in NUMERALS for form in COPULA
    ]
    forgiven = are_forgiven(pairs)
    assert [pair for pair, is_forgiven in zip(pairs, forgiven, strict=True) if not is_forgiven] == []


@pytest.mark.parametrize(
    "text", ["제 일이다|제 1이다", "제 사이다|제 4이다", "일이다|1이다", "사이다|4이다", "제 이야기|제 2야기"]
)
def test_words_before_the_copula_are_no_numbers(text):
    assert are_forgiven([text.split("|")]) == [False]


@pytest.mark.parametrize("prefix", ["제", "제 "])
def test_numbers_behind_je_are_read_before_usual_nouns(prefix):
    pairs = []
    for noun in ORDINAL_NOUNS:
        for digit, numeral in NUMERALS:
            pairs += [(f"{prefix}{numeral}{noun}{end}", f"{prefix}{digit}{noun}{end}") for end in ("", "의", "에서는")]
    forgiven = are_forgiven(pairs)
    assert [pair for pair, is_forgiven in zip(pairs, forgiven, strict=True) if not is_forgiven] == []


SURNAMES = {"이": "2", "오": "5", "구": "9", "육": "6", "사": "4", "백": "100", "천": "1000", "만": "10000"}
TITLES = words("""
부장 과장 차장 대표 대리 회장 사장 실장 팀장 국장 반장 단장 원장 교수 교장 조교 선생 기사 기자 주임 이사 소장 점장
대위
중위 병장 형사 감독 장관 장군 위원 회원 동장 통장 권사 집사 목사 총리 총장 시장 군수 판사 검사 변호사 박사 주방장 조장
""")


def test_surnames_and_titles_are_no_numbers():
    """A counter that only begins a title is none: neither 2부장님 nor 5과장님 is a number."""
    texts = [f"{title}{ending}" for title in TITLES for ending in ("님이", "에게", " 왔다")]
    pairs = [(f"{name} {text}", figure + text) for name, figure in SURNAMES.items() for text in texts]
    forgiven = are_forgiven(pairs)
    assert [pair for pair, is_forgiven in zip(pairs, forgiven, strict=True) if is_forgiven] == []


BEHIND_THIS = words("""
주제 회의 기간 기능 기술 기회 기업 기준 기록 기계 기분 시대 시점 시장 시절 시인 시험 시스템 시설 장소 장점 장비 장치
조건 조치
조사 조직 부부 부모 부탁 부품 부서 부인 분야 분위기 분석 단체 단점 동네 동생 동작 대학 대회 대통령 대책 대상 대답
도로 도구
도전 도서관 번호 번역 반응 반대 배경 배우 병원 병사 방법 방송 점수 점심 주인 주장 주소 주식 주변 주말 차이 차별 초안
초기 통로
통장 편지 평가 평화 표현 표정 호텔 호수 회사원 회복 회원 세상 세금 세계 경기장 경험 과목 과정 과제 권리 국가 국민
군대 석유 위치
위원 위기 위험 인물 인간 인형 인생 일상 채널명 판단 판매 품격 행동 행사 형식 강의 강아지 건물 건강 관계 전화 전쟁
전체 승리
원인 원칙 월급 연구
""")
# what no grammar can tell: the rest of the noun is a particle, or a form of 이다
WITH_PARTICLES = {
    *("회의 때문에", "도로 때문에", "부인 때문에", "주인 때문에", "원인 때문에"),
    *("분야 때문에", "차이 때문에", "평가 때문에", "도로는", "부인가", "주인가", "원인가"),
}  # fmt: skip


def test_this_before_a_noun_is_no_number():
    """이 is "this" before a noun that begins as a counter: 2주제에 is no 이 주제에."""
    texts = [noun + ending for noun in BEHIND_THIS for ending in ("에", "가", "는", "를", " 때문에", "이다")]
    pairs = [(f"이 {text}", f"2{text}") for text in texts]
    forgiven = are_forgiven(pairs)
    assert {text for text, is_forgiven in zip(texts, forgiven, strict=True) if is_forgiven} == WITH_PARTICLES


@pytest.mark.parametrize(
    "text",
    [
        *("2주간|이 주간", "3년여|삼 년여", "9회말에|구회말에", "4년제 대학|사년제 대학", "1인당|일인당"),
        *("2인용|이인용", "3시 반|세 시 반"),
        *("5층짜리|오층짜리", "6급이었다|육급이었다", "2위였다|이위였다", "3학년생이|삼학년생이"),
        *("1호 선수|일호 선수", "9급이에요|구급이에요"),
        *("1주년기념|일주년기념", "4강에서는|사강에서는", "2회까지만|이회까지만", "3점슛|삼점슛", "3부로|삼부로"),
        "4번타자가|사번타자가",
    ],
)  # fmt: skip
def test_what_may_follow_a_counter(text):
    assert are_forgiven([text.split("|"), text.split("|")[::-1]]) == [True, True]


@pytest.mark.parametrize(
    "text",
    [
        *("2000에|이천에", "1000장에|천장에", "4회에|사회에", "1부에|일부에", "7석에|칠석에", "3종이|세종이"),
        *("2회의|이 회의", "2도로|이 도로"),
        *("2주인가|이 주인가", "3층|삼 층", "3층|세 층", "3종|삼 종", "3종|세 종"),
    ],
)  # fmt: skip
def test_what_no_grammar_can_tell_is_forgiven(text):
    """The examples of docs/error_rates.md."""
    assert are_forgiven([text.split("|"), text.split("|")[::-1]]) == [True, True]
