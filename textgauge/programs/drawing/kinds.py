"""The kinds of errors of a corpus, for error rates: how many edits, their share, and the rate without them."""

import math
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from .texts import say
from .values import number_text

KINDS = "error_kinds"  # the key in results: a list of [kind, edits, share, rate without them], most edits first
Kind = Sequence[Any]
_OF_SCORES = ("confidence", "clusters", "conventions", "alignments", "per_segment")


def has_kinds(metric: Any) -> bool:
    """Returns whether a metric tells the kinds of errors."""
    return {"detailed", "readings"} <= metric.OPTIONS.keys()


def error_kinds(metric: Any, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, list[list[Any]]]:
    """Returns {KINDS: ...} of texts; nothing where there is no error, or no kind of it.

    What Korean readings forgive is a kind of its own wherever the other options allow readings.
    """
    if not has_kinds(metric):
        return {}
    asked = {name: value for name, value in options.items() if name not in _OF_SCORES}
    for readings in (options.get("readings") or "ko", options.get("readings")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the score itself has said what may be misread
                result = metric.compute(**columns, **{**asked, "readings": readings, "detailed": True})
        except ValueError:  # weights, joined words, or a tokenizer of its own, and readings
            continue
        rows = _rows(metric.name, result, options.get("aggregate") == "mean")
        return {KINDS: rows} if rows else {}
    return {}


def _rows(name: str, result: Mapping[str, Any], is_mean: bool) -> list[list[Any]]:
    """Returns the kinds that there are; notation also if none is forgiven, as its rate has a length of its own."""
    counts = {kind: result.get(f"{kind}_edits") for kind in _names()}
    whole = sum(filter(None, counts.values()))
    if not whole:
        return []
    counts = {kind: count for kind, count in counts.items() if count or kind == "notation" and count is not None}
    rate = next((result[key] for key in (f"literal_{name}", f"unweighted_{name}") if key in result), result[name])

    def without(kind: str, count: int) -> float:
        if kind == "notation":
            return result[name]
        return math.nan if is_mean or not math.isfinite(rate) else rate * (whole - count) / whole

    rows = [[kind, count, count / whole, without(kind, count)] for kind, count in counts.items()]
    return sorted(rows, key=lambda row: -row[1])


def _names() -> list[str]:
    from textgauge.error_rates.error_kinds import ERROR_KINDS

    return ["notation", *ERROR_KINDS]


def kind_title(kind: str) -> str:
    """Returns the name of a kind for people."""
    return say(f"kind_{kind}")


def kind_cells(row: Kind) -> list[str]:
    """Returns edits, share, and the rate without them."""
    _, edits, share, rate = row
    return [f"{edits:,}", f"{share:.0%}", number_text(rate)]


def kinds_html(of_systems: Mapping[str, Sequence[Kind]]) -> str:
    """Shows the kinds of errors of systems; nothing where there are none."""
    heads = "".join(f'<th scope="col">{say(key)}</th>' for key in ("kind", "kind_edits", "kind_share", "kind_without"))
    tables = []
    for system, rows in of_systems.items():
        caption = f'<caption lang="">{escape(system)}</caption>' if len(of_systems) > 1 else ""
        body = "".join(f"<tr>{_row_html(row)}</tr>" for row in rows if row[1])
        tables += [f'<table class="kinds">{caption}<tr>{heads}</tr>{body}</table>'] if rows else []
    return f'<div class="drawing kinds">{"".join(tables)}</div>' if tables else ""


def _row_html(row: Kind) -> str:
    return f'<th scope="row">{kind_title(row[0])}</th>' + "".join(f"<td>{cell}</td>" for cell in kind_cells(row))
