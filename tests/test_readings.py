"""The option `readings` of cer and wer: a slow version, pairs of texts that are read alike and that are not, edges.

The pairs were written for this project by one careful reader; 14 of those here follow tests of NeMo-text-processing
(Apache-2.0), and 11 are outputs of a public inverse normaliser, as their notes and categories say.
"""

import itertools
import json
import re
import sys
import unicodedata

import oracles
import pytest
from conftest import ROOT, examples, load
from hypothesis import assume, given
from hypothesis import strategies as st
from reading_paths import all_paths, are_few, same_character, same_word, words_of

from textgauge.edits.network_edits import nearest_paths
from textgauge.error_rates.phrases.number_signs import differing_signs
from textgauge.korean.notations import find_notations
from textgauge.korean.numerals import approximate, sino_text, value_of
from textgauge.korean.reading_networks import read_network
from textgauge.korean.reading_tables import read_readings
from textgauge.korean.reading_trees import BLANK, Notation, canonical_text
from textgauge.korean.reading_words import WORD_CLEANING, WORD_EQUALITY, word_network
from textgauge.korean.readings import Cleaning, read_texts

OUTSIDE = {"english_word", "acronym_word", "hanja", "email_url"}  # for a user's own table


def pairs(name):
    rows = [json.loads(line) for line in (ROOT / f"tests/data/readings_{name}.jsonl").read_text("utf-8").splitlines()]
    return [{**row, **{key: unicodedata.normalize("NFC", row[key]) for key in "ab"}} for row in rows]


def edits(prediction, reference, metric="cer", **options):
    texts = {"predictions": [prediction], "references": [reference]}
    return load(metric).compute(**texts, **{"readings": "ko", **options})["edits"]


FRAGMENTS = st.sampled_from([
    *("3개", "세 개", "삼 개", "20%", "이십 프로", "이십", "LG", "엘지", "E메일", "이메일", "2 ", "이 ", "3~4명"),
    *("서너 명", "$5", "오 달러", "5km", "5kg", "오 킬로", "1004", "천사", "만", "10000", "1/2", "이분의 일"),
    *("25℃", "0.5", "6월", "유월", "가", "나 ", " ", "T1", "."),
])  # fmt: skip
TEXT = st.lists(FRAGMENTS, max_size=3).map("".join)


@pytest.mark.parametrize("metric", ["cer", "wer"])
@pytest.mark.parametrize("context", ["S{}", "{}G", "B{} 용지", "PS{} 출시", "A{}B", "{}+{}", "제V{}호"])
def test_no_digit_is_another_one_beside_letters(context, metric):
    """오 is said for 0 in English and is 5 in Korean; so are digits in other places."""
    for first, second in itertools.permutations("0123456789", 2):
        assert edits(context.replace("{}", first), context.replace("{}", second), metric) > 0, (first, second)


@examples(2)
@given(TEXT, TEXT)
def test_fewest_edits_of_all_readings(first, second):
    cleaning = Cleaning("remove", "keep", "syllable", "keep")
    texts = read_texts([first, second], read_readings("ko"), cleaning)
    assume(are_few(texts))
    paths = [[[c for c in path if c[0] != BLANK] for path in all_paths(text)] for text in texts]
    paths = [list(dict.fromkeys(map(tuple, side))) for side in paths]
    networks = [read_network(text, cleaning)[0] for text in texts]
    edits = oracles.edits_of_readings(*paths, same_character)
    for pair, likely in itertools.product((networks, networks[::-1]), (0, 16)):
        steps = nearest_paths(*pair, likely=likely)
        assert sum(kind != "equal" for kind, _, _ in steps) == edits


SIGNS = "0123456789  ,.:/~-+·×=%$°℃²½√#&()가개월년일시분원만조대번제천영EUkmgTⅢ③"


@given(st.text(SIGNS, max_size=12), st.text(SIGNS, max_size=12))
def test_any_signs(first, second):
    """Whatever the notations are, a text is read like itself, and the order of two texts changes nothing."""
    for name in ("cer", "wer"):
        assert edits(first, first, metric=name) == 0
        assert edits(first, second, metric=name) == edits(second, first, metric=name)


@examples(1.5)
@given(TEXT, TEXT)
def test_fewest_word_edits_of_all_readings(first, second):
    texts = read_texts([first, second], read_readings("ko"), WORD_CLEANING)
    assume(are_few(texts))
    paths = [list(dict.fromkeys(tuple(words_of(path)) for path in all_paths(text))) for text in texts]
    steps = nearest_paths(*map(word_network, texts), WORD_EQUALITY)
    assert sum(kind != "equal" for kind, _, _ in steps) == oracles.edits_of_readings(*paths, same_word)


def test_what_is_read_alike_is_equal():
    rows = [row for row in pairs("same") if row["category"] not in OUTSIDE]
    right = [row["id"] for row in rows if edits(row["b"], row["a"]) == 0]
    assert len(right) / len(rows) >= 0.95
    for row in rows:
        assert edits(row["b"], row["a"]) == edits(row["a"], row["b"]), row


