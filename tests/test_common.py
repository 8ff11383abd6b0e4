"""Laws that every metric keeps; a new metric is picked up by itself, and needs an entry in cases.py."""

import copy
import doctest
import functools
import inspect
import itertools
import json
import math
import os
import pickle
import re
import sys
import unicodedata
from collections import Counter
from concurrent.futures.process import BrokenProcessPool
from fractions import Fraction

import cases
import datasets
import evaluate
import numpy as np
import oracles
import pandas as pd
import pytest
from conftest import METRICS, ROOT, arrays_alone, examples, load
from hypothesis import given
from hypothesis import strategies as st
from option_values import values_of
from processes import fail_or_wait, run_in_both, share
from test_tables import good_call, table_of
from texts import TEXT

import textgauge
from textgauge.core.bootstrap import (
    draw_counts,
    interval_values,
    jackknife_error,
    percentile_interval,
    resample,
)
from textgauge.core.errors import InputError

# some of these tests score a single segment
pytestmark = pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")

ALL_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name, (_, in_signature, others) in cases.CASES.items()
    for index, options in enumerate([*in_signature, *others])
]
ADDITIVE_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name in cases.ADDITIVE
    for index, options in enumerate([*cases.CASES[name][1], *cases.CASES[name][2]])
]
SIGNED_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name, (_, in_signature, _) in cases.CASES.items()
    for index, options in enumerate(in_signature)
]


def columns_of(name):
    return copy.deepcopy(cases.CASES[name][0])


def twice(columns):
    """Returns a corpus of ten segments: an interval takes six."""
    names = {"items": [f"{item} again" for item in columns.get("items", ())]}
    return {key: column + names.get(key, column) for key, column in columns.items()}


def rows_of(columns, rows):
    return {key: [column[row] for row in rows] for key, column in columns.items()}


def options_for(options, rows):
    """Returns the options for some of the rows: a list of tables has one entry per row."""
    return {key: [value[r] for r in rows] if key == "weights" and isinstance(value, list) else value
            for key, value in options.items()}  # fmt: skip


def with_segments(metric, options):
    """Returns the options with `per_segment`, where the metric scores a segment at a time."""
    return {**options, "per_segment": True} if "per_segment" in metric.OPTIONS else options


def with_corpus_counts(metric, options):
    """Returns the options with what else the metric would learn from the corpus."""
    option = metric.corpus_option(**options)
    if option is None:
        return options
    counts = cases.CORPUS_COUNTS[metric.name]
    says = [key for key in metric.corpus_counts(references=["a"], **options) if key.startswith(" ")]
    return {**options, option: {**counts, **dict.fromkeys(says, counts[""])}}


def assert_same(actual, expected):
    assert actual.keys() == expected.keys()
    for key, value in expected.items():
        if isinstance(value, (list, float, int)) and key not in ("unused_keys", "missed_keywords", "confusions"):
            np.testing.assert_allclose(actual[key], value, rtol=1e-12, atol=1e-15, err_msg=key)
        else:
            assert actual[key] == value, key


def test_every_metric_has_its_files(name):
    assert name in cases.CASES, f"tests/cases.py has no entry for {name}"
    assert (ROOT / "tests" / f"test_{name}.py").is_file()
    assert (ROOT / "spaces" / name / "README.md").is_file()


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_rows_add_up(name, options):
    """Scoring at once, scoring the sum of rows, and rows computed piecemeal are the same."""
    metric, columns = load(name), columns_of(name)
    options = with_corpus_counts(metric, options)
    whole = metric.statistics(**columns, **options)
    pieces = []
    for rows in ([0], [1, 2], [3, 4]):
        pieces.append(metric.statistics(**rows_of(columns, rows), **options_for(options, rows)))
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    assert whole.dtype == np.float64
    result = metric.compute(**columns, **options)
    for key, value in metric.score(sum(piece.sum(0) for piece in pieces), **options).items():
        np.testing.assert_allclose(value, result[key], rtol=1e-12, err_msg=key)
    asked = {**options, "per_segment": True, "confidence": 0.9, "resamples": 20}
    from_rows = metric.result(np.concatenate(pieces), **asked)
    whole_result = metric.compute(**columns, **asked)
    assert_same(from_rows, {key: whole_result[key] for key in from_rows})
    assert {"segments", "interval", "error", "units"} <= {key.split("_")[-1] for key in from_rows}
    resampled = resample(whole, 20, asked.get("seed", 12345)), len(whole)
    drawn = metric.result(whole, resampled=resampled, **{**asked, "seed": 1})
    errors = {key: drawn[key] for key in drawn if key.endswith("standard_error")}
    assert_same(drawn, {**from_rows, **errors})
    for bad in (whole[:0], whole[0]):
        with pytest.raises(ValueError, match="nothing to score: rows has the shape"):
            metric.result(bad, **options)
    n_columns = whole.shape[1]
    message = f"rows has the shape (5, {n_columns - 1}); with these options a row has {n_columns} numbers"
    with pytest.raises(ValueError, match=re.escape(message)):  # those of other options, or of another metric
        metric.score(whole[:, 1:], **options)


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_rows_hold_no_number_that_no_text_gives(name, options):
    """A sign that was turned, or a nan, is no row, and is named; metrics with signed rows say so."""
    metric = load(name)
    options = with_corpus_counts(metric, options)
    rows = metric.statistics(**columns_of(name), **options)
    assert (rows >= 0).all() or metric.HAS_NEGATIVE_ROWS
    row, column = (place.item() for place in np.argwhere(rows > 0)[-1])
    for wrong in (math.nan, *(() if metric.HAS_NEGATIVE_ROWS else (-rows[row, column], -1e-300))):
        bad = rows.copy()
        bad[row, column] = wrong
        with pytest.raises(
            InputError, match=rf"^rows\[{row}, {column}\] is {wrong:g}; in a row of {name} that is a num"
        ):
            metric.result(bad, **options)
        with pytest.raises(InputError, match=rf"^resampled\[{row}, {column}\] is {wrong:g}; in a row of"):
            metric.result(rows, (bad, len(rows)), **options)
    with pytest.raises(InputError, match="^rows is no array of numbers"):
        metric.result([["a"]], **options)


