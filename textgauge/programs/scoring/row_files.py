"""Rows read: of one call, of a stream and of Spark; `row_writing.py` says what the files hold."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import textgauge
from textgauge.core.bootstrap import without_interval
from textgauge.core.options import is_number

from ..drawing.kinds import KindRows, has_kinds
from ..errors import InputError, input_errors_of
from ..reading.data_digests import Data, read_data
from ..reading.stored_columns import opened_parquet, plain_values
from .row_writing import CLUSTER, FORMAT, GROUP, HUMAN, ID, KEY, SUFFIX, label_of_kinds, statistic_names

# in the folder of a stream
WHOLE = "_common_metadata"  # what all parts are together
UNFINISHED = "_unfinished"  # the key of their fingerprints, while it runs
PART = "part"  # field of the metadata of a part: its fingerprint
_OF_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
_MAGIC = b"PAR1"  # that a Parquet file begins with
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
        return self.columns.get(CLUSTER)

    @property
    def human(self) -> list[float] | None:
        """People's score of each segment."""
        return self.columns.get(HUMAN)

    @property
    def groups(self) -> dict[str, list[str]]:
        """The group of each segment, by the column that was grouped by."""
        named = (name for name in self.columns if name.startswith(GROUP))
        return {name.removeprefix(GROUP): self.columns[name] for name in named}


def read_row_files(path: Path) -> list[SystemRows]:
    """Returns the rows of each system in a file, in the parts of one, or in a folder of these.

    Raises:
        InputError: a file without rows, or of another format; a metric or version that is not here; a part that
            is missing; a run that has not ended.
    """
    if not path.exists():
        raise InputError(f"there is no file {path}")
    if not path.is_dir():
        _check_parquet(path)
        about, table = _stored(path)
        if PART in about:
            raise InputError(f"{path} is a part of the rows of a system; pass its folder, {path.parent}")
        return [_system_rows(str(path), about, table)]
    inside = sorted(path.glob(f"*{SUFFIX}"))
    stored = {file: _stored(file) for file in inside if not file.is_dir()}
    is_stream = any(PART in about for about, _ in stored.values())
    if (path / UNFINISHED).exists() or (is_stream and not (path / WHOLE).exists()):
        raise InputError(f"{path}: the run that writes it has not ended; the same command goes on")
    if not inside:
        raise InputError(f"{path}: there is no file of rows ({SUFFIX}) in this folder")
    if is_stream:
        about, _ = _stored(path / WHOLE)
        whole = _joined(path, about, stored)
        return [_system_rows(str(path), about, whole)]
    if any(about.get("segments") for about, _ in stored.values()):
        return [_of_spark(path, stored)]
    systems = [_system_rows(str(file), about, table) for file, (about, table) in stored.items()]
    return systems + [rows for folder in inside if folder.is_dir() for rows in read_row_files(folder)]


def _check_parquet(path: Path) -> None:
    """Raises InputError for a file of another kind, such as outputs."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise InputError(f"{path} holds no rows; score.py writes them with --rows. Outputs go to --predictions")


def _stored(path: Path) -> tuple[dict[str, Any], Any]:
    """Returns the metadata of a file, and its table."""
    with opened_parquet(str(path)) as parquet:
        about = metadata_of(parquet.schema_arrow.metadata or {})
        if not isinstance(about, dict) or ("metrics" not in about and PART not in about):
            raise InputError(f"{path} holds no rows; score.py writes them with --rows")
        if about.get("format") != FORMAT:
            raise InputError(f"{path} has the format {about.get('format')}; this version reads {FORMAT}")
        return about, parquet.read()


def metadata_of(stored: Mapping[bytes, bytes]) -> Any:
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


def _of_spark(path: Path, stored: Mapping[Path, tuple[dict[str, Any], Any]]) -> SystemRows:
    """Returns the rows of a system that Spark wrote, in the order of their ids."""
    import pyarrow as pa

    abouts = [about for about, _ in stored.values()]
    if any(about != abouts[0] for about in abouts):
        raise InputError(f"{path}: its files were written by different calls")
    whole = _joined(path, abouts[0], stored)
    ids = _of_segments(str(path), whole, ID)
    is_numbered = all(name.isdecimal() and len(name) <= _LONGEST_NUMBER for name in ids)
    keys = [int(name) for name in ids] if is_numbered else ids
    order = pa.array(np.argsort(np.array(keys), kind="stable"))
    return _system_rows(str(path), abouts[0], whole.take(order))


def _joined(path: Path, about: Mapping[str, Any], stored: Mapping[Path, tuple[dict[str, Any], Any]]) -> Any:
    """Returns the table of all parts, one behind the other."""
    import pyarrow as pa

    tables = [table.replace_schema_metadata(None) for _, table in stored.values()]
    if any(table.schema != tables[0].schema for table in tables):
        raise InputError(f"{path}: its files were written by different calls")
    whole = pa.concat_tables(tables)
    if whole.num_rows != about.get("segments"):
        raise InputError(f"{path}: it has {whole.num_rows} of {about.get('segments')} rows; a part is missing")
    return whole


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
    if name == HUMAN:
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
    label = about["label"]
    signature = without_interval(about["signature"])
    options = metric.row_options(signature, about["options"])
    values = rows_in(table, label).view(SignedRows)
    metric.result(values, **options)  # which checks width and numbers
    values.signature = signature
    kinds = KindRows(metric, options, values) if has_kinds(metric) and options["detailed"] else None
    if about["kinds"]:
        detailed = metric.row_options(signature, {**about["options"], "detailed": True})
        kinds = KindRows(metric, detailed, rows_in(table, label_of_kinds(label)))
        metric.result(kinds.values, **detailed)
    return MetricRows(metric, signature, options, values, kinds)


def rows_in(table: Any, label: str) -> np.ndarray:
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
