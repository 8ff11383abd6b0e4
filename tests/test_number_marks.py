"""Marks inside numbers, which conventions remove: they are counted, and numbers of phrases have them."""

import math
import re

import pytest
from conftest import load, write
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from textgauge.error_rates.phrases.number_marks import differing_numbers
from textgauge.programs.commands import compare

DIGITS = (
    ("cer", {}),
    ("cer", {"preset": "ksponspeech"}),
    ("cer", {"preset": "nlptutti"}),
    ("wer", {"preset": "nlptutti"}),
)
PAIRS = [
    ("1.5mg", "15mg", 1), ("-3도", "3도", 1), ("3/4", "34", 1), ("12:30", "1230", 1), ("1.5", "1/5", 1),
    ("1.5 2.5", "15 25", 2), ("1.5mg", "1.5mg", 0), ("1,500원", "1500원", 0), ("15mg.", "15mg", 0),
    ("가-나", "가나", 0),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), DIGITS)
@pytest.mark.parametrize(("reference", "prediction", "edits"), PAIRS)
def test_edits_that_the_removal_of_marks_hides(name, options, reference, prediction, edits):
    texts = {"predictions": [prediction, "가"], "references": [reference, "가"]}
    result = load(name).compute(**texts, **options, detailed=True)
    assert (result["edits"], result["sign_edits"]) == (0, edits)
    hidden = load(name).hidden_signs(**texts, **options)
    assert hidden.get("segments", 0) == (edits > 0)
    if edits == 1:
        assert hidden["example"] == list(differing_numbers(reference, prediction))


def test_marks_that_are_kept_hide_nothing():
    """They are edits there."""
    for name, options in (("cer", {"preset": "jiwer"}), ("cer", {"preset": "clovacall"}), ("wer", {})):
        result = load(name).compute(predictions=["15mg"], references=["1.5mg"], **options, detailed=True)
        assert (result["edits"], result["sign_edits"]) == (1, 0)
        assert load(name).hidden_signs(predictions=["15mg"], references=["1.5mg"], **options) == {}


def test_hidden_signs_are_those_of_plain_counts():
    """Options that weigh or draw have no effect; the example is of a reference with another number."""
    metric = load("cer")
    texts = {"predictions": ["15mg", "3도"], "references": [["약 15mg", "1.5mg"], ["3도"]]}
    found = metric.hidden_signs(**texts, confidence=0.9, clusters=["a", "b"], per_segment=True, weights={"약": 2})
    assert found == metric.hidden_signs(**texts) == {"segments": 1, "example": ["1.5", "15"]}
    assert metric.hidden_signs(predictions=["15mg"], references=["약 1.5mg"], weights={"약": 0}) == {}


@pytest.mark.parametrize(("name", "options"), DIGITS)
def test_hidden_signs_are_found_without_kinds_of_edits(name, options, monkeypatch):
    """These take far longer, and say nothing of segments that have no edit."""
    monkeypatch.setattr("textgauge.error_rates.kinds.chain.find_loops", None)
    texts = {"predictions": ["15mg 세 개", "2 개"], "references": ["1.5mg 3개", "2 개"]}
    texts = {side: [*values, "음 15mg"] for side, values in texts.items()}
    texts["references"][-1] = ["1.5mg", "음 1.5mg"]
    assert load(name).hidden_signs(**texts, **options) == {"segments": 1, "example": ["1.5", "15"]}


def test_marks_of_a_transcript_hide_a_fraction():
    """Also where no special character is removed."""
    options = {"preset": "ksponspeech", "special": "keep", "detailed": True}
    for name in ("cer", "wer"):
        result = load(name).compute(predictions=["34", "1.5"], references=["3/4", "15"], **options)
        assert (result["edits"], result["sign_edits"]) == (1, 1)


def test_a_blank_between_digits_hides_nothing():
    assert load("cer").compute(predictions=["0101234"], references=["010 1234"], detailed=True)["sign_edits"] == 0


FOUND = [
    ("1.5mg", "1.5mg", True), ("1.5mg", "15mg", False), ("15mg", "1.5mg", False), ("5mg", "15mg", False),
    ("5mg", "1.5mg", False), ("1.5mg", "21.5mg", False), ("5", "5.5", False), ("5", "3,5", False),
    ("5", "1,500", False),
    ("500", "1,500", False), ("1500원", "1,500원", True), ("5mg", "3 5mg", True), ("5mg", "약5mg", True),
    ("-3도", "-3도", True), ("-3도", "3도", False), ("2023", "2023-10", True), ("3/4컵", "3/4컵", True),
    ("4", "3/4", False),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "text", "is_there"), FOUND)
@pytest.mark.parametrize("options", [{}, {"preset": "ksponspeech"}, {"preset": "jiwer"}, {"unit": "jamo"}])
def test_a_number_of_a_phrase_is_a_whole_one(phrase, text, is_there, options):
    is_there &= options != {"preset": "jiwer"} or phrase != "1500원"  # whose comma is there
    result = load("cer").compute(predictions=[text], references=[text], weights={phrase: 5}, **options)
    assert result["keywords"] == is_there
    assert result["unused_keys"] == [phrase] * (not is_there)


