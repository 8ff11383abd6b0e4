"""The option `weights` of cer and wer: a slow version in exact fractions, what is around a phrase, edges."""

import json
import math
from collections import Counter
from fractions import Fraction

import cases
import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import example, given
from hypothesis import strategies as st

from textgauge.edits import distance_columns
from textgauge.error_rates.kinds.error_kinds import ERROR_KINDS, without_keys
from textgauge.error_rates.nearest.spelled_texts import has_a_notation
from textgauge.error_rates.nearest.weighted_edits import Costs, cheapest_alignment
from textgauge.error_rates.phrases.marks import Marks
from textgauge.korean.reading_tables import KOREAN

# phrases of few letters, so that they overlap, are repeated, and go across words; 을 and 은 are particles
LETTERS = "김철"
WORD = st.text("김철을은.,", min_size=1, max_size=4)
WORDS = st.lists(WORD, max_size=6)
TEXT = st.text("김철을 .", max_size=9)
WEIGHT = st.sampled_from([0, 0.25, 1, 1.5, 2, 7])
TABLE = st.dictionaries(st.text(LETTERS, min_size=1, max_size=3), WEIGHT, max_size=4)
SEGMENTS = st.lists(st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=2)), min_size=1, max_size=3)


def is_whole(before, after, following):
    """What is around a phrase in its words: punctuation before it, a particle and punctuation behind it."""
    return not before.strip(".,") and after.strip(".,") in ("", "을", "은", "을은")


def is_anywhere(before, after, following):
    return True


def slow(segments, table, fits):
    """Returns the result for segments of (tokens of the prediction, tokens of each reference)."""
    weights = {phrase: Fraction(weight) for phrase, weight in table.items()}
    cost = length = 0
    wanted, predicted, both, missed = Counter(), Counter(), Counter(), Counter()
    for prediction, references in segments:
        found = [oracles.weighted_edits(tuple(row), tuple(prediction), weights, fits) for row in references]
        rates = [of[1] / of[2] if of[2] and of[1] else math.inf if of[1] else 0 for of in found]
        best = found[rates.index(min(rates))]
        cost, length = cost + best[1], length + best[2]
        wanted, predicted, both = wanted + best[3], predicted + best[4], both + (best[3] & best[4])
        missed += best[3] - best[4]
    return {
        "edits": float(cost),
        "reference_length": float(length),
        "rate": float(cost / length) if length and cost else math.inf if cost else 0.0,
        "keywords": wanted.total(),
        "keyword_recall": both.total() / wanted.total() if wanted else math.nan,
        "keyword_precision": both.total() / predicted.total() if predicted else math.nan,
        "missed_keywords": sorted(([p, n, wanted[p]] for p, n in missed.items()), key=lambda e: (-e[1], e[0])),
    }


def assert_equal(result, expected):
    for key, value in expected.items():
        found = next(iter(result.values())) if key == "rate" else result[key]
        if isinstance(value, list):
            assert found == value
        else:
            np.testing.assert_allclose(found, value, rtol=1e-12, err_msg=key)


@example([(["김철", "김을"], [["김", "철", "김은"]])], {"김철": 7})
@given(
    segments=st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=2)), min_size=1, max_size=3), table=TABLE
)
def test_words_equal_slow_version(segments, table):
    columns = {
        "predictions": [" ".join(prediction) for prediction, _ in segments],
        "references": [[" ".join(row) for row in references] for _, references in segments],
    }
    if table:
        result = load("wer").compute(**columns, weights=table)
        assert_equal(result, slow(segments, table, is_whole))
        plain = load("wer").compute(**columns)
        assert (result["unweighted_wer"], result["unweighted_edits"]) == (plain["wer"], plain["edits"])


