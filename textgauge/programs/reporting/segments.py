"""The segments of a report: texts, scores, and explanations by each metric."""

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

from ..drawing.draw import draw_source
from ..drawing.kinds import RowsOfKinds, has_kinds, kind_title, kinds_by_segment
from ..drawing.zeros import has_remedy, zero_reason
from ..reading.corpus import IDS, Corpus
from ..saying.texts import say
from ..saying.values import human_text, number_text, with_arrow
from ..scoring.explaining import draw_segment, explain_segment, explaining_options, texts_of
from ..scoring.outputs import Results
from ..scoring.specs import Scorer
from .app_links import segment_address
from .choice import Order, chosen_rows, most_telling, orders_in_groups, orders_of
from .pages import part_html, two_languages

_FIRST, _LISTS = 5, 4  # segments of an order, and orders, that the first screen links
_WRITTEN = 20  # segments that the page has as elements from the start; the others are packed


def segment_list(
    corpus: Corpus,
    scorers: Sequence[Scorer],
    results: Results,
    rows_of_kinds: RowsOfKinds,
    count: int,
    app: str | None = None,
) -> dict[str, Any] | None:
    """Returns the most telling segments, up to this number, with the orders that the page offers; None without any.

    The page shows one metric at a time, the one first that tells most segments apart. `rows_of_kinds` are those of all
    segments by each error rate; `app` is the address of pages in which segments open.
    """
    first = next(iter(results.values()))
    scorers = [scorer for scorer in scorers if first[scorer.label].get("segments")]
    if not scorers or not count:
        return None
    main = most_telling(scorers, results)
    scorers = [scorers[main], *(scorer for scorer in scorers if scorer is not scorers[main])]
    orders = [orders_of(corpus, scorer, results) for scorer in scorers]
    rows = chosen_rows([*orders[0], *orders_in_groups(corpus, orders[0])], count)
    views = [_View(corpus, scorer, results, app) for scorer in scorers]
    kinds = _kinds(corpus, scorers, rows_of_kinds, rows)
    articles = [two_languages(part_html("segment.html", **_segment(corpus, views, row))) for row in rows]
    known = []
    for row, *kinds_of_systems in zip(rows, *kinds.values(), strict=True):
        known.append(_known(corpus, views[0], row, dict(zip(kinds, kinds_of_systems, strict=True))))
    places = _positions(orders, rows)
    groups = {segment["group"] for segment in known if segment["group"]}
    packed = _packed({"places": places, "known": known, "html": articles[_WRITTEN:]})
    marks = {mark for view in views for mark in view.marks}
    order_names = [order.name for order in orders[0]]  # the same by each metric
    labels = [scorer.label for scorer in scorers]
    return {
        "labels": labels,
        "orders": order_names,
        "written": articles[:_WRITTEN],
        "packed": packed,
        "numbers": {row + 1 for row in rows},
        "left_out": corpus.size - len(rows),
        "groups": sorted(groups),
        "kinds": _kinds_shown(scorers, kinds),
        "fails": _telling(orders[0]),
        "marks": marks,
    }


def _telling(orders: Sequence[Order]) -> list[tuple[str, list[int]]]:
    """Returns the first segments of the first orders that show what they are about, by the name of the order."""
    telling = [order for order in orders if order.n_telling]
    return [(order.name, order.rows[: min(_FIRST, order.n_telling)]) for order in telling[:_LISTS]]


def _positions(orders: Sequence[Sequence[Order]], rows: Sequence[int]) -> list[list[list[int]]]:
    """Returns for each order of each metric the segments of the page, by where they are among all that it has."""
    position_of = {row: position for position, row in enumerate(rows)}
    by_metric = []
    for orders_of_metric in orders:
        by_order = []
        for order in orders_of_metric:
            by_order.append([position_of[row] for row in order.rows if row in position_of])
        by_metric.append(by_order)
    return by_metric


