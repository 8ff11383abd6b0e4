"""The measurements that are kept, and the tables that a README has of them."""

import json
import math
import operator
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lab.peers import PEERS

from .measure import Row
from .session import Memory, Report

MEASURED = Path(__file__).with_name("measured.json")
_KEPT = ["comparison", "language", "side", "segments", "rounds", "us_per_segment", "first_us_per_segment"]
_KEPT += ["ratio", "cpu_ratio", "difference"]
_EQUAL = 1e-4  # fastwer rounds a percentage
_ALIKE = 0.1  # elapsed and processor time differ by no more where one thread works
_LANGUAGES = ("en", "ko")
_LIBRARIES = {peer.name for peer in PEERS}
# of the README: comparison, library, and what is compared in English and in Korean
_HEADLINES = (
    ("bleu 13a", "sacrebleu", "BLEU", "BLEU"),
    ("chrf, 1 reference", "sacrebleu CHRF, TER", "chrF", "chrF"),
    ("rouge, sentences", "rouge_score", "ROUGE", "ROUGE"),
    ("cer", "jiwer", "CER", "CER"),
    ("wer", "jiwer", "WER", "WER"),
    ("meteor, exact", "nltk meteor_score", "METEOR, equal words only", "METEOR, 같은 단어만"),
    ("wer", "universal-edit-distance", "WER", "WER"),
    ("wer, one segment per call", "jiwer", "WER, one segment per call", "WER, 호출마다 한 문장"),
    ("cer", "lev-rs", "CER, the distance alone", "CER, 거리만"),
    ("start of a process", "sacrebleu", "BLEU, with the start of a process", "BLEU, 프로세스 시작 포함"),
)


def read_measured() -> dict[str, Any]:
    """Returns what is kept: `rows` of comparisons, `memory`, `large` data, `long` texts, and the last `machine`."""
    return json.loads(MEASURED.read_text(encoding="utf-8"))


def merged(kept: Mapping[str, Any], rows: Iterable[Row], memory: Iterable[Memory]) -> dict[str, list[dict[str, Any]]]:
    """Returns what is kept with a new report, which replaces all rows of its comparisons and languages, and peaks."""
    new = []
    for row in rows:
        new.append({name: getattr(row, name) for name in _KEPT})
    peaks = [peak._asdict() for peak in memory]
    return {
        "rows": _replaced(kept["rows"], new, "comparison", "language"),
        "memory": _replaced(kept["memory"], peaks, "side", "segments", "language"),
    }


def _replaced(kept: list[dict], new: list[dict], *key: str) -> list[dict]:
    """Returns old entries and new ones, which replace those that have the same key, in order."""
    key_of = operator.itemgetter(*key)
    measured_again = set(map(key_of, new))
    kept = [entry for entry in kept if key_of(entry) not in measured_again]
    names = ("comparison", "segments", "side", "language")
    return sorted([*kept, *new], key=lambda entry: [entry[name] for name in names if name in entry])


def keep(report: Report) -> None:
    """Writes a report among what is kept, an entry a line."""
    kept = read_measured()
    entries = merged(kept, report.rows, report.memory)
    entries["large"] = kept["large"]
    entries["long"] = kept["long"]
    parts = [f'"machine": {json.dumps(_machine())}']
    for name, of_name in entries.items():
        lines = ",\n".join([json.dumps(entry, ensure_ascii=False) for entry in of_name])
        parts.append(f"{json.dumps(name)}: [\n{lines}\n]")
    text = ",\n".join(parts)
    MEASURED.write_text(f"{{{text}}}\n", encoding="utf-8")


def _machine() -> str:
    """Returns what the measurements ran on."""
    cpu_info = Path("/proc/cpuinfo")
    names = [line for line in cpu_info.read_text().splitlines() if "model name" in line] if cpu_info.exists() else []
    processor = names[0].partition(":")[2].strip() if names else platform.processor()
    return f"{os.cpu_count()} cores of {processor}, Python {platform.python_version()}"


