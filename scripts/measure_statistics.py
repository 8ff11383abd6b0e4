"""Measures whether intervals and verdicts keep their word, on populations whose truth is known; `--help` says how."""

from pathlib import Path
from typing import Annotated

import typer

import clone_first  # noqa: F401
from simulating import coverage, sureness
from simulating.population import SIZE, bundled_population, made_population
from simulating.tables import Found, is_met, json_text, markdown_text
from textgauge.programs.comparing.options import JsonFile, MarkdownFile
from textgauge.programs.scoring.commands import messages, progress_in_terminals_only
from textgauge.programs.scoring.console import run
from textgauge.programs.scoring.outputs import STDOUT, check_targets, write_files
from update_cards import filled

FOLDER = Path(__file__).resolve().parent / "simulating"

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    json: JsonFile = None,
    markdown: MarkdownFile = None,
    runs: Annotated[int, typer.Option("--runs", min=1, help="How often each cell is simulated.")] = 2000,
    update: Annotated[bool, typer.Option("--update", help="Write both into scripts/simulating.")] = False,
) -> None:
    """Print how often intervals hold the truth, and how often "sure" is said of equal systems, in some ten minutes."""
    with messages():
        progress_in_terminals_only()
        check_targets([path for path in (json, markdown) if path])
        results = simulated(runs)
        tables, numbers = markdown_text(results), json_text(results)
        texts = {path: text for path, text in ((json, numbers), (markdown, tables)) if path}
        if update:
            readme = FOLDER / "README.md"
            text = filled(readme.read_text(encoding="utf-8"), "findings", tables)
            texts |= {FOLDER / "statistics.json": numbers, readme: text}
        write_files(texts)
    typer.echo(texts.get(STDOUT, tables), nl=False)
    if not is_met(results):
        raise typer.Exit(1)


def simulated(runs: int, size: int = SIZE) -> Found:
    """Returns all that is measured, by table."""
    population = made_population(size)
    return {
        "coverage": [
            *coverage.coverages(population, bundled_population(), runs),
            *coverage.correlations(runs // 2),
            *coverage.seeds(runs),
        ],
        "alarms": list(sureness.false_alarms(population, runs)),
        "power": list(sureness.power(population, runs)),
        "needed": [sureness.needed(population, runs)],
    }


if __name__ == "__main__":
    run(app)
