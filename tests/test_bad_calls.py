"""Calls that every metric refuses, and the options of those that are built on others."""

import itertools
import re

import cases
import evaluate
import numpy as np
import pandas as pd
import pytest
from conftest import METRICS, ROOT, load
from laws import SIGNED_OPTIONS, assert_same, columns_of
from option_values import values_of
from test_tables import good_call, table_of

from textgauge.core.errors import InputError
from textgauge.core.options import CALLED_ELSEWHERE

# some of these tests score a single segment
pytestmark = pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")


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
        with pytest.raises(InputError) as error:
            call(predictions=predictions, references=references, **further)
        assert message in str(error.value)
        assert ("transposed" in str(error.value)) == ("transposed" in message)
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()


LONG = "가나" * 10_000


def test_messages_are_short_where_the_input_is_long(metric, name):
    """Of what came, a message has 200 characters at most."""
    calls = [{LONG: 1}]
    for option in metric.OPTIONS:
        calls += [{option: value} for value in (LONG, [LONG], {LONG: 1}, {LONG: LONG})]
    for column in metric.COLUMNS:
        calls += [{**columns_of(name), column: value} for value in (LONG, [[[LONG]]], {LONG: 1})]
    messages = []
    for call in calls:
        try:
            metric.compute(**(columns_of(name) | call))
        except (ValueError, TypeError) as error:
            messages.append(str(error))
    assert len(messages) > len(metric.OPTIONS)
    assert [message[:100] for message in messages if len(message) > 1500] == []


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


BAD_OPTIONS = [
    (TypeError, "has no option resample (did you mean resamples?); it has", {"resample": 9}),
    (TypeError, "has no option zzz; it has", {"zzz": 1}),
    (TypeError, "has no option hypotheses (did you mean predictions?); it has", {"hypotheses": ["a"]}),
    (ValueError, "confidence is 95", {"confidence": 95}),
]


def test_names_that_are_meant_are_the_metrics_own(metric):
    """Whatever other metrics and other libraries call an option or a column."""
    others = {*CALLED_ELSEWHERE, *CALLED_ELSEWHERE.values()}
    for name in METRICS:
        others |= {*load(name).OPTIONS, *load(name).COLUMNS}
    for other in sorted(others - {*metric.OPTIONS, *metric.COLUMNS, "references"}):
        with pytest.raises(TypeError, match=f"has no option {other}") as error:
            metric.signature(**{other: 1})
        meant = re.search(r"did you mean (\w+)", str(error.value))
        assert meant is None or meant[1] in {*metric.OPTIONS, *metric.COLUMNS}, str(error.value)
        if CALLED_ELSEWHERE.get(other) in metric.OPTIONS:
            assert meant[1] == CALLED_ELSEWHERE[other]


def test_options_are_checked_before_data_is_touched(name):
    metric, columns = load(name), columns_of(name)
    metric.add_batch(**columns)
    for kind, message, options in BAD_OPTIONS:
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
        with pytest.raises(InputError) as error:
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
    except InputError as error:
        return str(error)
    except ImportError:  # a package is missing
        pass
    return None


def test_a_plural_does_not_override_the_singular(text_metric):
    """`add` and `explain` take one segment; columns of several are no part of it."""
    for call in (text_metric.add, text_metric.explain):
        for plural in ("predictions", "references"):
            with pytest.raises(TypeError, match=f"{plural} is for several segments; pass {plural[:-1]} for one"):
                call(prediction="a b", reference="zzz", **{plural: "a b"})
        assert not len(text_metric)
