"""Weighted BLEU: the paper's examples and tables, equation (4) in exact fractions, laws."""

import csv
from fractions import Fraction

import evaluate
import numpy as np
import oracles
import pytest
from conftest import ROOT, load
from hypothesis import example, given
from hypothesis import strategies as st
from textgauge.metrics import weighted_bleu as script

# random tables hold phrases of any length
pytestmark = pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
TOKENS = "가나다라마"
TEXT = st.lists(st.sampled_from(TOKENS), max_size=8)
CORPUS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=4)
WEIGHT = st.integers(-8, 8).map(lambda quarters: quarters / 4)
PHRASE = st.lists(st.sampled_from(TOKENS + "없"), min_size=1, max_size=4).map(tuple)
TABLE = st.dictionaries(PHRASE, WEIGHT, max_size=5)
NEGATIVE = st.sampled_from(["literal", "penalty"])


def texts(corpus):
    return {
        "predictions": [" ".join(prediction) for prediction, _ in corpus],
        "references": [[" ".join(reference) for reference in references] for _, references in corpus],
    }


def written(table):
    return {" ".join(phrase): weight for phrase, weight in table.items()}


TABLE_2 = {"bleu": [0.764, 0.688, 0.626, 0.575], "weighted_bleu": [0.784, 0.644, 0.545, 0.479]}
TABLE_1 = {"bleu": 0.663, "weighted_bleu": 0.613}


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        ("arithmetic", {"bleu": 0.66325, "weighted_bleu": 0.613}),
        ("geometric", {"bleu": 0.6595245916253752, "weighted_bleu": 0.6025366748497949}),
        ("product", {"bleu": 0.18920123840, "weighted_bleu": 0.13180562528}),
    ],
)
def test_tables_of_the_paper(aggregate, expected):
    """Its Table 1 is the arithmetic mean of its Table 2, neither equation (1) nor the geometric mean."""
    thousand = [1000.0] * 4
    row = [1000, 1000, *(1000 * p for p in TABLE_2["bleu"]), *thousand,
           *(1000 * p for p in TABLE_2["weighted_bleu"]), *thousand]  # fmt: skip
    result = load("weighted_bleu").score(np.array(row), aggregate=aggregate, per_order=True)
    for key in ("bleu", "weighted_bleu"):
        np.testing.assert_allclose(result[f"{key}_per_order"], TABLE_2[key])
        assert result[key] == pytest.approx(expected[key], abs=1e-12)
        assert (round(float(result[key]), 3) == TABLE_1[key]) == (aggregate == "arithmetic")


def test_the_paper_prefers_b():
    """Sentences a) and b): BLEU cannot tell which words matter; with the paper's weights the kept ones count more."""
    reference = "무엇을 하고 시폰지 정확히 말해 주때요 ."
    weights = {"시폰지": 1.2, "말해": 1.1, "주때요": 1.3}
    kept = load("weighted_bleu").compute(
        predictions=["무엇을 하고 시폰지 정확히 말씀해 주때요 ."], references=[reference], weights=weights, max_order=1
    )
    assert kept["weighted_bleu"] > kept["bleu"]
    plain = load("weighted_bleu").compute(
        predictions=["무엇을 하고 싶으신지 정확히 말씀해 주세요 ."],
        references=[reference],
        weights=weights,
        max_order=1,
    )
    assert plain["weighted_bleu"] == plain["bleu"] == 4 / 7


@given(corpus=CORPUS, table=TABLE, max_order=st.integers(1, 5), negative=NEGATIVE)
def test_sums_are_those_of_equation_4(corpus, table, max_order, negative):
    options = {"weights": written(table), "max_order": max_order, "negative": negative, "tokenizer": "whitespace"}
    rows = load("weighted_bleu").statistics(**texts(corpus), **options)
    exact = {phrase: Fraction(weight) for phrase, weight in table.items()}
    for row, (prediction, references) in zip(rows, corpus, strict=True):
        sums = [oracles.weighted_sums(prediction, references, exact, n, negative) for n in range(1, max_order + 1)]
        expected = [float(numerator) for numerator, _ in sums] + [float(denominator) for _, denominator in sums]
        np.testing.assert_allclose(row[2 + 2 * max_order :], expected, atol=1e-12)


