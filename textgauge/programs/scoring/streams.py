"""Scores a corpus of any size, batch by batch, in one process or several; what is kept of it is sums of rows."""

import contextlib
import gc
import json
import math
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

import textgauge
from textgauge.core import progress
from textgauge.core.phrase_counts import PhraseCounts, RowsWithPhrases, join_phrase_counts

from ..errors import InputError, input_errors_of
from ..reading.compressed import count_rows
from ..reading.corpus import BATCH, Corpus, Empty, check_corpus, count_empty
from ..reading.data_digests import Data, Digest, joined_data
from .blocks import Blocks
from .checkpoints import Checkpoint
from .outputs import Results
from .row_files import columns_of_segments, description, statistic_columns
from .segment_scores import segment_scores
from .specs import Scorer, load_metric

_AHEAD = 2  # batches per worker that are read before they are needed

_worker_scorers: list[Scorer] = []  # of a worker process


BatchRows = dict[tuple[str, str], RowsWithPhrases]  # (system, label of the metric) -> rows of a batch
TextsByName = Mapping[str, list[Any]]


class Totals:
    """What is kept of the batches that were scored."""

    def __init__(self) -> None:
        self.segments = 0
        self.reference_counts: set[int] = set()  # the fewest and the most of a segment
        self.empty: Empty = {}
        self.blocks: dict[tuple[str, str], Blocks] = {}
        self.phrases: dict[tuple[str, str], PhraseCounts] = {}  # of all segments together
        self.data: Data | None = None

    def add(self, corpus: Corpus, rows: BatchRows) -> None:
        """Takes the rows of a batch."""
        self.segments += corpus.size
        self.empty = count_empty(corpus, self.empty)
        data = corpus.with_data().data
        self.data = joined_data(self.data, data) if self.data else data
        if "references" in corpus.columns:
            counts = [1 if isinstance(row, str) else len(row) for row in corpus.column("references")]
            counts += self.reference_counts
            self.reference_counts = {min(counts), max(counts)}
        for key, of_key in rows.items():
            self.blocks.setdefault(key, Blocks()).add(of_key.rows)
            if of_key.phrases is not None:
                earlier = [self.phrases[key]] if key in self.phrases else []
                self.phrases[key] = join_phrase_counts([*earlier, of_key.phrases]).total()

    @property
    def references(self) -> list[list[str]] | None:
        """References of as many as segments have, for signatures; None without references."""
        return [[""] * count for count in sorted(self.reference_counts)] or None

    def results(self, scorers: Sequence[Scorer]) -> Results:
        """Returns the result of each metric for each system, with its signature."""
        references = self.references
        results: Results = {system: {} for system, _ in self.blocks}
        by_label = {scorer.label: scorer for scorer in scorers}
        for (system, label), blocks in self.blocks.items():
            _, metric, options, _ = by_label[label]
            signature = metric.signature(references, **options)
            result = metric.result(blocks.rows(), phrases=self.phrases.get((system, label)), **options)
            results[system][label] = {**result, "signature": signature}
        return results

    def state(self) -> dict[str, np.ndarray]:
        """Returns arrays to save."""
        arrays = {"segments": np.array(self.segments)}
        arrays["reference_counts"] = np.array(sorted(self.reference_counts), int)
        arrays["empty"] = np.array(json.dumps(list(self.empty.items())))
        arrays["data"] = np.array(json.dumps(self.data))
        for index, (key, blocks) in enumerate(self.blocks.items()):
            for name, array in blocks.state().items():
                arrays[f"{name}_{index}"] = array
            if key in self.phrases:
                phrases = self.phrases[key]
                arrays[f"table_{index}"] = np.array(json.dumps(phrases.table))
                arrays[f"phrases_{index}"] = np.stack([phrases.phrases, phrases.wanted, phrases.missed])
        return arrays

    @classmethod
    def from_state(cls, arrays: Mapping[str, np.ndarray], keys: Sequence[tuple[str, str]]) -> "Totals":
        """Reads the result of `state`; `keys` are those of the blocks."""
        totals = cls()
        totals.segments = int(arrays["segments"])
        totals.reference_counts = set(arrays["reference_counts"].tolist())
        totals.empty = {tuple(column): tuple(gap) for column, gap in json.loads(str(arrays["empty"]))}
        inputs, outputs = json.loads(str(arrays["data"]))
        of_systems = {system: Digest(*digest) for system, digest in outputs.items()}
        totals.data = Data({name: Digest(*digest) for name, digest in inputs.items()}, of_systems)
        for index, key in enumerate(keys):
            totals.blocks[key] = Blocks.from_state(
                arrays[f"size_{index}"], arrays[f"sums_{index}"], arrays[f"rest_{index}"]
            )
            if f"table_{index}" in arrays:
                columns = arrays[f"phrases_{index}"]
                table = json.loads(str(arrays[f"table_{index}"]))
                totals.phrases[key] = PhraseCounts(table, np.array([columns.shape[1]]), *columns)
        return totals


