"""The page of a static Space: the card, and the examples with their scores and explanations, computed beforehand.

Nothing runs in the browser: Pyodide has numpy and pyarrow, but neither rapidfuzz (compiled; pyodide-recipes issue 240)
nor what `datasets` needs of multiprocessing, so that the metrics cannot be imported there.
"""

import json
import re
from pathlib import Path
from typing import Any

import jinja2
import yaml
from markdown_it import MarkdownIt

from .drawing import STYLE
from .drawing import language
from .drawing import legend
from .drawing.segments import draw_segment
from .drawing.segments import explaining_options
from .drawing.tokens import table
from .option_values import per_segment
from .scatter import compares_scores
from .scatter import scatter_html
from .values import interval_text
from .values import number_text

_TEMPLATES = Path(__file__).resolve().parent / "templates"
_CONFIDENCE = 0.95


def static_page(metric: Any, folder: Path, name: str) -> str:
    """Returns the page, which needs no other file and nothing from elsewhere.

    Args:
        metric: the loaded metric.
        folder: where its README.md and examples.json stand.
        name: what `evaluate.load` takes to load it, such as "org/bleu".
    """
    _, front, card = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    scored = [_score(metric, example) for example in examples]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters.update(number=number_text, language=language)
    return environment.get_template("static.html").render(
        front=yaml.safe_load(front),
        card=card_html(card),
        examples=scored,
        legend=legend(mark for example in scored for segment in example["segments"] for mark in segment["marks"]),
        style=STYLE,
        load=name,
    )


def card_html(card: str) -> str:
    """Returns a card as HTML, without its title, and without links to cards that are not beside it."""
    text = re.sub(r"\[([^]]*)\]\(\.\.?/[^)]*\)", r"\1", re.sub(r"\A\s*# .*\n", "", card))
    html = MarkdownIt("commonmark").enable("table").render(text)
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _score(metric: Any, example: dict[str, Any]) -> dict[str, Any]:
    """Returns the scores of an example, and its segments drawn."""
    columns, options = example["columns"], example.get("options", {})
    given = {"confidence": _CONFIDENCE, **options}
    result = metric.compute(**columns, **given, **per_segment(metric))
    prefixes = metric.headlines(result)
    others = {name: column for name, column in columns.items() if name != "predictions"}
    explaining = explaining_options(metric, given, others)
    segments = []
    has_segments = all(f"{prefix}segments" in result for prefix in prefixes.values())
    for row in range(len(columns["predictions"]) if has_segments else 0):
        drawing, reason = draw_segment(metric, explaining, columns["predictions"], others, row)
        scores = [(key, result[f"{prefix}segments"][row]) for key, prefix in prefixes.items()]
        segments.append({"scores": scores, "html": drawing.html, "marks": drawing.marks, "reason": reason})
    return {
        "title": example["title"],
        "options": ", ".join(f"{option}={value!r}" for option, value in options.items()),
        "scores": [
            {"name": key, "value": result[key], "interval": interval_text(result, prefix)}
            for key, prefix in prefixes.items()
        ],
        "signature": metric.signature(references=columns.get("references"), **given),
        "scatter": scatter_html(columns, given, result) if compares_scores(metric) else "",
        "segments": segments,
        "table": table(result),
    }