def test_which_rows_are_signed():
    signed = {name for name in cases.ADDITIVE if load(name).HAS_NEGATIVE_ROWS}
    found = {
        name
        for name in cases.ADDITIVE
        for options in [*cases.CASES[name][1], *cases.CASES[name][2]]
        if (load(name).statistics(**columns_of(name), **with_corpus_counts(load(name), options)) < 0).any()
    }
    assert signed == found


def random_columns(name, rng, count):
    """Returns columns of a metric with random texts of a few words, so that all that rows add up is inexact."""
    if name == "perplexity":
        return {"predictions": [rng.uniform(-9, 0, rng.integers(9)).tolist() for _ in range(count)]}
    words = np.array([*"가나다라마", "고양이가", "the", "방에서", "😀", "귀여운", "강아지와", "3.5%"])

    def text():
        return " ".join(rng.choice(words, rng.integers(1, 25)))

    references = [[text() for _ in range(rng.integers(1, 4))] for _ in range(count)]
    columns = cases.with_further_columns(name, [text() for _ in references], references)
    if "reference_weights" in columns:
        columns["reference_weights"] = [rng.uniform(0, 1, len(row)).tolist() for row in references]
    return columns


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_a_row_depends_on_its_segment_alone(name, options):
    """To the last bit: in whatever batch and order segments come, what they add up to is the same."""
    rng = np.random.default_rng(7)
    metric, columns = load(name), random_columns(name, rng, 12)
    if options.get("weights"):
        weights = rng.uniform(0.1, 2, 5).tolist()
        options = {**options, "weights": dict(zip(("고양이가", "나 다", "the", "방에서", "라"), weights, strict=True))}
    if metric.corpus_option(**options) is not None:
        counts = metric.corpus_counts(references=columns["references"], **options)
        options = {**options, metric.corpus_option(**options): counts}
    whole = metric.statistics(**columns, **options)
    order = rng.permutation(12)
    shuffled = metric.statistics(**rows_of(columns, order), **options)
    np.testing.assert_array_equal(shuffled, whole[order])
    for row in range(0, 12, 3):
        alone = metric.statistics(**rows_of(columns, [row]), **options)
        np.testing.assert_array_equal(alone[0], whole[row])


@pytest.mark.parametrize(("name", "options"), ALL_OPTIONS)
def test_order_of_segments_does_not_matter(name, options):
    metric, columns = load(name), columns_of(name)
    order = [3, 0, 4, 2, 1]
    options = with_segments(metric, {**options, "confidence": None})
    whole = metric.compute(**columns, **options)
    shuffled = metric.compute(**rows_of(columns, order), **options_for(options, order))
    for key in [
        key for key, value in whole.items() if key.endswith(("segments", "perplexities")) and isinstance(value, list)
    ]:
        whole[key] = [whole[key][row] for row in order]
    assert_same(shuffled, whole)


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_segments_are_the_scores_of_single_rows(name, options):
    metric, columns = load(name), columns_of(name)
    options = with_corpus_counts(metric, {**options, "confidence": None})
    whole = metric.compute(**columns, **options, per_segment=True)
    alone = [metric.compute(**rows_of(columns, [row]), **options_for(options, [row])) for row in range(5)]
    for headline, prefix in cases.headlines(name, options).items():
        np.testing.assert_allclose(whole[f"{prefix}segments"], [result[headline] for result in alone], rtol=1e-12)
        assert len(set(whole[f"{prefix}segments"])) > 1


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_all_ways_of_adding_agree(name, keep_in_memory):
    metric = evaluate.load(str(ROOT / "metrics" / f"{name}.py"), keep_in_memory=keep_in_memory)
    columns = columns_of(name)
    expected = metric.compute(**columns)

    metric.add_batch(**columns)
    assert_same(metric.compute(), expected)

    metric.add_batch(**rows_of(columns, [0, 1, 2]))
    assert_same(metric.compute(**rows_of(columns, [3, 4])), expected)

    names = {"predictions": "prediction", "references": "reference"}
    for row in range(3):
        metric.add(**{names.get(key, key): column[row] for key, column in columns.items()})
    metric.add_batch(**{key: [] for key in columns})
    metric.add_batch(**rows_of(columns, [3, 4]))
    assert_same(metric.compute(), expected)


@pytest.mark.parametrize("make_copy", [copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))])
@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_copies(name, make_copy, keep_in_memory):
    """A metric that was used can be copied and sent to other processes; what was added is in both, each on its own."""
    metric = evaluate.load(str(ROOT / "metrics" / f"{name}.py"), keep_in_memory=keep_in_memory)
    columns, first = columns_of(name), rows_of(columns_of(name), [0, 1, 2])
    expected, of_first = metric.compute(**columns), metric.compute(**first)
    metric.add_batch(**columns)
    assert_same(metric.compute(), expected)
    assert_same(make_copy(metric).compute(**columns), expected)

    metric.add_batch(**first)
    copied = make_copy(metric)
    copied.add_batch(**rows_of(columns, [3, 4]))
    assert (len(metric), len(copied)) == (3, 5)
    again = make_copy(copied)
    assert_same(metric.compute(), of_first)
    assert_same(copied.compute(), expected)
    assert_same(again.compute(), expected)
    with pytest.raises(ValueError, match="nothing to score"):
        make_copy(copied).compute()


def test_two_metrics_with_rows_do_not_wait_for_each_other(name, monkeypatch):
    """The first one has the file that evaluate would like; the second one needs another."""
    waits = []

    class Lock(evaluate.module.FileLock):
        def acquire(self, timeout=None, **options):
            waits.append(timeout)
            return super().acquire(timeout=timeout, **options)

    monkeypatch.setattr(evaluate.module, "FileLock", Lock)
    path, columns = str(ROOT / "metrics" / f"{name}.py"), columns_of(name)
    both = [evaluate.load(path), evaluate.load(path)]
    for metric in both:
        metric.add_batch(**columns)
    assert set(waits) == {0} and len(waits) > 2
    assert_same(both[0].compute(), both[1].compute())


