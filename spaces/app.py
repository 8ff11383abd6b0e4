"""The app of every metric's Space: texts and options in; scores, segments and what made them out.

In a Space it serves the metric script beside it. In a clone: `python spaces/app.py --metric bleu`, with the packages of
requirements-app.txt. It knows no metric: options come from its table, explanations from the metric's own `explain`.
"""

import argparse
import atexit
import csv
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
from html import escape
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")

import evaluate  # noqa: E402
import gradio as gr  # noqa: E402
import yaml  # noqa: E402

HERE = Path(__file__).resolve().parent
if not (HERE / "scoring").is_dir():  # in a clone the app shares these modules with the report
    sys.path.append(str(HERE.parent / "scripts"))

from scoring.drawing import STYLE  # noqa: E402
from scoring.drawing import legend  # noqa: E402
from scoring.drawing.segments import draw_segment  # noqa: E402
from scoring.drawing.segments import explaining_options  # noqa: E402
from scoring.grid import fill_column  # noqa: E402
from scoring.grid import from_cells  # noqa: E402
from scoring.grid import headings  # noqa: E402
from scoring.grid import is_table_file  # noqa: E402
from scoring.grid import read_table  # noqa: E402
from scoring.grid import to_cells  # noqa: E402
from scoring.option_values import choice_texts  # noqa: E402
from scoring.option_values import entered_options  # noqa: E402
from scoring.option_values import option_text  # noqa: E402
from scoring.option_values import per_segment  # noqa: E402
from scoring.option_values import plain_value  # noqa: E402
from scoring.option_values import read_option  # noqa: E402
from scoring.plots import finite  # noqa: E402
from scoring.plots import histograms  # noqa: E402
from scoring.scatter import compares_scores  # noqa: E402
from scoring.scatter import scatter_html  # noqa: E402
from scoring.values import interval_text  # noqa: E402
from scoring.values import json_value  # noqa: E402
from scoring.values import number_text  # noqa: E402

CONFIDENCE = 0.95
MOST_VALUES = 30  # of a list on the page; the file has all
BAD_INPUT = (ValueError, TypeError, ImportError, OSError)
FONTS = ["system-ui", "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic", "sans-serif"]
PAGE_STYLE = """
:root { color-scheme: light; } .dark { color-scheme: dark; }
.error { border: 2px solid var(--score); border-radius: .4rem; padding: .5rem .75rem; overflow-wrap: anywhere; }
.scores { display: flex; flex-wrap: wrap; gap: .5rem 2rem; } .scores p { margin: 0; }
.scores b { font-size: 2rem; font-variant-numeric: tabular-nums; }
.signature code { font-size: .8rem; overflow-wrap: anywhere; white-space: normal; }
.plot { max-width: 34rem; } .plot svg { display: block; width: 100%; height: auto; }
.drawing, .drawing p { font-size: 1rem; } .drawing p { margin: .25rem 0; }
.gradio-container :is(.drawing .quiet, .drawing.quiet, p.quiet) { color: var(--quiet); font-size: .875rem; }
.gradio-container .explained, .gradio-container .explained :is(tr, th, td) { border: 0; background: none; }
.gradio-container .explained :is(th, td) { border-bottom: 1px solid var(--rule); padding: .25rem .5rem; }
.gradio-container { overflow-wrap: break-word; } .table-wrap { --font-mono: var(--font); }
.table-wrap .header-cell { font-size: .75rem; }
@media (max-width: 40rem) { .table-wrap .header-cell { font-size: .7rem; } }
"""
_FILES = tempfile.mkdtemp(prefix="metric-app-")
atexit.register(shutil.rmtree, _FILES, ignore_errors=True)


