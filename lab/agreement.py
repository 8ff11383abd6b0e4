"""Tries our metrics and all installed peers on inputs of many kinds; `python -m lab.agreement --help` says how."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import hypothesis
import typer
from rich.console import Console
from rich.progress import track

from lab.agreeing.results import RESULTS, pinned_versions, read_results, write_results, wrong_versions
from lab.agreeing.trying import UNKNOWN, try_peer
from lab.peers import NOT_RUN, PEERS

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
SEED = 12345


def _try(number: int, inputs: int) -> dict:
    return try_peer(PEERS[number], inputs, SEED)


def _all(numbers: Sequence[int], inputs: int, workers: int) -> Iterator[dict]:
    """Returns what came of each of these agreements, in their order."""
    if workers == 1:
        yield from map(partial(_try, inputs=inputs), numbers)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(partial(_try, inputs=inputs), numbers)


@app.command()
def main(
    inputs: Annotated[int, typer.Option(min=1, help="How many inputs of each kind to try.")] = 24,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
    json: Annotated[Path, typer.Option(help="Where to write the results; the cards are made of this file.")] = RESULTS,
    only: Annotated[
        str | None, typer.Option(help="Try this metric alone; others keep the results that are here.")
    ] = None,
) -> None:
    """Tries each agreement on each kind of input, and writes how large the differences are and where both part."""
    console = Console(stderr=True)
    results = _tried(only, inputs, workers, console)
    write_results(json, results)
    _report(results["agreements"], console)


def _tried(only: str | None, inputs: int, workers: int, console: Console) -> dict[str, Any]:
    """Returns what came of all agreements, or of those of one metric beside what is kept of others, as plain data."""
    numbers = [number for number, peer in enumerate(PEERS) if only in (None, peer.metric)]
    if not numbers:
        raise typer.BadParameter(f"lab/peers has no peer of {only}")
    wrong = wrong_versions(filter(None, [PEERS[number].package for number in numbers]))
    if wrong:
        raise typer.BadParameter("\n".join([*wrong, "run pip install -r requirements-peers.txt"]))
    started = perf_counter()
    tried = list(track(_all(numbers, inputs, workers), "peers", len(numbers), console=console))
    seconds = perf_counter() - started
    cpu_seconds = round(sum(os.times()[:4]))
    console.print(f"{seconds:.0f} seconds with {workers} processes, {cpu_seconds} seconds of processor time")
    last_run = read_results() if only else {"agreements": []}
    by_title = {f"{row['metric']}: {row['peer']}": row for row in [*last_run["agreements"], *tried]}
    agreements = [by_title[peer.title] for peer in PEERS if peer.title in by_title]
    live = {agreement["package"] for agreement in agreements if not agreement["not_run"]}
    versions = {package: version for package, version in pinned_versions().items() if package in live}
    return {
        "seed": SEED,
        "inputs": inputs,
        "hypothesis": hypothesis.__version__,
        "cpu_seconds": cpu_seconds,
        **last_run,
        "versions": versions,
        "agreements": agreements,
        "not_run": NOT_RUN,
    }


def _report(agreements: list[dict], console: Console) -> None:
    """Prints what was not run; ends with exit code 1 where two sides part for a reason that is not known."""
    unknown = []
    for agreement in agreements:
        name = f"{agreement['metric']}: {agreement['peer']}"
        if agreement["not_run"]:
            console.print(f"not run: {name}: {agreement['not_run']}", highlight=False, markup=False)
        for kind, cell in agreement["cells"].items():
            unknown += [f"{name}, {kind}: {part['smallest']}" for part in cell["parts"] if part["reason"] == UNKNOWN]
    for line in unknown:
        console.print(f"they part, and nobody knows why: {line}", highlight=False, markup=False)
    if unknown:
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
