"""The processor times of our metrics and their peers that are kept, and the table that a README has of them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).with_name("measured.json")
_KEPT = ("comparison", "language", "side", "segments", "rounds", "cpu_ratio", "difference")
_EQUAL = 1e-4  # fastwer rounds a percentage


def read_measured() -> list[dict[str, Any]]:
    """Returns the kept rows of all comparisons."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def merged(kept: Iterable[Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Returns the kept rows with those of a new report, which replace all rows of their comparison and language."""
    new = [{name: row[name] for name in _KEPT} for row in rows if row["side"] != "ours"]
    new = [row for row in new if not row["side"].startswith("our ")]
    again = {(row["comparison"], row["language"]) for row in new}
    kept = [dict(row) for row in kept if (row["comparison"], row["language"]) not in again]
    return sorted([*kept, *new], key=lambda row: (row["comparison"], row["side"], row["language"]))


def keep(rows: Iterable[Mapping[str, Any]]) -> None:
    """Writes the rows of a report among those that are kept, a row a line."""
    lines = [json.dumps(row, ensure_ascii=False) for row in merged(read_measured(), rows)]
    MEASURED.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def ratios_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of the other libraries' times divided by ours, what is fastest first.

    A star says that the scores differ.
    """
    cells: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
    for row in rows:
        cells.setdefault((row["comparison"], row["side"]), {})[row["language"]] = row
    lines = ["| comparison | pairs | other library | en | ko |", "|---|--:|---|--:|--:|"]
    for (comparison, side), found in sorted(cells.items(), key=lambda item: min(map(_ratio, item[1].values()))):
        sizes = sorted({row["segments"] for row in found.values()})
        ratios = [_cell(found[language]) if language in found else "" for language in ("en", "ko")]
        lines.append(" | ".join([f"| {comparison}", ", ".join(f"{size:,}" for size in sizes), side, *ratios]) + " |")
    return "\n".join(lines) + "\n"


def _ratio(row: Mapping[str, Any]) -> float:
    return row["cpu_ratio"]


def _cell(row: Mapping[str, Any]) -> str:
    """Returns a ratio with two decimals, or without any from 100 on."""
    differs = row["difference"] is not None and row["difference"] > _EQUAL
    return f"{row['cpu_ratio']:.{0 if row['cpu_ratio'] >= 100 else 2}f}{'*' * differs}"
