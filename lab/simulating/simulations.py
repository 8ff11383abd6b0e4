"""Samples of populations whose truth is known: how often intervals hold it, and how often equal systems differ."""

import functools
import itertools
import string
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from textgauge.core.bootstrap import expanded_tail, resample
from textgauge.programs.comparing.randomization import randomization_p
from textgauge.programs.comparing.rows import Rows
from textgauge.programs.comparing.runs import LEAST_RUNS, interval_of_runs
from textgauge.programs.comparing.significance import holm

from .population import EQUAL, Population, made_population

LEVEL, RESAMPLES = 0.95, 1000
SIGNIFICANT = 0.05
SEGMENTS = (5, 6, 8, 10, 20, 50, 100, 1000)
DOCUMENTS = (5, 6, 8, 10, 20, 30)
N_SCORES = 8  # the metrics of the population
ENOUGH_UNITS, GOAL = 8, 0.94  # coverage that is wanted from so many units on
LOOKS = (1, 2, 5, 10, 20)  # how often a growing comparison is tested
BETWEEN_LOOKS = 50  # segments from test to test
Draw = Callable[[np.random.Generator], Rows]
Found = dict[str, Any]  # a row of a table


def coverages(population: Population, bundled: Population, meetings: Population, runs: int) -> Iterator[Found]:
    """Yields the coverage for each population, and each kind and number of units."""
    for n in SEGMENTS:
        yield _covered("made", n, "segments", population, runs)
    documents = population.documents()
    for n in DOCUMENTS:
        yield _covered(
            "made", n, "documents", population, runs, functools.partial(_documents, population, documents, n)
        )
    for n in (10, 20, 50):
        yield _covered("bundled sample", n, "segments", bundled, runs)
    for n in (6, 8, 10, 20):
        yield _covered("made", n, "meetings", meetings, runs)
    size = len(population.values) // 2
    for name, hard in (
        ("one segment of a hundred a hundred times as long", _with_long(population)),
        ("few errors", made_population(size, EQUAL[:2], scale=0.02)),
        ("one output of thirty repeats itself", made_population(size, EQUAL[:2], loops=30)),
    ):
        for n in (10, 20, 100):
            yield {**_covered(name, n, "segments", hard, runs), "has_goal": False}


def seeds(runs: int) -> Iterator[Found]:
    """Yields the coverage of the interval over runs of a system: of forty that differ by luck, on the same segments."""
    letters = string.ascii_letters[:40]
    population = made_population(100, letters)
    rows = population.rows(population.values, letters, N_SCORES)
    scores = rows.scores(rows.values.sum(0))  # (runs, scores)
    truth = scores.mean(axis=0)
    rng = np.random.default_rng(3)
    for n in (LEAST_RUNS, 10):
        held = np.zeros(N_SCORES)
        for _ in range(runs):
            drawn = scores[rng.integers(len(letters), size=n)]
            low, high = np.transpose([interval_of_runs(of_score, LEVEL) for of_score in drawn.T])
            held += (low <= truth) & (truth <= high)
        shares = [(held / runs).tolist(), [], [], []]
        yield _coverage("training seeds, Student's t", n, "runs", runs, shares, True)


def _coverage(population: str, units: int, kind: str, runs: int, shares: list[list[float]], has_goal: bool) -> Found:
    names = ("score", "difference", "plain_score", "plain_difference")  # plain: by percentiles that are not expanded
    found = {"population": population, "units": units, "kind": kind, "runs": runs}
    return {**found, **dict(zip(names, shares, strict=True)), "has_goal": has_goal}


def _rows(population: Population, values: np.ndarray, clusters: np.ndarray | None = None) -> Rows:
    systems = [name for name in population.systems if name in EQUAL[:2] or len(population.systems) == 2]
    return population.rows(values, systems, N_SCORES, clusters)


def _segments(population: Population, n: int, rng: np.random.Generator) -> Rows:
    return _rows(population, population.values[rng.integers(len(population.values), size=n)])


def _documents(population: Population, documents: np.ndarray, n: int, rng: np.random.Generator) -> Rows:
    drawn = documents[rng.integers(len(documents), size=n)]
    clusters = np.repeat(np.arange(n), documents.shape[1])
    return _rows(population, population.values[drawn.ravel()], clusters)


def _with_long(population: Population) -> Population:
    """Returns segments of which each hundredth counts a hundred times."""
    values = population.values.copy()
    values[::100] *= 100
    return population._replace(values=values)


