"""Texts scored and explained: the result of a corpus, and what its metric explains of one segment, drawn."""

from typing import Any

from ..drawing.draw import Drawing, draw, draw_plain
from ..errors import is_input_error
from ..saying.option_values import per_segment
from ..saying.session_text import are_utterances, session_text
from ..saying.texts import say

Columns = dict[str, list[Any]]  # as `compute` takes them


def score_columns(metric: Any, columns: Columns, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of `compute`, with the scores of the segments if there are any, and with the signature."""
    result = metric.compute(**columns, **options, **per_segment(metric))
    return {**result, "signature": metric.signature(references=columns.get("references"), **options)}


def draw_segment(metric: Any, options: dict[str, Any], columns: Columns, row: int) -> tuple[Drawing, str]:
    """Returns a segment drawn and "", or its plain texts and the reason why they are plain."""
    texts = texts_of(columns, row)
    try:
        return draw(explain_segment(metric, options, columns, row), *texts), ""
    except (NotImplementedError, ValueError) as error:
        if not is_input_error(error):
            raise
        return draw_plain(*texts), say("no_highlights", error=error)


def explaining_options(metric: Any, options: dict[str, Any], columns: Columns) -> dict[str, Any]:
    """Returns the options with what a segment alone cannot know: counts of the corpus, where the metric has such."""
    if metric.corpus_option(**options) is None:
        return options
    return metric.compile_options([columns["references"]], **options)


def explain_segment(metric: Any, options: dict[str, Any], columns: Columns, row: int) -> dict[str, Any]:
    """Returns the explanation of one segment; takes the options of `explaining_options`."""
    singular = {"predictions": "prediction", "references": "reference"}
    segment = {singular.get(name, name): values[row] for name, values in columns.items()}
    return metric.explain(**segment, **metric.segment_options(row, **options))


def texts_of(columns: Columns, row: int) -> tuple[Any, list[Any], str]:
    """Returns prediction, references and source of one segment, as `draw` takes them; "" for no source."""
    references = columns["references"][row] if "references" in columns else []
    source = columns["sources"][row] if "sources" in columns else ""
    is_list = isinstance(references, (list, tuple)) and not are_utterances(references)
    references = list(references) if is_list else [references]
    prediction, *references = map(_shown, [columns["predictions"][row], *references])
    return prediction, references, source


def _shown(value: Any) -> Any:
    """Returns a session as text, and any other value as it is."""
    return session_text(value) if are_utterances(value) else value
