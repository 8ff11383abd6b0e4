"""The app of every metric's Space: takes texts and options, shows scores, segments and their explanations.

It knows no metric: options come from its table, explanations from the metric's own `explain`.
"""

import atexit
import inspect
import json
import os
import re
import shutil
import tempfile
import warnings
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import gradio as gr

from ..drawing.draw import STYLE
from ..errors import InputError, is_bad_input
from ..reading.card import KOREAN_CARD, read_card
from ..reading.columns import is_table
from ..saying.texts import LANGUAGES, say, speaking
from .controls import LABEL, column_label, control, labels
from .form import entered_options
from .grid import fill_column, heading_text, headings, read_table, to_cells
from .limits import MOST_BYTES, SUFFIXES, check_rows, check_upload, in_time
from .results import given_html, scores_html, segment_table, shown_headings, shown_table, write_downloads
from .scoring import (
    Scored,
    example_cells,
    explanation_html,
    message_of,
    reference_sets,
    score_cells,
    widened,
)

FONTS = ["system-ui", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic", "sans-serif"]
PAGE_STYLE = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
# gradio's own page knows the number of columns by its former name, and would keep a column too many
_COLUMN_COUNTS = [name for name in ("column_count", "col_count") if name in inspect.signature(gr.Dataframe).parameters]
warnings.filterwarnings("ignore", "The `col_count` parameter is deprecated")
_FILES = tempfile.mkdtemp(prefix="metric-app-")
atexit.register(shutil.rmtree, _FILES, ignore_errors=True)


class Outputs(NamedTuple):
    """What the app shows of a result: the places on the page, or what a call puts into each of them."""

    problem: Any
    scores: Any
    json: Any
    csv: Any
    table: Any  # of segments
    segment: Any  # number of the one that is explained
    explanation: Any
    given: Any  # which options differ from their defaults
    scored: Any  # not shown: what `explain` needs


class MetricApp:
    """One metric with its card and examples, and the page that is made of them.

    Args:
        metric: as it was loaded.
        folder: with its card and its examples.
        model: a language model that visitors may choose; they cannot name one.

    Raises:
        InputError: the metric takes no model.
    """

    def __init__(self, metric: Any, folder: Path, model: str | None = None):
        if model is not None and all(option.kind != "model" for option in metric.OPTIONS.values()):
            raise InputError(f"{metric.name} takes no language model; leave out {model}")
        self.metric = metric
        self.name = self.metric.name
        self.front, english = read_card(folder)
        korean_front, korean = self.front, ""
        if (folder / KOREAN_CARD).is_file():
            korean_front, korean = read_card(folder, KOREAN_CARD)
        # the Korean card has the sections that one reads first
        self.cards = {"en": (self.front, english), "ko": (korean_front, f"{korean}\n\n---\n\n{english}")}
        self.examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
        self.options = entered_options(self.metric, model)

    def blocks(self) -> gr.Blocks:
        """Builds the page."""
        with gr.Blocks(title=self.front["title"], analytics_enabled=False) as page:
            gr.Markdown(f"# {self.front['emoji']} {self.front['title']}\n\n{LABEL('description')}")
            with gr.Tab(LABEL("app_score")), gr.Row(elem_id="sides"):
                with gr.Column():
                    example, table, button = self._inputs()
                with gr.Column():
                    places = self._outputs()
                with gr.Column():
                    changed_options, options = self._settings()
            with gr.Tab(LABEL("app_about")):
                gr.Markdown(LABEL("card"), elem_classes="card")
            outputs = Outputs(**places, given=changed_options)
            scoring = {"fn": _heard(self.compute), "inputs": [table, *options], "outputs": list(outputs)}
            button.click(**scoring)
            for chosen in (example.input, page.load):
                chosen(_heard(self.choose), example, [table, *options]).success(**scoring)
            outputs.segment.change(_heard(self.explain), [outputs.scored, outputs.segment], outputs.explanation)
        return page

    def _inputs(self) -> tuple[gr.Radio, gr.Dataframe, gr.Button]:
        """Builds examples, the table of texts, and files."""
        titles = [example["title"] for example in self.examples]
        example = gr.Radio(titles, value=titles[0], label=LABEL("app_example"))
        cells, *_ = self.choose(titles[0])
        table = gr.Dataframe(
            value=cells["value"], headers=cells["headers"], type="array", interactive=True, wrap=True,
            label=LABEL("app_texts"), show_row_numbers=True, elem_id="texts", buttons=[],
            column_widths=cells["column_widths"], column_count=cells["column_count"],
        )  # fmt: skip
        if len(headings(self.metric, 2)) > len(headings(self.metric, 1)):
            gr.Button(LABEL("app_widen"), size="sm").click(_heard(self.widen), table, table)
        button = gr.Button(LABEL("app_score"), variant="primary", elem_id="score")
        problem = gr.HTML(visible=False, apply_default_css=False)
        with gr.Accordion(LABEL("app_files"), open=False):
            names = headings(self.metric, 1)
            column = gr.Dropdown([(column_label(name), name) for name in names], label=LABEL("app_column"))
            gr.Markdown(f"{LABEL('app_file_help')} {', '.join(names)}")
            files = gr.File(label=LABEL("app_file"), file_types=list(SUFFIXES), height=160)
            files.upload(_heard(self.upload), [files, column, table], [table, problem])
        return example, table, button

    def _settings(self) -> tuple[gr.HTML, list[Any]]:
        """Builds what says which options differ from their defaults, and all options, those of the examples first."""
        changed_options = gr.HTML(apply_default_css=False, elem_id="given")
        _, *updates = self.choose(self.examples[0]["title"])
        update_of = dict(zip(self.options, updates, strict=True))
        prominent = {name for example in self.examples for name in example.get("options", {})}
        controls = {}
        with gr.Accordion(LABEL("app_options"), open=False):
            for name in sorted(self.options, key=lambda name: name not in prominent):
                controls[name] = control(name, self.options[name], update_of[name]["value"])
        return changed_options, [controls[name] for name in self.options]

    def _outputs(self) -> dict[str, Any]:
        """Builds the places of the result, by their names in `Outputs`, from top to bottom."""
        places = {
            "scored": gr.State(),
            "problem": gr.HTML(visible=False, apply_default_css=False),
            "scores": gr.HTML(apply_default_css=False),
        }
        with gr.Row():
            for kind in ("JSON", "CSV"):
                title = f"{LABEL('app_download')} {kind}"
                places[kind.lower()] = gr.DownloadButton(title, size="sm", visible=False)
        places["table"] = gr.Dataframe(
            type="array", interactive=False, wrap=True, label=LABEL("app_segments"), show_row_numbers=True,
            visible=False, elem_id="segments", buttons=[],
        )  # fmt: skip
        places["segment"] = gr.Number(1, precision=0, label=LABEL("app_explain"), visible=False, elem_id="segment")
        places["explanation"] = gr.HTML(elem_id="explanation", apply_default_css=False)
        places["table"].select(_selected, None, places["segment"])
        return places

    def choose(self, title: str) -> list[Any]:
        """Returns the texts of an example, and the value of each option with it."""
        [example] = [example for example in self.examples if example["title"] == title]
        names, rows, values = example_cells(self.metric, self.options, example)
        updates = [_table(names, rows)]
        for option, value in zip(self.options.values(), values, strict=True):
            if option.headings:
                updates.append(gr.update(value=value, headers=list(map(heading_text, option.headings))))
            else:
                updates.append(gr.update(value=value))
        return updates

    def widen(self, rows: list[list[Any]]) -> Any:
        """Adds a column of references to the table."""
        return _table(*widened(self.metric, rows))

    def upload(self, path: str, column: str, rows: list[list[Any]]) -> list[Any]:
        """Returns the table filled from a file, or a message."""
        names = headings(self.metric, reference_sets(self.metric, rows))
        try:
            check_upload(path)
            if is_table(path):
                names, cells = to_cells(self.metric, in_time(read_table, self.metric, path))
            else:
                cells = fill_column(rows, len(names), names.index(column), path)
            check_rows(cells)
        except Exception as error:
            if not is_bad_input(error):
                raise  # gradio logs it, and the page says that there was an error
            return [gr.skip(), _problem(str(error).replace(path, Path(path).name))]
        return [_table(names, cells), gr.update(visible=False)]

    def compute(self, rows: list[list[Any]], *values: Any) -> Outputs:
        """Scores the table; or says what is wrong, in the metric's own words."""
        try:
            check_rows(rows)
            return in_time(self._computed, rows, values)
        except Exception as error:
            if not is_bad_input(error):
                raise
            hidden = Outputs(**dict.fromkeys(Outputs._fields, gr.update(visible=False)))
            return hidden._replace(problem=_problem(message_of(self.metric, error)), scored=None)

    def _computed(self, rows: list[list[Any]], values: Sequence[Any]) -> Outputs:
        """Scores the table; raises what is wrong."""
        scored = score_cells(self.metric, self.options, rows, values)
        columns = scored["columns"]
        options = scored["options"]
        result = scored["result"]
        table = segment_table(self.metric, columns, result)
        count = len(columns["predictions"])
        n_scores = len(table[0]) - 2
        has_segments = n_scores > 0
        wanted = max(24, 10 + 2 * len(table[0][1]))  # percent, for a name that stays in one line
        widths = [f"{wanted}%", f"{84 - wanted}%"] if n_scores == 1 else [*[92] * n_scores, "28%"]
        headers = list(map(heading_text, shown_headings(self.metric, table)))
        scores = scores_html(self.metric, columns, options, result)
        explanation = explanation_html(self.metric, scored, 1)
        json_path, csv_path = write_downloads(self.metric, result, table, _FILES)

        updates = {}
        updates["problem"] = gr.update(visible=False)
        updates["scores"] = gr.update(value=scores, visible=True)
        updates["json"] = gr.update(value=json_path, visible=True)
        updates["csv"] = gr.update(value=csv_path, visible=has_segments)
        updates["table"] = gr.update(
            value=shown_table(table), headers=headers, column_widths=widths, visible=has_segments
        )
        updates["segment"] = gr.update(value=1, visible=has_segments, label=say("app_explain_of", count=count))
        updates["explanation"] = gr.update(value=explanation, visible=has_segments)
        updates["given"] = gr.update(value=given_html(options), visible=True)
        return Outputs(**updates, scored=scored)

    def explain(self, scored: Scored | None, number: float | None) -> str:
        """Explains the score of a segment, as HTML."""
        try:
            return in_time(explanation_html, self.metric, scored, number)
        except InputError as error:
            return _problem_html(str(error))


def launch(app: MetricApp, **arguments: Any) -> None:
    """Serves the app, with the fonts of the reader's system and nothing from elsewhere."""
    arguments.setdefault("max_file_size", MOST_BYTES)
    theme = gr.themes.Default(font=FONTS, font_mono=["ui-monospace", "NanumGothicCoding", "monospace"])
    # gradio's own grey is too light to read, and so is its orange below white letters
    theme = theme.set(block_info_text_color="*neutral_600", block_info_text_color_dark="*neutral_300")
    fills = ("button_primary_background_fill", "button_primary_background_fill_hover")
    theme = theme.set(**{f"{name}{mode}": "*primary_700" for name in fills for mode in ("", "_dark")})
    head = f"<style>{STYLE}{PAGE_STYLE}</style>"
    texts = labels(app.name, app.options, app.cards)
    app.blocks().launch(theme=theme, head=head, i18n=texts, footer_links=[], **arguments)


def _heard(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Returns a handler that answers in the language of the reader, and says what is wrong."""

    def answer(request: gr.Request, *arguments: Any) -> Any:
        languages = re.findall(rf"\b({'|'.join(LANGUAGES)})\b", request.headers.get("accept-language", ""))
        with speaking(*(languages or LANGUAGES)[:1]):
            try:
                return handler(*arguments)
            except InputError as error:
                raise gr.Error(str(error)) from None

    answer.__name__ = handler.__name__  # of what the app can be asked for by programs
    return answer


def _table(names: list[str], rows: list[list[str]]) -> Any:
    """Returns the table of texts with columns of equal width, as narrow as the page unless there are many."""
    width = f"{84 // len(names)}%" if len(names) < 5 else 92
    # a column is known by its position, so that users may not insert or delete one
    column_counts = dict.fromkeys(_COLUMN_COUNTS, (len(names), "fixed"))
    headers = list(map(heading_text, names))
    return gr.update(value=rows, headers=headers, column_widths=[width] * len(names), **column_counts)


def _problem(message: str) -> Any:
    return gr.update(value=_problem_html(message), visible=True)


def _problem_html(message: str) -> str:
    return f'<div class="drawing error" role="alert">{escape(message)}</div>'


def _selected(event: gr.SelectData) -> int:
    return event.index[0] + 1
