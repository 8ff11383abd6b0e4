"""Clock and memory: rounds in which both sides take turns, and the peak of a process that does one thing."""

import gc
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

_SLOW_SECONDS = 10  # a side that takes longer is timed in one round only


class Times(NamedTuple):
    """Seconds of each round, wall clock and processor (all threads and processes together)."""

    first: float  # before any cache is warm, elapsed time
    wall: list[float]
    cpu: list[float]


class Row(NamedTuple):
    """One side of a comparison; a ratio is this side's time by ours in the same round, so above 1 we are faster."""

    comparison: str
    language: str
    side: str
    segments: int
    us_per_segment: float
    segments_per_second: float
    first_us_per_segment: float
    ratio: float
    ratio_min: float
    ratio_max: float
    cpu_ratio: float
    rounds: int
    difference: float | None  # of the score from ours, by the same definition


def warm_up(sides: Mapping[str, Callable[[], float]]) -> tuple[dict[str, float], dict[str, Times]]:
    """Runs each side once and returns their scores, and their times with no round yet."""
    scores, times = {}, {}
    for name, run in sides.items():
        start = time.perf_counter()
        scores[name] = run()
        times[name] = Times(time.perf_counter() - start, [], [])
    return scores, times


def take_turns(sides: Mapping[str, Callable[[], float]], times: Mapping[str, Times], rounds: int) -> None:
    """Runs the sides in turn, every other round backwards, and adds to their times."""
    for number in range(rounds):
        for name in list(sides)[:: -1 if number % 2 else 1]:
            if number == 0 or times[name].first < _SLOW_SECONDS:
                gc.collect()
                wall_start = time.perf_counter()
                cpu_start = _processor_seconds()
                sides[name]()
                times[name].wall.append(time.perf_counter() - wall_start)
                times[name].cpu.append(_processor_seconds() - cpu_start)


def _processor_seconds() -> float:
    """Returns the time of this process, and of those that it has started and that have ended."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + of_children.ru_utime + of_children.ru_stime


def rows_of(
    comparison: str, language: str, segments: int, times: Mapping[str, Times], differences: Mapping[str, float | None]
) -> list[Row]:
    """Returns a row per side; the first side is ours."""
    ours = next(iter(times.values()))
    return [
        _row(comparison, language, segments, side, theirs, ours, differences.get(side))
        for side, theirs in times.items()
    ]


def _row(
    comparison: str, language: str, segments: int, side: str, theirs: Times, ours: Times, difference: float | None
) -> Row:
    # a slow side has fewer rounds
    ratios = [their / our for their, our in zip(theirs.wall, ours.wall, strict=False)]
    cpu_ratios = [their / our for their, our in zip(theirs.cpu, ours.cpu, strict=False)]
    seconds = statistics.median(theirs.wall)
    us_per_segment = seconds / segments * 1e6
    first_us_per_segment = theirs.first / segments * 1e6
    ratio = statistics.median(ratios)
    cpu_ratio = statistics.median(cpu_ratios)
    return Row(
        comparison=comparison,
        language=language,
        side=side,
        segments=segments,
        us_per_segment=us_per_segment,
        segments_per_second=segments / seconds,
        first_us_per_segment=first_us_per_segment,
        ratio=ratio,
        ratio_min=min(ratios),
        ratio_max=max(ratios),
        cpu_ratio=cpu_ratio,
        rounds=len(ratios),
        difference=difference,
    )


def peak_megabytes(side: str, corpus_file: Path, arguments: Mapping[str, Any], computation: str = "bleu 13a") -> float:
    """Returns what scoring adds to the peak memory of a fresh process that holds the corpus already.

    Args:
        side: "ours" or what begins with "our", "evaluate floor", or a peer.
        corpus_file: JSON lines.
        arguments: of `sides.ours` or `sides.of_peer`.
        computation: of the peer.
    """
    task = [side, str(corpus_file.resolve()), json.dumps(arguments), computation]
    command = [sys.executable, "-m", "lab.benchmarking.measure", *task]
    folder = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"measuring the memory of {side} failed:\n{done.stderr}")
    return float(done.stdout.splitlines()[-1])


def _peak_bytes() -> int:
    """Returns the most memory that this process has held so far."""
    status = Path("/proc/self/status")
    if status.exists():
        # ru_maxrss survives exec on Linux: it starts at the size of the process that started this one
        for line in status.read_text().splitlines():
            if "VmHWM" in line:
                kibibytes = line.split()[1]
                return int(kibibytes) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _measure_here(side: str, corpus_file: str, arguments: str, computation: str) -> None:
    """Prints the megabytes that one side needs; what the fresh process runs."""
    from . import sides
    from .corpus import Corpus, read_corpus

    corpus = read_corpus(Path(corpus_file))
    if side == "evaluate floor":
        measured = sides.floor()
    elif side.startswith("our"):
        measured = sides.ours(**json.loads(arguments))
    else:
        [peer] = [peer for peer in sides.peers_of(computation) if peer.name == side]
        measured = sides.of_peer(peer, **json.loads(arguments))
    measured.bind(Corpus(corpus.predictions[:50], corpus.references[:50]))()  # imports and tables are no part of it
    before = _peak_bytes()
    measured.bind(corpus)()
    print((_peak_bytes() - before) / 2**20)


if __name__ == "__main__":
    _measure_here(*sys.argv[1:])
