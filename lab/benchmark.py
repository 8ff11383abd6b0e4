"""Compares our metrics with every peer that is installed, and each fast way with its plain twin; prints tables.

    python -m lab.benchmark --only cer --only "bleu 13a" --keep

All sides score the same texts in alternating rounds; a ratio is the median of the rounds' ratios, and above 1 where
ours is faster. Nothing is downloaded.
"""

import os
from collections.abc import Callable, Iterator
from statistics import fmean
from typing import Annotated, Any

import typer
from rich.console import Console

from lab.benchmarking import clock, fast_ways, measured
from lab.benchmarking.clock import Side
from lab.benchmarking.rows import ROWS, Row
from lab.peers.inputs import Columns
from lab.peers.peer import Case, Peer, Values
from textgauge.programs.scoring.specs import load_metric

CALLS = 100  # of one segment each


def main(
    segments: Annotated[int, typer.Option(min=2, help="Segments per comparison.")] = 4_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after one to warm up.")] = 5,
    only: Annotated[list[str] | None, typer.Option(help="A comparison; repeatable.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the results for the page.")] = False,
) -> None:
    """Compares our metrics with their peers, and fast ways with their plain twins; each with one thread."""
    os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")  # what ours and libraries in Rust read
    console = Console()
    rows: list[dict[str, Any]] = []
    failed = []
    for name, language, n, sides in comparisons(segments, ["en", "ko"], only, console.print):
        try:
            rows += clock.measured(name, language, n, sides, rounds)
        except clock.Disagreement as error:
            failed.append(str(error))
    for way in fast_ways.WAYS:
        if not only or way.name in only:
            found = clock.measured(*fast_ways.comparison(way), rounds)
            rows += [{**row, "lines": fast_ways.lines(way)} for row in found]
    console.print(measured.times_table(rows), measured.ways_table(rows), markup=False)
    if keep:
        measured.keep(rows)
    console.print(*failed, sep="\n", style="red")
    raise typer.Exit(1 if failed else 0)


def comparisons(
    segments: int, languages: list[str], only: list[str] | None, skip: Callable[[str], None]
) -> Iterator[tuple[str, str, int, dict[str, Side]]]:
    """Yields name, language, number of segments and sides of each comparison; names peers that are not here."""
    for row in ROWS:
        for language in set(languages).intersection(row.languages):
            if only and row.name not in only:
                continue
            columns = row.texts(language, CALLS if row.calls else min(segments, row.most))
            sides = {"ours": _ours(columns, row)}
            for name, peer in row.peers.items():
                try:
                    sides[name] = _theirs(peer, columns, row)
                except Exception as error:  # noqa: BLE001 - what is not here, and what cannot be loaded
                    skip(f"skipped: {row.name}: {name}: {error}")
            yield row.name, language, len(columns["predictions"]), sides


def _ours(columns: Columns, row: Row) -> Side:
    """Returns the side with our metric."""
    metric = load_metric(row.metric)
    known = {key: value for key, value in columns.items() if key in metric.COLUMNS}
    return Side(_calls(lambda part: metric.compute(**part, **row.options), known, row))


def _theirs(peer: Peer, columns: Columns, row: Row) -> Side:
    """Returns a side with a peer, called for what ours computes with these options."""
    defaults = {name: option.default for name, option in load_metric(row.metric).OPTIONS.items()}
    options = {**defaults, **row.options}
    theirs = peer.theirs()
    run = _calls(lambda part: theirs(Case(part, options)), columns, row)
    return Side(run, max(1e-9, peer.tolerance), tuple(peer.reasons(Case(columns, options))))


def _calls(compute: Callable[[Columns], Values], columns: Columns, row: Row) -> Callable[[], float]:
    """Returns what calls a side with all segments, or with each alone; its score is the mean of the values."""
    parts = [columns]
    if row.calls:
        segments = len(columns["predictions"])
        parts = [_segment(columns, index) for index in range(segments)]
    return lambda: fmean([_score(compute(part), row.keys or (row.metric,)) for part in parts])


def _segment(columns: Columns, index: int) -> Columns:
    return {name: [column[index]] for name, column in columns.items()}


def _score(values: Values, keys: tuple[str, ...]) -> float:
    """Returns the mean of the values under the keys; where a peer has values of segments alone, theirs is the value."""
    numbers = []
    for key in keys:
        numbers.append(values[key] if key in values else fmean(values.get(f"{key}_segments") or values["segments"]))
    return fmean(numbers)


if __name__ == "__main__":
    typer.run(main)
