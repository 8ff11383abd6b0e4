"""Systems compared by files of their rows, as score.py writes them with --rows, side by side."""

import functools
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.bootstrap import with_interval

from ..drawing.kinds import RowsOfKinds
from ..errors import InputError
from ..reading.columns import FileColumn
from ..reading.corpus import CLUSTERS, HUMAN, Corpus
from ..reading.data_digests import OTHER, OTHER_ORDER, Data, Digest, differing_input
from ..saying.session_text import takes_sessions
from ..scoring.row_files import MetricRows, SystemRows, read_row_files
from ..scoring.specs import Scorer
from .people import people_of
from .records import Settings
from .rows import Rows, joined_rows

_Systems = dict[str, list[SystemRows]]  # system -> its runs, in most cases one


class KeptRows(NamedTuple):
    """Systems as files of rows have them."""

    corpus: Corpus  # without texts
    rows: Rows
    kinds: RowsOfKinds
    left_out: list[str]  # labels of scores that not all systems have

    @property
    def has_sessions(self) -> bool:
        """Returns whether the metrics score sessions, and not segments."""
        metrics = [scorer.metric for scorer in self.rows.scorers if scorer.label != HUMAN]
        return any(takes_sessions(metric.COLUMNS["predictions"]) for metric in metrics)


def read_kept_rows(paths: Sequence[Path], groups: Sequence[str], settings: Settings) -> KeptRows:
    """Returns the rows of several systems, segment by segment.

    Args:
        paths: files, or folders of them.
        groups: columns to group by.
        settings: how to compare.

    Raises:
        InputError: one system alone; a file twice; systems with different numbers of runs; rows of other data,
            signatures or widths, or in another order without ids; clusters or groups that differ or that only some
            have.
    """
    systems = _systems([rows for path in paths for rows in read_row_files(path)])
    runs = list(itertools.chain(*systems.values()))
    every = dict.fromkeys(label for run in runs for label in run.by_label)
    labels = [label for label in every if _have_all(runs, label)]
    if not labels:
        raise InputError(f"--rows: the systems have no score in common: {', '.join(every)}")
    for label, other in itertools.product(labels, runs[1:]):
        _check_alike(label, runs[0], other)
    corpus = _corpus(systems, groups)
    rows = _joined(corpus, systems, labels, settings)
    left_out = [label for label in every if label not in labels]
    return KeptRows(corpus, rows, _kinds(systems, labels), left_out)


def _have_all(runs: Sequence[SystemRows], label: str) -> bool:
    return all(label in run.by_label for run in runs)


def _joined(corpus: Corpus, systems: _Systems, labels: Sequence[str], settings: Settings) -> Rows:
    """Returns the rows of all systems by all scores, and by people's scores where every system has them.

    The rows of several runs are added up, as `compute_rows` does.
    """
    scorers, by_metric, run_sums, signatures = [], [], [], {}
    options = {**settings._asdict(), "clusters": corpus.clusters}
    for label in labels:
        first = next(iter(systems.values()))[0].by_label[label]
        scorers.append(_scorer(label, first, settings))
        by_run = []
        for of_run in zip(*systems.values(), strict=True):
            by_run.append(np.stack([system.by_label[label].values for system in of_run], axis=1))
        by_metric.append(functools.reduce(np.add, by_run))
        run_sums.append([rows.sum(0) for rows in by_run])
        signatures[label] = with_interval(first.signature, options)
    for people in people_of(corpus):
        ratings = []
        for system in systems:
            columns = corpus.columns_of(people.metric, system)
            ratings.append(people.metric.statistics(**columns))
        of_run = np.stack(ratings, axis=1)
        scorers.append(people)
        by_metric.append(functools.reduce(np.add, corpus.n_runs * [of_run]))
        run_sums.append(corpus.n_runs * [of_run.sum(0)])
        signatures[people.label] = people.metric.signature()
    return joined_rows(corpus, scorers, by_metric, signatures, np.concatenate(run_sums, axis=-1))


def _systems(found: Sequence[SystemRows]) -> _Systems:
    """Returns the runs of each system, all in the order of the first, which is one that has an order if any has."""
    by_name: _Systems = {}
    paths = set()
    for rows in found:
        path = os.path.realpath(rows.path)
        if path in paths:
            raise InputError(f"--rows {rows.path} is given twice; pass a file for each system, or for each of its runs")
        paths.add(path)
        by_name.setdefault(rows.system, []).append(rows)
    if len(by_name) < 2:
        name = next(iter(by_name))
        hint = "score one under another name: -p NAME=FILE" if len(found) > 1 else "repeat --rows"
        raise InputError(f"there is one system, {name}; a comparison needs two: {hint}")
    if len(set(map(len, by_name.values()))) > 1:
        counts = ", ".join(f"{name} has {len(runs)}" for name, runs in by_name.items())
        raise InputError(f"--rows: all systems need the same number of runs; {counts}")
    names = sorted(by_name, key=lambda name: not by_name[name][0].data.has_order)
    first = by_name[names[0]][0]
    ordered: _Systems = {}
    for name in names:
        ordered[name] = [_in_order_of(first, run) for run in by_name[name]]
    return ordered


