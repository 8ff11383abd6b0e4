"""The Spark jobs of score_spark.py: rows are computed by the workers, summed by Spark, and scored here."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructField, StructType

from textgauge.core.phrase_counts import PhraseCounts

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
from .lines import FILE, LINE, undotted
from .phrases import joined_phrases, phrases_by_group
from .session import failures
from .shipping import name_of, ship, shipped_options
from .worker import BAD, COUNT, GAPS, GROUP, HASH, NUMBER, PHRASES, STATISTIC

_ALL = "all"  # rows, as a system
Columns = dict[str, list[str]]  # column of the metrics -> columns of the data; several are references of a segment


class GroupSums(NamedTuple):
    """What Spark has summed of a group."""

    group: tuple[Any, ...]
    segments: int
    bad_rows: int
    reference_counts: set[int]  # the fewest and the most of a segment
    gaps: int  # among references, which are none
    numbers: dict[str, int]  # sums of the numbers of which digests are made
    sums: np.ndarray  # (n_statistics,) of all metrics
    resampled: np.ndarray | None  # (resamples, n_statistics)
    phrases: list[PhraseCounts | None]  # of each metric, of all segments together; None for one without a table


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
        key: columns that name a row; if there are none, the line, or of Parquet all that is scored.
        segments: where to write the data with the scores of its rows.
        skip_bad_rows: leave them out instead of failing.
        rows: where to write the rows of all scores, without texts, by the key.
        with_data: say in the results of which data they are.

    Raises:
        InputError: rows without a key; a column that is missing; a bad row, named by its key; nothing to score.
        JobError: workers that die again and again, and whatever else ends a job.
    """
    _check_columns(scorers, columns)
    _check_rows(rows, key, scorers)
    draws, names = _draws(scorers), [name for name in frame.columns if name not in (LINE, FILE)]
    used = [LINE, FILE] if LINE in frame.columns else list(dict.fromkeys(sum(columns.values(), [])))
    key = key if key or LINE in used else used
    frame = _with_columns(frame, [*used, *groups, *key])
    kept = list(dict.fromkeys(undotted([*(names if segments else []), *groups, *key])))
    with failures():
        ship(frame.sparkSession, scorers)
        compiled = [_with_corpus_counts(frame.select(*undotted(used)), scorer, columns) for scorer in scorers]
        metrics = tuple((s.label, name_of(s), shipped_options(s.options)) for s in compiled)
        numbered = with_data or rows is not None
        job = worker.Job(metrics, columns, key, [*kept, HASH], bool(segments), skip_bad_rows, numbered)
        scored = _scored(frame, job, compiled, used).persist()
        try:
            by_group = _sums_by_group(scored, compiled, groups, draws)
            results = _results(by_group, compiled, _signatures(by_group, scorers), groups)
            data = _data(by_group, columns["predictions"][0])
            if with_data:
                results = {"data": data_fields(data), **results}
            if rows:
                about = _about(by_group, scorers, data, groups)
                _write_rows(scored.where(F.col(BAD).isNull()), rows, scorers, key, groups, about)
            bad = scored.where(F.col(BAD).isNotNull()).select(*undotted(key), BAD).collect()
            if segments:
                _write_segments(scored, segments, names)
        finally:
            scored.unpersist()
    return results, [dict(zip([*key, BAD], row.asDict(recursive=True).values(), strict=True)) for row in bad]


def blind_sentences(frame: DataFrame, scorers: Sequence[Scorer], columns: Columns, result: dict[str, Any]) -> list[str]:
    """Returns what is said of scores that cannot tell, as score.py says it: the first rows say why."""
    shown = by_headline(scorers, {_ALL: result["metrics"]})
    if "references" not in columns or all(headline(of_score) != 0 for of_score in shown[1][_ALL].values()):
        return []
    used = [LINE, FILE] if LINE in frame.columns else list(dict.fromkeys(sum(columns.values(), [])))
    with failures():
        first = _with_columns(frame, used).select(*undotted(used)).limit(BATCH).toPandas()
    given, unread, _ = worker.metric_columns(worker.without_blank_lines(first).reset_index(drop=True), columns)
    good = [row for row, text in enumerate(given["predictions"]) if row not in unread and isinstance(text, str)]
    by_name = {name: [values[row] for row in good] for name, values in given.items()}
    files = {name: FileColumn(name, values, "", "row", range(1, len(good) + 1)) for name, values in by_name.items()}
    predictions = files.pop("predictions")
    is_whole = len(first) < BATCH
    corpus = Corpus("", {_ALL: predictions}, {name: [column] for name, column in files.items()}, {}, "")
    return [blind.sentence() for blind in blind_scores(corpus, *shown, is_whole).values()]


