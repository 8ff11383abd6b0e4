"""Scores of a metric against scores by people, for a metric that compares the two: HTML with a picture of SVG."""

from collections.abc import Mapping
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from .axes import Axes
from .axes import picture
from .axes import ticks
from .values import number_text

_WIDTH, _HEIGHT = 245, 180
_MARGIN = 0.05  # of the range of values, around them
_MOST = 2000  # points; more would hide one another, and make the page heavy
SERIES = 7  # colours of the page
_SIGNS = ("●", "■", "▲", "◆", "▼", "✚", "✖")
_SHAPES = (  # paths of these signs around a point
    "m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0",
    "m-2.3-2.3h4.6v4.6h-4.6z",
    "m0-3l3 5h-6z",
    "m0-3.2l3.2 3.2l-3.2 3.2l-3.2-3.2z",
    "m0 3l3-5h-6z",
    "m-1-3h2v2h2v2h-2v2h-2v-2h-2v-2h2z",
    "m-3-1.6l1.4-1.4l1.6 1.6l1.6-1.6l1.4 1.4l-1.6 1.6l1.6 1.6l-1.4 1.4l-1.6-1.6l-1.6 1.6l-1.4-1.4l1.6-1.6z",
)
_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
_Points = list[tuple[float, float]]


def compares_scores(metric: Any) -> bool:
    """Returns whether predictions and references are both numbers: one score each per row."""
    columns = [metric.COLUMNS.get(name) for name in ("predictions", "references")]
    return all(column and getattr(column.features[0], "dtype", "") == "float64" for column in columns)


def scatter_html(columns: Mapping[str, Sequence[Any]], options: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """Draws the scores of a metric, and of a baseline if there is one, against those of people.

    Args:
        columns: predictions, references, and what there is of baselines and systems, each of which has its colour.
        options: of `compute`, for the name of the coefficient.
        result: of `compute`, for its value.
    """
    shown = _shown_rows(len(columns["predictions"]))
    human, systems = columns["references"], columns.get("systems")
    names = list(dict.fromkeys(map(str, systems))) if systems else []
    pictures = []
    values = {"predictions": next(iter(result.values())), "baselines": result.get("baseline_correlation")}
    for column, label in (("predictions", "the metric"), ("baselines", "the baseline")):
        if column in columns:
            groups: dict[str, _Points] = {name: [] for name in names or [""]}
            for row in shown:
                groups[str(systems[row]) if systems else ""].append((columns[column][row], human[row]))
            title = escape(f"{label}: {_title(options, values[column], result.get('groups', 1))}")
            svg = _picture(list(groups.values()), f"score by {label}")
            pictures.append(f'<figure class="scatter"><figcaption>{title}</figcaption>{svg}</figure>')
    return f'<div class="drawing"><div class="scatters">{"".join(pictures)}</div>{_legend(names)}{_note(columns)}</div>'


def _title(options: Mapping[str, Any], value: Any, groups: int) -> str:
    coefficient = options.get("coefficient", "pearson")
    mean = f", mean of {groups} groups" if groups > 1 else ""
    return f"{_NAMES.get(coefficient, coefficient.replace('_', ' '))} {number_text(value)}{mean}"


def _shown_rows(n_rows: int) -> list[int]:
    """Returns the rows to draw: all, or a random sample, always the same."""
    if n_rows <= _MOST:
        return list(range(n_rows))
    return sorted(np.random.default_rng(0).choice(n_rows, _MOST, replace=False).tolist())


def _note(columns: Mapping[str, Sequence[Any]]) -> str:
    n_rows = len(columns["predictions"])
    return f'<p class="quiet">{_MOST} of {n_rows} rows, drawn at random</p>' if n_rows > _MOST else ""


def _legend(names: Sequence[str]) -> str:
    """Names the systems in the page, which has fonts for every script; matplotlib has not."""
    items = [
        f'<span><span style="color: var(--series-{number % SERIES + 1})">{_SIGNS[number % len(_SIGNS)]}</span> '
        f"{escape(name)}</span>"
        for number, name in enumerate(names)
    ]
    return f'<div class="legend quiet" role="group" aria-label="Systems">{"".join(items)}</div>' if items else ""


def _picture(groups: Sequence[_Points], label: str) -> str:
    x_limits, y_limits = (_limits([point[axis] for points in groups for point in points]) for axis in (0, 1))
    axes = Axes(38, 6, 240, 146, x_limits, y_limits)
    shapes = []
    for number, points in enumerate(groups):
        shape = _SHAPES[number % len(_SHAPES)]
        path = "".join(f"M{axes.x(x):.2f} {axes.y(y):.2f}{shape}" for x, y in points)
        shapes.append(f'<path style="fill: var(--series-{number % SERIES + 1})" d="{path}"/>')
    names = (
        f'<text x="139" y="174" text-anchor="middle">{escape(label)}</text>'
        '<text transform="translate(9 76) rotate(-90)" text-anchor="middle">score by people</text>'
    )
    numbers = axes.svg(ticks(*x_limits, 6), ticks(*y_limits, 6))
    return picture(_WIDTH, _HEIGHT, f'<g class="points">{"".join(shapes)}</g>{numbers}{names}')


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """Returns the ends of an axis: a little more than the values."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = _MARGIN * (high - low) or max(abs(low), 1.0) * _MARGIN
    return low - margin, high + margin
