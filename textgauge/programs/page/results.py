"""The result of a metric as HTML, as a table of segments, and as texts to download."""

from html import escape
from typing import Any

from ..drawing.confusions import aligns, confusions, confusions_html
from ..drawing.kinds import ERRORS, errors_of, kinds_html, kinds_of
from ..drawing.plots import finite, histogram_legend, histograms
from ..drawing.scatter import compares_scores, scatter_html
from ..saying.texts import say
from ..saying.values import direction_text, dump_csv, dump_json, interval_text, number_text, with_arrow
from ..scoring.explaining import texts_of

_MOST_VALUES = 30  # of a list on the page; the file has all


def scores_html(metric: Any, columns: dict[str, Any], options: dict[str, Any], result: dict[str, Any]) -> str:
    """Shows the headline scores with their intervals, a plot of what made them, and all other values."""
    prefixes = metric.headlines(result)
    boxes = [
        f"<p>{escape(key)}<br><b>{number_text(result[key])}</b> "
        f'<span class="quiet">{interval_text(result, prefix)} {direction_text(metric)}</span></p>'
        for key, prefix in prefixes.items()
    ]
    plots = "".join(_plots(metric, result, prefixes))
    if plots:
        plots += f'<p class="quiet">{histogram_legend([plots])}</p>'
    elif compares_scores(metric):
        plots = scatter_html(metric, columns, options, result)
    told = errors_of(metric, columns, options)
    if kinds := kinds_html({"": {"": kinds_of({ERRORS: told})}}):
        plots += f'<p>{say("kinds")}</p>{kinds}<p class="quiet">{say("kinds_note")}</p>'
    if aligns(metric) and (confusion_list := confusions_html(confusions(metric, columns, options))):
        plots += f'<p>{say("confusions")}</p>{confusion_list}<p class="quiet">{say("confusions_legend")}</p>'
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
        f'<div class="wide"><table class="explained" lang="en">{rows}</table></div></div>'
    )


def _plots(metric: Any, result: dict[str, Any], prefixes: dict[str, str]) -> list[str]:
    """Draws the distribution of the segments' scores, if they have any, for each headline."""
    if any(len(result.get(f"{prefix}segments", [])) < 2 for prefix in prefixes.values()):
        return []
    segments = [finite(result[f"{prefix}segments"]) for prefix in prefixes.values()]
    intervals = [result.get(f"{prefix}confidence_interval") or [] for prefix in prefixes.values()]
    pictures = histograms(segments, [result[key] for key in prefixes], intervals)
    names = map(escape, prefixes) if len(prefixes) > 1 else [""]
    return [f'<div class="plot">{name}{svg}</div>' for name, svg in zip(names, pictures, strict=True)]


def segment_table(metric: Any, columns: dict[str, Any], result: dict[str, Any]) -> list[list[Any]]:
    """Returns headings and rows of the table of segments."""
    keys = _segment_keys(metric, result)
    names = ["segment", *keys.values(), "prediction"]
    texts = [texts_of(columns, row)[0] for row in range(len(columns["predictions"]))]
    columns_of = [range(1, len(texts) + 1), *(result[key] for key in keys), texts]
    return [names, *map(list, zip(*columns_of, strict=True))]


def shown_headings(metric: Any, table: list[list[Any]]) -> list[str]:
    """Returns the headings of the table of segments as a page shows them: an arrow says where lower is better."""
    _, *scores, text = table[0]
    return [*(with_arrow(name, metric) for name in scores), text]


def shown_table(table: list[list[Any]]) -> list[list[str]]:
    """Returns the rows of the table of segments as a page shows them: without headings and numbers of the segments."""
    return [[*map(number_text, scores), str(text)] for _, *scores, text in table[1:]]


def download_texts(result: dict[str, Any], table: list[list[Any]]) -> tuple[str, str]:
    """Returns the result as JSON, and the segments as CSV."""
    return dump_json(result), dump_csv(table)


def _segment_keys(metric: Any, result: dict[str, Any]) -> dict[str, str]:
    """Returns the keys of a result that hold a score for each segment, and the headline that each belongs to."""
    keys = {f"{prefix}segments": headline for headline, prefix in metric.headlines(result).items()}
    return {key: headline for key, headline in keys.items() if key in result}


def _breakable(key: str) -> str:
    """Writes a key so that a narrow page may break it behind an underscore."""
    return escape(key).replace("_", "_<wbr>")


def _cell(value: Any) -> str:
    """Writes a value of a result: a score, a list of scores, or lines of text."""
    if isinstance(value, list):
        more = say("note_more", n=len(value) - _MOST_VALUES) if len(value) > _MOST_VALUES else ""
        return ", ".join(map(_cell, value[:_MOST_VALUES])) + more if value else say("none")
    if isinstance(value, str) and "\n" in value:
        return f"<pre>{escape(value)}</pre>"
    return escape(number_text(value) if isinstance(value, float) else str(value))