def _scored(frame: DataFrame, job: worker.Job, scorers: Sequence[Scorer], used: Sequence[str]) -> DataFrame:
    """Returns the data with what the workers find of each row."""
    hashed = frame.withColumn(HASH, F.xxhash64(*undotted(job.key) or [LINE]))
    hashed = hashed.select(*dict.fromkeys([*job.kept, *undotted(used)]))
    return hashed.mapInPandas(partial(worker.score_rows, job=job), _schema(hashed, job, scorers))


def _write_segments(scored: DataFrame, path: str, names: Sequence[str]) -> None:
    """Writes the data, columns of these names, with the scores of its rows, without what only sums and groups need."""
    scores = scored.columns[scored.columns.index(BAD) :]
    beginnings = (STATISTIC, PHRASES, NUMBER)
    ours = [name for name in scored.columns if name in (HASH, COUNT, GAPS) or name.startswith(beginnings)]
    inside = [name for name in scored.columns if name not in (*scores, *undotted(names))]
    written = scored.drop(*ours, *inside)
    written.toDF(*names, *written.columns[len(names) :]).write.parquet(path)


def _check_rows(rows: str | None, key: Sequence[str], scorers: Sequence[Scorer]) -> None:
    """Raises InputError for rows that could not be matched, or that a metric has not."""
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
    """Returns what the metadata say of the rows."""
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
    names = [name for scorer in scorers for name in statistic_names(scorer.label, _width(scorer))]
    for column, name in zip(_statistics(scorers), names, strict=True):
        columns.append(F.col(column).alias(name))
    scored.select(*columns).write.parquet(path)