def _packed(content: dict[str, Any]) -> str:
    """Returns packed text for the page: with thousands of segments it would be too large otherwise."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(text, mtime=0)).decode()


def _kinds(
    corpus: Corpus, scorers: Sequence[Scorer], rows_of_kinds: RowsOfKinds, rows: Sequence[int]
) -> dict[str, list[list[str]]]:
    """Returns for each system the kinds of errors of some segments, by the first metric that tells any."""
    scorer = next((scorer for scorer in scorers if has_kinds(scorer.metric)), None)
    if scorer is None:
        return {}
    kinds = {}
    for system in corpus.systems:
        of_system = rows_of_kinds[system, scorer.label]
        kinds[system] = kinds_by_segment(of_system._replace(values=of_system.values[rows]))
    return kinds


def _kinds_shown(scorers: Sequence[Scorer], kinds: dict[str, list[list[str]]]) -> list[tuple[str, str]]:
    """Returns those kinds of errors, with their titles, that some segment has, in the order of their metric."""
    shown: set[str] = set()
    for by_segment in kinds.values():
        shown.update(*by_segment)
    all_kinds = next((scorer.metric.KINDS for scorer in scorers if has_kinds(scorer.metric)), ())
    return [(kind, kind_title(kind)) for kind in all_kinds if kind in shown]


def _known(corpus: Corpus, view: "_View", row: int, kinds: dict[str, list[str]]) -> dict[str, Any]:
    """Returns the fields by which the page filters segments: texts, group, reference length, kinds of errors."""
    texts_of_systems = [texts_of(columns, row) for columns in view.columns.values()]
    predictions = [texts[0] for texts in texts_of_systems]
    references = texts_of_systems[0][1]
    first_reference = str((references or predictions)[0])
    texts = [_text(corpus, IDS, row), _text(corpus, "sources", row), *predictions, *references]
    return {
        "number": row + 1,
        "text": "\n".join(map(str, filter(None, texts))),
        "group": _group(corpus, row),
        "length": len(first_reference),
        "kinds": kinds,
    }


def _text(corpus: Corpus, name: str, row: int) -> str:
    """Returns the value of a shown column in a segment, "" without it."""
    return str(corpus.columns[name][0].values[row]) if name in corpus.columns else ""


def _group(corpus: Corpus, row: int) -> str:
    """Returns the title of the group of a segment, as `Group.title` is."""
    return " / ".join(values[row] for values in corpus.groups.values())


class _View:
    """One metric's way to show segments, prepared once for all of them."""

    def __init__(self, corpus: Corpus, scorer: Scorer, results: Results, app: str | None) -> None:
        self.scorer = scorer
        self.app = app
        self.title = with_arrow(scorer.label, scorer.metric)
        self.scores = {system: of_system[scorer.label]["segments"] for system, of_system in results.items()}
        self.columns = {system: corpus.columns_of(scorer.metric, system) for system in results}
        first = next(iter(self.columns.values()))
        self.options = explaining_options(scorer.metric, scorer.options, first)
        self.marks: set[str] = set()

    def draw(self, system: str, row: int) -> dict[str, str]:
        """Returns a drawn segment, notes on it (why it is plain, or why its score is 0), and its page."""
        metric, columns = self.scorer.metric, self.columns[system]
        drawing, note = draw_segment(metric, self.options, columns, row)
        self.marks |= drawing.marks
        if not note and self.scores[system][row] == 0 and "smooth" in metric.OPTIONS:
            note = zero_reason(explain_segment(metric, self.options, columns, row))
        page = segment_address(self.app, metric, self.scorer.options, columns, row)
        return {"html": drawing.html, "note": note, "page": page}


def zero_notes(corpus: Corpus, scorers: Sequence[Scorer], results: Results) -> list[str]:
    """Says which metrics give most segments the same 0, and what would tell them apart."""
    notes = []
    for scorer in scorers:
        if not has_remedy(scorer.metric, scorer.options):
            continue
        n_zeros = n_scored = 0
        for of_system in results.values():
            scores = of_system[scorer.label].get("segments") or []
            n_zeros += scores.count(0)
            n_scored += len(scores)
        if 2 * n_zeros > n_scored:
            notes.append(say("zero_most", label=scorer.label, zeros=n_zeros, n=n_scored, advice=say("zero_advice")))
    return notes


def _segment(corpus: Corpus, views: Sequence[_View], row: int) -> dict[str, Any]:
    """Returns all that the page shows of one segment."""
    systems = []
    for system in corpus.systems:
        scores = [(view.title, number_text(view.scores[system][row])) for view in views]
        if system in corpus.human:
            scores.append((say("human"), human_text(corpus.human[system][row])))
        drawings = [view.draw(system, row) for view in views]
        systems.append({"system": system, "scores": scores, "drawings": drawings})
    source = _text(corpus, "sources", row)
    return {
        "number": row + 1,
        "id": _text(corpus, IDS, row),
        "group": _group(corpus, row),
        "source": draw_source(source) if source else "",
        "systems": systems,
    }