ALIKE = """
21살|스물한 살; 105명|백다섯 명; 105명|백오 명; 2개월|이 개월; 1층|일 층; 제1회|제일 회; 3,500만 원|삼천오백만 원;
1억 2천만 원|일억 이천만 원; 0.5초|영 점 오 초; 1.5배|일 점 오 배; 2/3가|삼분의 이가; ½|이분의 일;
30%p|삼십 퍼센트포인트; 10/31|시월 삼십일 일; 3·1 운동|삼일 운동; 5·18|오일팔; 9:05|아홉 시 오 분;
오전 10시 30분|오전 열 시 삼십 분; 2시간 30분|두 시간 삼십 분; 119에 신고|일일구에 신고; 15학번|일오 학번;
15학번|십오 학번; 302호|삼백이 호; 100m|백 미터; 30㎝|삼십 센티; 1kWh|일 킬로와트시; 5ℓ|오 리터; 50평|오십 평;
€20|이십 유로; 100USD|백 달러; 영상 20도|영상 이십 도; KBS 뉴스|케이비에스 뉴스; SNS에|에스엔에스에;
IT 기업|아이티 기업; AI 기술|에이아이 기술; 5G|오지; 5G|파이브지; 4K|포케이; 3D|삼디; WTO|더블유티오; Ⅳ장|사 장;
첫째|첫째; 1번째|첫 번째; 2번째|두 번째; 20번째|스무 번째; 제2의|제이의; 5~6명|대여섯 명; 5~6월|오뉴월; 2~3배|두세 배;
10~20대|십에서 이십 대; 10~20대|일이십 대; 1:3으로|일 대 삼으로; 16:9|십육 대 구; 20여 명|이십여 명; 수백 명|수백 명;
30여 년|삼십여 년; 0도|영 도; 0원|영 원; A4 용지|에이포 용지; A/S|에이에스; 1,000만 명|천만 명; 1만 5000명|만 오천 명;
3천 명|삼천 명; 2천5백 원|이천오백 원; 4차 산업|사 차 산업; 1인당|일인당; 3인 가족|삼 인 가족; 50대 남성|오십 대 남성;
2대|두 대; 제3장|제삼 장; 12월 25일|십이월 이십오 일; 2000년대|이천 년대; 90년대|구십 년대; 3년째|삼 년째;
60대 40|육십 대 사십; 2분의 1|이분의 일; 100%|백 퍼센트; 100 %|백 퍼센트; 17시|십칠 시; 1 대 1|일 대 일; Q&A|큐앤에이;
K팝|케이팝; U-20|유 이십; U-20|유이십; MP3|엠피쓰리; PS5|피에스파이브; F-16|에프 십육; B형 간염|비형 간염; O형|오형;
2×3=6|이 곱하기 삼은 육; 2+3=5|이 더하기 삼은 오; x=2|엑스는 이; 300만 달러|삼백만 달러; 12,345|만 이천삼백사십오;
1.75%|일 점 칠오 퍼센트; 3.14159|삼 점 일사일오구; -0.3%|마이너스 영 점 삼 퍼센트; +2.5%|플러스 이 점 오 퍼센트;
6·25 전쟁|육이오 전쟁; 8.15 광복절|팔일오 광복절; 3·1절|삼일절; 1~5번|일에서 오 번; 3~5개|세 개에서 다섯 개;
3~5일|삼 일에서 오 일; 2018~2020년|이천십팔에서 이천이십 년; PM 2.5|피엠 이 점 오; 9월 9일|구월 구일;
11:30~12:00|열한 시 삼십 분에서 열두 시; 약 3,000개|약 삼천 개; 주 52시간|주 오십이 시간; 3박 4일|삼박 사일;
1.2ℓ|일 점 이 리터; 2L|이 리터; 500원짜리|오백 원짜리; 1등|일 등; 7시경|일곱 시경; 10개씩|열 개씩; 100여 곳|백여 곳;
60분|육십 분; 3점 슛|삼 점 슛; 27도|이십칠 도; 밥 2공기|밥 두 공기; 빵 4조각|빵 네 조각; 아파트 2동|아파트 두 동;
6개월|여섯 개월; 3루타|삼루타; 2골|두 골; 4강전|사강전; 5성급 호텔|오성급 호텔; 2학기에|이 학기에;
09:30~18:00|아홉 시 삼십 분에서 열여덟 시; KE123편|케이이 일이삼 편; KTX 101|케이티엑스 백일; 7nm 공정|칠 나노 공정;
32평|서른두 평; 1000엔|천 엔; C언어|시 언어; Z세대|제트 세대; e스포츠|이스포츠; U턴|유턴; 30여 명|서른여 명;
오전 9시~오후 6시|오전 아홉 시에서 오후 여섯 시; VK|브이케이; CD를 샀다|시디를 샀다; 3층집|삼층집;
5월에결혼|오월에결혼; 2차대전|이차대전; 1등이야|일등이야; 9회말|구회말; 3국 시대|삼국 시대; 2승 1무 3패|이승 일무 삼패;
2000에|이천에; 1000장에|천장에; CC|씨씨; 2쪽을|이 쪽을; 5전 3승|오전 삼승; 6자회담|육자회담; 2단계|두 단계;
2단계|이 단계; 6기통|육기통; 10매|십 매; 고기 2근|고기 두 근; (02)123-4567|공이 일이삼에 사오육칠; G7 국가|지칠 국가;
2학기|두 학기; 5층|다섯 층; 4륜구동|사륜구동; 5곡밥|오곡밥; 12지신|십이지신; 4남매|사남매; 4타수 3안타|사타수 삼안타;
금 13, 은 9, 동 10개|금 십삼 은 구 동 열 개; 1번째|한 번째
"""


