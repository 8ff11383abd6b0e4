"""lab/mutate.py on a room of one module: which wrong changes its tests see."""

import json
import subprocess

import pytest
from typer.testing import CliRunner

pytest.importorskip("cosmic_ray", reason="pip install -r requirements-mutation.txt")
pytest.importorskip("pytest_cov", reason="pip install -r requirements-mutation.txt")

from lab import mutate

MODULE = """LEAST = 2


def is_many(n):
    return n > LEAST


def is_few(n):
    return n < 1


def is_unused(n):
    return n > 7
"""
TESTS = """import pytest
from textgauge.room.many import is_few, is_many


@pytest.mark.parametrize("n", [1, 2, 3])
def test_many(n):
    assert is_many(n) == (n == 3)


def test_few():
    assert is_few(0)
"""

ONE = """from textgauge.room.many import is_few


def test_one():
    assert not is_few(1)
"""


@pytest.mark.slow
def test_changes_that_no_test_sees(tmp_path):
    for name, text in (("textgauge/__init__.py", ""), ("textgauge/room/__init__.py", ""), ("pytest.ini", "[pytest]\n"),
                       ("textgauge/room/many.py", MODULE), ("tests/test_many.py", TESTS)):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    root = ["--root", str(tmp_path)]
    early = CliRunner().invoke(mutate.app, ["try", "textgauge/room", *root])
    assert early.exit_code == 2 and "run this program's `record` first" in early.output
    assert CliRunner().invoke(mutate.app, ["record", "tests", *root]).exit_code == 0
    file = tmp_path / "r.json"
    found = CliRunner().invoke(mutate.app, ["try", "textgauge/room", "--processes", "1", "--json", str(file), *root])
    assert found.exit_code == 0, found.output
    results = [
        (row["line"], row["shown"].splitlines()[-1][1:].split()[-1], row["result"])
        for row in json.loads(file.read_text())
    ]
    # a limit of 1 or 3, and n >= 2, are seen by the parameters; of is_few only that 0 is below 1
    assert {result for line, _, result in results if line in (1, 5)} == {"seen"}
    assert {(shown, result) for line, shown, result in results if line == 9} >= {("0", "seen"), ("2", "not seen")}
    assert {result for line, _, result in results if line == 13} == {"not seen"}
    assert "textgauge/room/many.py:9 not seen\n-     return n < 1\n+     return n <" in found.output
    assert (tmp_path / "textgauge/room/many.py").read_text() == MODULE
    (tmp_path / "tests/test_one.py").write_text(ONE)
    assert CliRunner().invoke(mutate.app, ["record", "tests/test_one.py", "--add", *root]).exit_code == 0
    found = CliRunner().invoke(mutate.app, ["try", "textgauge/room", "--again", str(file), "--processes", "1", *root])
    n_missed = sum(result != "seen" for *_, result in results)
    assert f", {n_missed} tried: 2 seen, {n_missed - 2} not seen" in found.output