def describe_run(first: Corpus, scorers: Sequence[Scorer]) -> dict[str, Any]:
    """Returns a checkpoint's run in plain data: the version, the files as they are now, and the metrics."""
    columns = list(first.systems.items())
    for name, of_name in first.columns.items():
        columns += [(name, column) for column in of_name]
    files = []
    for name, column in columns:
        path = Path(column.path)
        version = [path.stat().st_size, path.stat().st_mtime_ns] if path.is_file() else []
        files.append([name, column.what, column.path, *version])
    metrics = []
    for scorer in scorers:
        signature = scorer.metric.signature(**scorer.options)
        metrics.append([scorer.label, scorer.source, signature, repr(scorer.options)])
    return {"version": textgauge.__version__, "batch": BATCH, "files": files, "metrics": metrics}


def score_stream(
    corpora: Callable[[], Iterator[Corpus]], scorers: Sequence[Scorer], workers: int, checkpoint: Checkpoint | None
) -> tuple[Results, Empty, Data]:
    """Returns results, except for keys that need all texts at once, the empty texts, and which data it is.

    Args:
        corpora: returns the batches, from the first; metrics that learn from the whole corpus go through it twice.
        scorers: what to compute.
        workers: number of processes.
        checkpoint: where to keep what is done, and the scores of the segments.
    """
    gc.freeze()  # the modules stay: searching them again and again for garbage took a quarter of the time
    first = next(corpora())
    systems = first.systems
    n_segments = count_rows(next(iter(systems.values())).path)
    compiled = _compiled(corpora, scorers, n_segments)
    saved = checkpoint.load() if checkpoint else None
    totals = Totals.from_state(saved, [(s, scorer.label) for s in systems for scorer in scorers]) if saved else Totals()
    left = islice(corpora(), math.ceil(totals.segments / BATCH), None)
    bar = progress.tqdm(total=n_segments, initial=totals.segments, desc="scoring", unit=" segments", delay=2)
    with bar, contextlib.closing(_scored(left, compiled, workers)) as scored:
        for corpus, rows in scored:
            totals.add(corpus, rows)
            if checkpoint:
                of_systems = {system: _row_columns(corpus, system, rows) for system in checkpoint.row_files}
                checkpoint.add(totals.segments, _segment_scores(rows, compiled), of_systems, totals.state)
            bar.update(corpus.size)
    if checkpoint:
        checkpoint.about = {system: _description(first, system, scorers, totals) for system in checkpoint.row_files}
    return totals.results(scorers), totals.empty, totals.data


def _row_columns(corpus: Corpus, system: str, rows: BatchRows) -> dict[str, Any]:
    """Returns the columns of a file of rows for the batch of a system."""
    columns: dict[str, Any] = columns_of_segments(corpus, system)
    for (name, label), of_metric in rows.items():
        if name == system:
            columns.update(statistic_columns(label, of_metric.rows))
    return columns


def _description(batch: Corpus, system: str, scorers: Sequence[Scorer], totals: Totals) -> dict[str, Any]:
    """Returns the metadata of the rows of a system, from a batch and the totals."""
    columns = columns_of_segments(batch, system)
    return description(system, scorers, totals.data, totals.references, [*columns])


def _compiled(
    corpora: Callable[[], Iterator[Corpus]], scorers: Sequence[Scorer], n_segments: int | None
) -> list[Scorer]:
    """Returns the metrics with tables that are read, and with what they learn from the references of all batches."""
    compiled = []
    for scorer in scorers:
        of_segment = scorer.metric.segment_options(0, **scorer.options)
        if any(value is not scorer.options.get(name) for name, value in of_segment.items()):
            raise InputError(f"{scorer.label}: an option differs between segments, which needs all texts at once")
        learns = scorer.metric.corpus_option(**scorer.options) is not None
        batches = _references(corpora(), scorer, n_segments) if learns else None
        compiled.append(scorer._replace(options=scorer.metric.compile_options(batches, **scorer.options)))
    return compiled


