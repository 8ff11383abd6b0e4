"""Perplexity of log-probabilities: worked examples and claims of document 003, a naive computation, edges."""

import math
import sys

import evaluate
import numpy as np
import pytest
from conftest import ROOT, load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.core.errors import InputError

PROBABILITY = st.one_of(st.sampled_from([0.0, 0.25, 1.0, 1e-300]), st.floats(1e-9, 1.0))
ROW = st.tuples(st.lists(PROBABILITY, max_size=6), st.sampled_from(["", "가 나", "the cat", " ", "😀"]))
CORPUS = st.lists(ROW, min_size=1, max_size=6).filter(lambda corpus: any(row[0] for row in corpus))


def naive(corpus):
    """The definitions, value by value, as fractions of a product where that can be written down."""

    def log(probability):
        return math.log(probability) if probability else -math.inf

    def mean(logs, units):
        total = math.fsum(logs)
        return total / units if units else math.nan if total == 0 else -math.inf

    def power(exponent):
        return math.inf if exponent > 709 else math.exp(exponent)

    rows = [([log(p) for p in row], text) for row, text in corpus]
    every = [value for row, _ in rows for value in row]
    known = [(row, text) for row, text in rows if row and text]
    of_known = [value for row, _ in known for value in row]
    units = {
        "word": sum(len(text.split()) for _, text in known),
        "character": sum(len(text) for _, text in known),
        "byte": sum(len(text.encode()) for _, text in known),
    }
    values = [power(-mean(row, len(row))) if row else math.nan for row, _ in rows]
    scored = [value for value in values if not math.isnan(value)]
    result = {
        "perplexity": power(-mean(every, len(every))),
        "mean_perplexity": sum(scored) / len(scored),
        "perplexities": values,
        "log_likelihood": math.fsum(every),
        "cross_entropy_bits": -mean(every, len(every)) / math.log(2),
        "log_likelihood_per_token": mean(every, len(every)),
        "tokens": len(every),
        "bits_per_byte": -mean(of_known, units["byte"]) / math.log(2),
    }
    for unit, count in units.items():
        result[f"{unit}s"] = count
        result[f"log_likelihood_per_{unit}"] = mean(of_known, count)
        if unit != "character":
            result[f"{unit}_perplexity"] = power(-mean(of_known, count))
    return result


@example([([0.0], "가"), ([0.5, 0.5], ""), ([], "나")], 2)
@example([([1.0, 1.0], " ")], "e")
@given(CORPUS, st.sampled_from(["e", 2, 10, "probability"]))
def test_naive_computation(corpus, base):
    predictions = [row for row, _ in corpus]
    if base != "probability":
        divisor = math.log(math.e if base == "e" else base)
        predictions = [[math.log(p) / divisor if p else -math.inf for p in row] for row in predictions]
    result = load("perplexity").compute(predictions=predictions, texts=[text for _, text in corpus], base=base)
    expected = naive(corpus)
    assert result.keys() == expected.keys()
    for key, value in expected.items():
        np.testing.assert_allclose(result[key], value, rtol=1e-9, atol=1e-12, err_msg=key)
    np.testing.assert_allclose(2 ** result["cross_entropy_bits"], result["perplexity"], rtol=1e-9)


def test_long_texts_do_not_underflow():
    """0.9 ** 100000 is 0 as a float; its logarithm is not."""
    result = load("perplexity").compute(predictions=[[0.9] * 100_000, [0.9]], base="probability")
    assert math.isclose(result["perplexity"], 1 / 0.9, rel_tol=1e-12)
    assert math.isclose(result["log_likelihood"], 100_001 * math.log(0.9), rel_tol=1e-12)
    tiny = load("perplexity").compute(predictions=[[1e-300] * 3], base="probability")
    assert math.isclose(tiny["perplexity"], 1e300, rel_tol=1e-9)


EDGES = [
    ([[0.0]], None, {}, {"perplexity": 1.0, "log_likelihood": 0.0, "tokens": 1, "mean_perplexity": 1.0}),
    ([[-math.inf]], None, {}, {"perplexity": math.inf, "log_likelihood": -math.inf, "mean_perplexity": math.inf}),
    # a log-probability may lie below that of the smallest float, and its perplexity is then inf
    (
        [[-800.0], [-1.0]],
        None,
        {},
        {
            "perplexity": math.exp(400.5),
            "perplexities": [math.inf, math.exp(1)],
            "mean_perplexity": math.inf,
        },
    ),
    ([[], [-1.0]], None, {}, {"perplexity": math.e, "perplexities": [math.nan, math.e], "tokens": 1}),
    ([[-1.0]], [""], {}, {"perplexity": math.e, "words": 0, "bytes": 0}),
]


