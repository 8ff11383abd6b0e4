"""What a metric explains of a segment, as HTML and as text: for the report, the terminal and the app of a Space.

This is the one place that knows the kinds of explanations, by their keys. A Space has a copy of
this folder, of which only plots.py and scatter.py need numpy, and the others the standard library alone.
"""

from collections.abc import Iterable
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from typing import NamedTuple

from .links import links_svg
from .ngrams import worth_table
from .runs import Run
from .runs import copied_ngrams
from .runs import edits
from .runs import matched_ngrams
from .runs import plain_texts
from .runs import reference_names
from .tokens import heat_map
from .tokens import signed
from .tokens import table
from .tokens import value_text

STYLE = Path(__file__).with_name("drawing.css").read_text(encoding="utf-8")
_HANGUL = range(0x1100, 0x1200), range(0x3130, 0x3190), range(0xAC00, 0xD7A4)
_LEGENDS = {
    "matches": (
        '<span>longest match through a token:</span><mark class="n1">1 token</mark><mark class="n2">2</mark>'
        '<mark class="n3">3</mark><mark class="n4">4 or more</mark>'
    ),
    "edits": (
        '<span><mark class="substitute">other</mark> substituted, on both sides</span>'
        '<span><mark class="insert">more</mark> inserted by the prediction</span>'
        '<span><mark class="delete">less</mark> deleted from the reference</span>'
    ),
    "shifts": '<span><mark class="shift">moved</mark> by the metric to where the reference has it</span>',
    "blanks": "<span>␣ is a blank</span>",
    "copies": (
        '<span class="copied">in common with the source:</span><mark class="copied n1">1 token</mark>'
        '<mark class="copied n2">2</mark><mark class="copied n3">3</mark><mark class="copied n4">4 or more</mark>'
    ),
    "weights": (
        '<span><mark class="plus">phrase</mark><sup>+1.8</sup> with a weight</span>'
        '<span><mark class="minus">phrase</mark><sup>−1.2</sup> with a negative weight</span>'
    ),
    "links": "".join(
        f'<span><svg class="key" width="34" height="10" aria-hidden="true"><line class="{stage}" x1="1" y1="5" x2="33" '
        f'y2="5"/></svg> {text}</span>'
        for stage, text in (("exact", "same word"), ("stem", "same stem"), ("synonym", "synonym"))
    )
    + "<span>a frame with a number: a chunk, words in a row on both sides</span>",
    "heat": (
        '<span>ln p of each token:</span><span class="token" style="--heat: 0%">likely</span>'
        '<span class="token" style="--heat: 45%"></span><span class="token" style="--heat: 90%">unlikely</span>'
    ),
}


class Drawing(NamedTuple):
    """An explanation as HTML, and what a legend has to say of it: keys of `legend`."""

    html: str
    marks: frozenset[str]


def draw(explanation: dict[str, Any], prediction: str, references: Sequence[str], source: str = "") -> Drawing:
    """Draws an explanation; a kind that has no picture becomes a table."""
    keys = explanation.keys()
    if {"tokens", "log_probabilities"} <= keys:
        return Drawing(heat_map(explanation), frozenset(["heat"]))
    if {"prediction", "references", "reference_index", "links"} <= keys:
        others = [text for index, text in enumerate(references) if index != explanation["reference_index"]]
        return Drawing(links_svg(explanation) + _other_references(others), frozenset(["links"]))
    if {"prediction", "references", "matches"} <= keys:
        return _draw_matches(explanation, prediction, references, source)
    if {"alignment", "reference_index"} <= keys:
        return _draw_runs(edits(explanation, references), prediction, references)
    shown = worth_table(explanation) if "ngrams" in keys else table(explanation)
    return Drawing(draw_plain(prediction, references, source).html + shown, frozenset())