def test_a_share_of_a_distributed_run_is_not_copied(tmp_path, monkeypatch):
    metric = evaluate.load(str(ROOT / "metrics" / "bleu.py"), num_process=2, process_id=1, cache_dir=str(tmp_path))
    assert copy.deepcopy(metric).process_id == 1
    monkeypatch.setattr(metric, "_check_rendez_vous", lambda: None)  # no other process is there
    metric.add(prediction="a", reference="a")
    with pytest.raises(TypeError, match="bleu holds a share of a distributed run"):
        copy.deepcopy(metric)


def test_batches_may_differ_in_kind_of_reference(text_name):
    """A batch of bare strings, then one of lists: evaluate would fix the schema with the first."""
    metric, columns = load(text_name), columns_of(text_name)
    metric.add_batch(**{**rows_of(columns, [0]), "references": [columns["references"][0][0]]})
    metric.add_batch(**rows_of(columns, [1, 2, 3, 4]))
    assert_same(metric.compute(), metric.compute(**columns))


@pytest.mark.parametrize(("how", "kind", "message"), [
    (functools.partial(int, "x"), ValueError, "invalid literal"),
    (functools.partial(os._exit, 3), BrokenProcessPool, "terminated abruptly"),
])  # fmt: skip
def test_a_process_that_fails_is_no_slow_one(how, kind, message):
    with pytest.raises(kind, match=message) as error:
        run_in_both(fail_or_wait, [(0, how), (1, how)])
    if kind is ValueError:
        assert "in fail_or_wait" in str(error.value.__cause__)
    assert run_in_both(divmod, [(7, 2), (9, 2)]) == [(3, 1), (4, 1)]


@pytest.mark.parametrize("shares", [([0, 1], [2, 3, 4]), ([0, 1, 2, 3, 4], []), ([], [0, 1, 2, 3, 4])])
def test_two_processes(name, shares, tmp_path):
    columns, path = columns_of(name), str(ROOT / "metrics" / f"{name}.py")
    first, second = run_in_both(share, [(path, str(tmp_path), number, shares[number], columns) for number in (0, 1)])
    assert second is None
    assert_same(first, load(name).compute(**columns))


SHORT = {  # options that say which way texts go
    "bleu": [{}, {"tokenizer": "char", "max_order": 6}, {"tokenizer": "jamo"}, {"tokenizer": "whitespace"}],
    "cer": [{}, {"preset": "jiwer"}, {"special": "punctuation", "unit": "jamo"}, {"special": "posix", "bounded": True}],
    "rouge": [{}, {"tokenizer": "13a", "use_stemmer": True}],
    "wer": [{}, {"tokenizer": "unicode", "bounded": True}, {"compounds": "merge"}],
}
SEGMENTS = st.lists(st.tuples(TEXT, TEXT | st.lists(TEXT, min_size=1, max_size=3)), min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name in cases.TEXT_METRICS for options in SHORT.get(name, [{}])]
)
@examples(0.3)
@given(segments=SEGMENTS, lowercase=st.booleans())
def test_short_calls_give_the_same_numbers(name, options, segments, lowercase):
    """A few short texts go another way than a corpus; not a bit of the result shows it."""
    metric, (predictions, references) = load(name), map(list, zip(*segments, strict=True))
    if name == "hyter":  # not every text is a network
        references = [["가 나", "a b"]] * len(segments)
    columns = cases.with_further_columns(name, predictions, references)
    asked = {"lowercase": lowercase} if "lowercase" in metric.OPTIONS else {}
    calls = [functools.partial(metric.compute, per_segment=True), metric.statistics]
    found = [call(**columns, **options, **asked) for call in calls]
    with arrays_alone():
        np.testing.assert_equal([call(**columns, **options, **asked) for call in calls], found)


def test_no_segments_and_no_interval_unless_asked(name):
    for options in [*cases.CASES[name][1], *cases.CASES[name][2]]:
        result = load(name).compute(**columns_of(name), **{**options, "confidence": None})
        assert not [key for key, value in result.items() if key.endswith("segments") and isinstance(value, list)]
        assert not [key for key in result if key.endswith("confidence_interval")]
    assert not [key for key in load(name).compute(**columns_of(name)) if key.endswith("confidence_interval")]


def test_lower_is_better(name):
    """Predictions that have nothing to do with the references move the score the way that the metric says."""
    metric, columns = load(name), columns_of(name)
    worse = {**columns, "predictions": [*map(cases.WORSE.get(name, cases.worse_text), columns["predictions"])]}
    before, after = metric.compute(**columns), metric.compute(**worse)
    for key in metric.headlines(before):
        assert after[key] > before[key] if metric.LOWER_IS_BETTER else after[key] < before[key]


