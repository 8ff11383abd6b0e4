"""Scores of a metric against scores by people, for a metric that compares the two: HTML with a picture of SVG."""

import itertools
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from ..saying.texts import say
from ..saying.values import number_text
from .axes import Axes, picture, ticks

_WIDTH, _HEIGHT = 245, 180
_MARGIN = 0.05  # of the range of values, around them
_MOST = 2000  # points; more would hide one another, and make the page heavy
_SIGNS = ("●", "■", "▲", "◆", "▼", "✚", "✖")  # each has a colour of the page, --series-1 and so on
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
    return all(column and column.features[0] == "float64" for column in columns)


def scatter_html(
    metric: Any, columns: Mapping[str, Sequence[Any]], options: Mapping[str, Any], result: Mapping[str, Any]
) -> str:
    """Draws the scores of a metric, and of a baseline if there is one, against those of people.

    Args:
        metric: the metric that compares the two; it makes one score of several raters'.
        columns: predictions, references, and what there is of baselines and systems, each of which has its colour.
        options: of `compute`, for the name of the coefficient.
        result: of `compute`, for its value.
    """
    shown = _shown_rows(len(columns["predictions"]))
    human = metric.human_scores(columns["references"], **options)
    systems = columns.get("systems")
    names = list(dict.fromkeys(map(str, systems))) if systems else []
    pictures = []
    values = {"predictions": next(iter(result.values())), "baselines": result.get("baseline_correlation")}
    for column, label in (("predictions", say("the_metric")), ("baselines", say("the_baseline"))):
        if column not in columns:
            continue
        groups: dict[str, _Points] = {name: [] for name in names or [""]}
        for row in shown:
            point = (columns[column][row], human[row])
            if _is_drawn(*point):
                name = str(systems[row]) if systems else ""
                groups[name].append(point)
        title = escape(f"{label}: {_title(options, values[column], result)}")
        svg = _picture(list(groups.values()), say("score_by", label=label), _people(options, result))
        pictures.append(f'<figure class="scatter"><figcaption>{title}</figcaption>{svg}</figure>')
    return f'<div class="drawing"><div class="scatters">{"".join(pictures)}</div>{_legend(names)}{_note(columns)}</div>'


def systems_scatter(
    values: Sequence[Sequence[float]], links: Sequence[str | None], groups: Mapping[str, Sequence[int]]
) -> str:
    """Draws the segment scores of two systems against each other, as links; the line is where both are equal.

    Args:
        values: the scores of the one system, drawn to the right, and of the other, drawn upwards.
        links: where each point leads to; None for nowhere.
        groups: rows by the name of their colour; "" needs none.
    """
    points = {}
    for row in _shown_rows(len(links)):
        point = (values[0][row], values[1][row])
        if _is_drawn(*point):
            points[row] = point
    ends = _limits([value for point in points.values() for value in point])
    axes = Axes(36, 6, 262, 232, ends, ends)
    shapes = []
    for number, rows in enumerate(groups.values()):
        for row in filter(points.__contains__, rows):
            path = _path(axes, number, [points[row]])
            # the list below has every segment for those who use no mouse
            shapes.append(f'<a tabindex="-1" href="{links[row]}">{path}</a>' if links[row] else path)
    line = f'<path class="equal" d="M{axes.left} {axes.bottom}L{axes.right} {axes.top}"/>'
    numbers = axes.svg(ticks(*ends, 6), ticks(*ends, 6))
    svg = picture(270, 250, f'<g class="points">{"".join(shapes)}</g>{line}{numbers}')
    return f"{svg}{_legend([name for name in groups if name])}"


def _title(options: Mapping[str, Any], value: Any, result: Mapping[str, Any]) -> str:
    coefficient = options.get("coefficient", "pearson")
    groups = result.get("groups", 1)
    has_ceiling = coefficient == "pearson" and "noise_ceiling" in result
    ceiling = say("ceiling", value=number_text(result["noise_ceiling"])) if has_ceiling else ""
    mean = say("mean_of_groups", groups=groups) if groups > 1 else ""
    return f"{_NAMES.get(coefficient, coefficient.replace('_', ' '))} {number_text(value)}{ceiling}{mean}"


def _people(options: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    """Says whose scores the second axis has."""
    if result.get("raters", 1) == 1:
        return say("score_by", label=say("people"))
    name = "mean_of_standardised_raters" if options.get("standardize") else "mean_of_raters"
    return say(name, raters=result["raters"])


def _shown_rows(n_rows: int) -> list[int]:
    """Returns the rows to draw: all, or a random sample, always the same."""
    if n_rows <= _MOST:
        return list(range(n_rows))
    return sorted(np.random.default_rng(0).choice(n_rows, _MOST, replace=False).tolist())


def _note(columns: Mapping[str, Sequence[Any]]) -> str:
    n_rows = len(columns["predictions"])
    return f'<p class="quiet">{say("sampled_rows", shown=_MOST, all=n_rows)}</p>' if n_rows > _MOST else ""


def _legend(names: Sequence[str]) -> str:
    """Names the systems in the page, beside the picture."""
    if not names:
        return ""
    items = []
    for number, name in enumerate(names):
        series = number % len(_SIGNS)
        sign = f'<span style="color: var(--series-{series + 1})">{_SIGNS[series]}</span>'
        items.append(f"<span>{sign} {escape(name)}</span>")
    return f'<div class="legend quiet" role="group" aria-label="{say("systems")}">{"".join(items)}</div>'


def _picture(groups: Sequence[_Points], label: str, people: str) -> str:
    all_points = list(itertools.chain.from_iterable(groups))
    x_limits = _limits([x for x, _ in all_points])
    y_limits = _limits([y for _, y in all_points])
    axes = Axes(38, 6, 240, 146, x_limits, y_limits)
    shapes = "".join(_path(axes, number, points) for number, points in enumerate(groups))
    names = (
        f'<text x="139" y="174" text-anchor="middle">{escape(label)}</text>'
        f'<text transform="translate(9 76) rotate(-90)" text-anchor="middle">{escape(people)}</text>'
    )
    numbers = axes.svg(ticks(*x_limits, 6), ticks(*y_limits, 6))
    return picture(_WIDTH, _HEIGHT, f'<g class="points">{shapes}</g>{numbers}{names}')


def _path(axes: Axes, number: int, points: _Points) -> str:
    """Draws points with the sign and the colour of a group."""
    shape = _SHAPES[number % len(_SHAPES)]
    path = "".join(f"M{axes.x(x):.2f} {axes.y(y):.2f}{shape}" for x, y in points)
    return f'<path style="fill: var(--series-{number % len(_SIGNS) + 1})" d="{path}"/>'


def _is_drawn(x: float, y: float) -> bool:
    """Returns whether a point has a place: both values are numbers and finite."""
    return math.isfinite(x) and math.isfinite(y)


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """Returns the ends of an axis: a little more than the values."""
    low = min(values, default=0.0)
    high = max(values, default=1.0)
    margin = _MARGIN * (high - low) or max(abs(low), 1.0) * _MARGIN
    return low - margin, high + margin
