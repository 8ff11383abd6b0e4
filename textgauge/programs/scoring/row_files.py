"""Rows as a file: what one system scored in each segment by each metric, without texts, as Parquet.

Columns hold the numbers of the rows of a metric, names, clusters, groups or people's scores. The metadata
say in JSON, under the key "textgauge", of which system, data and metrics the rows are. Spark writes a file in parts,
and its metadata with the first column.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import textgauge
from textgauge.core.bootstrap import without_interval
from textgauge.core.options import is_number

from ..drawing.kinds import KindRows, RowsOfKinds, has_kinds
from ..errors import InputError, input_errors_of
from ..reading.corpus import IDS, Corpus
from ..reading.data_digests import Data, data_fields, read_data
from ..reading.further_packages import needed_by
from ..reading.stored_columns import opened_parquet, plain_values
from .outputs import check_writable, program
from .specs import Scorer

KEY = "textgauge"  # in the metadata
ID = "id"
FORMAT = 1
GROUP = "group "  # begins the names of columns with groups
_CLUSTER, _HUMAN = "cluster", "human"
_SUFFIX = ".parquet"
_OF_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
_IN_NAMES = re.compile(r"[/\\:\0]+")  # of systems, and of no file
_GROUPED = 2**17  # rows that are stored together
_LONGEST_NUMBER = 100  # digits of ids that are sorted as numbers
_FIELDS = {"system": str, "metrics": list, "data": dict, "columns": list, "human_lower_is_better": bool}
_FIELDS_OF_METRICS = {"label": str, "metric": str, "signature": str, "options": dict, "kinds": bool}


class SignedRows(np.ndarray):
    """Rows that carry the signature of the metric that computed them, (n_segments, n_statistics)."""

    signature: str | None = None

    def __array_finalize__(self, base: Any) -> None:
        self.signature = getattr(base, "signature", None)


class MetricRows(NamedTuple):
    """The rows of one metric."""

    metric: Any
    signature: str  # without what an interval is of
    options: dict[str, Any]  # with which `score` takes the rows
    values: SignedRows
    kinds: KindRows | None  # of error rates

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return self.values.shape[1]


class SystemRows(NamedTuple):
    """What a file holds."""

    path: str
    system: str
    by_label: dict[str, MetricRows]
    data: Data  # of this system alone
    columns: dict[str, list[Any]]  # those besides rows, by their names in the file
    is_human_lower_better: bool

    @property
    def size(self) -> int:
        """Number of segments."""
        return len(next(iter(self.by_label.values())).values)

    @property
    def ids(self) -> list[str] | None:
        """The name of each segment."""
        return self.columns.get(ID)

    @property
    def clusters(self) -> list[str] | None:
        """What each segment belongs to."""
        return self.columns.get(_CLUSTER)

    @property
    def human(self) -> list[float] | None:
        """People's score of each segment."""
        return self.columns.get(_HUMAN)

    @property
    def groups(self) -> dict[str, list[str]]:
        """The group of each segment, by the column that was grouped by."""
        named = (name for name in self.columns if name.startswith(GROUP))
        return {name.removeprefix(GROUP): self.columns[name] for name in named}


def row_targets(path: Path | None, systems: Sequence[str], scorers: Sequence[Scorer]) -> dict[str, Path]:
    """Returns the file for the rows of each system: the path itself if it ends in .parquet, else one in that folder.

    Raises:
        InputError: several systems for one file, a file that cannot be written, or a metric without rows.
    """
    if path is None:
        return {}
    check_scorers(scorers)
    with needed_by("--rows"):
        import pyarrow.parquet  # noqa: F401
    if path.suffix == _SUFFIX and not path.is_dir():
        if len(systems) > 1:
            raise InputError(f"--rows {path}: there are {len(systems)} systems, {', '.join(systems)}; pass a folder")
        check_writable([path])
        return {systems[0]: path}
    if path.exists() and not path.is_dir():
        raise InputError(f"--rows {path} is a file; pass a folder, or a name that ends in {_SUFFIX}")
    if not path.parent.is_dir():
        raise InputError(f"--rows {path}: there is no folder {path.parent}")
    targets = {system: path / f"{_IN_NAMES.sub('-', system)}{_SUFFIX}" for system in systems}
    check_writable([*targets.values()] if path.is_dir() else [])
    if len(set(targets.values())) < len(targets):
        raise InputError(f"--rows {path}: two of the systems {', '.join(systems)} would get the same file name")
    return targets


