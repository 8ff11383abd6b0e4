"""scripts/score.py --stream: the results of one call, in bounded memory."""

import functools
import gzip
import json
import multiprocessing
import os
import select
import shutil
import signal
import subprocess
import sys
import time

import datasets
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from cases import TEXTS
from conftest import ROOT, write
from hypothesis import given
from hypothesis import strategies as st
from processes import die
from score_files import TOY
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.commands import score_job as job
from textgauge.programs.reading import compressed, corpora
from textgauge.programs.reading.corpus import BATCH
from textgauge.programs.reading.named_columns import NamedColumns
from textgauge.programs.scoring import blocks, streams

METRICS = ["-m", "bleu:smooth=exp", "-m", "rouge", "-m", "cer:aggregate=mean", "-m", "wer"]
LEARNING = ["-m", "nist", "-m", "cider", "-m", "rouge:rouge_types=rouge2,,idf=references"]  # from the whole corpus
WEIGHTED = ["-m", "cer:weights=w.tsv", "-m", "wer:weights=w.tsv", "-m", "weighted_bleu:weights=b.tsv,all_unused=true"]
COLUMNS = ["--prediction-column", "out", "--prediction-column", "다른", "--reference-column", "ref"]


def corpus(size):
    texts = [text for text in TEXTS["predictions"] if text]
    return {
        "out": [f"{texts[i % 4]} {i}" for i in range(size)],
        "다른": [f"{texts[i % 3]} {i // 2}" for i in range(size)],
        "ref": [TEXTS["references"][i % 5][: 1 + i % 3] for i in range(size)],
    }


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns a function that runs the script in an empty folder, and returns its JSON."""
    monkeypatch.chdir(tmp_path)

    def read(*arguments, exit_code=0):
        done = CliRunner().invoke(score.app, [*map(str, arguments), "--json", "-"])
        assert done.exit_code == exit_code, done.output + repr(done.exception)
        return json.loads(done.stdout) if exit_code == 0 else done.stderr

    return read


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(job, "BATCH", 7)


def write_files(size=40):
    table = corpus(size)
    pq.write_table(pa.table(table), "d.parquet", row_group_size=7)
    datasets.Dataset.from_dict(table).save_to_disk("saved")
    lines = "".join(
        json.dumps(dict(zip(table, row, strict=True)), ensure_ascii=False) + "\n"
        for row in zip(*table.values(), strict=True)
    )
    with gzip.open("d.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(lines)
    for name, column in table.items():
        with open(f"{name}.txt", "w", encoding="utf-8") as file:
            file.writelines(f"{row if isinstance(row, str) else row[0]}\n" for row in column)


SOURCES = {
    "parquet": ["-d", "d.parquet", *COLUMNS],
    "jsonl.gz": ["-d", "d.jsonl.gz", *COLUMNS],
    "saved": ["-d", "saved", *COLUMNS],
    "lines": ["-p", "out.txt", "-p", "다른.txt", "-r", "ref.txt"],
}


@pytest.mark.parametrize("source", SOURCES)
def test_results_are_those_of_one_call(source, run, small_batches):
    write_files()
    arguments = [*SOURCES[source], *METRICS, *LEARNING]
    whole, streamed = run(*arguments), run(*arguments, "--stream")
    assert streamed["systems"].keys() == whole["systems"].keys()
    for system, metrics in whole["systems"].items():
        for label, expected in metrics.items():
            actual = streamed["systems"][system][label]
            assert actual["signature"] == expected["signature"]
            for key in actual.keys() - {"signature"}:
                np.testing.assert_allclose(actual[key], expected[key], rtol=1e-12)
            assert expected.keys() - {"errors"} == actual.keys()  # which need all texts at once


def write_weights():
    """Writes phrases that texts have in one of many batches, in all, and in none."""
    texts = [reference for row in TEXTS["references"] for reference in row]
    words = [word for word in " ".join(texts).split() if word.isalpha()]
    table = {**dict.fromkeys(words, 1.5), "31": 2, "없는말": 1.2, "없는 말도": 0.5}
    for path in ("w.tsv", "b.tsv"):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{phrase}\t{weight}\n" for phrase, weight in table.items())


@pytest.mark.parametrize("workers", [[], ["--workers", "2"]])
def test_phrases_are_those_of_one_call(workers, run, small_batches):
    """Which phrases of a table no text has, and which ones are missed, though no batch has all texts."""
    write_files()
    write_weights()
    whole = run(*SOURCES["parquet"], *WEIGHTED)["systems"]
    streamed = run(*SOURCES["parquet"], *WEIGHTED, "--stream", *workers)["systems"]
    for system, metrics in whole.items():
        for label, expected in metrics.items():
            assert 0 < expected["unused_count"] < 10 and "없는말" in expected["unused_keys"]
            for key in ("missed_keywords", "unused_count", "unused_keys"):
                assert streamed[system][label].get(key) == expected.get(key)
    assert any(result.get("missed_keywords") for result in whole["out"].values())


@pytest.mark.slow
def test_killed_for_good(tmp_path):
    """SIGKILL leaves no file that looks complete, and the same command goes on."""
    os.chdir(tmp_path)
    write_files(30_000)
    command = [sys.executable, ROOT / "scripts/score.py", *SOURCES["parquet"], "-m", "bleu"]
    command += ["--stream", "--rows", "s", "--json", "s.json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not list(tmp_path.glob("s/out.parquet/part-*")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "s.json").exists()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([*command[:-3], "w", "--json", "w.json"], check=True, stdout=subprocess.DEVNULL)
    assert (tmp_path / "s.json").read_text("utf-8") == (tmp_path / "w.json").read_text("utf-8")
    assert pq.read_table("s/out.parquet").equals(pq.read_table("w/out.parquet"))


def test_several_processes(run, small_batches, monkeypatch):
    write_files()
    arguments = [*SOURCES["parquet"], *METRICS, *LEARNING]
    assert run(*arguments, "--workers", 2) == run(*arguments, "--stream")


def test_a_killed_worker_is_no_traceback(run, small_batches, monkeypatch):
    write_files()
    monkeypatch.setattr(streams, "_worker_rows", die)
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=[60])
    other.start()
    message = run(*SOURCES["parquet"], *METRICS, "--workers", 2, "--rows", "kept", exit_code=2)
    assert other.is_alive()  # whoever calls has processes of its own
    other.kill()
    assert os.path.exists("kept")  # with fewer workers it goes on
    assert message == "error: a worker process was killed; was there memory enough for --workers?\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs groups of processes")
@pytest.mark.parametrize("is_ignored", [False, True])
def test_an_interrupt_is_no_traceback(tmp_path, is_ignored):
    """Ctrl-C goes to all processes at once: here one is scoring, and another waits or is still starting.

    A shell script lets what runs in its background ignore it.
    """
    os.chdir(tmp_path)
    write_files(BATCH + 1)
    for path in (ROOT / "metrics").glob("_*.py"):
        shutil.copy(path, tmp_path)
    start = "def statistics(predictions, references, sources):\n"
    interrupted = "import os\nimport signal\n" + TOY.replace(start, f"{start}    os.killpg(0, signal.SIGINT)\n")
    (tmp_path / "toy.py").write_text(interrupted, encoding="utf-8")
    command = [sys.executable, ROOT / "scripts/score.py", *SOURCES["lines"], "-m", "toy.py", "-c", "sources=ref.txt"]
    done = subprocess.run(
        [*command, "--workers", "3"], capture_output=True, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN if is_ignored else signal.SIG_DFL),
    )  # fmt: skip
    if is_ignored:
        assert done.returncode == 0 and "toy" in done.stdout, done.stderr
    else:
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT"])
def test_workers_end_with_the_first_process(tmp_path, name):
    """Where it alone is killed, for its memory, or stopped, and they have begun what would take long."""
    os.chdir(tmp_path)
    write_files(BATCH + 1)
    os.mkfifo("alive")
    start = "def statistics(predictions, references, sources):\n"
    waiting = (
        f"{start}    alive = open('alive', 'w')\n    print(os.getpid(), file=alive, flush=True)\n    signal.pause()\n"
    )
    (tmp_path / "toy.py").write_text("import os\nimport signal\n" + TOY.replace(start, waiting), encoding="utf-8")
    command = [sys.executable, ROOT / "scripts/score.py", *SOURCES["lines"], "-m", "toy.py", "-c", "sources=ref.txt"]
    command += ["--workers", "2"]
    # in the background of a shell script Ctrl-C is ignored, and processes take that over
    listens = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=listens)
    with started as process, open("alive") as alive:
        workers = [int(alive.readline()) for _ in range(2)]
        process.send_signal(getattr(signal, name))
        is_over = select.select([alive], [], [], 30)[0]  # they hold its other end
        for worker in [] if is_over else workers:
            os.kill(worker, signal.SIGKILL)
        errors = process.stderr.read()
    assert is_over, errors
    if name == "SIGINT":
        assert (process.returncode, errors) == (130, "")


@pytest.mark.parametrize("place", [0, 11, 39])
def test_a_bad_row_is_named(place, run, small_batches):
    table = corpus(40)
    table["out"][place] = None
    pq.write_table(pa.table(table), "d.parquet")
    message = run(*SOURCES["parquet"], "--stream", exit_code=2)
    assert f"d.parquet, row {place + 1}: column out is None; pass a string" in message


def test_a_bad_reference_is_named_while_they_are_counted(run, small_batches):
    table = corpus(40)
    table["ref"][11] = None
    pq.write_table(pa.table(table), "d.parquet")
    message = run(*SOURCES["parquet"], "-m", "nist", "--stream", exit_code=2)
    assert "d.parquet, row 12: column ref is None; pass" in message


def test_files_of_different_length(run, small_batches):
    write_files()
    with open("ref.txt", "a", encoding="utf-8") as file:
        file.write("하나 더\n" * 8)
    message = run(*SOURCES["lines"], "--stream", exit_code=2)
    assert "out.txt has 40 lines and ref.txt 48; line 1 of each" in message


@pytest.mark.parametrize(("n_lines", "n_references"), [(2, 3), (3, 2)])
def test_one_line_too_many_in_a_batch_of_its_own(n_lines, n_references, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("out.txt", *["가"] * n_lines)
    write("ref.txt", *["가"] * n_references)
    with pytest.raises(ValueError, match=f"out.txt has {n_lines} lines and ref.txt {n_references}; line 1 of each"):
        list(corpora.file_corpora(["out.txt"], ["ref.txt"], NamedColumns(), 1))


@pytest.mark.parametrize("option", [["--html", "x.html"], ["--per-segment"], ["--human-column", "out=ref"]])
def test_what_needs_all_texts(option, run):
    write_files()
    assert "leave out --stream" in run(*SOURCES["parquet"], "--stream", *option, exit_code=2)


def test_a_metric_without_rows_says_so(run, tmp_path):
    (tmp_path / "d.jsonl").write_text('{"metric": 1, "human": 2}\n{"metric": 2, "human": 3}\n')
    columns = ["--prediction-column", "metric", "--reference-column", "human", "-m", "human_correlation"]
    message = run("-d", "d.jsonl", *columns, "--stream", exit_code=2)
    assert "human_correlation, metric: ranks depend on all rows" in message


def test_weights_of_each_segment_are_no_stream(run, tmp_path):
    write_files(2)
    (tmp_path / "weights.json").write_text('[{"a": 1.5}, {"a": 0.5}]')
    arguments = [*SOURCES["parquet"], "-m", "weighted_bleu:weights=weights.json"]
    assert "needs all texts at once" in run(*arguments, "--stream", exit_code=2)
    (tmp_path / "weights.json").write_text('{"a": 1.5}')
    run(*arguments, "--stream")


def test_a_pipe_cannot_be_read_again(run):
    """As `-p <(command)` in a shell makes one."""
    write_files()
    end, other_end = os.pipe()
    os.write(other_end, "하나\n둘\n".encode())
    os.close(other_end)
    message = run("-p", f"/dev/fd/{end}", "-r", "ref.txt", "--stream", exit_code=2)
    os.close(end)
    assert message == f"error: /dev/fd/{end} is a pipe, and batches are read more than once; pass a file\n"


def test_utterances_with_ids_are_no_stream(run, tmp_path):
    (tmp_path / "out.trn").write_text("a (1)\n")
    message = run("-p", "out.trn", "-r", "out.trn", "--stream", exit_code=2)
    assert message == "error: matching utterances by their ids needs whole files; leave out --stream\n"


def test_count_rows(tmp_path):
    for text, count in (("", 0), ("a", 1), ("a\n", 1), ("a\n\nb", 3)):
        (tmp_path / "x.txt").write_text(text)
        assert compressed.count_rows(str(tmp_path / "x.txt")) == count
    assert compressed.count_rows("no/such/dataset") is None


@given(sizes=st.lists(st.integers(0, 9), min_size=1, max_size=60), capacity=st.sampled_from([2, 4, 16]))
def test_blocks_depend_on_rows_alone(sizes, capacity):
    rows = np.arange(2 * sum(sizes), dtype=float).reshape(-1, 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "CAPACITY", capacity)
        kept, start = blocks.Blocks(), 0
        for size in sizes:
            kept.add(rows[start : start + size])
            start += size
        at_once = blocks.Blocks()
        at_once.add(rows)
        assert kept.rows().tolist() == at_once.rows().tolist()
        # the obvious version: the smallest power of two that leaves fewer blocks than the capacity
        size = 1
        while len(rows) // size >= capacity:
            size *= 2
        expected = [rows[i : i + size].sum(0).tolist() for i in range(0, len(rows), size)]
        assert kept.rows().tolist() == expected
