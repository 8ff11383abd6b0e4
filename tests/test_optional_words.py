"""Words in parentheses and fragments, as sclite reads them (`wer` with sclite=True)."""

import itertools

import pytest
from conftest import load
from hypothesis import given
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


@given(st.lists(st.sampled_from(["a", "b", "(a)", "(b)"]), max_size=5), st.lists(st.sampled_from("ab"), max_size=5))
def test_edits_are_the_fewest_of_all_ways(said, heard):
    """As if each word that may be missing were there or not."""
    optional = [index for index, word in enumerate(said) if word.startswith("(")]
    fewest = None
    for out in itertools.chain.from_iterable(itertools.combinations(optional, n) for n in range(len(optional) + 1)):
        text = " ".join(word.strip("()") for index, word in enumerate(said) if index not in out)
        edits = load("wer").compute(predictions=[" ".join(heard)], references=[text])["edits"]
        fewest = edits if fewest is None else min(fewest, edits)
    found = load("wer").compute(predictions=[" ".join(heard)], references=[" ".join(said)], sclite=True)
    assert found["edits"] == fewest and found["reference_length"] == len(said)


def test_words_are_what_blanks_separate():
    with pytest.raises(ValueError, match="sclite=True needs tokenizer='whitespace', and tokenizer is 'char'"):
        load("wer").compute(predictions=["a"], references=["a"], sclite=True, tokenizer="char")