def ratios_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of the other libraries' times divided by ours, what is fastest first.

    A star says that the scores differ; in brackets that of the processor's times, where it is another one.
    """
    peers = [row for row in rows if row["side"] in _LIBRARIES]
    lines = ["| comparison | pairs | other library | en | ko |", "|---|--:|---|--:|--:|"]
    return _table(lines, peers, ("comparison", "segments", "side"), _ratio_cell, lambda row: row["ratio"])


def speed_table(rows: Iterable[Mapping[str, Any]], language: str) -> str:
    """Returns the Markdown table of the README: a few ratios in Korean texts, those where we are slower last.

    Args:
        rows: what is kept of comparisons.
        language: of the table, "en" or "ko".
    """
    ratios = {(row["comparison"], row["side"]): row for row in rows if row["language"] == "ko"}
    titles = {
        "en": "| task | pairs | other library | its time / ours |",
        "ko": "| 작업 | 쌍 | 라이브러리 | 시간 비 |",
    }
    lines = [titles[language], "|---|--:|---|--:|"]
    ordered = sorted(_HEADLINES, key=lambda headline: -ratios[headline[:2]]["ratio"])
    for comparison, library, english, korean in ordered:
        row = ratios[comparison, library]
        task = english if language == "en" else korean
        lines.append(f"| {task} | {row['segments']:,} | {library.split()[0]} | {row['ratio']:.2g} |")
    return "\n".join(lines) + "\n"


def times_table(rows: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of our own times, and of what is no library."""
    ours = [row for row in rows if row["side"] not in _LIBRARIES]
    lines = ["| comparison | pairs | side | en, µs per pair | ko, µs per pair |", "|---|--:|---|--:|--:|"]
    return _table(lines, ours, ("comparison", "segments", "side"), _time_cell)


def memory_table(peaks: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of peaks of memory."""
    lines = ["| pairs | side | en, MB | ko, MB |", "|--:|---|--:|--:|"]
    return _table(lines, peaks, ("segments", "side"), lambda peak: f"{peak['megabytes']:.0f}")


def large_table(runs: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of runs on large data, which are made by hand; plain ones are without intervals."""
    lines = ["| pairs | command | processor time, µs per pair | elapsed | peak memory |", "|--:|---|--:|--:|--:|"]
    for run in runs:
        time = f"{run['us']}" + (f", without intervals {run['us_plain']}" if run["us_plain"] else "")
        elapsed = f" {run['seconds']} s" if run["seconds"] else ""
        elapsed += f", without {run['seconds_plain']} s" if run["seconds_plain"] else ""
        memory = f" {run['megabytes']:,} MB" if run["megabytes"] else ""
        lines.append(f"| {run['pairs']:,} | {run['command']} | {time} |{elapsed} |{memory} |")
    return "\n".join(lines) + "\n"


def long_table(runs: Iterable[Mapping[str, Any]]) -> str:
    """Returns the Markdown table of long texts with readings, measured by hand; memory is that above the program's."""
    lines = ["| characters | words with a notation | | s | MB |", "|--:|--:|---|--:|--:|"]
    for run in runs:
        name = f"`{run['metric']}`" + (", `detailed`" if run["detailed"] else "")
        share = f"{100 * run['notations']:g}%"
        cells = [f"{run['characters']:,}", share, name, f"{run['seconds']}", f"{run['megabytes']}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _table(
    lines: list[str],
    entries: Iterable[Mapping[str, Any]],
    names: tuple[str, ...],
    cell: Callable[[Mapping[str, Any]], str],
    order: Callable[[Mapping[str, Any]], float] = lambda entry: 0,
) -> str:
    """Returns a table with a line for each group of these values, and a column for each language."""
    groups: dict[tuple, dict[str, Mapping[str, Any]]] = {}
    for entry in entries:
        values = tuple(entry[name] for name in names)
        groups.setdefault(values, {})[entry["language"]] = entry
    in_order = sorted(groups.items(), key=lambda group: min(map(order, group[1].values())))
    for values, by_language in in_order:
        cells = [f"{value:,}" if isinstance(value, int) else value for value in values]
        cells += [cell(by_language[language]) if language in by_language else "" for language in _LANGUAGES]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _ratio_cell(row: Mapping[str, Any]) -> str:
    differs = row["difference"] is not None and row["difference"] > _EQUAL
    cpu_ratio = row.get("cpu_ratio", row["ratio"])
    in_threads = abs(cpu_ratio / row["ratio"] - 1) > _ALIKE
    return three_digits(row["ratio"]) + "*" * differs + f" ({three_digits(cpu_ratio)})" * in_threads


def _time_cell(row: Mapping[str, Any]) -> str:
    """Returns the time of a warm call, and in brackets that of the first."""
    return f"{three_digits(row['us_per_segment'])} ({three_digits(row['first_us_per_segment'])})"


def three_digits(value: float) -> str:
    """Writes three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    decimals = 2 - math.floor(math.log10(max(value, 0.1)))
    return f"{value:.{decimals}f}"