def check_scorers(scorers: Sequence[Scorer]) -> None:
    """Raises InputError for a metric whose score is not one of rows, or that others could not read rows of."""
    for scorer in scorers:
        if not hasattr(scorer.metric, "row_options"):
            raise InputError(f"--rows: {scorer.label} is computed from all segments together, and has no rows")
        if scorer.source not in textgauge.metric_names():
            raise InputError(f"--rows: {scorer.source} is a script; rows can only be saved for metrics of textgauge")


def description(
    system: str,
    scorers: Sequence[Scorer],
    data: Data,
    references: Sequence[Any] | None,
    columns: Sequence[str],
    kinds: Sequence[str] = (),
    is_human_lower_better: bool = False,
) -> dict[str, Any]:
    """Returns the metadata of the rows of a system.

    Args:
        system: its name.
        scorers: the metrics.
        data: with the outputs of the system, maybe among others.
        references: those of the segments, or some with as many for each, for the signatures.
        columns: names of those besides rows.
        kinds: labels of metrics with rows of the kinds of errors beside their own.
        is_human_lower_better: whether lower scores by people are better.
    """
    metrics = []
    for scorer in scorers:
        signature = scorer.metric.signature(references=references, **{**scorer.options, "confidence": None})
        unsigned = scorer.metric.unsigned_options(**scorer.options)
        about = {"label": scorer.label, "metric": scorer.source, "signature": signature, "options": unsigned}
        metrics.append({**about, "kinds": scorer.label in kinds})
    own_data = Data(data.inputs, {system: data.outputs[system]})
    return {
        "format": FORMAT,
        "program": program(),
        "system": system,
        "metrics": metrics,
        "data": data_fields(own_data),
        "columns": list(columns),
        "human_lower_is_better": is_human_lower_better,
    }


def columns_of_segments(corpus: Corpus, system: str) -> dict[str, list[Any]]:
    """Returns the columns of a file besides rows: what names, groups and judges the segments of a corpus or batch."""
    columns: dict[str, list[Any]] = {}
    ids = corpus.systems[system].numbers
    if IDS in corpus.columns:
        ids = corpus.columns[IDS][0].texts()
    if all(isinstance(name, str) for name in ids):
        columns[ID] = list(ids)
    if corpus.clusters is not None:
        columns[_CLUSTER] = corpus.clusters
    columns.update((f"{GROUP}{name}", values) for name, values in corpus.groups.items())
    if system in corpus.human:
        columns[_HUMAN] = corpus.human[system]
    return columns


