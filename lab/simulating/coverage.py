"""How often an interval holds the value of the population that its segments were drawn from."""

import functools
import json
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from textgauge.core.bootstrap import expanded_tail, resample
from textgauge.programs.comparing.rows import Rows
from textgauge.programs.comparing.runs import LEAST_RUNS, interval_of_runs
from textgauge.programs.scoring.specs import load_metric

from .population import DATA, EQUAL, Population, made_population

LEVEL, RESAMPLES = 0.95, 1000
SEGMENTS, DOCUMENTS, MEETINGS = (5, 6, 8, 10, 20, 50, 100, 1000), (5, 6, 8, 10, 30), (6, 8, 10, 20)
N_SCORES = 4  # the first metrics of the population
ENOUGH_UNITS, GOAL = 10, 0.93  # coverage that is wanted from so many units on


class Coverage(NamedTuple):
    """Shares of the intervals that hold the truth, one per score."""

    population: str
    units: int
    kind: str  # of the units
    runs: int
    score: list[float]
    difference: list[float]
    plain_score: list[float]  # by percentiles that are not expanded
    plain_difference: list[float]
    has_goal: bool

    @property
    def least(self) -> float:
        """The smallest share."""
        return min(self.score + self.difference)


Draw = Callable[[np.random.Generator], Rows]


def coverages(population: Population, bundled: Population, runs: int) -> Iterator[Coverage]:
    """Yields the coverage for each kind and number of units."""
    of_all = _rows(population, population.values)
    for n in SEGMENTS:
        yield _measured("made", n, "segments", runs, functools.partial(_segments, population, n), of_all)
    documents = population.documents()
    for n in DOCUMENTS:
        yield _measured("made", n, "documents", runs, functools.partial(_documents, population, documents, n), of_all)
    for n in (10, 20, 50):
        draw = functools.partial(_segments, bundled, n)
        yield _measured("bundled sample", n, "segments", runs, draw, _rows(bundled, bundled.values))
    size = len(population.values) // 2
    for name, hard in (
        ("one segment of a hundred a hundred times as long", _with_long(population)),
        ("few errors", made_population(size, EQUAL[:2], scale=0.02)),
        ("one output of thirty repeats itself", made_population(size, EQUAL[:2], loops=30)),
    ):
        for n in (10, 20, 100):
            draw = functools.partial(_segments, hard, n)
            yield _measured(name, n, "segments", runs, draw, _rows(hard, hard.values), has_goal=False)


def meetings(population: Population, runs: int) -> Iterator[Coverage]:
    """Yields the coverage for each number of meetings."""
    of_all = _rows(population, population.values)
    for n in MEETINGS:
        yield _measured("made", n, "meetings", runs, functools.partial(_segments, population, n), of_all)


def correlations(runs: int) -> Iterator[Coverage]:
    """Yields the coverage of human_correlation's interval, on the bundled ratings of Korean sentence pairs."""
    lines = (DATA / "ko_similarity_ratings.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    texts = {"predictions": [row["prediction"] for row in rows], "references": [row["reference"] for row in rows]}
    scores = np.array(load_metric("chrf").compute(**texts, per_segment=True)["segments"])
    human = np.array([row["similarity"] for row in rows])
    metric = load_metric("human_correlation")
    truth = np.corrcoef(scores, human)[0, 1]
    rng = np.random.default_rng(2)
    for n in (10, 20, 50, 100):
        held = []
        for _ in range(runs):
            drawn = rng.integers(len(rows), size=n)
            result = metric.compute(predictions=scores[drawn], references=human[drawn], confidence=LEVEL)
            low, high = result["confidence_interval"]
            held.append(low <= truth <= high)
        yield Coverage("bundled ratings", n, "pairs", runs, [float(np.mean(held))], [], [], [], True)


def seeds(runs: int) -> Iterator[Coverage]:
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
        yield Coverage("training seeds, Student's t", n, "runs", runs, (held / runs).tolist(), [], [], [], True)


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


def _measured(
    population: str, n: int, kind: str, runs: int, draw: Draw, whole: Rows, has_goal: bool = True
) -> Coverage:
    """Draws samples, and counts whose intervals hold the scores of the whole."""
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
    return Coverage(population, n, kind, runs, *shares, has_goal=has_goal and n >= ENOUGH_UNITS)


def _with_difference(scores: np.ndarray) -> np.ndarray:
    """Returns scores of two systems, (..., 2, scores), and their difference, (..., 3, scores)."""
    return np.concatenate([scores, scores[..., 1:, :] - scores[..., :1, :]], axis=-2)
