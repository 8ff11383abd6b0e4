"""Why the score of a segment is 0, for metrics whose orders of n-grams are multiplied."""

from typing import Any

from ..saying.texts import joined, say


def zero_reason(explanation: dict[str, Any]) -> str:
    """Says which orders of n-grams have no match, which makes a geometric mean 0; "" where each has one."""
    tokens, matches = explanation.get("prediction", []), explanation.get("matches", [])
    missing = [order for order, of_order in enumerate(matches, start=1) if not of_order]
    matched = [order for order, of_order in enumerate(matches, start=1) if of_order]
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
    is_smoothed = option is not None and options.get("smooth", option.default) not in (False, None, "none")
    return option is not None and "exp" in option.choices and not is_smoothed


def _ngrams(orders: list[int], is_plural: bool = False) -> str:
    return joined(say("ngrams", n=1 + is_plural, order=order) for order in orders)