@given(segments=SEGMENTS, table=TABLE, special=st.sampled_from(["remove", "keep"]))
def test_characters_equal_slow_version(segments, table, special):
    def clean(text):
        return [c for c in text if not c.isspace() and (special == "keep" or c != ".")]

    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    cleaned = [(clean(prediction), list(map(clean, references))) for prediction, references in segments]
    if table:
        result = load("cer").compute(**columns, weights=table, special=special)
        assert_equal(result, slow(cleaned, table, is_anywhere))
        plain = load("cer").compute(**columns, special=special)
        assert (result["unweighted_cer"], result["unweighted_edits"]) == (plain["cer"], plain["edits"])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *[("cer", {**options, "detailed": True}) for options in cases.CER_OPTIONS],
        *[("wer", {**options, "detailed": True}) for options in cases.WER_OPTIONS if not options.get("sclite")],
    ],
)
def test_weights_of_one_change_nothing(name, options):
    columns = cases.TEXTS
    plain = load(name).compute(**columns, **options)
    phrases = cases.KEYWORDS
    if options.get("readings"):  # which refuse phrases with a notation
        phrases = [phrase for phrase in phrases if not has_a_notation(phrase, KOREAN)]
    result = load(name).compute(**columns, **options, weights=dict.fromkeys(phrases, 1))
    kinds = {f"{kind}_edits" for kind in ERROR_KINDS}  # of which phrases are one
    kinds |= {*without_keys(name).values()}
    assert {key: result[key] for key in plain if key not in kinds} == {
        key: value for key, value in plain.items() if key not in kinds
    }
    edits = [key for key in kinds if key.endswith("_edits")]
    assert sum(map(result.get, edits)) == pytest.approx(sum(map(plain.get, edits)))
    assert result[f"unweighted_{name}"] == plain[name]


@given(segments=SEGMENTS, table=TABLE.filter(bool), name=st.sampled_from(["cer", "wer"]))
def test_bounded_rates_are_bounded(segments, table, name):
    columns = {"predictions": [row[0] for row in segments], "references": [row[1] for row in segments]}
    result = load(name).compute(**columns, weights=table, bounded=True, detailed=True)
    assert 0 <= result[name] <= 1
    assert result[f"unweighted_{name}"] == load(name).compute(**columns, bounded=True)[name]
    hits = result["edits"] / result[name] - result["edits"] if result[name] else None
    assert hits is None or -1e-9 <= hits <= result["reference_length"] + 1e-9


AROUND = [  # a text in which the phrase occurs or does not
    ("타이레놀", "타이레놀을", 1),
    ("타이레놀", "타이레놀에게서는", 1),
    ("타이레놀", "“타이레놀”이라고", 1),
    ("타이레놀", "타이레놀입니다.", 1),
    ("타이레놀", "타이레놀들까지도", 1),
    ("타이레놀", "타이 레놀 두 알", 1),
    ("타이레놀", "타이레놀린", 0),
    ("타이레놀", "새타이레놀", 0),
    ("타이레놀", "타이레놀산 약", 0),
    ("김 철수", "김철수가 김 철수는", 2),
    ("50만 원", "50만원을", 1),
    ("0만 원", "50만원을", 0),
    ("3.5", "3.5%", 1),
    ("3", "3.5", 0),
    ("C", "C++", 0),
    ("서울", "서울대 서울시 서울", 1),
    ("가가", "가가가 가가", 2),
]


@pytest.mark.parametrize(("phrase", "text", "count"), AROUND)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_what_is_around_a_phrase(phrase, text, count, form):
    result = load("wer").compute(predictions=[text], references=[text], weights={phrase: 3}, normalization=form)
    assert result["keywords"] == count
    assert result["wer"] == 0 and result["keyword_recall"] == (1.0 if count else pytest.approx(math.nan, nan_ok=True))


def test_a_particle_is_no_error_inside():
    """Another particle costs 1, another name its weight, and so does what is between the words of a phrase."""
    table = {"김 철수": 5}
    for prediction, cost in [
        ("김 철수가 왔다", 1), ("김 철호는 왔다", 5), ("김 큰 철수는 왔다", 5), ("철수는 왔다", 5),
        ("김 철수는 또 왔다", 1),
    ]:  # fmt: skip
        result = load("wer").compute(predictions=[prediction], references=["김 철수는 왔다"], weights=table)
        assert (result["edits"], result["reference_length"], result["unweighted_edits"]) == (cost, 11, 1)
        assert result["keyword_recall"] == (prediction.startswith("김 철수"))
    # what the prediction leaves out, so that a name comes about
    invented = load("wer").compute(predictions=["김 철수"], references=["김 영 철수"], weights=table)
    assert (invented["edits"], invented["reference_length"], invented["keyword_precision"]) == (5, 3, 0)
    hallucinated = load("wer").compute(predictions=["오늘 김 철수 왔다"], references=["오늘 큰 왔다"], weights=table)
    assert (hallucinated["edits"], hallucinated["reference_length"]) == (10, 3)
    assert hallucinated["keyword_precision"] == 0 and math.isnan(hallucinated["keyword_recall"])


