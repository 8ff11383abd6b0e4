"""Chunks of a corpus in a few threads: numpy, Arrow and rapidfuzz let other threads run while they work."""

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

_MOST = 4  # more than that wait for the interpreter


def thread_count() -> int:
    """Returns how many threads to use: one per core of this process, at most four, and at most `OMP_NUM_THREADS`.

    It is 1 in a thread other than the main one and in a worker process, because these run beside others already.
    Launchers of workers that are no children (torchrun, Spark, joblib) set that variable too.
    """
    modules = (multiprocessing, sys.modules.get("multiprocess"))  # the latter is what `datasets` uses
    is_worker = any(module and module.parent_process() is not None for module in modules)
    if is_worker or threading.current_thread() is not threading.main_thread() or sys.platform == "emscripten":
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return min(cores, _MOST, max(int(limit), 1) if limit.isdecimal() else _MOST)


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
    with ThreadPoolExecutor(threads) as pool:
        yield from pool.map(function, items)
