"""Readings rewrite the texts of each pair, and what comes after compares plain texts."""

import json

import pytest
from conftest import load
from hypothesis import assume, given
from hypothesis import strategies as st

from textgauge.core.reserved import is_reserved
from textgauge.error_rates.nearest.spelling import Way, spell
from textgauge.korean.reading_tables import KOREAN
from textgauge.korean.reading_words import WORD_CLEANING
from textgauge.korean.readings import Cleaning

PIECES = (
    """
3시|세 시|삼|세|20%|이십 퍼센트|프로|5kg|5km|오 킬로|1.5|15|½|12|LG|엘지|1004가|천사가|3~4명|서너 명|0-0빠|00빠|▲3%|▼3%
10㎡|10㎥|가|나|음|코로나19|10,000원|만원|5mg|6개국|R&D
""".strip()
    .replace("\n", "|")
    .split("|")
)
TEXT = st.lists(st.sampled_from(PIECES), max_size=5).map(" ".join)
CHARACTERS = Cleaning("remove", "remove", "syllable", "keep")
OPTIONS = [
    ("cer", {}),
    ("cer", {"preset": "jiwer"}),
    ("cer", {"unit": "jamo"}),
    ("cer", {"bounded": True}),
    ("cer", {"drop_fillers": True}),
    ("wer", {}),
    ("wer", {"special": "remove"}),
    ("wer", {"compounds": "merge"}),
    ("wer", {"space_normalized": True}),
    ("wer", {"aggregate": "mean"}),
]
METRICS = pytest.mark.parametrize(("name", "options"), OPTIONS)


def compute(name, prediction, reference, **options):
    return load(name).compute(predictions=[prediction], references=[reference], **options)


@pytest.mark.parametrize(
    ("name", "options"), [*OPTIONS, ("cer", {"weights": {"가": 3}}), ("wer", {"weights": {"가": 3}})]
)
@given(TEXT, TEXT)
def test_laws(name, options, prediction, reference):
    """The length is the reference's alone; literal rates are those of a plain call; equal texts have no error."""
    result = compute(name, prediction, reference, readings="ko", **options)
    same = compute(name, reference, reference, readings="ko", **options)
    plain = compute(name, prediction, reference, **options)
    assert (same[name], same["edits"], same[f"literal_{name}"], same["literal_edits"]) == (0, 0, 0, 0)
    assert result["reference_length"] == same["reference_length"]
    assert (result[f"literal_{name}"], result["literal_edits"]) == (plain[name], plain["edits"])


@METRICS
@given(TEXT, TEXT, st.sampled_from(["  ", "\t", "\u00a0", "\u3000 ", "\n"]))
def test_several_blanks_are_read_as_one(name, options, prediction, reference, blanks):
    """And those at the ends as none; where blanks count, those inside stay as they are."""
    between = " " if name == "cer" and (options.get("spaces") or options.get("preset")) else blanks
    wide = [f"{blanks}{text.replace(' ', between)}{blanks}" for text in (prediction, reference)]
    assert compute(name, *wide, readings="ko", **options) == compute(
        name, prediction, reference, readings="ko", **options
    )


def test_a_dropped_filler_leaves_a_number_at_the_end():
    for name in ("cer", "wer"):
        assert compute(name, "나 삼", "나 3 음", readings="ko", drop_fillers=True)["edits"] == 0


@METRICS
@given(TEXT, TEXT)
def test_notations_are_what_readings_save(name, options, prediction, reference):
    """Of the texts without fillers, where these save something."""
    detailed = compute(name, prediction, reference, detailed=True, **options)
    without_fillers = {**options, "drop_fillers": True} if detailed["filler_edits"] else options
    written = compute(name, prediction, reference, **without_fillers)
    read = compute(name, prediction, reference, readings="ko", detailed=True, **without_fillers)
    assert detailed["notation_edits"] == max(0, written["edits"] - read["edits"])
    for result in (detailed, read):
        kinds = [
            value
            for key, value in result.items()
            if key.endswith("_edits") and not key.startswith(("removed", "literal", "sign"))
        ]
        assert sum(kinds) == result["edits"]