class MetricApp:
    """One metric with its card and examples, and the page that is made of them."""

    def __init__(self, script: Path, folder: Path):
        self.metric = evaluate.load(str(script), keep_in_memory=True)
        self.name = self.metric.name
        _, front, self.card = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
        self.front = yaml.safe_load(front)
        self.examples = json.loads((folder / "examples.json").read_text(encoding="utf-8"))
        self.options = entered_options(self.metric)

    def blocks(self) -> gr.Blocks:
        """Builds the page."""
        with gr.Blocks(title=self.front["title"], analytics_enabled=False) as page:
            gr.Markdown(f"# {self.front['emoji']} {self.front['title']}\n\n{self.front['description']}")
            with gr.Tab("Score"), gr.Row():
                with gr.Column(min_width=320):
                    example, table, options, button = self._inputs()
                with gr.Column(min_width=320):
                    shown, segment, scored = self._outputs()
            with gr.Tab("About"):
                gr.Markdown(_without_broken_links(self.card), elem_classes="card")
            result = [*shown, scored]
            scoring = {"fn": self.compute, "inputs": [table, *options], "outputs": result}
            button.click(**scoring)
            example.input(self.choose, example, [table, *options]).success(**scoring)
            segment.change(self.explain, [scored, segment], shown[-1])
            page.load(**scoring)
        return page

    def _inputs(self) -> tuple[gr.Radio, gr.Dataframe, list[Any], gr.Button]:
        """Builds examples, the table of texts, files and options."""
        titles = [example["title"] for example in self.examples]
        example = gr.Radio(titles, value=titles[0], label="Examples")
        cells, *values = self.choose(titles[0])
        table = gr.Dataframe(
            value=cells["value"], headers=cells["headers"], type="array", interactive=True, wrap=True,
            label="One segment per row", show_row_numbers=True, elem_id="texts", buttons=[],
            column_widths=cells["column_widths"], column_count=cells["column_count"],
        )  # fmt: skip
        if len(headings(self.metric, 2)) > len(headings(self.metric, 1)):
            gr.Button("Add a column of references", size="sm").click(self.widen, table, table)
        problem = gr.HTML(visible=False, apply_default_css=False)
        with gr.Accordion("Upload files", open=False):
            column = gr.Dropdown(headings(self.metric, 1), label="A text file, one segment per line, fills the column")
            gr.Markdown(f"CSV, TSV and JSONL fill all columns; their names are {', '.join(headings(self.metric, 1))}.")
            files = gr.File(label="Text, CSV, TSV or JSONL", file_types=[".txt", ".csv", ".tsv", ".jsonl"], height=160)
            files.upload(self.upload, [files, column, table], [table, problem])
        prominent = {name for example in self.examples for name in example.get("options", {})}
        options = {}
        for title, is_open in (("Options", True), ("More options", False)):
            with gr.Accordion(title, open=is_open):
                for (name, option), value in zip(self.options.items(), values, strict=True):
                    if (name in prominent) == is_open:
                        options[name] = _control(name, option, value["value"])
        button = gr.Button("Score", variant="primary", elem_id="score")
        return example, table, [options[name] for name in self.options], button

    def _outputs(self) -> tuple[list[Any], gr.Number, gr.State]:
        """Builds the places of the result; the explanation is the last."""
        scored = gr.State()
        problem = gr.HTML(visible=False, apply_default_css=False)
        scores = gr.HTML(apply_default_css=False)
        with gr.Row():
            downloads = [gr.DownloadButton(f"Download {kind}", size="sm", visible=False) for kind in ("JSON", "CSV")]
        segments = gr.Dataframe(
            type="array", interactive=False, wrap=True, label="Segments", show_row_numbers=True, visible=False,
            elem_id="segments", buttons=[],
        )  # fmt: skip
        segment = gr.Number(1, precision=0, label="Explain segment", visible=False, elem_id="segment")
        explanation = gr.HTML(elem_id="explanation", apply_default_css=False)
        segments.select(_selected, None, segment)
        return [problem, scores, *downloads, segments, segment, explanation], segment, scored

    def choose(self, title: str) -> list[Any]:
        """Returns the texts of an example, and the value of each option with it."""
        [example] = [example for example in self.examples if example["title"] == title]
        names, rows = to_cells(self.metric, example["columns"])
        given = {"confidence": CONFIDENCE, **example.get("options", {})}
        values = [
            gr.update(value=_shown(option, given.get(name, option.default))) for name, option in self.options.items()
        ]
        return [_table(names, rows), *values]

    def widen(self, rows: list[list[Any]]) -> Any:
        """Adds a column of references to the table."""
        columns = from_cells(self.metric, rows)
        sets = len(rows[0]) - len(headings(self.metric, 1)) + 1 if rows else 1
        names, cells = to_cells(self.metric, columns)
        wanted = headings(self.metric, sets + 1)
        cells = [[dict(zip(names, row, strict=True)).get(name, "") for name in wanted] for row in cells]
        return _table(wanted, cells)

    def upload(self, path: str, column: str, rows: list[list[Any]]) -> list[Any]:
        """Returns the table filled from a file, or a message."""
        sets = len(rows[0]) - len(headings(self.metric, 1)) + 1 if rows else 1
        names = headings(self.metric, sets)
        try:
            if is_table_file(path):
                names, cells = to_cells(self.metric, read_table(self.metric, path))
            else:
                cells = fill_column(rows, len(names), names.index(column), path)
        except BAD_INPUT as error:
            return [gr.skip(), _problem(str(error).replace(path, Path(path).name))]
        return [_table(names, cells), gr.update(visible=False)]

    def compute(self, rows: list[list[Any]], *values: Any) -> list[Any]:
        """Scores the table; or says what is wrong, in the metric's own words."""
        try:
            columns = from_cells(self.metric, rows)
            options = self._options(values)
            result = self.metric.compute(**columns, **options, **per_segment(self.metric))
            result["signature"] = self.metric.signature(references=columns.get("references"), **options)
        except BAD_INPUT as error:
            hidden = gr.update(visible=False)
            return [_problem(_with_rows(str(error), self.metric)), hidden, hidden, hidden, hidden, hidden, hidden, None]
        others = {name: column for name, column in columns.items() if name != "predictions"}
        explaining = explaining_options(self.metric, options, others)
        scored = {"columns": columns, "options": options, "explaining": explaining, "result": result}
        table = self._segment_table(columns, result)
        count, n_scores = len(columns["predictions"]), len(table[0]) - 2
        wanted = max(24, 10 + 2 * len(table[0][1]))  # percent, for a name that stays in one line
        widths = [f"{wanted}%", f"{84 - wanted}%"] if n_scores == 1 else [*[92] * n_scores, "28%"]
        has_segments = n_scores > 0
        shown = [[*map(number_text, scores), str(text)] for _, *scores, text in table[1:]]
        json_path, csv_path = self._downloads(result, table)
        return [
            gr.update(visible=False),
            gr.update(value=self._scores_html(columns, options, result), visible=True),
            gr.update(value=json_path, visible=True),
            gr.update(value=csv_path, visible=has_segments),
            gr.update(value=shown, headers=table[0][1:], column_widths=widths, visible=has_segments),
            gr.update(value=1, visible=has_segments, label=f"Explain segment, 1 to {count}"),
            gr.update(value=self.explain(scored, 1), visible=has_segments),
            scored,
        ]

    def explain(self, scored: dict[str, Any] | None, number: float | None) -> str:
        """Returns what made the score of a segment, as HTML."""
        if not scored or number is None:
            return ""
        count = len(scored["columns"]["predictions"])
        if not 1 <= number <= count:
            return f'<p class="quiet">There is no segment {number:g}: the last is {count}.</p>'
        others = {name: column for name, column in scored["columns"].items() if name != "predictions"}
        predictions = scored["columns"]["predictions"]
        drawing, reason = draw_segment(self.metric, scored["explaining"], predictions, others, int(number) - 1)
        note = f'<p class="quiet">{escape(reason)}</p>' if reason else ""
        return f"{legend(drawing.marks)}{drawing.html}{note}"

    def _options(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """Returns the options that differ from their default."""
        options = {}
        for (name, option), value in zip(self.options.items(), values, strict=True):
            given = _entered(option, value)
            if not _is_same(given, option.default):
                options[name] = given
        return options

    def _scores_html(self, columns: dict[str, Any], options: dict[str, Any], result: dict[str, Any]) -> str:
        """Shows the headline scores with their intervals, a plot of what made them, and all other values."""
        prefixes = self.metric.headlines(result)
        boxes = [
            f"<p>{escape(key)}<br><b>{number_text(result[key])}</b> "
            f'<span class="quiet">{interval_text(result, prefix)}</span></p>'
            for key, prefix in prefixes.items()
        ]
        plots = "".join(self._plots(result, prefixes))
        if plots:
            plots += (
                '<p class="quiet">Bars: number of segments. Solid line and band: the score and its interval. '
                "Dotted line: mean of the segments.</p>"
            )
        elif compares_scores(self.metric):
            plots = scatter_html(columns, options, result)
        hidden = {"signature", *prefixes}
        hidden |= {f"{prefix}{end}" for prefix in prefixes.values() for end in ("segments", "confidence_interval")}
        rows = "".join(
            f'<tr><th scope="row">{_breakable(key)}</th><td>{_cell(value)}</td></tr>'
            for key, value in result.items()
            if key not in hidden
        )
        return (
            f'<div class="drawing"><div class="scores">{"".join(boxes)}</div>'
            f'<p class="signature"><code>{escape(result["signature"])}</code></p>{plots}'
            f'<div class="wide"><table class="explained">{rows}</table></div></div>'
        )

    def _plots(self, result: dict[str, Any], prefixes: dict[str, str]) -> list[str]:
        """Draws the distribution of the segments' scores, if they have any, for each headline."""
        if any(f"{prefix}segments" not in result for prefix in prefixes.values()):
            return []
        segments = [finite(result[f"{prefix}segments"]) for prefix in prefixes.values()]
        intervals = [result.get(f"{prefix}confidence_interval") or [] for prefix in prefixes.values()]
        pictures = histograms(segments, [result[key] for key in prefixes], intervals, self.name)
        names = map(escape, prefixes) if len(prefixes) > 1 else [""]
        return [f'<div class="plot">{name}{svg}</div>' for name, svg in zip(names, pictures, strict=True)]

    def _segment_table(self, columns: dict[str, Any], result: dict[str, Any]) -> list[list[Any]]:
        """Returns headings and rows of the table of segments."""
        keys = _segment_keys(self.metric, result)
        names = ["segment", *keys.values(), "prediction"]
        columns_of = [range(1, len(columns["predictions"]) + 1), *(result[key] for key in keys), columns["predictions"]]
        return [names, *map(list, zip(*columns_of, strict=True))]

    def _downloads(self, result: dict[str, Any], table: list[list[Any]]) -> tuple[str, str]:
        """Writes the result as JSON, and the segments as CSV; the same result is the same file."""
        text = json.dumps(json_value(result), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
        folder = Path(_FILES, hashlib.sha256(f"{text}{table}".encode()).hexdigest()[:16])
        folder.mkdir(exist_ok=True)
        (folder / f"{self.name}.json").write_text(text, encoding="utf-8")
        with open(folder / f"{self.name}.csv", "w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table)
        return str(folder / f"{self.name}.json"), str(folder / f"{self.name}.csv")


def find_metric(folder: Path, name: str | None) -> tuple[Path, Path]:
    """Returns the script of the metric, and the folder with its card and examples.

    In a Space it is the script that no other script there builds on.
    """
    clone = folder.parent / "metrics"
    if name is not None and (clone / f"{name}.py").is_file():
        return clone / f"{name}.py", folder / name
    scripts = [path for path in folder.glob("[!_]*.py") if path.name != "app.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    tops = [path for path in scripts if not re.search(rf"^from \.{path.stem} import", text, re.MULTILINE)]
    found = [path for path in tops if name in (None, path.stem)]
    if len(found) != 1:
        known = sorted(path.stem for path in (*tops, *clone.glob("[!_]*.py")))
        raise SystemExit(f"name one metric with --metric: {', '.join(known)}")
    return found[0], folder


def launch(app: MetricApp, **arguments: Any) -> None:
    """Serves the app, with the fonts of the reader's system and nothing from elsewhere."""
    theme = gr.themes.Default(font=FONTS, font_mono=["ui-monospace", "NanumGothicCoding", "monospace"])
    # gradio's own grey is too light to read
    theme = theme.set(block_info_text_color="*neutral_600", block_info_text_color_dark="*neutral_300")
    head = f"<style>{STYLE}{PAGE_STYLE}</style>"
    app.blocks().launch(theme=theme, head=head, footer_links=[], **arguments)


def _table(names: list[str], rows: list[list[str]]) -> Any:
    """Returns the table of texts with columns of equal width, as narrow as the page unless there are many."""
    width = f"{84 // len(names)}%" if len(names) < 5 else 92
    # a column is known by its position, so that nobody may insert or delete one
    count = (len(names), "fixed")
    return gr.update(value=rows, headers=names, column_widths=[width] * len(names), column_count=count)


def _segment_keys(metric: Any, result: dict[str, Any]) -> dict[str, str]:
    """Returns the keys of a result that hold a score for each segment, and the headline that each belongs to."""
    keys = {f"{prefix}segments": headline for headline, prefix in metric.headlines(result).items()}
    return {key: headline for key, headline in keys.items() if key in result}


def _problem(message: str) -> Any:
    return gr.update(value=f'<div class="drawing error" role="alert">{escape(message)}</div>', visible=True)


def _with_rows(message: str, metric: Any) -> str:
    """Adds to the index of a segment the number of its row, which counts from 1."""
    names = "|".join(metric.COLUMNS)
    return re.sub(rf"\b({names})\[(\d+)\]", lambda found: f"{found[0]} (row {int(found[2]) + 1})", message)


def _breakable(key: str) -> str:
    """Writes a key so that a narrow page may break it behind an underscore."""
    return escape(key).replace("_", "_<wbr>")


def _cell(value: Any) -> str:
    """Writes a value of a result: a score, a list of scores, or lines of text."""
    if isinstance(value, list):
        more = f", and {len(value) - MOST_VALUES} more" if len(value) > MOST_VALUES else ""
        return ", ".join(map(_cell, value[:MOST_VALUES])) + more if value else "none"
    if isinstance(value, str) and "\n" in value:
        return f"<pre>{escape(value)}</pre>"
    return escape(number_text(value) if isinstance(value, float) else str(value))


def _control(name: str, option: Any, value: Any) -> Any:
    """Builds the control of one option."""
    # gradio sets what stands between two asterisks in italics, and knows no escape
    common = {"label": name, "info": option.help.replace("*", "∗"), "elem_id": f"option-{name}"}
    if option.kind == "flag":
        return gr.Checkbox(value=value, **common)
    if option.kind == "choice":
        return gr.Dropdown([*choice_texts(option)], value=value, **common)
    if option.kind in ("count", "number"):
        return gr.Number(value=value, precision=0 if option.kind == "count" else None, **common)
    if option.kind == "table":
        return gr.Dataframe(
            value=value, headers=list(option.headings), type="array", interactive=True, wrap=True, buttons=[],
            label=f"{name}: {option.help}", elem_id=common["elem_id"], column_count=(2, "fixed"),
        )  # fmt: skip
    return gr.Textbox(value=value, placeholder=_default_text(option), **common)


def _default_text(option: Any) -> str:
    return "not set" if option.default is None else option_text(option.default)


def _shown(option: Any, value: Any) -> Any:
    """Returns what the control of an option shows for a value."""
    if option.kind == "table":
        pairs = value.items() if isinstance(value, dict) else []
        rows = [[key, ", ".join(cell) if isinstance(cell, list) else str(cell)] for key, cell in pairs]
        return rows or [["", ""]]
    if option.kind == "choice":
        return next(text for text, choice in choice_texts(option).items() if _is_same(choice, value))
    if option.kind in ("text", "list"):
        return "" if value == option.default else option_text(value)
    return value


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def _entered(option: Any, value: Any) -> Any:
    """Returns the value of an option that its control shows; an empty control is the default."""
    if option.kind == "choice":
        return choice_texts(option).get(value, value)
    if option.kind == "table":
        cells = [["" if cell is None else str(cell).strip() for cell in row] for row in value]
        return {key: plain_value(cell) for key, cell in cells if key or cell} or option.default
    if option.kind in ("text", "list"):
        return read_option(option, value.strip()) if value and value.strip() else option.default
    if value is None:
        return option.default
    is_whole = option.kind == "count" and float(value).is_integer()
    return int(value) if is_whole else float(value) if option.kind == "number" else value


def _selected(event: gr.SelectData) -> int:
    return event.index[0] + 1


def _without_broken_links(card: str) -> str:
    """Returns the card without its title, and without links to cards that are not here."""
    return re.sub(r"\[([^]]*)\]\(\.\.?/[^)]*\)", r"\1", re.sub(r"\A\s*# .*\n", "", card))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve the app of one metric.")
    parser.add_argument("--metric", help="name of the metric, in a clone")
    parser.add_argument("--port", type=int, help="default: the first free one from 7860")
    given = parser.parse_args()
    launch(MetricApp(*find_metric(HERE, given.metric)), server_port=given.port)
