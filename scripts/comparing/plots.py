"""Differences and their intervals as pieces of SVG, one per row of a table, all with the same axis."""

import io
import re
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from .engine import Comparison

_WIDTH, _HEIGHT = 2.8, 0.3  # inches
# placeholders for the page's own colours
_TEXT, _SCORE, _BAND = "#010203", "#070809", "#0a0b0c"
_PAGE_COLOURS = {_TEXT: "currentColor", _SCORE: "var(--score)", _BAND: "var(--band)"}


def forest(comparisons: Sequence[Comparison], name: str) -> tuple[list[str], str]:
    """Returns an SVG for each comparison, and one of the axis below them; nothing where no difference is finite.

    Point and line are the difference and its interval, the band is what is too small to be detected.

    Args:
        comparisons: by one score.
        name: keeps apart what pictures of one page call their parts.
    """
    shown = np.array(
        [[c.difference, *c.confidence_interval, -c.detectable, c.detectable] for c in comparisons], dtype=np.float64
    )
    finite = shown[np.isfinite(shown)]
    if not len(finite):
        return [], ""
    ends = min(finite.min(), 0.0), max(finite.max(), 0.0)
    margin = 0.05 * (ends[1] - ends[0]) or 1.0
    limits = (ends[0] - margin, ends[1] + margin)
    rows = [_picture(limits, _HEIGHT, row, salt=f"{name} {number}") for number, row in enumerate(shown)]
    return rows, _picture(limits, _HEIGHT * 0.8, None, salt=f"{name} axis")


def _picture(limits: tuple[float, float], height: float, row: np.ndarray | None, salt: str) -> str:
    """Draws one difference; without one the axis with its numbers."""
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 8}):
        figure = Figure(figsize=(_WIDTH, height))
        axes = figure.add_axes((0.06, 0 if row is not None else 0.98, 0.88, 1 if row is not None else 0.01))
        axes.set(xlim=limits, ylim=(-1, 1), yticks=[])
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.spines["bottom"].set_visible(row is None)
        axes.spines["bottom"].set_color(_TEXT)
        axes.locator_params(axis="x", nbins=4)
        axes.tick_params(colors=_TEXT, length=2)
        if row is not None:
            axes.set_xticks([])
            _draw(axes, row)
        out = io.StringIO()
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(out, format="svg", transparent=True, metadata=metadata)
    return _inline(out.getvalue())


def _draw(axes: matplotlib.axes.Axes, row: np.ndarray) -> None:
    """Draws a band, the zero, the interval and the difference, of which some may be undefined or infinite."""
    difference, ends, band = row[0], row[1:3], row[3:]
    if np.isfinite(band).all():
        axes.axvspan(*band, color=_BAND, linewidth=0)
    axes.axvline(0, color=_TEXT, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.plot(ends, [0, 0], color=_SCORE, linewidth=1.5)
    axes.plot([difference], [0], color=_SCORE, marker="o", markersize=5)


def _inline(svg: str) -> str:
    """Cuts an SVG file down to an element of a page: no heading, no addresses, no names that occur twice."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg)
    svg = re.sub(r'<g id="[^"]*"', "<g", svg)
    svg = re.sub(r'^<svg width="[^"]*" height="[^"]*"', '<svg aria-hidden="true"', svg)
    for stand_in, colour in _PAGE_COLOURS.items():
        svg = svg.replace(stand_in, colour)
    return svg