@given(corpus=CORPUS, table=TABLE, negative=NEGATIVE, aggregate=st.sampled_from(["geometric", "arithmetic", "product"]))
def test_score_follows_from_the_sums(corpus, table, negative, aggregate):
    options = {"weights": written(table), "negative": negative, "aggregate": aggregate, "tokenizer": "whitespace"}
    result = load("weighted_bleu").compute(**texts(corpus), **options, max_order=2)
    exact = {phrase: Fraction(weight) for phrase, weight in table.items()}
    precisions, degenerate = [], []
    for order in (1, 2):
        sums = [oracles.weighted_sums(*row, exact, order, negative) for row in corpus]
        plain = sum(oracles.weighted_sums(*row, {}, order)[0] for row in corpus)
        top, bottom = (sum(column) for column in zip(*sums, strict=True))
        precisions.append(top / bottom if top > 0 and bottom > 0 else Fraction(0))
        degenerate.append(bool(plain > 0 and (top <= 0 or bottom <= 0)))
    assert all(0 <= precision <= 1 for precision in precisions)
    np.testing.assert_allclose(result["precisions"], [float(p) for p in precisions], atol=1e-12)
    assert result["degenerate_orders"] == degenerate
    product = float(precisions[0] * precisions[1])
    expected = {"geometric": product**0.5, "arithmetic": float(sum(precisions)) / 2, "product": product}[aggregate]
    assert result["weighted_bleu"] == pytest.approx(result["brevity_penalty"] * expected, abs=1e-12)


@given(corpus=CORPUS, table=TABLE, smooth=st.sampled_from([False, True, "exp", "floor", "add-k"]))
def test_weights_of_one_are_bleu_exactly(corpus, table, smooth):
    options = {"smooth": smooth, "tokenizer": "whitespace", "effective_order": True}
    expected = load("bleu").compute(**texts(corpus), **options)["bleu"]
    for weights in (None, {}, {phrase: 1.0 for phrase in written(table)}):
        result = load("weighted_bleu").compute(**texts(corpus), **options, weights=weights)
        assert result["weighted_bleu"] == result["bleu"] == expected


@example([(["가", "나"], [["가", "다"]])], {("가",): -1.0}, "literal", "add-k", True)
@given(corpus=CORPUS, table=TABLE, negative=NEGATIVE, effective_order=st.booleans(),
       smooth=st.sampled_from([False, True, "exp", "floor", "add-k"]))  # fmt: skip
def test_bleu_beside_it_has_no_weights(corpus, table, negative, smooth, effective_order):
    options = {"smooth": smooth, "effective_order": effective_order, "tokenizer": "whitespace"}
    expected = load("bleu").compute(**texts(corpus), **options)["bleu"]
    result = load("weighted_bleu").compute(**texts(corpus), **options, weights=written(table), negative=negative)
    assert result["bleu"] == expected


@given(corpus=CORPUS, table=TABLE, negative=NEGATIVE, smooth=st.sampled_from([True, "exp", "floor", "add-k"]),
       aggregate=st.sampled_from(["geometric", "arithmetic", "product"]), effective_order=st.booleans())  # fmt: skip
def test_scores_stay_between_0_and_1(corpus, table, negative, smooth, aggregate, effective_order):
    options = {"negative": negative, "smooth": smooth, "aggregate": aggregate, "effective_order": effective_order}
    result = load("weighted_bleu").compute(
        **texts(corpus), weights=written(table), tokenizer="whitespace", max_order=3, **options
    )
    values = [result["weighted_bleu"], result["bleu"], *result["precisions"]]
    assert all(0 <= value <= 1 for value in values)
    assert not any(np.signbit(values))


