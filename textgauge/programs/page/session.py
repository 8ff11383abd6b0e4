"""The requests of the page to Python, and the answers: plain values for a worker and for the maker of the page."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..app.form import NOT_SET, control_of, entered_options, shown_value
from ..app.grid import fill_column, headings, read_table, to_cells
from ..app.help import form_texts
from ..app.results import download_texts, scores_html, segment_table, shown_headings, shown_table
from ..app.scoring import (
    Scored,
    example_cells,
    explanation_html,
    message_of,
    reference_sets,
    score_cells,
    widened,
)
from ..errors import InputError, is_bad_input
from ..reading.columns import is_table
from ..saying.option_values import per_segment
from ..saying.texts import LANGUAGES, in_languages, speaking

Answer = dict[str, Any]
_MODEL = "model_id"  # the option of a language model, which a browser cannot run


def has_all(metric: Any, options: dict[str, Any]) -> bool:
    """Returns whether a browser has what a metric needs for these options: no model, no package that it lacks."""
    if options.get(_MODEL) is not None:
        return False
    for name, value in options.items():
        if isinstance(value, str) and value in metric.OPTIONS[name].packages:
            return False
    return True


class Session:
    """One metric, and what it scored last, of which segments are explained."""

    def __init__(self, metric: Any):
        self._metric = metric
        self._options = entered_options(metric)
        self._scored: Scored | None = None

    def answer(self, question: str) -> str:
        """Returns the answer to {"do": ..., further arguments} as JSON; bad input is {"error": message}."""
        arguments = json.loads(question)
        tasks: dict[str, Callable[..., Answer]] = {
            "score": self.score, "explain": self.explain, "upload": self.upload, "widen": self.widen,
            "compute": self.compute,
        }  # fmt: skip
        try:
            answer = tasks[arguments.pop("do")](**arguments)
        except Exception as error:
            if not is_bad_input(error):
                raise
            answer = {"error": message_of(self._metric, error)}
        return json.dumps(answer, ensure_ascii=False)

    def form(self, examples: list[dict[str, Any]]) -> Answer:
        """Returns the parts of the page: headings, controls, which of them examples set, and missing choices."""
        prominent = {name for example in examples for name in example.get("options", {})}
        controls = []
        for name, option in self._options.items():
            control = control_of(name, option)
            control["help"] = form_texts(self._metric.name, name, option)
            control["default"] = shown_value(option, option.default)
            control["is_prominent"] = name in prominent
            control["missing"] = list(option.packages)
            controls.append(control)
        lacks_packages = any(control["missing"] for control in controls)
        narrow = headings(self._metric, 1)
        wide = headings(self._metric, 2)
        return {
            "metric": self._metric.name,
            "is_limited": lacks_packages or _MODEL in self._metric.OPTIONS,
            "headings": narrow,
            "can_widen": len(wide) > len(narrow),
            "controls": controls,
            "not_set": NOT_SET,
        }

    def example(self, example: dict[str, Any]) -> Answer:
        """Returns an example as the page shows it before Python is there: filled in, scored, all segments explained."""
        names, rows, values = example_cells(self._metric, self._options, example)
        scored = self.score(rows, values)
        explanations = [self.explain(number)["html"] for number in range(1, scored["count"] + 1)]
        return {
            "title": example["title"], "headings": names, "rows": rows, "values": values,
            "scored": scored, "explanations": explanations,
        }  # fmt: skip

    def score(self, rows: list[list[Any]], values: list[Any]) -> Answer:
        """Returns the scores of a table of texts, drawn in each language and as files."""
        self._scored = None
        self._scored = score_cells(self._metric, self._options, rows, values)
        columns = self._scored["columns"]
        options = self._scored["options"]
        result = self._scored["result"]
        table = segment_table(self._metric, columns, result)
        as_json, as_csv = download_texts(result, table)
        with speaking(*LANGUAGES):
            html = scores_html(self._metric, columns, options, result)
        answer = {
            "html": in_languages(html),
            "signature": result["signature"],
            "headings": [],
            "segments": [],
            "count": 0,
            "json": as_json,
            "csv": "",
        }
        if per_segment(self._metric):
            answer["headings"] = shown_headings(self._metric, table)
            answer["segments"] = shown_table(table)
            answer["count"] = len(columns["predictions"])
            answer["csv"] = as_csv
        return answer

    def explain(self, number: int) -> Answer:
        """Explains the score of a segment of the last result, in each language."""
        with speaking(*LANGUAGES):
            return {"html": in_languages(explanation_html(self._metric, self._scored, number))}

    def upload(self, name: str, content: str, column: str, rows: list[list[Any]]) -> Answer:
        """Returns the table filled from a file: a column of it from lines, and all of it from named columns.

        Args:
            name: of the file.
            content: its bytes, each as a character.
            column: which one lines fill.
            rows: of the table.
        """
        names = headings(self._metric, reference_sets(self._metric, rows))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, Path(name).name)
            path.write_bytes(content.encode("latin-1"))
            try:
                if is_table(str(path)):
                    names, rows = to_cells(self._metric, read_table(self._metric, str(path)))
                else:
                    rows = fill_column(rows, len(names), names.index(column), str(path))
            except Exception as error:
                if not is_bad_input(error):
                    raise
                raise InputError(str(error).replace(f"{folder}/", "")) from None
        return {"headings": names, "rows": rows}

    def widen(self, rows: list[list[Any]]) -> Answer:
        """Returns the table with one more column of references."""
        names, rows = widened(self._metric, rows)
        return {"headings": names, "rows": rows}

    def compute(self, columns: dict[str, list[Any]], options: dict[str, Any]) -> Answer:
        """Returns the result of `compute`, as text: for programs that compare this Python with another."""
        return {"result": json.dumps(self._metric.compute(**columns, **options))}
