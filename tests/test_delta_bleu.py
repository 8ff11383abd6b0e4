"""deltaBLEU: the author's demo, worked examples, its formula in exact fractions, BLEU as its special case."""

import math
from fractions import Fraction

import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

TEXT = st.lists(st.sampled_from("가나다라"), max_size=8)
WEIGHT = st.integers(-10, 10).map(lambda tenths: Fraction(tenths, 10))
REFERENCES = st.lists(st.tuples(TEXT, WEIGHT), min_size=1, max_size=4).filter(lambda row: any(w > 0 for _, w in row))
CORPUS = st.lists(st.tuples(TEXT, REFERENCES), min_size=1, max_size=4)
FORMULA = st.sampled_from(["paper", "author"])


def columns(corpus):
    return {
        "predictions": [" ".join(prediction) for prediction, _ in corpus],
        "references": [[" ".join(reference) for reference, _ in row] for _, row in corpus],
        "reference_weights": [[float(weight) for _, weight in row] for _, row in corpus],
    }


def sums(corpus, order, formula):
    """Exact numerator and denominator of each segment."""
    return [oracles.delta_bleu_sums(text, *zip(*row, strict=True), order, formula) for text, row in corpus]


def test_the_author_takes_weight_and_count_from_different_references():
    call = {
        "predictions": ["가 가 나"],
        "references": [["가 나", "가 가 다"]],
        "reference_weights": [[1.0, 0.3]],
        "max_order": 1,
    }
    assert load("delta_bleu").compute(**call)["delta_bleu"] == pytest.approx(2 / 3)
    assert load("delta_bleu").compute(**call, formula="author")["delta_bleu"] == 1.0


@given(corpus=CORPUS, max_order=st.integers(1, 5), formula=FORMULA)
def test_sums_are_those_of_the_formula(corpus, max_order, formula):
    options = {"max_order": max_order, "tokenizer": "whitespace", "formula": formula}
    rows = load("delta_bleu").statistics(**columns(corpus), **options)
    for order in range(1, max_order + 1):
        exact = np.array([[float(value) for value in pair] for pair in sums(corpus, order, formula)])
        column = 2 + 2 * max_order + order - 1
        np.testing.assert_allclose(rows[:, [column, column + max_order]], exact, atol=1e-12)


@given(corpus=CORPUS, formula=FORMULA, smooth=st.sampled_from(["none", "exp", "floor", "add-k"]))
def test_score_follows_from_the_sums(corpus, formula, smooth):
    options = {"max_order": 2, "tokenizer": "whitespace", "formula": formula, "smooth": smooth}
    result = load("delta_bleu").compute(**columns(corpus), **options)
    totals = [[sum(column) for column in zip(*sums(corpus, order, formula), strict=True)] for order in (1, 2)]
    precisions = slow_precisions([(max(top, Fraction(0)), bottom) for top, bottom in totals], smooth)
    np.testing.assert_allclose(result["precisions"], precisions, atol=1e-12)
    assert all(0 <= precision <= 1 for precision in result["precisions"])
    if result["reference_length"]:
        expected = result["brevity_penalty"] * math.sqrt(math.prod(precisions))
        assert result["delta_bleu"] == pytest.approx(expected, abs=1e-12)


def slow_precisions(totals, smooth):
    """sacreBLEU's smoothing, order by order."""
    values, missing = [], 0
    has_match = any(top > 0 for top, _ in totals)
    for order, (top, bottom) in enumerate(totals, start=1):
        top, bottom = float(top), float(bottom)
        if smooth == "add-k" and order > 1 and has_match:
            top, bottom = top + 1, bottom + 1
        if top == 0 and bottom > 0 and has_match and smooth in ("exp", "floor"):
            missing += 1
            top = min(0.1 if smooth == "floor" else 0.5**missing, bottom)
        values.append(top / bottom if bottom else 0.0)
    return values