def draw_plain(prediction: str, references: Sequence[str], source: str = "") -> Drawing:
    """Shows the texts without marks."""
    drawing = _draw_runs(plain_texts(prediction, references), prediction, references)
    if not source:
        return drawing
    return drawing._replace(html=drawing.html + _list([_row("source", escape(source), source)]))


def legend(marks: Iterable[str]) -> str:
    """Says what marks mean."""
    marks = set(marks)
    shown = "".join(html for name, html in _LEGENDS.items() if name in marks)
    note = '<p class="quiet">References show matched n-grams wherever they occur.</p>' if "matches" in marks else ""
    return f'<div class="drawing legend quiet" role="group" aria-label="Legend">{shown}</div>{note}' if shown else ""


def language(text: str) -> str:
    """Returns "ko" for a text with Korean letters, for the choice of fonts and voices, and "" (unknown) for others."""
    return "ko" if any(ord(character) in block for character in text for block in _HANGUL) else ""


def _draw_matches(explanation: dict[str, Any], prediction: str, references: Sequence[str], source: str) -> Drawing:
    """Draws matched n-grams; below them those in common with a source, and what n-grams are worth."""
    names = reference_names(explanation, references)
    drawing = _draw_runs(matched_ngrams(explanation, prediction, references), prediction, references, names)
    html, marks = drawing
    if "source_matches" in explanation:
        texts = copied_ngrams(explanation, prediction, source)
        copies = _draw_runs(texts, prediction, [source], ["source"], is_copied=True)
        html, marks = html + copies.html, marks | ({"copies"} if copies.marks else set())
    drawing = Drawing(html + worth_table(explanation), frozenset(marks))
    if "words" not in explanation:
        return drawing
    words = _draw_matches(explanation["words"], prediction, references, source)
    return Drawing(drawing.html + words.html, drawing.marks | words.marks)


def _draw_runs(
    texts: Sequence[Sequence[Run]],
    prediction: Any,
    references: Sequence[Any],
    names: Sequence[str] = (),
    is_copied: bool = False,
) -> Drawing:
    """Draws marked texts, the prediction first; `names` are those of the references."""
    rows = []
    names = ["prediction", *(names or ["reference"] * len(references))]
    for name, runs, raw in zip(names, texts, [prediction, *references], strict=True):
        rows.append(_row(name, "".join(map(_run_html, runs)).strip() or "(empty)", raw))
    runs = [run for of_text in texts for run in of_text]
    kinds = {
        "matches": any(run.level for run in runs),
        "weights": any(run.weight is not None for run in runs),
        "edits": any(run.edit not in ("", "shift") for run in runs),
        "shifts": any(run.edit == "shift" for run in runs),
        "blanks": any(run.edit and "␣" in run.text for run in runs),
    }
    return Drawing(_list(rows, is_copied), frozenset(name for name, is_there in kinds.items() if is_there))


def _list(rows: Sequence[str], is_copied: bool = False) -> str:
    return f'<dl class="drawing{" copied" if is_copied else ""}">{"".join(rows)}</dl>'


def _row(name: str, html: str, raw: Any) -> str:
    return f'<dt>{name}</dt><dd dir="auto" lang="{language(value_text(raw))}">{html}</dd>'


def _run_html(run: Run) -> str:
    """Writes one run: its gap, its text in a mark if it has one, and the weight of a phrase behind its end."""
    text = escape(value_text(run.text))
    if not run.level and run.weight is None and not run.edit:
        return run.gap + text
    sign = "" if run.weight is None else "minus" if run.weight < 0 else "plus"
    classes = " ".join(filter(None, [run.edit, f"n{min(run.level, 4)}" if run.level else "", sign]))
    weight = ""
    if run.ends_phrase:
        weight = f"<sup>{signed(run.weight)}</sup>"
    return f'{run.gap}<mark class="{classes}">{text}</mark>{weight}'


def _other_references(references: Sequence[str]) -> str:
    """Shows the references that METEOR did not choose."""
    rows = [_row("other reference", escape(text) or "(empty)", text) for text in references]
    return _list(rows) if rows else ""
