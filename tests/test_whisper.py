"""The preset `whisper` of cer and wer: the normaliser of the model's own package, and what is compared then."""

import random
import unicodedata

import jiwer
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.tokens.cleaning import normalize_whisper

# first and last letters of 20 scripts, and signs
RANGES = [
    *("\x20\x7e", "\u00a0\u024f", "\u0300\u036f", "\u0370\u03ff", "\u0400\u052f", "\u0530\u058f", "\u0590\u05ff"),
    *("\u0600\u06ff", "\u0900\u097f", "\u0980\u09ff", "\u0b80\u0bff", "\u0e00\u0e7f", "\u0f00\u0fff", "\u1000\u109f"),
    *("\u10a0\u10ff", "\u1100\u11ff", "\u1200\u137f", "\u1780\u17ff", "\u3040\u30ff", "\u3130\u318f", "\u4e00\u4fff"),
    *("\uac00\ud7a3", "\u2000\u206f", "\u2100\u22ff", "\u3000\u303f", "\u3200\u33ff", "\ufb00\ufb4f", "\uff00\uffef"),
    *("\U0001d400\U0001d7ff", "\U0001f300\U0001f64f"),
]
BRACKETS = " ()[]<>.,'\n"


def some_texts(n, seed):
    draw = random.Random(seed)
    for _ in range(n):
        ranges = draw.sample(RANGES, 2)
        yield "".join(
            draw.choice(BRACKETS) if draw.random() < 0.25 else chr(draw.randint(*map(ord, draw.choice(ranges))))
            for _ in range(draw.randint(0, 30))
        )


def test_the_normaliser_is_that_of_the_package():
    names = "transformers.models.whisper.english_normalizer"
    original = pytest.importorskip(names, reason="pip install -r requirements-models.txt").BasicTextNormalizer()
    for text in (unicodedata.normalize("NFC", text) for text in some_texts(10_000, 7)):
        assert normalize_whisper(text) == original(text).strip(), text


def slow_whisper(text):
    """Says of the normaliser character by character what it does."""

    def without(text, opening, closing, may_be_empty):
        kept, at = "", 0
        while at < len(text):
            ends = [place for place in range(at + 1, len(text)) if text[place] in closing]
            if text[at] in opening and ends and (may_be_empty or ends[0] > at + 1):
                at = ends[0] + 1
            else:
                kept, at = kept + text[at], at + 1
        return kept

    text = without(without(text.lower(), "<[", ">]", True), "(", ")", False)
    folded = unicodedata.normalize("NFKC", text)
    return " ".join("".join(" " if unicodedata.category(c)[0] in "MSP" else c for c in folded).lower().split())


@example("(가) [나] <다> 라] (마 <바 사)")
@example("()가((나)다)")
@given(st.text("가나aA1 ()[]<>.½", max_size=12))
def test_the_normaliser_equals_a_slow_version(text):
    assert normalize_whisper(text) == slow_whisper(text)


def test_rates_are_those_of_the_texts_that_are_left():
    texts = list(some_texts(60, 3))
    sides = texts[:30], [f"{text} 가" for text in texts[:15]] + texts[45:]
    for metric, peer in (("cer", jiwer.cer), ("wer", jiwer.wer)):
        cleaned = [[normalize_whisper(unicodedata.normalize("NFC", text)) for text in side] for side in sides]
        kept = [pair for pair in zip(*cleaned, strict=True) if pair[1]]
        columns = {"predictions": [pair[0] for pair in kept], "references": [pair[1] for pair in kept]}
        found = load(metric).compute(**columns, preset="whisper")
        assert found[metric] == pytest.approx(peer(columns["references"], columns["predictions"]))
        raw = load(metric).compute(predictions=sides[0], references=sides[1], preset="whisper")
        assert (
            raw["edits"]
            == load(metric).compute(predictions=cleaned[0], references=cleaned[1], preset="whisper")["edits"]
        )


@pytest.mark.parametrize(
    ("prediction", "reference", "characters", "words"),
    [
        ("오늘은, 비가 온다", "오늘은 비가 온다.", 0, 0),
        ("[박수] 네", "네 (웃음)", 0, 0),
        ("3.5% 올랐다", "3 5 올랐다", 0, 0),
        ("15", "1.5", 1, 2),
        ("LG는 <unk>", "lg는", 0, 0),
        ("뭐,가", "뭐가", 1, 2),
    ],
)
def test_what_is_equal(prediction, reference, characters, words):
    for metric, edits in (("cer", characters), ("wer", words)):
        found = load(metric).compute(predictions=[prediction], references=[reference], preset="whisper", detailed=True)
        assert found["edits"] == edits


@pytest.mark.parametrize("weights", [None, {"퍼센트": 5, "엘지": 2}])
@pytest.mark.parametrize("metric", ["cer", "wer"])
def test_readings_are_of_the_text_before(metric, weights):
    texts = {"predictions": ["엘지가 [웃음] 삼 퍼센트, 일 점 오"], "references": ["LG가 3% 1.5 (박수)"]}
    result = load(metric).compute(**texts, preset="whisper", readings="ko", weights=weights)
    assert result["edits"] == 0 < result["literal_edits"]
    assert result.get("keyword_recall", 1) == 1


@pytest.mark.parametrize("text", ["(" * 50_000, "<" * 50_000 + ">", "()" * 25_000, ")" + "(" * 50_000])
def test_many_brackets_take_no_time(text):
    assert normalize_whisper(text) == ""