@pytest.mark.parametrize("pair", ALIKE.replace("\n", " ").split(";"))
def test_more_that_is_read_alike(pair):
    written, spoken = pair.strip().split("|")
    assert edits(spoken, written) == edits(written, spoken) == 0


NOT_ALIKE = """
사건이|4건이; 이건|2건; 두근거린다|2근거린다; 오리가|5리가; 일행이|1행이; 구매를|9매를; 사자가|4자가; 이쪽|2쪽;
사전에|4전에;
한층 더|1층 더; 세종대왕|3종대왕; 열정|10정; 열매|10매;
이 페이지를 보면|2 페이지를 보면; 이 회사 다녀|2 회사 다녀; 이 나라의|2 나라의; 사람이면 누구나|사람2면 누구나;
이 강을 건너|2 강을 건너; 이 사람이야|2 사람이야; 이 개는|2 개는; 일 층계|1 층계; 오이 무침|52 무침;
구두 신발|9두 신발; 오늘 만나|5늘 만나; 사과 먹자|4과 먹자; 삼촌 집|3촌 집; 이모 왔다|2모 왔다; 사장님|4장님;
오전에|5전에; 이전에|2전에; 일단 가자|1단 가자; 일정 확인|1정 확인; 이상한|2상한; 삼각형|3각형을;
이동 중|2동 중; 이번 주|2번 주; 이번에|2번에; 일본 여행|1본 여행; 사이에|42에; 백화점|100화점; 천천히|1000천히;
만약에|10000약에; 구경 가자|9경 가자; 십자가|10자가; 이해가|2해가; 이용해서|2용해서; 오리 고기|5리 고기;
육개장|6개장; 칠판에|7판에; 팔찌|8찌; 한국에서|1국에서; 두부|2부; 세수하고|3수하고; 네 맞아요|4 맞아요;
열심히|10심히; 다섯 명|5시 명; 이기다|2기다; 이 시 읽어|2시 읽어; 이사 갔어|24 갔어; 일이 바빠|12 바빠;
오만 상상|50000 상상; 조금만|조금10000; 하지만|하지10000; 그만해|그10000해; 이 세상|2 세상;
일 년 내내|이 년 내내; 이 분이|2 분이; 이 집|2 집; 이 차|2 차; 이 길|2 길; 이 문제|2 문제; 이 영상|0상;
오 마이갓|5 마이갓; 아이 귀여워|I 귀여워; 티를 샀다|T를 샀다; 유지하다|UG하다; 지지 마|GG 마; 이제|E제;
비가 온다|B가 온다; 시를 썼다|C를 썼다; 알을 낳다|R을 낳다; 한 시|2시; 팔 킬로|80km; 삼천 원|3만 원; 칠 월|6월;
두 개|3개; 백 미터|100km; 일대일|1대2; 오 퍼센트|5도; 십오 일|50일; 이십 분|12분; 삼분의 이|2분의 3;
마이너스 오|5; 영하 삼 도|3도; 에이 팀|B팀; 시월 이일|10월 1일; 공일공 일이삼사 오육칠팔|010-1234-5679;
VK|비케이; MV|엠비; V넥|비넥; SUV|에스유비; CB를 걸다|시비를 걸다; BG찌개|비지찌개;
1부러|일부러; 00 기관|공공 기관; G9는|지구는; 1000국에|천국에; 6수를|육수를; 4회적|사회적; 9급차|구급차; 4무실|사무실;
3월요일|삼월요일; 3대교체|세대교체; 2통약|두통약; 6교로|육교로; 5심|오심; 2보다|이보다; 4이다|사이다; 1입니다|일입니다;
2U|이유; G4|지사; C4|시사; U1|유일; P9|피구; GC|지시; BU|비유; RG|알지; 2불|이불; 1자리|일자리; 1여|일여;
세 번째|3번; 첫 번째|2번째; 이백오 호|205동; 삼일절|3·2절
"""


@pytest.mark.parametrize("pair", NOT_ALIKE.replace("\n", " ").split(";"))
def test_more_words_that_are_no_numbers(pair):
    first, second = pair.strip().split("|")
    assert edits(first, second) > 0 and edits(second, first) > 0


