"""What the machine lacks, room on a disk or memory, is one line and exit code 2; 1 is a verdict of compare.py."""

import os
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, write
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.scoring import checkpoints
from textgauge.programs.scoring.checkpoints import Checkpoint

FULL = "/dev/full"
pytestmark = pytest.mark.skipif(not os.path.exists(FULL), reason="there is no device that is always full")
NO_ROOM = "error: standard output: No space left on device\n"
TEXTS = ["-r", "gold.txt", "-m", "cer"]


@pytest.fixture(autouse=True)
def few_texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("a.txt", "가 나", "다")
    write("b.txt", "가", "다 라")
    write("gold.txt", "가", "다")


def script(name, *arguments, **streams):
    """Runs a script whose output goes to a full disk, unless a stream says otherwise."""
    with open(FULL, "w") as full:
        streams = {"stdout": full, "stderr": subprocess.PIPE, **streams}
        command = [sys.executable, ROOT / "scripts" / name, *arguments]
        return subprocess.run(command, text=True, encoding="utf-8", **streams)


@pytest.mark.parametrize(
    "command",
    [
        ["compare.py", "-p", "a.txt", "-p", "b.txt", *TEXTS],
        ["compare.py", "-p", "a.txt", "-p", "b.txt", *TEXTS, "--markdown", "-"],
        ["score.py", "-p", "a.txt", *TEXTS, "--json", "-"],
        ["score.py", "--help"],
    ],
)
def test_output_to_a_full_disk(command):
    done = script(*command)
    assert done.returncode == 2
    assert done.stderr.endswith(NO_ROOM) and "Traceback" not in done.stderr


def test_messages_to_a_full_disk_change_no_exit_code():
    with open(FULL, "w") as full:
        lost = {"stderr": full, "stdout": subprocess.PIPE}
        assert script("score.py", "-p", "none.txt", **lost).returncode == 2
        done = script("score.py", "-p", "a.txt", *TEXTS, **lost)
        assert done.returncode == 0 and "cer" in done.stdout
        assert script("compare.py", "-p", "a.txt", "-p", "b.txt", *TEXTS, stderr=full).returncode == 2


STARVED = """
import numpy as np
import textgauge
from textgauge.programs.commands.compare import app
from textgauge.programs.scoring.console import run

def statistics(**_):
    raise {error}

type(textgauge.load("cer"))._statistics = staticmethod(statistics)
run(app)
"""


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("MemoryError", "not enough memory"),
        ('MemoryError("Unable to allocate 9 TiB")', "not enough memory: Unable to allocate 9 TiB"),
    ],
)
def test_no_memory(error, said, tmp_path):
    path = tmp_path / "starved.py"
    path.write_text(STARVED.format(error=error))
    done = subprocess.run(
        [sys.executable, path, "-p", "a.txt", "-p", "b.txt", *TEXTS],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 2 and done.stderr.splitlines()[-1] == f"error: {said}"
    assert "Traceback" not in done.stderr


def checkpoint(folder, at_full_disk):
    """Runs a batch with a checkpoint; one of the files that it writes is on a full disk."""
    with Checkpoint(folder / "kept", {"run": 1}, folder / "scores.parquet", {"a": folder / "rows.parquet"}) as kept:
        os.symlink(FULL, folder / at_full_disk)
        scores = np.arange(3.0)
        kept.add(3, {"cer": scores}, {"a": {"cer/0": scores}}, lambda: {"rows": np.zeros(10**5)})
        kept.about["a"] = {}


@pytest.mark.parametrize(
    ("file", "named"),
    [
        ("kept/segments-000000.parquet", "kept/segments-000000.parquet"),
        ("kept/.state.npz.{pid}.part", "kept/state.npz"),
        (".scores.parquet.{pid}.part", "scores.parquet"),
        ("kept/rows-0000-000000.parquet", "kept/rows-0000-000000.parquet"),
        (".rows.parquet.{pid}.part", "rows.parquet"),
    ],
)
def test_a_full_disk_under_a_checkpoint_is_named(file, named, tmp_path, monkeypatch):
    if "state" in file:
        monkeypatch.setattr(checkpoints, "_SECONDS", 0)
    with pytest.raises(OSError) as error:
        checkpoint(tmp_path, file.format(pid=os.getpid()))
    assert (error.value.filename, error.value.strerror) == (str(tmp_path / named), "No space left on device")


def test_a_full_disk_under_a_checkpoint_is_a_message(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints._Parts, "path", lambda self, index: self.folder / "full")
    made = checkpoints.Checkpoint.load

    def load(self):
        os.symlink(FULL, self.folder / "full")
        return made(self)

    monkeypatch.setattr(checkpoints.Checkpoint, "load", load)
    arguments = ["-p", "a.txt", *TEXTS, "--stream", "--no-confidence"]
    found = CliRunner().invoke(score.app, [*arguments, "--segment-file", "s.parquet", "--checkpoint", "kept"])
    assert found.exit_code == 2
    assert found.stderr.splitlines()[-1] == "error: kept/full: No space left on device"


def test_help_of_spark_without_spark():
    """The help says what the script is for; a call says what to install."""
    hidden = "import sys; sys.modules['pyspark'] = None; sys.argv[0] = 'score_spark.py'; "
    code = f"{hidden}from textgauge.programs.commands.score_spark import app; app()"
    shown = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, cwd=ROOT)
    assert shown.returncode == 0 and "Score Parquet or JSONL with Spark" in shown.stdout, shown.stderr
    call = ["-d", "x.jsonl", "--prediction-column", "p"]
    refused = subprocess.run([sys.executable, "-c", code, *call], capture_output=True, text=True, cwd=ROOT)
    assert refused.returncode == 2 and refused.stderr.startswith("error: score_spark.py needs pyspark and Java 17: pip")