@given(weights=st.lists(st.integers(0, 9), min_size=1, max_size=12).filter(any), effective_order=st.booleans())
def test_a_perfect_mean_is_1(weights, effective_order):
    """Weights of orders add up to 1 except for rounding; the arithmetic mean of ones is 1 all the same."""
    text = " ".join(map(str, range(12)))
    options = {
        "order_weights": [weight / sum(weights) for weight in weights],
        "max_order": len(weights),
        "aggregate": "arithmetic",
        "effective_order": effective_order,
    }
    result = load("weighted_bleu").compute(predictions=[text], references=[text], **options)
    assert result["weighted_bleu"] == result["bleu"] == 1


def test_smoothing_of_a_tiny_weighted_total():
    """Half a match would be more than the 0.05 n-grams that there are."""
    call = {"predictions": ["a b"], "references": ["a c"], "weights": {"b": 0.05}, "max_order": 2}
    assert load("weighted_bleu").compute(**call, smooth="exp")["precisions"] == [1 / 1.05, 1.0]


def test_effective_order_keeps_a_degenerate_order():
    """The order has n-grams; that their weights leave nothing makes its precision, and so the score, 0."""
    call = {"predictions": ["bad good"], "references": ["bad good"], "weights": {"bad": -2.0, "bad good": 2.0}}
    result = load("weighted_bleu").compute(**call, max_order=2, effective_order=True)
    assert result["degenerate_orders"] == [True, False]
    assert result["weighted_bleu"] == 0
    result = load("weighted_bleu").compute(**call, max_order=4, effective_order=True, aggregate="product")
    assert result["weighted_bleu"] == 0
    result = load("weighted_bleu").compute(
        predictions=[""], references=["a"], effective_order=True, aggregate="product"
    )
    assert result["weighted_bleu"] == result["bleu"] == 0


@given(corpus=CORPUS, weight=st.sampled_from([0.25, 0.5, 2.0]))
def test_one_positive_weight_everywhere_is_bleu(corpus, weight):
    weights = {token: weight for token in TOKENS}
    result = load("weighted_bleu").compute(**texts(corpus), weights=weights, tokenizer="whitespace", max_order=2)
    assert result["weighted_bleu"] == result["bleu"]


@given(corpus=CORPUS, table=TABLE, smooth=st.sampled_from([False, True, "add-k"]), effective_order=st.booleans(),
       aggregate=st.sampled_from(["geometric", "arithmetic", "product"]))  # fmt: skip
def test_penalty_never_raises_the_score(corpus, table, smooth, effective_order, aggregate):
    """Against the same table without its negative weights."""
    options = {"smooth": smooth, "effective_order": effective_order, "aggregate": aggregate, "negative": "penalty"}
    positive = {phrase: weight for phrase, weight in table.items() if weight >= 0}
    with_them, without = (
        load("weighted_bleu").compute(
            **texts(corpus), weights=written(weights), **options, tokenizer="whitespace", max_order=3
        )["weighted_bleu"]
        for weights in (table, positive)
    )
    assert with_them <= without + 1e-12


@pytest.mark.parametrize("smooth", ["exp", "floor"])
def test_penalty_may_raise_a_smoothed_score(smooth):
    """Half a match, or a tenth of one, is more than the weight that had matched in the order that has nothing left."""
    call = {"predictions": ["x a b y"], "references": ["x a b z"], "max_order": 3, "negative": "penalty"}
    without, with_it = (
        load("weighted_bleu").compute(**call, weights=weights, smooth=smooth)["weighted_bleu"]
        for weights in ({"x": 0.05}, {"x": 0.05, "a b y": -0.5})
    )
    assert with_it > without > 0


def test_literal_negative_weight_can_raise_the_score():
    """The paper's weight for an ungrammatical phrase: it leaves numerator and denominator alike, and p2 goes up."""
    call = {
        "predictions": ["나는 밥을 먹고 학교에 갔다 가윗돈 눈군요"],
        "references": ["나는 밥을 먹고 학교에 갔다"],
        "weights": {"가윗돈 눈군요": -1.6},
        "max_order": 2,
    }
    literal = load("weighted_bleu").compute(**call)
    penalty = load("weighted_bleu").compute(**call, negative="penalty")
    assert penalty["weighted_bleu"] < literal["bleu"] < literal["weighted_bleu"]


