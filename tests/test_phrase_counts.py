"""Phrases of `weights` beside rows: parts of a corpus, in any order, say of them what one call says."""

import cases
import numpy as np
import pyarrow as pa
import pytest
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core.phrase_counts import join_phrase_counts, phrase_counts

WORDS = ["가나", "나", "다라", "라마바", "3%", "삼", "퍼센트", "음"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
WEIGHTS = st.dictionaries(st.sampled_from([*WORDS, "가나 나", "없는 말"]), st.sampled_from([0.5, 1.0, 1.5]), min_size=1)
SEGMENT = st.tuples(TEXT, st.lists(TEXT, min_size=1, max_size=2))
OPTIONS = {
    "cer": [{}, {"detailed": True}, {"bounded": True}],
    "wer": [{}, {"detailed": True, "compounds": "merge"}, {"tokenizer": "char"}],
    "weighted_bleu": [{"tokenizer": "whitespace"}, {"max_order": 1, "all_unused": True}],
}
KEYS = ("missed_keywords", "unused_count", "unused_keys")


def phrases_in(result):
    return {key: result[key] for key in KEYS if key in result}


def columns_of(segments):
    return {"predictions": [prediction for prediction, _ in segments], "references": [others for _, others in segments]}


def in_parts(metric, segments, size, options):
    parts = [columns_of(segments[start : start + size]) for start in range(0, len(segments), size)]
    counted = [metric.statistics_with_phrases(**part, **options) for part in parts]
    phrases = join_phrase_counts([part.phrases for part in counted])
    return np.concatenate([part.rows for part in counted]), phrases


@pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name, of_name in OPTIONS.items() for options in of_name]
)
def test_parts_say_what_one_call_says(name, options):
    """With each part's phrases beside its rows, in another order, or added up; without them the keys are missing."""
    metric = load(name)

    @examples(0.5)
    @given(st.lists(SEGMENT, min_size=1, max_size=6), WEIGHTS, st.integers(1, 3), st.randoms())
    def check(segments, weights, size, random):
        given_options = {**options, "weights": weights}
        expected = metric.compute(**columns_of(segments), **given_options)
        rows, phrases = in_parts(metric, segments, size, given_options)
        assert len(phrases_in(expected)) >= 2 and len(phrases.sizes) == len(segments)
        order = random.sample(range(len(segments)), len(segments))
        for counts in (phrases, phrases.of_segments(order), phrases.total()):
            assert phrases_in(metric.result(rows, phrases=counts, **given_options)) == phrases_in(expected)
        assert phrases_in(metric.result(rows, **given_options)) == {}

    check()


@pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
@pytest.mark.parametrize("name", OPTIONS)
def test_segments_say_what_single_calls_say(name):
    metric = load(name)

    @examples(0.3)
    @given(st.lists(SEGMENT, min_size=1, max_size=5), WEIGHTS)
    def check(segments, weights):
        _, phrases = metric.statistics_with_phrases(**columns_of(segments), weights=weights)
        for row, segment in enumerate(segments):
            expected = metric.compute(**columns_of([segment]), weights=weights)
            rows = metric.statistics(**columns_of([segment]), weights=weights)
            result = metric.result(rows, phrases=phrases.of_segments([row]), weights=weights)
            assert phrases_in(result) == phrases_in(expected)

    check()


@pytest.mark.parametrize("name", ["cpcer", "cpwer"])
def test_sessions_in_parts(name):
    """A session has several streams, whose phrases are those of the session."""
    metric, columns = load(name), cases.CASES[name][0]
    words = [word for session in columns["references"] for said in session for word in said["text"].split()]
    weights = {**dict.fromkeys(filter(str.isalpha, words), 1.5), "없는말": 2.0}
    expected = metric.compute(**columns, weights=weights)
    assert expected["missed_keywords"] and expected["unused_count"] >= 1
    n_sessions = len(columns["predictions"])
    by_session = [{key: value[row : row + 1] for key, value in columns.items()} for row in range(n_sessions)]
    parts = [metric.statistics_with_phrases(**session, weights=weights) for session in by_session]
    phrases = join_phrase_counts([part.phrases for part in parts])
    rows = np.concatenate([part.rows for part in parts])
    assert metric.result(rows, phrases=phrases, weights=weights) == expected


@pytest.mark.parametrize("name", OPTIONS)
def test_nothing_is_noted_in_what_is_prepared(name):
    """One prepared table serves two corpora, and an explanation, and each is told of its own phrases."""
    metric = load(name)
    options = metric.compile_options(weights={"가나": 1.5, "다라": 2.0})
    columns, prepared = metric._prepare({"predictions": ["가나"], "references": [["가나"]]}, options)
    first = metric._rows_with_phrases(columns, prepared).phrases
    others = {**columns, "predictions": ["다라"], "references": [["다라"]]}
    second = metric._rows_with_phrases(others, prepared).phrases
    assert (first.unused(), second.unused()) == (["다라"], ["가나"])
    assert metric._rows_with_phrases(columns, prepared).phrases.unused() == ["다라"]


def test_a_table_for_each_segment():
    """Parts with other tables have the phrases of all of them."""
    metric = load("weighted_bleu")
    segments = [("가나 다라", ["가나"]), ("나", ["나 다라"])]
    tables = [{"가나": 1.5, "다라 라": 2.0}, {"다라": 0.5, "가나": 1.5}]
    options = {"tokenizer": "whitespace", "weights": tables}
    expected = metric.compute(**columns_of(segments), **options)
    counted = [
        metric.statistics_with_phrases(**columns_of([segment]), **{**options, "weights": [table]})
        for segment, table in zip(segments, tables, strict=True)
    ]
    phrases = join_phrase_counts([part.phrases for part in counted])
    assert metric.result(np.concatenate([part.rows for part in counted]), phrases=phrases, **options) == expected
    assert expected["unused_keys"] == ["다라 라"]


def test_phrases_with_the_same_tokens_are_both_used():
    metric = load("weighted_bleu")
    weights = {"가 나": 1.5, "가  나": 1.5, "가": 2.0, "다": 1.5}
    texts = {"predictions": ["가 나"], "references": ["다라"]}
    assert metric.compute(**texts, weights=weights, tokenizer="whitespace")["unused_keys"] == ["다"]


def test_phrases_that_fit_nothing():
    texts = {"predictions": ["가나"], "references": ["가나"]}
    cer = load("cer")
    rows, phrases = cer.statistics_with_phrases(**texts, weights={"가나": 2.0})
    message = "phrases has '가나', which is not in weights; pass the weights"
    with pytest.raises(ValueError, match=message):
        cer.result(rows, phrases=phrases, weights={"나": 2.0})
    bleu = load("bleu")
    rows, none = bleu.statistics_with_phrases(**texts)
    assert none is None
    with pytest.raises(ValueError, match="bleu counts no phrases; leave phrases out"):
        bleu.result(rows, phrases=phrases)
    with pytest.raises(ValueError, match=message):
        cer.result(cer.statistics(**texts), phrases=phrases)


def test_lists_of_arrow():
    """As the docstring has it: the lists of a column, and back."""
    counts = phrase_counts(["가", "나"], {0: {1: (2, 1)}, 2: {0: (1, 0), 1: (0, 0)}}, n_segments=3)
    offsets = np.append(0, np.cumsum(counts.sizes))
    lists = pa.ListArray.from_arrays(offsets.astype(np.int32), counts.phrases)
    assert lists.to_pylist() == [[1], [], [0, 1]]
    assert np.diff(lists.offsets.to_numpy()).tolist() == counts.sizes.tolist()
