"""HyTER: worked examples, a search through all sentences and orders, notations, edges."""

import json
import math
import random
import tracemalloc

import oracles
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from textgauge.metrics import hyter

from textgauge.edits.networks import read_network

WORD = st.sampled_from(["가", "나", "a", "(b|"])
TEXT = st.lists(WORD, max_size=3).map(" ".join)
TREE = st.recursive(
    TEXT,
    lambda part: (
        st.lists(part, max_size=3).map(lambda parts: {"seq": parts})
        | st.lists(part, min_size=1, max_size=3).map(lambda parts: {"alt": parts})
    ),
    max_leaves=6,
)
PREDICTION = st.lists(WORD, max_size=6).map(" ".join)


def compact(tree):
    """Writes decoded JSON in the compact notation."""
    if isinstance(tree, str):
        return "".join("\\" * (character in "()|\\") + character for character in tree)
    [(kind, parts)] = tree.items()
    return f"({'|'.join(map(compact, parts))})" if kind == "alt" else " ".join(map(compact, parts))


@given(PREDICTION, st.lists(TREE, min_size=1, max_size=2), st.integers(1, 4), st.sampled_from(["json", "compact"]))
def test_equals_a_search_through_all_sentences_and_orders(prediction, trees, window, notation):
    write = json.dumps if notation == "json" else compact
    texts = {"predictions": [prediction], "references": [[write(tree) for tree in trees]]}
    result = load("hyter").compute(**texts, window=window, notation=notation)
    rate, edits, length = oracles.hyter(prediction.split(), trees, window)
    assert (result["hyter"], result["edits"], result["reference_length"]) == (rate, edits, length)
    assert result["mean_hyter"] == rate


LONG = st.lists(st.sampled_from("abcdef"), max_size=9)


@given(LONG, st.lists(LONG, min_size=1, max_size=3), st.integers(1, 8))
def test_equals_a_search_through_the_words_that_have_been_read(prediction, sentences, window):
    """Longer predictions and wider windows than all orders allow."""
    text = "|".join(map(" ".join, sentences))
    result = load("hyter").compute(
        predictions=[" ".join(prediction)], references=[f"({text})"], notation="compact", window=window
    )
    rate, edits, length = oracles.hyter_of_sets(prediction, sentences, window)
    assert (result["hyter"], result["edits"], result["reference_length"]) == (rate, edits, length)


def far_out_of_order(rng, prediction, window):
    """A sentence in any permitted order of which some words are left out, replaced, or preceded by another one."""
    left, sentence = list(range(len(prediction))), []
    while left:
        position = left.pop(rng.randrange(sum(other < left[0] + window for other in left)))
        word = prediction[position]
        sentence += rng.choice([[word], [word], [word], ["x"], ["y", word], []])
    return sentence


@pytest.mark.parametrize("window", range(2, 7))
def test_words_far_out_of_order(window):
    rng = random.Random(window)
    for _ in range(20):
        prediction = [str(rng.randrange(9)) if rng.random() < 0.2 else str(k) for k in range(9)]
        sentence = far_out_of_order(rng, prediction, window)
        result = load("hyter").compute(
            predictions=[" ".join(prediction)], references=[" ".join(sentence)], window=window
        )
        rate, edits, length = oracles.hyter_of_sets(prediction, [sentence], window)
        assert (result["hyter"], result["edits"], result["reference_length"]) == (rate, edits, length)


@pytest.mark.parametrize("window", range(2, 7))
def test_explanation_of_words_far_out_of_order(window):
    rng = random.Random(window)
    for _ in range(20):
        prediction = [str(k) for k in range(9)]
        sentence = far_out_of_order(rng, prediction, window)
        texts = {"prediction": " ".join(prediction), "reference": " ".join(sentence)}
        explained = load("hyter").explain(**texts, window=window)
        edits = sum(
            max(len(reference.split()), len(words.split()))
            for kind, reference, words in explained["alignment"]
            if kind != "equal"
        )
        assert edits == oracles.hyter_of_sets(prediction, [sentence], window)[1]
        assert explained["reference"] == sentence
        left = prediction.copy()
        for word in explained["prediction"]:
            assert int(word) < int(left[0]) + window
            left.remove(word)
        assert left == []


