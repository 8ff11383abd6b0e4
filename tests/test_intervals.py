"""Intervals of all metrics: those of a slow loop that draws rows, of clusters, and of few units."""

import math

import cases
import numpy as np
import oracles
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from laws import columns_of, twice

from textgauge.core.bootstrap import (
    draw_counts,
    interval_values,
    jackknife_error,
    percentile_interval,
    resample,
)

# some of these tests score a single segment
pytestmark = pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")


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
