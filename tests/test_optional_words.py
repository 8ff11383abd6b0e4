"""Words in parentheses and fragments, as sclite reads them (`wer` with sclite=True)."""

import itertools

import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

CASES = [
    ("here we go", "(%HESITATION) here we go", 0, 4),
    ("uh here we go", "(uh) here we go", 0, 4),
    ("um here we go", "(uh) here we go", 1, 4),
    ("here we go", "here we (uh", 1, 3),
    ("i stop now", "i st- now", 0, 3),
    ("i st- now", "i stop now", 0, 3),
    ("i op now", "i -op now", 0, 3),
    ("i stop now", "i -op now", 0, 3),
    ("i go now", "i st- now", 1, 3),
    ("(uh) here we go", "here we go", 0, 3),
    ("here (uh) (um) we", "here we go", 1, 3),
    ("", "(uh)", 0, 1),
    ("10-", "10-20", 1, 1),
]


@pytest.mark.parametrize(("prediction", "reference", "edits", "length"), CASES)
def test_marks_are_read_as_sclite_reads_them(prediction, reference, edits, length):
    found = load("wer").compute(predictions=[prediction], references=[reference], sclite=True)
    assert (found["edits"], found["reference_length"]) == (edits, length)


def test_without_the_option_they_are_words():
    found = load("wer").compute(predictions=["i stop"], references=["(uh) i st-"])
    assert (found["edits"], found["reference_length"]) == (2, 3)
    assert "sclite" not in load("wer").signature() and "|sclite:yes|" in load("wer").signature(sclite=True)


def test_case_and_several_references():
    wer = load("wer")
    texts = {"predictions": ["Stop now"], "references": [["st- now", "(uh) go on"]]}
    assert wer.compute(**texts, sclite=True)["edits"] == 1
    assert wer.compute(**texts, sclite=True, lowercase=True)["edits"] == 0
    texts = {"predictions": ["Stop now"], "references": [["go", "(uh) stop now"]]}
    assert wer.compute(**texts, sclite=True, lowercase=True)["edits"] == 0


WORDS = ["a", "ab", "ba", "(a)", "(ab)", "a-", "-a", "(b-)"]
texts = st.lists(st.sampled_from(WORDS), max_size=5)


@given(texts, texts)
def test_edits_are_the_fewest_of_all_ways(said, heard):
    """The plain definition: any of the words that may be missing is there or not, and nothing that is right costs."""
    found = load("wer").compute(predictions=[" ".join(heard)], references=[" ".join(said)], sclite=True)
    assert found["edits"] == min(
        distance(*both) for both in itertools.product(with_and_without(said), with_and_without(heard))
    )
    assert found["reference_length"] == len(said)


def with_and_without(words):
    """Returns all lists of words in which a word in parentheses is there, bare, or not."""
    ways = [[word[1:-1], None] if word[0] == "(" else [word] for word in words]
    return [[word for word in way if word is not None] for way in itertools.product(*ways)]


def distance(said, heard):
    if not said or not heard:
        return len(said) + len(heard)
    differ = not are_right(said[0], heard[0])
    return min(distance(said[1:], heard[1:]) + differ, distance(said[1:], heard) + 1, distance(said, heard[1:]) + 1)


def are_right(one, other):
    """Returns whether a word is the other, or one begins, or ends, as the fragment that the other is."""
    return one == other or any(
        part.endswith("-") and word.startswith(part[:-1]) or part.startswith("-") and word.endswith(part[1:])
        for part, word in ((one, other), (other, one))
    )


@example([["a"], ["(a)"]], [])
@example([["a"], ["(a)", "b"]], [])
@given(st.lists(texts, min_size=2, max_size=3), texts)
def test_the_reference_with_the_lowest_rate_counts(several, heard):
    """The first one on ties, of whatever length."""
    wer = load("wer")
    texts = {"prediction": " ".join(heard), "reference": list(map(" ".join, several))}
    alone = [
        wer.compute(predictions=[texts["prediction"]], references=[one], sclite=True)["wer"]
        for one in texts["reference"]
    ]
    index = wer.explain(**texts, sclite=True)["reference_index"]
    assert index == alone.index(min(alone))
    together = wer.compute(predictions=[texts["prediction"]], references=[texts["reference"]], sclite=True)
    assert together["wer"] == min(alone)


def test_forms_of_a_letter_are_one():
    found = load("wer").compute(predictions=["cafe\u0301s au"], references=["caf\u00e9- au"], sclite=True)
    assert (found["edits"], found["reference_length"]) == (0, 2)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("readings", "ko"), ("compounds", "merge"), ("space_normalized", True), ("weights", {"a": 2.0})),
        *(("fillers", ["uh"]), ("drop_fillers", True), ("bounded", True), ("alignments", "pieces")),
        *(("preset", "ksponspeech"), ("preset", "nlptutti"), ("special", "remove"), ("special", "punctuation")),
    ],
)  # fmt: skip
def test_words_are_compared_as_they_are_written(name, value):
    """What makes other words of a text, or others right, would be done behind the choice of what may be missing."""
    with pytest.raises(ValueError, match=f"sclite=True compares words as they are written, and {name} is .*; drop one"):
        load("wer").compute(predictions=["a"], references=["a"], sclite=True, **{name: value})


def test_what_removes_nothing_is_taken():
    texts = {"predictions": ["a"], "references": ["(uh) a"]}
    assert load("wer").compute(**texts, sclite=True, special="keep", bounded=False, detailed=True)["edits"] == 0


def test_words_are_what_blanks_separate():
    with pytest.raises(ValueError, match="sclite=True needs tokenizer='whitespace', and tokenizer is 'char'"):
        load("wer").compute(predictions=["a"], references=["a"], sclite=True, tokenizer="char")


def test_no_weights_are_no_option():
    texts = {"predictions": ["네"], "references": ["(음) 네"]}
    assert load("wer").compute(**texts, sclite=True, weights={})["wer"] == 0
