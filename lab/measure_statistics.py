"""Measures whether intervals and tests keep their word, on populations whose truth is known; `--help` says how."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from lab.simulating import simulations
from lab.simulating.population import SIZE, SPECS, bundled_population, made_population, meeting_population
from lab.simulating.simulations import ENOUGH_UNITS, GOAL, LEVEL, N_SCORES, SIGNIFICANT, Found
from lab.update_cards import filled

README = Path(__file__).with_name("README.md")
RESULTS = README.parent / "simulating" / "statistics.json"
RUNS = 2000  # how often each cell is simulated
# of each table its title, and its columns with the keys of their cells
_TABLES = {
    "coverage": (
        f"**Coverage of {LEVEL:.0%} intervals** (goal: at least {GOAL} from {ENOUGH_UNITS} units on; the least and the "
        f"most of {N_SCORES} scores)",
        {"population": "population", "units": "units", "score": "score", "difference": "difference",
         "plain percentiles: score": "plain_score", "plain: difference": "plain_difference", "runs": "runs"},
    ),
    "alarms": (
        f"**False alarms at {SIGNIFICANT}** (goal: at most {SIGNIFICANT}, and its error)",
        {"equal systems": "what", "segments": "segments", "systems": "systems", "scores": "scores",
         "groups": "groups", "anything significant": "share", "Holm by score alone": "each_score", "runs": "runs"},
    ),
    "looks": (
        f"**Looking again** (equal systems, a test at {SIGNIFICANT} after each {simulations.BETWEEN_LOOKS} further "
        "segments)",
        {"tests so far": "looks", "segments": "segments", "one of them significant": "share", "runs": "runs"},
    ),
}  # fmt: skip


def main() -> None:
    """Write into lab how often intervals hold the truth, and equal systems are said to differ significantly.

    It takes some ten minutes; the exit code is 1 where a goal is missed.
    """
    results = simulated(RUNS, SIZE)
    text = README.read_text(encoding="utf-8")
    README.write_text(filled(text, "statistics", markdown_text(results)), encoding="utf-8")
    settings = {"level": LEVEL, "goal": GOAL, "segments": SIZE, "metrics": [spec.rpartition("/")[2] for spec in SPECS]}
    content = {"settings": settings, **results}
    RESULTS.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    if not is_met(results):
        raise typer.Exit(1)


def simulated(runs: int, size: int) -> dict[str, list[Found]]:
    """Returns all that is measured, by table."""
    population = made_population(size)
    meetings = meeting_population(size // 4)
    of_segments = simulations.coverages(population, bundled_population(), meetings, runs)
    return {
        "coverage": [*of_segments, *simulations.seeds(runs)],
        "alarms": list(simulations.false_alarms(population, runs)),
        "looks": list(simulations.looks(population, runs)),
    }


def is_met(results: Mapping[str, Sequence[Found]]) -> bool:
    """Returns whether all goals are met, up to two standard errors."""
    shares = [(least(row), row["runs"]) for row in results["coverage"] if row["has_goal"]]
    covered = all(share + 2 * error(share, runs) >= GOAL for share, runs in shares)
    alarms = [(row["share"], row["runs"]) for row in results["alarms"]]
    return covered and all(share - 2 * error(share, runs) <= SIGNIFICANT for share, runs in alarms)


def least(row: Found) -> float:
    """Returns the smallest share of a coverage."""
    return min(row["score"] + row["difference"])


def error(share: float, runs: int) -> float:
    """Returns the standard error of a share."""
    return (share * (1 - share) / runs) ** 0.5


def markdown_text(results: Mapping[str, Sequence[Found]]) -> str:
    """Returns a table for each question."""
    tables = []
    for name, (title, columns) in _TABLES.items():
        rows = [list(columns), ["---"] + ["--:"] * (len(columns) - 1)]
        for found in results[name]:
            rows.append([_cell(found, key) for key in columns.values()])
        lines = [f"| {' | '.join(cells)} |\n" for cells in rows]
        tables.append(f"{title}\n\n{''.join(lines)}")
    return "\n".join(tables)


def _cell(row: Found, key: str) -> str:
    value: Any = row[key]
    if isinstance(value, list):
        low, high = (f"{end(value):.3f}" if value else "" for end in (min, max))
        return low if low == high else f"{low} to {high}"
    if key == "units":
        return f"{value:,} {row['kind']}"
    if key == "share":
        return f"{value:.3f} ± {error(value, row['runs']):.3f}"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if isinstance(value, float) else value


if __name__ == "__main__":
    typer.run(main)
