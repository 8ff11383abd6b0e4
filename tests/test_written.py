"""Texts as they were written in drawings: what a convention removes, and what is read, for CER and WER."""

import re
import unicodedata

import cases
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st
from texts import TEXT

from textgauge.error_rates.phrases.fillers import compile_fillers
from textgauge.programs.drawing.draw import draw
from textgauge.programs.drawing.edits import columns
from textgauge.programs.drawing.terminal import text_lines
from textgauge.programs.drawing.written import Piece, pieces_of
from textgauge.tokens.cleaning import clean_characters

PIECES = ["12.5km", "3%", "삼 퍼센트", " ", ", ", "음 ", "가", "각", "LG", "é", "\u0301", "(b/) ", "닭", "네 시"]
TEXTS = st.lists(st.sampled_from(PIECES) | TEXT, max_size=6).map("".join)
OPTIONS = [
    {}, {"preset": "jiwer"}, {"lowercase": True}, {"unit": "jamo"}, {"readings": "ko"}, {"normalization": None},
    {"drop_fillers": True}, {"preset": "ksponspeech"}, {"readings": "ko", "weights": {"가": 3}},
]  # fmt: skip
SPOKEN = "거리가약125km정도, 3%를 더 간다"
RIGHT = "거리가 약 12.5km 정도 삼 퍼센트를 더 간다."


def folded(text):
    characters = unicodedata.normalize("NFKD", text).casefold().replace("\N{FRACTION SLASH}", "/")  # that of ¼
    return "".join(character for character in characters if not character.isspace())


@example("", "¼", {"readings": "ko"}, "cer")
@given(TEXTS, TEXTS, st.sampled_from(OPTIONS), st.sampled_from(["cer", "wer"]))
def test_nothing_is_lost(prediction, reference, options, name):
    """A drawing has all characters of both texts in their order, and of all tokens with their edits."""
    options = {key: value for key, value in options.items() if key in load(name).OPTIONS}
    options = {} if name == "wer" and options.get("preset") == "jiwer" else options
    explanation = load(name).explain(prediction=prediction, reference=reference, **options)
    drawn = columns(explanation, prediction, [reference])
    for side, text in (("reference", reference), ("prediction", prediction)):
        shown = folded("".join(getattr(column, side) for column in drawn).replace("␣", ""))
        whole = folded(text.replace("␣", ""))
        # a dot stands for a sign that keeps two readings apart
        assert len(shown) == len(whole) and all(one in (other, "·") for one, other in zip(shown, whole, strict=True))
    letters = {column.kind for column in drawn} - {"equal", "removed"}
    assert bool(letters) == any(kind != "equal" for kind, _, _ in explanation["alignment"])
    html = draw(explanation, prediction, [reference]).html
    shown = re.sub(r"<rt>.*?</rt>|<sup>.*?</sup>", "", html)
    for row, text in zip(re.findall("<dd.*?>(.*?)</dd>", shown, flags=re.S), (prediction, reference), strict=True):
        plain = re.sub("<.*?>", "", row)
        for escaped, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&")):
            plain = plain.replace(escaped, character)
        assert folded(plain.replace("␣", "")) == folded(text.replace("␣", "")) or not folded(text)


@given(TEXT, st.sampled_from(["remove", "keep", "collapse"]), st.sampled_from(["remove", "keep", "punctuation"]))
def test_what_is_removed(text, spaces, special):
    """Each character is removed or not, whatever stands beside it."""
    text = unicodedata.normalize("NFC", text)
    [compared] = clean_characters([text], spaces, special, "syllable", "keep")
    pieces = pieces_of(text, compared)
    assert "".join(piece.text for piece in pieces) == text
    tokens = [token for piece in pieces for token in range(piece.start, piece.end)]
    assert tokens == list(range(len(compared)))
    for piece in pieces:
        if piece.is_removed:
            assert not clean_characters([piece.text], spaces, special, "syllable", "keep")[0].strip()
        elif piece.text.strip():
            assert piece.text == compared[piece.start : piece.end]


@given(st.lists(st.sampled_from(["음", "어어", "음악", "좋음", "그림"]), max_size=6))
def test_words_that_are_dropped(words):
    """A filler is a whole word, also beside words that have its syllables."""
    text = " ".join(words)
    [compared] = compile_fillers(("음", "어"), True).dropped([text])
    pieces = pieces_of(text, compared.replace(" ", ""))
    removed = [piece.text for piece in pieces if piece.is_removed]
    assert sorted(removed) == sorted(word for word in words if word in ("음", "어어"))


