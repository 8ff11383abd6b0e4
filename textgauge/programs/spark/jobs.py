"""The Spark jobs of score_spark.py: rows are computed by the workers, summed by Spark, and scored here."""

import itertools
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructField, StructType

from ..errors import InputError
from ..reading.columns import FileColumn
from ..reading.corpus import BATCH, Corpus
from ..reading.data_digests import PRIME, Data, Digest, data_fields
from ..scoring.blind_scores import blind_scores
from ..scoring.outputs import by_headline
from ..scoring.row_files import GROUP as GROUP_COLUMN
from ..scoring.row_files import ID, check_scorers, description, metadata, statistic_names
from ..scoring.segment_scores import segment_scores
from ..scoring.specs import Scorer, headline
from . import worker
from .group_sums import GroupSums, reference_counts_of, statistics_of, sums_by_group, sums_of_all, width_of
from .lines import FILE, LINE, undotted
from .session import failures
from .shipping import name_of, ship, shipped_options
from .worker import BAD, COUNT, GAPS, HASH, NUMBER, PHRASES, STATISTIC

_ALL = "all"  # rows, as a system
Columns = dict[str, list[str]]  # column of the metrics -> columns of the data; several are references of a segment


def score_data(
    frame: DataFrame,
    scorers: Sequence[Scorer],
    columns: Columns,
    groups: list[str],
    key: list[str],
    segments: str | None = None,
    skip_bad_rows: bool = False,
    rows: str | None = None,
    with_data: bool = False,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Returns the results of all rows and of each group, and the rows that were left out.

    Args:
        frame: the data, as `read_data` returns it.
        scorers: metrics with their options.
        columns: what the metrics take.
        groups: columns whose values are scored apart.
        key: columns that name a row; without them the line, or in Parquet all scored columns.
        segments: where to write the data with the scores of its rows.
        skip_bad_rows: leave them out instead of failing.
        rows: where to write the rows of all scores, without texts, by the key.
        with_data: say in the results of which data they are.

    Raises:
        InputError: rows without a key; a column that is missing; a bad row, named by its key; nothing to score.
        JobError: workers that die again and again, and whatever else ends a job.
    """
    _check(scorers, columns, rows, key)
    draws = _draws(scorers)
    names = [name for name in frame.columns if name not in (LINE, FILE)]
    used = _used(frame, columns)
    if not key and LINE not in used:
        key = used
    frame = _with_columns(frame, [*used, *groups, *key])
    written = names if segments else []
    kept = list(dict.fromkeys(undotted([*written, *groups, *key])))
    with failures():
        ship(frame.sparkSession, scorers)
        compiled = [_with_corpus_counts(frame.select(*undotted(used)), scorer, columns) for scorer in scorers]
        metrics = [(scorer.label, name_of(scorer), shipped_options(scorer.options)) for scorer in compiled]
        numbered = with_data or rows is not None
        job = worker.Job(tuple(metrics), columns, key, [*kept, HASH], bool(segments), skip_bad_rows, numbered)
        scored = _scored(frame, job, compiled, used).persist()
        try:
            by_group = sums_by_group(scored, compiled, groups, draws)
            results = _results(by_group, compiled, _signatures(by_group, scorers), groups)
            data = _data(by_group, columns["predictions"][0])
            if with_data:
                results = {"data": data_fields(data), **results}
            if rows:
                _write_rows(scored, rows, scorers, key, groups, _about(by_group, scorers, data, groups))
            if segments:
                _write_segments(scored, segments, names)
            return results, _bad_rows(scored, key)
        finally:
            scored.unpersist()


def _used(frame: DataFrame, columns: Columns) -> list[str]:
    """Returns the columns that the workers read: those of lines, or of Parquet all that the metrics take."""
    if LINE in frame.columns:
        return [LINE, FILE]
    return list(dict.fromkeys(itertools.chain(*columns.values())))


def blind_sentences(frame: DataFrame, scorers: Sequence[Scorer], columns: Columns, result: dict[str, Any]) -> list[str]:
    """Returns the notes of score.py on scores that cannot tell; the first rows give the reason."""
    headlines, shown = by_headline(scorers, {_ALL: result["metrics"]})
    if "references" not in columns or all(headline(of_score) != 0 for of_score in shown[_ALL].values()):
        return []
    used = _used(frame, columns)
    with failures():
        texts = _with_columns(frame, used).select(*undotted(used))
        first = texts.limit(BATCH).toPandas()
    rows = worker.without_blank_lines(first).reset_index(drop=True)
    values_by_name, unread, _ = worker.metric_columns(rows, columns)
    predictions = values_by_name["predictions"]
    good = [row for row, text in enumerate(predictions) if row not in unread and isinstance(text, str)]
    numbers = range(1, len(good) + 1)
    files = {}
    for name, values in values_by_name.items():
        files[name] = FileColumn(name, [values[row] for row in good], "", "row", numbers)
    systems = {_ALL: files.pop("predictions")}
    corpus = Corpus("", systems, {name: [column] for name, column in files.items()}, {}, "")
    is_whole = len(first) < BATCH
    return [blind.sentence() for blind in blind_scores(corpus, headlines, shown, is_whole).values()]


def _scored(frame: DataFrame, job: worker.Job, scorers: Sequence[Scorer], used: Sequence[str]) -> DataFrame:
    """Returns the data with what the workers find of each row."""
    hashed = frame.withColumn(HASH, F.xxhash64(*undotted(job.key) or [LINE]))
    hashed = hashed.select(*dict.fromkeys([*job.kept, *undotted(used)]))
    return hashed.mapInPandas(partial(worker.score_rows, job=job), _schema(hashed, job, scorers))


def _bad_rows(scored: DataFrame, key: Sequence[str]) -> list[dict[str, Any]]:
    """Returns the key of each row that could not be scored, and why."""
    rows = scored.where(F.col(BAD).isNotNull()).select(*undotted(key), BAD)
    bad_rows = []
    for row in rows.collect():
        values = row.asDict(recursive=True).values()
        bad_rows.append(dict(zip([*key, BAD], values, strict=True)))
    return bad_rows


def _write_segments(scored: DataFrame, path: str, names: Sequence[str]) -> None:
    """Writes the data, columns of these names, with the scores of its rows, without what only sums and groups need."""
    scores = scored.columns[scored.columns.index(BAD) :]
    beginnings = (STATISTIC, PHRASES, NUMBER)
    ours = [name for name in scored.columns if name in (HASH, COUNT, GAPS) or name.startswith(beginnings)]
    inside = [name for name in scored.columns if name not in (*scores, *undotted(names))]
    written = scored.drop(*ours, *inside)
    written.toDF(*names, *written.columns[len(names) :]).write.parquet(path)


def _check(scorers: Sequence[Scorer], columns: Columns, rows: str | None, key: Sequence[str]) -> None:
    """Raises InputError for a column that a metric needs, rows that could not be matched, or that a metric has not."""
    for scorer in scorers:
        for name, kind in scorer.metric.COLUMNS.items():
            if name not in columns and not kind.is_optional:
                flag = "--reference-column NAME" if name == "references" else f"--column {name}=NAME"
                raise InputError(f"{scorer.label} needs {name}; add {flag}")
    if rows is None:
        return
    check_scorers(scorers)
    if not key:
        raise InputError("--rows needs --key NAME: on a cluster rows have no order, and are matched by their key")


def _data(by_group: Sequence[GroupSums], system: str) -> Data:
    """Returns which data was scored; it has no order."""
    inputs = {}
    for name in by_group[0].numbers:
        inputs[name] = Digest(sum(group_sums.numbers[name] for group_sums in by_group) % PRIME, None)
    outputs = {system: inputs.pop("predictions")} if inputs else {}
    return Data(inputs, outputs)


def _about(
    by_group: Sequence[GroupSums], scorers: Sequence[Scorer], data: Data, groups: Sequence[str]
) -> dict[str, Any]:
    """Returns the metadata of the rows."""
    columns = [ID, *(f"{GROUP_COLUMN}{name}" for name in groups)]
    about = description(next(iter(data.outputs)), scorers, data, _references(by_group), columns)
    return {**about, "segments": sum(group_sums.segments for group_sums in by_group)}


def _write_rows(
    scored: DataFrame,
    path: str,
    scorers: Sequence[Scorer],
    key: Sequence[str],
    groups: Sequence[str],
    about: dict[str, Any],
) -> None:
    """Writes the rows of all scores as Parquet, with the key as id; the metadata are with its column."""
    ids = F.concat_ws("/", *(F.col(name).cast("string") for name in undotted(key)))
    columns = [ids.alias(ID, metadata=metadata(about))]
    for name, column in zip(groups, undotted(groups), strict=True):
        group = F.coalesce(F.col(column).cast("string"), F.lit("None"))
        columns.append(group.alias(f"{GROUP_COLUMN}{name}"))
    names = [name for scorer in scorers for name in statistic_names(scorer.label, width_of(scorer))]
    for column, name in zip(statistics_of(scorers), names, strict=True):
        columns.append(F.col(column).alias(name))
    good = scored.where(F.col(BAD).isNull())
    good.select(*columns).write.parquet(path)


def _with_columns(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """Returns the data with a column for each name, undotted, and for fields inside one, as "doc.answer"."""
    inside = {name: _inside(frame, name) for name in names if name not in frame.columns}
    missing = [name for name, column in inside.items() if column is None]
    if missing:
        has = ", ".join(name for name in frame.columns if name not in (LINE, FILE))
        raise InputError(f"there is no column {', '.join(missing)}; the data has {has}")
    known = [F.col(f"`{name}`") for name in frame.columns]
    names = undotted([*frame.columns, *inside])
    return frame.select(*known, *inside.values()).toDF(*names)


def _inside(frame: DataFrame, name: str) -> Column | None:
    """Returns a field inside a column, also of a list, as "responses.0"; None if it is missing."""
    column, kind = None, frame.schema
    for key in name.split("."):
        if isinstance(kind, StructType) and key in kind.names:
            column = F.col(f"`{key}`") if column is None else column.getField(key)
            kind = kind[key].dataType
        elif isinstance(kind, ArrayType) and key.isdecimal():
            column = F.get(column, int(key))
            kind = kind.elementType
        else:
            return None
    return column


def _draws(scorers: Sequence[Scorer]) -> tuple[int, int] | None:
    """Returns how many resamples there are, and their seed; None where no interval is asked for."""
    options_of_intervals = []
    for scorer in scorers:
        if scorer.options.get("confidence") is not None:
            options_of_intervals.append(scorer.metric.compile_options(**scorer.options))
    if not options_of_intervals:
        return None
    seeds = {options["seed"] for options in options_of_intervals}
    if len(seeds) > 1:
        raise InputError(f"the metrics have different seeds: {', '.join(map(str, sorted(seeds)))}; pass one for all")
    return max(options["resamples"] for options in options_of_intervals), seeds.pop()


def _with_corpus_counts(frame: DataFrame, scorer: Scorer, columns: Columns) -> Scorer:
    """Returns a metric with what it has to know of the whole corpus first; the counts have to fit in memory here."""
    option = scorer.metric.corpus_option(**scorer.options)
    if option is None:
        return scorer
    sources = columns["references"]
    count = partial(
        worker.corpus_counts, script=name_of(scorer), options=shipped_options(scorer.options), sources=sources
    )
    counted = frame.mapInPandas(count, "ngram string, count long")
    totals = counted.groupBy("ngram").agg(F.sum("count").alias("total"))
    # Most n-grams occur once in a corpus, and an n-gram that is missing counts as one that does. Kept are the others,
    # the size of the corpus, whose key is empty, and the tokenization, whose key begins with a space. One n-gram of
    # each length is kept, too: it shows that this length was counted.
    kept = totals.where("total > 1 or ngram = '' or ngram like ' %'")
    by_length = totals.groupBy(F.size(F.split("ngram", " ")).alias("length"))
    of_each_length = by_length.agg(F.max_by("ngram", "total"), F.max("total")).drop("length")
    ngrams, numbers = kept.union(of_each_length).toArrow().columns
    counts = dict(zip(ngrams.to_pylist(), numbers.to_pylist(), strict=True))
    compiled = scorer.metric.compile_options(**{**scorer.options, option: counts})
    return scorer._replace(options={**scorer.options, option: compiled[option]})


def _schema(frame: DataFrame, job: worker.Job, scorers: Sequence[Scorer]) -> StructType:
    """Returns the columns of scored rows."""
    fields = [frame.schema[name] for name in job.kept]
    fields.append(StructField(BAD, StringType()))
    if "references" in job.columns:
        fields += [StructField(COUNT, LongType()), StructField(GAPS, LongType())]
    if job.with_data:
        fields += [StructField(f"{NUMBER}{name}", LongType()) for name in job.columns]
    fields += [StructField(name, DoubleType()) for name in statistics_of(scorers)]
    for index, scorer in enumerate(scorers):
        if worker.counted_nothing(scorer.metric, scorer.options).phrases is not None:
            fields += [StructField(name, ArrayType(LongType())) for name in worker.phrase_columns(index)]
    if job.with_scores:
        for scorer in scorers:
            row = np.zeros((1, width_of(scorer)))
            names = segment_scores(scorer.metric, scorer.label, row, scorer.options)
            fields += [StructField(name, DoubleType()) for name in names]
    return StructType(fields)


def _references(by_group: Sequence[GroupSums]) -> list[list[str]] | None:
    """Returns references of as many as segments have, for signatures; None without references."""
    return [[""] * count for count in sorted(reference_counts_of(by_group))] or None


def _signatures(by_group: Sequence[GroupSums], scorers: Sequence[Scorer]) -> dict[str, str]:
    """Returns the signature of each metric, which says how many references a segment of the data has."""
    references = _references(by_group)
    return {scorer.label: scorer.metric.signature(references, **scorer.options) for scorer in scorers}


def _results(
    by_group: Sequence[GroupSums], scorers: Sequence[Scorer], signatures: dict[str, str], groups: list[str]
) -> dict[str, Any]:
    """Returns the result of all rows, and of each group."""
    results: dict[str, Any] = {"all": _result(sums_of_all(by_group), scorers, signatures)}
    if groups:
        results["groups"] = []
        for group_sums in by_group:
            group = dict(zip(groups, group_sums.group, strict=True))
            results["groups"].append({"group": group, **_result(group_sums, scorers, signatures)})
    return results


def _result(group_sums: GroupSums, scorers: Sequence[Scorer], signatures: dict[str, str]) -> dict[str, Any]:
    """Returns the scores of a group or of all rows; none of a group in which no row could be scored."""
    results: dict[str, Any] = {"segments": group_sums.segments, "bad_rows": group_sums.bad_rows}
    if group_sums.gaps:
        results["gaps"] = group_sums.gaps
    results["metrics"] = {}
    if not group_sums.segments:
        return results
    start = 0
    for scorer, phrases in zip(scorers, group_sums.phrases, strict=True):
        end = start + width_of(scorer)
        resampled = None
        if group_sums.resampled is not None:
            resampled = (group_sums.resampled[:, start:end], group_sums.segments)
        sums = group_sums.sums[None, start:end]
        result = scorer.metric.result(sums, resampled, phrases, **scorer.options)
        results["metrics"][scorer.label] = {**result, "signature": signatures[scorer.label]}
        start = end
    return results