def test_interval(name):
    metric, columns = load(name), twice(columns_of(name))
    np.random.random()
    state = np.random.get_state()[1].tolist()
    first = metric.compute(**columns, confidence=0.95)
    assert metric.compute(**columns, confidence=0.95) == first
    assert np.random.get_state()[1].tolist() == state
    others = [metric.compute(**columns, confidence=0.2, seed=seed, resamples=9) for seed in range(9)]
    half = metric.compute(**columns, confidence=0.5)
    with pytest.warns(
        UserWarning, match=r"^an interval takes at least 6 segments, or clusters; there are [35]: it is \[nan, nan\]$"
    ):
        few = metric.compute(**columns_of(name), confidence=0.95)
    assert first["units"] == 2 * few["units"]
    for headline, prefix in cases.headlines(name).items():
        key = f"{prefix}confidence_interval"
        low, high = first[key]
        assert low <= first[headline] <= high
        assert low <= half[key][0] <= half[key][1] <= high
        assert len({tuple(other[key]) for other in others}) > 1
        assert np.isnan(few[key]).all()
        assert f"{key}_low" not in metric.compute(**columns_of(name), confidence=0.95, flat=True)
        flat = metric.compute(**columns, confidence=0.95, flat=True)
        assert [flat.get(f"{key}_{end}", np.nan) for end in ("low", "high")] == pytest.approx(first[key], nan_ok=True)


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_interval_is_that_of_the_resamples(name):
    """The interval as a slow loop computes it: draw rows, add, score, sort; its error leaves out each row in turn."""
    metric, columns = load(name), twice(columns_of(name))
    rows = metric.statistics(**columns)
    rng = np.random.default_rng(99)
    drawn = rng.integers(len(rows), size=(40, len(rows)))
    result = metric.compute(**columns, confidence=0.9, resamples=40, seed=99)
    for headline, prefix in cases.headlines(name).items():
        scores = [float(metric.score(rows[draw].sum(0))[headline]) for draw in drawn]
        ends = oracles.expanded_percentiles(scores, 0.9, len(rows))
        np.testing.assert_allclose(result[f"{prefix}confidence_interval"], ends, rtol=1e-12)
        others = [float(metric.score(np.delete(rows, row, 0).sum(0))[headline]) for row in range(len(rows))]
        error = math.sqrt(sum((other - np.mean(others)) ** 2 for other in others) * (len(rows) - 1) / len(rows))
        assert result[f"{prefix}standard_error"] == pytest.approx(error, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_interval_of_clusters(name):
    """Whole clusters are drawn; those of one segment each are segments."""
    metric, columns = load(name), twice(columns_of(name))
    rows = metric.statistics(**columns)
    clusters = ["b", 7, "b", "c", 7, "d", "e", "f", 7, "f"]
    rng = np.random.default_rng(99)
    names = ["7", "b", "c", "d", "e", "f"]
    drawn = [
        [row for unit in draw for row, label in enumerate(clusters) if str(label) == names[unit]]
        for draw in rng.integers(6, size=(40, 6))
    ]
    result = metric.compute(**columns, confidence=0.9, resamples=40, seed=99, clusters=clusters)
    for headline, prefix in cases.headlines(name).items():
        scores = [float(metric.score(rows[segments].sum(0))[headline]) for segments in drawn]
        wanted = oracles.expanded_percentiles(scores, 0.9, 6)
        np.testing.assert_allclose(result[f"{prefix}confidence_interval"], wanted, rtol=1e-12)
    of_segments = metric.compute(**columns, confidence=0.9)
    assert metric.compute(**columns, confidence=0.9, clusters=np.arange(10)) == of_segments
    with pytest.raises(ValueError, match="^clusters has 2 entries, but there are 10 segments; pass one for each$"):
        metric.compute(**columns, confidence=0.9, clusters=[1, 2])


def test_flat_results(metric, name):
    """Finite numbers, each one of the usual result; evaluate's own way too."""
    options = {"confidence": 0.9, "resamples": 20, **({"detailed": True} if "detailed" in metric.OPTIONS else {})}
    usual = metric.compute(**columns_of(name), **options)
    flat = metric.compute(**columns_of(name), **options, flat=True)
    assert next(iter(flat.items())) == next(iter(usual.items()))
    for key, value in flat.items():
        assert isinstance(value, (int, float)) and not isinstance(value, bool) and np.isfinite(value), key
        stem, _, end = key.rpartition("_")
        found = usual.get(key)
        if found is None and end in ("low", "high"):
            found = usual[stem][end == "high"]
        elif found is None and key != "score":
            found = usual[stem if stem in usual else f"{stem}s"][int(end) - 1]
        assert found == value or (key == "score" and value == 100 * usual[name])
    lost = {key for key, value in usual.items() if isinstance(value, float) and np.isfinite(value)} - set(flat)
    assert not lost
    metric.add_batch(**columns_of(name))
    assert metric.compute(**options, flat=True) == flat
    if "per_segment" in metric.OPTIONS:
        rows = metric.statistics(**columns_of(name), **options)
        assert metric.result(rows, **options, flat=True).items() <= flat.items()
        with pytest.raises(ValueError, match="flat=True returns numbers of the corpus alone"):
            metric.compute(**columns_of(name), flat=True, per_segment=True)


def test_flat_results_leave_out_what_is_no_number():
    columns = {"predictions": ["a"], "references": [""]}
    assert load("cer").compute(**columns)["cer"] == np.inf
    assert load("cer").compute(**columns, flat=True) == {"edits": 1, "reference_length": 0}


@pytest.mark.parametrize("resamples", [1, 64, 100])
def test_resamples(resamples):
    """So many, each of as many rows as there are, whatever the block."""
    rows = np.ones((5, 2))
    assert resample(rows, resamples, 3).tolist() == [[5.0, 5.0]] * resamples
    assert resample(np.ones((2**21 + 1, 1)), 1, 3).tolist() == [[2**21 + 1]]


def test_sums_of_resamples_have_no_order():
    """They are those that have no rounding but one at the end, so that no number of threads changes an interval."""
    rng = np.random.default_rng(4)
    sizes = 10.0 ** rng.integers(-20, 20, 300)
    rows = np.stack([rng.random(300), rng.normal(size=300) * sizes, rng.integers(9, size=300), np.zeros(300)], axis=1)
    for n_rows in (1, 2, 300):
        drawn = np.concatenate(list(draw_counts(n_rows, 20, 3))).astype(int)
        expected = [[math.fsum(np.repeat(column, counts)) for column in rows[:n_rows].T] for counts in drawn]
        assert resample(rows[:n_rows], 20, 3).tolist() == expected
    huge = np.array([[1e308, -np.inf, 1.0]])
    assert resample(huge, 2, 3).tolist() == [*huge.tolist()] * 2


def test_interval_leaves_out_undefined_resamples():
    assert percentile_interval(np.array([np.nan, 3.0, 1.0, np.inf, np.nan]), 0.9, 6) == [1.0, np.inf]
    assert np.isnan(percentile_interval(np.array([np.nan]), 0.9, 6)).all()
    assert np.isnan(percentile_interval(np.ones(20), 0.9, 5)).all()
    texts = {"predictions": ["가", "가", "나", "나", "", ""], "references": ["다", "다", "", "", "", ""]}
    assert load("wer").compute(**texts, confidence=0.9)["confidence_interval"] == [1.0, math.inf]


@given(n_units=st.integers(6, 30_000), confidence=st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_percentiles_are_expanded_for_few_units(n_units, confidence):
    values = np.random.default_rng(n_units).permutation(1000) * 1.0
    ours, wanted = (
        np.array(ends(values, confidence, n_units)) for ends in (percentile_interval, oracles.expanded_percentiles)
    )
    assert np.abs(ours - wanted).max() <= (n_units > 10_000)  # where plain percentiles take over
    plain = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2], method="inverted_cdf")
    assert ours[0] <= plain[0] and plain[1] <= ours[1]


