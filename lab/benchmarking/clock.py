"""The clock: rounds in which all sides take turns, and what they give."""

import gc
import math
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

_SLOW_SECONDS = 10  # a side that takes longer is timed in one round only


class Side(NamedTuple):
    """One side of a comparison."""

    run: Callable[[], float]  # what is timed; its score is to be equal on all sides, or nan for what has none
    tolerance: float = 1e-9  # the largest difference of two equal scores
    reasons: tuple[str, ...] = ()  # why its score may be another one


class Disagreement(Exception):
    """Two sides that ought to compute the same do not, so that timing them would compare different computations."""


def measured(name: str, language: str, segments: int, sides: Mapping[str, Side], rounds: int) -> Iterator[dict]:
    """Yields what was measured of each side, in the form that is kept; the first side is ours.

    Raises:
        Disagreement: a side gives another score without a known reason.
    """
    first, *others = sides
    scores = {}
    first_seconds = {}
    for side_name, side in sides.items():
        scores[side_name], first_seconds[side_name], _ = _timed(side)  # before any cache is warm
    differences = dict.fromkeys(sides)
    for other in others:
        what = f"{name} ({language}): {other}"
        differences[other] = _difference(sides[other], scores[other], scores[first], what)
    wall: dict[str, list[float]] = {side_name: [] for side_name in sides}
    cpu: dict[str, list[float]] = {side_name: [] for side_name in sides}
    for number in range(rounds):
        for side_name in list(sides)[:: -1 if number % 2 else 1]:  # every other round backwards
            if number == 0 or first_seconds[side_name] < _SLOW_SECONDS:
                _, elapsed, of_processor = _timed(sides[side_name])
                wall[side_name].append(elapsed)
                cpu[side_name].append(of_processor)
    for side_name in sides:
        seconds = statistics.median(wall[side_name])
        # a slow side has fewer rounds
        ratios = [their / our for their, our in zip(wall[side_name], wall[first], strict=False)]
        cpu_ratios = [their / our for their, our in zip(cpu[side_name], cpu[first], strict=False)]
        found = {"comparison": name, "language": language, "side": side_name, "segments": segments}
        found["rounds"] = len(ratios)
        found["us_per_segment"] = seconds / segments * 1e6
        found["first_us_per_segment"] = first_seconds[side_name] / segments * 1e6
        found["ratio"] = statistics.median(ratios)
        found["cpu_ratio"] = statistics.median(cpu_ratios)
        found["difference"] = differences[side_name]
        yield found


def _difference(side: Side, theirs: float, ours: float, what: str) -> float | None:
    """Returns the difference of two scores, None for a side that computes none."""
    if math.isnan(theirs):
        return None
    if abs(theirs - ours) > side.tolerance * max(1, abs(ours)) and not side.reasons:
        raise Disagreement(f"{what} gives {theirs!r} and ours {ours!r}; not timed, since it is not the same")
    return abs(theirs - ours)


def _timed(side: Side) -> tuple[float, float, float]:
    """Returns the score of a side, and its seconds: elapsed, and of the processor (all threads and processes)."""
    gc.collect()
    wall_start = time.perf_counter()
    cpu_start = _processor_seconds()
    score = side.run()
    return score, time.perf_counter() - wall_start, _processor_seconds() - cpu_start


def _processor_seconds() -> float:
    """Returns the time of this process, and of those that it has started and that have ended."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + of_children.ru_utime + of_children.ru_stime


def mean(values: Any) -> float:
    """Returns the mean; that of one value is the value."""
    values = list(values)
    return math.fsum(values) / len(values)
