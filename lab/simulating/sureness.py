"""How often a verdict finds a significant difference, and what "about N segments" is worth."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from textgauge.core.bootstrap import jackknife_error
from textgauge.programs.comparing.draws import least_units
from textgauge.programs.comparing.power import needed_segments
from textgauge.programs.comparing.randomization import randomization_p
from textgauge.programs.comparing.records import Comparison
from textgauge.programs.comparing.rows import Rows
from textgauge.programs.comparing.significance import holm, minimum_detectable_effect

from .population import EQUAL, WORSE, Population

LEVEL = 0.05
PILOT = 50  # segments
LOOKS = (1, 2, 5, 10, 20)  # how often a growing comparison is tested
BETWEEN_LOOKS = 50  # segments from test to test


class Alarms(NamedTuple):
    """How often something is significant between systems that are equal."""

    what: str
    segments: int
    systems: int
    scores: int
    groups: int
    runs: int
    share: float  # where anything is significant, after Holm over all of it
    each_score: float  # had Holm been taken over the pairs of each score alone

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return (self.share * (1 - self.share) / self.runs) ** 0.5


class Power(NamedTuple):
    """How often a true difference is found."""

    segments: int
    runs: int
    exact: float  # by all ways to swap
    random: float  # by random ones


class Needed(NamedTuple):
    """What a pilot says of the number of segments that a difference takes."""

    true_number: float
    runs: int
    reached: float  # power at the true number
    low: float  # what pilots say: a tenth say less, half, a tenth more
    middle: float
    high: float


class Looks(NamedTuple):
    """How often one of several tests is significant between equal systems, on data that grow from test to test."""

    looks: int
    segments: int  # at the last look
    runs: int
    share: float

    @property
    def error(self) -> float:
        """Standard error of the share."""
        return (self.share * (1 - self.share) / self.runs) ** 0.5


def false_alarms(population: Population, runs: int) -> Iterator[Alarms]:
    """Yields a row for each kind of comparison."""
    for n in (10, 20, 100, 500):
        yield _alarms(population, "segments", n, 2, 3, 1, runs)
    for n_scores in (1, 8):
        yield _alarms(population, "segments", 100, 2, n_scores, 1, runs)
    yield _alarms(population, "five systems", 100, 5, 1, 1, runs)
    yield _alarms(population, "five systems", 100, 5, 3, 1, runs)
    yield _alarms(population, "groups", 100, 2, 3, 5, runs)
    for kind in ("eight of ten outputs are the same", "one very long segment", "clusters of ten"):
        for n in (60, 100, 300):
            yield _alarms(population, kind, n, 2, 3, 1, runs)


def _alarms(
    population: Population, kind: str, n: int, n_systems: int, n_scores: int, n_groups: int, runs: int
) -> Alarms:
    """Exchanges the systems of each segment at random, so that none is better, and counts what is significant."""
    rng = np.random.default_rng([n, n_systems, n_scores, n_groups])
    pairs = np.array(list(itertools.combinations(range(n_systems), 2)))
    trials = 1000 * max(1, len(pairs) * n_scores * n_groups // 5)
    groups = np.arange(n) % n_groups
    sure = 0
    sure_alone = 0
    for run in range(runs):
        rows = _equal(population, kind, n, n_systems, n_scores, rng)
        of_groups = [_p_values(_of(rows, groups == group), pairs, trials, run) for group in range(n_groups)]
        p_values = np.stack(of_groups)
        sure += _is_any_sure(p_values)
        sure_alone += any(_is_any_sure(p_values[..., score]) for score in range(n_scores))
    return Alarms(kind, n, n_systems, n_scores, n_groups, runs, sure / runs, sure_alone / runs)


def _is_any_sure(p_values: np.ndarray) -> bool:
    return bool((holm(p_values.ravel()) <= LEVEL).any())


def _equal(population: Population, kind: str, n: int, n_systems: int, n_scores: int, rng: np.random.Generator) -> Rows:
    drawn = population.values[rng.integers(len(population.values), size=n)]
    values = population.rows(drawn, EQUAL[:n_systems], n_scores).values
    clusters = np.arange(n) // 10 if kind.startswith("clusters") else None
    order = np.argsort(rng.random((n, n_systems)), axis=1)
    if clusters is not None:  # of a document one system has most of the better outputs
        better_of_document = rng.integers(n_systems, size=n // 10 + 1)
        better = better_of_document[clusters] ^ (rng.random(n) < 0.2)
        fewest_first = np.argsort(values[:, :, population.ends[0]], axis=1)
        order = np.where(better[:, None] == 1, fewest_first[:, ::-1], fewest_first)
    values = np.take_along_axis(values, order[:, :, None], axis=1)
    if kind.startswith("eight"):
        is_same = rng.random(n) < 0.8
        values[is_same] = values[is_same, :1]
    if kind.startswith("one very"):
        values[0] *= n
    return Rows(population.scorers[:n_scores], list(EQUAL[:n_systems]), values, population.ends[:n_scores], clusters)


def _of(rows: Rows, members: np.ndarray) -> Rows:
    clusters = None if rows.clusters is None else rows.clusters[members]
    return rows._replace(values=rows.values[members], clusters=clusters)


def _p_values(rows: Rows, pairs: np.ndarray, trials: int, seed: int) -> np.ndarray:
    return randomization_p(rows, pairs, rows.scores(rows.values.sum(0)), trials, seed)


def looks(population: Population, runs: int) -> Iterator[Looks]:
    """Yields how often equal systems have differed significantly, by cer, at one of the first looks."""
    rng = np.random.default_rng(7)
    most = max(LOOKS)
    first_alarms = np.full(runs, most + 1)  # number of the first look that is significant
    for run in range(runs):
        rows = _equal(population, "segments", most * BETWEEN_LOOKS, 2, 2, rng)
        start = rows.ends[0]
        by_cer = Rows(rows.scorers[1:], rows.systems, rows.values[..., start:], [rows.ends[1] - start])
        for look in range(1, most + 1):
            so_far = _of(by_cer, np.arange(look * BETWEEN_LOOKS))
            if _p_values(so_far, np.array([[0, 1]]), 1000, run)[0, 0] <= LEVEL:
                first_alarms[run] = look
                break
    for count in LOOKS:
        yield Looks(count, count * BETWEEN_LOOKS, runs, float((first_alarms <= count).mean()))


def power(population: Population, runs: int) -> Iterator[Power]:
    """Yields how often the better of two systems is found, by cer."""
    rng = np.random.default_rng(5)
    for n in (14, 16):
        detected = np.zeros(2)
        for run in range(runs):
            drawn = population.values[rng.integers(len(population.values), size=n)]
            rows = _pair(population, drawn)
            [[random_p]] = _p_values(rows, np.array([[0, 1]]), 10_000, run)
            detected += [_exact_p(rows) <= LEVEL, random_p <= LEVEL]
        yield Power(n, runs, *(detected / runs).tolist())


def _pair(population: Population, values: np.ndarray) -> Rows:
    """Returns rows of a system and a worse one, by cer."""
    start, end = population.ends[:2]
    systems = [population.systems.index(EQUAL[0]), population.systems.index(WORSE)]
    return Rows(population.scorers[1:2], [EQUAL[0], WORSE], values[:, systems, start:end], [end - start])


def _exact_p(rows: Rows) -> float:
    """Returns the share of all ways to swap whose difference is as large."""
    n = len(rows.values)
    swapped = ((np.arange(2**n)[:, None] >> np.arange(n)) % 2).astype(float)
    kept = 1 - swapped
    first = swapped @ rows.values[:, 0] + kept @ rows.values[:, 1]
    second = swapped @ rows.values[:, 1] + kept @ rows.values[:, 0]
    [scores] = np.moveaxis(rows.scores(np.stack([first, second], axis=1)), -1, 0)
    sizes = np.abs(scores[:, 0] - scores[:, 1])
    return float((sizes >= sizes[0] * (1 - 1e-12)).mean())


def needed(population: Population, runs: int) -> Needed:
    """Returns how far "about N segments" of pilots of 50 is from the number that a test with power .8 takes."""
    rng = np.random.default_rng(6)
    whole = _pair(population, population.values)
    n_all = len(whole.values)
    truth = _needed_by_verdict(whole)
    number = int(round(truth))
    detected = 0
    of_pilots = []
    for run in range(runs):
        rows = _of(whole, rng.integers(n_all, size=number))
        [[p_value]] = _p_values(rows, np.array([[0, 1]]), 1000, run)
        detected += p_value <= LEVEL
        pilot = _of(whole, rng.integers(n_all, size=PILOT))
        of_pilots.append(_needed_by_verdict(pilot))
    return Needed(truth, runs, detected / runs, *np.quantile(of_pilots, [0.1, 0.5, 0.9]).tolist())


def _needed_by_verdict(rows: Rows) -> float:
    """Returns how many segments a verdict says that a test needs."""

    def difference(sums: np.ndarray) -> np.ndarray:
        scores = rows.scores(sums.reshape(-1, *rows.values.shape[1:]))
        return scores[:, 1] - scores[:, 0]

    [size] = difference(rows.values.sum(0))[0]
    [error] = jackknife_error(rows.units, difference)
    nothing = Comparison(**dict.fromkeys(Comparison._fields, 0))
    comparison = nothing._replace(difference=size, detectable=minimum_detectable_effect(error, LEVEL))
    return max(needed_segments(comparison, len(rows.values), LEVEL, 1), least_units(LEVEL))