@given(rows=st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=2), TABLE), min_size=1, max_size=4))
def test_a_table_per_row(rows):
    corpus = [(prediction, references) for prediction, references, _ in rows]
    tables = [written(table) for _, _, table in rows]
    together = load("weighted_bleu").statistics(**texts(corpus), weights=tables, tokenizer="whitespace")
    for row, single, table in zip(together, corpus, tables, strict=True):
        alone = load("weighted_bleu").statistics(**texts([single]), weights=table, tokenizer="whitespace")
        np.testing.assert_array_equal(row, alone[0])


def test_many_chunks_and_tables():
    """More rows than a chunk holds: shared and own tables, and a phrase that stands in the first row alone."""
    n = 2600
    corpus = [([TOKENS[i % 5], TOKENS[i % 3], TOKENS[i % 4]], [[TOKENS[i % 3], TOKENS[i % 4]]]) for i in range(n)]
    shared = {("가", "나"): 1.5, ("나", "없"): -1.0, ("나",): -0.5}
    tables = [shared if i % 3 else {(TOKENS[i % 4],): (i % 9 - 4) / 2} for i in range(n)]
    options = {"tokenizer": "whitespace", "max_order": 2}
    rows = load("weighted_bleu").statistics(**texts(corpus), weights=[written(table) for table in tables], **options)
    for row in range(0, n, 13):
        exact = {phrase: Fraction(weight) for phrase, weight in tables[row].items()}
        sums = [oracles.weighted_sums(*corpus[row], exact, order) for order in (1, 2)]
        expected = [float(numerator) for numerator, _ in sums] + [float(denominator) for _, denominator in sums]
        np.testing.assert_allclose(rows[row][6:], expected, atol=1e-12)
    call = {"predictions": ["처음"] + ["가"] * (n - 1), "references": ["가"] * n}
    assert load("weighted_bleu").compute(**call, weights={"처음": 2.0})["unused_keys"] == []


def test_the_same_table_for_many_rows_is_compiled_once(monkeypatch):
    """A persona's table, given for each of its sentences."""
    table = {f"w{i}": 1.5 for i in range(1000)}
    columns = {"predictions": ["w1 a"] * 300, "references": ["w1 b"] * 300}
    compiled, compile_phrases = [], script.compile_phrases
    monkeypatch.setattr(script, "compile_phrases", lambda *given: compiled.append(given[0]) or compile_phrases(*given))
    result = script.WeightedBleu().compute(**columns, weights=[table] * 300, max_order=1)
    assert compiled == [[table]]
    assert result == load("weighted_bleu").compute(**columns, weights=table, max_order=1)


@given(corpus=CORPUS, table=TABLE)
def test_unused_keys(corpus, table):
    options = {"weights": written(table), "tokenizer": "whitespace", "all_unused": True}
    result = load("weighted_bleu").compute(**texts(corpus), **options)
    every = [text for prediction, references in corpus for text in (prediction, *references)]
    found = {ngram for text in every for order in range(1, 5) for ngram in oracles.ngrams(text, order)}
    assert result["unused_keys"] == [" ".join(phrase) for phrase in table if phrase not in found]
    assert result["unused_count"] == len(result["unused_keys"])


def test_ten_unused_keys_are_shown_and_all_are_counted():
    call = {"predictions": ["가"], "references": ["가"], "weights": {str(number): 1.5 for number in range(3000)}}
    result = load("weighted_bleu").compute(**call)
    assert (result["unused_count"], result["unused_keys"]) == (3000, list(map(str, range(10))))
    result = load("weighted_bleu").compute(**call, all_unused=True)
    assert (result["unused_count"], result["unused_keys"]) == (3000, list(map(str, range(3000))))


def test_unused_key_where_punctuation_sticks():
    """SPEC of the paper's example: the token is 주때요. with whitespace, and 주때요 with 13a."""
    call = {"predictions": ["말해 주때요."], "references": ["말해 주때요."], "weights": {"주때요": 1.3}}
    assert load("weighted_bleu").compute(**call, tokenizer="whitespace")["unused_keys"] == ["주때요"]
    assert load("weighted_bleu").compute(**call, tokenizer="13a")["unused_keys"] == []