OTHER_MARKS = "3.1|31; 3.15|315; 4.19|419; 6.25|625; 12.12|1212; 3·4|34; 2-0|20; 3-4|34; 1:3|13; 1~3|13; 1/2/3|123"


@pytest.mark.parametrize("pair", OTHER_MARKS.split("; "))
def test_marks_inside_numbers_are_no_reading(pair):
    """Days are read digit by digit, and scores without their sign, but 3.15 is no 315 and 2-0 no 20."""
    first, second = pair.split("|")
    for options in ({}, {"preset": "jiwer"}, {"metric": "wer"}):
        assert edits(first, second, **options) > 0 and edits(second, first, **options) > 0


FORMS = """
±5|플러스 마이너스 오; ±5%|플러스마이너스 오 퍼센트; C#|씨샵; No.1|넘버원;
No. 3|넘버 삼; №5|넘버 파이브; ㈜한국|주식회사 한국; 한국(주)|한국 주식회사;
3 vs 2|삼 대 이; 5$|오 달러; 100€|백 유로; ￦1000|천 원;
￥500|오백 엔; 50¢|오십 센트; 100￦|백 원; 50KG|오십 킬로그램;
5Km|오 킬로미터; 10ML|십 밀리리터; 100KB|백 킬로바이트; 60HZ|육십 헤르츠;
10㎸|십 킬로볼트; 10㎛|십 마이크로미터; 10㎍|십 마이크로그램; 10㏊|십 헥타르;
10㎢|십 제곱킬로미터; 10㎤|십 세제곱센티미터; 80Km/h|시속 팔십 킬로미터; 루이 XIV세|루이 십사 세;
제II장|제이 장; 수학 II|수학 이; 수학 II|수학 투; III부|삼부;
XX 염색체|엑스엑스 염색체; X세대|엑스세대; V자|브이자; I장|일 장;
파이널 판타지 VII|파이널 판타지 칠; 5 GBP|오 파운드; A$20|이십 호주달러; 11:30~12:00|열한 시 삼십 분부터 열두 시까지;
9시 ~ 6시|아홉 시부터 여섯 시까지; 3~5일|삼 일부터 오 일까지; 10~20%|십에서 이십 퍼센트까지; 월~금|월부터 금까지;
서울~부산|서울에서 부산까지; 월요일~금요일|월요일에서 금요일; 2024 KT 위즈|이천이십사 케이티 위즈; ⓪|영;
⑯번|십육 번; ㊿번|오십 번; ❸번|삼 번; ⅻ장|십이 장;
⅗|오분의 삼; ⅐|칠분의 일; ⅞컵|팔분의 칠 컵; ٣개|세 개;
३개|세 개; 𝟑개|세 개; 3️⃣번|삼 번; C++|씨 플러스 플러스;
C++을|시쁠쁠을; 4선승제|사선승제; 서울~부산 구간|서울부터 부산까지 구간; 10⁴|십의 네제곱;
H₂O|에이치투오
"""


@pytest.mark.parametrize("pair", FORMS.replace("\n", " ").split(";"))
def test_other_forms(pair):
    """Signs of Unicode, cases of units, other digits, Roman numerals in letters, and what ~ means."""
    written, spoken = pair.strip().split("|")
    assert edits(spoken, written) == edits(written, spoken) == 0
    assert edits(spoken, written, metric="wer") == 0


def test_forms_are_the_same_notations():
    """All digits and units that Unicode has are looked for, and none of two units is taken for the other."""
    for code in range(sys.maxunicode + 1):
        if chr(code).isdecimal():
            assert edits(f"{unicodedata.decimal(chr(code))}개", f"{chr(code)}개") == 0, hex(code)
    assert (
        edits("5MV", "5 밀리볼트") > 0
        and edits("5MPa", "5 밀리파스칼") > 0
        and edits("2024 KT", "이천이십사 케이티") == 0
    )


def test_other_words_are_errors():
    rows = [row for row in pairs("different") if row["kind"] == "other_words"]
    assert [row["id"] for row in rows if edits(row["b"], row["a"]) == 0] == []
    for row in rows:
        assert edits(row["b"], row["a"]) == edits(row["a"], row["b"]), row


def test_words_that_sound_like_numbers_stay_words():
    rows = [row for row in pairs("different") if row["kind"] == "homograph"]
    forgiven = [row["id"] for row in rows if edits(row["b"], row["a"]) == 0]
    assert len(forgiven) / len(rows) <= 0.05, forgiven


@pytest.mark.parametrize(("reference", "length"), [
    ("20%", 5), ("이십퍼센트", 5), ("2024년", 6), ("3시", 2), ("세 시", 2), ("3개", 2), ("010-1234-5678", 11),
    ("이십 프로", 4), ("LG", 2), ("$30억", 5), ("3~4명", 3), ("25℃", 4), ("10000", 1), ("10,000원", 2),
])  # fmt: skip
def test_the_reference_alone_decides_the_length(reference, length):
    for prediction in ("", reference, "전혀 다른 말 20%"):
        result = load("cer").compute(predictions=[prediction], references=[reference], readings="ko")
        assert result["reference_length"] == length


