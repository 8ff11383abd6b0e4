"""Measures what the documents claim about people, on the bundled excerpts; `--help` says how."""

from pathlib import Path

import typer

from lab.claims.measuring import measured, rater_agreement
from lab.claims.tables import json_text, markdown_text
from lab.update_cards import filled
from textgauge.core.progress import tqdm

FOLDER = Path(__file__).resolve().parent / "claims"


def main() -> None:
    """Write each claim about people into lab/claims: data, both figures, the interval of their difference, verdict.

    A claim is supported where the interval is above 0, contradicted where it is below, and else not shown.
    """
    findings = list(tqdm(measured(), desc="claims", delay=2, leave=False))
    raters = rater_agreement()
    readme = FOLDER / "README.md"
    text = filled(readme.read_text(encoding="utf-8"), "findings", markdown_text(findings, raters))
    readme.write_text(text, encoding="utf-8")
    (FOLDER / "claims.json").write_text(json_text(findings, raters), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
