"""The segments of a report: texts, scores, and what made them, by each metric."""

import base64
import gzip
import json
from collections.abc import Sequence
from typing import Any

from ..drawing.draw import draw_source
from ..drawing.kinds import has_kinds, kind_title, kinds_by_segment
from ..drawing.zeros import has_remedy, zero_reason
from ..reading.corpus import IDS, Corpus
from ..saying.texts import say
from ..saying.values import human_text, number_text, with_arrow
from ..scoring.explaining import draw_segment, explain_segment, explaining_options, texts_of
from ..scoring.outputs import Results
from ..scoring.specs import Scorer
from .app_links import segment_address
from .choice import chosen_rows, most_telling, orders_in_groups, orders_of
from .pages import part_html, two_languages

_FIRST, _LISTS = 5, 4  # segments of an order, and orders, that the first screen links
_WRITTEN = 20  # segments that the page has as elements from the start; the others are packed


def segment_list(
    corpus: Corpus, scorers: Sequence[Scorer], results: Results, count: int, app: str | None = None
) -> dict[str, Any] | None:
    """Returns so many segments, those that tell most, with the orders that the page offers; None without any.

    The page shows one metric at a time, the one first that tells most segments apart. `app` is the address of pages in
    which segments open.
    """
    first = next(iter(results.values()))
    scorers = [scorer for scorer in scorers if first[scorer.label].get("segments")]
    if not scorers or not count:
        return None
    main = most_telling(scorers, results)
    scorers = [scorers[main], *(scorer for scorer in scorers if scorer is not scorers[main])]
    orders = [orders_of(corpus, scorer, results) for scorer in scorers]
    rows = chosen_rows([*orders[0], *orders_in_groups(corpus, orders[0])], count)
    place = {row: index for index, row in enumerate(rows)}
    views = [_View(corpus, scorer, results, app) for scorer in scorers]
    kinds = _kinds(corpus, scorers, rows)
    articles = [two_languages(part_html("segment.html", **_segment(corpus, views, row))) for row in rows]
    known = [_known(corpus, views[0], row, {s: of[place[row]] for s, of in kinds.items()}) for row in rows]
    known_kinds = next((scorer.metric.KINDS for scorer in scorers if has_kinds(scorer.metric)), ())
    kinds_shown = {kind for of_system in kinds.values() for of_segment in of_system for kind in of_segment}
    places = [[[place[row] for row in order.rows if row in place] for order in of_metric] for of_metric in orders]
    telling = [order for order in orders[0] if order.n_telling]
    return {
        "labels": [scorer.label for scorer in scorers],
        "orders": [order.name for order in orders[0]],  # the same by each metric
        "written": articles[:_WRITTEN],
        "packed": _packed({"places": places, "known": known, "html": articles[_WRITTEN:]}),
        "numbers": {row + 1 for row in rows},
        "left_out": corpus.size - len(rows),
        "groups": sorted({own["group"] for own in known if own["group"]}),
        "kinds": [(kind, kind_title(kind)) for kind in known_kinds if kind in kinds_shown],
        "fails": [(order.name, order.rows[: min(_FIRST, order.n_telling)]) for order in telling[:_LISTS]],
        "marks": {mark for view in views for mark in view.marks},
    }


def _packed(content: dict[str, Any]) -> str:
    """Returns what the page unpacks as text: a page of thousands of segments would be too large otherwise."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(gzip.compress(text, mtime=0)).decode()


def _kinds(corpus: Corpus, scorers: Sequence[Scorer], rows: Sequence[int]) -> dict[str, list[list[str]]]:
    """Returns for each system the kinds of errors of some segments, by the first metric that tells any."""
    for scorer in filter(lambda scorer: has_kinds(scorer.metric), scorers):
        kinds = {}
        for system in corpus.systems:
            columns = corpus.columns_of(scorer.metric, system)
            own = {name: [values[row] for row in rows] for name, values in columns.items()}
            kinds[system] = kinds_by_segment(scorer.metric, own, scorer.options)
        return kinds
    return {}


def _known(corpus: Corpus, view: "_View", row: int, kinds: dict[str, list[str]]) -> dict[str, Any]:
    """Returns what the page looks for in a segment: texts, group, length of the reference, and kinds of errors."""
    of_systems = [texts_of(columns, row) for columns in view.columns.values()]
    predictions, references = [texts[0] for texts in of_systems], of_systems[0][1]
    texts = [_text(corpus, IDS, row), _text(corpus, "sources", row), *predictions, *references]
    return {
        "number": row + 1,
        "text": "\n".join(map(str, filter(None, texts))),
        "group": _group(corpus, row),
        "length": len(str((references or predictions)[0])),
        "kinds": kinds,
    }


def _text(corpus: Corpus, name: str, row: int) -> str:
    """Returns what a column that is only shown has in a segment, "" without it."""
    return str(corpus.columns[name][0].values[row]) if name in corpus.columns else ""


def _group(corpus: Corpus, row: int) -> str:
    """Returns the title of the group of a segment, as `Group.title` is."""
    return " / ".join(values[row] for values in corpus.groups.values())


class _View:
    """One metric's way to show segments, prepared once for all of them."""

    def __init__(self, corpus: Corpus, scorer: Scorer, results: Results, app: str | None) -> None:
        self.scorer, self.app = scorer, app
        self.title = with_arrow(scorer.label, scorer.metric)
        self.scores = {system: of_system[scorer.label]["segments"] for system, of_system in results.items()}
        self.columns = {system: corpus.columns_of(scorer.metric, system) for system in results}
        first = next(iter(self.columns.values()))
        self.options = explaining_options(scorer.metric, scorer.options, first)
        self.marks: set[str] = set()

    def draw(self, system: str, row: int) -> dict[str, str]:
        """Returns a segment drawn, what is said about it (why it is plain, or why its score is 0), and its page."""
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
        values = [of_system[scorer.label].get("segments") or [] for of_system in results.values()]
        zeros, scored = sum(of.count(0) for of in values), sum(map(len, values))
        if 2 * zeros > scored:
            notes.append(say("zero_most", label=scorer.label, zeros=zeros, n=scored, advice=say("zero_advice")))
    return notes


def _segment(corpus: Corpus, views: Sequence[_View], row: int) -> dict[str, Any]:
    """Returns all that the page shows of one segment."""
    systems = []
    for system in corpus.systems:
        scores = [(view.title, number_text(view.scores[system][row])) for view in views]
        if system in corpus.human:
            scores.append((say("human"), human_text(corpus.human[system][row])))
        systems.append({"system": system, "scores": scores, "drawings": [view.draw(system, row) for view in views]})
    return {
        "number": row + 1,
        "id": _text(corpus, IDS, row),
        "group": _group(corpus, row),
        "source": draw_source(source) if (source := _text(corpus, "sources", row)) else "",
        "systems": systems,
    }
