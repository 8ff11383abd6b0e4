"""The most frequent edits of a corpus, for metrics that align texts: CER and WER."""

from collections import Counter
from html import escape
from itertools import zip_longest
from typing import Any

_TOP = 12


def aligns(metric: Any) -> bool:
    """Returns whether a metric tells the alignment of all segments."""
    option = metric.OPTIONS.get("alignments")
    return option is not None and "pieces" in option.choices


def confusions(metric: Any, columns: dict[str, Any], options: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Returns the most frequent edits, (reference, prediction, count), "" where a word or character is missing."""
    with_alignments = {**options, "alignments": "pieces", "confidence": None}
    # a metric of words has a tokenizer, one of characters has none
    has_words = "tokenizer" in metric.OPTIONS
    counter: Counter[tuple[str, str]] = Counter()
    for alignment in metric.compute(**columns, **with_alignments)["alignments"]:
        for kind, reference, prediction in alignment:
            if kind == "equal":
                continue
            missing = _words(reference) if has_words else reference
            surplus = _words(prediction) if has_words else prediction
            counter.update(zip_longest(missing, surplus, fillvalue=""))
    most_frequent = sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:_TOP]
    return [(*pair, count) for pair, count in most_frequent]


def confusions_html(confusion_list: list[tuple[str, str, int]]) -> str:
    """Shows confusions with their numbers, if there are any."""
    if not confusion_list:
        return ""
    items = []
    for reference, prediction, count in confusion_list:
        pair = _pair(_visible(reference), _visible(prediction))
        items.append(f"<li>{pair} <b>{count}</b></li>")
    return f'<div class="drawing"><ul class="confusions">{"".join(items)}</ul></div>'


def _words(piece: str) -> list[str]:
    """Returns the words of a piece of an alignment, which has none where something is missing."""
    return piece.split(" ") if piece else []


def _pair(reference: str, prediction: str) -> str:
    if reference and prediction:
        return f"{reference} → {prediction}"
    return f"− {reference}" if reference else f"+ {prediction}"


def _visible(piece: str) -> str:
    return f'<span lang="">{escape(piece.replace(" ", "␣"))}</span>' if piece else ""
