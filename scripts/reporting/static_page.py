"""The page of a static Space: the card, and the examples with their scores and explanations, computed beforehand.

Nothing runs in the browser: Pyodide has numpy and pyarrow, but neither rapidfuzz (compiled; pyodide-recipes issue 240)
nor what `datasets` needs of multiprocessing, so that the metrics cannot be imported there.
"""

import json
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from drawing import legend
from drawing.scatter import compares_scores
from drawing.scatter import scatter_html
from drawing.segments import draw_segment
from drawing.segments import explaining_options
from drawing.segments import score_columns
from drawing.tokens import table
from drawing.values import direction_text
from drawing.values import interval_text
from reading.card import read_card

from .pages import page_html

_CONFIDENCE = 0.95


def static_page(metric: Any, folder: Path, name: str) -> str:
    """Returns the page, which needs no other file and nothing from elsewhere.

    Args:
        metric: the loaded metric.
        folder: where its README.md and examples.json are.
        name: what `evaluate.load` takes to load it, such as "org/bleu".
    """
    front, card = read_card(folder)
    examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    scored = [_score(metric, example) for example in examples]
    return page_html(
        "static.html",
        front=front,
        card=card_html(card),
        examples=scored,
        legend=legend(mark for example in scored for segment in example["segments"] for mark in segment["marks"]),
        load=name,
    )


def card_html(card: str) -> str:
    """Returns the text of a card as HTML."""
    html = MarkdownIt("commonmark").enable("table").render(card)
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _score(metric: Any, example: dict[str, Any]) -> dict[str, Any]:
    """Returns the scores of an example, and its segments drawn."""
    columns, options = example["columns"], example.get("options", {})
    given = {"confidence": _CONFIDENCE, **options}
    result = score_columns(metric, columns, given)
    signature = result.pop("signature")
    prefixes = metric.headlines(result)
    explaining = explaining_options(metric, given, columns)
    lower = direction_text(metric)
    segments = []
    has_segments = all(f"{prefix}segments" in result for prefix in prefixes.values())
    for row in range(len(columns["predictions"]) if has_segments else 0):
        drawing, reason = draw_segment(metric, explaining, columns, row)
        scores = [(key, result[f"{prefix}segments"][row]) for key, prefix in prefixes.items()]
        segments.append({"scores": scores, "html": drawing.html, "marks": drawing.marks, "reason": reason})
    return {
        "title": example["title"],
        "options": ", ".join(f"{option}={value!r}" for option, value in options.items()),
        "scores": [
            {"name": key, "value": result[key], "interval": f"{interval_text(result, prefix)} {lower}".strip()}
            for key, prefix in prefixes.items()
        ],
        "signature": signature,
        "scatter": scatter_html(metric, columns, given, result) if compares_scores(metric) else "",
        "segments": segments,
        "table": table(result),
    }
