"""What the machine lacks, room on a disk or memory, is one line and exit code 2; 1 is a verdict of compare.py."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT, write
from typer.testing import CliRunner

from textgauge.programs.commands import score

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


@pytest.mark.parametrize(
    ("file", "named"),
    [
        (".part-00000000.parquet.{pid}.part", "part-00000000.parquet"),
        ("._common_metadata.{pid}.part", "_common_metadata"),
        ("._unfinished.{pid}.part", "_unfinished"),
    ],
)
def test_a_full_disk_under_rows_is_named(file, named, tmp_path):
    folder = tmp_path / "a.parquet"
    folder.mkdir()
    (folder / file.format(pid=os.getpid())).symlink_to(FULL)
    arguments = ["-p", "a.txt", *TEXTS, "--stream", "--no-confidence", "--rows", "a.parquet"]
    found = CliRunner().invoke(score.app, arguments)
    assert found.exit_code == 2
    assert found.stderr.splitlines()[-1] == f"error: a.parquet/{named}: No space left on device"
