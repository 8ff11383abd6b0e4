"""What a notebook shows of an explanation or a comparison: a page of its own, within the page."""

from collections.abc import Mapping
from html import escape
from typing import Any

from drawing import draw, legend
from drawing.segments import texts_of

from .pages import page_html

_FIT = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"


def explanation_html(explanation: Mapping[str, Any], columns: Mapping[str, Any]) -> str:
    """Returns what made the score of one segment, drawn.

    Args:
        explanation: what the metric's `explain` returned.
        columns: the segment, as `compute` takes it.
    """
    drawing = draw(dict(explanation), *texts_of(columns, 0))
    return framed(page_html("explanation.html", drawing=drawing.html, legend=legend(drawing.marks)))


def framed(page: str) -> str:
    """Returns a page within a page, as high as it needs to be."""
    return f'<iframe srcdoc="{escape(page)}" onload="{_FIT}" style="width: 100%; border: 0"></iframe>'