@pytest.mark.parametrize(
    ("name", "by_words", "cleaning", "options"),
    [
        ("cer", False, CHARACTERS, {}),
        ("wer", True, WORD_CLEANING, {}),
        ("wer", True, WORD_CLEANING, {"compounds": "merge"}),
    ],
)
@given(TEXT, TEXT)
def test_texts_spelled_by_hand_have_the_same_edits(name, by_words, cleaning, options, prediction, reference):
    [pair] = spell([prediction], [reference], Way(KOREAN, cleaning, by_words))
    assume(not any(map(is_reserved, pair.prediction.text + pair.reference.text)))  # no text of a user has these
    by_hand = compute(name, pair.prediction.text, pair.reference.text, **options)
    assert compute(name, prediction, reference, readings="ko", **options)["edits"] == by_hand["edits"]


@pytest.mark.parametrize(
    "texts",
    [("0-0빠", "00빠"), ("5℃", "5℉"), ("▲3%", "▼3%"), ("3·4", "34"), ("6‥25", "625"), ("1.5", "15"), ("10㎡", "10㎥")],
)
def test_what_looks_alike_is_not_equal(texts):
    assert compute("cer", *texts, readings="ko")["edits"] > 0
    assert compute("cer", *texts[::-1], readings="ko")["edits"] > 0


def test_spans():
    [pair] = spell(["커피 4잔, 20%"], ["커피 네 잔 삼십 퍼센트"], Way(KOREAN, CHARACTERS, by_words=False))
    read = [(pair.prediction.text[span.start : span.end], span.written, span.kind) for span in pair.prediction.spans]
    assert read == [("네", "4", "number"), ("이십 퍼센트", "20%", "unit")] and not pair.reference.spans


@METRICS
@given(TEXT, TEXT)
def test_what_is_shown_has_no_blank_at_its_ends_and_no_reserved_character(name, options, prediction, reference):
    found = load(name).explain(prediction=prediction, reference=reference, readings="ko", **options)
    shown = [text for entry in found["readings"] for text in entry[1:]] + [text for *_, text in found["written"]]
    assert [text for text in shown if text != text.strip()] == []
    result = compute(name, prediction, reference, readings="ko", detailed=True, alignments="pieces", **options)
    shown = [found, result["alignments"], result.get("confusions")]
    assert not any(map(is_reserved, json.dumps(shown, ensure_ascii=False)))


def test_a_mark_that_keeps_readings_apart_is_shown_as_it_is_written():
    for here, there in (("6‥25", "625"), ("625", "6‥25")):
        found = load("cer").explain(prediction=here, reference=there, readings="ko")
        assert (found["prediction"], found["reference"]) == (here, there)


def test_words_of_notations_are_shown():
    found = load("wer").explain(prediction="커피 네 잔을 줘", reference="커피 4잔을 20% 줘", readings="ko")
    assert found["reference"] == ["커피", "네", "잔을", "이십퍼센트", "줘"]  # what has no counterpart is one word
    assert found["readings"] == [["reference", "4", "네"], ["reference", "20%", "이십퍼센트"]]
    assert found["written"] == [["reference", 1, 2, "4"], ["reference", 3, 4, "20%"]]


@pytest.mark.parametrize("size", [2000, 4000, 8000])
@pytest.mark.parametrize("name", ["cer", "wer"])
def test_texts_full_of_notations(name, size):
    """They have their first readings, and are counted."""
    unit = "1-"
    prediction = unit * (size // len(unit))
    with pytest.warns(UserWarning, match="readings: 1 of 1 pairs of texts"):
        result = compute(name, prediction, prediction[: size * 9 // 10] + "가", readings="ko", detailed=True)
    assert result["unread_segments"] == 1 and result["edits"] > 0


def test_phrases_with_a_notation_are_refused():
    for phrase in ("5mg", "삼 퍼센트 | 3%"):
        with pytest.raises(ValueError, match="which readings spell as words"):
            compute("cer", "가", "나", readings="ko", weights={phrase: 2})
