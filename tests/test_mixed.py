"""The unit "mixed" of cer: characters of Hangul, kana and ideographs, and words of other scripts."""

import unicodedata

import jiwer
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.tokens.tokenizers import tokenize

LONE = ("HANGUL", "HIRAGANA", "KATAKANA", "BOPOMOFO", "CJK", "IDEOGRAPHIC ITERATION", "KANGXI")
PIECES = ["오늘", "meeting", " ", "은", "3", "シ", "ー", "漢字", ". ", "Zoom", "ñ", "  ", "שלום", "、"]
MIXED = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | TEXT
SEGMENTS = st.lists(st.tuples(MIXED, MIXED), min_size=1, max_size=4)


def slow_tokens(text):
    """Returns the tokens of a text in NFC, character by character."""
    tokens, was_alone = [], True
    for character in text:
        name, category = unicodedata.name(character, ""), unicodedata.category(character)
        if category[0] == "M" and tokens and was_alone is not None:
            tokens[-1] += character  # of what is before it
        elif character.isspace():
            was_alone = None
        elif name.startswith(LONE) and category[0] in "LNS":
            tokens, was_alone = [*tokens, character], True
        elif was_alone is False:
            tokens[-1] += character
        else:
            tokens, was_alone = [*tokens, character], False
    return tokens


@example("漢字 kanji")
@given(st.text("오늘가a3bC.,、シー漢字 \n\u00e9ㅋ", max_size=12))
def test_tokens(text):
    assert tokenize([text], "mixed") == [slow_tokens(text)]


WAYS = [({}, {"special": "remove"}), ({"special": "keep"}, {}), ({"preset": "nlptutti"}, {"preset": "nlptutti"})]


@pytest.mark.parametrize(("options", "of_words"), WAYS)
@given(SEGMENTS)
def test_rates_are_those_of_words(options, of_words, segments):
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    more = {"detailed": True, "alignments": "pieces"}
    found = load("cer").compute(**columns, unit="mixed", **options, **more)
    same = load("wer").compute(**columns, **of_words, tokenizer="mixed", **more)
    assert found["cer"] == same["wer"]
    shared = found.keys() & same.keys()
    assert {"edits", "other_edits", "alignments"} < shared
    assert {key: found[key] for key in shared} == {key: same[key] for key in shared}


@given(SEGMENTS)
def test_rates_are_jiwers_of_the_tokens(segments):
    segments = [[unicodedata.normalize("NFC", text) for text in pair] for pair in segments if not pair[1].isspace()]
    segments = [pair for pair in segments if pair[1]] or [["", "가"]]
    predictions, references = zip(*segments, strict=True)
    found = load("cer").compute(predictions=predictions, references=references, unit="mixed", special="keep")
    sides = [[" ".join(row) for row in tokenize(column, "mixed")] for column in (references, predictions)]
    assert found["cer"] == pytest.approx(jiwer.wer(*sides))


def test_a_sentence_with_both():
    texts = {"predictions": ["오늘 미팅은 zoom으로 해요"], "references": ["오늘 meeting은 Zoom 으로 해요."]}
    result = load("cer").compute(**texts, preset="mixed", detailed=True)
    assert (result["edits"], result["reference_length"]) == (3, 9)  # meeting is 미, 팅; and Zoom
    assert load("cer").compute(**texts, preset="mixed", lowercase=True)["edits"] == 2
    assert (result["latin_edits"], result["removed_punctuation_edits"]) == (2, 1)
    explained = load("cer").explain(prediction="회의 zoom", reference="미팅zoom", unit="mixed")
    assert (explained["reference"], explained["prediction"]) == (["미", "팅", "zoom"], ["회", "의", "zoom"])
    assert explained["alignment"] == [["substitute", "미 팅", "회 의"], ["equal", "zoom", "zoom"]]


def test_phrases_have_weights():
    texts = {"predictions": ["집 으로 room"], "references": ["집으로 zoom meeting"]}
    result = load("cer").compute(**texts, unit="mixed", weights={"zoom meeting": 5, "집": 2})
    assert (result["edits"], result["reference_length"], result["unweighted_edits"]) == (10, 14, 2)
    assert (result["keyword_recall"], result["missed_keywords"]) == (0.5, [["zoom meeting", 1, 1]])


def test_readings_are_of_characters():
    texts = {"predictions": ["세 시"], "references": ["3시"], "readings": "ko"}
    with pytest.raises(
        ValueError, match="readings compare characters, but unit is 'mixed', as in preset='mixed'; drop one"
    ):
        load("cer").compute(**texts, unit="mixed")
    names = [row[0] for row in load("cer").compute(**texts, conventions="all")["conventions"]]
    assert "mixed" not in names and len(names) == 6
