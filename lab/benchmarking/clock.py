"""The clock: rounds in which all sides take turns, and what they give."""

import gc
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

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
        scores[side_name], first_seconds[side_name] = _timed(side)  # before any cache is warm
    differences = dict.fromkeys(sides)
    for other in others:
        differences[other] = _difference(sides[other], scores[other], scores[first], f"{name} ({language}): {other}")
    times: dict[str, list[float]] = {side_name: [] for side_name in sides}
    for number in range(rounds):
        for side_name in list(sides)[:: -1 if number % 2 else 1]:  # every other round backwards
            if number == 0 or first_seconds[side_name] < _SLOW_SECONDS:
                times[side_name].append(_timed(sides[side_name])[1])
    for side_name in sides:
        # a slow side has fewer rounds
        ratios = [their / our for their, our in zip(times[side_name], times[first], strict=False)]
        found = {"comparison": name, "language": language, "side": side_name, "segments": segments}
        found["rounds"] = len(ratios)
        found["us_per_segment"] = statistics.median(times[side_name]) / segments * 1e6
        found["first_us_per_segment"] = first_seconds[side_name] / segments * 1e6
        found["ratio"] = statistics.median(ratios)
        found["difference"] = differences[side_name]
        yield found


def _difference(side: Side, theirs: float, ours: float, what: str) -> float | None:
    """Returns the difference of two scores, None for a side that computes none."""
    if math.isnan(theirs):
        return None
    if abs(theirs - ours) > side.tolerance * max(1, abs(ours)) and not side.reasons:
        raise Disagreement(f"{what} gives {theirs!r} and ours {ours!r}; not timed, since it is not the same")
    return abs(theirs - ours)


def _timed(side: Side) -> tuple[float, float]:
    """Returns the score of a side, and its seconds."""
    gc.collect()
    start = time.perf_counter()
    score = side.run()
    return score, time.perf_counter() - start
