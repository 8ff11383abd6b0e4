"""Distributions of segment scores as pieces of SVG that take their colours and fonts from the page around them."""

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ..saying.texts import say
from .axes import Axes, picture, ticks

_BINS = 30
_WIDTH, _HEIGHT = 331, 61


def finite(values: Sequence[float | None]) -> np.ndarray:
    """Returns the values that are numbers and finite, (n_finite,)."""
    numbers = np.array(values, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def histograms(
    segments: Sequence[np.ndarray], scores: Sequence[float], intervals: Sequence[Sequence[float]]
) -> list[str]:
    """Returns an SVG for each system, all with the same axes.

    Args:
        segments: the finite segment scores of each system, (n_finite,).
        scores: the corpus score of each system.
        intervals: [low, high] of each system, or [].
    """
    shown = np.concatenate([*segments, finite(scores), *map(finite, intervals)])
    low = float(shown.min(initial=0.0))
    high = float(shown.max()) if len(shown) else 1.0
    if low == high:
        high = low + 1
    edges = np.linspace(low, high, _BINS + 1)
    counts = [np.histogram(values, edges)[0] for values in segments]
    top = max(1, *(int(counts_of_system.max()) for counts_of_system in counts))
    axes = Axes(20, 7, 318, 44, (low, high), (0, top * 1.05))
    rows = zip(segments, counts, scores, intervals, strict=True)
    return [_histogram(axes, edges, top, *row) for row in rows]


def histogram_legend(pictures: Iterable[str]) -> str:
    """Explains histograms; the band only if one is drawn, which needs enough segments."""
    has_band = any('class="band"' in picture for picture in pictures)
    return say("histogram" if has_band else "histogram_alone")


def _histogram(
    axes: Axes,
    edges: np.ndarray,
    top: int,
    values: np.ndarray,
    counts: np.ndarray,
    score: float,
    interval: Sequence[float],
) -> str:
    """Draws one histogram: bars, the corpus score with its interval, and the mean of the segments."""
    pieces = []
    if len(interval) and np.isfinite(interval).all():
        low, high = map(axes.x, interval)
        pieces.append(f'<rect class="band" x="{low:.1f}" y="{axes.top}" width="{high - low:.1f}" height="37"/>')
    bars = []
    for count, bar_end in zip(counts.tolist(), edges[1:].tolist(), strict=True):
        bars.append(f"V{axes.y(count):.1f}H{axes.x(bar_end):.1f}")
    pieces.append(f'<path class="bars" d="M{axes.left} {axes.bottom}{"".join(bars)}V{axes.bottom}Z"/>')
    mean = values.mean() if len(values) else math.nan
    for name, value in (("score", score), ("mean", mean)):
        if np.isfinite(value):
            pieces.append(f'<path class="{name}" d="M{axes.x(value):.1f} {axes.top}V{axes.bottom}"/>')
    pieces.append(axes.svg(ticks(*axes.x_limits, 7), [top]))
    return picture(_WIDTH, _HEIGHT, "".join(pieces))
