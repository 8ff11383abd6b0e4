"""The axes of a picture: where values are in it, and the numbers beside it, as pieces of SVG in the page's colours."""

import math
from collections.abc import Sequence
from typing import NamedTuple

_STEPS = (1, 2, 2.5, 5, 10)
_TICK = 3  # length


class Axes(NamedTuple):
    """A box of a picture, in its units, and the values at its edges."""

    left: float
    top: float
    right: float
    bottom: float
    x_limits: tuple[float, float]
    y_limits: tuple[float, float]

    def x(self, value: float) -> float:
        """Returns where a value is from left to right."""
        low, high = self.x_limits
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value: float) -> float:
        """Returns where a value is from the top."""
        low, high = self.y_limits
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)

    def svg(self, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> str:
        """Draws the left and the lower edge, with ticks and numbers."""
        lines = [f"M{self.left:g} {self.top:g}V{self.bottom:g}H{self.right:g}"]
        texts = []
        for value, text in zip(x_ticks, tick_texts(x_ticks), strict=True):
            x = self.x(value)
            lines.append(f"M{x:.1f} {self.bottom:g}v{_TICK}")
            texts.append(f'<text x="{x:.1f}" y="{self.bottom + 11:g}" text-anchor="middle">{text}</text>')
        for value, text in zip(y_ticks, tick_texts(y_ticks), strict=True):
            y = self.y(value)
            lines.append(f"M{self.left:g} {y:.1f}h-{_TICK}")
            texts.append(f'<text x="{self.left - 5:g}" y="{y + 3:.1f}" text-anchor="end">{text}</text>')
        return f'<path class="axis" d="{"".join(lines)}"/>{"".join(texts)}'


def picture(width: int, height: int, content: str) -> str:
    """Returns an SVG for a page whose text says what it shows."""
    return f'<svg aria-hidden="true" class="figure" viewBox="0 0 {width} {height}">{content}</svg>'


def ticks(low: float, high: float, most: int) -> list[float]:
    """Returns at most this number of round numbers from `low` to `high`: ticks(0, 1, 5) is [0, 0.25, 0.5, 0.75, 1]."""
    unit = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = [factor * scale for scale in (unit, 10 * unit) for factor in _STEPS]
    for step in steps:
        first = math.ceil(low / step - 1e-9)
        last = math.floor(high / step + 1e-9)
        if last - first < most:
            return [number * step for number in range(first, last + 1)]
    return []


def tick_texts(values: Sequence[float]) -> list[str]:
    """Writes numbers with as many decimals as tell them apart, and with a minus of the page's fonts."""
    for decimals in range(12):
        texts = [f"{value:.{decimals}f}" for value in values]
        errors = [abs(float(text) - value) for text, value in zip(texts, values, strict=True)]
        largest = max(map(abs, values), default=0.0)
        if max(errors, default=0.0) <= 1e-9 * largest:
            break
    return [text.replace("-", "−") for text in texts]