def spelled(text):
    """Returns a text with each notation as its canonical reading."""
    return "".join(
        canonical_text(piece.tree) if isinstance(piece, Notation) else piece for piece in find_notations(text)
    )


def test_the_order_of_systems_does_not_depend_on_the_notation():
    """One system writes digits and errs twice; the other spells numbers out and never errs."""
    lines = (ROOT / "scripts/data/ko_asr_like_sample.jsonl").read_text("utf-8").splitlines()
    references = [json.loads(line)["reference"] for line in lines]
    assert sum(spelled(text) != text for text in references) >= 10
    digits = [text.replace("대만", "대반").replace("인구", "안구") for text in references]
    words = [spelled(text) for text in references]
    for metric, headline in ((load("cer"), "cer"), (load("wer"), "wer")):
        for written in (references, words):
            rates, literal = [], []
            for predictions in (digits, words):
                result = metric.compute(predictions=predictions, references=written, readings="ko")
                rates.append(result[headline])
                literal.append(result[f"literal_{headline}"])
            assert rates[0] > rates[1]
            assert (literal[0] > literal[1]) == (written is words)  # as written, the reference decides who wins


NUMBERS = st.integers(0, 10**12)


@given(NUMBERS)
def test_numbers_in_words(value):
    """A slow version: the digits of each group of four with their places, 일 left out before 십, 백, 천 and 만."""
    groups, rest = [], value
    while rest:
        rest, group = divmod(rest, 10_000)
        groups.append(group)
    text = ""
    for index in reversed(range(len(groups))):
        part = ""
        for place in (3, 2, 1, 0):
            digit = groups[index] // 10**place % 10
            if digit:
                part += ("" if digit == 1 and place else "일이삼사오육칠팔구"[digit - 1]) + ["", "십", "백", "천"][
                    place
                ]
        if groups[index]:
            text += ("" if part == "일" and index == 1 and len(groups) == 2 else part) + ["", "만", "억", "조"][index]
    assert sino_text(value) == (text or "영")
    # and with separators or without, a number equals its words before a counter
    for written in (str(value), f"{value:,}"):
        assert edits(f"{text or '영'}원", f"{written}원") == 0


@pytest.mark.parametrize(("reference", "own", "prediction", "expected"), [
    ("Netflix 봐", {"Netflix": "넷플릭스"}, "넷플릭스 봐", 0),
    ("Netflix 봐", {"Netflix": ["넷플릭스", "넷플"]}, "넷플 봐", 0),
    ("Netflix 봐", {"Netflix": "넷플릭스"}, "Netflix 봐", 0),
    ("NASA가", {"NASA": "나사"}, "나사가", 0),
    ("NASA가", {"NASA": "나사"}, "NATO가", 2),
    ("SNASA", {"NASA": "나사"}, "S나사", 5),  # not within a word
    ("메세지 왔어", {"메시지": "메세지"}, "메시지 왔어", 0),
    ("문자메세지", {"메시지": "메세지"}, "문자메시지", 1),  # nor after Hangul
    ("C++은", {"C++": "씨플플"}, "씨플플은", 0),
    ("NASAs", {"NASA": "나사"}, "나사s", 1),  # it goes on
    ("LG NASA 3개월", {"NASA": "나사", "3개월": "석 달"}, "엘지 나사 석 달", 0),
    ("LG 3~4kg", {"4kg": "넷 킬로"}, "엘지 삼에서 사 킬로그램", 0),  # a table takes no reading away
    ("3~4kg", {"3": "셋", "4kg": "넷 킬로"}, "셋 넷 킬로", 0),  # two within one Korean notation
    ("3~4kg", {"3": "셋", "4kg": "넷 킬로"}, "셋 다 넷 킬로", 1),
])  # fmt: skip
def test_own_table(reference, own, prediction, expected):
    found = edits(prediction, reference, readings=["ko", own])
    assert (found > 0) == (expected > 0)
    assert found == edits(reference, prediction, readings=["ko", own])


OWN = st.dictionaries(
    st.sampled_from(
        ["명", "119", "3", "개", "3개", "TV", "T", "C++", "+", "%", "5km", "km", "메시지", "세", "~", "㎏"]
    ),
    st.sampled_from(["사람", "일일구", "티브이", "플러스", "세", "메세지", "퍼", "C", "에서"]),
    max_size=4,
)
CALL = st.lists(
    st.sampled_from([
        *("학생 ", "3명", "3", "세 ", "명", "119", "백열아홉 ", "개", "TV", "C++", "티브이", "20%", "이십 퍼센트 "),
        *("5㎏", "5km", "~", "4", "메시지", "메세지", " ", "+", "010-119-3333", "1.5", "서너 "),
    ]),
    max_size=5,
).map("".join)  # fmt: skip


