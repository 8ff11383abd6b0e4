"""Predictions that were cut elsewhere: the edits of all segments are those of the whole, found by trying all cuts."""

import itertools

import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance.Levenshtein import distance

from textgauge.edits.distance_columns import prefix_distances
from textgauge.meetings.resegmenting import align_segments

WORD = st.sampled_from(["가", "나는", "a", "b.", "B", "😀", "「가」", "한"])
TEXT = st.lists(WORD, max_size=4).map(" ".join)
TEXTS = st.lists(TEXT, min_size=1, max_size=5)
LETTERS = st.text("ab가", max_size=9)


@given(LETTERS, st.lists(st.sampled_from("ab가"), max_size=9))
def test_prefix_distances(reference, prediction):
    expected = [int(oracles.distances(reference, prediction[:end])[-1][-1]) for end in range(len(prediction) + 1)]
    assert prefix_distances(reference, prediction).tolist() == expected


def test_prefix_distances_of_long_texts():
    """The rows of one block after the other."""
    rng = np.random.default_rng(1)
    reference, prediction = ("".join(rng.choice(list("abcd"), size)) for size in (2500, 2300))
    found = prefix_distances(reference, prediction)
    assert found[[0, 700, 2300]].tolist() == [distance(reference, prediction[:end]) for end in (0, 700, 2300)]


def edits(metric, predictions, references):
    return load(metric).compute(predictions=predictions, references=references)["edits"]


@given(TEXTS, TEXTS, st.sampled_from([("words", "wer"), ("characters", "cer")]))
def test_edits_of_segments_are_those_of_the_whole(predictions, references, how):
    unit, metric = how
    found = align_segments(predictions, references, unit)
    assert len(found) == len(references)
    assert " ".join(" ".join(found).split()).replace(" ", "") == "".join(predictions).replace(" ", "")
    assert edits(metric, found, references) == edits(metric, [" ".join(predictions)], [" ".join(references)])


@given(TEXTS, TEXTS, st.sampled_from(["words", "characters"]), st.data())
def test_other_cuts_of_the_prediction_do_not_matter(predictions, references, unit, data):
    words = " ".join(predictions).split()
    ends = sorted(data.draw(st.lists(st.integers(0, len(words)), max_size=3)))
    others = [" ".join(words[start:end]) for start, end in itertools.pairwise([0, *ends, len(words)])]
    joined = [" ".join(text.split()) for text in align_segments(predictions, references, unit)]
    assert align_segments(others, references, unit) == joined


@given(TEXTS, TEXTS)
def test_the_last_of_the_cheapest_cuts_between_words(predictions, references):
    """With one border, by all cuts: which are the cheapest, and of them the last."""
    references = [references[0], " ".join(references[1:])]
    words = " ".join(predictions).split()
    sides = [[" ".join(words[:end]), " ".join(words[end:])] for end in range(len(words) + 1)]
    costs = [edits("wer", side, references) for side in sides]
    assert (
        align_segments(predictions, references) == sides[max(i for i, cost in enumerate(costs) if cost == min(costs))]
    )


@pytest.mark.parametrize(
    ("predictions", "references", "unit", "expected"),
    [
        (["a b", "c"], ["a", "b c"], "words", ["a", "b c"]),
        (["a x b"], ["a", "b"], "words", ["a x", "b"]),  # surplus: of the segment before
        (["a b"], ["a", "", "b"], "words", ["a", "", "b"]),
        (["a"], ["b c", "a", "d"], "words", ["", "a", ""]),
        ([], ["a", "b"], "words", ["", ""]),
        (["a", "b"], [""], "words", ["a b"]),
        (["the cats sat down"], ["the cat", "sat down"], "characters", ["the cats", "sat down"]),  # not "the cat"
        # of three cheapest cuts the last is inside a word
        (["the cat sat down"], ["the cat", "at down"], "characters", ["the cat", "sat down"]),
        (["갔다.「그래」라고"], ["갔다.", "그래 라고"], "characters", ["갔다.「", "그래」라고"]),
        (["가...... 나"], ["가", "......나"], "characters", ["가......", "나"]),  # punctuation decides nothing
        (["안녕하세요네"], ["안녕하세요.", "네."], "characters", ["안녕하세요", "네"]),  # words that are joined
        (["กขั"], ["ก", "ั"], "characters", ["ก", "ขั"]),  # a mark stays with its letter
        (["각"], ["각", "나"], "words", ["각", ""]),  # decomposed
    ],
)
def test_examples(predictions, references, unit, expected):
    assert align_segments(predictions, references, unit) == expected


def test_scores_of_what_was_cut_elsewhere():
    """Two utterances that were cut at another word are wrong in half of their characters, and right as a whole."""
    heard = ["오늘 날씨가", "좋다 내일은 비가 온다"]
    said = ["오늘 날씨가 좋다", "내일은 비가 온다"]
    before, after = (
        load("cer").compute(predictions=of, references=said)["cer"] for of in (heard, align_segments(heard, said))
    )
    assert (round(before, 4), after) == (0.2857, 0.0)


def test_errors():
    with pytest.raises(ValueError, match="unit is 'word'; pass one of words, characters"):
        align_segments(["a"], ["a"], "word")
    with pytest.raises(ValueError, match="references is empty"):
        align_segments(["a"], [])
    for call in (("a b", ["a"]), (["a"], "a b"), (["a", None], ["a"]), (["a"], [["a"]])):
        with pytest.raises(ValueError, match=r"(predictions|references)(\[\d\])? is "):
            align_segments(*call)
    assert align_segments(np.array(["a b"]), np.array(["a", "b"])) == ["a", "b"]


def test_many_empty_segments():
    found = align_segments(["a"] * 9, [""] * 3000 + ["a"] * 9)
    assert found == [""] * 3000 + ["a"] * 9