def test_an_error_by_draws_is_near_that_of_the_jackknife():
    """The resamples' own deviation would be .04 too small with twelve units."""
    rows = np.random.default_rng(1).gamma(1.0, size=(12, 2))
    error = jackknife_error(rows, lambda sums: sums[:, 0] / sums[:, 1])
    drawn = resample(rows, 20_000, 2)
    by_draws = interval_values(drawn[:, 0] / drawn[:, 1], 0.9, 12)["standard_error"]
    mean = jackknife_error(rows, lambda sums: sums)[0] / 11
    assert mean == pytest.approx(rows[:, 0].std(ddof=1) / math.sqrt(12), rel=1e-12)
    assert by_draws == pytest.approx(error, rel=0.15)
    assert np.isnan(jackknife_error(rows[:1], lambda sums: sums)).all()


def test_combine_adds(name, metric):
    """evaluate.combine passes a segment under the names of columns, and wants all of them: None for one left out."""
    columns = cases.CASES[name][0]
    missing = {key: None for key in metric.COLUMNS if key not in columns}
    combined = evaluate.combine([textgauge.load(name, keep_in_memory=True)])
    combined.add_batch(**columns, **missing)
    assert combined.compute() == metric.compute(**columns)
    for row in range(len(columns["predictions"])):
        combined.add(**{key: column[row] for key, column in columns.items()}, **missing)
    assert combined.compute() == metric.compute(**columns)


def test_combine():
    """evaluate.combine prefixes the keys that several metrics have."""
    columns = cases.TEXTS
    names = [name for name in METRICS if cases.CASES[name][0] is columns]
    result = evaluate.combine([load(name) for name in names]).compute(**columns)
    for name in names:
        for key, value in load(name).compute(**columns).items():
            assert result.get(key, result.get(f"{name}_{key}")) == value, key


@pytest.mark.parametrize(("name", "options"), ALL_OPTIONS)
def test_results_are_plain_data(name, options):
    result = load(name).compute(**columns_of(name), **with_segments(load(name), options))
    assert next(iter(result)) == next(iter(cases.headlines(name)))
    assert_same(json.loads(json.dumps(result)), result)

    def types(value):
        return {type(value)} if not isinstance(value, list) else set().union(*map(types, value), {list})

    assert types(list(result.values())) <= {float, int, str, bool, list}


@pytest.mark.parametrize(("name", "options"), SIGNED_OPTIONS)
def test_signature_round_trip(name, options):
    metric, columns = load(name), columns_of(name)
    references = columns.get("references")
    signature = metric.signature(references=references, **options)
    assert signature.startswith(f"{name}|nrefs:1-3|" if name in cases.TEXT_METRICS else f"{name}|")
    parsed = metric.options_of(signature)
    assert_same(metric.compute(**columns, **parsed), metric.compute(**columns, **options))
    assert metric.signature(references=references, **parsed) == signature


def test_a_signature_has_what_changes_a_score_alone(metric, name):
    """How the bootstrap draws is said where it draws."""
    keys = {option: f"|{said.key}:" for option, said in metric.OPTIONS.items() if said.needs == "confidence"}
    assert {"confidence", "resamples"} <= {*keys}
    changed = {"resamples": 7, **({"seed": 7} if "seed" in keys else {})}
    assert metric.signature(**changed) == metric.signature()
    for option, key in keys.items():
        given = {"clusters": ["a"]} if option == "clusters" else {}
        assert key not in metric.signature(**given) and key in metric.signature(confidence=0.9, **given)


def test_signatures_differ_where_scores_differ():
    """Two settings of the same metric never share a signature."""
    for name, (_, in_signature, others) in cases.CASES.items():
        signatures = [load(name).signature(**options) for options in [*in_signature, *others]]
        assert len(set(signatures)) == len(signatures)


def test_a_signature_needs_no_more_than_a_score(name, only_required):
    """Whatever scores without the optional packages has a signature without them."""
    metric, columns = load(name), columns_of(name)
    choices = [{option: choice} for option, said in metric.OPTIONS.items() for choice in said.choices]
    scored = 0
    for options in [*cases.CASES[name][1], *cases.CASES[name][2], *choices]:
        try:
            metric.compute(**columns, **options)
        except (ImportError, ValueError):
            continue
        scored += 1
        assert metric.signature(**options)
    assert scored


def test_signature_that_cannot_be_met(metric, name):
    line = metric.signature()
    assert ("|nrefs:var|" in line) == (name in cases.TEXT_METRICS)
    with pytest.raises(ValueError, match="not a signature of"):
        metric.options_of(line.replace(name, "other"))
    with pytest.raises(ValueError, match="not a signature of"):
        metric.options_of(line.replace("|v1", "|v0"))
    for broken in (name, "", line.replace("|v1", "|foo:1|v1"), line.replace(":", "", 2)):
        with pytest.raises(ValueError, match="not a signature of"):
            metric.options_of(broken)
    if "tokenizer" in metric.OPTIONS:
        with pytest.raises(ValueError, match="cannot be met here"):
            metric.options_of(line.replace("|case", "[0.1]|case"))
        own = metric.signature(tokenizer=str.split)
        assert "tok:custom(" in own
        with pytest.raises(ValueError, match="pass that option yourself"):
            metric.options_of(own)


def test_signature_counts_references(text_metric):
    assert "|nrefs:1|" in text_metric.signature(references=["abc", ["a"]])
    assert "|nrefs:1-3|" in text_metric.signature(references=["abc", ["a", "b", "c"]])
    assert "|nrefs:2-10|" in text_metric.signature(references=[["a"] * 10, ["b"] * 3, ["c"] * 2])
    assert "|nrefs:10|" in text_metric.signature(references=[["a"] * 10])
    assert "|nrefs:var|" in text_metric.signature(references=[])
    with pytest.raises(ValueError, match="references\\[0\\] is None"):
        text_metric.signature(references=[None])


