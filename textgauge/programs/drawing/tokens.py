"""Explanations without an alignment: the probability of each token as a heat map, and anything else as a table."""

import json
import math
from html import escape
from typing import Any

from ..saying.texts import say

_HOTTEST = 10.0  # nats


def heat_map(explanation: dict[str, Any]) -> str:
    """Draws each token with the natural logarithm of its probability; what was not scored has none."""
    cells = []
    for token, value in scored_tokens(explanation):
        heat = 0 if math.isnan(value) else round(90 * min(-value / _HOTTEST, 1))
        cells.append(
            f'<span class="token" style="--heat: {heat}%"><b>{escape(token)}</b><i>{log_text(value)}</i></span>'
        )
    return f'<div class="drawing heat">{"".join(cells) or say("empty")}</div>'


def scored_tokens(explanation: dict[str, Any]) -> list[tuple[str, float]]:
    """Returns each token as it is shown, with its log-probability.

    The first ones may have no context and so no probability; tokens that are not known are numbered.
    """
    values = explanation["log_probabilities"]
    tokens = explanation["tokens"] or range(1, len(values) + 1)
    n_without = len(tokens) - len(values)
    values = [math.nan] * n_without + list(values)
    return [(visible(str(token)), value) for token, value in zip(tokens, values, strict=True)]


def log_text(value: float) -> str:
    """Writes a logarithm with two decimals; a token without one has a dash."""
    if math.isnan(value):
        return "–"
    return "−∞" if math.isinf(value) else f"{value:.2f}".replace("-", "−")


def signed(weight: float) -> str:
    """Writes a weight with its sign."""
    return f"{weight:+g}".replace("-", "−")


def visible(token: str) -> str:
    """Returns a token with its blanks and line feeds drawn."""
    return token.replace("\n", "↵").replace(" ", "␣") or "␣"


def table(explanation: dict[str, Any]) -> str:
    """Shows an explanation as names and values; a list of objects becomes a table of its own."""
    rows = "".join(
        f'<tr><th scope="row">{escape(str(key))}</th><td>{_cell(value)}</td></tr>' for key, value in explanation.items()
    )
    return f'<div class="drawing wide"><table class="explained" lang="en">{rows}</table></div>'


def value_text(value: Any) -> str:
    """Writes a value for people: numbers with four decimals, lists in their order."""
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, (list, tuple)):
        return ", ".join(
            f"[{value_text(item)}]" if isinstance(item, (list, tuple)) else value_text(item) for item in value
        )
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else str(value)


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        value = [{"": key, "value": item} for key, item in value.items()]
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        names = list(dict.fromkeys(name for item in value for name in item))
        head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in names)
        rows = []
        for item in value:
            cells = [escape(value_text(item.get(name, ""))) for name in names]
            rows.append(f"<tr><td>{'</td><td>'.join(cells)}</td></tr>")
        return f"<table><tr>{head}</tr>{''.join(rows)}</table>"
    return escape(value_text(value))
