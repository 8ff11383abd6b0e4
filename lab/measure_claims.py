"""Measures what the documents claim about people, on the bundled excerpts; `--help` says how."""

from pathlib import Path

import typer

from lab.claims.measuring import RESAMPLES, SEED, measured
from textgauge.core.progress import tqdm
from textgauge.programs.saying.values import dump_json
from textgauge.programs.scoring.people import LEVEL

RESULTS = Path(__file__).parent / "claims" / "claims.json"


def main() -> None:
    """Keep each claim about people for the tables of `lab.update_cards`: data, both figures, interval, verdict.

    A claim is supported where the interval is above 0, contradicted where it is below, and else not shown.
    """
    findings = [finding._asdict() for finding in tqdm(measured(), desc="claims", delay=2, leave=False)]
    settings = {"level": LEVEL, "resamples": RESAMPLES, "seed": SEED}
    RESULTS.write_text(dump_json({"settings": settings, "claims": findings}), encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