@pytest.mark.filterwarnings("ignore:readings. .* more readings than can be tried")
@given(CALL, CALL, OWN, OWN)
def test_more_readings_never_cost_more(first, second, table, more):
    # where one is empty the other one has its canonical reading
    assume(all(any(map(str.isalnum, text)) for text in (first, second)))
    for name in ("cer", "wer"):
        korean = edits(first, second, metric=name)
        with_table = edits(first, second, metric=name, readings=["ko", table]) if table else korean
        assert with_table <= korean
        if more:
            assert edits(first, second, metric=name, readings=["ko", table, more]) <= with_table


@pytest.mark.parametrize(
    ("name", "options"), [("cer", {}), ("cer", {"preset": "jiwer"}), ("wer", {}), ("wer", {"preset": "nlptutti"})]
)
@examples(0.5)
@given(st.text(SIGNS + "가나%·", max_size=12), st.text(SIGNS, max_size=12))
def test_never_more_than_as_written(name, options, first, second):
    """The literal text is one of the readings, where marks inside numbers and signs beside them are the same."""
    texts = {"predictions": [first], "references": [second]}
    result = load(name).compute(**texts, readings="ko", detailed=True, **options)
    plain = load(name).compute(**texts, detailed=True, **options)
    assert result["notation_edits"] == 0
    steps = [result[kind] for kind in ("substitutions", "deletions", "insertions")]
    assert sum(steps) == result["edits"] == edits(first, second, metric=name, **options)
    if min(plain["hits"] + plain[kind] for kind in ("deletions", "insertions")) + plain["substitutions"] == 0:
        return  # a text is empty
    keeps_signs = options.get("preset") == "jiwer" or (name == "wer" and not options)
    cleaning = Cleaning("keep", "keep" if keeps_signs else "remove", "syllable", "keep")
    if plain["sign_edits"] == 0 and not differing_signs([first], [second], cleaning).any():
        assert result["edits"] <= plain["edits"] == result["literal_edits"]


@pytest.mark.parametrize(
    "reference", ["3kg 5% 1,234원", "커피 4잔", "루이 XIV세", "서울~부산 20.5km", "½컵, ③번", "2 영화"]
)
def test_an_empty_prediction_has_rate_1(reference):
    for name in ("cer", "wer"):
        for options in ({}, {"detailed": True}, {"bounded": True}, {"preset": "nlptutti"}):
            result = load(name).compute(predictions=[""], references=[reference], readings="ko", **options)
            assert result[name] == 1, (name, options)


@pytest.mark.parametrize(("prediction", "reference", "expected"), [
    ("할인", "20% 할인", 2), ("가격 세 개 할인 엘지", "가격 3개 20% 할인 LG", 2),
    ("1.5mg", "15mg", 2), ("-3도", "3도", 2), ("3/4", "34", 2), ("20", "20%", 0),
])  # fmt: skip
def test_what_is_written_is_a_reading(prediction, reference, expected):
    """But the removal of marks inside numbers makes no other numbers equal."""
    assert edits(prediction, reference) == edits(reference, prediction) == expected


@pytest.mark.parametrize(("table", "first", "second"), [
    ({"명": "사람"}, "학생 3명", "학생 세 명"), ({"119": "일일구"}, "119명", "백열아홉 명"),
    ({"119": "일일구"}, "119에", "일일구에"),
    ({"C": "씨", "C++": "씨쁠쁠"}, "C++ 책", "씨쁠쁠 책"),
])  # fmt: skip
def test_a_table_takes_no_reading_away(table, first, second):
    assert edits(first, second, readings=["ko", table]) == edits(second, first, readings=["ko", table]) == 0


def test_no_notation_begins_behind_a_digit():
    assert edits("3사람", "3명", readings=["ko", {"명": "사람"}]) > 0