def _covered(name: str, n: int, kind: str, population: Population, runs: int, draw: Draw | None = None) -> Found:
    """Draws samples, of segments unless another draw is given, and counts whose intervals hold the true scores."""
    draw = draw or functools.partial(_segments, population, n)
    whole = _rows(population, population.values)
    truth = _with_difference(whole.scores(whole.values.sum(0)))
    rng = np.random.default_rng(n)
    held = np.zeros((2, *truth.shape))  # expanded, plain
    for _ in range(runs):
        rows = draw(rng)
        units = rows.units
        sums = resample(units, RESAMPLES, int(rng.integers(2**31)))
        scores = rows.scores(sums.reshape(RESAMPLES, *rows.values.shape[1:]))
        drawn = _with_difference(scores)
        plain = (1 - LEVEL) / 2
        for number, tail in enumerate((expanded_tail(plain, len(units)), plain)):
            low, high = np.quantile(drawn, [tail, 1 - tail], axis=0, method="inverted_cdf")
            held[number] += (low <= truth) & (truth <= high)
    shares: list[list[float]] = []
    for first, second, difference in held / runs:
        shares += [((first + second) / 2).tolist(), difference.tolist()]
    return _coverage(name, n, kind, runs, shares, n >= ENOUGH_UNITS)


def _with_difference(scores: np.ndarray) -> np.ndarray:
    """Returns scores of two systems, (..., 2, scores), and their difference, (..., 3, scores)."""
    return np.concatenate([scores, scores[..., 1:, :] - scores[..., :1, :]], axis=-2)


def false_alarms(population: Population, runs: int) -> Iterator[Found]:
    """Yields how often something is significant between equal systems, for each kind of comparison."""
    kinds = [("segments", n, 2, 3, 1) for n in (10, 20, 100, 500)]
    kinds += [("segments", 100, 2, n_scores, 1) for n_scores in (1, 8)]
    kinds += [("five systems", 100, 5, 1, 1), ("five systems", 100, 5, 3, 1), ("groups", 100, 2, 3, 5)]
    for kind in ("eight of ten outputs are the same", "one very long segment", "clusters of ten"):
        kinds += [(kind, n, 2, 3, 1) for n in (60, 100, 300)]
    for kind, n, n_systems, n_scores, n_groups in kinds:
        rng = np.random.default_rng([n, n_systems, n_scores, n_groups])
        pairs = np.array(list(itertools.combinations(range(n_systems), 2)))
        trials = 1000 * max(1, len(pairs) * n_scores * n_groups // 5)
        groups = np.arange(n) % n_groups
        sure = np.zeros(2)  # after Holm over all of it, and had Holm been taken over the pairs of each score alone
        for run in range(runs):
            rows = equal_systems(population, kind, n, n_systems, n_scores, rng)
            of_groups = [_p_values(_of(rows, groups == group), pairs, trials, run) for group in range(n_groups)]
            p_values = np.stack(of_groups)
            corrected = [holm(p_values[..., score].ravel()) for score in range(n_scores)]
            sure += [holm(p_values.ravel()).min() <= SIGNIFICANT, np.min(corrected) <= SIGNIFICANT]
        found = {"what": kind, "segments": n, "systems": n_systems, "scores": n_scores, "groups": n_groups}
        yield {**found, "runs": runs, "share": sure[0] / runs, "each_score": sure[1] / runs}


def equal_systems(
    population: Population, kind: str, n: int, n_systems: int, n_scores: int, rng: np.random.Generator
) -> Rows:
    """Returns rows whose systems are exchanged in each segment at random, so that none is better."""
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


def looks(population: Population, runs: int) -> Iterator[Found]:
    """Yields how often equal systems have differed significantly, by cer, at one of the first looks."""
    rng = np.random.default_rng(7)
    most = max(LOOKS)
    first_alarms = np.full(runs, most + 1)  # number of the first look that is significant
    for run in range(runs):
        rows = equal_systems(population, "segments", most * BETWEEN_LOOKS, 2, 2, rng)
        start = rows.ends[0]
        by_cer = Rows(rows.scorers[1:], rows.systems, rows.values[..., start:], [rows.ends[1] - start])
        for look in range(1, most + 1):
            so_far = _of(by_cer, np.arange(look * BETWEEN_LOOKS))
            if _p_values(so_far, np.array([[0, 1]]), 1000, run)[0, 0] <= SIGNIFICANT:
                first_alarms[run] = look
                break
    for count in LOOKS:
        share = float((first_alarms <= count).mean())
        yield {"looks": count, "segments": count * BETWEEN_LOOKS, "runs": runs, "share": share}