def test_phrase_longer_than_any_ngram_is_unused():
    call = {"predictions": ["가 나 다"], "references": ["가 나 다"], "weights": {"가": 1.5, "가 나 다": 2.0}}
    message = "weights: 1 of 2 phrases have more than max_order=2 tokens and have no effect, such as '가 나 다' with 3"
    with pytest.warns(UserWarning, match=message):
        assert load("weighted_bleu").compute(**call, max_order=2)["unused_keys"] == ["가 나 다"]
    assert load("weighted_bleu").compute(**call, max_order=3)["unused_keys"] == []
    call["weights"] = {"가 나": 2.0, "가 나 다 라": 2.0, "가 나 다": 2.0, "가 다 나 라": 1.5}
    message = (
        "weights: 4 of 4 phrases have more than max_order=1 tokens and have no effect, such as '가 나 다 라' with 4"
    )
    with pytest.warns(UserWarning, match=message):
        load("weighted_bleu").compute(**call, max_order=1)


def test_phrases_are_cleaned_like_texts():
    import unicodedata

    call = {"predictions": ["THE 각"], "references": ["the 각"], "lowercase": True, "max_order": 1}
    weights = {"The": 2.0, unicodedata.normalize("NFD", "각"): -0.5}
    result = load("weighted_bleu").compute(**call, weights=weights)
    assert result["unused_keys"] == []
    assert load("weighted_bleu").statistics(**call, weights=weights)[0][-2:].tolist() == [1.5, 1.5]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("weights.json", '{"가": 1.5, "나 다": -2}'),
        ("weights.tsv", "phrase\tweight\n가\t1.5\n\n나 다\t-2\n"),
        ("weights.csv", '가,1.5\n"나 다",-2\n'),
        ("weights.txt", "\ufeff가\t1.5\n나 다\t-2\n"),
    ],
)
def test_weights_from_a_file(tmp_path, file, text):
    (tmp_path / file).write_text(text, encoding="utf-8")
    call = {"predictions": ["가 나 다"], "references": ["가 나 라"]}
    expected = load("weighted_bleu").compute(**call, weights={"가": 1.5, "나 다": -2.0})
    assert load("weighted_bleu").compute(**call, weights=tmp_path / file) == expected
    assert load("weighted_bleu").compute(**call, weights=str(tmp_path / file)) == expected
    signature = load("weighted_bleu").signature(weights=tmp_path / file)
    assert signature == load("weighted_bleu").signature(weights={"나 다": -2.0, "가": 1.5})
    assert signature == load("weighted_bleu").signature(weights={"가": 1.5, "나 다": -2})
    assert "|weights:table(2," in signature


def test_signatures_of_tables_differ():
    """By phrase, weight, and whether the table is for all rows or for one; the order of phrases does not matter."""
    tables = [{}, {"가": 1.0}, {"가": 1.5}, {"나": 1.0}, {"가": 1.0, "나": 1.0}, [{"가": 1.0}], [{"가": 1.0}, {}]]
    signatures = {load("weighted_bleu").signature(weights=table) for table in tables}
    assert len(signatures) == len(tables)
    assert load("weighted_bleu").signature(weights={}) == load("weighted_bleu").signature()
    assert load("weighted_bleu").options_of(load("weighted_bleu").signature(weights={})) is not None
    with pytest.raises(ValueError, match="the signature only names weights:table"):
        load("weighted_bleu").options_of(load("weighted_bleu").signature(weights={"가": 1.0}))


EDGES = [  # of one segment
    ([prediction], [[reference]], {"max_order": 1, "weights": weights}, expected)
    for prediction, reference, weights, expected in [
        ("", "가", {"가": 2.0}, {"weighted_bleu": 0.0, "brevity_penalty": 0.0}),
        ("가", "", {"가": 2.0}, {"weighted_bleu": 0.0, "brevity_penalty": 1.0}),
        ("", "", {}, {"weighted_bleu": 0.0, "brevity_penalty": 1.0}),
        ("가", "가", {"가": 2.0}, 1.0),
        ("가", "가", {"가": 0.0}, 0.0),
        ("가", "가", {"가": -2.0}, 0.0),
        ("가 나", "가 다", {"가": 2.0}, 2 / 3),
        ("가 나", "가 다", {"나": 2.0}, 1 / 3),
    ]
]


