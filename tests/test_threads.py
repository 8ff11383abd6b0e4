"""How many threads there are, and that they change no result."""

import contextlib
import copy
import inspect
import itertools
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import cases
import evaluate
import numpy as np
import pytest
import tqdm
from conftest import load

import textgauge
from textgauge.core import progress, threads
from textgauge.core.errors import InputError
from textgauge.tokens.morphemes import PACKAGES

USES_THREADS = [name for name in cases.TEXT_METRICS if getattr(load(name), "USES_THREADS", False)]


@pytest.fixture
def cores(monkeypatch):
    """Returns a function that sets how many cores this process has."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)

    def set_cores(count):
        monkeypatch.setattr(threads.os, "sched_getaffinity", lambda process: set(range(count)), raising=False)

    set_cores(3)
    return set_cores


def test_threads_follow_the_cores(cores, monkeypatch):
    assert threads.thread_count() == 3
    cores(64)
    assert threads.thread_count() == 4
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert threads.thread_count() == 2


@pytest.mark.parametrize(
    ("value", "expected"), [("1", 1), ("2", 2), ("2,1", 2), ("0", 1), ("99", 3), ("", 3), ("x", 3)]
)
def test_the_variable_is_a_limit(cores, monkeypatch, value, expected):
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    assert threads.thread_count() == expected


def test_one_thread_beside_others(cores):
    """In a thread or process that somebody else started."""
    found = []
    thread = threading.Thread(target=lambda: found.append(threads.thread_count()))
    thread.start()
    thread.join()
    assert found == [1]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(threads.thread_count) == 1


@pytest.mark.parametrize("n_threads", [1, 3])
def test_results_are_in_the_order_of_the_items(n_threads):
    assert list(threads.map_in_threads(lambda item: item**2, range(50), n_threads)) == [i**2 for i in range(50)]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_the_first_error_ends_it(n_threads):
    done = []

    def fail(item):
        if item == 5:
            raise ValueError(item)
        done.append(item)
        return item

    results = threads.map_in_threads(fail, range(10_000), n_threads)
    with pytest.raises(ValueError, match="5"):
        list(results)
    assert len(done) < 10_000


def test_some_metrics_use_threads():
    assert {"bleu", "rouge", "cer", "wer"} <= set(USES_THREADS)


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name in USES_THREADS for group in cases.CASES[name][1:] for options in group],
)
def test_threads_change_nothing(name, options, monkeypatch):
    """Chunks of two rows in three threads give the bits of the same chunks in one."""
    metric, columns = load(name), cases.CASES[name][0]
    module = inspect.getmodule(type(metric)._rows_with_phrases)
    monkeypatch.setattr(inspect.getmodule(module.chunk_bounds), "CHUNK_ROWS", 2)
    monkeypatch.setattr(type(metric), "FEWEST_CHUNKS", 2)
    found, seen, clean = [], set(), type(metric)._cleaned

    def spy(self, *arguments):
        seen.add(threading.current_thread() is threading.main_thread())
        return clean(self, *arguments)

    for n_threads in (1, 3):
        monkeypatch.setattr(inspect.getmodule(type(metric)._threads), "thread_count", lambda n=n_threads: n)
        if n_threads == 3:
            monkeypatch.setattr(type(metric), "_cleaned", spy)
        found.append(metric.statistics(**columns, **options))
    np.testing.assert_array_equal(*found)
    tokenizer = options.get("tokenizer", "char")
    is_single = not isinstance(tokenizer, str) or tokenizer in PACKAGES or "readings" in options
    is_single |= name in ("cer", "wer") and not options.keys().isdisjoint(("detailed", "weights", "compounds"))
    assert (False in seen) is not is_single


# each text is an entry of the table: a pair of words that occur in all chunks, while the pair occurs in one
WORDS = [chr(0xAC00 + 28 * number) for number in range(142)]
PAIRS = [f"{first} {second}" for first, second in itertools.permutations(WORDS, 2)]
ENTRIES = dict.fromkeys(PAIRS, 1.5)
# options with a table of 20,000 entries that threads share
TABLES = {
    "weighted_bleu": lambda metric, columns: {"weights": ENTRIES, "max_order": 2},
    "rouge": lambda metric, columns: {
        "rouge_types": ["rouge2"],
        "idf": metric.corpus_counts(references=columns["references"], rouge_types=["rouge2"], idf="references"),
    },
    "nist": lambda metric, columns: {"information": metric.corpus_counts(references=columns["references"])},
    "cider": lambda metric, columns: {"document_frequencies": metric.corpus_counts(references=columns["references"])},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", USES_THREADS)
def test_threads_lose_nothing(name, monkeypatch):
    """A large table in four threads, which find its entries in different chunks: ten times the same result."""
    metric = load(name)
    columns = {"predictions": PAIRS, "references": [[text] for text in PAIRS]}
    columns |= {column: cases.CASES[name][0][column][:1] * len(PAIRS) for column in metric.COLUMNS.keys() - columns}
    options = TABLES.get(name, lambda metric, columns: {})(metric, columns)

    def result_with(n_threads):
        monkeypatch.setattr(inspect.getmodule(type(metric)._threads), "thread_count", lambda: n_threads)
        return metric.compute(**columns, **options)

    expected = result_with(1)
    assert expected.get("unused_keys", []) == []
    for _ in range(10):
        assert result_with(4) == expected


def test_progress(monkeypatch):
    """A bar of tqdm, unless bars are hidden here or by evaluate, or tqdm is missing."""

    def is_bar():
        bar = progress.tqdm([1, 2], desc="rows", disable=True)
        with bar:
            assert list(bar) == [1, 2]
            bar.update(1)
        assert isinstance(progress.tqdm(total=3, disable=True), tqdm.tqdm) == isinstance(bar, tqdm.tqdm)
        return isinstance(bar, tqdm.tqdm)

    monkeypatch.setattr(progress, "_hidden", False)
    monkeypatch.setattr(evaluate.utils.logging, "is_progress_bar_enabled", lambda: True)
    assert is_bar()
    with monkeypatch.context() as patch:
        patch.setattr(evaluate.utils.logging, "is_progress_bar_enabled", lambda: False)
        assert not is_bar()
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tqdm", None)
        patch.setitem(sys.modules, "tqdm.auto", None)
        assert not is_bar()
    with monkeypatch.context() as patch:
        patch.setattr(sys.stderr, "isatty", lambda: True)
        progress.hide_off_terminals()
        assert is_bar()
        patch.setattr(sys.stderr, "isatty", lambda: False)
        progress.hide_off_terminals()
        assert not is_bar()


FORKED = """
import os, signal, sys, textgauge

