"""Measures pages that compute in the browser, in a real Chromium; see --help."""

import contextlib
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated
from typing import Any

import typer

from browser_app.chromium import ask
from browser_app.chromium import open_browser
from browser_app.chromium import serve
from browser_app.chromium import wait_for
from browser_app.inputs import random_input
from publishing.assembling import metric_names
from scoring.specs import load_metric
from space_app.scoring import BAD_INPUT
from space_app.scoring import message_of

ROOT = Path(__file__).resolve().parents[1]
_CLOSE = 1e-12
_SCORE_AGAIN = """(async (count, done) => {
    for (let i = 0; i < count; i += 1) await score();
    done();
})(...arguments)"""
_LARGE = {"bleu": 2000, "cer": 2000}  # pairs
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    site: Annotated[Path, typer.Argument(help="What publish.py --to SITE --runtime DIR wrote.")],
    names: Annotated[list[str] | None, typer.Argument(metavar="[METRIC]...", help="All metrics by default.")] = None,
    inputs: Annotated[int, typer.Option(min=1, help="Random inputs of each metric.")] = 200,
    repeats: Annotated[
        int, typer.Option(min=0, help="Computations, after which memory is compared; 0 for none.")
    ] = 200,
) -> None:
    """Opens the page of each metric with nothing stored, and compares what it computes with this Python.

    \b
    publish.py --to site --runtime pyodide
    measure_browser.py site bleu cer

    A line says how long the first score takes (wall clock, and CPU time of the browser), what was downloaded, the
    largest difference of any number, and how long 2,000 pairs take. The exit code is 1 if a number differs by more
    than 1e-12.
    """
    differences = []
    with serve(site) as (address, sent):
        for name in names or metric_names(ROOT):
            sent.clear()
            difference, line = _measure(name, f"{address}{name}/", sent, inputs, repeats)
            typer.echo(f"{name}: {line}")
            differences.append(difference)
    raise typer.Exit(0 if max(differences) <= _CLOSE else 1)


def _measure(name: str, address: str, sent: list[tuple[str, int]], inputs: int, repeats: int) -> tuple[float, str]:
    """Returns the largest difference of a metric, and a line of all that was measured."""
    with tempfile.TemporaryDirectory() as profile:
        started = time.monotonic()
        driver = open_browser(1280, profile=profile)
        driver.get(address)
        wait_for(driver, "state.isReady")
        driver.execute_async_script("score().then(arguments[0])")
        seconds, size = time.monotonic() - started, sum(count for _, count in sent)
        cpu = _cpu_seconds(driver.service.process.pid)
        found = [f"first score {seconds:.1f} s ({cpu:.1f} s of CPU time), {size / 1e6:.2f} MB"]
        try:
            difference = max(_differences(driver, name, inputs))
            found.append(f"{inputs} inputs, largest difference {difference:.1e}")
            if name in _LARGE:
                found.append(_time_of(driver, name, _LARGE[name]))
            if repeats:
                found.append(_growth(driver, repeats))
        finally:
            driver.quit()
    return difference, "; ".join(found)


def _cpu_seconds(pid: int) -> float:
    """Returns the CPU time that a process and all that it started have taken, on Linux."""
    stats = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process that has just ended
            stats.append((int(path.parent.name), path.read_text().rpartition(") ")[2].split()))
    found, ticks = {pid}, 0
    for number, fields in sorted(stats):  # a process is younger than the one that started it
        if number in found or int(fields[1]) in found:
            found.add(number)
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _differences(driver: Any, name: str, inputs: int) -> Iterator[float]:
    """Yields how much the results of the page and of this Python differ, for each input."""
    metric = load_metric(name)
    for number in range(inputs):
        columns, options = random_input(metric, number)
        answer = ask(driver, do="compute", columns=columns, options=options)
        answer = {name: json.loads(text) if name == "result" else text for name, text in answer.items()}
        try:
            wanted = {"result": metric.compute(**columns, **options)}
        except BAD_INPUT as error:  # options that do not fit one another
            wanted = {"error": message_of(metric, error)}
        yield largest_difference(answer, wanted)


def largest_difference(found: Any, wanted: Any) -> float:
    """Returns the largest difference of two results' numbers, relative above 1; infinite where they are not alike."""
    if isinstance(wanted, dict) and isinstance(found, dict) and found.keys() == wanted.keys():
        return max((largest_difference(found[key], wanted[key]) for key in wanted), default=0.0)
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        return max(map(largest_difference, found, wanted), default=0.0)
    if found == wanted or (isinstance(wanted, float) and math.isnan(wanted) and found != found):
        return 0.0
    if isinstance(wanted, float) and isinstance(found, float) and math.isfinite(found - wanted):
        return abs(found - wanted) / max(1.0, abs(wanted))
    return math.inf


def _time_of(driver: Any, name: str, pairs: int) -> str:
    metric = load_metric(name)
    columns, _ = random_input(metric, 0, pairs)
    started = time.monotonic()
    ask(driver, do="compute", columns=columns, options={})
    return f"{pairs:,} pairs {time.monotonic() - started:.2f} s"


def _growth(driver: Any, repeats: int) -> str:
    """Says how many bytes the memory of Python holds after some computations, and after many."""
    sizes = []
    for count in (repeats // 10 + 1, repeats):
        driver.execute_async_script(_SCORE_AGAIN, count)
        sizes.append(driver.execute_script("return state.memory"))
    return f"memory after {repeats} more computations {sizes[1] / sizes[0] - 1:+.1%} of {sizes[0] / 1e6:.0f} MB"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    app()
