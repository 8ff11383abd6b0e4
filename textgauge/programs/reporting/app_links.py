"""Addresses of published pages: that of a metric, and that at which it opens with the texts of a segment.

A page reads what is behind the # of its address, as its own button "Copy a link" writes it; see page/page.js.
"""

import base64
import json
import zlib
from typing import Any
from urllib.parse import urlsplit

from ..errors import InputError
from ..page.form import entered_options, given_options
from ..page.grid import from_cells, to_cells
from ..page.scoring import example_cells
from ..page.session import has_all

_PLACE = "{metric}"


def check_app(app: str | None, html: Any) -> None:
    """Raises InputError for --app with no report to put links in, or with no address of a page."""
    if app is None:
        return
    if html is None:
        raise InputError("--app puts links into a report; pass --html FILE too")
    if not _is_address(app):
        raise InputError(f"--app {app}: pass the address of the published pages, such as https://my.host/metrics")


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:  # such as one bracket of an IPv6 address
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def page_address(app: str | None, metric: Any) -> str:
    """Returns the address of the page of a metric; "" without any.

    `https://my.host/metrics` becomes `https://my.host/metrics/weighted_bleu/`. In the name of a host, as in
    `https://my-team-{metric}.static.hf.space`, the metric is written with hyphens.
    """
    if not app:
        return ""
    parts = urlsplit(app if _PLACE in app else f"{app.rstrip('/')}/{_PLACE}/")
    host = parts.netloc.replace(_PLACE, metric.name.replace("_", "-"))
    return parts._replace(netloc=host, path=parts.path.replace(_PLACE, metric.name) or "/").geturl()


def segment_address(
    app: str | None, metric: Any, options: dict[str, Any], columns: dict[str, list[Any]], row: int
) -> str:
    """Returns the address at which the page of a metric opens with one segment, and scores it as here.

    It is "" where the page cannot: the metric has learnt from all references, an option is a file or needs what a
    browser has not, or the texts are empty.
    """
    if not app or not has_all(metric, options) or metric.corpus_option(**options) is not None:
        return ""
    entered = entered_options(metric)
    # one segment has no interval
    given = {name: value for name, value in options.items() if metric.OPTIONS[name].needs != "confidence"}
    segment = {name: values[row : row + 1] for name, values in columns.items()}
    example = {"columns": segment, "options": {**given, "confidence": None}}
    headings, rows, values = example_cells(metric, entered, example)
    changed = {name: value for name, value in given.items() if value != metric.OPTIONS[name].default}
    if given_options(entered, values) != changed:
        return ""
    if to_cells(metric, from_cells(metric, rows)) != (headings, rows):
        return ""
    content = _packed({"headings": headings, "rows": rows, "values": values})
    return f"{page_address(app, metric)}#{content}"


def _packed(content: dict[str, Any]) -> str:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    compressed = deflate.compress(text) + deflate.flush()
    return base64.urlsafe_b64encode(compressed).rstrip(b"=").decode()
