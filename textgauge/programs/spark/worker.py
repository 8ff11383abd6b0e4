"""What runs on the workers of score_spark.py; `shipping` sends it there with the whole package."""

import functools
import itertools
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import textgauge
from textgauge.core.phrase_counts import PhraseCounts, RowsWithPhrases, join_phrase_counts, phrase_counts

from ..errors import InputError, is_input_error
from ..reading.corpus import REFERENCE_WEIGHTS
from ..reading.data_digests import row_number
from ..reading.further_packages import needed_by
from ..reading.references import joined_references, without_gaps
from ..scoring.segment_scores import segment_scores
from .lines import place_of, undotted, values_of, without_blank_lines

BAD = "bad_row"  # column with the reason why a row could not be scored
HASH = "metrics_hash"  # column that decides how often a row is drawn
COUNT = "metrics_references"  # column with the number of references of a row
NUMBER = "metrics_n_"  # columns with the numbers of which digests are made: metrics_n_predictions, ...
GAPS = "metrics_gaps"  # column with the number of gaps among the references of a row, which do not count
GROUP = "metrics_group"  # column with the values that a row is grouped by, as JSON
STATISTIC = "metrics_s"  # columns with the numbers of a row: metrics_s0, metrics_s1, ...
PHRASES = "metrics_p"  # columns with the phrases of a row, lists of numbers, see `phrase_columns`
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))  # of splitmix64 (Steele et al. 2014)
_STEP = np.uint64(0x9E3779B97F4A7C15)
# a row is drawn n times with the probability exp(-1)/n!; beyond 15 less than 1e-14
_DRAWS = np.cumsum(np.exp(-1) / np.cumprod([1.0, *range(1, 16)]))
_BLOCK = 512  # rows whose draws are made at once


class Shipped(NamedTuple):
    """A file that an option names, which Spark brings to the workers."""

    name: str


class Job(NamedTuple):
    """What to score, in plain data."""

    metrics: tuple[tuple[str, str, dict[str, Any]], ...]  # label, name in the package or file name of a script, options
    columns: dict[str, list[str]]  # column of the metrics -> columns of the data; several are references of a segment
    key: list[str]  # columns that name a row in a message; none where the line itself does
    kept: list[str]  # columns that go through
    with_scores: bool  # a column with the score of each segment for each metric
    skip_bad_rows: bool
    with_data: bool = False  # columns with the numbers that digests of the data are made of


