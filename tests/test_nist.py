"""NIST: mteval's rules against a slow version and nltk, tables of counts, edges."""

import warnings

import numpy as np
import oracles
import pytest
from conftest import UNLABELLED, load, only_ngrams
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.util import xml_unescape
from nltk.translate.nist_score import corpus_nist
from texts import columns, split

# few words, so that n-grams repeat
WORDS = st.sampled_from(["가", "나는", "나는.", "a", "b", "the", "3.5", "don't", "0"])
TEXT = st.lists(WORDS, max_size=9).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=6)
TEXTS = {"predictions": ["가 나 다", "가 라"], "references": [["가 나 다 라", "나 다"], ["가 가 라"]]}


@given(corpus=CORPUS, order=st.integers(1, 6))
def test_equals_the_slow_version(corpus, order):
    texts = columns(corpus)
    result = load("nist").compute(**texts, n=order, tokenizer="whitespace")
    assert result["nist"] == pytest.approx(oracles.nist(*split(texts), order), abs=1e-10)


def test_nltk_has_no_score_for_short_texts():
    with warnings.catch_warnings(), pytest.raises(ZeroDivisionError):
        warnings.simplefilter("ignore")
        corpus_nist([[["a", "b", "c"]]], [[]])
    assert load("nist").compute(predictions=[""], references=["a b c"])["nist"] == 0.0


GUIDE = [  # nltk's documentation of sentence_nist, and Hugging Face's card of nist_mt
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


def test_the_value_that_nltk_and_hugging_face_publish():
    prediction, *references = GUIDE
    theirs = corpus_nist([[text.split() for text in references]], [prediction.split()])
    assert theirs == pytest.approx(3.3709935957649324, abs=1e-12)
    ours = load("nist").compute(predictions=[prediction], references=[references])["nist"]
    assert ours == pytest.approx(oracles.nist([prediction.split()], [[text.split() for text in references]]))
    assert ours == pytest.approx(5.0379, abs=5e-5)


def test_half_of_the_score_at_two_thirds_of_the_length():
    result = load("nist").compute(predictions=["a b"], references=["a b c"])
    assert result["brevity_penalty"] == pytest.approx(0.5)
    assert result["nist"] == pytest.approx(0.5 * sum(result["information_per_ngram"]))


EDGES = [  # of one segment
    ([prediction], [references], {}, expected)
    for prediction, references, expected in [
        ("", ["가"], {"nist": 0.0, "brevity_penalty": 0.0, "length_ratio": 0.0, "information_per_ngram": [0.0] * 5}),
        ("가", [""], {"nist": 0.0, "brevity_penalty": 1.0, "length_ratio": np.inf, "reference_length": 0.0}),
        ("", [""], {"nist": 0.0, "brevity_penalty": 1.0, "length_ratio": np.nan}),
        ("가", ["가"], {"nist": 0.0, "brevity_penalty": 1.0}),
        ("가 나", ["가 나"], {"nist": 1.0, "information_per_ngram": [1.0, 0.0, 0.0, 0.0, 0.0]}),
        ("가 가", ["가 나"], {"nist": 0.5}),
        ("가 나", ["가", "나 나"], {"information_per_ngram": [(np.log2(3) + np.log2(1.5)) / 2, 0, 0, 0, 0]}),
        ("가 나", ["가 나 다", ""], {"reference_length": 1.5, "translation_length": 2}),
    ]
]


def test_lengths_of_predictions_are_integers():
    result = load("nist").compute(predictions=["가 나"], references=[["가 나 다", ""]])
    assert [type(result[key]) for key in ("translation_length", "reference_length")] == [int, float]


def test_hugging_faces_options():
    texts = {"predictions": ["The cat."], "references": ["the cat ."]}
    assert load("nist").compute(**texts, n=1)["nist"] == pytest.approx(2 * np.log2(3) / 3)
    assert load("nist").compute(**texts, n=1, lowercase=True)["nist"] == pytest.approx(np.log2(3))
    assert load("nist").compute(**texts, n=1, western_lang=False)["nist"] == 0.0
    assert (
        load("nist")
        .signature(western_lang=False)
        .startswith("nist|nrefs:var|tok:13a|case:mixed|norm:NFC|west:no|order:5|")
    )


def test_entities_that_nltk_reads_too():
    """Its tokenizer, which Hugging Face's western_lang sets, does so in either case; ours is mteval-v13a, or none."""
    text, nist = "it&apos;s &quot;so&quot;", load("nist")
    assert xml_unescape(text) == 'it\'s "so"'
    assert nist.explain(prediction=text, reference=text)["prediction"] == ["it", "&", "apos", ";", "s", '"', "so", '"']
    assert nist.explain(prediction=text, reference=text, western_lang=False)["prediction"] == text.split()


@given(corpus=CORPUS, order=st.integers(1, 4))
def test_counts_are_those_of_the_references(corpus, order):
    texts = columns(corpus)
    counts = load("nist").corpus_counts(references=texts["references"], n=order, tokenizer="whitespace")
    grams = [gram for row in split(texts)[1] for t in row for n in range(1, order + 1) for gram in oracles.ngrams(t, n)]
    expected = {" ".join(gram): grams.count(gram) for gram in grams}
    assert only_ngrams(counts) == {
        "": sum(len(text.split()) for row in texts["references"] for text in row),
        **expected,
    }


@UNLABELLED
def test_given_counts():
    """What the table lacks counts once: 나, 나 가 and 가 다."""
    counts = {"": 40, "가": 4, "가 나": 2, "다": 9, "나": 1}
    options = {"information": counts, "n": 2}
    result = load("nist").compute(predictions=["가 나 가 다"], references=["가 나 가 다"], **options)
    unigrams = 2 * np.log2(40 / 4) + np.log2(40 / 1) + np.log2(40 / 9)
    bigrams = np.log2(4 / 2) + np.log2(1 / 1) + np.log2(4 / 1)
    assert result["information_per_ngram"] == pytest.approx([unigrams / 4, bigrams / 3])


@given(corpus=CORPUS, order=st.integers(1, 4))
def test_explanation_adds_up(corpus, order):
    texts = columns(corpus)
    options = {"tokenizer": "whitespace", "n": order}
    options["information"] = load("nist").corpus_counts(references=texts["references"], **options)
    explained = load("nist").explain(prediction=corpus[0][0], reference=corpus[0][1], **options)
    row = load("nist").statistics(predictions=[corpus[0][0]], references=[corpus[0][1]], **options)[0]
    assert [sum(bits) for bits in explained["information"]] == pytest.approx(row[2 : 2 + order].tolist())
    assert [len(bits) for bits in explained["information"]] == [len(starts) for starts in explained["matches"]]
    assert explained["prediction"] == corpus[0][0].split()


BAD_CALLS = [
    ({"western_lang": False, "tokenizer": "char"}, "western_lang=False splits at whitespace, but tokenizer is 'char'"),
    ({"information": 3}, "information is 3; pass a dict n-gram -> count, or a file's path"),
]