def statistic_columns(label: str, values: np.ndarray, kinds: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Returns the columns that hold rows, (n_segments, n_statistics), and those with the kinds of errors."""
    columns = {name: column for name, column in zip(statistic_names(label, values.shape[1]), values.T, strict=True)}
    if kinds is not None:
        columns.update(zip(statistic_names(_of_kinds(label), kinds.shape[1]), kinds.T, strict=True))
    return columns


def statistic_names(label: str, width: int) -> list[str]:
    """Returns the names of the columns that hold the rows of a metric."""
    return [f"{label}/{index}" for index in range(width)]


def _of_kinds(label: str) -> str:
    return f"{label}/kinds"


def write_rows(
    targets: Mapping[str, Path],
    corpus: Corpus,
    scorers: Sequence[Scorer],
    rows: Mapping[tuple[str, str], np.ndarray],
    kinds: RowsOfKinds,
) -> None:
    """Writes the file of each system, whole or not at all.

    Args:
        targets: of the systems.
        corpus: that was scored, with its data.
        scorers: the metrics.
        rows: (n_segments, n_statistics) by system and label.
        kinds: rows with the kinds of errors, likewise.
    """
    references = corpus.column("references") if "references" in corpus.columns else None
    for system, path in targets.items():
        columns = columns_of_segments(corpus, system)
        is_detailed = {scorer.label: scorer.options.get("detailed") for scorer in scorers}
        kinds_of_system = {}
        for (name, label), kind_rows in kinds.items():
            if name == system and not is_detailed[label]:
                kinds_of_system[label] = kind_rows.values
        is_lower_better = corpus.is_human_lower_better
        about = description(system, scorers, corpus.data, references, [*columns], [*kinds_of_system], is_lower_better)
        for scorer in scorers:
            label = scorer.label
            columns.update(statistic_columns(label, rows[system, label], kinds_of_system.get(label)))
        path.parent.mkdir(exist_ok=True)
        _write(path, columns, about)


def _write(path: Path, columns: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(dict(columns)).replace_schema_metadata(metadata(about))
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        pq.write_table(table, part, row_group_size=_GROUPED, compression="zstd")
        part.replace(path)
    except OSError as error:  # it names the file beside, or none
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise OSError(error.errno, reason, str(path)) from None
    finally:
        part.unlink(missing_ok=True)


def metadata(about: Mapping[str, Any]) -> dict[str, str]:
    """Returns the metadata of a file of rows."""
    return {KEY: json.dumps(about, ensure_ascii=False)}


def read_row_files(path: Path) -> list[SystemRows]:
    """Returns the rows of each system in a file, in the parts of one, or in a folder of these.

    Raises:
        InputError: a file without rows, or of another format; a metric or version that is not here; a part that
            is missing.
    """
    if not path.exists():
        raise InputError(f"there is no file {path}")
    if not path.is_dir():
        return [_system_rows(str(path), *_stored(path))]
    inside = sorted(path.glob(f"*{_SUFFIX}"))
    if not inside:
        raise InputError(f"{path}: there is no file of rows ({_SUFFIX}) in this folder")
    stored = {file: _stored(file) for file in inside if not file.is_dir()}
    if any(about.get("segments") for about, _ in stored.values()):
        return [_of_parts(path, list(stored.values()))]
    systems = [_system_rows(str(file), about, table) for file, (about, table) in stored.items()]
    return systems + [rows for folder in inside if folder.is_dir() for rows in read_row_files(folder)]


def _stored(path: Path) -> tuple[dict[str, Any], Any]:
    """Returns the metadata of a file, and its table."""
    with opened_parquet(str(path)) as parquet:
        about = _about(parquet.schema_arrow.metadata or {})
        if not isinstance(about, dict) or "metrics" not in about:
            raise InputError(f"{path} holds no rows; score.py writes them with --rows")
        if about.get("format") != FORMAT:
            raise InputError(f"{path} has the format {about.get('format')}; this version reads {FORMAT}")
        return about, parquet.read()


def _about(stored: Mapping[bytes, bytes]) -> Any:
    """Returns the content of metadata; None without any."""
    try:
        if KEY.encode() in stored:
            return json.loads(stored[KEY.encode()])
        fields = json.loads(stored.get(_OF_SPARK, b"{}")).get("fields", [])
        for field in fields:
            if KEY in field.get("metadata", {}):
                return json.loads(field["metadata"][KEY])
        return None
    # the last for lists in lists
    except (ValueError, AttributeError, TypeError, RecursionError):
        return None


def _of_parts(path: Path, parts: Sequence[tuple[dict[str, Any], Any]]) -> SystemRows:
    """Returns the rows of a system whose file has parts, in the order of their ids."""
    import pyarrow as pa

    about = parts[0][0]
    tables = [table for _, table in parts]
    if any(other != about or table.schema != tables[0].schema for other, table in parts):
        raise InputError(f"{path}: its files were written by different calls")
    whole = pa.concat_tables(tables)
    if whole.num_rows != about["segments"]:
        raise InputError(f"{path}: it has {whole.num_rows} of {about['segments']} rows; a part is missing")
    ids = _of_segments(str(path), whole, ID)
    is_numbered = all(name.isdecimal() and len(name) <= _LONGEST_NUMBER for name in ids)
    keys = [int(name) for name in ids] if is_numbered else ids
    order = pa.array(np.argsort(np.array(keys), kind="stable"))
    return _system_rows(str(path), about, whole.take(order))


def _system_rows(path: str, about: Mapping[str, Any], table: Any) -> SystemRows:
    """Returns the rows of a file, a table of Arrow, checked by the metrics that they are of."""
    _check_fields(path, about, _FIELDS)
    by_label = {}
    for of_metric in about["metrics"]:
        _check_fields(path, of_metric, _FIELDS_OF_METRICS)
        with input_errors_of(f"{path}, {of_metric['label']}"):
            by_label[of_metric["label"]] = _metric_rows(of_metric, table)
    data = read_data(about["data"])
    system = about["system"]
    of_segments = {str(name): _of_segments(path, table, str(name)) for name in about["columns"]}
    if data is None or not by_label or system not in data.outputs:
        raise InputError(f"{path} does not say which data its rows were scored on")
    return SystemRows(path, system, by_label, data, of_segments, about["human_lower_is_better"])


def _check_fields(path: str, about: Any, kinds: Mapping[str, type]) -> None:
    """Raises InputError unless metadata have these fields, each of its kind: somebody else may have written them."""
    for name, kind in kinds.items():
        value = about.get(name) if isinstance(about, dict) else None
        if not isinstance(value, kind):
            fault = "missing" if value is None else f"no {kind.__name__}"
            raise InputError(f"{path} holds no rows as score.py writes them: {name!r} is {fault}")


def _of_segments(path: str, table: Any, name: str) -> list[Any]:
    """Returns a column besides rows: people's scores, or else texts."""
    values = plain_values(path, name, table[name]) if name in table.column_names else [None]
    if name == _HUMAN:
        wanted = "a finite number"
        are_valid = all(map(is_number, values))
    else:
        wanted = "a text"
        are_valid = all(isinstance(value, str) for value in values)
    if not are_valid:
        raise InputError(f"{path} holds no rows as score.py writes them: the column {name} needs {wanted} in each row")
    return values


def _metric_rows(about: Mapping[str, Any], table: Any) -> MetricRows:
    """Returns the rows of a metric; InputError where it is not here, or takes no such rows."""
    if about["metric"] not in textgauge.metric_names():  # no script that a file of somebody else names
        raise InputError(f"there is no metric {about['metric']} here")
    metric = textgauge.load(about["metric"])
    signature = without_interval(about["signature"])
    options = metric.row_options(signature, about["options"])
    values = _rows(table, about["label"]).view(SignedRows)
    metric.result(values, **options)  # which checks width and numbers
    values.signature = signature
    kinds = KindRows(metric, options, values) if has_kinds(metric) and options["detailed"] else None
    if about["kinds"]:
        detailed = metric.row_options(signature, {**about["options"], "detailed": True})
        kinds = KindRows(metric, detailed, _rows(table, _of_kinds(about["label"])))
        metric.result(kinds.values, **detailed)
    return MetricRows(metric, signature, options, values, kinds)


def _rows(table: Any, label: str) -> np.ndarray:
    """Returns the rows in the columns of a label, (n_segments, n_statistics)."""
    width = sum(name.rpartition("/")[0] == label for name in table.column_names)
    names = statistic_names(label, max(width, 1))
    if any(name not in table.column_names or str(table[name].type) != "double" for name in names):
        raise InputError(f"the columns {', '.join(names)} need a float in each row")
    statistics = [table[name].to_numpy() for name in names]
    rows = np.ascontiguousarray(np.stack(statistics, axis=1))
    wrong = np.argwhere(~np.isfinite(rows))
    if len(wrong):
        row, column = wrong[0].tolist()
        raise InputError(f"{names[column]} is {rows[row, column]:g} in row {row + 1}; a row holds finite numbers")
    return rows