def resolve(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options with the paths that shipped files have on this machine."""
    from pyspark import SparkFiles

    resolved = {}
    for name, value in options.items():
        resolved[name] = SparkFiles.get(value.name) if isinstance(value, Shipped) else value
    return resolved


@functools.cache
def load(name: str) -> Any:
    """Returns a metric of the package, or of a script that Spark has brought to this machine."""
    if not name.endswith(".py"):
        return textgauge.load(name)
    # a worker may have no home, and several must not share a half-written cache
    os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="metrics-"))
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    with needed_by(f"{name}, a script,"):
        import evaluate
    from pyspark import SparkFiles

    return evaluate.load(SparkFiles.get(name), keep_in_memory=True)


def score_rows(frames: Iterator[pd.DataFrame], job: Job) -> Iterator[pd.DataFrame]:
    """Yields the kept columns, what is bad, the statistics of all metrics, and their scores if asked."""
    metrics = []
    for label, script, options in job.metrics:
        compiled = load(script).compile_options(**resolve(options))
        metrics.append((label, script, compiled))
    job = job._replace(metrics=tuple(metrics))
    for frame in map(without_blank_lines, frames):
        if len(frame):
            yield _score_frame(frame, job)


def _score_frame(frame: pd.DataFrame, job: Job) -> pd.DataFrame:
    columns, unread, gaps = metric_columns(frame, job.columns)
    bad = dict(unread)
    counted = [_counted(load(script), columns, options, label, bad) for label, script, options in job.metrics]
    places = {row: "" if row in unread else _place(frame, row, job.key) for row in bad}
    if bad and not job.skip_bad_rows:
        row, reason = min(bad.items())
        raise InputError(f"<bad row>{places[row]}{reason}</bad row>")
    if not job.key:  # what is listed has no columns that name the row
        bad = {row: f"{places[row]}{reason}" for row, reason in bad.items()}
    out = {name: frame[name] for name in job.kept}
    out[BAD] = pd.Series([bad.get(row) for row in range(len(frame))], index=frame.index, dtype=object)
    if "references" in columns:
        out[COUNT] = [0 if row in bad else _count(value) for row, value in enumerate(columns["references"])]
        out[GAPS] = gaps
    if job.with_data:
        for name, values in columns.items():
            out[f"{NUMBER}{name}"] = [0 if row in bad else row_number(value) for row, value in enumerate(values)]
    statistics = np.concatenate([of_metric.rows for of_metric in counted], axis=1)
    statistics[list(bad)] = 0.0
    for index, column in enumerate(statistics.T):
        out[f"{STATISTIC}{index}"] = column
    for index, of_metric in enumerate(counted):
        if of_metric.phrases is not None:
            out.update(zip(phrase_columns(index), _lists_of_rows(of_metric.phrases), strict=True))
    if job.with_scores:
        is_bad = np.isin(np.arange(len(frame)), list(bad))
        for (label, script, options), of_metric in zip(job.metrics, counted, strict=True):
            scores = segment_scores(load(script), label, of_metric.rows, options)
            for name, values in scores.items():
                out[name] = np.where(is_bad, np.nan, values)
    return pd.DataFrame(out)


def _place(frame: pd.DataFrame, row: int, key: Sequence[str]) -> str:
    """Returns the start of a message: which row it is."""
    if not key:
        return f"{place_of(frame, row)}: "
    values = [f"{name} {frame[column].iloc[row]}" for name, column in zip(key, undotted(key), strict=True)]
    return f"{', '.join(values)}: "


def phrase_columns(index: int) -> list[str]:
    """Returns the names of the columns with the phrases of a row by a metric: places in its table, wanted, missed.

    >>> phrase_columns(0)
    ['metrics_p0_phrases', 'metrics_p0_wanted', 'metrics_p0_missed']
    """
    return [f"{PHRASES}{index}_{name}" for name in ("phrases", "wanted", "missed")]


def _lists_of_rows(counts: PhraseCounts) -> list[list[np.ndarray]]:
    """Returns the places, wanted and missed of the entries of each row."""
    bounds = np.cumsum(counts.sizes)[:-1]
    return [np.split(entries, bounds) for entries in (counts.phrases, counts.wanted, counts.missed)]


def counted_nothing(metric: Any, options: Mapping[str, Any]) -> RowsWithPhrases:
    """Returns no rows, which are as wide as others, and no phrases of the metric's table."""
    return metric.statistics_with_phrases(**{name: [] for name in metric.COLUMNS}, **options)


def _counted(
    metric: Any, columns: Mapping[str, list[Any]], options: Mapping[str, Any], label: str, bad: dict[int, str]
) -> RowsWithPhrases:
    """Returns the statistics of all rows, 0 for those that the metric refuses, and puts these with the reason in `bad`.

    The refused ones are found by halving.
    """
    nothing = counted_nothing(metric, options)
    phrases = None if nothing.phrases is None else phrase_counts(nothing.phrases.table, {}, n_segments=1)
    of_refused = RowsWithPhrases(np.zeros((1, nothing.rows.shape[1])), phrases)

    def score(start: int, end: int) -> list[RowsWithPhrases]:
        taken = {name: columns[name][start:end] for name in metric.COLUMNS if name in columns}
        try:
            return [metric.statistics_with_phrases(**taken, **options)]
        except ValueError as error:
            if not is_input_error(error):
                raise
            if end - start == 1:
                bad.setdefault(start, f"{label}: {error}")
                return [of_refused]
            middle = (start + end) // 2
            return [*score(start, middle), *score(middle, end)]

    parts = score(0, len(next(iter(columns.values()))))
    rows = np.concatenate([part.rows for part in parts])
    if phrases is None:
        return RowsWithPhrases(rows, None)
    return RowsWithPhrases(rows, join_phrase_counts([part.phrases for part in parts]))


def metric_columns(
    frame: pd.DataFrame, columns: Mapping[str, Sequence[str]]
) -> tuple[dict[str, Sequence[Any]], dict[int, str], np.ndarray]:
    """Returns the columns of metrics, of several columns with references one list, by row why a line has none, and
    how many of its gaps do not count as references: (n_rows,).
    """
    values, unread = values_of(frame, list(dict.fromkeys(itertools.chain(*columns.values()))))
    cells_by_name = {}  # a list of the values of each source
    for name, sources in columns.items():
        cells_by_name[name] = [values[source] for source in sources]
    gaps = np.zeros(len(frame), dtype=np.int64)
    if "references" in cells_by_name:
        weights = cells_by_name.get(REFERENCE_WEIGHTS)
        found = without_gaps(cells_by_name["references"], weights[0] if weights else None)
        cells_by_name["references"] = found.columns
        if weights:
            cells_by_name[REFERENCE_WEIGHTS] = [found.weights]
        for rows in found.rows:
            np.add.at(gaps, rows, 1)
    values_by_name = {name: joined_references(cells) for name, cells in cells_by_name.items()}
    return values_by_name, unread, gaps


def _is_taken(kind: Any, value: Any) -> bool:
    try:
        return bool(kind.check("references", [value]))
    except ValueError as error:
        if not is_input_error(error):
            raise
        return False


def _count(references: Any) -> int:
    return len(references) if isinstance(references, (list, tuple, np.ndarray)) else 1


def poisson_sums(frames: Iterator[pd.DataFrame], width: int, resamples: int, seed: int) -> Iterator[pd.DataFrame]:
    """Yields, for each GROUP in a partition, `resamples` sums of rows that are each drawn Poisson(1) times.

    How often a row is drawn depends on `seed` and its column HASH alone, so that no partitioning changes the sums.
    """
    sums: dict[str, np.ndarray] = {}
    names = [f"{STATISTIC}{index}" for index in range(width)]
    for frame in frames:
        for group, part in frame.groupby(GROUP):
            rows = part[names].to_numpy()
            hashes = part[HASH].to_numpy().view(np.uint64)
            total = sums.setdefault(group, np.zeros((resamples, width)))
            for start in range(0, len(rows), _BLOCK):
                block = slice(start, start + _BLOCK)
                times_drawn = draws(hashes[block], resamples, seed)
                total += times_drawn.T @ rows[block]
    for group, total in sums.items():
        yield pd.DataFrame({GROUP: [group], "sums": [total.ravel()]})


def add_sums(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns one row for the partial sums of one group."""
    total = np.sum(np.stack(frame["sums"].tolist()), axis=0)
    return frame.iloc[:1].assign(sums=[total])


def draws(hashes: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Returns how often each row is drawn in each resample, (rows, resamples): Poisson(1), a function of its hash."""
    with np.errstate(over="ignore"):
        start = _mixed(hashes + _mixed(np.uint64(seed) + _STEP))
        state = start[:, None] + np.arange(1, resamples + 1, dtype=np.uint64) * _STEP
    uniform = (_mixed(state) >> np.uint64(11)) * 2.0**-53
    return np.searchsorted(_DRAWS, uniform, side="right").astype(np.float64)


def _mixed(values: np.ndarray) -> np.ndarray:
    """Returns well-mixed 64-bit numbers (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * _MIX[0]
        values = (values ^ (values >> np.uint64(27))) * _MIX[1]
    return values ^ (values >> np.uint64(31))


def corpus_counts(
    frames: Iterator[pd.DataFrame], script: str, options: Mapping[str, Any], sources: list[str]
) -> Iterator[pd.DataFrame]:
    """Yields the counts that a metric needs of the whole corpus, from one partition."""
    options = resolve(options)
    metric = load(script)
    for frame in map(without_blank_lines, frames):
        columns, *_ = metric_columns(frame, {"references": sources})
        # a row that the metric refuses, as None where a line cannot be read, is named, or left out, when it is scored
        references = [row for row in columns["references"] if _is_taken(metric.COLUMNS["references"], row)]
        if references:
            counts = metric.corpus_counts(references=references, **options)
            yield pd.DataFrame({"ngram": list(counts), "count": list(counts.values())})