BAD_INPUTS = [
    (["a", None], ["a", "b"], "predictions[1] is None; pass a string"),
    (["a", float("nan")], ["a", "b"], "predictions[1] is nan; pass a string"),
    (["a", 3], ["a", "b"], "predictions[1] is of type int, 3; pass a string"),
    (["a", b"b"], ["a", "b"], "predictions[1] is of type bytes, b'b'; pass a string"),
    (["a", ["b"]], ["a", "b"], "predictions[1] is of type list, ['b']; pass a string"),
    (["a", "\ud800"], ["a", "b"], "predictions[1] holds a lone surrogate"),
    (["a", "b"], ["a", None], "references[1] is None; pass a string or a non-empty list of strings"),
    (["a", "b"], [["a"], None], "references[1] is None; pass a string or a non-empty list of strings"),
    (["a", "b"], ["a", 7.5], "references[1] is of type float, 7.5; pass a string or a non-empty list of strings"),
    (["a", "b"], [["a"], []], "references[1] is an empty list; pass a string or a non-empty list of strings"),
    (["a", "b"], [["a"], ["b", None]], "references[1][1] is None; pass a string"),
    (["a", "b"], [["a"], [["b"]]], "references[1][0] is of type list, ['b']; pass a string"),
    (["a", "b"], [["a", "x"], ["b", "\udfff"]], "references[1] holds a lone surrogate"),
    ("ab", ["a", "b"], "predictions is a string, 'ab'; pass a list with one entry per segment"),
    (["a", "b"], "ab", "references is a string, 'ab'; pass a list with one entry per segment"),
    (b"ab", ["a", "b"], "predictions is of type bytes, b'ab'; pass a list"),
    ({"a": 1}, ["a"], "predictions is of type dict, {'a': 1}; pass a list"),
    ({"a"}, ["a"], "predictions is of type set, {'a'}; pass a list"),
    (3, ["a"], "predictions is of type int, 3; pass a list"),
    (None, ["a"], "predictions is None; pass a list"),
    (["a"], None, "references is None; pass a list"),
    (pd.DataFrame({"p": ["a"]}), ["a"], "predictions is of type DataFrame"),
    (np.array("a"), ["a"], "predictions is of type ndarray"),
    (["\ud800", "b"], ["a", "b"], "predictions[0] holds a lone surrogate"),
    (["a", "b"], ["a"], "predictions has 2 rows and references 1"),
    (["a"], [], "predictions has 1 rows and references 0"),
    (["a", "b", "c"], [["a"] * 2] * 2, "predictions has 3 rows and references 2"),
    (["a", "b", "c"], [["a"] * 3] * 2, "predictions has 3 rows and references 2; they look transposed"),
    (["a"], ["a", "b"], "predictions has 1 rows and references 2; several references of one segment go in one list"),
    (["a"], [["a"], ["b"]], "predictions has 1 rows and references 2; they look transposed"),
]


@pytest.mark.parametrize(("predictions", "references", "message"), BAD_INPUTS)
def test_bad_input(text_metric, text_name, predictions, references, message):
    """At each door, with column and row, and nothing is kept of it."""
    metric = text_metric
    further = cases.FURTHER_COLUMNS.get(text_name, lambda *_: {})(["a", "b"], ["a", "b"])
    calls = [metric.compute, metric.add_batch, metric.statistics]
    for call in calls:
        with pytest.raises(ValueError) as error:
            call(predictions=predictions, references=references, **further)
        assert message in str(error.value)
        assert ("transposed" in str(error.value)) == ("transposed" in message)
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()


def test_columns_are_passed_by_name(metric, name):
    for method, shown in (
        (metric.compute, "predictions=..."),
        (metric.add_batch, "predictions=..."),
        (metric.add, "prediction=..."),
    ):
        with pytest.raises(TypeError, match=re.escape(f"pass columns by name: {name}.{method.__name__}({shown}")):
            method(["a"], ["a"])


def test_bad_single_row(metric):
    others = {"reference": "a"} if "references" in metric.COLUMNS else {}
    with pytest.raises(ValueError, match="predictions\\[0\\] is None"):
        metric.add(prediction=None, **others)
    with pytest.raises(ValueError, match="has no column source"):
        metric.add(prediction="a", **others, source="a")


def test_nothing_to_score(metric, name):
    nothing = {column: [] for column in metric.COLUMNS}
    for columns in ({}, nothing):
        with pytest.raises(ValueError, match="nothing to score"):
            metric.compute(**columns)
    metric.add_batch(**nothing)
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    if name in cases.ADDITIVE:
        some = metric.statistics(**columns_of(name))
        assert metric.statistics(**nothing).shape == (0, some.shape[1])


def bad_options(name):
    """Returns kinds of errors, what they say, and the options of every metric that are to blame."""
    bad = [
        (TypeError, "has no option resample (did you mean resamples?); it has", {"resample": 9}),
        (TypeError, "has no option zzz; it has", {"zzz": 1}),
        (TypeError, "has no option hypotheses (did you mean predictions?); it has", {"hypotheses": ["a"]}),
        (ValueError, "confidence is 95", {"confidence": 95}),
        (ValueError, "confidence is 1.0", {"confidence": 1.0}),
        (ValueError, "confidence is 0.0", {"confidence": 0.0}),
        (ValueError, "resamples is 0", {"resamples": 0}),
        (ValueError, "seed is -1", {"seed": -1}),
    ]
    if name in cases.TEXT_METRICS:
        bad += [
            (ValueError, "normalization is 'nfc'; pass one of None, 'NFC'", {"normalization": "nfc"}),
            (ValueError, "per_segment is 'yes'", {"per_segment": "yes"}),
        ]
    if "lowercase" in load(name).OPTIONS:
        bad.append((ValueError, "lowercase is 1; pass one of False, True", {"lowercase": 1}))
    return bad


def test_a_signature_checks_options(metric, name):
    for kind, message, options in bad_options(name):
        with pytest.raises(kind) as error:
            metric.signature(**options)
        assert message in str(error.value)


def test_options_are_checked_before_data_is_touched(name):
    metric, columns = load(name), columns_of(name)
    metric.add_batch(**columns)
    for kind, message, options in bad_options(name):
        with pytest.raises(kind) as error:
            metric.compute(**options)
        assert message in str(error.value)
    assert_same(metric.compute(), metric.compute(**columns))  # what was added is still there


