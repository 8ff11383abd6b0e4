"""Where words may end, with `readings` in WER and sWER: whoever writes down what is heard puts the blanks there."""

import json

import pytest
from conftest import ROOT, examples, load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.error_rates.nearest import words


def edits(reference, prediction, metric="wer", **options):
    texts = {"references": [reference], "predictions": [prediction]}
    return load(metric).compute(**texts, **options)["edits"]


ALIKE = """
코로나19|코로나 십구; 코로나19에|코로나십구에; 4K|사 케이
1.5배|일 점 오 배; 1.5배|일점오배; 3대1로|삼 대 일로; A/S 센터|에이에스 센터
v2.0|브이 이 점 영; PS5는|피에스 파이브는; K팝|케이 팝
5%할인|오 퍼센트 할인; 국어Ⅰ|국어 일; 4-2-3-1 전술|사이삼일 전술
제 2차|제이 차; 제 3장|제삼 장; 제 3장|제 세 장; 제 2가지 소원|제 두 가지 소원; 몇 10만 원|몇십만 원
AI일자리|에이아이 일자리; AI일상|에이아이 일상; AI이야기|에이아이 이야기; AI이자율|에이아이 이자율
AI입력|에이아이 입력; 5%이기심|오 퍼센트 이기심; AI인지과학|에이아이 인지과학
수 100명|수백 명; 수 1,000명|수천 명; 수 10억|수십억; 할 수 2번|할 수 이 번; 10m/s|십 미터 퍼 세크
30㎡|삼십 제곱 미터; 저녁9시|저녁 아홉 시; KF94|케이에프 구사
+82-10-1234-5678|플러스 팔이 일공 일이삼사 오육칠팔; 0대0입니다|영 대 영입니다
"""


@pytest.mark.parametrize("pair", [pair.strip() for pair in ALIKE.replace("\n", ";").split(";") if pair.strip()])
def test_words_end_where_a_notation_does(pair):
    written, spoken = pair.split("|")
    assert edits(written, spoken, readings="ko") == edits(spoken, written, readings="ko") == 0


@pytest.mark.parametrize(
    "pair",
    [
        *("할 수 2번 있다|할 수이번 있다", "할 수 10번 있다|할 수십 번 있다", "갈 수 100번|갈 수백 번"),
        *("몇 3개|몇세 개", "제 3명|제세 명", "제 3장|제세 장", "제 3가지|제세 가지"),
        *("수 10.5억|수십 점 오 억", "몇 10,5|몇십 오"),
    ],
)  # fmt: skip
def test_a_blank_before_a_number_is_one(pair):
    """Except behind 제, with a Sino-Korean number, and before 10, 100 and so on behind 수 and 몇."""
    written, spoken = pair.split("|")
    assert edits(written, spoken, readings="ko") == edits(spoken, written, readings="ko") > 0


@pytest.mark.parametrize(
    "pair",
    [
        *("5%를|오 퍼센트 를", "LG는|엘지 는", "3명이다|세 명 이다", "K팝|케이 판", "1.5배|일 점 육 배"),
        *("LG일까요|엘지 일까요", "LG이야|엘지 이야", "LG입니다만|엘지 입니다만", "LG인지라도|엘지 인지라도"),
        *("5%이거든요|오 퍼센트 이거든요", "5%이기에|오 퍼센트 이기에", "5%이라고는|오 퍼센트 이라고는"),
        *("5%일지도|오 퍼센트 일지도", "5%이었는데|오 퍼센트 이었는데", "5%이니까요|오 퍼센트 이니까요"),
    ],
)  # fmt: skip
def test_particles_are_no_words(pair):
    written, spoken = pair.split("|")
    assert edits(written, spoken, readings="ko") == edits(spoken, written, readings="ko") > 0