def test_a_word_is_inserted_between_words_that_have_been_read():
    """Read 3 0, insert 1, and only then 5 is among the next four."""
    result = load("hyter").compute(predictions=["0 1 2 3 4 5"], references=["3 0 5 2 4"], window=4)
    assert (result["edits"], result["reference_length"]) == (1, 5)


@given(PREDICTION, st.lists(PREDICTION, min_size=1, max_size=3))
def test_plain_texts_are_single_sentences(prediction, references):
    """As WER has them, but for ties, where HyTER takes the shorter reference."""
    result = load("hyter").compute(predictions=[prediction], references=[references])
    assert result["hyter"] == load("wer").compute(predictions=[prediction], references=[references])["wer"]
    if len(references) == 1:
        in_brackets = [f"({compact(references[0])}|{compact(references[0])})"]
        same = load("hyter").compute(predictions=[prediction], references=[in_brackets], notation="compact")
        assert same == result


def test_the_smallest_rate_is_not_always_that_of_the_fewest_edits():
    """One edit in two words is more than two in five."""
    texts = {"predictions": ["a b x"], "references": ["(a b|a b c d x)"]}
    result = load("hyter").compute(**texts, notation="compact")
    assert (result["hyter"], result["edits"], result["reference_length"]) == (2 / 5, 2, 5)


def test_three_steps_to_the_smallest_rate():
    """From 1 over ever smaller rates: no single walk finds it."""
    sentences = [" ".join(["x"] * n + ["y"] * m) for n, m in ((1, 1), (2, 5), (3, 12), (4, 30))]
    prediction = " ".join(["x"] * 4 + ["y"] * 18)
    texts = {"predictions": [prediction], "references": [f"({'|'.join(sentences)})"]}
    result = load("hyter").compute(**texts, notation="compact")
    trees = [{"alt": sentences}]
    assert (result["hyter"], result["edits"], result["reference_length"]) == oracles.hyter(prediction.split(), trees, 1)


EDGES = [  # of one segment
    (
        [prediction],
        [reference],
        {"notation": "compact", "window": window},
        {"hyter": rate, "mean_hyter": rate, "edits": edits, "reference_length": length},
    )
    for window in (1, 3)
    for prediction, reference, rate, edits, length in [
        ("", "", 0.0, 0, 0),
        ("", "가 나", 1.0, 2, 2),
        ("", "(가|)", 0.0, 0, 0),
        ("가", "", math.inf, 1, 0),
        ("가", "(|)", math.inf, 1, 0),
        ("가", "(나|)", 1.0, 1, 1),
        ("가", "(나 다 라 마|)", 1.0, 4, 4),
        ("가", "나 다|가 라 마", 2 / 3, 2, 3),
        ("가(", r"가\(", 0.0, 0, 1),
        ("a | b", r"a \| b", 0.0, 0, 3),
        ("\\", "\\\\", 0.0, 0, 1),
        ("가 나", "(((가)))(나)", 0.0, 0, 2),
    ]
]


def test_pooled_and_mean():
    texts = {"predictions": ["가 나 다 라", "가"], "references": ["가 나 다 마", "나 다"]}
    result = load("hyter").compute(**texts, per_segment=True)
    assert (result["hyter"], result["mean_hyter"], result["segments"]) == (3 / 6, (1 / 4 + 1) / 2, [1 / 4, 1])
    result = load("hyter").compute(predictions=["가", "가"], references=["", "가"], confidence=0.95)
    assert (result["hyter"], result["mean_hyter"]) == (1.0, math.inf)


