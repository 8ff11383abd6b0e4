"""Scores that are equal except for rounding: in arrays, and in everything that compare.py says of two systems."""

import itertools
import json
import math

import numpy as np
import pytest
from conftest import write
from hypothesis import given
from hypothesis import strategies as st
from test_compare_script import outcome_of
from typer.testing import CliRunner

from textgauge.core.bootstrap import percentile_interval
from textgauge.core.rounding import are_equal, difference, merged
from textgauge.programs.commands import compare
from textgauge.programs.comparing import cases, gates, plots, verdict
from textgauge.programs.saying.values import interval_text

MORE = 0.1 + 0.2  # than 0.3, by rounding


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e300])
def test_the_border_of_rounding(size):
    first = np.array([1.0, 1.0, -1.0, 0.0]) * size
    second = np.array([1 + 1e-12, 1 + 1e-11, -1 - 1e-12, 1e-11]) * size
    assert are_equal(first, second).tolist() == [True, False, True, False]
    assert (difference(first, second) == 0).tolist() == [True, False, True, False]
    assert difference(second, first)[1] == pytest.approx(1e-11 * size, rel=1e-3)


def test_rounding_of_what_is_not_finite():
    first, second = [math.inf, math.inf, math.inf, math.nan], [math.inf, -math.inf, 1.0, math.nan]
    assert are_equal(first, second).tolist() == [True, False, False, False]
    np.testing.assert_array_equal(difference(first, second), [math.nan, math.inf, math.inf, math.nan])
    assert difference(1.7e308, -1.7e308) == math.inf


VALUES = st.sampled_from([0.3, MORE, 0.1, 1.0, -0.3, 0.0, 1e-300, math.inf, math.nan])


@given(st.lists(VALUES, max_size=8), st.randoms())
def test_merged_values_by_pairs(values, random):
    """Two are one number afterwards where they were equal, in whatever order; others stay apart."""
    found = merged(np.array(values)).tolist()
    for (one, merged_one), (other, merged_other) in itertools.product(zip(values, found, strict=True), repeat=2):
        assert (merged_one == merged_other) == bool(are_equal(one, other))
    order = random.sample(range(len(values)), len(values))
    np.testing.assert_array_equal(merged(np.array([values[at] for at in order])), [found[at] for at in order])


def test_merged_values_with_a_rounding_of_their_column():
    values = np.array([[1e-13, 0.5], [0.0, np.nan]])
    np.testing.assert_array_equal(merged(values, 1e-12), [[0.0, 0.5], [0.0, np.nan]])
    np.testing.assert_array_equal(merged(values), values)


# scores of rougeL by characters against one reference: their sum depends on the order
OUTPUTS = ["가", "가나", "가나다", "가나다라마바사"]


@pytest.mark.parametrize("n_rows", [4, 8])
def test_the_same_outputs_in_another_order_are_no_better(n_rows, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = OUTPUTS * (n_rows // 4)
    write("reference.txt", *["가나다라마바"] * n_rows)
    write("a.txt", *rows)
    write("b.txt", *rows[::-1])
    write("c.txt", *sorted(rows))
    arguments = ["-r", "reference.txt", "-m", "name=rouge:rouge_types=rougeL,tokenizer=char", "--resamples", "100"]
    two = ["-p", "a.txt", "-p", "b.txt", *arguments]
    gate = ["--baseline", "a", "--fail-below", "name=baseline"] if n_rows > 5 else []
    run = CliRunner().invoke(compare.app, [*two, *gate, "--json", "r.json", "--html", "r.html"])
    assert run.exit_code == 0, run.output
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    scores = [of["name"]["rougeL"] for of in found["systems"].values()]
    assert scores[0] != scores[1] and scores[0] == pytest.approx(scores[1], abs=1e-15)
    [comparison] = found["comparisons"]
    assert comparison["difference"] == 0 and comparison["p_randomization"] == 1
    assert found["verdict"][0] == "a and b have the same score on name."
    assert not any("better" in line or "detect" in line for line in found["verdict"])

    run = CliRunner().invoke(compare.app, [*two, "-p", "c.txt", "--json", "r.json"])
    found = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert found["verdict"][0] == "a, b and c have the same score on name."
    assert [(rank["rank"], rank["tier"]) for rank in found["ranks"]] == [(1, 1)] * 3
    assert not any("detect" in line for line in found["verdict"])


@pytest.mark.parametrize("is_lower_better", [False, True])
def test_a_gate_forgives_rounding(is_lower_better):
    outcome = outcome_of({"m": {"a": 0.3 if not is_lower_better else MORE}})
    outcome.columns[0].metric.USUAL_RANGE = (0, 1)
    outcome.columns[0].metric.LOWER_IS_BETTER = is_lower_better
    sign = 1 if is_lower_better else -1
    limit = 0.3 if is_lower_better else MORE
    assert gates.failures([gates.Gate("m", limit)], outcome) == []
    assert len(gates.failures([gates.Gate("m", limit - sign * 1e-9)], outcome)) == 1
    undefined = outcome._replace(results={"a": {"m": {"ratio": math.nan}}})
    assert len(gates.failures([gates.Gate("m", limit)], undefined)) == 1


def test_leaders_that_differ_by_rounding_share_the_best_score():
    outcome = outcome_of({"m": {"a": 0.3, "b": MORE, "c": 0.1}})
    assert cases.leaders_of(outcome.columns[0], outcome.results) == ["a", "b"]
    assert verdict.verdict(outcome).first == "a and b share the best score on m."


def test_rounding_is_not_drawn():
    """An interval whose ends differ by rounding has no width, and an axis does not spread it."""
    ends = percentile_interval(np.array([0.3, MORE] * 50), 0.95, 20)
    assert ends == [0.3, 0.3] and interval_text({"m": 0.3, "confidence_interval": ends}) == ""
    assert percentile_interval(np.array([0.3, 0.4] * 50), 0.95, 20) == [0.3, 0.4]
    assert interval_text({"m": 0.3, "confidence_interval": [0.3, 0.31]}) == "[0.3000, 0.3100]"
    [first, second] = plots.intervals([(0.3, 0.3, MORE), (MORE, 0.3, MORE)])
    assert first == second