@pytest.mark.parametrize("preset", [None, "ksponspeech"])
def test_numbers_among_words(preset):
    for phrase, text, is_there in FOUND:
        text = text if text != "약5mg" else "약 5mg"
        result = load("wer").compute(predictions=[text], references=[text], weights={phrase: 5}, preset=preset)
        is_there &= phrase != "2023" and (preset is not None or phrase != "1500원")  # 10 is no particle
        assert result["keywords"] == is_there, (phrase, text)


@pytest.mark.parametrize("ending", ["씩", "짜리", "정도", "쯤", "당", "님", "만큼", "씩을", "정도의", "님들이"])
def test_endings_behind_amounts_and_names(ending):
    text = f"5mg{ending} 먹는다"
    assert load("wer").compute(predictions=[text], references=[text], weights={"5mg": 5})["keywords"] == 1


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_no_rows(name):
    assert len(load(name).statistics(predictions=[], references=[], weights={"5mg": 2}, detailed=True)) == 0


def test_joined_words_have_their_own_numbers():
    texts = {"predictions": ["약 1.5 mg 약"], "references": ["약 15mg 약"], "compounds": "merge", "special": "remove"}
    for phrase, recall, precision in (("1.5mg", math.nan, 0), ("15mg", 0, math.nan)):
        result = load("wer").compute(**texts, weights={phrase: 2})
        assert (result["wer"], result["keyword_recall"], result["keyword_precision"]) == (
            0,
            pytest.approx(recall, nan_ok=True),
            pytest.approx(precision, nan_ok=True),
        )


def test_numbers_of_a_transcript_are_those_of_its_spelling():
    texts = {"predictions": ["1.5mg"], "references": ["n/ (1.5mg)/(1.5 엠지) 1/2"], "preset": "ksponspeech"}
    result = load("cer").compute(**texts, weights={"1.5mg": 2, "1/2": 2})
    assert (result["keywords"], result["keyword_recall"]) == (2, 0.5)


def test_numbers_of_a_tokenizer_that_leaves_digits_out():
    texts = {"predictions": ["-1 3mg"], "references": ["-1 3mg"]}
    result = load("wer").compute(**texts, weights={"3mg": 2}, tokenizer=lambda text: text.replace("-1", "").split())
    assert result["keywords"] == 1


def test_phrases_of_the_same_digits_may_have_weights_of_their_own():
    texts = {"predictions": ["15mg"], "references": ["1.5mg"]}
    result = load("cer").compute(**texts, weights={"1.5mg": 5, "15mg": 1})
    assert (result["cer"], result["keyword_recall"], result["keyword_precision"]) == (0, 0, 0)
    assert result["missed_keywords"] == [["1.5mg", 1, 1]] and result["unused_keys"] == ["15mg"]


NUMBERS = re.compile(r"\d+(?:[.,/:]\d+)*")
NASTY = st.text("15 .,/-:m가", max_size=12)


def slow_is_there(phrase, text):
    """Tries every part of the text as it is written."""

    def plain(part):
        return re.sub(r"[^\w]", "", part)

    def marks(part):
        part = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", part)
        return [mark for mark in re.findall(r"(?<=\d)([^\w\s]+)(?=\d)", part)]

    inside = {at for number in NUMBERS.finditer(text) for at in range(number.start() + 1, number.end())}
    return any(
        text[start].isalnum() and text[end - 1].isalnum()
        and plain(text[start:end]) == plain(phrase) and marks(text[start:end]) == marks(phrase)
        and not ({start} & inside and text[start].isdigit()) and not ({end} & inside and text[end - 1].isdigit())
        for start in range(len(text)) for end in range(start + 1, len(text) + 1)
    )  # fmt: skip


@given(NASTY, st.sampled_from(["5m", "1.5", "1.5m", "15", "m5", "가1/5", "5", "1,5"]))
@example("1.5.15m", "15m")
def test_against_every_part_of_a_text(text, phrase):
    if re.search(r"(?<!\S)-\d|[.,/:-]{2}|,\d{3}", text):  # a minus, several marks at once, thousands: see above
        return
    result = load("cer").compute(predictions=["가"], references=[text], weights={phrase: 2})
    assert (result["keywords"] > 0) == slow_is_there(phrase, text)


def test_the_command_and_its_report_say_it(run, tmp_path):
    write("out.txt", "15mg 먹는다", "가", "34컵")
    write("ref.txt", "1.5mg 먹는다", "가", "3/4컵")
    weights = tmp_path / "w.tsv"
    weights.write_text("1.5mg\t5\n아스피린\t3\n", encoding="utf-8")
    done = run("-p", "out.txt", "-r", "ref.txt", "-m", f"cer:weights={weights}", "--html", "r.html")
    compared = CliRunner().invoke(compare.app, f"-p out.txt -p ref.txt -r ref.txt -m cer:weights={weights}".split())
    assert "cer, out: 2 segments differ only in marks" in compared.stdout
    for said in (
        "2 segments differ only in marks inside numbers, which do not count (1.5 / 15)",
        "in no reference: 아스피린",
    ):
        assert said in done.stdout and said in (tmp_path / "r.html").read_text(encoding="utf-8")
