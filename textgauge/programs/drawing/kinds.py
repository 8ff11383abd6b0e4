"""The kinds of errors of a corpus, for error rates: how many edits, their share, and the rate without them."""

import math
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from .texts import TEXTS, say
from .values import number_text

ERRORS = "errors"  # the key in results
Kind = Sequence[Any]  # kind, edits, share, rate without them
_LEAST_SEGMENTS = 6  # of which one may be called the heaviest
_OF_SCORES = ("confidence", "clusters", "conventions", "alignments", "per_segment")


def has_kinds(metric: Any) -> bool:
    """Returns whether a metric tells the kinds of errors."""
    return {"detailed", "readings"} <= metric.OPTIONS.keys()


def errors_of(metric: Any, columns: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Returns what is said of the errors of texts; nothing where there is none, or the metric tells no kinds.

    What Korean readings forgive is a kind of its own wherever the other options allow readings. Keys: `kinds`, a list
    of [kind, edits, share, rate without them], most edits first; `looping_segments` and `inserted_segments`, how many
    there are; `heaviest_segment`, the number of one that has more than half of all edits, and its share.
    """
    if not has_kinds(metric):
        return {}
    asked = {name: value for name, value in options.items() if name not in _OF_SCORES} | {"detailed": True}
    for readings in (options.get("readings") or "ko", options.get("readings")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the score itself has said what may be misread
                rows = metric.statistics(**columns, **{**asked, "readings": readings})
        except ValueError:  # joined words, or a tokenizer of its own, and readings
            continue
        result = metric.score(rows.sum(0), **{**asked, "readings": readings})
        kinds = _rows(metric.name, result, options.get("aggregate") == "mean")
        counts = {key: int(result[key]) for key in ("looping_segments", "inserted_segments")}
        return {"kinds": kinds, **counts, "heaviest_segment": _heaviest(rows[:, 0])} if kinds else {}
    return {}


def _heaviest(edits: np.ndarray) -> list[Any]:
    """Returns the number of a segment with more than half of all edits, and its share; [] without one."""
    row = int(edits.argmax())
    is_most = len(edits) >= _LEAST_SEGMENTS and edits[row] > edits.sum() / 2
    return [row + 1, float(edits[row] / edits.sum())] if is_most else []


def _rows(name: str, result: Mapping[str, Any], is_mean: bool) -> list[list[Any]]:
    """Returns the kinds that there are; notation also if none is forgiven, as its rate has a length of its own.

    Rates are those without weights of phrases.
    """
    counts = {kind: int(result[key]) for kind in _names() if (key := f"{kind}_edits") in result}
    whole = sum(counts.values())
    rate = next((result[key] for key in (f"literal_{name}", f"unweighted_{name}") if key in result), result[name])
    unweighted = f"unweighted_{name}"
    without_loops = math.nan if unweighted in result else result[f"{name}_without_loops"]
    own = {"notation": result.get(unweighted, result[name]), "loop": without_loops}

    def without(kind: str, count: int) -> float:
        if kind in own:
            return float(own[kind])
        return math.nan if is_mean or not math.isfinite(rate) else float(rate * (whole - count) / whole)

    kept = {kind: count for kind, count in counts.items() if count or kind == "notation"} if whole else {}
    rows = [[kind, count, count / whole, without(kind, count)] for kind, count in kept.items()]
    return sorted(rows, key=lambda row: -row[1])


def _names() -> list[str]:
    """Returns all kinds, as there are names for people."""
    return [key.removeprefix("kind_") for key in TEXTS if key.startswith("kind_")]


def kinds_of(result: Mapping[str, Any]) -> list[Kind]:
    """Returns the kinds of errors of a result; [] where it has none."""
    return result.get(ERRORS, {}).get("kinds", [])


def kind_title(kind: str) -> str:
    """Returns the name of a kind for people."""
    return say(f"kind_{kind}")


def kind_cells(row: Kind) -> list[str]:
    """Returns edits, share, and the rate without them."""
    _, edits, share, rate = row
    return [f"{edits:,}", f"{share:.0%}", number_text(rate)]


def kinds_html(of_systems: Mapping[str, Sequence[Kind]]) -> str:
    """Shows the kinds of errors of systems; nothing where there are none."""
    heads = "".join(
        f'<th scope="col">{say(key)}</th>' for key in ("kinds_one", "kinds_edits", "kinds_share", "kinds_without")
    )
    tables = []
    for system, rows in of_systems.items():
        caption = f'<caption lang="">{escape(system)}</caption>' if len(of_systems) > 1 else ""
        body = "".join(f"<tr>{_row_html(row)}</tr>" for row in rows if row[1])
        tables += [f'<table class="kinds">{caption}<tr>{heads}</tr>{body}</table>'] if rows else []
    return f'<div class="drawing kinds">{"".join(tables)}</div>' if tables else ""


def _row_html(row: Kind) -> str:
    return f'<th scope="row">{kind_title(row[0])}</th>' + "".join(f"<td>{cell}</td>" for cell in kind_cells(row))
