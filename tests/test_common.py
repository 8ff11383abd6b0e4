"""Laws that every metric keeps; a new metric is picked up by itself, and needs an entry in cases.py."""

import copy
import doctest
import functools
import inspect
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
import pandas as pd
import pytest
from conftest import METRICS, ROOT, arrays_alone, examples, load
from hypothesis import given
from hypothesis import strategies as st
from laws import (
    ADDITIVE_OPTIONS,
    ALL_OPTIONS,
    assert_same,
    columns_of,
    options_for,
    random_columns,
    rows_of,
    with_corpus_counts,
    with_segments,
)
from processes import fail_or_wait, run_in_both, share
from texts import TEXT

import textgauge
from textgauge.core.bootstrap import (
    resample,
)
from textgauge.core.errors import InputError

# some of these tests score a single segment
pytestmark = pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")


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
    for rows in ([0], [1, 2], [], [3, 4]):
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
            InputError, match=rf"^rows\[{row}, {column}\] is {wrong:g}; in a row of {name} it must be a num"
        ):
            metric.result(bad, **options)
        with pytest.raises(InputError, match=rf"^resampled\[{row}, {column}\] is {wrong:g}; in a row of"):
            metric.result(rows, (bad, len(rows)), **options)
    with pytest.raises(InputError, match="^rows is not an array of numbers"):
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


@pytest.mark.parametrize(("name", "options"), ADDITIVE_OPTIONS)
def test_a_row_depends_on_its_segment_alone(name, options):
    """To the last bit: in whatever batch and order segments come, what they add up to is the same."""
    rng = np.random.default_rng(7)
    metric, columns = load(name), random_columns(name, rng, 12)
    if options.get("weights"):
        weights = rng.uniform(0.1, 2, 5).tolist()
        options = {**options, "weights": dict(zip(("고양이가", "나 다", "개", "방에서", "라"), weights, strict=True))}
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


def test_results_for_strict_json(metric, name):
    """All values of the usual result, and None for nan: of few segments there is no interval."""
    per_segment = {"per_segment": True} if "per_segment" in metric.OPTIONS else {}
    columns = {column: values[:5] for column, values in columns_of(name).items()}
    usual = metric.compute(**columns, **per_segment, confidence=0.9, resamples=20)
    strict = metric.compute(**columns, **per_segment, confidence=0.9, resamples=20, flat="json")
    assert [None, None] in strict.values()
    assert json.loads(json.dumps(strict, allow_nan=False)) == strict
    with_words = json.dumps(usual).replace("Infinity", '"inf"').replace('-"inf"', '"-inf"').replace("NaN", "null")
    assert json.loads(with_words) == strict


def test_flat_results_leave_out_what_is_no_number():
    columns = {"predictions": ["a"], "references": [""]}
    assert load("cer").compute(**columns)["cer"] == np.inf
    assert load("cer").compute(**columns, flat=True) == {"edits": 1, "reference_length": 0}


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
