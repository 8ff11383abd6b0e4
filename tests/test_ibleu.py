"""iBLEU: worked examples, its bounds, edges."""

import math

import numpy as np
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.sampled_from(["가", "나는", "나는.", "a", "b", "the", "3.5", "don't", "-", ","])
TEXT = st.lists(WORDS, max_size=9).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3), TEXT), min_size=1, max_size=5)


def columns(corpus):
    return dict(zip(("predictions", "references", "sources"), map(list, zip(*corpus, strict=True)), strict=True))


@given(corpus=CORPUS)
def test_at_both_ends_it_is_bleu(corpus):
    texts = columns(corpus)
    options = {"max_order": 2, "per_segment": True, "smooth": "exp", "ref_length": "shortest"}
    bleu = load("bleu").compute(predictions=texts["predictions"], references=texts["references"], **options)
    result = load("ibleu").compute(**texts, alpha=1, **options)
    assert (result["ibleu"], result["segments"]) == (bleu["bleu"], bleu["segments"])
    np.testing.assert_equal({key: result[key] for key in bleu}, bleu)
    copied = load("bleu").compute(predictions=texts["predictions"], references=texts["sources"], **options)
    result = load("ibleu").compute(**texts, alpha=0, **options)
    assert (result["ibleu"], result["source_bleu"]) == (-copied["bleu"], copied["bleu"])
    assert result["segments"] == [-score for score in copied["segments"]]


EDGES = [  # of one segment
    ([prediction], [references], [source], options, expected)
    for prediction, references, source, options, expected in [
        ("가 나", ["가 나"], "가 나", {"max_order": 2, "alpha": 0.8}, 0.6),
        ("가 나", ["가 나"], "다 라", {"max_order": 2}, 0.9),
        ("가 나", ["다 라"], "가 나", {"max_order": 2, "alpha": 0.75}, -0.25),
        ("", ["가"], "가", {}, 0.0),
        ("", [""], "", {}, 0.0),
        ("가", ["가"], "", {"max_order": 1}, 0.9),
        ("가", [""], "가", {"max_order": 1, "alpha": 0.5}, -0.5),
    ]
]


def test_the_source_has_a_length_of_its_own():
    """The brevity penalty against the source is that of the source's length, not of the references'."""
    result = load("ibleu").compute(predictions=["가 나"], references=["가 나"], sources=["가 나 다 라"], max_order=1)
    assert result["brevity_penalty"] == 1.0
    assert result["source_bleu"] == pytest.approx(math.exp(1 - 4 / 2))


def test_explanation_shows_what_was_copied():
    explained = load("ibleu").explain(
        prediction="가 나 다", reference=["가 x", "다"], sources="가 나 라", max_order=2, tokenizer="whitespace"
    )
    assert explained == {
        "prediction": ["가", "나", "다"],
        "references": [["가", "x"], ["다"]],
        "matches": [[0, 2], []],
        "source": ["가", "나", "라"],
        "source_matches": [[0, 1], [0]],
    }


def test_alpha_in_the_signature():
    metric = load("ibleu")
    assert metric.signature(alpha=0.8).endswith("|reflen:closest|alpha:0.8|v1.0")
    assert metric.options_of(metric.signature(alpha=0.8))["alpha"] == 0.8


BAD_CALLS = [
    ({"alpha": -0.1}, "alpha is -0.1; pass a number from 0 to 1"),
    ({"alpha": 1.5}, "alpha is 1.5; pass a number from 0 to 1"),
    ({"sources": None}, "sources is None; pass a list"),
    ({"sources": ["a"]}, "predictions has 2 rows and sources 1"),
    ({"sources": ["a", None]}, "sources[1] is None; pass a string"),
    ({"sources": ["a", ["b"]]}, "sources[1] is of type list, ['b']; pass a string"),
]
