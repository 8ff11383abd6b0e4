"""Rows as a file: what one system scored in each segment by each metric, without texts, as Parquet.

Columns hold the numbers of the rows of a metric, the scores of segments, names, clusters, groups or people's scores.
The metadata say in JSON, under the key "textgauge", of which system, data and metrics the rows are. A stream and Spark
write a folder of parts: for a stream its `_common_metadata` say it, for Spark the metadata with the first column.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import textgauge

from ..drawing.kinds import RowsOfKinds
from ..errors import InputError
from ..reading.corpus import IDS, Corpus
from ..reading.data_digests import Data, data_fields
from ..reading.formats import is_table
from ..reading.further_packages import needed_by
from .outputs import check_writable, program
from .segment_scores import segment_scores
from .specs import Scorer

KEY = "textgauge"  # in the metadata
FORMAT = 1
ID, CLUSTER, HUMAN = "id", "cluster", "human"
GROUP = "group "  # begins the names of columns with groups
SCORE = "score "  # begins the names of columns with the scores of segments
SUFFIX = ".parquet"
_IN_NAMES = re.compile(r"[/\\:\0]+")  # of systems, and of no file
_GROUPED = 2**17  # rows that are stored together


def row_targets(
    path: Path | None, systems: Sequence[str], scorers: Sequence[Scorer], in_parts: bool = False
) -> dict[str, Path]:
    """Returns where the rows of each system go: the path itself if it ends in .parquet, else one in that folder.

    It is a file, or `in_parts` a folder.

    Raises:
        InputError: several systems for one file, what cannot be written, or a metric without rows.
    """
    if path is None:
        return {}
    check_scorers(scorers)
    with needed_by("--rows"):
        import pyarrow.parquet  # noqa: F401
    if path.suffix == SUFFIX:
        if len(systems) > 1:
            raise InputError(f"--rows {path}: there are {len(systems)} systems, {', '.join(systems)}; pass a folder")
        targets = {systems[0]: path}
    else:
        is_name_of_file = (path.suffix.lower() == ".txt" or is_table(str(path))) and not path.is_dir()
        if is_name_of_file or (path.exists() and not path.is_dir()):
            raise InputError(f"--rows {path} is a file; pass a folder, or a name that ends in {SUFFIX}")
        targets = {system: path / f"{_IN_NAMES.sub('-', system)}{SUFFIX}" for system in systems}
        if len(set(targets.values())) < len(targets):
            raise InputError(f"--rows {path}: two of the systems {', '.join(systems)} would get the same file name")
    if not path.parent.is_dir():
        raise InputError(f"--rows {path}: there is no folder {path.parent}")
    for target in targets.values():
        _check_kind(target, in_parts)
    if path.suffix == SUFFIX or path.is_dir():
        check_writable([target for target in targets.values() if not target.is_dir()])
    return targets


def _check_kind(target: Path, in_parts: bool) -> None:
    """Raises InputError for a file where batches write a folder, and for a folder where a call writes a file."""
    if in_parts and target.is_file():
        raise InputError(f"--rows: {target} is a file, and batches need a folder; delete it, or pass another name")
    if not in_parts and target.is_dir():
        raise InputError(f"--rows: {target} is a folder, as --stream writes it; delete it, or pass another name")


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
    return {
        "format": FORMAT,
        "program": program(),
        "system": system,
        "metrics": metrics,
        "data": data_of_system(data, system),
        "columns": list(columns),
        "human_lower_is_better": is_human_lower_better,
    }


def data_of_system(data: Data, system: str) -> dict[str, Any]:
    """Returns the fields of the data of one system."""
    return data_fields(Data(data.inputs, {system: data.outputs[system]}))


def columns_of_segments(corpus: Corpus, system: str) -> dict[str, list[Any]]:
    """Returns the columns of a file besides rows: what names, groups and judges the segments of a corpus or batch."""
    columns: dict[str, list[Any]] = {}
    ids = corpus.systems[system].numbers
    if IDS in corpus.columns:
        ids = corpus.columns[IDS][0].texts()
    if all(isinstance(name, str) for name in ids):
        columns[ID] = list(ids)
    if corpus.clusters is not None:
        columns[CLUSTER] = corpus.clusters
    columns.update((f"{GROUP}{name}", values) for name, values in corpus.groups.items())
    if system in corpus.human:
        columns[HUMAN] = corpus.human[system]
    return columns


def score_columns(scorer: Scorer, values: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the columns that hold the scores of segments, from their rows (n_segments, n_statistics)."""
    scores = segment_scores(scorer.metric, scorer.label, values, scorer.options)
    return {f"{SCORE}{label}": of_label for label, of_label in scores.items()}


def statistic_columns(label: str, values: np.ndarray, kinds: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Returns the columns that hold rows, (n_segments, n_statistics), and those with the kinds of errors."""
    columns = {name: column for name, column in zip(statistic_names(label, values.shape[1]), values.T, strict=True)}
    if kinds is not None:
        columns.update(zip(statistic_names(label_of_kinds(label), kinds.shape[1]), kinds.T, strict=True))
    return columns


def statistic_names(label: str, width: int) -> list[str]:
    """Returns the names of the columns that hold the rows of a metric."""
    return [f"{label}/{index}" for index in range(width)]


def label_of_kinds(label: str) -> str:
    """Returns under which label the kinds of errors of a metric are stored."""
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
        columns: dict[str, Any] = columns_of_segments(corpus, system)
        is_detailed = {scorer.label: scorer.options.get("detailed") for scorer in scorers}
        kinds_of_system = {}
        for (name, label), kind_rows in kinds.items():
            if name == system and not is_detailed[label]:
                kinds_of_system[label] = kind_rows.values
        is_lower_better = corpus.is_human_lower_better
        about = description(system, scorers, corpus.data, references, [*columns], [*kinds_of_system], is_lower_better)
        for scorer in scorers:
            label = scorer.label
            columns.update(score_columns(scorer, rows[system, label]))
            columns.update(statistic_columns(label, rows[system, label], kinds_of_system.get(label)))
        path.parent.mkdir(exist_ok=True)
        write_parquet(path, columns, metadata(about))


def write_parquet(path: Path, columns: Mapping[str, Any], about: Mapping[str, str]) -> None:
    """Writes columns beside the file and renames it, so that it is never there in part; `about` are its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(dict(columns)).replace_schema_metadata(about)
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
