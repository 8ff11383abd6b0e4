"""Draws what a metric explains of a segment; the one place that knows the kinds of explanations, by their keys."""

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ..saying.texts import HANGUL, LANGUAGES, START, both, say
from .edits import edits
from .legends import LEGENDS
from .links import links_svg, links_text
from .ngrams import worth_table
from .speakers import speakers_text, wrong_speaker_texts
from .stretches import Stretch, copied_ngrams, matched_ngrams, noted_weight, plain_texts, reference_names
from .tokens import heat_map, signed, table, value_text

STYLE = Path(__file__).with_name("drawing.css").read_text(encoding="utf-8")


class Drawing(NamedTuple):
    """An explanation as HTML, and what a legend has to say of it: keys of `legend`."""

    html: str
    marks: frozenset[str]


def draw(explanation: dict[str, Any], prediction: str, references: Sequence[str], source: str = "") -> Drawing:
    """Draws an explanation; a kind that has no picture becomes a table."""
    keys = explanation.keys()
    if "streams" in keys:
        return _draw_streams(explanation)
    if {"tokens", "log_probabilities"} <= keys:
        return Drawing(heat_map(explanation), frozenset(["heat"]))
    if {"prediction", "references", "reference_index", "links"} <= keys:
        others = [other for index, other in enumerate(references) if index != explanation["reference_index"]]
        values = f'<p class="quiet">{links_text(explanation)}</p>' if "penalty" in keys else ""
        return Drawing(values + links_svg(explanation) + _other_references(others), frozenset(["links"]))
    if {"prediction", "references", "matches"} <= keys:
        return _draw_matches(explanation, prediction, references, source)
    if {"alignment", "reference_index"} <= keys:
        return _draw_texts(edits(explanation, prediction, references), prediction, references)
    shown = worth_table(explanation) if "ngrams" in keys else table(explanation)
    return Drawing(draw_plain(prediction, references, source).html + shown, frozenset())


def draw_plain(prediction: str, references: Sequence[str], source: str = "") -> Drawing:
    """Shows the texts without marks."""
    drawing = _draw_texts(plain_texts(prediction, references), prediction, references)
    return drawing._replace(html=drawing.html + draw_source(source)) if source else drawing


def draw_source(source: str) -> str:
    """Shows the text that was translated or rewritten."""
    return _list([_row(say("source"), escape(source), source)])


def legend(marks: Iterable[str]) -> str:
    """Says what marks mean."""
    marks = set(marks)
    shown = "".join(html() for name, html in LEGENDS.items() if name in marks)
    note = f'<p class="quiet">{say("legend_references")}</p>' if "matches" in marks else ""
    label = say("legend")
    return f'<div class="drawing legend quiet" role="group" aria-label="{label}">{shown}</div>{note}' if shown else ""


def language(shown: str) -> str:
    """Returns "ko" for a text with Korean letters, for the choice of fonts and voices, and "" (unknown) for others.

    What is said in all languages has the one that is shown.
    """
    if START in shown:
        return both({name: name for name in LANGUAGES})
    return "ko" if HANGUL.search(shown) else ""


def _draw_matches(explanation: dict[str, Any], prediction: str, references: Sequence[str], source: str) -> Drawing:
    """Draws matched n-grams; below them those in common with a source, and what n-grams are worth."""
    names = reference_names(explanation, references)
    drawing = _draw_texts(matched_ngrams(explanation, prediction, references), prediction, references, names)
    html, marks = drawing
    if "source_matches" in explanation:
        texts = copied_ngrams(explanation, prediction, source)
        copies = _draw_texts(texts, prediction, [source], [say("source")], is_copied=True)
        html, marks = html + copies.html, marks | ({"copies"} if copies.marks else set())
    drawing = Drawing(html + worth_table(explanation), frozenset(marks))
    if "words" not in explanation:
        return drawing
    words = _draw_matches(explanation["words"], prediction, references, source)
    return Drawing(drawing.html + words.html, drawing.marks | words.marks)


def _draw_streams(explanation: dict[str, Any]) -> Drawing:
    """Draws who is who in a session, what both said, and what was written for another speaker."""
    html, marks = "", frozenset()
    for stream in explanation["streams"]:
        reference, prediction = stream["texts"]
        drawing = _draw_texts(edits(stream, prediction, [reference]), prediction, [reference])
        html += f"<p>{escape(speakers_text(stream))}</p>{drawing.html}"
        marks |= drawing.marks
    moved = "".join(f"<li>{escape(text)}</li>" for text in wrong_speaker_texts(explanation))
    return Drawing(f"{html}<ul>{moved}</ul>" if moved else html, marks)


def _draw_texts(
    texts: Sequence[Sequence[Stretch]],
    prediction: Any,
    references: Sequence[Any],
    names: Sequence[str] = (),
    is_copied: bool = False,
) -> Drawing:
    """Draws marked texts, the prediction first; `names` are those of the references."""
    rows = []
    names = [say("prediction"), *(names or [say("reference")] * len(references))]
    for name, stretches, raw in zip(names, texts, [prediction, *references], strict=True):
        rows.append(_row(name, "".join(map(_stretch_html, stretches)).strip() or say("empty"), raw))
    stretches = [stretch for of_text in texts for stretch in of_text]
    kinds = {
        "matches": any(own.level for stretch in stretches for own in (stretch, *stretch.over)),
        "weights": any(stretch.weight is not None and not stretch.note for stretch in stretches),
        "missed": any(stretch.note == "missed" for stretch in stretches),
        "surplus": any(stretch.note == "surplus" for stretch in stretches),
        "edits": any(stretch.edit not in ("", "shift", "removed") for stretch in stretches),
        "shifts": any(stretch.edit == "shift" for stretch in stretches),
        "blanks": any(stretch.edit and "␣" in stretch.text for stretch in stretches),
        "removed": any(stretch.edit == "removed" for stretch in stretches),
        "read": any(stretch.over for stretch in stretches),
    }
    return Drawing(_list(rows, is_copied), frozenset(name for name, is_there in kinds.items() if is_there))


def _list(rows: Sequence[str], is_copied: bool = False) -> str:
    return f'<dl class="drawing{" copied" if is_copied else ""}">{"".join(rows)}</dl>'


def _row(name: str, html: str, raw: Any) -> str:
    return f'<dt>{name}</dt><dd dir="auto" lang="{language(value_text(raw))}">{html}</dd>'


def _stretch_html(stretch: Stretch) -> str:
    """Writes one stretch: its gap, its text in a mark if it has one, and the weight of a phrase behind its end.

    What it was read as is above it.
    """
    shown = escape(value_text(stretch.text))
    if stretch.over:
        shown = f"<ruby>{shown}<rt>{''.join(map(_stretch_html, stretch.over))}</rt></ruby>"
    if not stretch.level and stretch.weight is None and not stretch.edit:
        return stretch.gap + shown
    sign = "" if stretch.weight is None else "minus" if stretch.weight < 0 else "plus"
    level = f"n{min(stretch.level, 4)}" if stretch.level else ""
    classes = filter(None, [stretch.edit, "missed" if stretch.note else "", level, sign])
    weight = f"<sup>{noted_weight(stretch, signed(stretch.weight))}</sup>" if stretch.ends_phrase else ""
    return f'{stretch.gap}<mark class="{" ".join(classes)}">{shown}</mark>{weight}'


def _other_references(references: Sequence[str]) -> str:
    """Shows the references that METEOR did not choose."""
    rows = [_row(say("other_reference"), escape(other) or say("empty"), other) for other in references]
    return _list(rows) if rows else ""
