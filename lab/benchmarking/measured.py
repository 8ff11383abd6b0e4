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


def read_measured() -> dict[str, Any]:
    """Returns what is kept: the `rows` of comparisons, those of fast ways with their lines, and the last `machine`."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def keep(rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes new rows among what is kept, a row a line; they replace all of their comparison and language."""
    rows = merged(read_measured()["rows"], rows)
    lines = ",\n".join([json.dumps(row, ensure_ascii=False) for row in rows])
    text = f'{{"machine": {json.dumps(_machine())},\n"rows": [\n{lines}\n]}}\n'
    MEASURED.write_text(text, encoding="utf-8")


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
    """Returns the Markdown table of comparisons with other libraries, a row for each, with English and Korean.

    For ours it has the time of a warm call in µs per pair, and in brackets that of the first; for other sides, their
    time divided by ours. A star says that the scores differ.
    """
    comparisons: dict[tuple, dict[str, dict[str, str]]] = {}
    for row in rows:
        if "lines" not in row:
            sides = comparisons.setdefault((row["comparison"], row["segments"]), {"ours": {}})
            sides.setdefault(row["side"], {})[row["language"]] = _cell(row)
    lines = ["| comparison | pairs | ours, en | ours, ko | others, en/ko |", "|---|--:|--:|--:|---|"]
    for (comparison, segments), sides in comparisons.items():
        ours = sides.pop("ours")
        others = [f"{side} {cells.get('en', '–')}/{cells.get('ko', '–')}" for side, cells in sides.items()]
        cells = [comparison, f"{segments:,}", ours.get("en", ""), ours.get("ko", ""), "; ".join(others)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def ways_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of the price of each way that exists for speed alone."""
    lines = ["| way | lines | times as fast as its plain twin |", "|---|--:|--:|"]
    ways = [row for row in rows if "lines" in row and row["side"] != "ours"]
    lines += [f"| {row['comparison']} | {row['lines']} | {row['ratio']:.2f} |" for row in ways]
    return "\n".join(lines) + "\n"


def _cell(row: Mapping[str, Any]) -> str:
    if row["side"] == "ours":
        return f"{three_digits(row['us_per_segment'])} ({three_digits(row['first_us_per_segment'])})"
    differs = row["difference"] is not None and row["difference"] > _EQUAL
    return three_digits(row["ratio"]) + "*" * differs


def three_digits(value: float) -> str:
    """Writes three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    decimals = 2 - math.floor(math.log10(max(value, 0.1)))
    return f"{value:.{decimals}f}"
