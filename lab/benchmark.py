"""Compares our metrics with every peer that is installed, and each fast way with its plain twin; prints tables.

    python -m lab.benchmark --only cer --only "bleu 13a" --keep

All sides score the same texts in alternating rounds; a ratio is the median of the rounds' ratios, and above 1 where
ours is faster. Nothing is downloaded.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from unittest import mock

import typer
from rich.console import Console

from lab.benchmarking import clock, fast_ways, measured
from lab.benchmarking.clock import Side, mean
from lab.benchmarking.texts import sentences
from lab.peers.inputs import Columns
from lab.peers.peer import Case, Peer, Values
from textgauge.programs.scoring.specs import load_metric

ROOT = Path(__file__).parents[1]
CALLS = 100  # of one segment each
_THREADS = "OMP_NUM_THREADS"  # which ours read at each call


def main(
    segments: Annotated[int, typer.Option(min=2, help="Segments per comparison.")] = 4_000,
    rounds: Annotated[int, typer.Option(min=1, help="Timed rounds after one to warm up.")] = 5,
    languages: Annotated[str, typer.Option(help="Of the texts, with commas.")] = "en,ko",
    only: Annotated[list[str] | None, typer.Option(help="A comparison; repeatable.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the results for the page.")] = False,
    all_threads: Annotated[bool, typer.Option(help="Use the threads that each library takes by default.")] = False,
) -> None:
    """Compares our metrics with their peers, and fast ways with their plain twins."""
    if not all_threads:  # what ours and libraries in Rust read
        os.environ.update(OMP_NUM_THREADS="1", RAYON_NUM_THREADS="1")
    console = Console()
    rows: list[dict[str, Any]] = []
    failed = []
    for name, language, n, sides in comparisons(segments, languages.split(","), only, console.print):
        try:
            rows += clock.measured(name, language, n, sides, rounds)
        except clock.Disagreement as error:
            failed.append(str(error))
    ways = [way for way in fast_ways.WAYS if not only or way.name in only]
    found = [fast_ways.measured_way(way, rounds) for way in ways]
    console.print(measured.times_table(rows), measured.ways_table(found), markup=False)
    if keep:
        measured.keep(rows, found)
    console.print(*failed, sep="\n", style="red")
    raise typer.Exit(1 if failed else 0)


def comparisons(
    segments: int, languages: list[str], only: list[str] | None, skip: Callable[[str], None]
) -> Iterator[tuple[str, str, int, dict[str, Side]]]:
    """Yields name, language, number of segments and sides of each comparison; names peers that are not here."""
    from lab.benchmarking.rows import ROWS  # after the threads are set, which are in the names of some

    for row in ROWS:
        for language in set(languages).intersection(row.languages):
            if only and row.name not in only:
                continue
            columns = row.texts(language, CALLS if row.calls else min(segments, row.most))
            sides = {"ours": _ours(row.metric, row.options, columns, row)}
            for name, (metric, options) in row.ours.items():
                side = _ours(metric, options, columns, row._replace(keys=() if metric != row.metric else row.keys))
                sides[name] = side if row.is_equal else side._replace(reasons=("another score",))
            for name, peer in row.peers.items():
                try:
                    sides[name] = _theirs(peer, columns, row)
                except Exception as error:  # noqa: BLE001 - what is not here, and what cannot be loaded
                    skip(f"skipped: {row.name}: {name}: {error}")
            yield row.name, language, len(columns["predictions"]), sides
    if not only or "start of a process" in only:
        for language in languages:
            with tempfile.TemporaryDirectory() as folder:
                yield "start of a process", language, 1, _processes(language, Path(folder))


def _ours(name: str, options: Mapping[str, Any], columns: Columns, row: Any) -> Side:
    """Returns a side with our metric."""
    given = {key: value() if callable(value) else value for key, value in options.items()}
    threads = given.pop("threads", None)
    metric = load_metric(name)
    known = {key: value for key, value in columns.items() if key in metric.COLUMNS}
    run = _calls(lambda part: metric.compute(**part, **given), known, row.keys or (name,), row.calls)
    return Side(run if threads is None else partial(_with_threads, run, threads))


def _with_threads(run: Callable[[], float], threads: int) -> float:
    with mock.patch.dict(os.environ, {_THREADS: str(threads)}):
        return run()


def _theirs(peer: Peer, columns: Columns, row: Any) -> Side:
    """Returns a side with a peer, called for what ours computes with these options."""
    defaults = {name: option.default for name, option in load_metric(row.metric).OPTIONS.items()}
    options = {**defaults, **row.options}
    theirs = peer.theirs()
    run = _calls(lambda part: theirs(Case(part, options)), columns, row.keys or (row.metric,), row.calls)
    return Side(run, max(1e-9, peer.tolerance), tuple(peer.reasons(Case(columns, options))))


def _calls(
    compute: Callable[[Columns], Values], columns: Columns, keys: tuple[str, ...], one_by_one: bool
) -> Callable[[], float]:
    """Returns what calls a side with all segments, or with each alone; its score is the mean of the values."""
    parts = [columns]
    if one_by_one:
        segments = len(columns["predictions"])
        parts = [_segment(columns, index) for index in range(segments)]
    return lambda: mean([_score(compute(part), keys) for part in parts])


def _segment(columns: Columns, index: int) -> Columns:
    return {name: [column[index]] for name, column in columns.items()}


def _score(values: Values, keys: tuple[str, ...]) -> float:
    """Returns the mean of the values under the keys; where a peer has values of segments alone, theirs is the value."""
    numbers = []
    for key in keys:
        numbers.append(values[key] if key in values else mean(values.get(f"{key}_segments") or values["segments"]))
    return mean(numbers)


def _processes(language: str, folder: Path) -> dict[str, Side]:
    """Returns programs that score one pair, and those that do less; each reads bytecode that the run before left."""
    from lab.benchmarking.rows import PROCESSES

    [prediction], [[reference]] = sentences()(language, 1).values()
    files = {"prediction": folder / "prediction.txt", "reference": folder / "reference.txt"}
    files["prediction"].write_text(f"{prediction}\n", encoding="utf-8")
    files["reference"].write_text(f"{reference}\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(words: tuple[str, ...]) -> float:
        arguments = [word.format(scripts=ROOT / "scripts", **files) for word in words]
        subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
        return float("nan")

    return {name: Side(partial(run, words)) for name, words in PROCESSES.items()}


if __name__ == "__main__":
    typer.run(main)
