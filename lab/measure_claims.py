"""Measures what the documents claim about people, on the bundled excerpts; `--help` says how."""

from pathlib import Path

import typer

from lab.claims.measuring import measured, rater_agreement
from lab.claims.tables import json_text, markdown_text
from lab.update_cards import filled
from textgauge.core.progress import tqdm

README = Path(__file__).with_name("README.md")
RESULTS = README.parent / "claims" / "claims.json"


def main() -> None:
    """Write each claim about people into lab: data, both figures, the interval of their difference, verdict.

    A claim is supported where the interval is above 0, contradicted where it is below, and else not shown.
    """
    findings = list(tqdm(measured(), desc="claims", delay=2, leave=False))
    raters = rater_agreement()
    text = filled(README.read_text(encoding="utf-8"), "claims about people", markdown_text(findings, raters))
    README.write_text(text, encoding="utf-8")
    RESULTS.write_text(json_text(findings, raters), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
