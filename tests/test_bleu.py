"""BLEU: worked examples of the documents and of public libraries, edges."""

import math

import numpy as np
import pytest
import sacrebleu
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

# few words, so that n-grams match; blanks, punctuation and Korean, so that tokenizers have work
WORDS = st.sampled_from(["가", "나는", "나는.", "a", "b", "the", "3.5", "don't", "-", ","])
TEXT = st.lists(WORDS, max_size=9).map(" ".join)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=5)


def test_unclipped_precision_of_the_document():
    """Document 000, lines 121-125: without clipping every word of this sentence matches; with it, 5 of 7."""
    explained = load("bleu").explain(
        prediction="고양이가 방에서 고양이가 잠을 방에서 자고 있다.",
        reference="고양이가 방에서 잠을 자고 있다.",
        tokenizer="whitespace",
        max_order=1,
    )
    assert set(explained["prediction"]) == set(explained["references"][0])
    assert explained["matches"] == [[0, 1, 3, 5, 6]]


def test_sacrebleu_cuts_a_text_before_it_joins_lines():
    """At a hyphen: mteval's rule, and ours, takes it from the end of a text too."""

    def lengths(text):
        ours = load("bleu").compute(predictions=[text], references=[text])["translation_length"]
        return sacrebleu.BLEU().corpus_score([text], [[text]]).sys_len, ours

    assert lengths("a -\n") == (2, 1)
    assert lengths("a-\nb\n") == (1, 1)
    assert load("bleu").explain(prediction="a-\nb\n", reference="")["prediction"] == ["ab"]


def test_lower_case_may_compose():
    """H with a macron below is two code points in NFC, and h with one is one."""
    texts, options = {"predictions": ["H\u0331"], "references": ["\u1e96"]}, {"tokenizer": "char", "max_order": 1}
    assert load("bleu").compute(**texts, **options, lowercase=True)["bleu"] == 1
    peer = sacrebleu.BLEU(tokenize="char", lowercase=True, max_ngram_order=1)
    assert peer.corpus_score(texts["predictions"], [texts["references"]]).score == 0
    assert load("bleu").compute(**texts, **options, lowercase=True, normalization=None)["bleu"] == 0


def near(value):
    """To the digits that were published."""
    return pytest.approx(value, abs=5e-5)


