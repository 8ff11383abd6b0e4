"""What tests run in processes of their own; these import this module, and what a function needs, but no tests."""

import functools
import multiprocessing
import os
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed


@functools.cache
def _pool():
    """Returns two processes for all of the runs: most of the time goes into what they import."""
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


def run_in_both(function, arguments):
    """Returns what a function returns in each of two processes; raises what one of them raises, with its traceback."""
    futures = [_pool().submit(function, *of_process) for of_process in arguments]
    try:
        for future in as_completed(futures):
            future.result()
    except BaseException:
        for process in multiprocessing.active_children():
            process.terminate()  # the other one waits
        _pool.cache_clear()
        raise
    return [future.result() for future in futures]


def share(path, home, process_id, rows, columns):
    """One process of a distributed run."""
    import evaluate

    # it waits for the other one, which may be slow but not lost: the test ends both when one fails
    options = {"num_process": 2, "process_id": process_id, "experiment_id": "law", "timeout": 3600}
    metric = evaluate.load(path, **options, cache_dir=home)
    metric.add_batch(**{key: [column[row] for row in rows] for key, column in columns.items()})
    return metric.compute()


def fail_or_wait(process_id, how):
    if process_id == 0:
        threading.Event().wait()
    how()


def die(*_):
    os._exit(1)
