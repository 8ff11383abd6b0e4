"""The page of a metric's static Space: the app in the visitor's browser, and the card."""

import hashlib
import json
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from ..page.session import Session
from ..reading.card import KOREAN_CARD, read_card
from ..saying.texts import TEXTS
from .pages import page_html

_APP = Path(__file__).resolve().parents[1] / "page"
_OF_APP = "app_"  # how the keys of its texts begin


def static_page(metric: Any, folder: Path, name: str, start: dict[str, Any]) -> str:
    """Returns the page, with its examples scored, so that they are there before Python is.

    Args:
        metric: the loaded metric.
        folder: where its README.md, examples.json and the modules of the app are.
        name: what `evaluate.load` takes to load it, such as "org/bleu".
        start: what the worker loads: "metric", "runtime" and "files".
    """
    front, card = read_card(folder)
    korean, korean_card = read_card(folder, KOREAN_CARD) if (folder / KOREAN_CARD).is_file() else (None, "")
    examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    session = Session(metric)
    texts = {key.removeprefix(_OF_APP): text for key, text in TEXTS.items() if key.startswith(_OF_APP)}
    scored_examples = [session.example(example) for example in examples]
    data = {
        "texts": texts,
        "form": session.form(examples),
        "examples": scored_examples,
        "worker": _versioned(folder, "programs/page/worker.js"),
        "start": start,
    }
    return page_html(
        "static.html",
        front=front,
        card=card_html(card),
        korean=korean,
        korean_card=card_html(korean_card),
        load=name,
        page_style=(_APP / "page.css").read_text(encoding="utf-8"),
        data=data,
        script=_versioned(folder, "programs/page/page.js"),
    )


def card_html(card: str) -> str:
    """Returns the text of a card as HTML, in which what is too wide can be scrolled, also by the keyboard."""
    html = MarkdownIt("commonmark").enable("table").render(card)
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    # an empty heading says nothing to those who hear it
    return html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")


def _versioned(folder: Path, path: str) -> str:
    """Returns the address of a file, which changes with it, so that a browser keeps no earlier one."""
    content = (folder / path).read_bytes()
    return f"{path}?{hashlib.sha256(content).hexdigest()[:12]}"