def test_a_zero_concerns_its_row_alone():
    result = load("perplexity").compute(
        predictions=[[-1.0, -math.inf], *[[-2.0]] * 4, []],
        texts=["가", *"나나나나", ""],
        per_segment=True,
        confidence=0.95,
    )
    assert result["segments"][:2] == [math.inf, math.exp(2)]
    assert math.isnan(result["segments"][-1])
    assert result["segments"] is not result["perplexities"]
    assert [result[key] for key in ("perplexity", "mean_perplexity", "word_perplexity")] == [math.inf] * 3
    assert result["log_likelihood"] == -math.inf
    # a resample without the row is finite, and one of the empty row alone is left out
    assert result["confidence_interval"] == [math.exp(2), math.inf]


def test_rows_of_nothing():
    metric = load("perplexity")
    for columns in ({"predictions": [[], []]}, {"predictions": [[]], "texts": ["가"]}):
        with pytest.raises(ValueError, match="nothing to score: no text has a token"):
            metric.compute(**columns)
        with pytest.raises(ValueError, match="nothing to score: no text has a token"):
            metric.result(metric.statistics(**columns))
    metric.add(prediction=[])
    with pytest.raises(ValueError, match="nothing to score: no text"):
        metric.compute()
    metric.add(prediction=[-1.0])
    assert metric.compute()["perplexities"][1] == math.exp(1)


BAD_CALLS = [
    ({"predictions": predictions, **options}, message)
    for predictions, options, message in [
        ([[-1.0], [-2.0, 0.25]], {}, "predictions[1][1] is 0.25; the logarithm of a probability is at most 0"),
        ([[math.inf]], {}, "predictions[0][0] is inf; the logarithm"),
        ([[0.5], [0.5, -0.5]], {"base": "probability"}, "predictions[1][1] is -0.5; a probability is from 0 to 1"),
        ([[0.5, 1.5]], {"base": "probability"}, "predictions[0][1] is 1.5; a probability is from 0 to 1"),
        ([[-math.inf]], {"base": "probability"}, "predictions[0][0] is -inf; a probability"),
        ([[-1.0], [-1.0, math.nan]], {}, "predictions[1][1] is nan; pass a number"),
        ([[-1.0], [None]], {}, "predictions[1][0] is None; pass a number"),
        ([[-1.0], "가"], {}, "predictions[1] is a string, '가', but predictions[0] is of type list, [-1.0]; pass"),
        (["가", "나", [-1.0]], {}, "predictions[2] is of type list, [-1.0], but predictions[0] is a string, '가'"),
        (["가", None, [-1.0]], {}, "predictions[1] is None; pass a string or a list of numbers"),
        ([-1.0], {}, "predictions[0] is of type float, -1.0; pass a string or a list of numbers"),
        (["가"], {}, "predictions are texts; pass model_id, or model and model_tokenizer"),
        ([[-1.0]], {"model_id": "gpt2"}, "predictions are log-probabilities; leave out the model"),
        (["가"], {"model_id": ""}, "model_id is ''; pass a name or a folder"),
        (["가"], {"model_id": "a", "model": "b", "model_tokenizer": "c"}, "model_id and model are given; pass one"),
        (["가"], {"model": "b"}, "model and model_tokenizer belong together"),
        (["가"], {"model_tokenizer": "b"}, "model and model_tokenizer belong together"),
        (["가"], {"device": "cpu"}, "device and dtype are for a model_id"),
        (["가"], {"dtype": "float16"}, "device and dtype are for a model_id"),
        (["가"], {"model_id": "a", "base": 2}, "predictions are texts; base and texts are for log-probabilities"),
        (["가"], {"texts": ["가"], "model_id": "a"}, "base and texts are for log-probabilities"),
    ]
]  # fmt: skip


