"""Scores a corpus of any size, batch by batch, in one process or several; what is kept of it is sums of rows."""

import contextlib
import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any, NamedTuple

from textgauge.core import progress
from textgauge.core.phrase_counts import PhraseCounts, join_phrase_counts

from ..errors import input_errors_of
from ..reading.compressed import count_rows
from ..reading.corpus import Corpus, Empty, check_corpus, count_empty
from ..reading.data_digests import Data, digest_of, joined_data
from .blocks import Blocks
from .console import note
from .outputs import Results
from .row_parts import BatchRows, RowStore
from .specs import Scorer, check_options_of_segments, load_metric

_AHEAD = 2  # batches per worker that are read before they are needed

_worker_scorers: list[Scorer] = []  # of a worker process

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
        """Takes the rows of a batch, which has its digests."""
        self.segments += corpus.size
        self.empty = count_empty(corpus, self.empty)
        self.data = joined_data(self.data, corpus.data) if self.data else corpus.data
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


class Part(NamedTuple):
    """A batch and its rows."""

    batch: Corpus  # with its digests
    rows: BatchRows
    is_stored: bool  # by an earlier run


def score_stream(
    corpora: Callable[[], Iterator[Corpus]], scorers: Sequence[Scorer], workers: int, folders: Mapping[str, Path]
) -> tuple[Results, Empty, Data]:
    """Returns results, except for keys that need all texts at once, the empty texts, and which data it is.

    Args:
        corpora: returns the batches, from the first; metrics that learn from the whole corpus go through it twice.
        scorers: what to compute.
        workers: number of processes.
        folders: where to keep the rows of each system, if anywhere; those that are there are not made again.
    """
    gc.freeze()  # the modules stay: searching them again and again for garbage took a quarter of the time
    first = next(corpora())
    n_segments = count_rows(next(iter(first.systems.values())).path)
    compiled, learned = _compiled(corpora, scorers, n_segments)
    store = RowStore(folders, first, compiled, learned) if folders else None
    totals = Totals()
    n_parts = 0
    bar = progress.tqdm(total=n_segments, desc="scoring", unit=" segments", delay=2)
    with bar, _said_where_it_goes_on(store), contextlib.closing(_parts(corpora(), compiled, workers, store)) as parts:
        for part in parts:
            if store and not part.is_stored:
                store.write(n_parts, part.batch, part.rows)
            totals.add(part.batch, part.rows)
            n_parts += 1
            bar.update(part.batch.size)
    if store:
        store.finish(n_parts, scorers, totals.segments, totals.data, totals.references)
    return totals.results(scorers), totals.empty, totals.data


@contextlib.contextmanager
def _said_where_it_goes_on(store: RowStore | None) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        if store:
            note(f"stopped; the same command goes on with the parts in {store.folder}")
        raise


def _compiled(
    corpora: Callable[[], Iterator[Corpus]], scorers: Sequence[Scorer], n_segments: int | None
) -> tuple[list[Scorer], str]:
    """Returns the metrics with tables that are read, and with what they learn from the references of all batches.

    And the digests of these references, if any metric learns from them.
    """
    check_options_of_segments(scorers)
    compiled = []
    learned = ""
    for scorer in scorers:
        batches = None
        if scorer.metric.corpus_option(**scorer.options) is not None:
            batches = _References(corpora(), scorer, n_segments)
        compiled.append(scorer._replace(options=scorer.metric.compile_options(batches, **scorer.options)))
        if batches is not None:
            learned = batches.digest.text
    return compiled, learned


class _References:
    """The references of each batch, checked for their place in a message, and their digest."""

    def __init__(self, corpora: Iterator[Corpus], scorer: Scorer, n_segments: int | None) -> None:
        self.corpora = corpora
        self.scorer = scorer
        self.n_segments = n_segments
        self.digest = digest_of([])

    def __iter__(self) -> Iterator[list[Any]]:
        label = self.scorer.label
        with progress.tqdm(total=self.n_segments, desc=f"counting for {label}", unit=" segments", delay=2) as bar:
            for corpus in self.corpora:
                check_corpus(corpus, [self.scorer])
                references = corpus.column("references")
                self.digest = self.digest.then(digest_of(references))
                yield references
                bar.update(corpus.size)


def _parts(
    corpora: Iterator[Corpus], scorers: Sequence[Scorer], workers: int, store: RowStore | None
) -> Iterator[Part]:
    """Yields the batches with their rows, in order; only a few batches are in memory."""
    if workers == 1:
        for number, corpus in enumerate(corpora):
            batch, stored = _checked(number, corpus, scorers, store)
            rows = stored or batch_rows(*_texts(batch, scorers), scorers)
            yield Part(batch, rows, stored is not None)
        return
    for_workers = [scorer._replace(metric=None) for scorer in scorers]
    context = multiprocessing.get_context("spawn")
    processes_before = set(multiprocessing.active_children())  # of whoever calls
    with ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(for_workers,)) as pool:
        waiting: deque[tuple[Corpus, BatchRows | None, Future | None]] = deque()
        try:
            for number, corpus in enumerate(corpora):
                batch, stored = _checked(number, corpus, scorers, store)
                future = None
                if stored is None:
                    with _interrupts_held():  # submitting starts processes
                        future = pool.submit(_worker_rows, *_texts(batch, scorers))
                waiting.append((batch, stored, future))
                if len(waiting) > _AHEAD * workers:
                    yield _awaited(*waiting.popleft())
            for batch, stored, future in waiting:
                yield _awaited(batch, stored, future)
        except BaseException as error:
            for process in set(multiprocessing.active_children()) - processes_before:
                process.kill()  # what it has begun takes seconds, and nobody wants it
            if isinstance(error, BrokenProcessPool):
                raise OSError("a worker process was killed; was there memory enough for --workers?") from None
            raise


def _checked(
    number: int, corpus: Corpus, scorers: Sequence[Scorer], store: RowStore | None
) -> tuple[Corpus, BatchRows | None]:
    """Returns a batch with its digests, and its rows if they are stored."""
    check_corpus(corpus, scorers)
    batch = corpus.with_data()
    return batch, store.read(number, batch) if store else None


def _awaited(batch: Corpus, stored: BatchRows | None, future: Future | None) -> Part:
    return Part(batch, stored if future is None else future.result(), future is None)


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
