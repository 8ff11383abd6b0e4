"""Counts what each option of five metrics costs: statements of the package and the metrics that one call enters.

A statement counts once, however often it runs. Each call runs in a process of its own that is forked before any other
call, so that no cache holds what an earlier one made; what only an import runs does not count.
"""

import ast
import functools
import itertools
import json
import os
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import typer

from lab.update_cards import ROOT, filled
from textgauge.core.errors import InputError
from textgauge.programs.scoring.specs import load_metric

METRICS = ("cer", "wer", "bleu", "rouge", "meteor")
PAIRS = [
    ("그는 3시에 서울에서 잠을 잤다.", "그는 세 시에 서울에서 잤습니다."), ("어 고양이가 잔다", "고양이가 잔다"),
    ("The cat sat on the mat today.", "The cat sits on a mat."), ("가나다 라마바", "가나 다라마바"), ("", "빈 문장"),
    ("서울시 1,200원", "서울시 천이백 원"),
]  # fmt: skip
# values of options that have no list of choices, or whose first choice says little
_VALUES: dict[str, Any] = {
    "readings": "ko", "weights": {"서울": 2.0, "cat": 0.5}, "fillers": ["어", "그"], "drop_fillers": True,
    "confidence": 0.95, "resamples": 50, "seed": 1, "clusters": [0, 0, 1, 1, 2, 2], "max_order": 2,
    "order_weights": [0.5, 0.2, 0.2, 0.1], "smooth": "exp", "smooth_value": 0.5, "rouge_types": ["rouge1", "rougeW"],
    "beta": 2.0, "w_exponent": 1.5, "idf": "references", "use_aggregator": False, "stages": ["exact"],
    "stemmer": "snowball", "synonyms": {"cat": ["mat"]}, "alpha": 0.8, "gamma": 0.4, "delta": 0.7, "lang": "de",
    "stage_weights": [1.0, 0.6, 0.8], "function_words": "auto", "tokenizer": "char", "normalization": "NFKC",
}  # fmt: skip


def main() -> None:
    """Writes the table of prices into lab/README.md; it takes some minutes."""
    readme = Path(__file__).with_name("README.md")
    table = prices_table({name: prices(name) for name in METRICS})
    readme.write_text(filled(readme.read_text(encoding="utf-8"), "price", table), encoding="utf-8")


def prices_table(of_metrics: Mapping[str, Mapping[str, str]]) -> str:
    """Returns the Markdown table of the prices of all metrics, a row for each option."""
    names = dict.fromkeys(option for prices in of_metrics.values() for option in prices)
    lines = [f"| option | {' | '.join(of_metrics)} |", f"|---|{'--:|' * len(of_metrics)}"]
    for option in names:
        cells = [prices.get(option, "") for prices in of_metrics.values()]
        lines.append(f"| {option} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def prices(name: str) -> dict[str, str]:
    """Returns what a plain call of a metric enters, and what each option adds: alone, and with the dearest other."""
    values = {option: value_of(option, kind) for option, kind in load_metric(name).OPTIONS.items()}
    plain = entered(name, {}) or set()
    alone = {option: entered(name, {option: value}) for option, value in values.items()}
    meetings: dict[str, dict[str, int]] = {option: {} for option in values}
    for first, second in itertools.combinations(values, 2):
        both = entered(name, {first: values[first], second: values[second]})
        if both and alone[first] and alone[second]:
            met = len(both - alone[first] - alone[second] - plain)
            meetings[first][second] = meetings[second][first] = met
    found = {"a plain call": f"{len(plain):,}"}
    for option in values:
        most = max(meetings[option], key=meetings[option].__getitem__, default="")
        met = meetings[option].get(most, 0)
        price = "needs another" if alone[option] is None else f"{len(alone[option] - plain):,}"
        found[f"`{option}`"] = f"{price} ({met:,} `{most}`)" if met else price
    return found


def value_of(name: str, option: Any) -> Any:
    """Returns a value of an option that is not its default."""
    if name in _VALUES:
        return _VALUES[name]
    return next(choice for choice in option.choices if choice not in (None, option.default, *option.packages))


def entered(name: str, options: Mapping[str, Any]) -> set[tuple[str, int]] | None:
    """Returns the statements, file and first line, that a call enters; None where the options are refused."""
    receiver, sender = os.pipe()
    load_metric(name)
    if os.fork() == 0:
        with os.fdopen(sender, "w", encoding="utf-8") as pipe:
            json.dump(_traced(name, options), pipe)
        os._exit(0)
    os.close(sender)
    with os.fdopen(receiver, encoding="utf-8") as pipe:
        lines = json.load(pipe)
    os.wait()
    return None if lines is None else {(file, start) for file, line in lines if (start := _starts(file).get(line))}


def _traced(name: str, options: Mapping[str, Any]) -> list[tuple[str, int]] | None:
    """Returns the lines of our functions that a call runs."""
    lines: set[tuple[str, int]] = set()
    folders = (str(ROOT / "textgauge"), str(ROOT / "metrics"))

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(folders) or code.co_name == "<module>":
            return None
        lines.add((code.co_filename, frame.f_lineno))
        return trace

    predictions, references = map(list, zip(*PAIRS, strict=True))
    warnings.simplefilter("ignore")
    sys.settrace(trace)
    try:
        load_metric(name).compute(predictions=predictions, references=references, **options)
    except InputError:
        return None
    finally:
        sys.settrace(None)
    return sorted(lines)


@functools.cache
def _starts(file: str) -> dict[int, int]:
    """Returns for each line of a file the first line of the innermost statement that it belongs to."""
    starts: dict[int, int] = {}
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt) and not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            starts.update(dict.fromkeys(range(node.lineno, node.end_lineno + 1), node.lineno))
    return starts


if __name__ == "__main__":
    typer.run(main)