def _references(corpora: Iterator[Corpus], scorer: Scorer, n_segments: int | None) -> Iterator[list[Any]]:
    """Yields the references of each batch, checked for their place in a message."""
    with progress.tqdm(total=n_segments, desc=f"counting for {scorer.label}", unit=" segments", delay=2) as bar:
        for corpus in corpora:
            check_corpus(corpus, [scorer])
            yield corpus.column("references")
            bar.update(corpus.size)


def _scored(corpora: Iterator[Corpus], scorers: Sequence[Scorer], workers: int) -> Iterator[tuple[Corpus, BatchRows]]:
    """Yields the batches with their rows, in order; only a few batches are in memory."""
    if workers == 1:
        for corpus in corpora:
            check_corpus(corpus, scorers)
            yield corpus, batch_rows(*_texts(corpus, scorers), scorers)
        return
    parts = [scorer._replace(metric=None) for scorer in scorers]
    context = multiprocessing.get_context("spawn")
    processes_before = set(multiprocessing.active_children())  # of whoever calls
    with ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(parts,)) as pool:
        waiting: deque = deque()
        try:
            for corpus in corpora:
                check_corpus(corpus, scorers)
                with _interrupts_held():  # submitting starts processes
                    waiting.append((corpus, pool.submit(_worker_rows, *_texts(corpus, scorers))))
                if len(waiting) > _AHEAD * workers:
                    corpus, future = waiting.popleft()
                    yield corpus, future.result()
            for corpus, future in waiting:
                yield corpus, future.result()
        except BaseException as error:
            for process in set(multiprocessing.active_children()) - processes_before:
                process.kill()  # what it has begun takes seconds, and nobody wants it
            if isinstance(error, BrokenProcessPool):
                raise OSError("a worker process was killed; was there memory enough for --workers?") from None
            raise


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back inside a `with` block, and from processes that start there until `_start_worker`."""
    _set_interrupts("SIG_BLOCK")
    try:
        yield
    finally:
        _set_interrupts("SIG_UNBLOCK")


def _set_interrupts(change: str) -> None:
    if hasattr(signal, "pthread_sigmask"):  # Windows has none
        signal.pthread_sigmask(getattr(signal, change), {signal.SIGINT})


def _texts(corpus: Corpus, scorers: Sequence[Scorer]) -> tuple[TextsByName, TextsByName]:
    """Returns the predictions by system, and the other columns by name, as plain lists."""
    predictions = {system: column.values for system, column in corpus.systems.items()}
    columns = {}
    for scorer in scorers:
        for name in scorer.metric.COLUMNS:
            if name in corpus.columns and name not in columns:
                columns[name] = corpus.column(name)
    return predictions, columns


def batch_rows(systems: TextsByName, columns: TextsByName, scorers: Sequence[Scorer]) -> BatchRows:
    """Returns the rows of each metric for each system."""
    rows = {}
    for system, predictions in systems.items():
        for label, metric, options, _ in scorers:
            taken = {name: columns[name] for name in metric.COLUMNS if name in columns}
            taken["predictions"] = predictions
            with input_errors_of(f"{label}, {system}"):
                rows[system, label] = metric.statistics_with_phrases(**taken, **options)
    return rows


def _start_worker(scorers: Sequence[Scorer]) -> None:
    """Loads the metrics of a worker process, which Ctrl-C ends without a traceback: the first process says it."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background of a shell script
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _set_interrupts("SIG_UNBLOCK")
    progress.hide()  # the first process has one, and the lock of another would outlive a killed worker
    _worker_scorers[:] = [scorer._replace(metric=load_metric(scorer.source)) for scorer in scorers]
    gc.freeze()


def _end_with_parent() -> None:
    """Waits for the end of the first process, which may be killed, and ends this one, which would wait for ever."""
    multiprocessing.parent_process().join()
    os._exit(1)


def _worker_rows(systems: TextsByName, columns: TextsByName) -> BatchRows:
    return batch_rows(systems, columns, _worker_scorers)


def _segment_scores(rows: BatchRows, scorers: Sequence[Scorer]) -> dict[str, np.ndarray]:
    """Returns the scores of a batch of segments by "system: metric"; of a metric with several, each."""
    by_label = {scorer.label: scorer for scorer in scorers}
    scores = {}
    for (system, label), of_key in rows.items():
        _, metric, options, _ = by_label[label]
        for shown_label, values in segment_scores(metric, label, of_key.rows, options).items():
            scores[f"{system}: {shown_label}"] = values
    return scores
