"""Random input of any metric: columns of its kinds, and options of its table; for comparing one Python with another."""

import random
from typing import Any

_WORDS = """
고양이가 방에서 잠을 잔다 침대에서 오늘은 비가 올 것 같아요 학교에 갔다 3시에 25% 그리고 귀여운 강아지와
서울시 1,200원 2024년 the cat sat on a mat runs running ran quickly happy glad, don't U.S. 3.5 self-made naïve A/S
😀 👩‍👩‍👧 שלום ① ㎏
"""
_ENDS = (".", "?", "!", "", "", "…", "。")


def random_input(metric: Any, seed: int, pairs: int | None = None) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Returns columns and options, the same for the same seed; with a number of pairs so many, and no options."""
    draw = random.Random(f"{metric.name} {seed}")
    n_rows = pairs or draw.randint(1, 6)
    references = []
    for _ in range(n_rows):
        n_references = draw.choice((1, 1, 2, 3))
        references.append([_text(draw) for _ in range(n_references)])
    columns = {}
    for name, kind in metric.COLUMNS.items():
        if kind.is_optional and draw.random() < 0.5:
            continue
        columns[name] = [_value(draw, name, kind, of_row) for of_row in references]
    return columns, {} if pairs else _options(draw, metric)


def _value(draw: random.Random, name: str, kind: Any, references: list[str]) -> Any:
    """Returns the entry of a column: texts like the references, numbers of a few kinds so that some are equal."""
    if kind.is_list:
        return references
    preferred = kind.features[0]
    if isinstance(preferred, list) and isinstance(preferred[0], dict):
        return [{"speaker": draw.choice("가나b"), "text": _text(draw)} for _ in range(draw.randint(0, 4))]
    if name == "reference_weights":
        return [draw.choice((1.0, 0.5, -0.25)) for _ in references]
    if any(isinstance(feature, list) for feature in kind.features):
        return [-draw.expovariate(0.5) for _ in range(draw.randint(1, 12))]
    if name in ("systems", "items"):
        return draw.choice(("a", "나", "c"))
    if preferred == "string":
        return _changed(draw, references[0])
    return draw.choice((draw.gauss(0, 1), 0.5, 1.0))


def _text(draw: random.Random) -> str:
    words = draw.choices(_WORDS.split(), k=draw.choice((0, 1, 3, 6, 12)))
    return " ".join(words) + draw.choice(_ENDS)


def _changed(draw: random.Random, text: str) -> str:
    """Returns a text with some words left out, replaced, doubled or moved."""
    words = text.split(" ")
    for _ in range(draw.randint(0, 3)):
        start = draw.randrange(len(words) + 1)
        word = words[start : start + 1]  # none at the end
        replacement = draw.choice(_WORDS.split())
        words[start : start + 1] = draw.choice(([], [replacement], word * 2))
    if draw.random() < 0.2:
        draw.shuffle(words)
    return " ".join(words)


def _options(draw: random.Random, metric: Any) -> dict[str, Any]:
    """Returns values of some options, of those that have a list of choices; they need not fit one another."""
    options: dict[str, Any] = {"confidence": 0.9, "resamples": 20} if draw.random() < 0.3 else {}
    for name, option in metric.OPTIONS.items():
        choices = [choice for choice in option.choices if choice not in option.packages]
        if option.kind in ("choice", "flag") and choices and draw.random() < 0.25:
            options[name] = draw.choice(choices)
    return options
