"""lab/mutate.py on a room of one module: which wrong changes its tests see."""

import pytest
from typer.testing import CliRunner

from lab import mutate

MODULE = """LEAST = 2


def is_many(n):
    return (n) > LEAST


def is_few(n):
    return "가" and n < 1


def is_unused(n):
    return n > 7
"""
TESTS = """from textgauge.room.many import is_few, is_many


def test_many():
    assert [is_many(n) for n in (1, 2, 3)] == [False, False, True]


def test_few():
    assert is_few(0)
"""


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Returns a clone of one module."""
    for name, text in (("textgauge/__init__.py", ""), ("textgauge/room/__init__.py", ""), ("pytest.ini", "[pytest]\n"),
                       ("textgauge/room/many.py", MODULE), ("tests/test_many.py", TESTS)):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_each_change_is_one_operator_number_or_condition(root):
    changes = mutate.changes_of(root / "textgauge/room/many.py")
    found = {(change.line, mutate._changed(MODULE, change)[1]) for change in changes}
    assert found == {
        (1, "LEAST = 3"),
        (5, "return (n) >= LEAST"),
        (9, 'return "가" or n < 1'),
        (9, 'return "가" and n <= 1'),
        (9, 'return "가" and n < 2'),
        (13, "return n >= 7"),
        (13, "return n > 8"),
    }


@pytest.mark.slow
def test_changes_that_no_test_sees(root):
    """A limit of 3 and n >= 2 are seen; of is_few only that 0 is below 1, and nothing of what no test calls."""
    app = mutate.typer.Typer()
    app.command()(mutate.main)
    found = CliRunner().invoke(app, ["textgauge/room", "tests/test_many.py", "--changes", "7"])
    assert found.exit_code == 1, found.output
    lines = found.output.splitlines()
    assert lines[-1] == "7 changes, 7 tried: 5 not seen"
    assert [line.split(":")[1] for line in lines[:-1:2]] == ["9 not seen"] * 3 + ["13 not seen"] * 2
    assert (root / "textgauge/room/many.py").read_text(encoding="utf-8") == MODULE
    few = ["textgauge/room", "tests/test_many.py", "--changes", "1"]
    outputs = {CliRunner().invoke(app, [*few, f"--seed={seed}"]).output for seed in (1, 1, 2)}
    assert len(outputs) <= 2


def test_tests_that_fail_say_nothing(root):
    (root / "tests/test_many.py").write_text("def test(): assert False", encoding="utf-8")
    app = mutate.typer.Typer()
    app.command()(mutate.main)
    found = CliRunner().invoke(app, ["textgauge/room", "tests/test_many.py"])
    assert found.exit_code == 2 and "fail without any change" in found.output
