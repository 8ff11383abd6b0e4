"""Findings as Markdown, and as JSON."""

import itertools
from collections.abc import Sequence
from typing import Any

from textgauge.programs.saying.values import dump_json
from textgauge.programs.scoring.people import LEVEL

from .measuring import RATER_KEYS, RESAMPLES, SEEDS, Finding

_HEADING = "| data, what people judged | rows | first | second | difference | verdict |\n|---|--:|---|---|---|---|\n"
_RATERS = (
    "| data, what people judged | rows | raters | alpha | ordinal alpha | one rater with the others | reliability | "
    "ceiling |\n|---|--:|--:|--:|--:|--:|--:|--:|\n"
)


def markdown_text(findings: Sequence[Finding], raters: Sequence[dict[str, Any]]) -> str:
    """Returns one table for each claim, and one of the raters."""
    parts = []
    for (place, says), of_claim in itertools.groupby(findings, key=lambda finding: finding[:2]):
        parts.append(f"**{place}**: {says}\n\n{_HEADING}{''.join(map(_line, of_claim))}")
    lines = "".join(map(_rater_line, raters))
    return "\n".join([*parts, f"**The raters themselves**\n\n{_RATERS}{lines}"])


def _line(finding: Finding) -> str:
    """Returns one row; a claim without data has nothing but what is lacking."""
    cells = [*finding_cells(finding._asdict()), finding.verdict]
    return "|" + "".join(f" {cell} |" if cell else " |" for cell in cells) + "\n"


def finding_cells(finding: dict[str, Any]) -> list[str]:
    """Returns the cells of a finding except for its verdict: data, rows, both sides, their difference."""
    if not finding["values"]:
        return [finding["data"], "", "", "", ""]
    judged = ", ".join(filter(None, [finding["data"], finding["human"]]))
    first, *second = (f"{value:.3f}" for value in finding["values"])
    first_text = f"{finding['first']}: {first}"
    second_text = f"{finding['second']}: {second[0]}" if second else ""
    difference = finding["values"][0] - sum(finding["values"][1:])
    difference_text = f"{difference:+.4f}"
    if finding["interval"]:
        low, high = finding["interval"]
        difference_text += f", {low:+.4f} to {high:+.4f}"
    return [judged, str(finding["rows"]), first_text, second_text, difference_text]


def _rater_line(row: dict[str, Any]) -> str:
    figures = " | ".join("{:.3f}, {:.3f} to {:.3f}".format(*row[key]) for key in RATER_KEYS)
    return f"| {row['data']}, {row['human']} | {row['rows']} | {row['raters']} | {figures} |\n"


def json_text(findings: Sequence[Finding], raters: Sequence[dict[str, Any]]) -> str:
    """Returns the settings, all findings and the raters, with unrounded numbers."""
    settings = {"level": LEVEL, "resamples": RESAMPLES, "seeds": list(SEEDS)}
    content = {"settings": settings, "claims": [finding._asdict() for finding in findings], "raters": list(raters)}
    return dump_json(content)