def test_case_counts_unless_told_otherwise():
    rates = [
        load("hyter").compute(predictions=["A"], references=["a"], **options)["hyter"]
        for options in ({}, {"lowercase": True})
    ]
    assert rates == [1, 0]


@pytest.mark.parametrize(
    ("prediction", "references", "edits", "length"),
    [("", ["가", ""], 0, 0), ("가", ["", "나"], 1, 1), ("가", ["나", ""], 1, 1)],
)
def test_an_empty_sentence_is_nearest_to_an_empty_prediction_alone(prediction, references, edits, length):
    result = load("hyter").compute(predictions=[prediction], references=[references])
    assert (result["edits"], result["reference_length"]) == (edits, length)


def test_brackets_are_text_unless_told_otherwise():
    texts = {"predictions": ["(a|b)"], "references": ["(a|b)"]}
    assert load("hyter").compute(**texts)["reference_length"] == 1
    assert load("hyter").compute(**texts, notation="compact")["hyter"] == 1.0
    fullwidth = {"predictions": ["a"], "references": ["（a|b）"]}
    result = load("hyter").compute(**fullwidth, notation="compact", normalization="NFKC", tokenizer="char")
    assert result["hyter"] == 1 / 2, "( is text where NFKC makes it"


def test_a_window_reorders_its_words_alone():
    texts = {"predictions": ["b c a"], "references": ["a b c"]}
    rates = [load("hyter").compute(**texts, window=window)["edits"] for window in (1, 2, 3)]
    assert rates == [2, 2, 0]
    texts = {"predictions": ["b a d c"], "references": ["a b c d"]}
    assert load("hyter").compute(**texts, window=2)["edits"] == 0


def test_many_sentences():
    """2^40 sentences, and 3 of 80 words wrong."""
    network = " ".join(f"(a{i} b{i}|c{i} d{i})" for i in range(40))
    words = [f"{'ac'[i % 2]}{i} {'bd'[i % 2]}{i}" for i in range(40)]
    words[3], words[20] = "x x", "a20 x"
    for window in (1, 3):
        result = load("hyter").compute(
            predictions=[" ".join(words)], references=[network], notation="compact", window=window
        )
        assert (result["edits"], result["reference_length"]) == (3, 80)


def test_memory_does_not_grow_with_the_network():
    """Of all nodes, each of which takes 26 kB, only those are kept from which an arc still leads on."""
    words = [f"w{k}" for k in range(400)]
    texts = {"predictions": [" ".join(words)], "references": [" ".join(words[::2])]}
    load("hyter").compute(**texts)
    tracemalloc.start()
    load("hyter").compute(**texts, window=4)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_nested_fifty_deep():
    deep = {"json": '{"alt": [' * 50 + '"a"' + "]}" * 50, "compact": "(" * 50 + "a" + ")" * 50}
    for notation, network in deep.items():
        assert load("hyter").compute(predictions=["a"], references=[network], notation=notation)["hyter"] == 0


@pytest.mark.parametrize("window", [1, 3])
def test_long_texts_that_have_no_word_in_common(window):
    texts = {"predictions": [" ".join("x" * 60)], "references": [" ".join(["(y|y z)"] * 40)]}
    result = load("hyter").compute(**texts, notation="compact", window=window)
    assert (result["edits"], result["reference_length"]) == (60, 60)


@pytest.mark.parametrize(
    ("network", "window", "walks"), [("a b", 1, 0), ("a b", 3, 1), ("(a b|b c)", 1, 2), ("b a", 3, 1)]
)
def test_walks(network, window, walks, monkeypatch):
    """None through a single sentence in order, and one through a single sentence: its length is known."""
    made, walk = [], hyter.least_cost
    monkeypatch.setattr(hyter, "least_cost", lambda *arguments: made.append(1) or walk(*arguments))
    trees = [[read_network(network, "compact", "references[0]")]]
    hyter.statistics(["a x"], [[network]], trees, tokenizer="whitespace", window=window)
    assert len(made) == walks