BAD_CALLS = [
    *(
        ({"weights": weights}, message)
        for weights, message in [
            # document 004, line 60: from -2 to 2
            ({"가": 2.5}, "weights['가'] is 2.5; pass a number in [-2, 2]"),
            ({"가": float("nan")}, "weights['가'] is nan"),
            ({"가": "1"}, "weights['가'] is '1'"),
            ({"가": True}, "weights['가'] is True"),
            ({"가": 10**400}, "weights['가'] is 1000"),
            ({"가": np.complex128(1)}, "weights['가'] is np.complex128(1+0j)"),
            ({"\ud800": 1.0}, "weights has the key '\\ud800'; a phrase is a string of valid Unicode"),
            ("", "weights is '.', and that is a folder"),
            ("w" * 5000, "w, and there is no such file"),
            ({3: 1.0}, "weights has the key 3; a phrase is a string"),
            ({" ": 1.0}, "weights[' ']: the tokenizer finds no token in this phrase"),
            ({"가 나": 2.0, "가  나": 1.0}, "'가 나' and '가  나' are the same tokens; give them one weight"),
            ({"가 나": 1.0, "가  나": 2.0}, "'가 나' and '가  나' are the same tokens; give them one weight"),
            ([{}, {"가": 3}], "weights[1]['가'] is 3"),
            ([{}, *[{"가": 3}] * 2], "weights[1]['가'] is 3"),
            ([{}], "weights has 1 tables and predictions 2 rows; pass one table per row"),
            (5, "weights is 5; pass a dict phrase -> weight, a list of dicts, or a file's path"),
        ]
    ),
    ({"aggregate": "product", "order_weights": [0.25] * 4}, "order_weights has no effect with aggregate='product'"),
    ({"negative": "penalty"}, "negative is 'penalty', but there are no weights; pass weights, or leave negative out"),
]


BAD_FILES = [
    (
        "w.tsv",
        "가\t1\n나 2\n".encode(),
        "w.tsv, line 2: ['나 2']; a line is a phrase and its weight, with a tab between",
    ),
    (
        "w.csv",
        '"가\n나",1\n다\n'.encode(),
        "w.csv, line 3: ['다']; a line is a phrase and its weight, with a comma between",
    ),
    ("w.tsv", "가\t1\n가\t2\n".encode(), "w.tsv: '가' occurs twice; give each phrase one weight"),
    ("w.json", '{"가": 1, "가": 2}'.encode(), "w.json: '가' occurs twice; give each phrase one weight"),
    ("w.JSON", b'{"a": 1', "w.JSON is not JSON: Expecting ',' delimiter: line 1 column 8"),
    ("w.csv", "가,1\n".encode("cp949"), "w.csv is not UTF-8: "),
    ("w.tsv", "가\t5\n".encode(), "w.tsv['가'] is 5.0; pass a number in [-2, 2]"),
    ("w.json", b"[1]", "w.json is [1.0]; pass a dict phrase -> weight, a list of dicts, or a file's path"),
    ("w.json", b"[" * 100_000, "w.json is nested too deep; pass a dict phrase -> weight, or a list of dicts"),
    ("w.json", b'{"a": %s}' % (b"9" * 5000), "w.json['a'] is inf; pass a number in [-2, 2]"),
    ("w.json", b'[{}, {"a": -%s}]' % (b"9" * 5000), "w.json[1]['a'] is -inf; pass a number in [-2, 2]"),
    ("w.tsv", b"a\t%s\n" % (b"9" * 5000), "w.tsv['a'] is inf; pass a number in [-2, 2]"),
    ("w.tsv", b"a\t1\n%s\t1\n" % (b"a" * 131_073), "w.tsv, line 2: field larger than field limit (131072)"),
]