def coverage(metric, **options):
    lines = (ROOT / "tests/data/readings_same.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return sum(edits(row["a"], row["b"], metric, readings="ko", **options) == 0 for row in rows), len(rows)


def test_word_error_rates_forgive_nearly_what_character_error_rates_do():
    """What docs/error_rates.md and the Korean cards say of the open pairs; blanks of plain words stay errors."""
    found = {
        "cer": coverage("cer"),
        "wer": coverage("wer", special="remove"),
        "swer": coverage("wer", special="remove", space_normalized=True),
    }
    assert found["wer"][0] >= found["cer"][0] - 0.02 * found["cer"][1]
    assert found["swer"][0] >= found["cer"][0]
    page = (ROOT / "docs" / "error_rates.md").read_text("utf-8").replace("\n", " ")
    cards = [(ROOT / "spaces" / metric / "README.ko.md").read_text("utf-8") for metric in ("cer", "wer")]
    korean = [card.replace("\n", " ") for card in cards]
    for right, of in found.values():
        assert f"{right} of {of}" in page
        assert all(f"{of}쌍 가운데 {right}쌍" in card for card in korean)


SPACED = [
    ("월급이 이백오십만 원이에요", "월급이 250만 원이에요"),
    ("월급이 250만 원이에요", "월급 이이백 오십만원이에요"),
    ("찬성이 20%였다", "찬성이 이십 퍼센트였다"),
    ("오후 3시 30분에 만나요", "오후세시 삼십분 에만나요"),
    ("코로나19 확진자가", "코로나 십구확진 자가"),
]


@pytest.mark.parametrize(("reference", "prediction"), SPACED)
def test_spaces_are_no_errors_with_readings(reference, prediction):
    options = {"readings": "ko", "space_normalized": True}
    assert edits(reference, prediction, **options) == 0


def test_the_nearer_spacing_never_costs_more():
    assert edits("가", "나가나", space_normalized="fewest") == edits("가", "나가나") == 1
    assert edits("가 나", "가나", space_normalized="fewest") == 0


def test_what_equals_nothing_keeps_its_spacing():
    """With readings as without: four words are left over here."""
    for readings in (None, "ko", {"a": "에이"}):
        assert edits("a b c d 3", "3", space_normalized=True, readings=readings) == 4
        assert edits("ab cd 3", "3", space_normalized=True, readings=readings) == 2


def test_the_own_spacing_is_compared_only_where_an_error_is_left(monkeypatch):
    compared = []
    word_edits = words._word_edits

    def recorded(predictions, references, rows, rule):
        compared.append([predictions[row] for row in rows])
        return word_edits(predictions, references, rows, rule)

    monkeypatch.setattr(words, "_word_edits", recorded)
    texts = {"predictions": ["이파일 은 3개", "나가나", "네"], "references": ["이 파일은 세 개", "가", "네"]}
    assert load("wer").compute(**texts, space_normalized="fewest", readings="ko")["edits"] == 1
    assert compared[:2] == [["이 파일은 세 개", "나 가나"], ["나가나"]]


PARTS = st.lists(
    st.sampled_from(["가", "나", "다", " ", "3", "개", "20%", "이십", "퍼센트", "세", "LG", "엘지", ".", "250만"]),
    max_size=8,
).map("".join)


@examples(2)
@given(
    PARTS,
    PARTS,
    st.sampled_from([{}, {"special": "remove"}, {"bounded": True}, {"preset": "nlptutti"}, {"weights": {"가": 5}}]),
)
def test_spacing_never_takes_more_edits_than_none(first, second, others):
    """Without readings: with them both calls spell notations for themselves, and sWER by characters."""
    key = "unweighted_edits" if "weights" in others else "edits"
    texts = {"predictions": [second], "references": [first]}
    ways = ("fewest", False)
    spaced, plain = (load("wer").compute(**texts, **others, space_normalized=way)[key] for way in ways)
    assert spaced <= plain


@pytest.mark.parametrize(
    ("reference", "prediction", "options", "rates"),
    [
        ("가", "가가", {"weights": {"가": 5}}, (0.2, 1)),
        ("가나", "가나 나", {"bounded": True}, (0.5, 1)),
        ("가나", "가나 나", {"preset": "nlptutti"}, (0.5, 1)),
    ],
)
def test_as_few_edits_may_cost_more_or_be_divided_by_less(reference, prediction, options, rates):
    """What the card of wer says of weights and of bounded rates."""
    texts = {"predictions": [prediction], "references": [reference], **options}
    assert tuple(load("wer").compute(**texts, space_normalized=way)["wer"] for way in (False, "fewest")) == rates
