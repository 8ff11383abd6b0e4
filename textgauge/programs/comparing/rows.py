"""The rows of all systems and metrics side by side, so that one draw of segments serves them all."""

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from textgauge.core.bootstrap import cluster_sums
from textgauge.core.progress import tqdm

from ..errors import input_errors_of, is_input_error
from ..reading.corpus import Corpus
from ..scoring.specs import Scorer


class Rows(NamedTuple):
    """The rows of all segments by all metrics, for all systems."""

    scorers: Sequence[Scorer]
    systems: Sequence[str]
    values: np.ndarray  # (segments, systems, statistics of all metrics side by side)
    ends: list[int]  # where the statistics of each metric end
    clusters: np.ndarray | None = None  # the cluster of each segment, (segments,)
    runs: np.ndarray | None = None  # each run's rows of all segments, added up, (runs, systems, statistics)
    signatures: Mapping[str, str] = MappingProxyType({})  # of the metrics, by label

    def of_system(self, system: str) -> dict[str, np.ndarray]:
        """Returns the rows of a system by each metric, (segments, statistics), by label."""
        number = list(self.systems).index(system)
        values = self.values[:, number]
        return {scorer.label: values[:, start:end] for scorer, start, end in self._bounds()}

    @property
    def units(self) -> np.ndarray:
        """Returns the row of each unit that is drawn, a segment or a cluster: (units, systems * statistics)."""
        return cluster_sums(self.values.reshape(len(self.values), -1), self.clusters)

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Returns all headline scores, (..., n), of sums of rows (..., statistics)."""
        columns = []
        for scorer, values in self._scores(sums):
            columns += [values[name] for name in scorer.metric.headlines(values)]
        return np.stack(np.broadcast_arrays(*columns), axis=-1).astype(np.float64)

    def headlines(self) -> list[tuple[Scorer, str, str]]:
        """Returns metric, name, and the prefix of further keys of each headline score."""
        found = []
        for scorer, values in self._scores(self.values.sum(0)):
            for name, prefix in scorer.metric.headlines(values).items():
                found.append((scorer, name, prefix))
        return found

    def _scores(self, sums: np.ndarray) -> Iterator[tuple[Scorer, dict[str, np.ndarray]]]:
        """Yields each metric, and what it computes of its part of sums of rows (..., statistics)."""
        for scorer, start, end in self._bounds():
            yield scorer, scorer.metric.score(sums[..., start:end], **scorer.options)

    def _bounds(self) -> Iterator[tuple[Scorer, int, int]]:
        """Yields each metric, and where its statistics start and end."""
        starts = [0, *self.ends[:-1]]
        return zip(self.scorers, starts, self.ends, strict=True)


def compute_rows(corpus: Corpus, scorers: Sequence[Scorer], with_partial: bool = False) -> Rows | None:
    """Returns the rows of all systems by all metrics.

    With `with_partial`, metrics whose rows do not add up are left out; None if all are. For a system with several runs,
    the row of a segment is the sum of the rows that it has in each run. So the runs are scored as one corpus, and are
    drawn and swapped together, segment by segment.
    """
    kept = []
    by_metric = []
    run_sums = []
    for scorer in tqdm(scorers, desc="rows", unit="metric", delay=2, leave=False):
        by_run = []
        try:
            for run in range(corpus.n_runs):
                of_systems = [_rows_of(corpus, scorer, system, run) for system in corpus.systems]
                by_run.append(np.stack(of_systems, axis=1))
        except ValueError as error:
            if with_partial and is_input_error(error):
                continue
            raise
        kept.append(scorer)
        by_metric.append(functools.reduce(np.add, by_run))
        run_sums.append([rows.sum(0) for rows in by_run])
    if not kept:
        return None

    references = corpus.column("references") if "references" in corpus.columns else None
    signatures = {}
    for scorer in kept:
        signatures[scorer.label] = scorer.metric.signature(references=references, **scorer.options)
    return joined_rows(corpus, kept, by_metric, signatures, np.concatenate(run_sums, axis=-1))


def joined_rows(
    corpus: Corpus,
    scorers: Sequence[Scorer],
    by_metric: Sequence[np.ndarray],
    signatures: Mapping[str, str],
    runs: np.ndarray | None = None,
) -> Rows:
    """Returns the rows of all metrics, each (segments, systems, statistics), side by side."""
    ends = list(itertools.accumulate(rows.shape[-1] for rows in by_metric))
    clusters = np.array(corpus.clusters, dtype=object) if corpus.clusters else None
    values = np.concatenate(by_metric, axis=-1)
    return Rows(scorers, list(corpus.systems), values, ends, clusters, runs, signatures)


def _rows_of(corpus: Corpus, scorer: Scorer, system: str, run: int) -> np.ndarray:
    """Returns the rows of one run of a system by one metric, (segments, statistics)."""
    with input_errors_of(f"{scorer.label}, {system}"):
        columns = corpus.columns_of(scorer.metric, system, run)
        return scorer.metric.statistics(**columns, **scorer.options)
