"""What single n-grams are worth, order by order: deltaBLEU's credits, NIST's information, what adds to CIDEr."""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from ..saying.texts import say

_STRONGEST = 90  # percent of the colour


class Worth(NamedTuple):
    """An n-gram of the prediction, how often it counts, and what it is worth in all."""

    ngram: str
    count: int
    value: float

    @property
    def text(self) -> str:
        """The n-gram, with its number if there are several."""
        return self.ngram if self.count == 1 else f"{self.ngram} ×{self.count}"


def worths(explanation: dict[str, Any]) -> tuple[str, list[list[Worth]]]:
    """Returns what the values are called, and the n-grams of each order; "" for an explanation without such."""
    keys = explanation.keys()
    if "credits" in keys:
        return say("worth_credit"), [[Worth(*credit) for credit in of_order] for of_order in explanation["credits"]]
    if {"prediction", "matches", "information"} <= keys:
        return say("worth_information"), _information(explanation)
    if {"per_order", "ngrams"} <= keys:
        return say("worth_share"), [
            [Worth(ngram, 1, value) for ngram, value in of_order] for of_order in explanation["ngrams"]
        ]
    return "", []


def totals(explanation: dict[str, Any], orders: Sequence[Sequence[Worth]]) -> list[float]:
    """Returns the sum of each order, also of n-grams that the metric does not list."""
    return explanation.get("per_order") or [sum(worth.value for worth in of_order) for of_order in orders]


def worth_text(value: float) -> str:
    """Writes a value with two decimals."""
    return f"{value:.2f}".replace("-", "−")


def worth_table(explanation: dict[str, Any]) -> str:
    """Draws the n-grams of each order, with their values below and as colour; nothing where there are none."""
    name, orders = worths(explanation)
    if not any(orders):
        return ""
    largest = max(abs(worth.value) for of_order in orders for worth in of_order) or 1.0
    rows = []
    for order, (of_order, total) in enumerate(zip(orders, totals(explanation, orders), strict=True), start=1):
        cells = "".join(_cell(worth, largest) for worth in of_order) or "–"
        rows.append(f'<tr><th scope="row">{order}</th><td>{worth_text(total)}</td><td>{cells}</td></tr>')
    head = "".join(f'<th scope="col">{title}</th>' for title in ("n", say("worth_sum"), say("worth_ngrams", name=name)))
    return f'<div class="drawing wide"><table class="explained worths"><tr>{head}</tr>{"".join(rows)}</table></div>'


def _information(explanation: dict[str, Any]) -> list[list[Worth]]:
    """Returns the matched n-grams of each order, equal ones together."""
    tokens, orders = explanation["prediction"], []
    for order, (starts, bits) in enumerate(zip(explanation["matches"], explanation["information"], strict=True), 1):
        by_ngram: dict[str, Worth] = {}
        for start, value in zip(starts, bits, strict=True):
            ngram = " ".join(tokens[start : start + order])
            known = by_ngram.get(ngram, Worth(ngram, 0, 0.0))
            by_ngram[ngram] = Worth(ngram, known.count + 1, known.value + value)
        orders.append(list(by_ngram.values()))
    return orders


def _cell(worth: Worth, largest: float) -> str:
    heat = round(_STRONGEST * abs(worth.value) / largest)
    sign = " minus" if worth.value < 0 else ""
    return (
        f'<span class="token{sign}" style="--heat: {heat}%"><b>{escape(worth.text)}</b>'
        f"<i>{worth_text(worth.value)}</i></span>"
    )
