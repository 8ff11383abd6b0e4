"""Draws the explanation of a segment; the one place that knows the kinds of explanations, by their keys."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from ..saying.texts import HANGUL, LANGUAGES, START, one_text, say
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
        html = values + links_svg(explanation) + _other_references(others)
        return Drawing(html, frozenset(["links"]))
    if {"prediction", "references", "matches"} <= keys:
        return _draw_matches(explanation, prediction, references, source)
    if {"alignment", "reference_index"} <= keys:
        return _draw_texts(edits(explanation, prediction, references), prediction, references)
    values = worth_table(explanation) if "ngrams" in keys else table(explanation)
    texts = draw_plain(prediction, references, source).html
    return Drawing(texts + values, frozenset())


def draw_plain(prediction: str, references: Sequence[str], source: str = "") -> Drawing:
    """Shows the texts without marks."""
    drawing = _draw_texts(plain_texts(prediction, references), prediction, references)
    if not source:
        return drawing
    return drawing._replace(html=drawing.html + draw_source(source))


def draw_source(source: str) -> str:
    """Shows the text that was translated or rewritten."""
    return _list([_row(say("source"), escape(source), source)])


def legend(marks: Iterable[str]) -> str:
    """Explains the marks."""
    marks = set(marks)
    shown = "".join(html() for name, html in LEGENDS.items() if name in marks)
    if not shown:
        return ""
    note = f'<p class="quiet">{say("legend_references")}</p>' if "matches" in marks else ""
    label = say("legend")
    return f'<div class="drawing legend quiet" role="group" aria-label="{label}">{shown}</div>{note}'


def language(shown: str) -> str:
    """Returns "ko" for a text with Korean letters, for the choice of fonts and voices, and "" (unknown) for others.

    Texts in all languages appear in the one that is shown.
    """
    if START in shown:
        return one_text({name: name for name in LANGUAGES})
    return "ko" if HANGUL.search(shown) else ""


def _draw_matches(explanation: dict[str, Any], prediction: str, references: Sequence[str], source: str) -> Drawing:
    """Draws matched n-grams; below them those in common with a source, and what n-grams are worth."""
    names = reference_names(explanation, references)
    drawing = _draw_texts(matched_ngrams(explanation, prediction, references), prediction, references, names)
    html, marks = drawing
    if "source_matches" in explanation:
        texts = copied_ngrams(explanation, prediction, source)
        copies = _draw_texts(texts, prediction, [source], [say("source")], is_copied=True)
        html += copies.html
        if copies.marks:
            marks |= {"copies"}
    html += worth_table(explanation)
    if "words" in explanation:
        words = _draw_matches(explanation["words"], prediction, references, source)
        html += words.html
        marks |= words.marks
    return Drawing(html, marks)


def _draw_streams(explanation: dict[str, Any]) -> Drawing:
    """Draws who is who in a session, what both said, and what was written for another speaker."""
    html, marks = "", frozenset()
    for stream in explanation["streams"]:
        reference, prediction = stream["texts"]
        drawing = _draw_texts(edits(stream, prediction, [reference]), prediction, [reference])
        html += f"<p>{escape(speakers_text(stream))}</p>{drawing.html}"
        marks |= drawing.marks
    moved = "".join(f"<li>{escape(text)}</li>" for text in wrong_speaker_texts(explanation))
    if moved:
        html += f"<ul>{moved}</ul>"
    return Drawing(html, marks)


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
        html = "".join(map(_stretch_html, stretches)).strip()
        rows.append(_row(name, html or say("empty"), raw))
    marks: set[str] = set()
    for stretch in itertools.chain.from_iterable(texts):
        marks.update(_marks(stretch))
    return Drawing(_list(rows, is_copied), frozenset(marks))


def _marks(stretch: Stretch) -> Iterator[str]:
    """Yields the entries of a legend for a stretch."""
    if stretch.level or any(token.level for token in stretch.over):
        yield "matches"
    if stretch.over:
        yield "read"

    if stretch.note:
        yield stretch.note
    elif stretch.weight is not None:
        yield "weights"

    if stretch.edit:
        yield {"shift": "shifts", "removed": "removed"}.get(stretch.edit, "edits")
        if "␣" in stretch.text:
            yield "blanks"


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
    classes = []
    if stretch.edit:
        classes.append(stretch.edit)
    if stretch.note:
        classes.append("missed")
    if stretch.level:
        classes.append(f"n{min(stretch.level, 4)}")
    if stretch.weight is not None:
        classes.append("minus" if stretch.weight < 0 else "plus")
    weight = f"<sup>{noted_weight(stretch, signed(stretch.weight))}</sup>" if stretch.ends_phrase else ""
    return f'{stretch.gap}<mark class="{" ".join(classes)}">{shown}</mark>{weight}'


def _other_references(references: Sequence[str]) -> str:
    """Shows the references that METEOR did not choose."""
    rows = [_row(say("other_reference"), escape(other) or say("empty"), other) for other in references]
    return _list(rows) if rows else ""
