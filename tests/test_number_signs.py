"""Marks inside numbers and signs beside them, which conventions remove: with `readings` they are read, and count."""

import itertools

import pytest
from conftest import load

DIFFERENT = [
    *(("물 ½컵", "물 12컵"), ("¼컵", "14컵"), ("¾컵", "34컵"), ("2½컵", "212컵"), ("수치가 １．５", "수치가 15")),
    *(("1٫5", "15"), ("6•25", "625"), ("6⋅25", "625"), ("1：1", "11"), ("1∶1", "11"), ("1／2", "12")),
    *(("1∕2", "12"), ("–5도", "5도"), ("－5도", "5도"), ("﹣5도", "5도"), ("‑5도", "5도"), ("3★5", "35")),
    *(("3|5", "35"), ("1’5", "15"), ("R&D에", "알디에"), ("Q&A", "큐에이"), ("R&D 3개", "알디 세 개")),
    *(("Ｒ＆Ｄ에", "알디에"), ("x=2", "엑스이"), ("A+B 3개", "에이비 세 개"), ("√9개", "아홉 개"), ("10㎡", "10㎥")),
    *(("10㎢", "10㎡"), ("£20", "¥20"), ("$20", "€20"), ("5℃", "5℉"), ("▲3%", "▼3%"), ("↑3%", "↓3%")),
    *(("3%▲", "3%▼"), ("△3% 3개", "▼3% 세 개"), ("5%", "5‰"), ("₩1000을 3개", "$1000을 3개"), ("2-100", "2100")),
    *(("0-100년", "0100년"), ("1500-100년", "1500100년"), ("100-3 가", "1003 가"), ("5,2년", "52년")),
    *(("2024_2년", "20242년"), ("▲$3", "▼$3"), ("-5", "5"), ("1.5", "1,5"), ("1/2", "1:2")),
]  # fmt: skip


def edits(reference, prediction, metric="cer", **options):
    texts = {"references": [reference], "predictions": [prediction]}
    return load(metric).compute(**texts, **{"readings": "ko", **options})["edits"]


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_what_is_removed_is_no_reason_to_be_equal(first, second):
    for options in ({}, {"preset": "nlptutti"}, {"metric": "wer", "special": "remove"}):
        assert edits(first, second, **options) > 0
        assert edits(second, first, **options) > 0


ALIKE = """
½컵|이분의 일 컵; １．５|일 점 오; 6•25|육이오; 1：1|일 대 일; –5도|마이너스 오 도;
R&D에|알앤디에; Q＆A|큐앤에이; ▲3%|삼 퍼센트; 3%▼|삼 프로;
12★15|십이십오; ▲3%|△3%; ▲3%|3%; 10㎡|10; 10㎡|십 제곱미터; 5℃|5°;
5℃|섭씨 오 도; £20|이십 파운드; R&D|RD; 1，500원|천오백 원;
3%▲|3%; 5℃↑|5℃; 10㎡▲|10㎡; ▲$3|$3; 1£ ㎥|1£㎥; 02-345|02345; 2-100|이백; 12-3개|12:3개; 5,2년|오 이 년
"""


@pytest.mark.parametrize("pair", [pair.strip() for pair in ALIKE.replace("\n", " ").split(";")])
def test_a_sign_that_only_one_has_is_none(pair):
    first, second = pair.split("|")
    assert edits(first, second) == edits(second, first) == 0


@pytest.mark.parametrize("pair", ["3×5|3÷5", "3+5|3-5", "x≠2|x=2", "10‱|10%", "5₫|5₱", "2024_2년|2024-2년"])
def test_signs_of_no_table_are_alike_where_they_are_removed(pair):
    """What docs/error_rates.md says is forgiven, as it is without readings."""
    first, second = pair.split("|")
    for options in ({}, {"readings": None}):
        assert edits(first, second, **options) == edits(second, first, **options) == 0
        assert edits(first, second, special="keep", **options) > 0


def test_no_mark_between_two_numbers_is_none():
    """Except for a comma of thousands, and for the hyphen of a telephone number or its extension."""
    numbers = ["0", "2", "12", "02", "100", "2024"]
    marks = ["-", "~", ",", ":", "/", "·", ".", "&", "*", "+", "=", "'", "★", "_"]
    pairs = [
        (f"{first}{mark}{second}{behind}", f"{first}{second}{behind}")
        for first, mark, second, behind in itertools.product(numbers, marks, numbers, ["", "년", "개", " 가", "빠"])
        if not (mark == "," and second == "100") and not (mark == "-" and first == "02" and len(second) > 2)
    ]
    references, predictions = zip(*pairs, strict=True)
    rows = load("cer").statistics(predictions=list(predictions), references=list(references), readings="ko")
    assert [pair for pair, row in zip(pairs, rows, strict=True) if row[0] == 0] == []


def test_no_unit_is_another_one():
    signs = ["㎡", "㎥", "㎢", "℃", "℉", "%", "‰", "㎞", "㎏"]
    for one, other in itertools.permutations(signs, 2):
        assert edits(f"10{one}", f"10{other}") > 0, (one, other)
    for one, other in itertools.permutations("$₩€£¥", 2):
        assert edits(f"{one}20", f"{other}20") > 0, (one, other)


@pytest.mark.parametrize(
    "pair",
    [
        "8·15|팔일오",
        "010-1234-5678|공일공 일이삼사 오육칠팔",
        "02-555-0199|공이 오오오 공일구구",
        "07:30|일곱 시 삼십 분",
        "1.5배|일 점 오 배",
    ],
)
@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_what_is_read_alike_has_no_hidden_signs(pair, metric):
    first, second = pair.split("|")
    options = {"readings": "ko", "special": "remove"}
    for reference, prediction in ((first, second), (second, first)):
        texts = {"references": [reference], "predictions": [prediction]}
        assert load(metric).compute(**texts, **options, detailed=True)["sign_edits"] == 0
        assert load(metric).hidden_signs(**texts, **options) == {}


def test_what_is_not_read_alike_has_edits_in_place_of_hidden_signs():
    texts = {"references": ["1.5배"], "predictions": ["15배"]}
    plain = load("cer").compute(**texts, detailed=True)
    assert (plain["edits"], plain["sign_edits"]) == (0, 1)
    read = load("cer").compute(**texts, readings="ko", detailed=True)
    assert read["edits"] > 0
    assert read["sign_edits"] == 0
    own = load("cer").compute(**texts, readings={"배": "곱"}, detailed=True)  # which reads no number
    assert (own["edits"], own["sign_edits"]) == (0, 1)
