"""Why the score of a segment is 0, for metrics whose orders of n-grams are multiplied."""

from typing import Any

from ..saying.texts import joined, say


def zero_reason(explanation: dict[str, Any]) -> str:
    """Says which orders of n-grams have no match, which makes a geometric mean 0; "" where each has one."""
    tokens = explanation.get("prediction", [])
    matched, missing = [], []
    for order, matches in enumerate(explanation.get("matches", []), start=1):
        if matches:
            matched.append(order)
        else:
            missing.append(order)
    if not missing:
        return ""
    if not matched:
        return say("zero_nothing")
    if len(tokens) < missing[0]:
        return say("zero_short", orders=_ngrams(missing[:1]))
    return say("zero_orders", orders=_ngrams(missing[:1]), found=_ngrams(matched[-1:], is_plural=True))


def has_remedy(metric: Any, options: dict[str, Any]) -> bool:
    """Returns whether a metric can smooth such zeros away, and does not."""
    option = metric.OPTIONS.get("smooth")
    if option is None or "exp" not in option.choices:
        return False
    return options.get("smooth", option.default) in (False, None, "none")


def _ngrams(orders: list[int], is_plural: bool = False) -> str:
    return joined(say("ngrams", n=1 + is_plural, order=order) for order in orders)
