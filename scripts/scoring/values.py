"""Values of results: scores as text and as JSON."""

import difflib
import math
from collections.abc import Iterable
from collections.abc import Mapping
from typing import Any


def number_text(value: Any) -> str:
    """Writes a score with four decimals."""
    return f"{value:.4f}" if isinstance(value, (int, float)) else str(value)


def close_text(word: str, known: Iterable[str]) -> str:
    """Writes which known word is meant, such as " (did you mean bleu?)"; nothing where none is close."""
    close = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def interval_text(result: Mapping[str, Any], prefix: str = "") -> str:
    """Writes an interval as "[0.2918, 0.3472]"; nothing without one."""
    ends = result.get(f"{prefix}confidence_interval")
    return f"[{', '.join(map(number_text, ends))}]" if ends else ""


def json_value(value: Any) -> Any:
    """Replaces what JSON cannot hold: nan becomes null, and infinity "inf" or "-inf"."""
    if isinstance(value, Mapping):
        return {str(key): json_value(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value
