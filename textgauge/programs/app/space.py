"""The Space of a metric where gradio serves: a table, options, result, drawing and API; it knows no metric."""

import json
import os
import re
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr

from ..drawing.draw import STYLE
from ..page.grid import heading_text
from ..page.limits import Limits
from ..page.session import Session
from ..reading.card import KOREAN_CARD, read_card
from ..saying.texts import LANGUAGES, TEXTS
from .workers import WORKERS, Workers

MOST_WAITING = 50  # visitors' questions, behind those that are being answered
LABEL = gr.I18n()  # marks a text by its key, for the browser to fill in
_QUEUE: Any = {"concurrency_id": "compute", "concurrency_limit": WORKERS, "api_visibility": "private"}
_FILES = [".csv", ".tsv", ".jsonl"]
_STYLE = """
:root { color-scheme: light; } .dark { color-scheme: dark; } .gradio-container { word-break: keep-all; }
.error { border: 2px solid var(--score); padding: .5rem .75rem; overflow-wrap: anywhere; }
.scores { display: flex; flex-wrap: wrap; gap: .5rem 2rem; } .scores b { font-size: 2rem; }
.signature code { overflow-wrap: anywhere; white-space: normal; }
.plot svg { display: block; width: 100%; height: auto; }
"""


def launch(load: Callable[[], Any], folder: Path, **arguments: Any) -> None:
    """Serves the Space of a metric with the card and the examples of a folder; `load` makes it in each process."""
    space = Space(load, folder)
    theme = gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    # gradio's own grey is too light to read, and so is its orange below white letters
    theme = theme.set(button_primary_background_fill="*primary_700", block_info_text_color="*neutral_600")
    page = space.page().queue(max_size=MOST_WAITING, default_concurrency_limit=WORKERS)
    # without show_error gradio answers input that it refuses itself with {"error": null}
    shown: dict[str, Any] = {"footer_links": ["api"], "show_error": True}
    arguments = {"max_file_size": Limits().upload_bytes, **shown, **arguments}
    page.launch(theme=theme, head=f"<style>{STYLE}{_STYLE}</style>", i18n=space.labels(), **arguments)


