"""Words that are joined in one text and apart in the other, against a slow version and kaldialign."""

import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.error_rates.nearest import joined
from textgauge.error_rates.nearest.choice import choose
from textgauge.error_rates.nearest.pairs import Texts
from textgauge.error_rates.nearest.rule import Rule
from textgauge.korean.reading_words import WORD_CLEANING

WORDS = st.lists(st.text("ab", min_size=1, max_size=4), max_size=8)
LONG = st.lists(st.sampled_from(["a", "b", "ab", "aba", "ababa", "babab", "abababab"]), max_size=9)
HANGUL = st.lists(st.sampled_from(["가", "가나", "나", "가나다", "다", "나다", "가가"]), max_size=8)


def result(prediction, reference, **options):
    texts = {"predictions": [" ".join(prediction)], "references": [" ".join(reference)]}
    return load("wer").compute(**texts, compounds="merge", **options)


@example(["ab", "c", "d"], ["a", "b", "cd"])
@example(["가나다라마"], ["가", "나", "다", "라", "마"])
# what both texts begin with is not always part of the best alignment: all four words are one word
@example(["a", "b", "c", "d"], ["a", "abcd"])
@given(*[st.one_of(WORDS, LONG, HANGUL)] * 2)
def test_equals_slow_version(reference, prediction):
    found = result(prediction, reference, detailed=True)
    edits = oracles.edits_with_joins(tuple(reference), tuple(prediction))
    assert (found["edits"], found["reference_length"]) == (edits, len(reference))
    wrong = [found[name] for name in ("substitutions", "deletions", "insertions")]
    assert sum(wrong) == edits and wrong[0] + wrong[1] + found["hits"] == len(reference)
    assert result(reference, prediction)["edits"] == edits
    assert edits <= oracles.distances(reference, prediction)[-1][-1]


@given(*[st.one_of(WORDS, LONG, HANGUL)] * 2)
def test_both_ways_choose_the_same(reference, prediction):
    codes = {word: chr(100 + index) for index, word in enumerate({*reference, *prediction})}
    texts = ["".join(codes[word] for word in words) for words in (reference, prediction)]
    joins = joined.find_joins(reference, prediction)
    assert joined._choose_by_gaps(*texts, joins) == joined._choose_by_cells(*texts, joins)


@given(*[st.one_of(WORDS, LONG, HANGUL)] * 2)
def test_alignments_hold_the_joins(reference, prediction):
    explained = load("wer").explain(
        prediction=" ".join(prediction), reference=" ".join(reference), compounds="merge"
    )  # fmt: skip
    assert (explained["reference"], explained["prediction"]) == (reference, prediction)
    edits = 0
    for side in (1, 2):
        assert " ".join(piece[side] for piece in explained["alignment"] if piece[side]).split() == [
            reference, prediction
        ][side - 1]  # fmt: skip
    for kind, *pieces in explained["alignment"]:
        left, right = (piece.split() for piece in pieces)
        if kind == "equal":
            assert left == right or "".join(left) == "".join(right) and min(len(left), len(right)) == 1
        edits += max(len(left), len(right)) if kind != "equal" else 0
    assert edits == result(prediction, reference)["edits"]


@pytest.mark.parametrize(
    ("reference", "prediction", "edits"),
    [
        (["a", "ab"], ["aab", "a", "aab"], 2),
        (["a", "a"], ["aa", "a", "aba", "aa"], 3),
        (["b", "ba", "b"], ["bab", "bab", "aab", "ab", "b"], 4),
    ],
)
@pytest.mark.parametrize("few", [0, 32])
def test_of_several_ways_the_one_with_the_fewest_joins(few, reference, prediction, edits, monkeypatch):
    """Each has a way with a join that leaves as many edits."""
    monkeypatch.setattr(joined, "FEW", few)
    codes = {word: chr(100 + index) for index, word in enumerate({*reference, *prediction})}
    texts = ["".join(codes[word] for word in words) for words in (reference, prediction)]
    joins = joined.find_joins(reference, prediction)
    assert joins and joined.choose_joins(*texts, joins) == (edits, [])


def test_by_hand():
    """Milder than sWER: a word is not cut where both texts have it otherwise."""
    assert result(["the", "whitepaper", "was"], ["the", "white", "paper", "is"]) == {
        "wer": 0.25, "edits": 1, "reference_length": 4,
    }  # fmt: skip
    assert result(["커피", "한잔", "주세요"], ["커피", "한", "잔", "주세요"])["wer"] == 0
    assert result(["ab", "c"], ["a", "bc"])["edits"] == 2
    for size in (5, 40):
        assert result(list("가나다라마바사아" * 5)[:size], [("가나다라마바사아" * 5)[:size]])["edits"] == 0
    found = result(["한잔", "두", "잔"], ["한", "잔", "두잔"], detailed=True, alignments="kaldi")
    assert [found[name] for name in ("wer", "mer", "wil", "ser", "hits")] == [0, 0, 0, 0, 3]
    assert result(["한잔", "또"], ["한", "잔", "두"], detailed=True)["wip"] == pytest.approx(2 / 3 * 1 / 2)
    assert found["summary"] == "%WER 0.00 [ 0 / 3, 0 ins, 0 del, 0 sub ]"
    assert found["alignments"] == ["0 ref   한 잔 두잔\n0 hyp   한잔  두 잔\n0 op    C     C\n0 #csid 3 0 0 0"]
    assert load("wer").signature(compounds="merge").endswith("|swer:no|compounds:merge|v1.0")


def test_with_other_options():
    """Joined words are found after the reference's spacing was taken over, and among any tokens."""
    texts = {"predictions": ["우리나라 만만세"], "references": [["우리 나라만세", "우리 나라 만세"]]}
    assert load("wer").compute(**texts, compounds="merge")["edits"] == 1
    assert load("wer").explain(
        prediction=texts["predictions"][0], reference=texts["references"][0], compounds="merge"
    )["reference_index"] == 1  # fmt: skip
    assert load("wer").compute(**texts, compounds="merge", bounded=True)["wer"] == pytest.approx(1 / 3)
    assert result(["white-paper"], ["white", "-paper"], tokenizer="13a")["edits"] == 0


def test_very_many_joins():
    """Each two words of the one are one of the other: half a million possible joins."""
    found = result(["가가"] * 500, ["가"] * 1001)
    assert found["edits"] == 1
    assert len(joined.find_joins(["가"] * 40, ["가가"])) == 39 > joined.FEW


def test_what_is_equal_is_not_looked_at(monkeypatch):
    rule = Rule(WORD_CLEANING, bounded=False, ties="jiwer", compounds="merge")
    texts = Texts(["ab"], ["ab"], np.array([1]), words=[(["a", "b"], ["a", "b"])])
    monkeypatch.setattr(joined, "find_joins", None)
    assert choose(texts, rule).pairs.edits.tolist() == [0]
