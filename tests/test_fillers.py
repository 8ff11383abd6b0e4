"""Fillers of speech: which words they are, and rates without them, against texts that are searched word by word."""

import itertools
import re

import pytest
from conftest import examples, load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.error_rates.phrases.fillers import FILLERS, compile_fillers

OWN = ("그니까", "you know", "어")
WORDS = [
    "음",
    "어어",
    "어음",
    "그니까",
    "you",
    "know",
    "You",
    "에어컨",
    "3시",
    "(",
    "]",
    ", ",
    "...",
    " ",
    " ",
    "\n",
    "음",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=9).map("".join)
SEGMENTS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=2)), min_size=1, max_size=3)


def slow_drop(text, fillers):
    """Removes one filler after the other: its words, what is between, the marks that follow, and blanks on one side."""
    pieces = re.findall(r"\w+|\W+", text)  # words and others take turns
    kept, at = "", 0
    while at < len(pieces):
        size = next((size for size in (3, 1) if is_filler(pieces[at : at + size], fillers)), 0)
        if not size:
            kept, at = kept + pieces[at], at + 1
            continue
        is_apart = at == 0 or pieces[at - 1][-1:].isspace() or pieces[at - 1] == ""
        at += size
        if at < len(pieces):
            marks = itertools.takewhile(lambda c: not (c.isspace() or c in "()<>[]{}"), pieces[at])
            pieces[at] = pieces[at][len("".join(marks)) :]
            pieces[at] = pieces[at].lstrip() if is_apart else pieces[at]
    return kept


def is_filler(pieces, fillers):
    """Returns whether one word is a filler said once or more, or two words and what is between are one of two words."""
    words = [piece.lower() for piece in pieces[::2]]
    if len(words) == 2:
        return " ".join(words) in fillers
    if len(pieces) > 1 or not words[0]:
        return False
    return any(" " not in own and len(words[0]) % len(own) == 0 and own * (len(words[0]) // len(own)) == words[0]
               for own in fillers)  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"preset": "nlptutti"}, {"alignments": "pieces"}])
@pytest.mark.parametrize("name", ["cer", "wer"])
@examples(0.4)
@example([("음, 어어... 3시", ["세 시 you know"])], None)
@example([("you know you know 그니까", ["(음) 3시"])], OWN)
@example([("", ["음("])], None)
@given(SEGMENTS, st.sampled_from([None, OWN]))
def test_rates_are_those_of_texts_without_fillers(name, options, segments, own):
    written = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    fillers = FILLERS if own is None else own
    dropped = {
        "predictions": [slow_drop(text, fillers) for text in written["predictions"]],
        "references": [[slow_drop(text, fillers) for text in row] for row in written["references"]],
    }
    options = {"fillers": None if own is None else list(own), "detailed": True, "readings": "ko", **options}
    found = load(name).compute(**written, **options, drop_fillers=True)
    expected = load(name).compute(**dropped, **options)
    assert found.pop("removed_filler_edits") >= expected.pop("removed_filler_edits") == 0
    assert found == expected
    left = [*dropped["predictions"], *itertools.chain(*dropped["references"])]
    # "you 음 know" is another one without its middle; cer with readings counts 음 in "b b음", which is a part of a word
    if all(slow_drop(text, fillers) == text and not re.search("(?i)[a-z][가-힣]", text) for text in left):
        assert found["filler_edits"] == 0


@pytest.mark.parametrize(("name", "hidden"), [("cer", 5), ("wer", 3)])
def test_what_is_dropped_is_said(name, hidden):
    texts = {"predictions": ["음, 어 오늘은 그니까 비가"], "references": ["오늘은 비가 와"]}
    options = {"fillers": ["음", "어", "그니까"], "detailed": True}
    with_fillers = load(name).compute(**texts, **options)
    found = load(name).compute(**texts, **options, drop_fillers=True)
    assert (with_fillers["edits"], found["edits"]) == (1 + hidden, 1)
    assert (with_fillers["filler_edits"], with_fillers["removed_filler_edits"]) == (hidden, 0)
    assert (found["filler_edits"], found["removed_filler_edits"]) == (0, hidden)
    assert load(name).explain(prediction="음 비", reference="비", drop_fillers=True)["prediction"] in ("비", ["비"])


