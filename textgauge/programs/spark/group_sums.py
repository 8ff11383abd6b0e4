"""What Spark counts and sums of the rows of each group."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from textgauge.core.phrase_counts import PhraseCounts

from ..errors import InputError
from ..scoring.specs import Scorer
from . import worker
from .lines import undotted
from .phrases import joined_phrases, phrases_by_group
from .worker import BAD, COUNT, GAPS, GROUP, HASH, NUMBER, STATISTIC


class GroupSums(NamedTuple):
    """What Spark has summed of a group."""

    group: tuple[Any, ...]
    segments: int
    bad_rows: int
    reference_counts: set[int]  # the fewest and the most of a segment
    gaps: int  # among references, which count as missing
    numbers: dict[str, int]  # sums of the numbers of which digests are made
    sums: np.ndarray  # (n_statistics,) of all metrics
    resampled: np.ndarray | None  # (resamples, n_statistics)
    phrases: list[PhraseCounts | None]  # of each metric, of all segments together; None for one without a table


def width_of(scorer: Scorer) -> int:
    """Returns how many numbers a row of a metric has."""
    return worker.counted_nothing(scorer.metric, scorer.options).rows.shape[1]


def statistics_of(scorers: Sequence[Scorer]) -> list[str]:
    """Returns the names of the columns with the numbers of a row, of all metrics."""
    return [f"{STATISTIC}{index}" for index in range(sum(map(width_of, scorers)))]


def sums_by_group(
    scored: DataFrame, scorers: Sequence[Scorer], groups: list[str], draws: tuple[int, int] | None
) -> list[GroupSums]:
    """Returns the sums of Spark, one for each group."""
    names = statistics_of(scorers)
    is_bad = F.col(BAD).isNotNull()
    groups = undotted(groups)
    group_name = F.to_json(F.struct(*groups)) if groups else F.lit("")
    scored = scored.withColumn(GROUP, group_name)
    numbered = [name for name in scored.columns if name.startswith(NUMBER)]
    counts = _counts(scored, [*names, *numbered], is_bad)
    totals = scored.groupBy(*groups).agg(*counts).collect()
    good = scored.where(~is_bad)
    resampled = _resampled(good, names, *draws) if draws else {}
    names_of_groups = [row[GROUP] for row in totals]
    phrases_of_metrics = []
    for index, scorer in enumerate(scorers):
        phrases_of_metrics.append(phrases_by_group(good, index, scorer, names_of_groups))
    by_group = []
    for row in totals:
        name = row[GROUP]
        group = tuple(row[column] for column in groups)
        bad_rows = row["bad"] or 0
        segments = row["rows"] - bad_rows
        gaps = row["gaps"] or 0
        reference_counts = {row["fewest"], row["most"]} - {None}
        numbers = {column.removeprefix(NUMBER): int(row[column]) for column in numbered}
        sums = np.array([row[column] for column in names], dtype=np.float64)
        phrases = [of_metric[name] for of_metric in phrases_of_metrics]
        drawn = resampled.get(name)
        by_group.append(GroupSums(group, segments, bad_rows, reference_counts, gaps, numbers, sums, drawn, phrases))
    if not any(group_sums.segments for group_sums in by_group):
        raise InputError("nothing to score: no row can be scored")
    return sorted(by_group, key=lambda group_sums: list(map(str, group_sums.group)))


def _counts(scored: DataFrame, summed: Sequence[str], is_bad: Column) -> list[Column]:
    """Returns the counts and sums of Spark for each group; some columns are summed as they are."""
    counts = [F.count("*").alias("rows")]
    counts.append(F.sum(is_bad.cast("long")).alias("bad"))
    counts.append(F.first(GROUP).alias(GROUP))
    has_references = COUNT in scored.columns
    of_good = F.when(~is_bad, F.col(COUNT) if has_references else None)
    counts += [F.min(of_good).alias("fewest"), F.max(of_good).alias("most")]
    gaps = F.sum(F.when(~is_bad, F.col(GAPS))) if has_references else F.lit(0)
    counts.append(gaps.alias("gaps"))
    for name in summed:
        is_number = name.startswith(NUMBER)  # of 48 bits
        column = F.col(name).cast("decimal(20,0)") if is_number else F.col(name)
        counts.append(F.sum(column).alias(name))
    return counts


def _resampled(good: DataFrame, names: Sequence[str], resamples: int, seed: int) -> dict[str, np.ndarray]:
    """Returns the sums of the resamples by GROUP."""
    draw = partial(worker.poisson_sums, width=len(names), resamples=resamples, seed=seed)
    schema = f"{GROUP} string, sums array<double>"
    drawn = good.select(GROUP, HASH, *names).mapInPandas(draw, schema)
    rows = drawn.groupBy(GROUP).applyInPandas(worker.add_sums, schema).collect()
    return {row[GROUP]: np.reshape(row["sums"], (resamples, len(names))) for row in rows}


def sums_of_all(by_group: Sequence[GroupSums]) -> GroupSums:
    """Returns the sums of all groups together, without the numbers of digests."""
    segments = sum(group_sums.segments for group_sums in by_group)
    bad_rows = sum(group_sums.bad_rows for group_sums in by_group)
    gaps = sum(group_sums.gaps for group_sums in by_group)
    sums = np.sum([group_sums.sums for group_sums in by_group], axis=0)
    drawn = [group_sums.resampled for group_sums in by_group if group_sums.resampled is not None]
    resampled = np.sum(drawn, axis=0) if drawn else None
    phrases = joined_phrases([group_sums.phrases for group_sums in by_group])
    return GroupSums((), segments, bad_rows, reference_counts_of(by_group), gaps, {}, sums, resampled, phrases)


def reference_counts_of(by_group: Sequence[GroupSums]) -> set[int]:
    """Returns how many references the segments of all groups have, the fewest and the most of each group."""
    counts: set[int] = set()
    for group_sums in by_group:
        counts |= group_sums.reference_counts
    return counts
