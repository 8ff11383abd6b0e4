"""A corpus scored on a cluster: a DataFrame with texts to one with rows, and the rows to what one call returns.

The workers need textgauge, pandas and pyarrow. An interval draws what `score.py --stream` draws of a file in the order
of the ids: it depends neither on partitions nor on workers that are lost.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from textgauge.core import progress
from textgauge.programs.errors import InputError, is_input_error
from textgauge.programs.reading.corpus import REFERENCE_WEIGHTS
from textgauge.programs.reading.data_digests import PRIME, Data, Digest, row_number
from textgauge.programs.reading.references import joined_references, without_gaps
from textgauge.programs.scoring.blocks import block_size
from textgauge.programs.scoring.row_writing import (
    GROUP,
    ID,
    check_scorers,
    description,
    metadata,
    score_columns,
    statistic_columns,
)
from textgauge.programs.scoring.specs import Scorer, check_options_of_segments, load_metric

BAD = "bad"  # column with the reason why a row could not be scored
_COUNT = "references"  # column with the number of references of a row
_NUMBER = "number "  # begins the names of columns with the numbers of which digests are made
_TEXT = "text "  # begins the names of columns of the data while they are scored
_GROUP, _PARTITION, _PLACE, _BLOCK = "_group", "_partition", "_place", "_block"
_PLACE_BITS = 33  # of Spark's increasing ids, which count within a partition
_SHOWN = 3  # bad rows in a message


class _Job(NamedTuple):
    """What a worker scores, in plain data."""

    scorers: list[Scorer]  # without their metrics
    columns: dict[str, list[str]]  # column of the metrics -> columns of the data; several are references of a segment
    kept: list[str]  # columns that become columns of the rows


def score_rows(
    frame: DataFrame, scorers: Sequence[Scorer], columns: Mapping[str, Sequence[str]], key: str, by: Sequence[str] = ()
) -> DataFrame:
    """Returns the rows of a DataFrame with texts: id, groups, the reason of a bad row, scores and statistics.

    Args:
        frame: the data.
        scorers: metrics with their options.
        columns: column of the metrics, such as "references", to columns of the data; several make one list.
        key: the column that names a row.
        by: columns whose values `results` can score apart.
    """
    check_options_of_segments(scorers)
    columns = {name: list(sources) for name, sources in columns.items()}
    compiled = [_with_corpus_counts(frame, scorer, columns) for scorer in scorers]
    kept = {ID: F.col(key).cast("string")}
    for name in by:
        kept[f"{GROUP}{name}"] = F.coalesce(F.col(name).cast("string"), F.lit("None"))
    used = dict.fromkeys(itertools.chain(*columns.values()))
    texts = [F.col(name).alias(f"{_TEXT}{name}") for name in used]
    taken = frame.select(*(column.alias(name) for name, column in kept.items()), *texts)
    fields = [taken.schema[name] for name in kept]
    fields += [StructField(BAD, StringType()), StructField(_COUNT, LongType())]
    fields += [StructField(f"{_NUMBER}{name}", LongType()) for name in columns]
    for scorer in compiled:
        row = np.zeros((1, _width(scorer)))
        names_of_metric = [*score_columns(scorer, row), *statistic_columns(scorer.label, row)]
        fields += [StructField(name, DoubleType()) for name in names_of_metric]
    job = _Job([scorer._replace(metric=None) for scorer in compiled], columns, [*kept])
    return taken.mapInPandas(partial(_score_frames, job=job), StructType(fields))


def results(
    rows: DataFrame, scorers: Sequence[Scorer], by: Sequence[str] = (), skip_bad_rows: bool = False
) -> list[dict[str, Any]]:
    """Returns the result of each group, or of all rows: "group", "segments", "bad_rows", and "metrics" by label.

    Args:
        rows: of `score_rows`, cached or written and read: they are used several times.
        scorers: the same; if one has an interval, the rows are sorted by their ids.
        by: columns whose values are scored apart.
        skip_bad_rows: score without them.

    Raises:
        InputError: bad rows, which are named; no good ones.
    """
    _check_bad_rows(rows, skip_bad_rows)
    names = [_quoted(f"{GROUP}{name}") for name in by]
    rows = rows.withColumn(_GROUP, F.to_json(F.array(*names)))
    groups = _counted(rows, names)
    sizes = {group[_GROUP]: group["segments"] for group in groups}
    references = _references(groups)
    good = rows.where(F.col(BAD).isNull())
    statistics = [name for scorer in scorers for name in _statistic_names(scorer)]
    has_interval = any(scorer.options.get("confidence") for scorer in scorers)
    sums = _block_sums(good, sizes, statistics) if has_interval else _sums(good, statistics)
    found = []
    for group in groups:
        by_label = {}
        for scorer in scorers if group["segments"] else ():
            # a sum of an array in another order of memory may differ in its last bit
            blocks = np.ascontiguousarray(sums[group[_GROUP]][_statistic_names(scorer)], np.float64)
            result = scorer.metric.result(blocks, **scorer.options)
            signature = scorer.metric.signature(references, **scorer.options)
            by_label[scorer.label] = {**result, "signature": signature}
        values = {name: group[f"{GROUP}{name}"] for name in by}
        n_bad = group["rows"] - group["segments"]
        found.append({"group": values, "segments": group["segments"], "bad_rows": n_bad, "metrics": by_label})
    return found


def write_rows(rows: DataFrame, path: str, system: str, scorers: Sequence[Scorer]) -> None:
    """Writes the good rows of a system for `compare.py --rows`, which says of which data they are."""
    check_scorers(scorers)
    good = rows.where(F.col(BAD).isNull())
    numbers = [name for name in rows.columns if name.startswith(_NUMBER)]
    size = F.count("*").alias("segments")
    sums = [F.sum(_quoted(name).cast("decimal(20,0)")).alias(name) for name in numbers]
    total = good.agg(size, *_bounds(F.col(_COUNT)), *sums)
    [whole] = total.collect()
    if not whole["segments"]:
        raise InputError("nothing to write: no row can be scored")
    digests = {name.removeprefix(_NUMBER): Digest(int(whole[name]) % PRIME, None) for name in numbers}
    data = Data(outputs={system: digests.pop("predictions")}, inputs=digests)
    groups = [name for name in rows.columns if name.startswith(GROUP)]
    about = description(system, scorers, data, _references([whole]), [ID, *groups])
    about = metadata({**about, "segments": whole["segments"]})
    others = [_quoted(name) for name in rows.columns if name not in (ID, BAD, _COUNT, *numbers)]
    good.select(F.col(ID).alias(ID, metadata=about), *others).write.parquet(path)


def _quoted(name: str) -> Column:
    return F.col(f"`{name.replace('`', '``')}`")


def _bounds(count: Column) -> list[Column]:
    """Returns the least and the greatest number of references, which `_references` reads."""
    return [F.min(count).alias("fewest"), F.max(count).alias("most")]


def _references(summed: Sequence[Row]) -> list[list[str]] | None:
    """Returns references of as many as segments have, for signatures; None without references."""
    counts = {row[name] for row in summed for name in ("fewest", "most")} - {None, 0}
    return [[""] * count for count in sorted(counts)] or None


def _check_bad_rows(rows: DataFrame, skip_bad_rows: bool) -> None:
    bad = rows.where(F.col(BAD).isNotNull()).select(ID, BAD)
    shown = [] if skip_bad_rows else bad.limit(_SHOWN).collect()
    if shown:
        reasons = "; ".join(f"{row[ID]}: {row[BAD]}" for row in shown)
        raise InputError(f"{reasons}; skip_bad_rows=True leaves such rows out")
    if rows.where(F.col(BAD).isNull()).isEmpty():
        raise InputError("nothing to score: no row can be scored")


def _counted(rows: DataFrame, names: Sequence[Column]) -> list[Row]:
    """Returns for each group its values, the numbers of good rows and of all, and those of references."""
    is_good = F.col(BAD).isNull()
    segments = F.sum(is_good.cast("long")).alias("segments")
    every_row = F.count("*").alias("rows")
    bounds = _bounds(F.when(is_good, F.col(_COUNT)))
    counts = rows.groupBy(_GROUP, *names).agg(segments, every_row, *bounds)
    return sorted(counts.collect(), key=lambda group: group[_GROUP])


def _sums(good: DataFrame, names: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Returns the sum of the rows of each group."""
    sums = [F.sum(_quoted(name)).alias(name) for name in names]
    return _by_group(good.groupBy(_GROUP).agg(*sums).toArrow())


