"""Columns: checks that the common tests, which go through metrics with texts, do not reach."""

import functools
import re
import sys
import unicodedata
import warnings
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core import columns
from textgauge.core import number_columns as numbers


@pytest.mark.parametrize(
    ("kind", "column", "message"),
    [
        (numbers.NUMBERS, [1, None], "x[1] is None; pass a finite number"),
        (numbers.NUMBERS, [1, True], "x[1] is of type bool, True; pass a finite number"),
        (numbers.NUMBERS, [1, "2"], "x[1] is a string, '2'; pass a finite number"),
        (numbers.NUMBERS, [1, float("nan")], "x[1] is nan; pass a finite number"),
        (numbers.NUMBERS, np.array([1, np.inf]), "x[1] is inf; pass a finite number"),
        (numbers.NUMBERS, [10**400], "x[0] is of type int, 1000"),
        (numbers.NUMBERS, [1j], "x[0] is of type complex, 1j; pass a finite number"),
        (numbers.NUMBERS, 3.5, "x is of type float, 3.5; pass a list with one entry per segment"),
        (numbers.NUMBER_LISTS, [[1.0], 2.0], "x[1] is of type float, 2.0; pass a list of numbers"),
        (numbers.NUMBER_LISTS, [[1.0], "ab"], "x[1] is a string, 'ab'; pass a list of numbers"),
        (numbers.NUMBER_LISTS, np.ones((1, 2, 3)), "x[0] is of type ndarray"),
        (numbers.NUMBER_LISTS, [[1.0], [2, None]], "x[1][1] is None; pass a number"),
        (numbers.NUMBER_LISTS, [[1.0], np.array([2, np.nan])], "x[1][1] is nan; pass a number"),
        (numbers.NUMBER_LISTS, [[1.0], [False]], "x[1][0] is of type bool, False; pass a number"),
        (numbers.LABELS, ["a", None], "x[1] is None; pass a string or an integer"),
        (numbers.LABELS, ["a", True], "x[1] is of type bool, True; pass a string or an integer"),
        (numbers.LABELS, ["a", "\ud800"], "x[1] holds a lone surrogate"),
    ],
)
def test_bad_values(kind, column, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        kind.check("x", column)


class Tensor:
    """What torch and jax arrays have in common; a number in one is a tensor without dimensions."""

    def __init__(self, values):
        self.values = np.array(values)
        self.shape = self.values.shape

    def __iter__(self):
        return map(Tensor, self.values)

    def __array__(self, *_, **__):
        raise RuntimeError("this tensor is on another device")

    def tolist(self):
        return self.values.tolist()


@pytest.mark.parametrize("library", ["none", "torch"])
def test_tensors_are_taken(library):
    """As evaluate takes them, whole columns as well as rows and single numbers; bool stays refused."""
    if library == "torch":
        torch = pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
    tensor = torch.tensor if library == "torch" else Tensor
    rows, scores = [[-1.0, -2.0], [-0.5, -3.0]], [0.25, 0.5]
    for column in (tensor(rows), list(map(tensor, rows)), [list(map(tensor, row)) for row in rows]):
        assert numbers.check_number_lists("x", column) == rows
        assert numbers.check_ratings("x", column) == rows
        assert load("perplexity").compute(predictions=column)["log_likelihood"] == -6.5
    metric = load.__wrapped__("human_correlation")
    for column in (tensor(scores), list(map(tensor, scores))):
        assert numbers.check_ratings("x", column) == numbers.check_numbers("x", column) == scores
        metric.add_batch(predictions=column, references=tensor(rows))
        assert metric.compute()["pearson"] == -1.0
    assert np.isnan(numbers.check_ratings("x", [tensor([1.0, np.nan]), [2.0, tensor(np.nan)]])).tolist() == [[0, 1]] * 2
    with pytest.raises(ValueError, match=r"x\[0\] is of type bool, True; pass a finite number"):
        numbers.check_numbers("x", tensor([True]))
    with pytest.raises(ValueError, match=r"x is of type float, 1.0; pass a list with one entry per segment"):
        numbers.check_numbers("x", tensor(1.0))


def test_good_values():
    for column in ([1, 2.5], (np.float32(1), np.int64(2), 2.5)[1:], pd.Series([1, 2.5]), np.array([1, 2.5])):
        checked = numbers.NUMBERS.check("x", column)
        assert checked[-1] == 2.5
        assert set(map(type, checked)) == {float}
    for column in ([[1, 2.5], []], [(1, 2.5), np.array([])], pd.Series([[1.0, 2.5], []])):
        checked = numbers.NUMBER_LISTS.check("x", column)
        assert checked == [[1.0, 2.5], []]
        assert set(map(type, checked[0])) == {float}
    assert numbers.NUMBER_LISTS.check("x", [[-np.inf, np.inf]]) == [[-np.inf, np.inf]]
    assert numbers.NUMBER_LISTS.check("x", np.ones((1, 2))) == [[1.0, 1.0]]
    assert numbers.LABELS.check("x", ["a", 3, np.int64(4)]) == ["a", "3", "4"]


@pytest.mark.parametrize("row", [0, 1023, 1024, 1027, 2048, 2999])
def test_a_lone_surrogate_in_any_row_is_named(row):
    texts = ["가"] * 3000
    texts[row] = "나\udfff"
    others = [["가"] * 3] * 1000
    others[row // 3] = ["가", "나\ud800", "가"]
    for check, column, place in (
        (columns.check_texts, texts, row),
        (columns.check_references, texts, row),
        (columns.check_references, others, row // 3),
        (columns.check_labels, texts, row),
    ):
        with pytest.raises(ValueError, match=rf"^x\[{place}\] holds a lone surrogate, '나"):
            check("x", column)
    with pytest.raises(ValueError, match=rf"^predictions\[{row}\] holds a lone surrogate"):
        load("bleu").compute(predictions=texts, references=["가"] * 3000)


def test_sizes():
    assert columns.TEXTS.sizes(["ab", ""]).tolist() == [2, 0]
    assert columns.REFERENCES.sizes([["ab", "c"], [""], ["defg"]]).tolist() == [3, 0, 4]
    assert numbers.NUMBERS.sizes([1.0, 2.0]).tolist() == [1, 1]
    assert numbers.NUMBER_LISTS.sizes([[1.0, 2.0], []]).tolist() == [2, 0]
    for kind in (columns.TEXTS, columns.REFERENCES, numbers.NUMBERS, numbers.NUMBER_LISTS, numbers.LABELS):
        assert kind.sizes([]).shape == (0,)


@functools.cache
def assigned():
    """Returns all characters that Unicode has, without surrogates and those for private use."""
    return [
        char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) not in ("Cn", "Co", "Cs")
    ]


@pytest.mark.parametrize("normalization", [None, "NFC", "NFD", "NFKC", "NFKD"])
def test_lower_case_in_every_normal_form(normalization):
    """A compatibility form writes capitals: ℃ is °C. No code point that is assigned may keep one."""
    cleaned = columns.clean_texts(assigned(), lowercase=True, normalization=normalization)
    assert columns.clean_texts(cleaned, lowercase=True, normalization=normalization) == cleaned
    assert all(text.lower() == text for text in cleaned)


def test_lower_case_of_compatibility_characters():
    for normalization, expected in (("NFKC", ["25°c 이다", "60mhztm"]), ("NFC", ["25℃ 이다", "60㎒™"])):
        assert columns.clean_texts(["25℃ 이다", "60㎒™"], lowercase=True, normalization=normalization) == expected
    texts = {"predictions": ["25℃ 이다"], "references": ["25°C 이다"], "normalization": "NFKC"}
    assert load("bleu").compute(**texts, lowercase=True, max_order=2)["bleu"] == 1
    assert load("rouge").compute(**texts)["rouge1"] == 1


MARKED = st.text(
    "가각한e\u0301\u0323\u0327\u0345\u0344\u05b0\u05bf\u0f73\ufb1f\u212b㎒ㅏ\u11a8", min_size=1, max_size=20
)


@given(MARKED, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_many_marks_in_a_row_are_sorted_first(text, normalization):
    with mock.patch.object(columns, "MARKS", 1):
        cleaned = columns.clean_texts([text], normalization=normalization)
    assert cleaned == [unicodedata.normalize(normalization, text)]


def test_marks_in_disorder_never_reach_unicodedata():
    """Its time for them grows with the square of their number."""
    text, seen = "e" + "\u0301\u0323" * 100, []
    normalize = unicodedata.normalize
    with mock.patch.object(unicodedata, "normalize", lambda form, text: seen.append(text) or normalize(form, text)):
        columns.clean_texts([text], normalization="NFC")
    assert seen[-1] == "e" + "\u0323" * 100 + "\u0301" * 100
    assert max(map(len, seen[:-1])) == 1


PREDICTIONS = ["고양이가 방에서 잠을 자고 있다", "오늘은 아침부터 비가 많이 내린다", "그는 학교에 가는 길에 책을 샀다"]
OTHERS = ["고양이가 방에서 자고 있다", "오늘 아침부터 비가 많이 온다", "그는 학교에 가다가 책을 샀다"]
THIRD = ["방에서 고양이가 잠을 잔다", "오늘은 아침부터 비가 내린다", "학교에 가는 길에 그는 책을 샀다"]
BY_SEGMENT = [list(row) for row in zip(PREDICTIONS, OTHERS, THIRD, strict=True)]
BY_SET = [PREDICTIONS, OTHERS, THIRD]
TOKENS = [["고양이가", "방에서", "잠을", "자고", "있다", "."], ["오늘은", "비가", "많이", "내린다"]]


@pytest.mark.parametrize("size", [2, 3])
def test_square_references_that_are_transposed(size):
    predictions, transposed = PREDICTIONS[:size], [row[:size] for row in BY_SET[:size]]
    with pytest.warns(UserWarning, match=re.escape("pass references=list(zip(*references))")):
        found = load("bleu").compute(predictions=predictions, references=transposed)
    with pytest.warns(UserWarning, match="pass references"):
        columns.warn_if_misread(predictions, [predictions] * size)  # one list of references for every segment
    right = list(zip(*transposed, strict=True))
    assert load("bleu").compute(predictions=predictions, references=right) != found


@pytest.mark.parametrize("length", [4, 8, 9, 20])
def test_texts_of_a_few_characters_are_too_short_to_tell(length):
    """Nine characters have eight pairs."""
    texts = ["".join(map(chr, range(first, first + length))) for first in (0xAC00, 0xB000)]
    transposed = [texts, [text[:-1] + "힣" for text in texts]]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns.warn_if_misread(texts, transposed)
    assert [str(warning.message).startswith("references[i] are") for warning in caught] == [True] * (length >= 9)


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (PREDICTIONS, BY_SEGMENT),
        (PREDICTIONS[:2], [row[:2] for row in BY_SEGMENT[:2]]),
        (PREDICTIONS[1::-1], [row[:2] for row in BY_SEGMENT[:2]]),  # bad predictions, each of the other segment
        (PREDICTIONS[:2], [["예", "아니요"], ["네", "아뇨"]]),  # too short to tell
        (
            ["the weather is fine", "no such thing at all"],
            [["fine", "good", "nice", "sunny"], ["no", "none", "not", "a"]],
        ),
        (["비가 많이 내린다 .", "눈"], [["비가 많이 내린다", "비가 온다"], ["눈"]]),
    ],
)
def test_ordinary_references_give_no_warning(predictions, references):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        columns.warn_if_misread(predictions, references)


@pytest.mark.parametrize(
    ("likeness", "is_found"),
    [
        ([[0.9, 0.1, 0.1], [0.1, 0.9, 0.1], [0.1, 0.1, 0.9]], True),
        ([[0.9, 0.1, 0.4], [0.1, 0.9, 0.4], [0.1, 0.1, 0.9]], True),
        ([[0.9, 0.1, 0.5], [0.1, 0.9, 0.5], [0.1, 0.1, 0.9]], False),  # no better for the last prediction
        ([[0.9, 0.4, 0.4], [0.4, 0.9, 0.4], [0.4, 0.4, 0.9]], False),  # better for all, but not clearly
        ([[0.3, 0.1, 0.1], [0.1, 0.3, 0.1], [0.1, 0.1, 0.3]], False),  # the diagonal is no better than the rest
    ],
)
def test_what_looks_transposed(monkeypatch, likeness, is_found):
    """The likeness of each reference to the prediction of its row; that to the prediction of its column is .5."""
    monkeypatch.setattr(columns, "_PAIRS", 0)
    monkeypatch.setattr(columns, "_character_pairs", str.split)

    def like(text, prediction):
        (row, column), (other,) = map(int, text), map(int, prediction)
        return likeness[row][row] if row == column == other else likeness[row][column] if row == other else 0.5

    monkeypatch.setattr(columns, "_likeness", like)
    references = [[f"{row} {column}" for column in range(3)] for row in range(3)]
    assert columns._look_transposed(["0", "1", "2"], references) == is_found


def test_tokens_in_place_of_references():
    """A habit from nltk, whose references are lists of tokens."""
    with pytest.warns(UserWarning, match=re.escape("references[0] holds 6 references of one word each")):
        load("rouge").compute(predictions=["고양이가 방에서 자고 있다.", "오늘은 비가 내린다"], references=TOKENS)
    for predictions, tokens in ((["가 나 다", "라 마"], [list("가나다"), list("라마")]), (["전혀 다르다"], TOKENS[:1])):
        with pytest.warns(UserWarning, match="which look like the tokens of one"):
            load("bleu").compute(predictions=predictions, references=tokens)
    with pytest.raises(ValueError, match=re.escape("references[0][0] is of type list")):
        load("rouge").compute(predictions=["고양이가 잔다"], references=[TOKENS])
    with pytest.raises(ValueError, match=re.escape("predictions[0] is of type list")):
        load("rouge").compute(predictions=TOKENS, references=TOKENS)


@pytest.mark.parametrize(("rows", "warned"), [(1, True), (2, True), (3, False)])
def test_half_of_the_rows_look_like_tokens(rows, warned):
    """One of them has two words in a row; that is half of two, and less than half of three."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        columns.warn_if_misread(
            ["가 나 다", *["전혀 다르다"] * (rows - 1)], [["가", "나"], *[["라", "마"]] * (rows - 1)]
        )
    assert ["look like the tokens of one" in str(warning.message) for warning in caught] == [True] * warned


@pytest.mark.parametrize(
    ("references", "message"),
    [
        (["a", np.array("b")], "references[1] is of type ndarray, array('b'"),
        (np.ma.array(["a", "b"], mask=[False, True]), "references[1] is of type MaskedConstant, masked"),
        ([["a"], np.ma.array(["a", "b"], mask=[True, False])], "references[1][0] is of type MaskedConstant, masked"),
    ],
)
def test_arrays_that_hold_no_text(references, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        columns.REFERENCES.check("references", references)
