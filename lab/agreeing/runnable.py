"""Worked examples as lines to run, with what they print."""

import functools
import json
import warnings
from typing import Any

import textgauge

_WIDTH = 120


def runnable(metric: str, case: dict[str, Any], show: list[str]) -> str:
    """Returns two statements that compute a worked example, and what they print.

    Args:
        metric: its name.
        case: a line of tests/data/*_cases.jsonl.
        show: the values to print; those that the metric does not return are left out, and without any it is the score.
    """
    columns = {name: case[name] for name in textgauge.load(metric).COLUMNS if name in case}
    arguments = {**columns, **case["options"]}
    result = _result(metric, json.dumps(arguments))
    keys = [key for key in show if key in result] or [metric]
    expressions = ", ".join(_expression(key, result[key]) for key in keys)
    values = [_rounded(result[key]) for key in keys]
    printed = repr(values[0]) if len(values) == 1 else repr(tuple(values))
    words = [f"{name}={_literal(value)}" for name, value in arguments.items()]
    return f"{_call(metric, 'compute', words)}\n>>> {expressions}\n{printed}"


def runnable_row(row: list[float], options: dict[str, Any], show: list[str]) -> str:
    """Returns two statements that score a row of counts of `weighted_bleu`, and what they print."""
    result = textgauge.load("weighted_bleu").score(row, **options)
    words = [_literal(row), *(f"{name}={_literal(value)}" for name, value in options.items())]
    expressions = ", ".join(f'round(result["{key}"].item(), 4)' for key in show)
    values = tuple(round(result[key].item(), 4) for key in show)
    return f"{_call('weighted_bleu', 'score', words)}\n>>> {expressions}\n{values!r}"


@functools.cache
def _result(metric: str, arguments: str) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same as in the reader's session, who sees them
        return textgauge.load(metric).compute(**json.loads(arguments))


def _call(metric: str, method: str, words: list[str]) -> str:
    """Returns the statement that calls a metric, in one line if it fits."""
    start = f'>>> result = textgauge.load("{metric}").{method}('
    line = f"{start}{', '.join(words)})"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([start, *(f"...     {word}," for word in words), "... )"])


def _literal(value: Any) -> str:
    """Returns Python's text of a value, with the quotes that the formatter wants."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_literal(key)}: {_literal(one)}' for key, one in value.items())}}}"
    return repr(value)


def _expression(key: str, value: Any) -> str:
    """Returns the expression that reads a value of a result, rounded to four digits."""
    place = f'result["{key}"]'
    if isinstance(value, float):
        return f"round({place}, 4)"
    if _has_fractions(value):
        return f"[round(value, 4) for value in {place}]"
    return place


def _rounded(value: Any) -> Any:
    """Returns what the expression gives."""
    if isinstance(value, float):
        return round(value, 4)
    if _has_fractions(value):
        return [round(one, 4) for one in value]
    return value


def _has_fractions(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, float) for one in value)