def _in_order_of(first: SystemRows, other: SystemRows) -> SystemRows:
    """Returns the rows of a system in the order of the first one, by their ids where these or the references differ."""
    if other is first:
        return first
    names = f"{first.path} and {other.path}"
    relation, column = differing_input(first.data, other.data)
    if relation == OTHER:
        raise InputError(f"{names} were scored on different {column}; only rows with the same {column} can be compared")
    if first.size != other.size:
        raise InputError(f"{names} have {first.size} and {other.size} segments; pass rows of the same segments")
    has_ids = first.ids is not None and other.ids is not None
    has_order = relation != OTHER_ORDER and other.data.has_order
    if has_order and (not has_ids or first.ids == other.ids):
        return other
    is_same_set = has_ids and sorted(first.ids) == sorted(other.ids)
    # references that occur twice, or none at all, do not tell every other order
    if has_order and not is_same_set and first.data.inputs:
        return other
    why = f"have the same {column} in different orders" if relation == OTHER_ORDER else "may be in different orders"
    if not has_ids:
        raise InputError(f"{names} {why}, and have no ids to match rows by")
    row_of = {segment_id: row for row, segment_id in enumerate(other.ids)}
    if len(row_of) < other.size or not is_same_set:
        raise InputError(f"{names} {why}, and their ids differ or repeat")
    order = [row_of[segment_id] for segment_id in first.ids]
    by_label = {}
    for label, metric_rows in other.by_label.items():
        kinds = metric_rows.kinds
        if kinds is not None:
            kinds = kinds._replace(values=kinds.values[order])
        by_label[label] = metric_rows._replace(values=metric_rows.values[order], kinds=kinds)
    columns = {}
    for name, values in other.columns.items():
        columns[name] = [values[row] for row in order]
    return other._replace(by_label=by_label, columns=columns)


def _check_alike(label: str, first: SystemRows, other: SystemRows) -> None:
    """Raises InputError for rows of a score that another signature made, or that have another width."""
    one = first.by_label[label]
    another = other.by_label[label]
    if one.signature != another.signature:
        raise InputError(
            f"{label} cannot be compared: {first.path} has rows of {one.signature}, and {other.path} of "
            f"{another.signature}"
        )
    if one.width != another.width or one.options != another.options:
        raise InputError(
            f"{label} cannot be compared: a row has {one.width} numbers in {first.path}, and {another.width} in "
            f"{other.path}; one was scored with {_differing(one.options, another.options)}"
        )


def _differing(one: dict[str, Any], other: dict[str, Any]) -> str:
    return ", ".join(f"another {name}" for name, value in one.items() if other[name] != value)


def _corpus(systems: _Systems, groups: Sequence[str]) -> Corpus:
    """Returns a corpus without texts; InputError for names of segments that differ."""
    first, *others = itertools.chain(*systems.values())
    for name, run in itertools.product(groups, (first, *others)):
        if name not in run.groups:
            known = ", ".join(run.groups) or "nothing"
            raise InputError(f"--group-by {name}: {run.path} has groups by {known}; score it again with --group-by")
    for other in others:
        _check_same(first, other, "clusters", first.clusters, other.clusters)
        for name in groups:
            _check_same(first, other, f"the column {name}", first.groups[name], other.groups[name])
    human = {name: runs[0].human for name, runs in systems.items() if runs[0].human is not None}
    if len(human) == len(systems):
        for other in others:
            _check_direction(first, other)
    nothing = [""] * first.size
    numbers = first.ids or range(1, first.size + 1)
    clusters = [] if first.clusters is None else [FileColumn(CLUSTERS, first.clusters, first.path, "row", numbers)]
    columns = {CLUSTERS: clusters} if clusters else {}
    outputs, texts, several_runs = {}, {}, {}
    for name, runs in systems.items():
        digests = [run.data.outputs[name]._replace(size=run.size) for run in runs]
        outputs[name] = functools.reduce(Digest.then, digests)
        of_runs = [FileColumn("rows", nothing, run.path, "row", numbers) for run in runs]
        texts[name] = of_runs[0]
        if len(runs) > 1:
            several_runs[name] = of_runs
    groups_by_name = {name: first.groups[name] for name in groups}
    return Corpus(
        title=", ".join(outputs),
        systems=texts,
        columns=columns,
        human=human,
        note="",
        groups=groups_by_name,
        is_human_lower_better=first.is_human_lower_better,
        runs=several_runs,
        data=Data(first.data.inputs, outputs),
    )


def _check_same(first: SystemRows, other: SystemRows, what: str, one: Any, another: Any) -> None:
    if one != another:
        why = "they differ"
        if one is None:
            why = f"{first.path} has none"
        elif another is None:
            why = f"{other.path} has none"
        raise InputError(f"{first.path} and {other.path} need the same {what}: {why}")


def _check_direction(first: SystemRows, other: SystemRows) -> None:
    if first.is_human_lower_better != other.is_human_lower_better:
        lower = first.path if first.is_human_lower_better else other.path
        raise InputError(f"{first.path} and {other.path}: lower human scores are better only in {lower}")


def _scorer(label: str, rows: MetricRows, settings: Settings) -> Scorer:
    """Returns a metric with the options that its rows take; without a source, as there is no text to score again."""
    of_interval = {"confidence": settings.confidence, "resamples": settings.resamples, "seed": settings.seed}
    return Scorer(label, rows.metric, {**rows.options, **of_interval}, "")


def _kinds(systems: _Systems, labels: Sequence[str]) -> RowsOfKinds:
    """Returns the rows with the kinds of errors of those scores for which every run of every system has them.

    These are those of all runs, one after the other.
    """
    kinds: RowsOfKinds = {}
    for label in labels:
        of_label: RowsOfKinds = {}
        for name, runs in systems.items():
            of_runs = [run.by_label[label].kinds for run in runs]
            if None not in of_runs:
                values = np.concatenate([kind_rows.values for kind_rows in of_runs])
                of_label[name, label] = of_runs[0]._replace(values=values)
        if len(of_label) == len(systems):
            kinds.update(of_label)
    return kinds
