"""Scores, differences and their intervals as pieces of SVG, one per row of a table, all with the same axis."""

import math
from collections.abc import Sequence

import numpy as np

from textgauge.core.rounding import difference

from ..drawing.axes import Axes, picture, ticks
from .records import Comparison

_WIDTH, _HEIGHT, _AXIS_HEIGHT, _MARGIN = 240, 26, 16, 16


def forest(comparisons: Sequence[Comparison], level: float) -> tuple[list[str], str]:
    """Returns an SVG for each comparison, and one of the axis below them; nothing where no difference is finite.

    Point and line are the difference and its interval. If a difference is not significant, a band shows how large a
    difference so few segments may miss.

    Args:
        comparisons: by one score.
        level: of the tests.
    """
    rows = []
    for comparison in comparisons:
        band = math.nan if comparison.is_sure(level) else comparison.detectable
        rows.append([comparison.difference, *comparison.confidence_interval, -band, band])
    shown = np.array(rows, dtype=np.float64)
    finite = shown[np.isfinite(shown)]
    if not len(finite):
        return [], ""
    low = min(finite.min(), 0.0)
    high = max(finite.max(), 0.0)
    margin = 0.05 * (high - low) or 1.0
    axes = Axes(_MARGIN, 0, _WIDTH - _MARGIN, _HEIGHT, (low - margin, high + margin), (0.0, 1.0))
    scale = axes._replace(top=1, bottom=1).svg(ticks(*axes.x_limits, 4), [])
    return [_row(axes, *row) for row in shown.tolist()], picture(_WIDTH, _AXIS_HEIGHT, scale)


def intervals(rows: Sequence[tuple[float, float, float]]) -> list[str]:
    """Returns an SVG for each score and its interval, given as (score, low, high); empty where none is finite."""
    shown = np.array(rows, dtype=np.float64)
    finite = shown[np.isfinite(shown)]
    low, high = (finite.min(), finite.max()) if len(finite) else (0.0, 1.0)
    margin = 0.05 * float(difference(high, low)) or 1.0
    axes = Axes(0, 0, _WIDTH / 2, _HEIGHT - 4, (low - margin, high + margin), (0.0, 1.0))
    return [picture(_WIDTH // 2, _HEIGHT - 4, _point(axes, *row)) for row in shown.tolist()]


def _row(axes: Axes, difference: float, low: float, high: float, band_low: float, band_high: float) -> str:
    """Draws a band, the zero, the interval and the difference, of which some may be undefined or infinite."""
    pieces = [f'<path class="equal" d="M{axes.x(0):.1f} {axes.top}V{axes.bottom}"/>']
    if np.isfinite([band_low, band_high]).all():
        left = axes.x(band_low)
        right = axes.x(band_high)
        pieces.insert(0, f'<rect class="band" x="{left:.1f}" width="{right - left:.1f}" height="{axes.bottom}"/>')
    return picture(_WIDTH, _HEIGHT, "".join([*pieces, _point(axes, difference, low, high)]))


def _point(axes: Axes, value: float, low: float, high: float) -> str:
    """Draws a value and its interval."""
    middle = (axes.top + axes.bottom) / 2
    pieces = ""
    if np.isfinite([low, high]).all():
        pieces += f'<path class="score" d="M{axes.x(low):.1f} {middle:g}H{axes.x(high):.1f}"/>'
    if np.isfinite(value):
        pieces += f'<circle class="point" cx="{axes.x(value):.1f}" cy="{middle:g}" r="3.5"/>'
    return pieces
