"""Writes what a program can say into the cards of the metrics: the table of options, from the metric's own table.

    .venv/bin/python scripts/update_cards.py

A test fails while a card says anything else.
"""

import re
from pathlib import Path
from typing import Any

import typer

from scoring.specs import METRICS
from scoring.specs import load_metric

SPACES = METRICS.parent / "spaces"
HEADER = "| option | default | meaning |\n|---|---|---|\n"
_TABLE = re.compile(r"(^## Options\n\n)(?:\|.*\n)+", re.MULTILINE)


def options_table(metric: Any) -> str:
    """Returns the Markdown table of all options of a metric."""
    rows = [
        f"| `{name}` | `{_default(option.default)}` | {option.full_help.rstrip('.').replace('|', chr(92) + '|')} |\n"
        for name, option in metric.OPTIONS.items()
    ]
    return HEADER + "".join(rows)


def updated(card: str, metric: Any) -> str:
    """Returns a card with the table of options that its metric has now."""
    table = options_table(metric)
    text, count = _TABLE.subn(lambda found: found.group(1) + table, card)
    if count != 1:
        raise ValueError(f"the card of {metric.name} has {count} tables behind the heading Options; it needs one")
    return text


def _default(value: Any) -> str:
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text.replace("'", '"')


def main() -> None:
    """Rewrites the cards that are out of date."""
    for script in sorted(METRICS.glob("[!_]*.py")):
        path: Path = SPACES / script.stem / "README.md"
        card = path.read_text(encoding="utf-8")
        text = updated(card, load_metric(script.stem))
        if text != card:
            path.write_text(text, encoding="utf-8")
            typer.echo(f"{path.relative_to(SPACES.parent)} is up to date now")


if __name__ == "__main__":
    typer.run(main)