@given(PREDICTION, st.lists(TREE, min_size=1, max_size=2), st.integers(1, 3))
def test_explanation_has_the_edits(prediction, trees, window):
    texts = {"prediction": prediction, "reference": list(map(json.dumps, trees))}
    explained = load("hyter").explain(**texts, notation="json", window=window)
    _, edits, length = oracles.hyter(prediction.split(), trees, window)
    kinds = {"substitute": 0, "delete": 0, "insert": 0, "equal": 0}
    for kind, reference, words in explained["alignment"]:
        kinds[kind] += max(len(reference.split()), len(words.split()))
        assert (reference == words) == (kind == "equal")
    assert kinds["substitute"] + kinds["delete"] + kinds["insert"] == edits
    assert len(explained["reference"]) == length
    assert explained["reference"] in oracles.sentences(trees[explained["reference_index"]])
    assert explained["prediction"] in oracles.orders(prediction.split(), window)
    for side in (1, 2):
        joined = " ".join(run[side] for run in explained["alignment"] if run[side])
        assert joined.split() == explained[("reference", "prediction")[side - 1]]


def test_explanation_takes_the_smallest_rate_not_the_longest_sentence():
    explained = load("hyter").explain(prediction="a b", reference="(a c|a b c d x e)", notation="compact")
    assert explained["reference"] == ["a", "c"]


BAD_CALLS = [
    ({"references": [['"가"'], ['"가"', network]], "notation": notation}, message)
    for notation, network, message in [
        ("compact", "가 (나", "references[1][1], position 2: ( without ); write \\( and \\\\ where they are text"),
        ("compact", "(가 (나", "references[1][1], position 3: ( without )"),
        ("compact", "(가 (나)", "references[1][1], position 0: ( without )"),
        ("compact", "가) 나", "references[1][1], position 1: ) without (; write \\) where it is text"),
        ("compact", "가\\나", "references[1][1], position 2: \\ is before '나'; only ( ) | \\ need it"),
        ("compact", "가\\", "references[1][1], position 1: \\ before nothing"),
        ("compact", "(" * 51 + ")" * 51, "references[1][1], position 50: brackets are nested more than 50 deep"),
        ("json", "가", "references[1][1], position 0: Expecting value; pass JSON: a string, {\"seq\": [...]} or {"),
        ("json", "3", "references[1][1] is 3; pass a string, {\"seq\": [...]} or {\"alt\": [...]}, with at least one"),
        ("json", '{"seq": ["a", {"alt": []}]}', "references[1][1].seq[1] is {'alt': []}; pass a string"),
        ("json", '{"seq": ["a", null]}', "references[1][1].seq[1] is None; pass a string"),
        ("json", '{"seq": "a"}', "references[1][1] is {'seq': 'a'}; pass a string"),
        ("json", '{"or": ["a"]}', "references[1][1] is {'or': ['a']}; pass a string"),
        ("json", '{"alt": ["a"], "seq": []}', "pass a string"),
        ("json", '{"seq": ["a"], "seq": ["b"]}', "references[1][1] is [('seq', ['a']), ('seq', ['b'])]; pass a string"),
        ("json", '"\\ud800"', "references[1][1] is '\\ud800', which is not valid Unicode"),
        ("json", '{"alt": [' * 52 + '"a"' + "]}" * 52, f"references[1][1]{'.alt[0]' * 51} is nested more than 50 deep"),
        ("json", '{"seq": [' * 51 + '"a"' + "]}" * 51, f"references[1][1]{'.seq[0]' * 51} is nested more than 50 deep"),
        ("json", '"\\udfff"', "references[1][1] is '\\udfff', which is not valid Unicode"),
        ("json", "[" * 200_000, "references[1][1] is nested more than 50 deep"),
        ("json", "9" * 5000, "references[1][1]: Exceeds the limit"),
    ]
]  # fmt: skip
BAD_CALLS += [({"window": window}, f"window is {window}; pass an integer from 1 to 8") for window in (0, 9)]
