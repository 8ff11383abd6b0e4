"""Distributions of segment scores as pieces of SVG that take their colours and fonts from the page around them."""

import io
import re
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.figure import Figure

_BINS = 30
_WIDTH, _HEIGHT = 4.6, 0.85  # inches
# placeholders for the page's own colours
TEXT, BAR, SCORE, BAND = "#010203", "#040506", "#070809", "#0a0b0c"
SERIES = tuple(f"#0d0e{number:02x}" for number in range(1, 8))
_PAGE_COLOURS = {
    TEXT: "currentColor", BAR: "var(--bar)", SCORE: "var(--score)", BAND: "var(--band)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(SERIES, start=1)},
}  # fmt: skip


def finite(values: Sequence[float | None]) -> np.ndarray:
    """Returns the values that are numbers and finite."""
    numbers = np.array(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def histograms(
    segments: Sequence[np.ndarray], scores: Sequence[float], intervals: Sequence[Sequence[float]], name: str
) -> list[str]:
    """Returns an SVG for each system, all with the same axes.

    The names of the systems belong beside the pictures, into the page: it has fonts for every script, matplotlib not.

    Args:
        segments: the finite segment scores of each system.
        scores: the corpus score of each system.
        intervals: [low, high] of each system, or [].
        name: keeps apart what pictures of one page call their parts.
    """
    shown = np.concatenate([*segments, finite(scores), *map(finite, intervals)])
    low, high = (shown.min(), shown.max()) if len(shown) else (0.0, 1.0)
    low = min(low, 0.0)
    if low == high:
        high = low + 1
    edges = np.linspace(low, high, _BINS + 1)
    counts = [np.histogram(values, edges)[0] for values in segments]
    top = max(max(map(np.max, counts)), 1)
    rows = zip(segments, counts, scores, intervals, strict=True)
    return [_histogram(edges, top, *row, salt=f"{name} {number}") for number, row in enumerate(rows)]


def _histogram(
    edges: np.ndarray,
    top: int,
    values: np.ndarray,
    counts: np.ndarray,
    score: float,
    interval: Sequence[float],
    salt: str,
) -> str:
    """Draws one histogram: bars, the corpus score with its interval, and the mean of the segments."""
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 8}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT))
        axes = figure.add_axes((0.06, 0.28, 0.9, 0.6))
        axes.stairs(counts, edges, fill=True, color=BAR)
        axes.set(xlim=(edges[0], edges[-1]), ylim=(0, top * 1.05), yticks=[top])
        axes.locator_params(axis="x", nbins=7)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(TEXT)
        axes.tick_params(colors=TEXT, length=2)
        if len(interval) and np.isfinite(interval).all():
            axes.axvspan(*interval, color=BAND, linewidth=0)
        if np.isfinite(score):
            axes.axvline(score, color=SCORE, linewidth=1.5)
        if len(values):
            axes.axvline(values.mean(), color=TEXT, linewidth=1, linestyle=(0, (2, 2)))
        return svg_of(figure)


def svg_of(figure: Figure) -> str:
    """Returns a figure as an element of a page."""
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return inline(out.getvalue())


def inline(svg: str) -> str:
    """Cuts an SVG file down to an element of a page: no heading, no addresses, no names that occur twice."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r'^<svg width="[^"]*" height="[^"]*"', '<svg aria-hidden="true"', svg)
    for stand_in, colour in _PAGE_COLOURS.items():
        svg = svg.replace(stand_in, colour)
    return svg