def test_jamo_do_not_cut_a_syllable():
    """다 is no part of 닭, though its jamo are."""
    texts = {"predictions": [""], "references": ["다 닭"]}
    result = load("cer").compute(**texts, weights={"다": 4}, unit="jamo")
    assert (result["keywords"], result["reference_length"], result["edits"]) == (1, 11, 11)


def test_missed_keywords():
    texts = {
        "predictions": ["타이레놀을 두 알", "아스피린 타이레놀", "부루펜"],
        "references": ["타이레놀을 두 알", "아스피린을 타이레놀과 타이레놀과", "부르펜"],
    }
    table = {"타이레놀": 3, "아스피린": 2, "부르펜": 4, "두 알": 0.5}
    result = load("wer").compute(**texts, weights=table)
    assert result["missed_keywords"] == [["부르펜", 1, 1], ["타이레놀", 1, 3]]
    assert (result["keywords"], result["keyword_recall"], result["keyword_precision"]) == (5, 0.6, 1.0)
    assert json.loads(json.dumps(result)) == result
    again = load("wer").compute(**texts, weights=table, conventions="all", alignments="kaldi")
    assert again["missed_keywords"] == result["missed_keywords"]


def test_what_is_explained():
    explained = load("wer").explain(
        prediction="타이레놀 두 알과 타이레늘",
        reference="타이레놀을 두 알과 타이레놀",
        weights={"타이레놀": 3, "두 알": 2},
    )
    assert explained["keywords"] == [
        ["reference", "타이레놀", 3.0, 0, 1, True],
        ["reference", "두 알", 2.0, 1, 3, True],
        ["reference", "타이레놀", 3.0, 3, 4, False],
        ["prediction", "타이레놀", 3.0, 0, 1, True],
        ["prediction", "두 알", 2.0, 1, 3, True],
    ]
    explained = load("cer").explain(prediction="타이레늘 타이레놀", reference="타이레놀", weights={"타이레놀": 3})
    assert explained["keywords"] == [
        ["reference", "타이레놀", 3.0, 0, 4, True],
        ["prediction", "타이레놀", 3.0, 4, 8, True],
    ]
    assert explained["alignment"] == [["insert", "", "타이레늘"], ["equal", "타이레놀", "타이레놀"]]


def test_the_occurrence_with_an_error_is_the_missed_one():
    explained = load("wer").explain(
        prediction="타이레늘 두 타이레놀", reference="타이레놀 두 타이레놀", weights={"타이레놀": 3}
    )
    assert [entry[3:] for entry in explained["keywords"]] == [[0, 1, False], [2, 3, True], [2, 3, True]]


def test_details_have_no_weights():
    texts = {"predictions": ["타이레놀 세 알"], "references": ["타이레놀 두 알"]}
    result = load("wer").compute(**texts, weights={"타이레놀": 3}, detailed=True)
    assert (result["wer"], result["mer"], result["wip"]) == (1 / 5, 1 / 3, pytest.approx(4 / 9))


def test_the_cheapest_alignment_decides():
    """Of two with as many edits, the one in which the name is right."""
    call = {"prediction": "타이레놀을", "reference": "음 타이레놀"}
    assert load("wer").explain(**call)["alignment"] == [["substitute", "음", "타이레놀을"], ["delete", "타이레놀", ""]]
    weighted = load("wer").explain(**call, weights={"타이레놀": 3})["alignment"]
    assert weighted == [["delete", "음", ""], ["substitute", "타이레놀", "타이레놀을"]]


