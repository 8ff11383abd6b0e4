"""Distributions of scores, and axes: what is where in the picture."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textgauge.programs.drawing.axes import tick_texts, ticks
from textgauge.programs.drawing.plots import histograms

STARTS = st.floats(-1e4, 1e4)  # in widths


@given(STARTS, st.floats(1e-3, 1e6), st.integers(2, 9))
def test_ticks_are_few_round_and_all_that_fit(start, width, most):
    low, high = start * width, (start + 1) * width
    found = ticks(low, high, most)
    assert 1 <= len(found) <= most and low - 1e-9 * width <= found[0] and found[-1] <= high + 1e-9 * width
    steps = np.diff(found)
    if len(found) > 1:
        assert steps == pytest.approx(steps[0], rel=1e-6) and found[0] - steps[0] < low and found[-1] + steps[0] > high
        digits = f"{steps[0]:.4e}".partition("e")[0].rstrip("0.")
        assert digits in ("1", "2", "2.5", "5")
    texts = [float(text.replace("−", "-")) for text in tick_texts(found)]
    assert texts == pytest.approx(found, rel=1e-6, abs=1e-6 * width)


def test_numbers_of_ticks():
    assert ticks(0, 1, 5) == [0, 0.25, 0.5, 0.75, 1] and tick_texts(ticks(0, 1, 5))[1] == "0.25"
    assert tick_texts([-1.0, 0.0]) == ["−1", "0"] and tick_texts([]) == []


def heights(svg):
    """Returns how high each bar is, as a share of the highest."""
    path = re.search(r'class="bars" d="M[\d.]+ ([\d.]+)(.*?)V[\d.]+Z"', svg)
    found = [float(path[1]) - float(y) for y in re.findall(r"V([\d.]+)", path[2])]
    return np.array(found) / max(found)


def places(svg, name):
    return [float(x) for x in re.findall(rf'class="{name}" d="M([\d.]+)', svg)]


def test_histograms():
    """Two systems with the same axes; each has its bars, score, mean and interval."""
    scores = [np.array([0.05, 0.05, 0.95]), np.array([0.5])]
    first, second = histograms(scores, [0.25, np.nan], [[0.2, 1.0], []])
    assert heights(first)[[1, 28]] == pytest.approx([1, 0.5], abs=0.02) and heights(first).sum() == pytest.approx(
        1.5, abs=0.05
    )
    assert heights(second).argmax() == 15
    [score], [mean] = places(first, "score"), places(first, "mean")
    box = re.search(r'class="band" x="([\d.]+)" y="7" width="([\d.]+)"', first)
    left, width = map(float, box.groups())
    assert left + width == 318 and score - left == pytest.approx(0.05 / 0.8 * width, abs=0.1)
    assert mean - score == pytest.approx(0.1 / 0.8 * width, abs=0.1)
    assert not places(second, "score") and "band" not in second and places(second, "mean")
    assert re.findall(">([\\d.]+)</text>", first)[-2:] == ["1.0", "2"]


def test_histogram_of_nothing():
    [svg] = histograms([np.zeros(0)], [np.nan], [[]])
    assert not places(svg, "score") and not places(svg, "mean") and ">1.0</text>" in svg