@pytest.mark.parametrize(("name", "options"), SIGNED_OPTIONS)
def test_options_given_to_load_are_defaults(name, options):
    """So that evaluate.combine, which passes the same options to all metrics, can have some with their own."""
    path, columns = str(ROOT / "metrics" / f"{name}.py"), columns_of(name)
    metric = evaluate.load(path, **options)
    assert_same(metric.compute(**columns), load(name).compute(**columns, **options))
    assert metric.signature() == load(name).signature(**options)
    defaults = {option: said.default for option, said in metric.OPTIONS.items() if option in options}
    assert metric.signature(**defaults) == load(name).signature()


# metrics built on another one, whose options they have: (metric, the other one)
BUILT_ON = sorted(
    {
        (name, base)
        for name in METRICS
        for base in re.findall(r"^from \.(\w+) import", (ROOT / "metrics" / f"{name}.py").read_text("utf-8"), re.M)
    }
)


def test_some_metrics_are_built_on_others():
    assert {("ibleu", "bleu"), ("delta_bleu", "bleu"), ("cpcer", "cer"), ("cpwer", "wer")} < set(BUILT_ON)


@pytest.mark.parametrize(("name", "base"), BUILT_ON)
def test_what_a_metric_refuses_those_built_on_it_refuse(name, base):
    """With the same words: the calls of its table, and each two values of its options."""
    metric, shared = load(name), load(name).OPTIONS.keys() & load(base).OPTIONS.keys()
    tables = [row for row in table_of(base, "BAD_CALLS") if row[0].keys() <= shared]
    assert len(tables) > 1
    for options, message in tables:
        with pytest.raises(ValueError) as error:
            metric.compute(**good_call(name), **options)
        assert message in str(error.value)

    values = [(option, value) for option, several in values_of(base).items() if option in shared for value in several]
    n_refused = 0
    for (first, value), (second, other) in itertools.combinations(values, 2):
        message = refusal(base, {first: value, second: other}) if first != second else None
        if message is not None:
            n_refused += 1
            assert refusal(name, {first: value, second: other}) == message
    assert n_refused


def refusal(name, options):
    """Returns why a metric refuses options, None if it takes them."""
    try:
        load(name).signature(**options)
    except ValueError as error:
        return str(error)
    except ImportError:  # a package is missing
        pass
    return None


def test_bad_options_given_to_load(name):
    path = str(ROOT / "metrics" / f"{name}.py")
    for kind, message, options in bad_options(name):
        if "seed" not in options:  # which is evaluate's own too
            with pytest.raises(kind) as error:
                evaluate.load(path, **options)
            assert message in str(error.value)


def test_a_plural_does_not_override_the_singular(text_metric):
    """`add` and `explain` take one segment; columns of several are no part of it."""
    for call in (text_metric.add, text_metric.explain):
        for plural in ("predictions", "references"):
            with pytest.raises(TypeError, match=f"{plural} is for several segments; pass {plural[:-1]} for the one"):
                call(prediction="a b", reference="zzz", **{plural: "a b"})
        assert not len(text_metric)


def test_an_error_while_scoring_loses_nothing(name, monkeypatch):
    """What was added is still there, and evaluate's file is not locked, which would cost a second each time."""

    def fails(**arguments):
        raise RuntimeError("no tokens today")

    metric, columns = load(name), columns_of(name)
    metric.add_batch(**columns)
    cache = metric.cache_file_name
    with monkeypatch.context() as patch:
        patch.setattr(metric, "_compute", fails)
        for _ in range(2):
            with pytest.raises(RuntimeError):
                metric.compute()
            assert metric.cache_file_name == cache
    assert_same(metric.compute(), metric.compute(**columns))


def test_one_call_needs_no_file(name, monkeypatch):
    metric, columns = load(name), columns_of(name)
    monkeypatch.setattr(type(metric), "_init_writer", None)
    metric.compute(**columns)
    with pytest.raises(TypeError):
        metric.add_batch(**columns)


def test_numpy_values_of_options(name):
    metric, columns = load(name), columns_of(name)
    options = {"confidence": 0.9, "seed": 5}
    if name in cases.TEXT_METRICS:
        options["normalization"] = "NFKC"
    if "lowercase" in metric.OPTIONS:
        options["lowercase"] = True
    as_numpy = {key: np.array([value])[0] for key, value in options.items()}
    assert metric.compute(**columns, **as_numpy) == metric.compute(**columns, **options)
    assert metric.signature(**as_numpy) == metric.signature(**options)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {"smooth": "add-k", "smooth_value": Fraction(1, 2)}),
        ("ibleu", {"alpha": Fraction(3, 4)}),
        ("cider", {"sigma": Fraction(5, 2)}),
        ("meteor", {"gamma": Fraction(1, 4)}),
        ("rouge", {"beta": Fraction(3, 2)}),
    ],
)
def test_fractions_as_options(name, options):
    metric, columns = load(name), columns_of(name)
    as_floats = {key: float(value) if isinstance(value, Fraction) else value for key, value in options.items()}
    assert metric.compute(**columns, **options) == metric.compute(**columns, **as_floats)
    assert metric.signature(**options) == metric.signature(**as_floats)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bleu", {"order_weights": [0.5, 0.25, 0.125, 0.125]}),
        ("rouge", {"rouge_types": ["rouge1", "rougeL"]}),
        (
            "meteor",
            {
                **{"stages": ["exact", "stem"], "function_words": ["the", "cat"], "delta": 0.75},
                "stage_weights": [1.0, 0.5, 0.5],
            },
        ),
    ],
)
@pytest.mark.parametrize("make", [np.array, pd.Series])
def test_arrays_as_options(name, options, make):
    metric, columns = load(name), columns_of(name)
    as_arrays = {key: make(value) if isinstance(value, list) else value for key, value in options.items()}
    assert metric.compute(**columns, **as_arrays) == metric.compute(**columns, **options)
    assert metric.signature(**as_arrays) == metric.signature(**options)


def test_an_array_is_no_tokenizer(text_metric, text_name):
    if "tokenizer" in text_metric.OPTIONS:
        with pytest.raises(ValueError, match=r"tokenizer is \[1, 2\]; pass one of"):
            text_metric.compute(**columns_of(text_name), tokenizer=np.array([1, 2]))


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_more_rows_than_a_chunk(name):
    metric, columns = load(name), columns_of(name)
    rows, options = [row % 5 for row in range(2500)], with_corpus_counts(metric, {})
    many = metric.statistics(**rows_of(columns, rows), **options)
    np.testing.assert_array_equal(many, metric.statistics(**columns, **options)[rows])


