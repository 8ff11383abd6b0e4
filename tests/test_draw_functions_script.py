"""lab/draw_functions.py: functions for people who read them."""

import pytest
from conftest import ROOT
from typer.testing import CliRunner

from lab.draw_functions import Drawn, app, functions_of

RUNNER = CliRunner()


def source_of(*names):
    """Returns the source of functions of twelve lines."""
    return "".join(f"def {name}():\n" + "    pass\n" * 11 for name in names)


@pytest.fixture
def root(tmp_path):
    """Returns a clone of ten functions that are long enough."""
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "cer.py").write_text(source_of("statistics", *"abcdefghi"), encoding="utf-8")
    return tmp_path


def drawn(root, *arguments):
    done = RUNNER.invoke(app, ["--root", str(root), *arguments])
    assert done.exit_code == 0, done.output
    return done.output


def test_functions_are_whole(tmp_path):
    """Methods are named with their class, and decorators belong to them; shorter functions are not drawn."""
    (tmp_path / "metrics").mkdir()
    lines = [
        "class Table:",
        "    @property",
        "    def size(self):",
        *["        pass"] * 10,
        "    def short(self): pass",
    ]
    (tmp_path / "metrics" / "a.py").write_text("\n".join(lines), encoding="utf-8")
    assert functions_of(tmp_path) == {
        ("metrics/a.py", "Table.size"): Drawn("metrics/a.py", "Table.size", "\n".join(lines[1:13]))
    }


def test_a_seed_draws_the_same(root):
    assert drawn(root, "--count", "3") == drawn(root, "--count", "3") != drawn(root, "--count", "3", "--seed", "2")


def test_two_clones_show_the_same_functions(root, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "metrics").mkdir()
    source = source_of("statistics") + "def second():\n    pass\n"
    (other / "metrics" / "cer.py").write_text(source, encoding="utf-8")
    shown = drawn(root, "--count", "1", "--common-with", str(other))
    assert shown.startswith("## 1. statistics of metrics/cer.py\n")
    refused = RUNNER.invoke(app, ["--root", str(root), "--count", "2", "--common-with", str(other)])
    assert refused.exit_code and "there are 1 functions" in str(refused.exception)


def test_the_functions_of_this_clone():
    assert ("metrics/cer.py", "statistics") in functions_of(ROOT)