def slow_alignments(reference, prediction, costs, at=(0, 0)):
    """Yields each alignment: edits, cost, what it prefers from the beginning on, and its kinds."""
    if not reference and not prediction:
        yield 0, 0, (), ()
    both = "equal" if reference[:1] == prediction[:1] else "substitute"
    for rank, kind, size in ((0, both, (1, 1)), (1, "insert", (0, 1)), (2, "delete", (1, 0))):
        if len(reference) >= size[0] and len(prediction) >= size[1]:
            behind = at[0] + size[0], at[1] + size[1]
            cost = costs.of(kind, *at)
            for edits, more, ranks, kinds in slow_alignments(
                reference[size[0] :], prediction[size[1] :], costs, behind
            ):
                yield edits + (kind != "equal"), cost + more, (rank, *ranks), (kind, *kinds)


NUMBERS = st.lists(st.sampled_from([1.0, 2.0, 5.0]), min_size=7, max_size=7)
MARKS = st.builds(Marks, NUMBERS, NUMBERS, st.just([()] * 7), st.just([]))
PLACE = st.tuples(*[st.integers(0, 1)] * 2)


@given(st.text("ab", max_size=4), st.text("ab", max_size=4), MARKS, MARKS, PLACE, st.sampled_from([1, 2, 1024]))
def test_cheapest_alignment(reference, prediction, marks, other_marks, at, kept_every):
    """Of those with the fewest edits the cheapest; of several one that takes both, else inserts, from the beginning."""
    costs = Costs(marks, other_marks, (7, 7))
    expected = min(slow_alignments(reference, prediction, costs, at))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance_columns, "_KEPT_EVERY", kept_every)
        runs = cheapest_alignment(reference, prediction, costs, at)
    assert tuple(kind for kind, a, b, c, d in runs for _ in range(max(b - a, d - c))) == expected[3]