@pytest.mark.parametrize(
    ("text", "own", "places"),
    [
        ("음, 에어컨 으음... 어어", None, ["음, ", "으음... ", "어어"]),
        ("가,음 나 (음 다) 라 음)", None, ["음", "음", "음"]),
        ("엄 씨와 학교 에", None, []),
        ("you know, You  know it", OWN, ["you know, ", "You  know "]),
        ("그니까그니까 know", OWN, ["그니까그니까 "]),
        ("음", (), []),
    ],
)
def test_where_fillers_are(text, own, places):
    assert [match[0] for match in compile_fillers(own).written.finditer(text)] == places


def test_own_words_are_a_kind():
    texts = {"predictions": ["그니까 비가 you know 와 음"], "references": ["비가 와"]}
    for name, counts in (("cer", (10, 1, 11)), ("wer", (3, 1, 4))):
        result = load(name).compute(**texts, fillers=["그니까", "you know"], detailed=True)
        assert (result["filler_edits"], result["other_edits"], result["edits"]) == counts
        assert load(name).compute(**texts, fillers=[], detailed=True)["filler_edits"] == 0


def test_in_any_unicode_form():
    for form in ("NFC", "NFD", None):
        texts = {"predictions": ["\u110b\u1173\u11b7 비"], "references": ["비"], "normalization": form}
        assert load("wer").compute(**texts, drop_fillers=True)["edits"] == 0
        assert load("cer").compute(**texts, detailed=True)["filler_edits"] == load("cer").compute(**texts)["edits"] > 0


def test_brackets_stay():
    """Else the preset whisper would take everything up to the next bracket for one in brackets."""
    texts = {"predictions": ["[음] 네 [박수]"], "references": ["네"]}
    assert load("wer").compute(**texts, preset="whisper", drop_fillers=True)["edits"] == 0


@pytest.mark.parametrize(
    ("fillers", "message"),
    [
        ("음", r"fillers is '음'; pass a list of words"),
        (["음", ""], r"fillers\[1\] is ''; pass letters and numbers, without punctuation"),
        (["음..."], r"fillers\[0\] is '음\.\.\.'; pass letters"),
        ([3], r"fillers\[0\] is 3"),
    ],
)
def test_wrong_fillers(fillers, message):
    with pytest.raises(ValueError, match=message):
        load("cer").compute(predictions=["가"], references=["가"], fillers=fillers)


def test_signatures_name_them():
    metric = load("cer")
    lines = [metric.signature(fillers=own) for own in (None, ["음", "you know"], ["no"], ["3"], [])]
    assert ["fillers" in line for line in lines] == [False, True, True, True, True]
    assert "|fillers:음,you know,|" in lines[1] and metric.options_of(lines[1])["fillers"] == ["음", "you know"]
    for line in lines[2:]:
        with pytest.raises(ValueError, match="pass that option yourself"):
            metric.options_of(line)
    assert metric.options_of(metric.signature(drop_fillers=True))["drop_fillers"]
    assert "dropped" not in lines[1]


@given(st.lists(st.sampled_from(["나는", "책.", "(네)", "3시", "you"]), min_size=1, max_size=6), st.data())
def test_no_blank_is_left(words, data):
    """Where blanks count a text with fillers among its words is the same without them, on either side."""
    spoken = []
    for word in words:
        spoken += [*data.draw(st.lists(st.sampled_from(["음", "음,", "어어...", "Uh"]), max_size=2)), word]
    spoken += data.draw(st.lists(st.just("음."), max_size=1))
    for texts in ([" ".join(words), " ".join(spoken)], [" ".join(spoken), " ".join(words)]):
        columns = {"predictions": texts[:1], "references": texts[1:]}
        assert load("cer").compute(**columns, preset="jiwer", drop_fillers=True)["edits"] == 0


def test_a_long_text_takes_no_time():
    text = "음 " * 100_000 + "음" * 100_000 + "가"
    assert load("wer").compute(predictions=[text], references=["가"], drop_fillers=True)["edits"] == 1
