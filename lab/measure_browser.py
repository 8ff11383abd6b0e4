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
from typing import Annotated, Any, NamedTuple

import typer

from lab.browser.chromium import ask, open_browser, serve, wait_for
from lab.browser.inputs import random_input
from lab.update_cards import filled
from textgauge.core.errors import InputError
from textgauge.programs.app.scoring import message_of
from textgauge.programs.publishing.assembling import metric_names
from textgauge.programs.scoring.specs import load_metric

ROOT = Path(__file__).resolve().parents[1]
_CLOSE = 1e-12
_HEADINGS = ["metric", "first score", "downloads", "difference", "2,000 pairs", "memory, after 200 more computations"]
_LARGE = {"bleu": 2000, "cer": 2000}  # pairs
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


class Measured(NamedTuple):
    """What was found of the page of a metric; all but the browser are columns of the table, see `_HEADINGS`."""

    browser: str  # its version
    metric: str
    seconds: float
    cpu_seconds: float
    downloads: int
    difference: float
    pairs_seconds: float | None
    memory: int
    growth: float | None

    def cells(self) -> list[str]:
        """Returns the cells of a row of the table."""
        times = f"{self.seconds:.1f} s ({self.cpu_seconds:.1f} s)"
        downloads = f"{self.downloads / 1e6:.2f} MB"
        difference = f"{self.difference:.0e}" if self.difference else "0"
        time_of_pairs = "" if self.pairs_seconds is None else f"{self.pairs_seconds:.2f} s"
        memory = f"{self.memory / 1e6:.0f} MB"
        if self.growth is not None:
            memory += f", {self.growth:+.1%}"
        return [f"`{self.metric}`", times, downloads, difference, time_of_pairs, memory]


@app.command()
def main(
    site: Annotated[Path, typer.Argument(help="What publish.py --to SITE --runtime DIR wrote.")],
    names: Annotated[list[str] | None, typer.Argument(metavar="[METRIC]...", help="All metrics by default.")] = None,
    inputs: Annotated[int, typer.Option(min=1, help="Random inputs of each metric.")] = 200,
    repeats: Annotated[
        int, typer.Option(min=0, help="Computations, after which memory is compared; 0 for none.")
    ] = 200,
    readme: Annotated[bool, typer.Option("--readme", help="Put the table into spaces/README.md.")] = False,
) -> None:
    """Opens the page of each metric with nothing stored, and compares what it computes with this Python.

    \b
    publish.py --to site --runtime pyodide
    python -m lab.measure_browser site bleu cer

    A row of the table says how long the first score takes (wall clock, and in brackets CPU time of the browser), what
    was downloaded, the largest difference of any number, how long 2,000 pairs take, and how much memory Python holds
    and how much more it is after many computations. The exit code is 1 if a number differs by more than 1e-12.
    """
    measured = []
    with serve(site) as (address, sent):
        for name in names or metric_names(ROOT):
            sent.clear()
            measured.append(_measure(name, f"{address}{name}/", sent, inputs, repeats))
            typer.echo(_line(measured[-1].cells()))
    if readme:
        rows = [_HEADINGS, ["---"] * len(_HEADINGS), *[row.cells() for row in measured]]
        table = "".join([f"{_line(cells)}\n" for cells in rows])
        table = f"Chromium {measured[0].browser}, {os.cpu_count()} cores:\n\n{table}"
        path = ROOT / "spaces" / "README.md"
        path.write_text(filled(path.read_text(encoding="utf-8"), "browser", table), encoding="utf-8")
    raise typer.Exit(0 if max(row.difference for row in measured) <= _CLOSE else 1)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _measure(name: str, address: str, sent: list[tuple[str, int]], inputs: int, repeats: int) -> Measured:
    """Returns what is found of one page."""
    with tempfile.TemporaryDirectory() as profile:
        started = time.monotonic()
        driver = open_browser(1280, profile=profile)
        try:
            version = driver.capabilities["browserVersion"].partition(".")[0]
            driver.get(address)
            wait_for(driver, "state.isReady")
            driver.execute_async_script("score().then(arguments[0])")
            seconds = time.monotonic() - started
            cpu_seconds = _cpu_seconds(driver.service.process.pid)
            downloads = sum(n_bytes for _, n_bytes in sent)
            difference = max(_differences(driver, name, inputs))
            pairs = _time_of(driver, name, _LARGE[name]) if name in _LARGE else None
            memory, growth = _memory(driver, repeats)
        finally:
            driver.quit()
    return Measured(version, name, seconds, cpu_seconds, downloads, difference, pairs, memory, growth)


def _cpu_seconds(pid: int) -> float:
    """Returns the CPU time that a process and all that it started have taken, on Linux."""
    stats = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # a process that has just ended
            _, _, fields = path.read_text().rpartition(") ")
            stats.append((int(path.parent.name), fields.split()))
    family = {pid}
    ticks = 0
    for number, fields in sorted(stats):  # a process is younger than the one that started it
        if number in family or int(fields[1]) in family:
            family.add(number)
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
        except InputError as error:  # options that do not fit one another
            wanted = {"error": message_of(metric, error)}
        yield largest_difference(answer, wanted)


def largest_difference(result: Any, wanted: Any) -> float:
    """Returns the largest difference of two results' numbers, relative above 1; infinite where they are not alike."""
    if isinstance(wanted, dict) and isinstance(result, dict) and result.keys() == wanted.keys():
        return max((largest_difference(result[key], wanted[key]) for key in wanted), default=0.0)
    if isinstance(wanted, list) and isinstance(result, list) and len(result) == len(wanted):
        return max(map(largest_difference, result, wanted), default=0.0)
    if result == wanted or (isinstance(wanted, float) and math.isnan(wanted) and result != result):
        return 0.0
    if isinstance(wanted, float) and isinstance(result, float) and math.isfinite(result - wanted):
        return abs(result - wanted) / max(1.0, abs(wanted))
    return math.inf


def _time_of(driver: Any, name: str, pairs: int) -> float:
    columns, _ = random_input(load_metric(name), 0, pairs)
    started = time.monotonic()
    ask(driver, do="compute", columns=columns, options={})
    return time.monotonic() - started


def _memory(driver: Any, repeats: int) -> tuple[int, float | None]:
    """Returns how many bytes Python holds after some computations, and by which part that grows with many more."""
    sizes = []
    for count in (repeats // 10 + 1, repeats):
        for _ in range(count):
            driver.execute_async_script("score().then(arguments[0])")
        sizes.append(driver.execute_script("return state.memory"))
    return sizes[0], sizes[1] / sizes[0] - 1 if repeats else None


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    app()