def _with_columns(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """Returns the data with a column for each name, undotted, and for what is inside one, as "doc.answer"."""
    inside = {name: _inside(frame, name) for name in names if name not in frame.columns}
    missing = [name for name, column in inside.items() if column is None]
    if missing:
        has = ", ".join(name for name in frame.columns if name not in (LINE, FILE))
        raise InputError(f"there is no column {', '.join(missing)}; the data has {has}")
    both = [*(F.col(f"`{name}`") for name in frame.columns), *inside.values()]
    return frame.select(*both).toDF(*undotted([*frame.columns, *inside]))


def _inside(frame: DataFrame, name: str) -> Column | None:
    """Returns what is inside a column, also of a list, as "responses.0"; None if there is none."""
    column, kind = None, frame.schema
    for key in name.split("."):
        if isinstance(kind, StructType) and key in kind.names:
            column = F.col(f"`{key}`") if column is None else column.getField(key)
            kind = kind[key].dataType
        elif isinstance(kind, ArrayType) and key.isdecimal():
            column, kind = F.get(column, int(key)), kind.elementType
        else:
            return None
    return column


def _check_columns(scorers: Sequence[Scorer], columns: Columns) -> None:
    for scorer in scorers:
        for name, kind in scorer.metric.COLUMNS.items():
            if name not in columns and not kind.is_optional:
                flag = "--reference-column NAME" if name == "references" else f"--column {name}=NAME"
                raise InputError(f"{scorer.label} needs {name}; add {flag}")


def _draws(scorers: Sequence[Scorer]) -> tuple[int, int] | None:
    """Returns how many resamples there are, and their seed; None where no interval is asked for."""
    options_of_intervals = [
        s.metric.compile_options(**s.options) for s in scorers if s.options.get("confidence") is not None
    ]
    if not options_of_intervals:
        return None
    seeds = {options["seed"] for options in options_of_intervals}
    if len(seeds) > 1:
        raise InputError(f"the metrics have the seeds {', '.join(map(str, sorted(seeds)))}; pass one for all")
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
    fields = [frame.schema[name] for name in job.kept] + [StructField(BAD, StringType())]
    fields += [StructField(name, LongType()) for name in (COUNT, GAPS)] if "references" in job.columns else []
    if job.with_data:
        fields += [StructField(f"{NUMBER}{name}", LongType()) for name in job.columns]
    fields += [StructField(name, DoubleType()) for name in _statistics(scorers)]
    for index, scorer in enumerate(scorers):
        if worker.counted_nothing(scorer.metric, scorer.options).phrases is not None:
            fields += [StructField(name, ArrayType(LongType())) for name in worker.phrase_columns(index)]
    if job.with_scores:
        for scorer in scorers:
            row = np.zeros((1, _width(scorer)))
            names = segment_scores(scorer.metric, scorer.label, row, scorer.options)
            fields += [StructField(name, DoubleType()) for name in names]
    return StructType(fields)


def _width(scorer: Scorer) -> int:
    """Returns how many numbers a row of a metric has."""
    return worker.counted_nothing(scorer.metric, scorer.options).rows.shape[1]


def _statistics(scorers: Sequence[Scorer]) -> list[str]:
    return [f"{STATISTIC}{index}" for index in range(sum(map(_width, scorers)))]


def _counts(scored: DataFrame, summed: Sequence[str], is_bad: Column) -> list[Column]:
    """Returns what Spark counts and sums of each group, of which some columns are summed as they are."""
    counts = [F.count("*").alias("rows"), F.sum(is_bad.cast("long")).alias("bad"), F.first(GROUP).alias(GROUP)]
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


def _sums_by_group(
    scored: DataFrame, scorers: Sequence[Scorer], groups: list[str], draws: tuple[int, int] | None
) -> list[GroupSums]:
    """Returns what Spark has summed, one sum for each group."""
    names = _statistics(scorers)
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
    phrases = [phrases_by_group(good, index, scorer, names_of_groups) for index, scorer in enumerate(scorers)]
    by_group = []
    for row in totals:
        group = tuple(row[name] for name in groups)
        sums = np.array([row[name] for name in names], dtype=np.float64)
        bad = row["bad"] or 0
        numbers = {name.removeprefix(NUMBER): int(row[name]) for name in numbered}
        by_group.append(
            GroupSums(
                group=group,
                segments=row["rows"] - bad,
                bad_rows=bad,
                reference_counts={row["fewest"], row["most"]} - {None},
                gaps=row["gaps"] or 0,
                numbers=numbers,
                sums=sums,
                resampled=resampled.get(row[GROUP]),
                phrases=[of_metric[row[GROUP]] for of_metric in phrases],
            )
        )
    if not any(group_sums.segments for group_sums in by_group):
        raise InputError("nothing to score: there is no row, or none that can be scored")
    return sorted(by_group, key=lambda group_sums: list(map(str, group_sums.group)))


def _resampled(good: DataFrame, names: Sequence[str], resamples: int, seed: int) -> dict[str, np.ndarray]:
    """Returns the sums of the resamples by GROUP."""
    draw = partial(worker.poisson_sums, width=len(names), resamples=resamples, seed=seed)
    schema = f"{GROUP} string, sums array<double>"
    drawn = good.select(GROUP, HASH, *names).mapInPandas(draw, schema)
    rows = drawn.groupBy(GROUP).applyInPandas(worker.add_sums, schema).collect()
    return {row[GROUP]: np.reshape(row["sums"], (resamples, len(names))) for row in rows}


def _references(by_group: Sequence[GroupSums]) -> list[list[str]] | None:
    """Returns references of as many as segments have, for signatures; None where there are none."""
    counts = set().union(*(group_sums.reference_counts for group_sums in by_group))
    return [[""] * count for count in sorted(counts)] or None


def _signatures(by_group: Sequence[GroupSums], scorers: Sequence[Scorer]) -> dict[str, str]:
    """Returns the signature of each metric, which says how many references a segment of the data has."""
    references = _references(by_group)
    return {scorer.label: scorer.metric.signature(references, **scorer.options) for scorer in scorers}


def _results(
    by_group: Sequence[GroupSums], scorers: Sequence[Scorer], signatures: dict[str, str], groups: list[str]
) -> dict[str, Any]:
    """Returns the result of all rows, and of each group."""
    drawn = [group_sums.resampled for group_sums in by_group if group_sums.resampled is not None]
    whole = GroupSums(
        group=(),
        segments=sum(group_sums.segments for group_sums in by_group),
        bad_rows=sum(group_sums.bad_rows for group_sums in by_group),
        reference_counts=set().union(*(group_sums.reference_counts for group_sums in by_group)),
        gaps=sum(group_sums.gaps for group_sums in by_group),
        numbers={},
        sums=np.sum([group_sums.sums for group_sums in by_group], axis=0),
        resampled=np.sum(drawn, axis=0) if drawn else None,
        phrases=joined_phrases([group_sums.phrases for group_sums in by_group]),
    )
    results: dict[str, Any] = {"all": _result(whole, scorers, signatures)}
    if groups:
        results["groups"] = [
            {"group": dict(zip(groups, group_sums.group, strict=True)), **_result(group_sums, scorers, signatures)}
            for group_sums in by_group
        ]
    return results


def _result(group_sums: GroupSums, scorers: Sequence[Scorer], signatures: dict[str, str]) -> dict[str, Any]:
    """Returns the scores of a group or of all rows; none of a group in which no row could be scored."""
    metrics, start = {}, 0
    for scorer, phrases in zip(scorers, group_sums.phrases, strict=True) if group_sums.segments else ():
        end = start + _width(scorer)
        resampled = None if group_sums.resampled is None else (group_sums.resampled[:, start:end], group_sums.segments)
        result = scorer.metric.result(group_sums.sums[None, start:end], resampled, phrases, **scorer.options)
        metrics[scorer.label] = {**result, "signature": signatures[scorer.label]}
        start = end
    gaps = {"gaps": group_sums.gaps} if group_sums.gaps else {}
    return {"segments": group_sums.segments, "bad_rows": group_sums.bad_rows, **gaps, "metrics": metrics}
