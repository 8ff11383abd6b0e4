"""Characters that stand for something while texts are compared, in texts of a user's."""

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core import reserved
from textgauge.core.columns import clean_texts
from textgauge.error_rates.phrases.number_marks import mark_numbers
from textgauge.korean.readings import mark_word_ends

# those of today, and letters of Bamum and Tangut, which are real ones
ODD = [*map(chr, range(0xFDCF, 0xFDF1)), "\0", *map(chr, range(0x16800, 0x16812)), "\U00017000", "\U00017001"]
SPECIAL = ["ᄀ", "3.5", "35", "LG", "세 개", "3개", "네, ", " ", "."]
TEXT = st.lists(st.sampled_from([*ODD, *SPECIAL]), max_size=5).map("".join)
OPTIONS = [
    {},
    {"readings": "ko"},
    {"readings": "ko", "weights": {"엘지": 2.0, "세 개": 2.0}},
    {"weights": {"LG": 2.0, "3.5": 3.0}},
]


def test_no_two_share_a_character():
    marks = [*reserved.NUMBER_MARKS, *reserved.REMOVED_NUMBER_MARKS, reserved.NOTATION, reserved.WORD_END, reserved.TAG]
    assert len({*marks}) == len(marks)
    assert all(map(reserved.is_reserved, marks))
    assert not reserved.is_reserved(chr(0xFDCF)) and not reserved.is_reserved(chr(0xFDF0))


def test_one_character_for_each():
    texts = ["".join(ODD), "가"]
    [text, plain] = clean_texts(texts)
    assert plain == "가"
    assert not any(map(reserved.is_reserved, text))
    assert len({*text}) == len(text) == len(ODD)
    assert [one for one, other in zip(ODD, text, strict=True) if one != other] == [
        character for character in ODD if reserved.is_reserved(character)
    ]


def test_marks_are_reserved():
    """What is put into a text is what no text has: else one that is in a text is taken for it."""
    for change in (mark_numbers, mark_word_ends):
        text = "3.5, 1,000 3/4 -3 1:1 1·1 네"
        added = {*change(text)} - {*text}
        assert added and all(map(reserved.is_reserved, added))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ["cer", "wer"])
@given(TEXT, TEXT)
def test_any_character_is_one_like_others(name, options, prediction, reference):
    """A letter, or a sign, that is in none of the tables takes the place of each odd one, and nothing else changes."""
    replaced = {ord(odd): chr((0x12000 if odd.isalpha() else 0x2801) + number) for number, odd in enumerate(ODD)}
    metric = load(name)
    result = metric.compute(predictions=[prediction], references=[reference], special="keep", detailed=True, **options)
    others = [text.translate(replaced) for text in (prediction, reference)]
    expected = metric.compute(predictions=others[:1], references=others[1:], special="keep", detailed=True, **options)
    for key in (name, "edits", "reference_length", "substitutions", "deletions", "insertions"):
        assert result[key] == expected[key], key


@pytest.mark.parametrize("odd", ODD)
def test_no_letter_is_taken_for_a_mark(odd):
    cer = load("cer")
    weighted = cer.compute(predictions=[f"엘지 {odd}"], references=["LG"], readings="ko", weights={"엘지": 2.0})
    assert weighted["keyword_recall"] == 1
    hidden = cer.compute(predictions=[f"3.5{odd}"], references=["35"], readings="ko")
    assert hidden["edits"] >= 1


@pytest.mark.parametrize("name", ["cpcer", "cpwer"])
def test_sessions(name):
    """Also of meetings, whose texts are fields of records."""
    columns = {"references": [[{"speaker": "a", "text": "LG 3.5"}]]}
    for odd in ODD:
        said = [[{"speaker": "a", "text": f"LG {odd} 3.5"}]]
        result = load(name).compute(predictions=said, **columns, readings="ko", weights={"엘지": 2.0})
        assert result["keyword_recall"] == 1


def test_a_model_reads_texts_as_they_are():
    """Texts of metrics that compare nothing stay as they are."""
    metric = load("perplexity")
    columns = {"predictions": ["\ufdd0가"]}
    assert metric._cleaned(columns, {}) == columns
