"""Values of results: scores as text, as JSON and as CSV."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from .texts import say

_FORMULA = re.compile(r"(?![-+]?[\d.]+$)[=+\-@\t\r]")  # how a cell begins that a spreadsheet would compute

_is_in_percent: ContextVar[bool] = ContextVar("is_in_percent", default=False)


class Percent(float):
    """A score in percent, which is written with two decimals."""

    def __abs__(self) -> "Percent":
        """Returns its size, in percent too."""
        return Percent(super().__abs__())


@contextmanager
def in_percent(is_percent: bool) -> Iterator[None]:
    """Says that scores which are fractions are printed in percent."""
    token = _is_in_percent.set(is_percent)
    try:
        yield
    finally:
        _is_in_percent.reset(token)


def are_in_percent() -> bool:
    """Returns whether scores that are fractions are printed in percent."""
    return _is_in_percent.get()


def in_unit_of(score: Any, value: float) -> float:
    """Returns a number that was computed from scores, in percent where the score is."""
    return Percent(value) if isinstance(score, Percent) else float(value)


def _decimals_of(value: float) -> int:
    return 2 if isinstance(value, Percent) else 4


def number_text(value: Any) -> str:
    """Writes a score with four decimals, or with two where it is in percent."""
    decimals = _decimals_of(value)
    # never -0.0000
    return f"{round(value, decimals) + 0.0:.{decimals}f}" if isinstance(value, (int, float)) else str(value)


def human_text(value: float) -> str:
    """Writes a human score with four digits."""
    return f"{value:.4g}"


def interval_text(result: Mapping[str, Any], prefix: str = "") -> str:
    """Writes an interval as "[0.2918, 0.3472]"; nothing where a score has none.

    Nothing for an interval without width either: resamples that never differ show no uncertainty.
    """
    ends = result.get(f"{prefix}confidence_interval")
    if not ends or ends[0] == ends[1] or any(map(math.isnan, ends)):
        return ""
    return f"[{', '.join(map(number_text, ends))}]"


def in_sentence(interval: str) -> str:
    """Writes an interval behind its number, where there is one, with the signs of sentences: "[−∞, 0.0210]"."""
    return f" {interval.replace('-', '−').replace('inf', '∞')}" if interval else ""


def difference_text(value: float, plus: str = "+") -> str:
    """Writes a difference with its sign, for a sentence: "−0.0210", "+∞"."""
    size = "∞" if math.isinf(value) else number_text(abs(value))
    return f"{'−' if value < 0 else plus}{size}"


def signed_text(value: float) -> str:
    """Writes a difference with its sign, for a table."""
    return f"{value:+.{_decimals_of(value)}f}"


def direction_text(metric: Any) -> str:
    """Returns "↓ lower is better" for a metric of which that holds, and nothing for others."""
    return say("lower") if metric.LOWER_IS_BETTER else ""


def with_arrow(label: str, metric: Any) -> str:
    """Returns the name of a score, with an arrow down for a metric of which lower is better."""
    return f"{label} ↓" if metric.LOWER_IS_BETTER else label


def dump_json(content: Any) -> str:
    """Writes plain values as JSON; nan is null, and an infinite number is "inf" or "-inf"."""
    return json.dumps(_json_value(content), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def _json_value(value: Any) -> Any:
    """Replaces what JSON cannot hold."""
    if isinstance(value, Mapping):
        return {str(key): _json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def p_text(value: float) -> str:
    """Writes a p-value with four decimals."""
    return "<0.0001" if value < 0.00005 else f"{value:.4f}"


def p_equation(value: float) -> str:
    """Writes a p-value as a sentence has it: "p = 0.0312", "p < 0.0001"."""
    return f"p {_related(value, '=')}"


def p_range_text(values: Iterable[float]) -> str:
    """Writes p-values by the largest of them: "p ≤ 0.0312", or "p = 0.0312" where all are the same."""
    distinct = set(values)
    return f"p {_related(max(distinct), '=' if len(distinct) == 1 else '≤')}"


def p_least_text(values: Iterable[float]) -> str:
    """Writes p-values by the smallest of them: "p ≥ 0.2", or "p = 0.2" where all are the same."""
    distinct = set(values)
    return f"p {_related(min(distinct), '=' if len(distinct) == 1 else '≥')}"


def _related(value: float, relation: str) -> str:
    text = p_text(value)
    return text.replace("<", "< ") if text.startswith("<") else f"{relation} {text}"


def dump_csv(rows: Sequence[Sequence[Any]]) -> str:
    r"""Writes rows, with an apostrophe before texts that a spreadsheet would compute; numbers stay numbers.

    >>> dump_csv([["a,b", -0.5], ["=1+1", "-0.5"]])
    '"a,b",-0.5\n\'=1+1,-0.5\n'
    """
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(list(map(_csv_cell, row)) for row in rows)
    return out.getvalue()


def _csv_cell(cell: Any) -> Any:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell
