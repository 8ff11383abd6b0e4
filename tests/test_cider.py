"""CIDEr: worked examples, a slow version, given frequencies, one segment, edges."""

import warnings

import numpy as np
import oracles
import pytest
from conftest import UNLABELLED, load, only_ngrams
from hypothesis import given
from hypothesis import strategies as st
from texts import columns, split

# few words, so that n-grams repeat
WORDS = st.sampled_from(["가", "나는", "나는.", "a", "b", "the", "3.5"])
TEXT = st.lists(WORDS, max_size=9).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=4)), min_size=2, max_size=6)
TEXTS = {
    "predictions": ["고양이가 방에서 잠을 자고 있다", "아이가 책을 읽는다"],
    "references": [["고양이가 방에서 자고 있다"], ["아이가 책을 읽고 있다", "소년이 책을 읽는다"]],
}


@given(corpus=CORPUS, order=st.integers(1, 6), sigma=st.floats(0.5, 20), variant=st.sampled_from(["cider-d", "cider"]))
def test_equals_the_slow_version(corpus, order, sigma, variant):
    texts = columns(corpus)
    options = {"max_order": order, "variant": variant, "tokenizer": "whitespace"}
    if variant == "cider-d":
        options["sigma"] = sigma
    result = load("cider").compute(**texts, **options, per_segment=True)
    expected = oracles.cider(*split(texts), order, sigma, variant == "cider-d")
    np.testing.assert_allclose(result["segments"], expected, atol=1e-10)
    assert result["cider"] == pytest.approx(np.mean(expected), abs=1e-10)
    assert np.mean(result["per_order"]) == pytest.approx(result["cider"])


@given(corpus=CORPUS, order=st.integers(1, 4))
def test_counts_are_segments_of_the_references(corpus, order):
    texts = columns(corpus)
    options = {"max_order": order, "tokenizer": "whitespace"}
    counts = load("cider").corpus_counts(references=texts["references"], **options)
    rows = [
        {" ".join(gram) for text in row for n in range(1, order + 1) for gram in oracles.ngrams(text, n)}
        for row in split(texts)[1]
    ]
    expected = {gram: sum(gram in row for row in rows) for row in rows for gram in row}
    assert only_ngrams(counts) == {"": len(corpus), **expected}
    result = load("cider").compute(**texts, **options)
    assert load("cider").compute(**texts, **options, document_frequencies=counts) == result


@UNLABELLED
def test_given_frequencies():
    """가 stands in 2 of 8 segments, 나 in all, 다 in none that were counted."""
    frequencies = {"": 8, "가": 2, "나": 8}
    options = {"document_frequencies": frequencies, "max_order": 1, "variant": "cider"}
    result = load("cider").compute(predictions=["가 가 나"], references=["가 나 다"], **options)
    weights = np.log(8 / 2), np.log(8 / 1)
    assert result["cider"] == pytest.approx(10 * weights[0] / np.hypot(*weights))


@UNLABELLED
def test_one_segment_warns_and_is_0():
    texts = {"predictions": ["가 나 다 라"], "references": ["가 나 다 라"]}
    with pytest.warns(UserWarning, match="CIDEr is 0 for a corpus of one segment: no n-gram is rarer") as caught:
        assert load("cider").compute(**texts, per_segment=True)["segments"] == [0.0]
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="pass more segments, or document_frequencies of a larger corpus"):
        load("cider").compute(**texts, document_frequencies={"": 1})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counts = {"": 2, " tok:13a|case:mixed|norm:NFC": 2}
        assert load("cider").compute(**texts, document_frequencies=counts)["cider"] == pytest.approx(10.0)


EDGES = [  # of the first of two segments; the second one is perfect, as far as two words can be
    ([prediction, "공 하나"], [references, ["공 하나"]], {"per_segment": True}, {"segments": [expected, 5.0]})
    for prediction, references, expected in [
        ("가 나 다 라", ["가 나 다 라"], 10.0),
        ("가 나", ["가 나"], 5.0),
        ("", ["가"], 0.0),
        ("가", [""], 0.0),
        ("", [""], 0.0),
        ("가 나 다 라", ["가 나 다 라", ""], 5.0),
        ("마 바 사 아", ["가 나 다 라"], 0.0),
        ("공 공", ["공 공"], 2.5),  # the word stands in both segments, and only the pair tells
    ]
]


