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
    """Returns the name of the values, and the n-grams of each order; "" for an explanation without them."""
    keys = explanation.keys()
    orders: list[list[Worth]] = []
    if "credits" in keys:
        for credits in explanation["credits"]:
            orders.append([Worth(*credit) for credit in credits])
        return say("worth_credit"), orders

    if {"prediction", "matches", "information"} <= keys:
        return say("worth_information"), _information(explanation)

    if {"per_order", "ngrams"} <= keys:
        for ngrams in explanation["ngrams"]:
            orders.append([Worth(ngram, 1, value) for ngram, value in ngrams])
        return say("worth_share"), orders

    return "", []


def totals(explanation: dict[str, Any], orders: Sequence[Sequence[Worth]]) -> list[float]:
    """Returns the sum of each order, also of n-grams that the metric does not list."""
    known = explanation.get("per_order")
    if known:
        return known
    sums = []
    for ngrams in orders:
        sums.append(sum(worth.value for worth in ngrams))
    return sums


def worth_text(value: float) -> str:
    """Writes a value with two decimals."""
    return f"{value:.2f}".replace("-", "−")


def worth_table(explanation: dict[str, Any]) -> str:
    """Draws the n-grams of each order, with their values below and as colour, if there are any."""
    name, orders = worths(explanation)
    if not any(orders):
        return ""
    largest = max(abs(worth.value) for ngrams in orders for worth in ngrams) or 1.0
    rows = []
    for order, (ngrams, total) in enumerate(zip(orders, totals(explanation, orders), strict=True), start=1):
        cells = "".join(_cell(worth, largest) for worth in ngrams) or "–"
        rows.append(f'<tr><th scope="row">{order}</th><td>{worth_text(total)}</td><td>{cells}</td></tr>')
    titles = ("n", say("worth_sum"), say("worth_ngrams", name=name))
    head = "".join(f'<th scope="col">{title}</th>' for title in titles)
    return f'<div class="drawing wide"><table class="explained worths"><tr>{head}</tr>{"".join(rows)}</table></div>'


def _information(explanation: dict[str, Any]) -> list[list[Worth]]:
    """Returns the matched n-grams of each order, equal ones together."""
    tokens = explanation["prediction"]
    matches = zip(explanation["matches"], explanation["information"], strict=True)
    orders = []
    for order, (starts, bits) in enumerate(matches, start=1):
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