def test_own_file(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("Netflix\t넷플릭스\t넷플\nKOSPI\t코스피\n", encoding="utf-8")
    for readings in (str(path), ["ko", path], ["ko", str(path), {"CO2": "이산화탄소"}]):
        assert edits("넷플에서", "Netflix에서", readings=readings) == 0
    assert edits("세 개", "3개", readings=str(path)) > 0
    lines = {load("cer").signature(readings=value) for value in ("ko", str(path), ["ko", str(path)])}
    assert len(lines) == 3
    before = load("wer").signature(readings=["ko", str(path)])
    assert "|readings:table(ko[" in before
    path.write_text("Netflix\t넷플릭스\n", encoding="utf-8")
    assert load("wer").signature(readings=["ko", str(path)]) != before


BAD_READINGS = [
    ("en", "readings is 'en', and there is no such file; pass \"ko\", or a file"),
    ([], "readings is an empty list"),
    (3, "readings is 3; pass None"),
    ([None], 'readings is None; pass None, "ko", a dict'),
    ({"a": []}, "readings: 'a' has []; give each notation its readings"),
    ({"a": [""]}, "readings: 'a' has ['']; give each notation its readings"),
    ({"a": 3}, "readings: 'a' has 3; give each notation its readings"),
    ({3: "a"}, "readings: 3 has"),
    ({"a ": "b", "a": "c"}, "readings: 'a' occurs twice"),
]


@pytest.mark.parametrize(("value", "message"), BAD_READINGS)
@pytest.mark.parametrize("name", ["cer", "wer"])
def test_bad_readings(name, value, message):
    with pytest.raises(ValueError) as error:
        load(name).signature(readings=value)
    assert message in str(error.value)


def test_bad_file_and_options(tmp_path):
    (tmp_path / "a.tsv").write_text("KBS\n", encoding="utf-8")
    (tmp_path / "b.tsv").write_bytes("가\t나".encode("cp949"))
    for name, message in (("a.tsv", "'KBS' has []; give each"), ("b.tsv", "is not UTF-8")):
        with pytest.raises(ValueError) as error:
            load("cer").signature(readings=str(tmp_path / name))
        assert message in str(error.value)
    with pytest.raises(ValueError, match="normalization is 'NFD'"):
        load("cer").signature(readings="ko", normalization="NFD")
    with pytest.raises(ValueError, match="tokenizer is '13a'"):
        load("wer").signature(readings="ko", tokenizer="13a")


def test_double_transcriptions():
    """Both the spelling and the sound are right, and anything else that reads as one of them."""
    reference = "b/ 확률이 (70%)/(칠 십 퍼센트) 되는 (3개)/(세 개) o/"
    for prediction in ("확률이 70% 되는 3개", "확률이 칠십 퍼센트 되는 세 개", "확률이 칠십 퍼센트 되는 3개"):
        assert edits(prediction, reference, preset="ksponspeech") == 0
    assert edits("확률이 칠십 도 되는 세 개", reference, preset="ksponspeech") == 1  # 퍼
    assert edits("확률이 칠십 퍼센트 되는 세 개", reference, preset="ksponspeech", readings=None) > 0


def test_a_hundred_notations():
    """Exact, however many there are: no combination is cut."""
    digits = " ".join(f"{number}번째 상자에 {number + 1:,}개, {number % 9 + 1}시 {number}%" for number in range(25, 50))
    assert sum(not isinstance(piece, str) for piece in find_notations(digits)) == 100
    assert edits(spelled(digits), digits) == 0
    assert edits(spelled(digits).replace("상자", "상차"), digits) == 25
    assert load("wer").compute(predictions=[spelled(digits)], references=[digits], readings="ko")["edits"] == 0


@pytest.mark.parametrize(("prediction", "reference"), [("the cat", "THE CAT"), ("Banana", "BANANA"), ("lg", "LG")])
def test_case_is_no_reading(prediction, reference):
    """Capitals may stay as they are written, and case is for the option `lowercase`."""
    for name in ("cer", "wer"):
        plain = edits(prediction, reference, metric=name, readings=None)
        assert edits(prediction, reference, metric=name) == plain > 0
        assert edits(prediction, reference, metric=name, lowercase=True) == 0


def test_nearest_reference():
    """Each rate has its own nearest reference; the same words spelled out are no worse than digits."""
    call = {"predictions": ["커피 세 잔"], "references": [["커피 네 잔", "커피 3잔"]], "readings": "ko"}
    assert load("cer").compute(**call)["cer"] == 0
    assert load("cer").compute(**call)["literal_edits"] == 1
    found = load("cer").explain(prediction="커피 세 잔", reference=call["references"][0], readings="ko")
    assert (found["reference_index"], found["readings"]) == (1, [["reference", "3", "세"]])


def test_guarded_numbers_are_shown_without_the_reading_that_is_a_word():
    found = load("cer").explain(prediction="1004가 2 영화", reference="천사가 이 영화", readings="ko")
    assert found["prediction"] == "일공공사가2영화"
    assert found["readings"] == [["prediction", "1004", "일공공사"]]


def test_alignments_and_conventions():
    texts = {"predictions": ["커피 네 잔"], "references": ["커피 4잔"], "readings": "ko"}
    assert load("cer").compute(**texts, alignments="pieces")["alignments"] == [[["equal", "커피네잔", "커피네잔"]]]
    assert load("wer").compute(**texts, alignments="kaldi")["summary"] == "%WER 0.00 [ 0 / 3, 0 ins, 0 del, 0 sub ]"
    conventions = load("cer").compute(**texts, conventions="all")["conventions"]
    assert [rate for _, rate, _ in conventions] == [0.0] * 6
    assert all("|readings:ko[" in line for *_, line in conventions)
    assert load("cer").compute(**texts, bounded=True)["cer"] == 0
    assert load("cer").compute(**texts, unit="jamo")["reference_length"] == 9


def rates_of(name):
    """Returns what computes the CER of a prediction and a reference: ours, or a library if it is installed."""
    if name == "ours":
        return lambda prediction, reference: edits(prediction, reference)
    if name == "kocer":
        library = pytest.importorskip("kocer", reason="pip install -r requirements-peers.txt")
        return lambda prediction, reference: library.cer(reference, prediction)
    library = pytest.importorskip("nlptutti", reason="pip install -r requirements-peers.txt")
    return lambda prediction, reference: library.get_cer(reference, prediction)["cer"]


@pytest.mark.parametrize("name", ["ours", "kocer", "nlptutti"])
def test_the_table_of_the_page_is_counted(name):
    """What docs/error_rates.md says of the open pairs: how many have CER 0, of how many."""
    rate = rates_of(name)
    cells = []
    for file, kind in (("same", None), ("different", "other_words"), ("different", "homograph")):
        rates = [rate(row["b"], row["a"]) for row in pairs(file) if kind in (None, row.get("kind"))]
        cells.append(f"{rates.count(0)} of {len(rates)}")
    page = (ROOT / "docs" / "error_rates.md").read_text(encoding="utf-8")
    assert re.search(rf"\| \[?{name}\b.* \| {' [|] '.join(cells)} \|\n", page), cells


def test_the_examples_of_the_page():
    page = (ROOT / "docs" / "error_rates.md").read_text(encoding="utf-8")
    table = page.partition("| what | one text | the other | edits |\n|---|---|---|--:|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert len(rows) > 20 and {row[3] == "0" for row in rows} == {True, False}
    for _, first, second, count in rows:
        assert edits(first, second) == edits(second, first) == int(count), (first, second)


def test_word_readings_in_detail():
    """WER says as CER does which readings are chosen."""
    texts = {"predictions": ["커피 네 잔 오 킬로 엘지 가 왔다"], "references": ["커피 4잔 5km LG 가 갔다"]}
    result = load("wer").compute(**texts, readings="ko", detailed=True)
    assert (result["edits"], result["literal_edits"]) == (1, 6)
    dotted = {**texts, "references": ["커피, 4잔 5km LG 가 갔다."]}
    same = load("wer").compute(**dotted, readings="ko", detailed=True, preset="nlptutti", bounded=False)
    assert (result["removed_punctuation_edits"], same.pop("removed_punctuation_edits")) == (0, 1)
    assert {**same, "removed_punctuation_edits": 0} == result
    found = load("wer").explain(prediction=texts["predictions"][0], reference=texts["references"][0], readings="ko")
    assert found["readings"] == [["reference", "4", "네"], ["reference", "5km", "오 킬로"], ["reference", "LG", "엘지"]]


@pytest.mark.parametrize("power", range(9))
def test_two_numbers_as_one_numeral(power):
    """30~40 is 삼사십, up to 3억~4억."""
    unit = ["", "십", "백", "천", "만", "십만", "백만", "천만", "억"][power]
    assert list(map(canonical_text, approximate(3 * 10**power, 4 * 10**power, "원"))) == [f"삼사{unit}"]
    low, high = f"{3 * 10**power:,}", f"{4 * 10**power:,}"
    texts = {"predictions": [f"삼사{unit} 원"], "references": [f"{low}~{high}원"]}
    assert load("cer").compute(**texts, readings="ko")["cer"] == 0


def test_the_largest_number_that_is_read_as_one():
    assert value_of("9" * 20) == value_of("9" * 16 + "만") + 9999 == 10**20 - 1
    assert value_of("9" * 21) is value_of("9" * 17 + "만") is None


@pytest.mark.parametrize(
    ("written", "spoken", "edits"),
    [
        ("1/5에", "일월 오일에", 0), ("12/31에", "십이월 삼십일일에", 0), ("13/5에", "십삼월 오일에", 5),
        ("0/5에", "영월 오일에", 4), ("1/32에", "일월 삼십이일에", 4),
        ("4.19 혁명", "사일구 혁명", 0), ("4.18 혁명", "사일팔 혁명", 1), ("3·15 의거", "삼일오 의거", 0),
        ("4.19절", "사일구절", 0), ("4.19킬로", "사일구킬로", 1), ("3.2점", "삼이점", 1),
        ("2, 3년", "이, 삼년", 0), ("2, 3년", "삼, 삼년", 1), ("2, 3년", "이삼 년", 0),
        ("12-34번", "1234번", 1), ("3-4로", "34로", 1), ("123-45번", "12345번", 1), ("123-4로", "1234로", 1),
        ("02-345로", "02345로", 0), ("1588-1234로", "15881234로", 0),
        ("③개", "세 개", 0), ("③ 사과", "삼 사과", 0), ("Ⅲ 사과", "쓰리 사과", 0), ("③", "셋", 1),
    ],
)  # fmt: skip
def test_each_side_of_a_limit(written, spoken, edits):
    """Months, days, named days, lists, scores and figures that are one more, or one less, than what is read."""
    for texts in ((written, spoken), (spoken, written)):
        assert load("cer").compute(predictions=texts[:1], references=texts[1:], readings="ko")["edits"] == edits


def test_both_forms_of_a_transcript_are_one_notation():
    columns = {"prediction": "칠 십 퍼센트", "reference": "(70%)/(칠십 퍼센트)"}
    found = load("cer").explain(**columns, preset="ksponspeech", readings="ko")["readings"]
    assert found == [["reference", "(70%)/(칠십 퍼센트)", "칠십 퍼센트"]]