KINDS_OF_COLUMNS = {
    "list": list,
    "tuple": tuple,
    "iterator": iter,
    "numpy": np.array,
    "numpy-object": lambda column: np.array(column, dtype=object),
    "pandas": pd.Series,
    "datasets": lambda column: datasets.Dataset.from_dict({"x": column})["x"],
    "arrow": lambda column: datasets.Dataset.from_dict({"x": column}).data["x"],
}


@pytest.mark.parametrize("make", KINDS_OF_COLUMNS.values(), ids=KINDS_OF_COLUMNS)
def test_kinds_of_columns(text_name, make):
    metric, texts = load(text_name), columns_of(text_name)
    columns = cases.with_further_columns(text_name, texts["predictions"], [row[0] for row in texts["references"]])
    expected = metric.compute(**columns)
    assert_same(metric.compute(**{key: make(column) for key, column in columns.items()}), expected)
    metric.add_batch(**{key: make(column) for key, column in columns.items()})
    assert_same(metric.compute(), expected)


def test_kinds_of_reference_rows(text_name):
    metric, columns = load(text_name), columns_of(text_name)
    expected = metric.compute(**columns)
    lists = columns["references"]
    mixed = [lists[0][0], tuple(lists[1]), np.array(lists[2]), pd.Series(lists[3]), lists[4][0]]
    assert_same(metric.compute(**{**columns, "references": mixed}), expected)
    frame = pd.DataFrame(columns)
    assert_same(metric.compute(**{key: frame[key] for key in columns}), expected)
    table = datasets.Dataset.from_dict(columns)
    assert_same(metric.compute(**{key: table[key] for key in columns}), expected)


def test_input_is_left_as_it_was(name):
    columns = columns_of(name)
    load(name).compute(**columns, **({"lowercase": True} if "lowercase" in load(name).OPTIONS else {}))
    assert columns == columns_of(name)


def test_unicode_forms_score_alike(text_name):
    """NFD input, as macOS writes it, against NFC references: a total miss everywhere else."""
    metric, columns = load(text_name), columns_of(text_name)
    decomposed = [unicodedata.normalize("NFD", text) for text in columns["predictions"]]
    assert decomposed != columns["predictions"]
    changed = {**columns, "predictions": decomposed}
    assert_same(metric.compute(**changed), metric.compute(**columns))
    assert metric.compute(**changed, normalization=None) != metric.compute(**columns, normalization=None)
    references = [[unicodedata.normalize("NFD", text) for text in row] for row in columns["references"]]
    assert_same(metric.compute(**{**columns, "references": references}), metric.compute(**columns))


def test_capitals_are_folded_before_anything_is_counted(text_name):
    """Also what a metric counts in all references."""
    metric, columns = load(text_name), columns_of(text_name)
    capitals = {**columns, "references": [[text.upper() for text in row] for row in columns["references"]]}
    if "lowercase" in metric.OPTIONS:
        assert_same(metric.compute(**capitals, lowercase=True), metric.compute(**columns, lowercase=True))


def test_help(metric, name):
    """Hugging Face's common test: loads, no **kwargs in _compute, at least two doctests of what was loaded pass."""
    result = doctest.testmod(sys.modules[type(metric).__module__])
    assert result.attempted > 1
    assert result.failed == 0
    parameters = inspect.signature(metric._compute).parameters
    assert list(parameters) == [*metric.COLUMNS, *metric.OPTIONS]
    assert all(parameter.kind is parameter.POSITIONAL_OR_KEYWORD for parameter in parameters.values())
    assert {"Args", "Returns", *metric.COLUMNS, *metric.OPTIONS} <= set(
        re.findall(r"(\w+):", metric.inputs_description)
    )
    assert metric.description == inspect.getdoc(type(metric)).split("\n\n")[0] != ""
    assert "@" in metric.citation
    assert {frozenset(features) for features in metric.features} == {frozenset(metric.COLUMNS)}
    assert len(metric.features) == 2 or name not in cases.TEXT_METRICS


def test_what_does_not_add_up_says_so(name):
    metric = load(name)
    if name not in cases.ADDITIVE:
        for call in (lambda: metric.statistics(**columns_of(name)), lambda: metric.score(np.zeros(2))):
            with pytest.raises(NotImplementedError, match="add up; call compute"):
                call()


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_corpus_counts_add_up(name):
    """Where rows depend on the whole corpus, its counts may come from parts, as in a first pass on many machines."""
    metric, columns = load(name), columns_of(name)
    for options in [*cases.CASES[name][1], *cases.CASES[name][2]]:
        option = metric.corpus_option(**options)
        if option is None:
            with pytest.raises(ValueError, match="needs no counts"):
                metric.corpus_counts(references=["a"], **options)
            continue
        with pytest.raises(ValueError, match="references is None; pass a list"):
            metric.corpus_counts(**options)
        shares = [columns["references"][start:end] for start, end in ((0, 1), (1, 4), (4, 5))]
        counts = sum((Counter(metric.corpus_counts(references=share, **options)) for share in shares), Counter())
        whole = metric.statistics(**columns, **options)
        options = {**options, option: dict(counts)}
        parts = [metric.statistics(**rows_of(columns, [row]), **options) for row in range(5)]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_compiled_options(name, options):
    """Compiled options are all options, and score as the given ones do."""
    metric, columns = load(name), columns_of(name)
    option = metric.corpus_option(**options)
    uncounted = metric.compile_options(**options)  # the counts are those of the references, then
    np.testing.assert_array_equal(metric.statistics(**columns, **uncounted), metric.statistics(**columns, **options))
    options = with_corpus_counts(metric, options)
    compiled = metric.compile_options(**options)
    assert set(compiled) >= {*options, "confidence", "seed"}
    assert metric.signature(**compiled) == metric.signature(**options)
    rows = metric.statistics(**columns, **compiled)
    np.testing.assert_array_equal(rows, metric.statistics(**columns, **options))
    values = metric.score(rows, **options)
    for key, value in metric.score(rows, **compiled).items():
        np.testing.assert_array_equal(value, values[key])
    if option is not None:
        assert not isinstance(compiled[option], dict)  # what would be read again in each call
