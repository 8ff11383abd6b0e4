"""Results that score.py and compare.py wrote with --json, read again: they may have been sent by somebody else."""

import json
from pathlib import Path
from typing import Any

from textgauge.core.options import PROGRAM, is_number

from ..errors import InputError
from .data_digests import Data, read_data

Scores = dict[str, dict[str, Any]]  # label of a score -> what the metric returned, and its signature


def read_program(path: Path) -> str:
    """Returns the program of a file's scores, such as "textgauge 0.1.0"; nothing if the file does not name it."""
    content = _content(path)
    program = content.get("program") if isinstance(content, dict) else None
    return program if isinstance(program, str) and PROGRAM.fullmatch(program) else ""


def read_data_of(path: Path) -> Data | None:
    """Returns the data of a file's scores; None if the file does not name them, like those of older versions."""
    content = _content(path)
    return read_data(content.get("data")) if isinstance(content, dict) else None


def read_results(path: Path) -> dict[str, Scores]:
    """Returns the scores of each system of a file; InputError for a file of anything else."""
    content = _content(path)
    systems = content.get("systems") if isinstance(content, dict) else None
    if not _is_filled(systems) or not all(map(_is_filled, systems.values())):
        raise _other_file(path)
    for scores in systems.values():
        if not all(map(_is_result, scores.values())):
            raise _other_file(path)
    return systems


def _content(path: Path) -> Any:
    """Returns the content of a file of JSON; None if it is not JSON."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    # the second for lists in lists, and the first for bytes that are not UTF-8, too
    except (ValueError, RecursionError):
        return None


def _is_filled(value: Any) -> bool:
    return isinstance(value, dict) and len(value) > 0


def _is_result(result: Any) -> bool:
    """Returns whether this is what a metric returns, the score first, with a signature."""
    if not _is_filled(result) or not isinstance(result.get("signature"), str):
        return False
    score = next(iter(result.values()))
    return score in (None, "inf", "-inf") or is_number(score)


def _other_file(path: Path) -> InputError:
    return InputError(f"{path} is not what score.py or compare.py writes with --json")