def test_batches_of_another_kind():
    metric = evaluate.load(str(ROOT / "metrics/perplexity.py"))
    metric.add_batch(predictions=[[-1.0], [-2.0]])
    with pytest.raises(ValueError, match="predictions\\[0\\] is '가', of another kind than the rows added before"):
        metric.add_batch(predictions=["가"])
    assert metric.compute()["tokens"] == 2
    metric.add(prediction="가")
    with pytest.raises(ValueError, match="predictions\\[0\\] is \\[-1.0\\], of another kind"):
        metric.add(prediction=[-1.0])
    with pytest.raises(ValueError, match="predictions are texts"):
        metric.compute()


@pytest.mark.parametrize("missing", ["torch", "transformers"])
def test_without_models(missing, monkeypatch):
    """Texts need torch and transformers, and the error says how to get them."""
    if missing == "transformers":
        pytest.importorskip("torch", reason="pip install -r requirements-models.txt")
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=f"needs {missing}: pip install torch transformers"):
        load("perplexity").compute(predictions=["가"], model_id="gpt2")


def test_kinds_of_rows():
    metric = load("perplexity")
    expected = metric.compute(predictions=[[-1.0, -2.0], [-3.0]])
    for rows in ([np.array([-1, -2]), (-3,)], np.array([[-1.0, -2.0, -3.0]]), iter([[-1.0, -2.0], [-3.0]])):
        assert metric.compute(predictions=rows)["perplexity"] == expected["perplexity"]


def test_signature_names_what_matters():
    metric = load("perplexity")
    assert metric.signature(base=10) == "perplexity|base:10|v1.0"
    line = metric.signature(model_id="skt/kogpt2-base-v2", stride=512, add_start_token=False, dtype="bfloat16")
    assert line == "perplexity|model:skt/kogpt2-base-v2|dtype:bfloat16|start:no|stride:512|v1.0"
    with pytest.raises(InputError, match="names the model skt/kogpt2-base-v2, .* allow_models=True"):
        metric.options_of(line)
    with pytest.raises(InputError, match="cannot hold an object, as this one does with object:x"):
        metric.options_of("perplexity|object:x|start:yes|v1.0", allow_models=True)
    options = metric.options_of(line, allow_models=True)
    assert options == {"model_id": "skt/kogpt2-base-v2", "stride": 512, "add_start_token": False, "dtype": "bfloat16"}
    assert metric.signature(**options) == line


def test_explain_log_probabilities():
    explained = load("perplexity").explain(prediction=[0.5, 0.125], base="probability")
    assert explained == {"tokens": [], "log_probabilities": [math.log(0.5), math.log(0.125)], "perplexity": 4.0}


def variance_and_risk(length, zeros):
    """Returns the variance of the log-perplexity of texts of so many tokens, and the share that is inf."""
    rng = np.random.default_rng(1)
    probabilities = rng.uniform(0.05, 1, (4000, length)) * (rng.random((4000, length)) >= zeros)
    values = np.log(load("perplexity").compute(predictions=list(probabilities), base="probability")["perplexities"])
    is_infinite = np.isinf(values)
    return values[~is_infinite].var(), is_infinite.mean()


def test_claims_about_length():
    """Document 003: short texts vary more (true: variance / n); long ones do through zeros (their risk grows)."""
    variances = [variance_and_risk(length, 0.0)[0] for length in (1, 5, 20, 100)]
    for length, variance in zip((1, 5, 20, 100), variances, strict=True):
        assert math.isclose(variance, variances[0] / length, rel_tol=0.1)
    for length in (1, 10, 100):
        risk = variance_and_risk(length, 0.01)[1]
        assert math.isclose(risk, 1 - 0.99**length, abs_tol=0.015)
    assert variance_and_risk(100, 0.0)[1] == 0


@given(st.lists(st.floats(1e-6, 1.0), min_size=1, max_size=20))
def test_claims_about_the_mean(probabilities):
    """Document 003: PPL is the geometric mean of 1/p, at least 1; a log-likelihood falls with every further token."""
    result = load("perplexity").compute(predictions=[probabilities], base="probability")
    product = math.prod(1 / probability for probability in probabilities)
    assert math.isclose(result["perplexity"], product ** (1 / len(probabilities)), rel_tol=1e-9)
    assert result["perplexity"] >= 1
    longer = load("perplexity").compute(predictions=[[*probabilities, 0.5]], base="probability")
    assert longer["log_likelihood"] < result["log_likelihood"]
