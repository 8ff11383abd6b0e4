"""One segment of a corpus: what its metric explains of it, drawn."""

from typing import Any

from . import Drawing
from . import draw
from . import draw_plain


def draw_segment(
    metric: Any, options: dict[str, Any], predictions: list[Any], columns: dict[str, list[Any]], row: int
) -> tuple[Drawing, str]:
    """Returns a segment drawn and "", or its plain texts and the reason why they are plain."""
    texts = texts_of(predictions, columns, row)
    try:
        return draw(explain_segment(metric, options, predictions, columns, row), *texts), ""
    except (NotImplementedError, ValueError) as error:
        return draw_plain(*texts), f"no highlights: {error}"


def explaining_options(metric: Any, options: dict[str, Any], columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Returns the options with what a segment alone cannot know: counts of the corpus, where the metric has such."""
    if metric.corpus_option(**options) is None:
        return options
    return metric.compile_options([columns["references"]], **options)


def explain_segment(
    metric: Any, options: dict[str, Any], predictions: list[Any], columns: dict[str, list[Any]], row: int
) -> dict[str, Any]:
    """Returns what a metric explains of one segment.

    Takes the options of `explaining_options`; `columns` are those that the metric takes, but predictions.
    """
    others = {"reference" if name == "references" else name: values[row] for name, values in columns.items()}
    return metric.explain(prediction=predictions[row], **others, **options)


def texts_of(predictions: list[Any], columns: dict[str, list[Any]], row: int) -> tuple[Any, list[Any], str]:
    """Returns prediction, references and source of one segment, as `draw` takes them; "" is no source."""
    references = columns["references"][row] if "references" in columns else []
    source = columns["sources"][row] if "sources" in columns else ""
    return predictions[row], references if isinstance(references, list) else [references], source