def scores(texts):
    columns = {"predictions": texts, "references": texts[::-1]}
    return [textgauge.load(name).compute(**columns, **options) for name, options in CALLS]

texts = ["고양이가 방에서 잔다", "나는 학교에 갔다", "비가 왔다"]
expected = scores(texts)
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
signal.alarm(120)
assert scores(texts) == expected
assert len(scores([text + " 그리고" for text in texts])) == len(CALLS)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
@pytest.mark.parametrize("package", ["kiwipiepy", "mecab_ko"])
def test_a_forked_process_has_analysers_of_its_own(package):
    """It ends too, which a copy of an analyser with threads prevents; the alarm ends one that waits."""
    pytest.importorskip(package, reason="pip install -r requirements-korean.txt")
    tokenizers = [name for name, (needed, _) in PACKAGES.items() if needed.replace("-", "_") == package]
    calls = [("bleu", {"tokenizer": name}) for name in tokenizers]
    if package == "kiwipiepy":
        calls.append(("meteor", {"lang": "ko"}))
    done = subprocess.run(
        [sys.executable, "-c", f"CALLS = {calls!r}\n{FORKED}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (done.returncode, done.stderr)


@pytest.fixture
def short_turns():
    """Has threads take turns a thousand times as often."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def in_threads(function, count):
    """Calls a function in several threads at once, with the number of each."""
    start = threading.Barrier(count)

    def run(number):
        start.wait()
        function(number)

    running = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


@pytest.mark.parametrize(("make", "rounds"), [(textgauge.load, 150), (load, 2)], ids=["plain", "evaluate"])
def test_rows_of_several_threads_are_all_kept(make, rounds, short_turns):
    """Predictions beside their own references, also where another thread computes meanwhile."""
    metric = make("cer")
    results = []

    def add(number):
        for batch in range(3):
            texts = [f"{number}{batch}"] * 2
            metric.add_batch(predictions=texts, references=texts)
            metric.add(prediction="가나", reference="가나")
        if number == 0:
            results.append(metric.compute())

    for _ in range(rounds):
        in_threads(add, 8)
        with contextlib.suppress(InputError):  # all rows were computed already
            results.append(metric.compute())
    assert sum(result["reference_length"] for result in results) == rounds * 8 * 3 * 3 * 2
    assert {result["cer"] for result in results} == {0}


def test_a_lock_is_held_in_one_process_alone():
    """Neither a copy nor a forked process waits for it."""
    lock = threads.ProcessLock()
    other = []

    def enter(lock):
        with lock:
            other.append(threading.get_ident())

    with lock, lock:
        for copied in (copy.deepcopy(lock), pickle.loads(pickle.dumps(lock))):
            in_threads(lambda number, copied=copied: enter(copied), 1)
        assert len(other) == 2
        waiting = threading.Thread(target=enter, args=(lock,))
        waiting.start()
        waiting.join(0.2)
        assert len(other) == 2
    waiting.join()
    assert len(other) == 3


LOCKED = """
import os, signal, sys, threading, textgauge

metric = textgauge.load("cer")
is_held, ends = threading.Event(), threading.Event()

def hold():
    with metric._lock:
        is_held.set()
        ends.wait()

threading.Thread(target=hold).start()
is_held.wait()
child = os.fork()
if child:
    ends.set()
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
signal.alarm(60)
metric.add(prediction="가", reference="나")
assert metric.compute()["cer"] == 1
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_forked_process_does_not_wait_for_who_adds():
    done = subprocess.run([sys.executable, "-c", LOCKED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