@given(st.text("abc", max_size=40), st.text("abc", max_size=40), st.integers(1, 8), st.randoms(use_true_random=False))
def test_cheapest_alignment_from_columns_in_between(reference, prediction, kept_every, random):
    """The same to the last step, however many columns of the matrix are kept."""
    sides = [Marks(random.choices([1.0, 2.0, 5.0], k=41), [0.0] * 41, [()] * 41, []) for _ in range(2)]
    costs = Costs(*sides, (41, 41))
    expected = cheapest_alignment(reference, prediction, costs, (0, 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distance_columns, "_KEPT_EVERY", kept_every)
        assert cheapest_alignment(reference, prediction, costs, (0, 0)) == expected


@pytest.mark.parametrize("table", [{"김 큰 철수": 7, "큰 철수": 2}, {"김 큰 철수": 2, "큰 철수": 7}])
def test_the_heaviest_phrase_around_a_word_counts(table):
    for texts in (("김 큰 또 철수", "김 큰 철수"), ("김 큰 철수", "김 큰 또 철수")):
        result = load("wer").compute(predictions=[texts[0]], references=[texts[1]], weights=table)
        assert (result["unweighted_edits"], result["edits"]) == (1, 7)


def test_with_joined_words():
    """A phrase is whole also where its words are joined; between joined words the cheapest alignment decides."""
    texts = {"predictions": ["어제 김철수 왔다"], "references": ["어제 김 철수 갔다"]}
    result = load("wer").compute(**texts, weights={"김철수": 4}, compounds="merge", detailed=True)
    assert (result["edits"], result["reference_length"], result["hits"]) == (1, 10, 3)
    # what the reference writes apart, is there also where the prediction joins it; and the other way round
    for joined, apart in (("어제 철수가왔다", "어제 철수가 왔다"), ("어제 철수가 왔다", "어제 철수가왔다")):
        both = load("wer").compute(predictions=[joined], references=[apart], weights={"철수": 2}, compounds="merge")
        n_keywords = apart.count("가 ")
        assert (both["wer"], both["keywords"], both["missed_keywords"]) == (0, n_keywords, [])
        assert both["keyword_precision"] == pytest.approx(1.0 if n_keywords else math.nan, nan_ok=True)
    explained = load("wer").explain(
        prediction="어제 철수가왔다", reference="어제 철수가 왔다", weights={"왔다": 2}, compounds="merge"
    )
    assert [entry[3:] for entry in explained["keywords"]] == [[2, 3, True], [1, 2, True]]
    explained = load("wer").explain(
        prediction="김 철수 왔다", reference="김철수 왔다", weights={"김철수": 2}, compounds="merge"
    )
    assert [entry[3:] for entry in explained["keywords"]] == [[0, 1, True], [0, 2, True]]
    apart = load("wer").compute(**texts, weights={"김철수": 4})
    assert (apart["edits"], apart["keyword_recall"]) == (9, 1.0)


BAD = [
    ({"가": 101}, "weights['가'] is 101; pass a number in [0, 100]"),
    ({"가": -1}, "weights['가'] is -1; pass a number in [0, 100]"),
    ({"가 나": 2, "가나": 3}, "weights: '가 나' and '가나' are the same characters; give them one weight"),
    ({" ": 2}, "weights[' ']: no character of this phrase is compared"),
    ([{"가": 2}], "weights is [{'가': 2}]; pass a dict phrase -> weight, or a file's path"),
    ("none.tsv", "weights is 'none.tsv', and there is no such file"),
]


@pytest.mark.parametrize("name", ["cer", "wer"])
@pytest.mark.parametrize(("weights", "message"), BAD)
def test_bad_weights(name, weights, message):
    with pytest.raises(ValueError) as error:
        load(name).compute(predictions=["가"], references=["가"], weights=weights)
    assert str(error.value) == message


@pytest.mark.parametrize("name", ["cer", "wer"])
def test_weights_from_a_file(name, tmp_path):
    path = tmp_path / "weights.tsv"
    path.write_text("phrase\tweight\n고양이\t5\nthe\t0.25\n", encoding="utf-8")
    by_file, by_table = (
        load(name).compute(**cases.TEXTS, weights=weights) for weights in (str(path), {"고양이": 5, "the": 0.25})
    )
    assert by_file == by_table
    signatures = {load(name).signature(weights=weights) for weights in (str(path), {"고양이": 5, "the": 0.25})}
    assert len(signatures) == 1 and "|weights:table(2," in signatures.pop()
    assert "weights" not in load(name).signature(weights={})
    assert load(name).compute(**cases.TEXTS, weights={}) == load(name).compute(**cases.TEXTS)


def test_aliases(tmp_path):
    """Any of them is the phrase, the longest one where several begin, and a file says them as it says a phrase."""
    texts = {"predictions": ["NASA와 나사, ESA"], "references": ["나사는 나사를 유럽 우주국"]}
    table = {("나사", "NASA"): 5, "ESA | 유럽 우주국 | 유럽": 3}
    result = load("wer").compute(**texts, weights=table)
    assert (result["keywords"], result["keyword_recall"], result["missed_keywords"]) == (3, 1.0, [])
    tsv, as_json = tmp_path / "t.tsv", tmp_path / "t.json"
    tsv.write_text("나사 | NASA\t5\nESA | 유럽 우주국 | 유럽\t3\n", encoding="utf-8")
    as_json.write_text(json.dumps({"나사 | NASA": 5, "ESA | 유럽 우주국 | 유럽": 3}), encoding="utf-8")
    for path in (tsv, as_json):
        assert load("wer").compute(**texts, weights=path) == result
        assert load("wer").signature(weights=path) == load("wer").signature(weights=table)
    missed = load("cer").compute(predictions=["가"], references=["NASA 나사"], weights=table)
    assert (missed["missed_keywords"], missed["unused_keys"]) == (
        [["나사 | NASA", 2, 2]],
        ["ESA | 유럽 우주국 | 유럽"],
    )
    explained = load("cer").explain(prediction="NASA", reference="나사", weights=table)["keywords"]
    assert explained == [["reference", "나사 | NASA", 5.0, 0, 2, True], ["prediction", "나사 | NASA", 5.0, 0, 4, True]]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({("나사", 3): 5}, r"weights has the key \('나사', 3\)"),
        ({("나사", "NASA"): 5, "나사 | NASA": 5}, "'나사 | NASA' occurs twice"),
        ({("나사", "NASA"): 5, "NASA": 3}, "'나사 | NASA' and 'NASA' are the same characters"),
        ({("나사", " "): 5}, r"weights\['나사 |  '\]: no character"),
        ({(): 5}, r"weights\[''\]: no character"),
    ],
)
def test_wrong_aliases(weights, message):
    with pytest.raises(ValueError, match=message):
        load("wer").compute(predictions=["가"], references=["가"], weights=weights)