@given(corpus=CORPUS, formula=FORMULA, smooth=st.sampled_from([False, True, "exp", "floor", "add-k"]))
def test_weights_of_one_are_bleu_exactly(corpus, formula, smooth):
    texts = columns(corpus)
    options = {"smooth": smooth, "max_order": 3, "effective_order": True, "per_segment": True}
    ones = [[1] * len(row) for row in texts.pop("reference_weights")]
    bleu = load("bleu").compute(**texts, **options)
    result = load("delta_bleu").compute(**texts, reference_weights=ones, formula=formula, **options)
    assert result["delta_bleu"] == bleu["bleu"]
    np.testing.assert_equal({key: result[key] for key in bleu}, bleu)


@given(corpus=CORPUS, factor=st.sampled_from([0.5, 0.25]))
def test_scale_of_the_weights_does_not_matter(corpus, factor):
    """All weights times the same: numerator and denominator alike."""
    texts = columns(corpus)
    expected = load("delta_bleu").compute(**texts, max_order=2)
    scaled = [[weight * factor for weight in row] for row in texts.pop("reference_weights")]
    result = load("delta_bleu").compute(**texts, reference_weights=scaled, max_order=2)
    assert result["delta_bleu"] == pytest.approx(expected["delta_bleu"], abs=1e-12)


@example([(list("가나"), [(list("가다"), Fraction(0)), (list("라"), Fraction(1))])], "paper", "add-k", True)
@given(corpus=CORPUS, formula=FORMULA, smooth=st.sampled_from([False, True, "exp", "floor", "add-k"]),
       effective_order=st.booleans())  # fmt: skip
def test_bleu_beside_it_has_no_weights(corpus, formula, smooth, effective_order):
    texts = columns(corpus)
    options = {"smooth": smooth, "effective_order": effective_order, "tokenizer": "whitespace"}
    result = load("delta_bleu").compute(**texts, **options, formula=formula)
    del texts["reference_weights"]
    assert result["bleu"] == load("bleu").compute(**texts, **options)["bleu"]


def test_a_word_of_a_bad_reference_costs():
    texts = {"predictions": ["밥은 맛이 없었어요"], "references": [["밥은 맛이 있었어요", "밥은 별로 맛이 없었어요"]]}
    result = load("delta_bleu").compute(**texts, reference_weights=[[1.0, -0.5]], max_order=1)
    assert (result["bleu"], result["delta_bleu"], result["precisions"]) == (1.0, 0.5, [0.5])


EDGES = [  # of one segment
    ([prediction], [references], [weights], {**options, "formula": formula}, expected)
    for formula in ("paper", "author")
    for prediction, references, weights, options, expected in [
        ("가 나", ["가 나"], [0.5], {"max_order": 2}, 1.0),  # the best that can be said
        ("가 나", ["가 다", "가 나"], [1.0, 0.5], {"max_order": 1}, 0.75),
        ("가 나", ["나 다", "가 나"], [0.0, 1.0], {"max_order": 2}, 1.0),
        ("가", ["나", "가"], [1.0, 0.0], {"max_order": 1}, 0.0),
        ("가", ["나", "가"], [1.0, -1.0], {"max_order": 1, "smooth": "floor"}, 0.0),
        ("", ["가"], [1.0], {}, 0.0),
        ("가", ["", ""], [1.0, -1.0], {"max_order": 1, "smooth": True}, 0.0),
        ("가 나", ["가", "나"], [1.0, -1.0], {"max_order": 1}, 0.0),  # one good word, one bad word
        ("가 나 다", ["가 나", "다"], [1.0, -1.0], {"max_order": 1}, 1 / 3),
        ("가 나", ["가 나"], [1e-13], {"max_order": 2}, 1.0),
        ("가 다", ["가 나", "다"], [1e-13, -1e-13], {"max_order": 1}, 0.0),
        ("가 나 다", ["가 나", "다"], [1e-200, -1e-200], {"max_order": 1}, 1 / 3),
    ]
]


def test_a_numerator_below_0_is_0_before_smoothing():
    """Order 2 adds up to -1 of 2 and is smoothed like 0 of 2, to half a match of 2; add-k adds to 0."""
    call = {"predictions": ["가 나 x"], "references": [["x 가", "가 나"]], "reference_weights": [[1.0, -1.0]]}
    for smooth, expected in (("exp", 0.25), ("floor", 0.05), ("add-k", 1 / 3)):
        result = load("delta_bleu").compute(**call, smooth=smooth, max_order=2)
        assert result["precisions"][1] == pytest.approx(expected), smooth
    assert load("delta_bleu").statistics(**call, max_order=2)[0, 6:8].tolist() == [1.0, -1.0]


