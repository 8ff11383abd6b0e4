"""Scores of a metric against scores by people, for a metric that compares the two: HTML with a picture of SVG."""

from collections.abc import Mapping
from collections.abc import Sequence
from html import escape
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from .plots import SERIES
from .plots import TEXT
from .plots import svg_of
from .texts import say
from .values import number_text

_WIDTH, _HEIGHT = 3.4, 2.5  # inches
_MOST = 2000  # points; more would hide one another, and make the page heavy
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_SIGNS = ("●", "■", "▲", "◆", "▼", "✚", "✖")
_NAMES = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ"}
_Points = list[tuple[float, float]]


def compares_scores(metric: Any) -> bool:
    """Returns whether predictions and references are both numbers: one score each per row."""
    columns = [metric.COLUMNS.get(name) for name in ("predictions", "references")]
    return all(column and getattr(column.features[0], "dtype", "") == "float64" for column in columns)


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
    human, systems = metric.human_scores(columns["references"], **options), columns.get("systems")
    names = list(dict.fromkeys(map(str, systems))) if systems else []
    pictures = []
    values = {"predictions": next(iter(result.values())), "baselines": result.get("baseline_correlation")}
    for column, label in (("predictions", say("the_metric")), ("baselines", say("the_baseline"))):
        if column in columns:
            groups: dict[str, _Points] = {name: [] for name in names or [""]}
            for row in shown:
                groups[str(systems[row]) if systems else ""].append((columns[column][row], human[row]))
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
    shown = set(_shown_rows(len(links)))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "systems", "font.size": 9}):
        figure = Figure(figsize=(_HEIGHT * 1.5, _HEIGHT * 1.5))
        axes = figure.add_axes((0.12, 0.1, 0.84, 0.86))
        for number, rows in enumerate(groups.values()):
            rows = [row for row in rows if row in shown and all(np.isfinite(of[row]) for of in values)]
            look = {"marker": _MARKERS[number], "color": SERIES[number], "s": 22, "alpha": 0.8, "linewidths": 0}
            points = axes.scatter(*([of[row] for row in rows] for of in values), **look)
            points.set_urls([links[row] for row in rows])
        ends = min(*axes.get_xlim(), *axes.get_ylim()), max(*axes.get_xlim(), *axes.get_ylim())
        axes.plot(ends, ends, color=TEXT, linewidth=0.8, linestyle=(0, (2, 2)))
        axes.set(xlim=ends, ylim=ends)
        axes.locator_params(nbins=5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(TEXT)
        axes.tick_params(colors=TEXT, length=2)
        # the list below has every segment for those who use no mouse
        svg = svg_of(figure).replace("<a ", '<a tabindex="-1" ')
    return f"{svg}{_legend([name for name in groups if name])}"


def _title(options: Mapping[str, Any], value: Any, result: Mapping[str, Any]) -> str:
    coefficient, groups = options.get("coefficient", "pearson"), result.get("groups", 1)
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
    """Names the systems in the page, which has fonts for every script; matplotlib has not."""
    items = [
        f'<span><span style="color: var(--series-{number % len(SERIES) + 1})">{_SIGNS[number % len(_SIGNS)]}</span> '
        f"{escape(name)}</span>"
        for number, name in enumerate(names)
    ]
    return (
        f'<div class="legend quiet" role="group" aria-label="{say("systems")}">{"".join(items)}</div>' if items else ""
    )


def _picture(groups: Sequence[_Points], label: str, people: str) -> str:
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": label, "font.size": 9}):
        figure = Figure(figsize=(_WIDTH, _HEIGHT))
        axes = figure.add_axes((0.15, 0.18, 0.82, 0.78))
        for number, points in enumerate(groups):
            x, y = zip(*points, strict=True) if points else ((), ())
            look = {"marker": _MARKERS[number % len(_MARKERS)], "color": SERIES[number % len(SERIES)]}
            axes.plot(x, y, linestyle="none", markersize=5, markeredgewidth=0, alpha=0.8, clip_on=False, **look)
        axes.set_xlabel(label, color=TEXT)
        axes.set_ylabel(people, color=TEXT)
        axes.locator_params(nbins=5)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(TEXT)
        axes.tick_params(colors=TEXT, length=2)
        return svg_of(figure)