def test_references_that_are_the_same_everywhere():
    texts = {"predictions": ["가 나 다 라", "마"], "references": [["가 나 다 라"], ["가 나 다 라"]]}
    assert load("cider").compute(**texts)["cider"] == 0.0
    # 49 segments: log(49) in numpy's array and scalar arithmetic may differ in the last bit
    for segments in (3, 49, 1000):
        many = {"predictions": ["가 나 다 라"] * segments, "references": ["가 나 다 라"] * segments}
        assert load("cider").compute(**many)["cider"] == 0.0


def test_other_lengths_cost_in_cider_d_alone():
    texts = {"predictions": ["가 나 다 라 마", "x"], "references": [["가 나 다 라"], ["y"]]}
    close, far = (load("cider").compute(**texts, sigma=sigma)["cider"] for sigma in (6.0, 0.5))
    assert far / close == pytest.approx(np.exp(-1 / (2 * 0.25)) / np.exp(-1 / 72))
    once, twice = (
        load("cider").compute(**{**texts, "predictions": [text, "x"]}, variant="cider", max_order=1)["cider"]
        for text in ("가 나 다 라", "가 나 다 라 가 나 다 라")
    )
    assert twice == pytest.approx(once) != 0


@pytest.mark.parametrize(("sigma", "share"), [(1e-200, 0), (5e-324, 0), (1e200, 1), (10**30, 1)])
def test_any_sigma(sigma, share):
    """No other length counts, or each as much as the same: the second reference is a word longer."""
    texts = {"predictions": ["가", "x"], "references": [["가", "가 나"], ["y", "z"]]}
    options = {"max_order": 1, "per_segment": True}
    cosine = 10 / np.sqrt(2)
    expected = (10 + share * cosine) / 2
    assert load("cider").compute(**texts, **options, sigma=sigma)["segments"] == pytest.approx([expected, 0])


@given(corpus=st.lists(TEXT, min_size=2, max_size=6), order=st.integers(1, 6), copies=st.integers(1, 60))
def test_no_score_is_above_10(corpus, order, copies):
    """Not even by rounding, where the prediction is the reference."""
    texts = {"predictions": corpus, "references": [[text] * copies for text in corpus]}
    options = {"max_order": order, "tokenizer": "whitespace"}
    result = load("cider").compute(**texts, **options, per_segment=True, confidence=0.9, resamples=20)
    assert max([result["cider"], *result["per_order"], *result["segments"], *result["confidence_interval"]]) <= 10
    options["document_frequencies"] = load("cider").corpus_counts(references=texts["references"], **options)
    explained = load("cider").explain(prediction=corpus[0], reference=texts["references"][0], **options)
    assert max(explained["per_order"]) <= 10


@given(corpus=CORPUS, variant=st.sampled_from(["cider-d", "cider"]))
def test_explanation_adds_up(corpus, variant):
    texts, options = columns(corpus), {"tokenizer": "whitespace", "variant": variant}
    options["document_frequencies"] = load("cider").corpus_counts(references=texts["references"], **options)
    explained = load("cider").explain(prediction=corpus[0][0], reference=corpus[0][1], **options)
    result = load("cider").compute(predictions=[corpus[0][0]], references=[corpus[0][1]], **options)
    assert explained["per_order"] == pytest.approx(result["per_order"])
    assert [sum(value for _, value in order) for order in explained["ngrams"]] == pytest.approx(result["per_order"])
    prediction = corpus[0][0].split()
    for order, pairs in enumerate(explained["ngrams"], start=1):
        assert {tuple(ngram.split()) for ngram, _ in pairs} <= set(oracles.ngrams(prediction, order))
        assert [value for _, value in pairs] == sorted((value for _, value in pairs), reverse=True)


@UNLABELLED
def test_explanation_shows_the_ten_that_tell_most():
    text = " ".join(map(str, range(20)))
    frequencies = {"": 50, **{str(number): number + 2 for number in range(20)}}
    explained = load("cider").explain(prediction=text, reference=text, document_frequencies=frequencies)
    assert [ngram for ngram, _ in explained["ngrams"][0]] == [str(number) for number in range(10)]


@UNLABELLED
def test_explanation_shows_equal_ngrams_as_they_stand():
    text = " ".join(f"w{number * 37 % 100}" for number in range(100))
    explained = load("cider").explain(prediction=text, reference=text, document_frequencies={"": 50})
    assert [ngram for ngram, _ in explained["ngrams"][0]] == text.split()[:10]


BAD_CALLS = [
    ({"sigma": 3, "variant": "cider"}, "sigma is 3, but only variant='cider-d' takes one; leave one of them out"),
    ({"document_frequencies": {"": 2, "가": 3}}, "document_frequencies counts '가' 3 times, but '' only 2 times"),
]
