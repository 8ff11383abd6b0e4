"""The kinds of errors of a corpus, for error rates."""

import itertools
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np

from ..saying.texts import say
from ..saying.values import number_text

ERRORS = "errors"  # the key in results
Kind = Sequence[Any]  # kind, edits, share, rate without them
_LEAST_SEGMENTS = 6  # of which one may be called the heaviest
_OF_SCORES = ("confidence", "clusters", "conventions", "alignments", "per_segment", "resamples", "seed")
_COUNTS = ("looping_segments", "inserted_segments", "unread_segments")


class KindRows(NamedTuple):
    """Rows with the kinds of errors."""

    metric: Any
    options: dict[str, Any]  # with which `score` takes the rows
    values: np.ndarray  # (n_segments, n_statistics)


RowsOfKinds = dict[tuple[str, str], KindRows]  # of a system, by the label of a metric


def has_kinds(metric: Any) -> bool:
    """Returns whether a metric tells the kinds of errors."""
    return hasattr(metric, "KINDS")


def kind_rows(metric: Any, columns: Mapping[str, Any], options: Mapping[str, Any]) -> KindRows:
    """Returns the rows of texts with the kinds of errors, by a metric that tells them."""
    detailed = {name: value for name, value in options.items() if name not in _OF_SCORES} | {"detailed": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the score itself has said what may be misread
        return KindRows(metric, detailed, metric.statistics(**columns, **detailed))


def errors_of(metric: Any, columns: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the result of `errors_in_rows` for texts; nothing if the metric has no kinds."""
    return errors_in_rows(kind_rows(metric, columns, options)) if has_kinds(metric) else {}


def errors_in_rows(rows: KindRows) -> dict[str, Any]:
    """Describes the errors in rows; nothing without errors.

    Keys: those of `errors_in_result`, and `heaviest_segment`, the number of one that has more than half of all edits,
    and its share.
    """
    result = rows.metric.score(rows.values.sum(axis=0), **rows.options)
    errors = errors_in_result(rows.metric, result)
    if not errors:
        return {}
    return {**errors, "heaviest_segment": _heaviest(rows.values[:, 0])}


def errors_in_result(metric: Any, result: Mapping[str, Any]) -> dict[str, Any]:
    """Describes the errors in a detailed result of a metric; nothing without errors.

    Keys: `kinds`, a list of [kind, edits, share, rate without them], most edits first; `looping_segments`,
    `inserted_segments` and `unread_segments`, how many there are.
    """
    edits = float(result["edits"])
    if not edits:
        return {}
    kinds = []
    for kind in metric.KINDS:
        edits_of_kind = np.asarray(result[f"{kind}_edits"]).item()
        if edits_of_kind:
            rate_without = float(result[metric.without_key(kind)])
            kinds.append([kind, edits_of_kind, edits_of_kind / edits, rate_without])
    kinds.sort(key=lambda row: -row[1])
    counts = {key: int(result[key]) for key in _COUNTS}
    return {"kinds": kinds, **counts}


def kinds_by_segment(rows: KindRows) -> list[list[str]]:
    """Returns which kinds of errors each segment has."""
    with np.errstate(divide="ignore", invalid="ignore"):  # rates of segments without a reference
        result = rows.metric.score(rows.values, **rows.options)
    by_segment: list[list[str]] = [[] for _ in rows.values]
    for kind in rows.metric.KINDS:
        for row in np.flatnonzero(result[f"{kind}_edits"] > 0):
            by_segment[row].append(kind)
    return by_segment


def _heaviest(edits: np.ndarray) -> list[Any]:
    """Returns the number of a segment with more than half of all edits, and its share; [] without one."""
    if len(edits) < _LEAST_SEGMENTS:
        return []
    row = int(edits.argmax())
    total = edits.sum()
    return [row + 1, float(edits[row] / total)] if edits[row] > total / 2 else []


def kinds_of(result: Mapping[str, Any]) -> list[Kind]:
    """Returns the kinds of errors of a result; [] where it has none."""
    return result.get(ERRORS, {}).get("kinds", [])


def kind_title(kind: str) -> str:
    """Returns the name of a kind for people."""
    return say(f"kind_{kind}")


def kind_cells(row: Kind) -> list[str]:
    """Returns edits, share, and the rate without them."""
    _, edits, share, rate = row
    shown = f"{edits:,.0f}" if float(edits).is_integer() else f"{edits:,.2f}"  # costs, where phrases have weights
    return [shown, f"{share:.0%}", number_text(rate)]


def kinds_html(of_rates: Mapping[str, Mapping[str, Sequence[Kind]]]) -> str:
    """Shows the kinds of errors by error rates, {error rate: {system: kinds}}, if there are any."""
    tables = []
    for label, of_systems in of_rates.items():
        by_system = {system: kinds for system, kinds in of_systems.items() if kinds}
        if not by_system:
            continue
        caption = f"<caption>{escape(label)}</caption>" if label else ""
        tables.append(f'<table class="kinds">{caption}{_kind_heads(list(by_system))}{_kind_rows(by_system)}</table>')
    return f'<div class="drawing kinds wide" tabindex="0">{"".join(tables)}</div>' if tables else ""


def _kind_heads(systems: Sequence[str]) -> str:
    """Returns the rows of headings: of several systems their names, and below each what its columns are."""
    columns = [f'<th scope="col">{say(key)}</th>' for key in ("kinds_edits", "kinds_share", "kinds_without")]
    first = f'<th scope="col">{say("kinds_one")}</th>'
    if len(systems) == 1:
        return f"<tr>{first}{''.join(columns)}</tr>"
    names = "".join(f'<th scope="colgroup" colspan="{len(columns)}" lang="">{escape(name)}</th>' for name in systems)
    return f"<tr><td></td>{names}</tr><tr>{first}{''.join(columns * len(systems))}</tr>"


def _kind_rows(by_system: Mapping[str, Sequence[Kind]]) -> str:
    """Returns a row for each kind."""
    rows = []
    for title, of_systems in kind_table(by_system):
        cells = "".join(f"<td>{cell}</td>" for cell in itertools.chain.from_iterable(of_systems))
        rows.append(f'<tr><th scope="row">{escape(title)}</th>{cells}</tr>')
    return "".join(rows)


def kind_table(by_system: Mapping[str, Sequence[Kind]]) -> list[tuple[str, list[list[str]]]]:
    """Returns the title of each kind that some system has, in the order of the first one, and the cells of each."""
    shown = []  # for each system its kinds by their names
    for kinds in by_system.values():
        shown.append({row[0]: row for row in kinds if row[1]})
    table = []
    for kind in dict.fromkeys(itertools.chain.from_iterable(shown)):
        cells = [kind_cells(by_kind[kind]) if kind in by_kind else [""] * 3 for by_kind in shown]
        table.append((kind_title(kind), cells))
    return table