BAD_CALLS = [
    ({"references": ["a", ["b", "c"]], "reference_weights": weights}, message)
    for weights, message in [
        (
            [[1.0], [1.0]],
            "reference_weights[1] has 1 weights and references[1] 2 references; pass one weight per reference",
        ),
        ([[1.0], []], "reference_weights[1] has 0 weights and references[1] 2 references"),
        ([[1.0, 0.5], [1.0, 0.5]], "reference_weights[0] has 2 weights and references[0] 1 references"),
        ([[1.0], [0.5, 1.5]], "reference_weights[1][1] is 1.5; pass a weight from -1 to 1"),
        ([[1.0], [-2, 1]], "reference_weights[1][0] is -2.0; pass a weight from -1 to 1"),
        ([[math.inf], [1, 1]], "reference_weights[0][0] is inf; pass a weight from -1 to 1"),
        ([[1.0], [0.0, -0.5]], "reference_weights[1] has no weight above 0; leave out segments without a good one"),
        ([[1.0], [math.nan, 1.0]], "reference_weights[1][0] is nan; pass a number"),
        ([[1.0], ["1", 1.0]], "reference_weights[1][0] is a string, '1'; pass a number"),
        ([[1.0], 1.0], "reference_weights[1] is of type float, 1.0; pass a list of numbers"),
        ([[1.0], None], "reference_weights[1] is None; pass a list of numbers"),
        (None, "reference_weights is None; pass a list"),
        ([[1.0]], "predictions has 2 rows and reference_weights 1"),
    ]
]


@given(row=st.tuples(TEXT, REFERENCES), max_order=st.integers(1, 3), formula=FORMULA)
def test_explanation_adds_up_to_the_numerators(row, max_order, formula):
    texts = columns([row])
    options = {"max_order": max_order, "formula": formula, "tokenizer": "whitespace"}
    explained = load("delta_bleu").explain(
        prediction=texts["predictions"][0],
        reference=texts["references"][0],
        reference_weights=texts["reference_weights"][0],
        **options,
    )
    rows = load("delta_bleu").statistics(**texts, **options)
    numerators = [sum(credit for _, _, credit in found) for found in explained["credits"]]
    np.testing.assert_allclose(numerators, rows[0, 2 + 2 * max_order : 2 + 3 * max_order], atol=1e-12)


def test_explanation_names_what_was_good_and_bad():
    explained = load("delta_bleu").explain(
        prediction="밥은 맛이 없었어요 밥은",
        reference=["밥은 맛이 있었어요", "밥은 별로 맛이 없었어요"],
        reference_weights=[1.0, -0.5],
        max_order=2,
    )
    assert explained["credits"] == [
        [["밥은", 2, 1.0], ["맛이", 1, 1.0], ["없었어요", 1, -0.5]],
        [["밥은 맛이", 1, 1.0], ["맛이 없었어요", 1, -0.5]],
    ]
    assert explained["prediction"] == ["밥은", "맛이", "없었어요", "밥은"]
    assert explained["reference_weights"] == [1.0, -0.5]


def test_weights_that_cancel_out():
    """Credits of .2 and -.8 that cancel out are none, whatever floating point leaves of them; .3 of .3 is all."""
    metric = load("delta_bleu")
    columns = {
        "predictions": ["가 다", "가 나 다 다", "나 나 다 다 다 다", "가 나 다"],
        "references": [["가", "다"], ["나", "가 다 다"], ["나 나 다 다 다 다"], ["가", "나 다"]],
        "reference_weights": [[-0.8, 0.2], [-0.8, 0.2], [0.2], [-0.8, 0.2]],
    }
    result = metric.compute(**columns, max_order=1, tokenizer="whitespace")
    assert result["delta_bleu"] == 0 and result["precisions"] == [0]
    full = {"predictions": ["가 가 가 가 가 나"], "references": [["가 가 가 가 가 나"]], "reference_weights": [[0.3]]}
    assert metric.compute(**full, max_order=1, tokenizer="whitespace")["precisions"] == [1]
