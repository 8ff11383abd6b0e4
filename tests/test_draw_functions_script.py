"""lab/draw_functions.py: functions for people who read them."""

from conftest import ROOT
from typer.testing import CliRunner

from lab.draw_functions import Drawn, app, functions_of

RUNNER = CliRunner()


def drawn(*arguments):
    done = RUNNER.invoke(app, ["--root", str(ROOT), *arguments])
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


def test_a_seed_draws_the_same():
    assert drawn("--count", "3") == drawn("--count", "3") != drawn("--count", "3", "--seed", "2")


def test_two_clones_show_the_same_functions(tmp_path):
    folder = tmp_path / "metrics"
    folder.mkdir()
    source = "def first():\n" + "    pass\n" * 11 + "def second():\n    pass\n"
    (folder / "cer.py").write_text(source.replace("first", "statistics"), encoding="utf-8")
    assert drawn("--count", "1", "--common-with", str(tmp_path)).startswith("## 1. statistics of metrics/cer.py\n")
    refused = RUNNER.invoke(app, ["--root", str(ROOT), "--count", "2", "--common-with", str(tmp_path)])
    assert refused.exit_code and "there are 1 functions" in str(refused.exception)