def _by_group(sums: Any) -> dict[str, pd.DataFrame]:
    """Returns the rows of each group in a table of Arrow."""
    return dict(list(sums.to_pandas().groupby(_GROUP)))


def _block_sums(good: DataFrame, sizes: Mapping[str, int], names: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Returns the sums of neighbouring rows of each group, as `Blocks` has them, in the order of ids."""
    # numbers in the order of numbers; rows with one id in an order that does not depend on partitions either
    order = [_GROUP, F.expr(f"try_cast({ID} as decimal(38,0))"), ID, *map(_quoted, names)]
    ordered = good.orderBy(*order).withColumn(_PLACE, F.monotonically_increasing_id()).persist()
    try:
        partition = F.shiftright(_PLACE, _PLACE_BITS).alias(_PARTITION)
        counted = ordered.groupBy(partition, _GROUP).count().collect()
        starts = _starts(counted)
        table = [(number, group, start, block_size(sizes[group])) for (number, group), start in starts.items()]
        columns = f"{_PARTITION} long, {_GROUP} string, start long, size long"
        places = F.broadcast(good.sparkSession.createDataFrame(table, columns))
        placed = ordered.withColumn(_PARTITION, partition).join(places, [_PARTITION, _GROUP])
        place = F.col("start") + F.col(_PLACE).bitwiseAND(2**_PLACE_BITS - 1)
        block = F.floor(place / F.col("size")).alias(_BLOCK)
        sums = [F.sum(_quoted(name)).alias(name) for name in names]
        blocks = placed.groupBy(_GROUP, block).agg(*sums).toArrow()
        return _by_group(blocks.sort_by(_BLOCK))
    finally:
        ordered.unpersist()


def _starts(counted: Sequence[Row]) -> dict[tuple[int, str], int]:
    """Returns by partition and group what turns a row's place in its partition into its place in its group.

    Groups are one behind the other: the rows of the group in earlier partitions count, those of other groups do not.
    """
    starts = {}
    in_earlier_partitions: dict[str, int] = {}
    of_other_groups: dict[int, int] = {}
    for row in sorted(counted, key=lambda row: (row[_PARTITION], row[_GROUP])):
        number = row[_PARTITION]
        group = row[_GROUP]
        earlier = in_earlier_partitions.get(group, 0)
        others = of_other_groups.get(number, 0)
        starts[number, group] = earlier - others
        in_earlier_partitions[group] = earlier + row["count"]
        of_other_groups[number] = others + row["count"]
    return starts


def _width(scorer: Scorer) -> int:
    nothing = scorer.metric.statistics(**{name: [] for name in scorer.metric.COLUMNS}, **scorer.options)
    return nothing.shape[1]


def _statistic_names(scorer: Scorer) -> list[str]:
    return [*statistic_columns(scorer.label, np.zeros((0, _width(scorer))))]


def _score_frames(frames: Iterator[pd.DataFrame], job: _Job) -> Iterator[pd.DataFrame]:
    """Yields ids and groups, what is bad, and the rows of all metrics with their scores."""
    progress.hide()
    scorers = []
    for scorer in job.scorers:
        metric = load_metric(scorer.source)
        scorers.append(scorer._replace(metric=metric, options=metric.compile_options(**scorer.options)))
    for frame in frames:
        columns = _metric_columns(frame, job.columns)
        bad: dict[int, str] = {}
        rows = [_rows(scorer, columns, bad) for scorer in scorers]
        out: dict[str, Any] = {name: frame[name] for name in job.kept}
        out[BAD] = [bad.get(row) for row in range(len(frame))]
        out[_COUNT] = list(map(_count, columns["references"])) if "references" in columns else 0
        for name, values in columns.items():
            out[f"{_NUMBER}{name}"] = [0 if row in bad else row_number(value) for row, value in enumerate(values)]
        for scorer, of_metric in zip(scorers, rows, strict=True):
            out.update(score_columns(scorer, of_metric))
            out.update(statistic_columns(scorer.label, of_metric))
        yield pd.DataFrame(out)


def _metric_columns(frame: pd.DataFrame, columns: Mapping[str, Sequence[str]]) -> dict[str, Sequence[Any]]:
    """Returns the columns of metrics; several columns with references are one list, without gaps."""
    cells = {}
    for name, sources in columns.items():
        values = [frame[f"{_TEXT}{source}"].astype(object) for source in sources]
        cells[name] = [column.where(column.notna(), None).tolist() for column in values]
    if "references" in cells:
        weights = cells.get(REFERENCE_WEIGHTS)
        found = without_gaps(cells["references"], weights[0] if weights else None)
        cells["references"] = found.columns
        if weights:
            cells[REFERENCE_WEIGHTS] = [found.weights]
    return {name: joined_references(columns_of_name) for name, columns_of_name in cells.items()}


def _count(references: Any) -> int:
    return len(references) if isinstance(references, (list, tuple, np.ndarray)) else 1


def _rows(scorer: Scorer, columns: Mapping[str, Sequence[Any]], bad: dict[int, str]) -> np.ndarray:
    """Returns rows, of zeros for those that the metric refuses; these are found by halving, and put in `bad`."""

    def score(start: int, end: int) -> list[np.ndarray]:
        taken = {name: columns[name][start:end] for name in scorer.metric.COLUMNS if name in columns}
        try:
            return [scorer.metric.statistics(**taken, **scorer.options)]
        except ValueError as error:
            if not is_input_error(error):
                raise
            if end - start == 1:
                bad.setdefault(start, f"{scorer.label}: {error}")
                return [np.zeros((1, _width(scorer)))]
            middle = (start + end) // 2
            return [*score(start, middle), *score(middle, end)]

    return np.concatenate(score(0, len(columns["predictions"])))


def _with_corpus_counts(frame: DataFrame, scorer: Scorer, columns: Mapping[str, Sequence[str]]) -> Scorer:
    """Returns a metric with what it has to know of the whole corpus first; the counts have to fit in memory here."""
    option = scorer.metric.corpus_option(**scorer.options)
    if option is None:
        return scorer
    texts = frame.select(*(F.col(name).alias(f"{_TEXT}{name}") for name in columns["references"]))
    count = partial(_corpus_counts, scorer=scorer._replace(metric=None), sources=columns["references"])
    totals = texts.mapInPandas(count, "ngram string, count long").groupBy("ngram").agg(F.sum("count").alias("total"))
    ngrams, numbers = totals.toArrow().columns
    counts = dict(zip(ngrams.to_pylist(), numbers.to_pylist(), strict=True))
    compiled = scorer.metric.compile_options(**{**scorer.options, option: counts})
    return scorer._replace(options={**scorer.options, option: compiled[option]})


def _corpus_counts(frames: Iterator[pd.DataFrame], scorer: Scorer, sources: Sequence[str]) -> Iterator[pd.DataFrame]:
    """Yields the counts that a metric needs of the whole corpus, from one partition."""
    progress.hide()
    metric = load_metric(scorer.source)
    for frame in frames:
        references = _metric_columns(frame, {"references": sources})["references"]
        good = [row for row in references if _is_taken(metric.COLUMNS["references"], row)]
        if good:
            counts = metric.corpus_counts(references=good, **scorer.options)
            yield pd.DataFrame({"ngram": list(counts), "count": list(counts.values())})


def _is_taken(kind: Any, value: Any) -> bool:
    try:
        return bool(kind.check("references", [value]))
    except ValueError as error:
        if not is_input_error(error):
            raise
        return False
