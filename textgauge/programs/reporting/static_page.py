"""The page of a metric: the app, and the card."""

import json
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from ..page.session import Session
from ..reading.card import KOREAN_CARD, read_card
from ..saying.texts import TEXTS
from .pages import page_html

PAGE = Path(__file__).resolve().parents[1] / "page"  # where its script and its style are
_OF_APP = "app_"  # how the keys of its texts begin


def metric_page(session: Session, folder: Path, name: str, script: str, worker: dict[str, Any] | None = None) -> str:
    """Returns the page, with its examples scored, so that they are there before Python is.

    Args:
        session: of the metric.
        folder: where its README.md and examples.json are.
        name: what `evaluate.load` takes to load it, such as "org/bleu".
        script: the address of page.js.
        worker: the address of worker.js, "worker", and what it loads, "start"; None where a server computes.
    """
    front, card = read_card(folder)
    korean, korean_card = read_card(folder, KOREAN_CARD) if (folder / KOREAN_CARD).is_file() else (None, "")
    examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
    texts = {key.removeprefix(_OF_APP): text for key, text in TEXTS.items() if key.startswith(_OF_APP)}
    data = {
        "texts": texts,
        "form": session.form(examples),
        "examples": [session.example(example) for example in examples],
        **(worker or {}),
    }
    return page_html(
        "static.html",
        front=front,
        card=card_html(card),
        korean=korean,
        korean_card=card_html(korean_card),
        load=name,
        page_style=(PAGE / "page.css").read_text(encoding="utf-8"),
        data=data,
        script=script,
        privacy="privacy" if worker else "privacy_server",
    )


def card_html(card: str) -> str:
    """Returns the text of a card as HTML, in which what is too wide can be scrolled, also by the keyboard."""
    html = MarkdownIt("commonmark").enable("table").render(card)
    html = html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    # an empty heading says nothing to those who hear it
    return html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