class Space:
    """The page of a metric and what it asks of the processes that compute."""

    def __init__(self, load: Callable[[], Any], folder: Path):
        session = Session(load(), limits=Limits())
        [example, *_] = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
        self._form = session.form([])
        self._example = session.example(example)
        self._front, card = read_card(folder)
        self._cards = dict.fromkeys(LANGUAGES, {"description": self._front["description"], "card": card})
        if (folder / KOREAN_CARD).is_file():
            korean_front, korean = read_card(folder, KOREAN_CARD)
            self._cards["ko"] = {"description": korean_front["description"], "card": f"{korean}\n\n---\n\n{card}"}
        self._workers = Workers(load)

    def page(self) -> gr.Blocks:
        """Builds the page, and the API that programs call: `score`."""
        with gr.Blocks(title=self._front["title"], analytics_enabled=False) as page:
            gr.Markdown(f"# {self._front['emoji']} {self._front['title']}\n\n{LABEL('description')}")
            with gr.Row():
                with gr.Column():
                    table = self._table()
                    button = gr.Button(LABEL("app_score"), variant="primary", elem_id="score")
                    file = gr.UploadButton("CSV, TSV, JSONL", file_types=_FILES, size="sm", elem_id="file")
                    with gr.Accordion(LABEL("app_options"), open=False):
                        controls = list(map(_control, self._form["controls"], self._example["values"]))
                with gr.Column():
                    result = gr.HTML(elem_id="result", apply_default_css=False)
                    as_json = gr.JSON(label="JSON")
                    segment = gr.Number(1, precision=0, label=LABEL("app_explain"), elem_id="segment")
                    drawing = gr.HTML(elem_id="explanation", apply_default_css=False)
            gr.Markdown(LABEL("card"))
            explained = (self._explain, [segment, table, *controls], drawing)
            for event in (button.click, page.load):
                scored = event(self._score, [table, *controls], [result, as_json], **_QUEUE)
                scored.then(*explained, **_QUEUE)
            segment.change(*explained, **_QUEUE)
            file.upload(self._upload, file, [table, result], **_QUEUE)
            gr.api(self.score, api_name="score", concurrency_id=_QUEUE["concurrency_id"])
        return page

    def labels(self) -> gr.I18n:
        """Returns what LABEL marks, in each language: words of the app, help of the options, and the card."""
        marked = {}
        for language in LANGUAGES:
            texts = {key: said[language] for key, said in TEXTS.items() if key.startswith("app_")}
            for control in self._form["controls"]:
                # gradio sets text between two asterisks in italics, and knows no escape
                texts[f"help_{control['name']}"] = control["help"][language].replace("*", "∗")
            marked[language] = {**texts, **self._cards[language]}
        return gr.I18n(**marked)

    def score(self, rows: list, options: dict) -> dict:
        """Returns the scores of rows of cells, as the table has them; options have the values of their controls."""
        controls = self._form["controls"]
        unknown = options.keys() - {control["name"] for control in controls}
        if unknown:
            names = ", ".join(control["name"] for control in controls)
            raise gr.Error(f"there is no option {', '.join(sorted(unknown))}; there are {names}", print_exception=False)
        values = [options.get(control["name"], control["default"]) for control in controls]
        answer = self._workers.answer({"do": "score", "rows": rows, "values": values})
        if "error" in answer:
            raise gr.Error(answer["error"], print_exception=False)
        return json.loads(answer["json"])

    def _table(self) -> gr.Dataframe:
        """Builds the table of texts with the first example; a column is known by its position."""
        names = self._example["headings"]
        return gr.Dataframe(
            self._example["rows"], headers=list(map(heading_text, names)), column_count=(len(names), "fixed"),
            type="array", interactive=True, wrap=True, label=LABEL("app_texts"), show_row_numbers=True, elem_id="texts",
        )  # fmt: skip

    def _score(self, request: gr.Request, rows: list, *values: Any) -> tuple[str, Any]:
        """Returns the result as HTML and as JSON, or a message."""
        answer, language = self._ask(request, do="score", rows=rows, values=values)
        if "error" in answer:
            return _problem(answer, language), None
        return answer["html"][language], json.loads(answer["json"])

    def _explain(self, request: gr.Request, number: float | None, rows: list, *values: Any) -> str:
        """Returns a segment explained as HTML, or a message."""
        answer, language = self._ask(request, do="explain", rows=rows, values=values, number=number or 0)
        return _problem(answer, language) if "error" in answer else answer["html"][language]

    def _upload(self, request: gr.Request, path: str) -> tuple[Any, str]:
        """Returns the table filled from a file, and nothing; or the table as it is, and a message."""
        content = Path(path).read_bytes().decode("latin-1")
        answer, language = self._ask(request, do="upload", name=Path(path).name, content=content, column="", rows=[])
        if "error" in answer:
            return gr.skip(), _problem(answer, language)
        names = answer["headings"]
        headers = list(map(heading_text, names))
        return gr.update(value=answer["rows"], headers=headers, column_count=(len(names), "fixed")), ""

    def _ask(self, request: gr.Request, **question: Any) -> tuple[dict[str, Any], str]:
        """Returns the answer to a question, and the language of the reader."""
        languages = re.findall(rf"\b({'|'.join(LANGUAGES)})\b", request.headers.get("accept-language", ""))
        language = [*languages, *LANGUAGES][0]
        return self._workers.answer({**question, "language": language}), language


def _control(described: dict[str, Any], value: Any) -> Any:
    """Builds the control of one option, as `Session.form` describes it."""
    name = described["name"]
    common = {"value": value, "label": name, "info": LABEL(f"help_{name}"), "elem_id": f"option-{name}"}
    if described["kind"] == "checkbox":
        return gr.Checkbox(**common)
    if described["kind"] == "choice":
        return gr.Dropdown(described["choices"], **common)
    if described["kind"] == "number":
        return gr.Number(precision=0 if described["is_integer"] else None, **common)
    if described["kind"] == "table":
        label = f"{name}: {common.pop('info')}"
        headers = list(map(heading_text, described["headings"]))
        return gr.Dataframe(
            headers=headers, type="array", interactive=True, wrap=True, column_count=(2, "fixed"),
            **{**common, "label": label},
        )  # fmt: skip
    return gr.Textbox(placeholder=described["placeholder"], **common)


def _problem(answer: dict[str, Any], language: str) -> str:
    text = f"{TEXTS['app_error'][language]}{answer['error']}"
    return f'<div class="drawing error" role="alert">{escape(text)}</div>'
