"""METEOR's alignment as SVG: two sentences with lines between matched words, the stage as colour, chunks as frames.

Drawn twice, across and down the page; the style sheet shows the one that fits the width there is.
"""

import math
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from ..saying.texts import say
from ..saying.values import number_text
from ..saying.widths import text_width

STAGES = ("exact", "stem", "synonym")
_EM, _PADDING, _GAP = 16, 6, 12
_ROW, _DISTANCE = 26, 96
_WIDTHS = (320, 480, 640, 800, 960)  # of pages, which the style sheet names


class Box(NamedTuple):
    """The place of a word."""

    left: float
    top: float
    width: float
    height: float = _ROW


def links_svg(explanation: dict[str, Any]) -> str:
    """Draws the alignment with the chosen reference; a link is [prediction word, reference word, stage, chunk]."""
    sides = (explanation["prediction"], explanation["references"][explanation["reference_index"]])
    links = [tuple(link) for link in explanation["links"]]
    label = escape(_description(sides, links))
    across = _across(sides)
    width, height = _extent(across)
    narrowest = next((limit for limit in _WIDTHS if width <= limit), None)
    down = _down(sides)
    down_svg = _svg(sides, links, down, *_extent(down), label, "down", is_across=False)
    if narrowest is None:
        return f'<div class="links">{down_svg}</div>'
    across_svg = _svg(sides, links, across, width, height, label, "across", is_across=True)
    return f'<div class="links fits-{narrowest}">{across_svg}{down_svg}</div>'


def links_text(explanation: dict[str, Any]) -> str:
    """Says how the score comes from the matches."""
    names = ("precision", "recall", "fmean", "penalty", "score")
    values = {name: number_text(explanation[name]) for name in names}
    return say("meteor_values", chunks=say("chunks", n=explanation["chunks"]), **values)


def stage_class(stage: Any) -> str:
    """Returns the class of a stage in the style sheet."""
    return str(stage) if stage in STAGES else "other"


def _description(sides: Sequence[Sequence[str]], links: Sequence[tuple]) -> str:
    """Says in words what the picture shows, for those who cannot see it."""
    if not links:
        return say("links_none")
    pairs = [
        say(
            "link",
            prediction=sides[0][prediction_token],
            reference=sides[1][reference_token],
            stage=_stage_text(stage),
            chunk=chunk + 1,
        )
        for prediction_token, reference_token, stage, chunk in links
    ]
    chunks = say("chunks", n=len({link[3] for link in links}))
    return say("links", links=len(links), chunks=chunks, pairs="; ".join(pairs))


def _stage_text(stage: Any) -> str:
    return say(f"legend_{stage}") if stage in STAGES else str(stage)


def _word_width(word: str) -> float:
    return text_width(word) * _EM * 0.55 + 2 * _PADDING


def _across(sides: Sequence[Sequence[str]]) -> list[list[Box]]:
    """Places the prediction above the reference, each in one line."""
    placed = []
    for words, top in zip(sides, (_ROW, 2 * _ROW + _DISTANCE), strict=True):
        left = _PADDING
        boxes: list[Box] = []
        for word in words:
            boxes.append(Box(left, top, _word_width(word)))
            left += boxes[-1].width + _GAP
        placed.append(boxes)
    return placed


def _down(sides: Sequence[Sequence[str]]) -> list[list[Box]]:
    """Places the prediction left of the reference, a word per line."""
    prediction_widths, reference_widths = (list(map(_word_width, words)) for words in sides)
    edge = _ROW + max(prediction_widths, default=0)  # where the words of the prediction end
    predictions = []
    for row, width in enumerate(prediction_widths):
        predictions.append(Box(edge - width, _top_of_row(row), width))
    references = []
    for row, width in enumerate(reference_widths):
        references.append(Box(edge + _DISTANCE, _top_of_row(row), width))
    return [predictions, references]


def _top_of_row(row: int) -> float:
    return _PADDING + row * (_ROW + _PADDING)


def _extent(placed: Sequence[Sequence[Box]]) -> tuple[int, int]:
    """Returns width and height of the picture, with room for the numbers of the chunks."""
    boxes = [box for side in placed for box in side]
    right = max((box.left + box.width for box in boxes), default=0)
    bottom = max((box.top + box.height for box in boxes), default=0)
    return math.ceil(right) + _ROW, math.ceil(bottom) + _ROW


def _svg(
    sides: Sequence[Sequence[str]],
    links: Sequence[tuple],
    placed: Sequence[Sequence[Box]],
    width: int,
    height: int,
    label: str,
    name: str,
    *,
    is_across: bool,
) -> str:
    parts = [
        f'<svg class="{name}" role="img" aria-label="{label}" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">'
    ]
    for side in (0, 1):
        parts += _frames(links, placed[side], side, is_across)
    for prediction_token, reference_token, stage, _ in links:
        parts.append(_line(placed[0][prediction_token], placed[1][reference_token], stage, is_across))
    for side, words in enumerate(sides):
        matched = {link[side] for link in links}
        parts += [_word(word, placed[side][row], row in matched) for row, word in enumerate(words)]
    return "".join([*parts, "</svg>"])


def _frames(links: Sequence[tuple], boxes: Sequence[Box], side: int, is_across: bool) -> list[str]:
    """Draws a frame around the words of each chunk, and its number outside."""
    chunks: dict[int, list[Box]] = {}
    for link in links:
        chunks.setdefault(link[3], []).append(boxes[link[side]])
    frames = []
    for chunk, members in sorted(chunks.items()):
        left = min(box.left for box in members)
        top = min(box.top for box in members)
        right = max(box.left + box.width for box in members)
        bottom = max(box.top + box.height for box in members)
        if is_across:
            x = (left + right) / 2
            y = bottom + 16 if side else top - 7
        else:
            x = right + 10 if side else left - 10
            y = (top + bottom) / 2 + 5
        frames.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}" rx="6"/>'
            f'<text class="chunk" x="{x:.1f}" y="{y:.1f}">{chunk + 1}</text>'
        )
    return frames


def _line(start: Box, end: Box, stage: Any, is_across: bool) -> str:
    if is_across:
        x1 = start.left + start.width / 2
        y1 = start.top + start.height
        x2 = end.left + end.width / 2
        y2 = end.top
    else:
        x1 = start.left + start.width
        y1 = start.top + start.height / 2
        x2 = end.left
        y2 = end.top + end.height / 2
    return f'<line class="{stage_class(stage)}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _word(word: str, box: Box, is_matched: bool) -> str:
    kind = "" if is_matched else ' class="quiet"'
    return f'<text{kind} x="{box.left + box.width / 2:.1f}" y="{box.top + 18:.1f}">{escape(word) or "␣"}</text>'
