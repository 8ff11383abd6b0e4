"""The measurements that are kept, and the tables that a README has of them."""

import json
import math
import os
import platform
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.json")
_EQUAL = 1e-4  # fastwer rounds a percentage
_ALIKE = 0.1  # elapsed and processor time differ by no more where one thread works


def read_measured() -> dict[str, Any]:
    """Returns what is kept: the `rows` of comparisons, fast `ways`, and the last `machine`."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def keep(rows: Iterable[Mapping[str, Any]], ways: Iterable[Mapping[str, Any]]) -> None:
    """Writes new rows among what is kept, a row a line; they replace all of their comparison and language."""
    kept = read_measured()
    of_ways = {way["way"]: way for way in [*kept["ways"], *ways]}
    parts = [f'"machine": {json.dumps(_machine())}']
    for name, entries in (("rows", merged(kept["rows"], rows)), ("ways", of_ways.values())):
        lines = ",\n".join([json.dumps(entry, ensure_ascii=False) for entry in entries])
        parts.append(f'"{name}": [\n{lines}\n]')
    text = ",\n".join(parts)
    MEASURED.write_text(f"{{{text}}}\n", encoding="utf-8")


def merged(kept: Iterable[Mapping], rows: Iterable[Mapping]) -> list[Mapping]:
    """Returns kept rows and new ones, which replace those that have the same comparison and language, in order."""
    new = list(rows)
    measured_again = {(row["comparison"], row["language"]) for row in new}
    old = [row for row in kept if (row["comparison"], row["language"]) not in measured_again]
    names = ("comparison", "segments", "side", "language")
    return sorted([*old, *new], key=lambda row: [row[name] for name in names])


def _machine() -> str:
    """Returns what the measurements ran on."""
    cpu_info = Path("/proc/cpuinfo")
    names = [line for line in cpu_info.read_text().splitlines() if "model name" in line] if cpu_info.exists() else []
    processor = names[0].partition(":")[2].strip() if names else platform.processor()
    return f"{os.cpu_count()} cores of {processor}, Python {platform.python_version()}"


def times_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of all comparisons.

    For ours it has the time of a warm call in µs per pair, and in brackets that of the first; for other sides, their
    time divided by ours, and in brackets the ratio of CPU times, if it differs. A star says that the scores differ.
    """
    groups: dict[tuple, dict[str, str]] = {}
    for row in rows:
        place = (row["comparison"], row["segments"], row["side"])
        groups.setdefault(place, {})[row["language"]] = _cell(row)
    lines = ["| comparison | pairs | side | en | ko |", "|---|--:|---|--:|--:|"]
    for (comparison, segments, side), cells in groups.items():
        lines.append(f"| {comparison} | {segments:,} | {side} | {cells.get('en', '')} | {cells.get('ko', '')} |")
    return "\n".join(lines) + "\n"


def ways_table(ways: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of the price of each way that exists for speed alone."""
    lines = ["| way | lines | times as fast as its plain twin |", "|---|--:|--:|"]
    lines += [f"| {way['way']} | {way['lines']} | {way['factor']:.2f} |" for way in ways]
    return "\n".join(lines) + "\n"


def _cell(row: Mapping[str, Any]) -> str:
    if row["side"] == "ours":
        return f"{three_digits(row['us_per_segment'])} µs ({three_digits(row['first_us_per_segment'])})"
    differs = row["difference"] is not None and row["difference"] > _EQUAL
    cpu_ratio = row.get("cpu_ratio", row["ratio"])
    in_threads = abs(cpu_ratio / row["ratio"] - 1) > _ALIKE
    return three_digits(row["ratio"]) + "*" * differs + f" ({three_digits(cpu_ratio)})" * in_threads


def three_digits(value: float) -> str:
    """Writes three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    decimals = 2 - math.floor(math.log10(max(value, 0.1)))
    return f"{value:.{decimals}f}"
