"""Measures whether intervals and verdicts keep their word, on populations whose truth is known; `--help` says how."""

from pathlib import Path

import typer

from lab.simulating import coverage, sureness
from lab.simulating.population import SIZE, bundled_population, made_population, meeting_population
from lab.simulating.tables import Found, is_met, json_text, markdown_text
from lab.update_cards import filled

FOLDER = Path(__file__).resolve().parent / "simulating"
RUNS = 2000  # how often each cell is simulated


def main() -> None:
    """Write into lab/simulating how often intervals hold the truth, and equal systems are said to differ significantly.

    It takes some ten minutes; the exit code is 1 where a goal is missed.
    """
    results = simulated(RUNS, SIZE)
    readme = FOLDER / "README.md"
    text = filled(readme.read_text(encoding="utf-8"), "findings", markdown_text(results))
    readme.write_text(text, encoding="utf-8")
    (FOLDER / "statistics.json").write_text(json_text(results), encoding="utf-8")
    if not is_met(results):
        raise typer.Exit(1)


def simulated(runs: int, size: int) -> Found:
    """Returns all that is measured, by table."""
    population = made_population(size)
    coverages = list(coverage.coverages(population, bundled_population(), runs))
    coverages += coverage.meetings(meeting_population(size // 4), runs)
    coverages += coverage.correlations(runs // 2)
    coverages += coverage.seeds(runs)
    alarms = list(sureness.false_alarms(population, runs))
    looks = list(sureness.looks(population, runs))
    powers = list(sureness.power(population, runs))
    needed = sureness.needed(population, runs)
    return {"coverage": coverages, "alarms": alarms, "looks": looks, "power": powers, "needed": [needed]}


if __name__ == "__main__":
    typer.run(main)