EXAMPLES = [  # sacreBLEU's own tests (Apache-2.0), test_bleu.py and test_sentence_bleu.py
    (["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
     [["The dog bit the man.", "The dog had bit the man."], ["It was not unexpected.", "No one was surprised."],
      ["The man bit him first.", "The man had bitten the dog."]], {"tokenizer": "13a", "smooth": "exp"},
     near(0.48530827)),
    (["The dog bit the man.", "It wasn't surprising.", "The man had just bitten him."],
     [["The dog bit the man.", "The dog had bit the man."], ["It was not unexpected.", "No one was surprised."],
      ["The man bit him first.", "The man had bitten the dog."]], {"tokenizer": "whitespace"}, near(0.491919566)),
    (["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
     ["producţia de zahăr brut se exprimă în zahăr alb;"], {"smooth": "floor", "effective_order": True},
     near(0.0451688)),
    (["Producția de zahăr primă va fi exprimată în ceea ce privește zahărul alb;"],
     ["producţia de zahăr brut se exprimă în zahăr alb;"], {"smooth": "add-k", "effective_order": True}, near(0.14882)),
    # nltk's docstring of sentence_bleu (Apache-2.0)
    (["It is a guide to action which ensures that the military always obeys the commands of the party"],
     [["It is a guide to action that ensures that the military will forever heed Party commands",
       "It is the guiding principle which guarantees the military forces always being under the command of the Party",
       "It is the practical guide for the army always to heed the directions of the party"]], {}, near(0.5046)),
]  # fmt: skip


EDGES = [  # of one segment
    ([prediction], [references], options, expected)
    for prediction, references, options, expected in [
        ("", ["가"], {}, {"bleu": 0.0, "brevity_penalty": 0.0, "length_ratio": 0.0, "translation_length": 0}),
        ("가", [""], {}, {"bleu": 0.0, "brevity_penalty": 1.0, "length_ratio": math.inf, "reference_length": 0}),
        ("", [""], {}, {"bleu": 0.0, "brevity_penalty": 1.0, "length_ratio": math.nan}),
        ("", [""], {"smooth": "exp", "effective_order": True}, {"bleu": 0.0}),
        ("가", [""], {"smooth": True, "max_order": 1}, {"bleu": 0.0, "precisions": [0.5]}),
        ("가", ["가"], {}, {"bleu": 0.0, "precisions": [1.0, 0.0, 0.0, 0.0]}),
        ("가", ["가"], {"effective_order": True}, {"bleu": 1.0}),
        ("가", ["가"], {"max_order": 1}, {"bleu": 1.0}),
        ("a b c", ["a b d"], {"effective_order": True, "smooth": "exp"}, {"precisions": [2 / 3, 1 / 2, 1 / 2, 0.0]}),
        ("a b", ["a b"], {"smooth": "add-k", "smooth_value": 10**30, "max_order": 2}, {"bleu": 1.0}),
        ("가", ["가"], {"smooth": "add-k"}, {"bleu": 1.0, "precisions": [1.0] * 4}),
        ("", ["가"], {"smooth": "add-k"}, {"bleu": 0.0, "precisions": [0.0] * 4}),
        ("a b c", ["a c b"], {"smooth": "floor", "smooth_value": 1.0, "max_order": 2}, {"precisions": [1.0, 0.5]}),
        ("a", ["b"], {"smooth": "add-k"}, {"bleu": 0.0, "precisions": [0.0] * 4}),
        ("가 나 다", ["가 나 다 라", "가 나"], {"max_order": 2}, {"reference_length": 2, "brevity_penalty": 1.0}),
        ("가 나 다", ["가 나 다 라", "가 나"], {"max_order": 2, "ref_length": "average"}, {"reference_length": 3.0}),
        ("가 나 다", ["가", "가 나 다 라"], {"max_order": 2, "ref_length": "average"}, {"reference_length": 2.5}),
        ("가 나 다", ["가", "가 나 다 라"], {"max_order": 2, "ref_length": "shortest"}, {"reference_length": 1}),
        ("가 나 다", ["가", "가 나 다 라"], {"max_order": 2, "ref_length": "closest"}, {"reference_length": 4}),
    ]
]


def test_add_one_scores_texts_without_a_match():
    """As Hugging Face has it: one more match and n-gram at every order, whatever matches."""
    result = load("bleu").compute(predictions=["a b"], references=["c d"], smooth=True, max_order=2)
    assert result["precisions"] == pytest.approx([1 / 3, 1 / 2])
    assert result["bleu"] == pytest.approx(math.sqrt(1 / 6))


def test_shortest_reference_changes_the_penalty():
    """Hugging Face takes the shortest: 1.000 against .8825 for 8 tokens and references of 6 and 9."""
    texts = {"predictions": ["a b c d e f g h"], "references": [["a b c d e f", "a b c d e f g h i"]]}
    assert load("bleu").compute(**texts, ref_length="shortest")["brevity_penalty"] == 1.0
    assert load("bleu").compute(**texts)["brevity_penalty"] == pytest.approx(math.exp(1 - 9 / 8))
    assert math.exp(1 - 9 / 8) == pytest.approx(0.8825, abs=5e-5)


def test_effective_order_shares_the_weight_of_missing_orders():
    """Three of four orders exist: their geometric mean, not its 3/4 power."""
    result = load("bleu").compute(predictions=["a b c"], references=["a b d"], smooth="exp", effective_order=True)
    assert result["bleu"] == pytest.approx((2 / 3 * 1 / 2 * 1 / 2) ** (1 / 3))


def test_lengths_are_integers():
    result = load("bleu").compute(predictions=["a b"], references=["a b c"])
    assert [type(result[key]) for key in ("translation_length", "reference_length")] == [int, int]


def test_order_weights_as_an_array():
    """In any kind of sequence, and written into the signature as numbers."""
    weights = np.array([0.25, 0.75])
    texts = {"predictions": ["a b c"], "references": ["a b d"]}
    expected = load("bleu").compute(**texts, max_order=2, order_weights=[0.25, 0.75])
    assert load("bleu").compute(**texts, max_order=2, order_weights=weights) == expected
    signature = load("bleu").signature(max_order=2, order_weights=weights)
    assert "|ow:0.25,0.75,|" in signature
    assert load("bleu").options_of(signature)["order_weights"] == [0.25, 0.75]


BAD_CALLS = [
    ({"smooth_value": 0.1}, "smooth_value is 0.1, but only smooth='floor' and 'add-k' take one"),
    ({"smooth": "floor", "smooth_value": 0}, "smooth_value is 0; pass a positive number"),
    ({"order_weights": [0.5, 0.5]}, "order_weights is [0.5, 0.5]; pass 4 weights (max_order) of at least 0"),
    ({"order_weights": [0.5, 0.5, 0.5, 0.5]}, "pass 4 weights (max_order) of at least 0 that sum to 1"),
    ({"order_weights": [2, -1, 0, 0]}, "pass 4 weights (max_order) of at least 0 that sum to 1"),
    ({"order_weights": 1}, "order_weights is 1; pass 4 weights"),
    ({"order_weights": [None] * 4}, "order_weights is [None, None, None, None]; pass 4 weights"),
    ({"order_weights": ["0.25"] * 4}, "order_weights is ['0.25', '0.25', '0.25', '0.25']; pass 4 weights"),
    ({"order_weights": [True, False], "max_order": 2}, "order_weights is [True, False]; pass 2 weights"),
    ({"order_weights": [math.nan] * 4}, "order_weights is [nan, nan, nan, nan]; pass 4 weights"),
    ({"order_weights": [10**400, 0, 0, 0]}, "pass 4 weights (max_order) of at least 0 that sum to 1"),
    ({"smooth": "floor", "smooth_value": 3}, "smooth_value is 3; pass a positive number, for 'floor' of at most 1"),
    ({"tokenizer": lambda text: text}, "tokenizer returned 'a b' for 'a b'; it must return a list of strings"),
    ({"tokenizer": lambda text: [1]}, "tokenizer returned [1] for 'a b'; it must return a list of strings"),
    ({"flat": True, "per_segment": True}, "flat=True returns numbers of the corpus alone; pass per_segment=False, or"),
    ({"clusters": "ab"}, "clusters is a string, 'ab'; pass a list with one entry per segment"),
    ({"clusters": [None]}, "clusters[0] is None; pass a string or an integer"),
]  # fmt: skip


@given(corpus=CORPUS, max_order=st.integers(1, 5))
def test_explanation_holds_the_matches_of_the_row(corpus, max_order):
    prediction, references = corpus[0]
    options = {"max_order": max_order, "tokenizer": "whitespace"}
    explained = load("bleu").explain(prediction=prediction, reference=references, **options)
    row = load("bleu").statistics(predictions=[prediction], references=[references], **options)[0]
    assert [len(starts) for starts in explained["matches"]] == row[2 : 2 + max_order].tolist()
    assert explained["prediction"] == prediction.split()