@pytest.mark.parametrize(("file", "content", "message"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_bad_weights_file(tmp_path, monkeypatch, file, content, message):
    csv.field_size_limit(131_072)  # Python's own, which scripts may raise
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_bytes(content)
    with pytest.raises(ValueError) as error:
        load("weighted_bleu").compute(predictions=["가"], references=["가"], weights=file)
    assert message in str(error.value)


def test_quotes_in_files(tmp_path):
    """TSV knows no quoting; CSV may quote a line break, which is blank space within a phrase."""
    (tmp_path / "w.tsv").write_text('"quote\t1.5\nb\t0.5\n', encoding="utf-8")
    (tmp_path / "w.csv").write_text('"a\nb",1.5\nb,0.5\n', encoding="utf-8")
    call = {"predictions": ["a b"], "references": ["a b"]}
    for file, phrase in (("w.tsv", '"quote'), ("w.csv", "a\nb")):
        expected = load("weighted_bleu").compute(**call, weights={phrase: 1.5, "b": 0.5})
        assert load("weighted_bleu").compute(**call, weights=tmp_path / file) == expected


def test_per_order_includes_the_penalty():
    """B@n of a prediction that is too short."""
    call = {"predictions": ["가 나"], "references": ["가 나 다 라"], "weights": {"가": 1.5}, "max_order": 2}
    result = load("weighted_bleu").compute(**call, per_order=True, aggregate="arithmetic")
    assert result["bleu_per_order"] == result["weighted_bleu_per_order"] == [result["brevity_penalty"]] * 2
    assert result["weighted_bleu"] == pytest.approx(np.mean(result["weighted_bleu_per_order"]))
    assert result["brevity_penalty"] < 1


def test_explanation_of_a_short_text():
    explained = load("weighted_bleu").explain(prediction="가", reference="가", weights={"가": 1.5})
    assert explained["weights"] == [[1.5], [], [], []]


def test_explanation_tells_the_weight_of_each_ngram():
    explained = load("weighted_bleu").explain(
        prediction="간 는 것 시폰지 응",
        reference=["간 는 것 시폰지 네", "것 응"],
        weights={"시폰지": 1.2, "간 는 것": -1.2},
        max_order=4,
    )
    assert explained["matches"] == [[0, 1, 2, 3, 4], [0, 1, 2], [0, 1], [0]]
    assert explained["weights"] == [[1, 1, 1, 1.2, 1], [1, 1, 1.2, 1.2], [-1.2, 1.2, 1.2], [1.2, 1.2]]
    assert explained["missed"] == [[], []]


def test_explanation_tells_the_phrases_that_were_missed():
    """Each reference for itself; not those that the prediction has, or that weigh 1."""
    explained = load("weighted_bleu").explain(
        prediction="가 나 다 라",
        reference=["가 나 가 다 마", "라 다", ""],
        weights={"가": 1.5, "마": -1, "가 다": 1.7, "라 다": 2, "나": 1},
        tokenizer="whitespace",
        max_order=2,
    )
    assert explained["missed"] == [[[4, 1, -1], [2, 2, 1.7]], [[0, 2, 2]], []]


def test_weights_that_cancel_out():
    """.1 + .2 - .3 is 5.6e-17 in floating point, which is no match, and a denominator of nothing."""
    columns = {"predictions": ["가 나 다"], "references": [["가 나"]]}
    weights = {"가": 0.1, "나": 0.2, "다": -0.3}
    result = load("weighted_bleu").compute(**columns, weights=weights, max_order=1, tokenizer="whitespace")
    assert result["weighted_bleu"] == 0 and result["precisions"] == [0] and result["degenerate_orders"] == [True]
    assert result["bleu"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("weights", [{"a": 2.0}, [{"a": 2.0}, {"b": 0.5}]])
def test_weights_given_to_load_are_explained(weights):
    metric = evaluate.load(str(ROOT / "metrics" / "weighted_bleu.py"), weights=weights)
    segment = {"prediction": "a b", "reference": "a c"}
    for row in (0, 1):
        own = load("weighted_bleu").segment_options(row, weights=weights)
        expected = load("weighted_bleu").explain(**segment, **own)
        assert metric.explain(**segment, **metric.segment_options(row)) == expected
