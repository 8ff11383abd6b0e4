"""Bad input is a message and exit code 2; what else fails is a defect, with a traceback and a code of its own."""

import gzip
import json
import pickle
import re
import shlex
import subprocess
import sys

import pytest
from conftest import ROOT
from typer.testing import CliRunner

import textgauge
from textgauge.__main__ import app
from textgauge.core import errors
from textgauge.core.errors import InputError, UnknownArgumentError, is_bad_input, is_input_error
from textgauge.models.language_models import _loading as loading
from textgauge.programs.page.session import Session
from textgauge.programs.publishing.needed_files import app_files, browser_files
from textgauge.programs.scoring.console import DEFECT

REFERENCE = "우리는 오늘 아침 일찍 산에 올라가서 맑은 공기를 마시고 내려오는 길에 떡볶이를 사 먹었습니다"
FILES = {
    "a.txt": "하나\n둘\n",
    "b.txt": "하나\n셋\n",
    "three.txt": "하나\n둘\n셋\n",
    "bad.jsonl": '{"out": "하나"\n',
    "digits.jsonl": '{"out": ' + "9" * 5000 + "}\n",
    "twice.csv": "out,out\n하나,둘\n",
    "quotes.csv": 'out,ref\n"하나,둘\n',
    "bad.parquet": "PAR1 no more",
    "bad.xlsx": "no sheet",
    "weights.json": "{",
    "scores.json": '{"systems": {"a": {"cer": {"cer": 0.5, "signature": "cer|v1.0"}}}}',
    "result.yaml": "- value: 2026-13-45\n  notes: x\n",
}
BYTES = {"cp949.txt": "하나\n".encode("cp949"), "cut.txt.gz": gzip.compress("하나\n둘\n".encode() * 99)[:30]}
SCORE = ("score", "-p", "a.txt", "-r", "b.txt")
COMPARE = ("compare", "-p", "a.txt", "-p", "b.txt", "-r", "three.txt")
PUBLISH = ("publish-result", "scores.json", "--dataset", "my/news", "--task", "t")
WRONG = [
    ((*SCORE, "-m", "bleau"), "--metric bleau: there is no such metric"),
    ((*SCORE, "-m", "cer:unitt=jamo"), "cer has no option unitt (did you mean unit?)"),
    ((*SCORE, "-m", "cer:unit=jam"), "unit is 'jam'; pass one of"),
    ((*SCORE, "-m", "cer:jamo"), "'jamo' is not an option; write option=value"),
    ((*SCORE, "-m", "cer:weights=weights.json"), "weights.json is not JSON"),
    ((*SCORE, "-m", "cer:weights=none.tsv"), "there is no such file"),
    ((*SCORE, "-m", "cer:seed=-1"), "seed is -1"),
    (("score", "-p", "a.txt", "-m", "perplexity:model_id=./table"), ""),
    ((*SCORE, "--encoding", "undefined"), "Python has no such encoding"),
    ((*SCORE, "--json", "no/where.json"), "there is no folder no"),
    ((*SCORE, "--html", "r.html", "--app", "http://[x"), "--app http://[x: pass the address"),
    (("score", "-p", "none.txt", "-r", "b.txt"), "none.txt: No such file"),
    (("score", "-p", "a.txt", "-r", "three.txt"), "3"),
    (("score", "-p", "cp949.txt", "-r", "b.txt"), "cp949.txt, line 1: byte 0xc7"),
    (("score", "-p", "cut.txt.gz", "-r", "b.txt"), "cut.txt.gz is not a .gz file"),
    *(
        (("score", "-d", name, "--prediction-column", "out", "--reference-column", "ref", "-m", "cer"), name)
        for name in ("bad.jsonl", "digits.jsonl", "twice.csv", "quotes.csv", "bad.parquet", "bad.xlsx")
    ),
    (("score", "-d", "table", "--prediction-column", "out", "--reference-column", "ref", "-m", "cer"), "table"),
    (COMPARE, "3"),
    (("compare", "-p", "a.txt", "-r", "a.txt"), "there is one system, a"),
    (("verify", "result.yaml", "-p", "a.txt", "-r", "b.txt"), "result.yaml, result 1 has no number as its value"),
    ((*PUBLISH, "--source-name", "here"), "--source-name"),
    ((*PUBLISH, "--model", "my/.."), "--model my/..: "),
    ((*PUBLISH, "--date", "soon"), "--date soon"),
    (("publish-result", "weights.json", "--dataset", "my/news", "--task", "t"), "weights.json is not what score.py"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, content in BYTES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "data.json").write_text("{", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_usage_is_one_line(folder, arguments, message):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2, result.exception
    *notes, last = result.stderr.splitlines()
    assert last.startswith("error: ") and message in last and all(line.startswith("note: ") for line in notes)


DEFECTIVE = """
import sys
import textgauge
from textgauge.programs.commands.{command} import app
from textgauge.programs.scoring.console import run

def statistics(**_):
    raise {error}("operands could not be broadcast together")

type(textgauge.load("cer"))._statistics = staticmethod(statistics)
run(app)
"""


@pytest.mark.parametrize(
    ("command", "error"), [("score", "ValueError"), ("compare", "ValueError"), ("score", "KeyError")]
)
def test_a_defect_is_a_traceback(folder, command, error):
    """With the command to report, and neither exit code 1, a verdict, nor 2, which is bad input."""
    (folder / "c d.txt").write_text("하나\n넷\n", encoding="utf-8")
    (folder / "defective.py").write_text(DEFECTIVE.format(command=command, error=error), encoding="utf-8")
    arguments = ["-p", "a.txt", "-p", "c d.txt", "-r", "b.txt", "-m", "cer"]
    run = subprocess.run(
        [sys.executable, "defective.py", *arguments], capture_output=True, encoding="utf-8", cwd=folder
    )
    *above, last = run.stderr.splitlines()
    assert run.returncode == DEFECT and DEFECT not in (0, 1, 2)
    assert above[0] == "Traceback (most recent call last):" and "operands could not" in above[-1]
    assert last.endswith(f": {shlex.join(['defective.py', *arguments])}") and "defect" in last
    assert f"\n| {DEFECT} | the program itself failed" in (ROOT / "docs" / "results.md").read_text(encoding="utf-8")


def test_a_user_s_error_is_no_message(folder):
    """A script of one's own that raises a ValueError is what its writer wants to see whole."""
    result = CliRunner().invoke(app, [*SCORE, "-m", "cer"])
    assert result.exit_code == 0
    with pytest.raises(ValueError, match="^my tokenizer$") as raised:
        textgauge.load("bleu").compute(predictions=["a"], references=["a"], tokenizer=own_tokenizer)
    assert not is_bad_input(raised.value)


def test_what_transformers_says_of_a_folder():
    with pytest.raises(InputError, match=r"^model_id is './m': Unrecognized model in ./m$"), loading("./m"):
        raise ValueError("Unrecognized model in ./m")


def own_tokenizer(text):
    raise ValueError("my tokenizer")


def test_kinds_of_errors():
    copy = {"__name__": "evaluate_modules.metrics.cer._core_errors"}
    exec(compile((ROOT / "textgauge/core/errors.py").read_text(encoding="utf-8"), "copy", "exec"), copy)
    for kind in (InputError, UnknownArgumentError):
        assert is_input_error(kind("x")) and is_input_error(copy[kind.__name__]("x"))
        assert copy["is_bad_input"](kind("x")) and not isinstance(copy[kind.__name__]("x"), InputError)
        again = pickle.loads(pickle.dumps(kind("predictions[0] is None")))
        assert type(again) is kind and str(again) == "predictions[0] is None"
        assert isinstance(again, ValueError)
    assert issubclass(UnknownArgumentError, TypeError)
    assert is_input_error(NotImplementedError("no sums"))
    for error in (ValueError("x"), TypeError("x"), KeyError("x"), RuntimeError("x"), ArithmeticError("x")):
        assert not is_bad_input(error)
    for error in (OSError("x"), FileNotFoundError("x"), ModuleNotFoundError("x")):
        assert is_bad_input(error) and not is_input_error(error)


def test_what_an_error_is_about():
    with pytest.raises(InputError, match="^cer, a: predictions is None$"), errors.input_errors_of("cer, a"):
        raise InputError("predictions is None")
    for kind in (ValueError, OSError):
        with pytest.raises(kind, match="^no axis$"), errors.input_errors_of("cer, a"):
            raise kind("no axis")


def test_a_space_brings_the_class_itself():
    for files in (app_files(), browser_files()):
        assert files["programs/errors.py"] == ROOT / "textgauge" / "core" / "errors.py"
        assert not any("textgauge/programs" in str(path) and path.name == "errors.py" for path in files.values())


def test_a_space_imports_nothing_of_the_package():
    """Its folder has the metric's modules under other names."""
    for place, path in {**app_files(), **browser_files()}.items():
        if path.suffix == ".py":
            assert not re.search(r"^ *(from|import) textgauge\b", path.read_text(encoding="utf-8"), flags=re.M), place


def test_the_page_answers_bad_input_and_fails_at_a_defect(monkeypatch):
    metric = textgauge.load("cer")
    session = Session(metric)
    values = [control["default"] for control in session.form([])["controls"]]
    question = json.dumps({"do": "score", "rows": [["\ud800", "a"]], "values": values})
    assert "predictions[0] (row 1) holds a lone surrogate" in json.loads(session.answer(question))["error"]

    def statistics(**_):
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setattr(type(metric), "_statistics", staticmethod(statistics))
    question = json.dumps({"do": "score", "rows": [["b", "a"]], "values": values})
    with pytest.raises(ValueError, match="operands"):
        session.answer(question)


def compared(*arguments):
    result = CliRunner().invoke(app, ["compare", "-p", "a.txt", "-p", "b.txt", "-r", "r.txt", *arguments])
    assert result.exit_code == 0, result.exception
    return result.stdout


def test_a_kind_of_error_that_one_system_lacks(folder):
    """The best system has no loops: without any it has the same rate."""
    (folder / "r.txt").write_text(f"{REFERENCE}\n비가 온다\n" * 8, encoding="utf-8")
    (folder / "a.txt").write_text(f"{REFERENCE[: len(REFERENCE) // 2]}\n비가 온다\n" * 8, encoding="utf-8")
    (folder / "b.txt").write_text(f"{REFERENCE}{' 네' * 30}\n눈이 온다\n" * 8, encoding="utf-8")
    said = compared("-m", "cer")
    assert "But with loops forgiven, b is significantly better than a (cer 0.0698 < 0.4651; p" in said
