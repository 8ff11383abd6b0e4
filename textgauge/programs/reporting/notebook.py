"""What a notebook shows of an explanation or a comparison: a page of its own, within the page."""

import functools
from html import escape
from typing import Any

from textgauge.core.text_metric import Explanation

from ..comparing.records import Outcome
from ..drawing.draw import draw, legend
from ..scoring.explaining import texts_of
from .comparison import report_html
from .pages import page_html

_FIT = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"


@functools.singledispatch
def html(thing: Any) -> str | None:
    """Draws an object for a notebook; None if nothing draws it."""
    return None


@html.register
def _(explanation: Explanation) -> str:
    drawing = draw(dict(explanation), *texts_of(explanation.columns, 0))
    return _framed(page_html("explanation.html", drawing=drawing.html, legend=legend(drawing.marks)))


@html.register
def _(outcome: Outcome) -> str:
    return _framed(report_html(outcome, []))


def _framed(page: str) -> str:
    """Returns a page within a page, as high as it needs to be."""
    return f'<iframe srcdoc="{escape(page)}" onload="{_FIT}" style="width: 100%; border: 0"></iframe>'