def test_phrases_behind_what_is_not_read():
    """A number that is no notation here has fewer characters than its reading has jamo; a phrase is where it stands."""
    texts = {"prediction": "삼 퍼센트 닭 15 약", "reference": "2024년 3월 엘지 약"}
    explanation = load("cer").explain(**texts, readings="ko", unit="jamo", weights={"약": 5})
    for side, phrase, _, start, end, is_in_both in explanation["keywords"]:
        shown = unicodedata.normalize("NFC", explanation[side][start:end])
        assert (shown, phrase, is_in_both) == ("약", "약", True)
    html = draw(explanation, texts["prediction"], [texts["reference"]]).html
    assert html.count('<mark class="plus">약</mark><sup>+5</sup>') == 2


def test_what_is_not_found():
    """Tokens that are not in the text, as of a morphological analyser, are shown in place of it."""
    assert pieces_of("했다", ["하", "었", "다"], joint=" ") == [
        Piece("하", 0, 1), Piece(" ", 1, 1), Piece("었", 1, 2), Piece(" ", 2, 2), Piece("다", 2, 3),
    ]  # fmt: skip
    assert pieces_of("나", "가다") == [Piece("가", 0, 1), Piece("다", 1, 2)]


@pytest.mark.parametrize(
    "name, options, expected",
    [
        (
            "cer",
            {},
            """
prediction  거리가 약 12 5km 정도, 3        %를 더 간다
reference   거리가␣약␣12.5km␣정도  삼 퍼센트 를 더 간다.
                  ·  ·  ·   ·    · S  D     ·          ·
""",
        ),
        (
            "cer",
            {"readings": "ko"},
            """
read as               백이십오킬로미터        삼퍼센트
prediction  거리가 약 125km             정도, 3%       를 더 간다
reference   거리가␣약␣12.5km           ␣정도  삼 퍼센트를 더 간다.
read as               십이점오킬로미터
                  ·  ·S                ·    ·                    ·
""",
        ),
        (
            "wer",
            {"readings": "ko"},
            """
read as     거리가약 백이십오 킬로미터정도,      삼 퍼센트를
prediction  거리가약125km정도,                   3%를        더 간다
reference   거리가 약 12.5km                정도 삼 퍼센트를 더 간다.
read as     거리가 약 십이점오킬로미터
            S                               D                   S
""",
        ),
    ],
)
def test_in_the_terminal(name, options, expected):
    explanation = load(name).explain(prediction=SPOKEN, reference=RIGHT, **options)
    lines = text_lines(explanation, SPOKEN, [RIGHT], 110)
    assert "\n".join("".join(text for text, _ in line) for line in lines) == expected.strip("\n")
    assert ("·", "removed") in [(text.strip(), kind) for text, kind in lines[-1]] or name == "wer"


def test_drawn():
    """What is read is above what is written, with its edits; what is removed is grey."""
    explanation = load("cer").explain(prediction=SPOKEN, reference=RIGHT, readings="ko")
    drawing = draw(explanation, SPOKEN, [RIGHT])
    reading = '<mark class="substitute">백</mark>이<mark class="substitute">십</mark>오킬로미터'
    assert f'거리가약<mark class="substitute"><ruby>125km<rt>{reading}</rt></ruby></mark>정도' in drawing.html
    assert '정도<mark class="removed">,</mark> <ruby>3%<rt>삼퍼센트</rt></ruby>를 더 간다</dd>' in drawing.html
    assert drawing.marks == {"edits", "removed", "read"}
    words = draw(load("wer").explain(prediction=SPOKEN, reference=RIGHT, readings="ko"), SPOKEN, [RIGHT])
    assert "<ruby>3%를<rt>삼 퍼센트를</rt></ruby> 더" in words.html and words.marks == {"edits", "read"}
    jamo = load("cer").explain(prediction="됩니다", reference="됍니다", unit="jamo")
    assert (
        'class="substitute"><ruby>됩<rt>ᄃ<mark class="substitute">ᅬ</mark>ᆸ</rt></ruby></mark>니다'
        in draw(jamo, "됩니다", ["됍니다"]).html
    )


@pytest.mark.parametrize("options", cases.WER_OPTIONS)
def test_all_options_of_words(options):
    """Tokens that are not found are drawn in place of the text; nothing fails."""
    for prediction, references in zip(cases.TEXTS["predictions"], cases.TEXTS["references"], strict=True):
        explanation = load("wer").explain(prediction=prediction, reference=references, **options)
        drawn = columns(explanation, prediction, references)
        edits = [kind for kind, *_ in explanation["alignment"] if kind != "equal"]
        assert bool(edits) == any(column.kind not in ("equal", "removed") for column in drawn)
