"""A corpus in chunks, and these in a few threads: numpy, Arrow and rapidfuzz let other threads run while they work."""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .phrase_counts import RowsWithPhrases, join_phrase_counts
from .progress import tqdm

CHUNK_ROWS, CHUNK_CHARACTERS = 1024, 2**20
_KEPT_BYTES = 2**24  # for the arrays of a chunk, by glibc
_MOST = 4  # more than that wait for the interpreter


def thread_count() -> int:
    """Returns how many threads to use: one per core of this process, at most four, and at most `OMP_NUM_THREADS`.

    It is 1 in a thread other than the main one and in a worker process, because these run beside others already.
    Launchers of workers that are not children (torchrun, Spark, joblib) set that variable too.
    """
    import multiprocessing  # only here, as it takes long

    modules = (multiprocessing, sys.modules.get("multiprocess"))  # the latter is what `datasets` uses
    is_worker = any(module and module.parent_process() is not None for module in modules)
    is_main_thread = threading.current_thread() is threading.main_thread()
    if is_worker or not is_main_thread or sys.platform == "emscripten":
        return 1

    cores = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    limit, _, _ = os.environ.get("OMP_NUM_THREADS", "").partition(",")
    limit = limit.strip()
    if limit.isdecimal():
        cores = min(cores, max(int(limit), 1))
    return min(cores, _MOST)


class ProcessLock:
    """A lock around a `with` block; in a copy of its object, and in a forked process, it starts unlocked."""

    def __init__(self) -> None:
        self._locks: dict[int, Any] = {}  # by process

    def __enter__(self) -> None:
        self._of_this_process().acquire()

    def __exit__(self, *_: Any) -> None:
        self._of_this_process().release()

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return ProcessLock, ()

    def _of_this_process(self) -> Any:
        return self._locks.setdefault(os.getpid(), threading.RLock())  # one step, so that all threads get the same one


def after_fork(function: Callable[[], None]) -> None:
    """Has a function called in each process that is forked off this one, where a system has forks."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=function)


def map_in_threads(function: Callable[[Any], Any], items: Iterable[Any], threads: int) -> Iterator[Any]:
    """Yields the function's result for each item, in the order of the items.

    Args:
        function: may be called from several threads at once, if there are several.
        items: of which all are taken at once.
        threads: 1 for none besides the caller's.
    """
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # only here, as it takes long

    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(function, items)


def rows_of_chunks(
    score_chunk: Callable[[int, int], RowsWithPhrases], bounds: Sequence[tuple[int, int]], threads: int, name: str
) -> RowsWithPhrases:
    """Returns the rows of all chunks, (n_segments, n_statistics), with a progress bar where it takes long.

    Args:
        score_chunk: from the first row of a chunk, and the one behind its last, to its rows.
        bounds: of the chunks.
        threads: how many chunks to score at once.
        name: of the metric.
    """
    # once it has freed such a block, glibc keeps memory for the next chunk, instead of clearing it again
    np.empty(_KEPT_BYTES, dtype=np.uint8)
    parts = map_in_threads(lambda bound: score_chunk(*bound), bounds, min(threads, len(bounds)))
    rows = np.empty((bounds[-1][1], 0))
    phrases = []
    progress = tqdm(parts, desc=name, total=len(bounds), unit="chunk", delay=2, leave=False)
    for (start, end), part in zip(bounds, progress, strict=True):
        if not rows.size:  # now their width is known
            rows = np.empty((len(rows), part.rows.shape[1]))
        rows[start:end] = part.rows
        if part.phrases is not None:
            phrases.append(part.phrases)
    return RowsWithPhrases(rows, join_phrase_counts(phrases) if phrases else None)


def chunk_bounds(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Returns [start, end) of chunks with a limited number of rows, and, if they have several rows, of characters.

    `sizes` are the characters of each row, (n_rows,).
    """
    if not len(sizes):
        return [(0, 0)]
    characters_before = np.concatenate([[0], np.cumsum(sizes)])
    bounds = []
    start = 0
    while start < len(sizes):
        most_characters = characters_before[start] + CHUNK_CHARACTERS
        end = int(np.searchsorted(characters_before, most_characters, side="right")) - 1
        end = min(max(end, start + 1), start + CHUNK_ROWS, len(sizes))
        bounds.append((start, end))
        start = end
    return bounds
