"""The questions of a page to Python, and the answers: plain values for a browser, a server, and who makes the page."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import InputError, is_bad_input
from ..reading.formats import is_table
from ..saying.option_values import per_segment
from ..saying.texts import LANGUAGES, in_languages, speaking
from ..scoring.explaining import score_columns
from .form import NOT_SET, control_of, entered_options, shown_value
from .grid import check_cells, fill_column, headings, read_table, to_cells
from .help import form_texts
from .limits import Limits
from .results import download_texts, scores_html, segment_table, shown_headings, shown_table
from .scoring import (
    example_cells,
    explanation_html,
    message_of,
    reference_sets,
    texts_and_options,
    widened,
)

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
    """What answers questions about one metric; it keeps nothing between two of them.

    Args:
        metric: that scores.
        model: a language model that may be chosen, where a server computes.
        limits: of a server; None in a browser.
    """

    def __init__(self, metric: Any, model: str | None = None, limits: Limits | None = None):
        self._metric = metric
        self._options = entered_options(metric, model)
        self._limits = limits

    def answer(self, question: str) -> str:
        """Returns the answer to {"do": ..., further arguments} as JSON; bad input is {"error": message}.

        The language of a message may be given as "language".
        """
        arguments = json.loads(question)
        tasks: dict[str, Callable[..., Answer]] = {
            "score": self.score, "explain": self.explain, "upload": self.upload, "widen": self.widen
        }  # fmt: skip
        task = tasks[arguments.pop("do")]
        with speaking(arguments.pop("language", LANGUAGES[0])):
            try:
                check_cells(self._metric, arguments["rows"])
                if self._limits is not None:
                    self._limits.check_rows(arguments["rows"])
                answer = task(**arguments)
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
            control["missing"] = list(option.packages) if self._limits is None else []
            controls.append(control)
        may_lack = _MODEL in self._metric.OPTIONS or any(control["missing"] for control in controls)
        narrow = headings(self._metric, 1)
        wide = headings(self._metric, 2)
        return {
            "metric": self._metric.name,
            "is_limited": self._limits is None and may_lack,
            "headings": narrow,
            "can_widen": len(wide) > len(narrow),
            "controls": controls,
            "not_set": NOT_SET,
        }

    def example(self, example: dict[str, Any]) -> Answer:
        """Returns an example as the page shows it before Python is there: filled in, scored, all segments explained."""
        names, rows, values = example_cells(self._metric, self._options, example)
        scored = self.score(rows, values)
        explanations = [self.explain(rows, values, number)["html"] for number in range(1, scored["count"] + 1)]
        return {
            "title": example["title"], "headings": names, "rows": rows, "values": values,
            "scored": scored, "explanations": explanations,
        }  # fmt: skip

    def score(self, rows: list[list[Any]], values: list[Any]) -> Answer:
        """Returns the scores of a table of texts, drawn in each language and as files."""
        columns, options = texts_and_options(self._metric, self._options, rows, values)
        result = score_columns(self._metric, columns, options)
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

    def explain(self, rows: list[list[Any]], values: list[Any], number: int) -> Answer:
        """Explains the score of a segment, counted from 1, in each language."""
        columns, options = texts_and_options(self._metric, self._options, rows, values)
        with speaking(*LANGUAGES):
            return {"html": in_languages(explanation_html(self._metric, columns, options, number))}

    def upload(self, name: str, content: str, column: str, rows: list[list[Any]]) -> Answer:
        """Returns the table filled from a file: a column of it from lines, and all of it from named columns.

        Args:
            name: of the file.
            content: its bytes, each as a character.
            column: which one lines fill.
            rows: of the table.
        """
        data = content.encode("latin-1")
        if self._limits is not None:
            self._limits.check_upload(name, len(data))
        most = None if self._limits is None else self._limits.rows
        names = headings(self._metric, reference_sets(self._metric, rows))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, Path(name).name)
            path.write_bytes(data)
            try:
                if is_table(str(path)):
                    names, rows = to_cells(self._metric, read_table(self._metric, str(path), most))
                else:
                    rows = fill_column(rows, len(names), names.index(column), str(path), most)
            except Exception as error:
                if not is_bad_input(error):
                    raise
                raise InputError(str(error).replace(f"{folder}/", "")) from None
        if self._limits is not None:
            self._limits.check_rows(rows)
        return {"headings": names, "rows": rows}

    def widen(self, rows: list[list[Any]]) -> Answer:
        """Returns the table with one more column of references."""
        names, rows = widened(self._metric, rows)
        return {"headings": names, "rows": rows}
