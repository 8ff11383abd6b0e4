"""Where evaluate, datasets, pandas or pyarrow is missing: metrics, commands, and messages that say what to install."""

import json
import subprocess
import sys

import pytest
from conftest import METRICS, ROOT

import textgauge

MORE = ("evaluate", "datasets", "pandas", "pyarrow")
CODE = """
import json, sys
given = json.loads(sys.stdin.read())
sys.modules.update(dict.fromkeys(given["missing"]))
import textgauge
from textgauge.__main__ import app
from typer.testing import CliRunner

examples = {}
for name, columns, options in given["examples"]:
    examples.setdefault(name, []).append(textgauge.load(name).compute(**columns, **options))
printed = []
for words in given["commands"]:
    result = CliRunner().invoke(app, words, prog_name="textgauge")
    printed.append([result.exit_code, result.output, repr(result.exception)])
imported = [name for name in given["more"] if sys.modules.get(name)]
json.dump({"examples": examples, "printed": printed, "imported": imported}, sys.stdout)
"""
TEXTS = ["-p", "p.txt", "-r", "r.txt"]
# all commands, of which each needs what the ones before it wrote
COMMANDS = [
    ["score", "--html", "report.html"],
    ["score", *TEXTS, "-m", "bleu", "-m", "cer:readings=ko", "-m", "rouge:use_stemmer=true", "--json", "scores.json"],
    ["score", *TEXTS, "--stream", "-m", "cider", "--csv", "scores.csv"],
    ["compare", "-p", "a=p.txt", "-p", "b=r.txt", "-r", "r.txt", "-m", "chrf", "--html", "comparison.html"],
    ["verify", "result.yaml", *TEXTS],
    ["score", *TEXTS, "-m", "weighted_bleu:weights=w.tsv", "--explain", "1"],
]
# what needs a package, and what it then says
NEEDING = {
    "pyarrow": [["score", "-d", "table.parquet"], ["score", *TEXTS, "--stream", "--rows", "rows"]],
    "datasets": [["score", "-d", "folder", "--prediction-column", "a", "--reference-column", "b"]],
    "evaluate": [["score", *TEXTS, "-m", "mine.py"]],
}


def examples():
    """Returns all examples of all cards: the metric, its columns, and its options."""
    found = []
    for name in METRICS:
        for example in json.loads((textgauge.CARDS / name / "examples.json").read_text(encoding="utf-8")):
            found.append((name, example["columns"], example.get("options", {})))
    return found


def run(missing, commands, folder, more=()):
    """Returns what a process says in which some packages cannot be imported."""
    (folder / "p.txt").write_text("고양이가 방에서 3개 잔다\n개가 짖는다\n", encoding="utf-8")
    (folder / "r.txt").write_text("고양이가 집에서 세 개 잔다\n개가 짖는다\n", encoding="utf-8")
    signature = textgauge.load("cer").signature(references=["a"])
    result = {"dataset": {"id": "a/b", "task_id": "t"}, "value": 0.25, "notes": signature}
    (folder / "result.yaml").write_text(json.dumps([result]), encoding="utf-8")
    (folder / "folder").mkdir()
    for name in ("table.parquet",):
        (folder / name).write_bytes(b"PK")
    (folder / "mine.py").write_text("", encoding="utf-8")
    (folder / "w.tsv").write_text("phrase\tweight\n개\t0.5\n", encoding="utf-8")
    given = {"missing": list(missing), "commands": commands, "examples": list(more), "more": MORE}
    command = [sys.executable, "-W", "ignore", "-c", CODE]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "missing", [MORE, *(pytest.param([package], id=package, marks=pytest.mark.slow) for package in MORE)]
)
def test_scoring_and_commands(missing, tmp_path):
    """Every example of every card has the result that it has here, and every command for texts works."""
    found = run(missing, COMMANDS, tmp_path, examples())
    wanted = {}
    for name, columns, options in examples():
        wanted.setdefault(name, []).append(textgauge.load(name).compute(**columns, **options))
    assert repr(found["examples"]) == repr(json.loads(json.dumps(wanted)))
    for words, (code, output, exception) in zip(COMMANDS, found["printed"], strict=True):
        # the score that is verified is another one, which is an exit code of its own
        assert code == (words[0] == "verify"), (words, output, exception)
    assert found["imported"] == []


@pytest.mark.parametrize("package", NEEDING)
def test_what_is_missing_is_named_with_its_list(package, tmp_path):
    """Of requirements, never as a package of an index."""
    found = run([package], NEEDING[package], tmp_path)
    for code, output, exception in found["printed"]:
        assert code == 2, exception
        assert f" needs {package}: pip install -r requirements.txt" in output, output


def test_load_names_what_evaluate_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "evaluate", None)
    with pytest.raises(ImportError, match=r"^cer, loaded with num_process, needs evaluate: pip install -r req"):
        textgauge.load("cer", num_process=2)
    assert textgauge.load("cer").compute(predictions=["a"], references=["b"])["cer"] == 1


@pytest.mark.parametrize("words", [["--help"], *([name, "--help"] for name in ("score", "verify", "publish-result"))])
def test_help_imports_no_library_of_science(words, tmp_path):
    """So that it comes at once."""
    code = f"""
import sys
from textgauge.__main__ import app
from typer.testing import CliRunner
assert CliRunner().invoke(app, {words!r}).exit_code == 0
print(sorted({{"numpy", "rapidfuzz", "nltk", "huggingface_hub", "evaluate", "tqdm", "jinja2"}} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr


def test_loading_a_metric_imports_no_more_than_it_needs():
    """nltk's own beginning, pandas and the modules of processes take longer than all that a metric needs."""
    code = f"""
import sys, textgauge
for name in textgauge.metric_names():
    textgauge.load(name).signature()
textgauge.load("rouge").compute(predictions=["cats sleeping"], references=["cat sleeps"], use_stemmer=True)
print(sorted({{*{MORE!r}, "nltk", "scipy", "multiprocessing", "concurrent.futures", "tqdm"}} & sys.modules.keys()))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.stdout, done.returncode) == ("[]\n", 0), done.stderr
