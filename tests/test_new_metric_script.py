"""lab/new_metric.py: the skeleton keeps every law, and nothing is overwritten."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

from lab import new_metric

NAME = "toy_metric"
NEW = [
    "metrics/toy.py",
    "spaces/toy/README.md",
    "spaces/toy/README.ko.md",
    "spaces/toy/examples.json",
    "tests/test_toy.py",
]


def copy_clone(folder):
    """Copies the repository without what is not under version control."""
    ignored = shutil.ignore_patterns(".*", "__pycache__")
    for name in ("docs", "lab", "metrics", "scripts", "spaces", "tests", "textgauge"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for file in (
        *("README.md", "README.ko.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "CITATION.cff"),
        *("pyproject.toml", "requirements-core.txt", "requirements.txt"),
    ):
        shutil.copy(ROOT / file, folder)
    return folder


@pytest.fixture
def clone(tmp_path):
    return copy_clone(tmp_path)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """Returns one copy for all tests that change nothing in it."""
    return copy_clone(tmp_path_factory.mktemp("untouched"))


def files(root):
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_skeleton_keeps_every_law(clone):
    before = files(clone)
    paths = {path.relative_to(clone).as_posix() for path in new_metric.make(clone, NAME, "Toy")}
    after = files(clone)
    assert {path for path in after if after[path] != before.get(path)} == paths
    assert paths - before.keys() == {path.replace("toy", NAME) for path in NEW}
    for path in ("README.md", "README.ko.md", "tests/cases.py"):
        added = [line for line in after[path].splitlines() if line not in before[path].splitlines()]
        assert len(added) == 1 and NAME.encode() in added[0]
    stems = (
        "common",
        "tables",
        "options",
        "cards",
        "layout",
        "readmes",
        "drawing",
        "examples",
        "languages",
        "publish_script",
        NAME,
    )
    tests = [f"tests/test_{stem}.py" for stem in stems]
    environment = {**os.environ, "PYTHONPATH": ""}
    # all but what starts further processes, and takes long
    chosen = f"{NAME} and not two_processes and not bare_folder"
    command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "-k", chosen, *tests]
    run = subprocess.run(command, cwd=clone, env=environment, capture_output=True, encoding="utf-8")
    assert run.returncode == 0, run.stdout + run.stderr
    ruff = [sys.executable, "-m", "ruff"]
    scripts = sorted(path for path in paths if path.endswith(".py"))
    for check in (["check"], ["format", "--check"]):
        run = subprocess.run([*ruff, *check, *scripts], cwd=clone, capture_output=True, encoding="utf-8")
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("name", ["Toy", "toy-2", "_toy", "toy_", "toy_2", "class", "2toy", "토이", "", "a/b"])
def test_a_bad_name_is_refused(name, untouched):
    before = files(untouched)
    with pytest.raises(ValueError, match="is no name of a metric"):
        new_metric.make(untouched, name, "Toy")
    assert files(untouched) == before


@pytest.mark.parametrize("title", ["Toy: again", 'A "toy"', "Toy\\x", "# Toy", "Toy\nToy", "", "Toy | two", "{toy}"])
def test_a_bad_title_is_refused(title, untouched):
    before = sorted(untouched.rglob("*"))
    with pytest.raises(ValueError, match="the title is .*; pass letters"):
        new_metric.make(untouched, "toy", title)
    assert sorted(untouched.rglob("*")) == before


@pytest.mark.parametrize("path", NEW)
def test_nothing_is_overwritten(path, clone):
    (clone / path).parent.mkdir(exist_ok=True)
    (clone / path).write_text("mine")
    before = files(clone)
    with pytest.raises(ValueError, match=f"^{path} exists$"):
        new_metric.make(clone, "toy", "Toy")
    assert files(clone) == before
