"""What the commands print and draw, whole: one small corpus, each output as people see it, kept in data/outputs.

`OUTPUTS=write pytest tests/test_outputs.py` writes the files anew; read their difference before it is committed.
"""

import importlib
import inspect
import itertools
import json
import os
import re

import pytest
from conftest import METRICS, ROOT, load, write, write_jsonl
from typer.testing import CliRunner

from textgauge.__main__ import COMMANDS as COMMAND_MODULES
from textgauge.core.reserved import TAG
from textgauge.korean.notations import find_notations
from textgauge.korean.reading_trees import GAP, Notation
from textgauge.programs import commands
from textgauge.programs.commands import compare, score
from textgauge.programs.drawing.draw import draw, legend
from textgauge.programs.drawing.legends import LEGENDS
from textgauge.programs.drawing.scatter import scatter_html
from textgauge.programs.drawing.terminal import text_lines
from textgauge.programs.page import runtime
from textgauge.programs.page.session import Session
from textgauge.programs.scoring.explaining import explain_segment, explaining_options, texts_of

KEPT = ROOT / "tests" / "data" / "outputs"
REFERENCES = [
    "비가 와서 경기가 취소되었다", "버스는 5분 뒤에 옵니다", "저녁 7시에 만나요", "창문을 닫아 주세요",
    "여기 커피 두 잔이요", "길이 많이 막히네요", "내일은 눈이 온대요", "표는 어디서 사나요",
    "이 약은 식후에 드세요", "회의는 3시에 끝났다", "문이 잠겨 있어요", "감사합니다",
]  # fmt: skip
SYSTEMS = {
    "가_1": [
        "비가 와서 경기가 취소됐다", "버스는 5분 뒤에 옵니다", "저녁 7시에 만나요", "창문을 닫아 주세요",
        "여기 커피 두 잔이요", "길이 많이 막히네", "내일은 눈이 온대요", "표는 어디서 사나요",
        "이 약은 식전에 드세요", "회의는 3시에 끝났다", "문이 잠겨 있어요", "감사합니다",
    ],
    "b~2": [
        "비가 와서 경기가 취소되었다", "버스는 오분 뒤에 와요", "저녁 7시에 만나요", "창문 좀 닫아 주세요",
        "여기 커피 한 잔이요", "길이 막히네요", "내일은 눈이 온대요", "표는 어디에서 사요",
        "이 약은 식후에 드세요", "회의가 3시에 끝났다", "문이 잠겼어요", "고맙습니다",
    ],
    "c|~%": [
        "비 때문에 취소", "버스 옵니다", "저녁에 만나요", "창문",
        "커피 두 잔", "길이 막혀", "내일 눈", "표 어디",
        "약은 밥 먹고", "회의는 3시에 끝났다", "문이 열려 있어요", "",
    ],
}  # fmt: skip
HUMAN = {"가_1": [4, 5, 5, 5, 5, 4, 5, 5, 1, 5, 5, 5], "b~2": [5, 3, 5, 4, 2, 4, 5, 4, 5, 4, 3, 5]}
DOMAIN = ["말"] * 7 + ["news"] * 5
ASKED = [
    "-d", "d.jsonl", "--reference-column", "ref", "-m", "cer", "-m", "bleu:tokenizer=char,max_order=2", "-g", "domain",
    *itertools.chain.from_iterable(("--prediction-column", name) for name in SYSTEMS),
]  # fmt: skip
PEOPLE = [*itertools.chain.from_iterable(("--human-column", f"{name}=people {name}") for name in HUMAN)]
TWO = [*ASKED[:4], *ASKED[-4:], "-m", "cer"]
SPEECH = [*ASKED[:4], *ASKED[-6:-2], "-m", "cer:readings=ko,detailed=true", "-m", "wer:weights=w.tsv,detailed=true"]
# the second best system is the last one, each metric is led by another system, and the level is not the default
TURNED = [
    *ASKED[:4], "--prediction-column", "c|~%", "--prediction-column", "가_1", "--prediction-column", "b~2",
    "-m", "letters=cer:aggregate=mean", "-m", "medicine=cer:weights=z.tsv", "--confidence", "0.8",
]  # fmt: skip
COMMANDS = {
    **{f"score_{width}.txt": (score, [*ASKED, *PEOPLE, "--per-segment"], width) for width in (30, 50, 80)},
    **{f"compare_{width}.txt": (compare, ASKED, width) for width in (30, 50, 80, 105, 120, 200)},
    "compare.md": (compare, [*ASKED, "--baseline", "b~2", "--markdown", "-"], 80),
    "compare.tex": (compare, [*ASKED, "--latex", "-"], 80),
    "score.csv": (score, [*ASKED, *PEOPLE, "--csv", "-"], 80),
    "score_two.txt": (score, TWO, 80),
    "score_help.txt": (score, ["--help-metric", "nist"], 80),
    "explain.txt": (score, [*ASKED, "--explain", "9"], 80),
    "speech.txt": (score, [*SPEECH, "-m", "cer:preset=ksponspeech,conventions=all"], 100),
    "score_ko.txt": (score, [*ASKED, *PEOPLE, "--per-segment", "--explain", "9", "--language", "ko"], 80),
    "compare_ko.txt": (compare, [*ASKED, "--language", "ko"], 120),
    "speech_ko.txt": (score, [*SPEECH, "--language", "ko"], 100),
    "speech.html": (score, [*SPEECH, "--segments", "2", "--html", "-"], 80),
    "score.html": (score, [*ASKED, *PEOPLE, "--segments", "8", "--html", "-"], 80),
    "compare.html": (compare, [*ASKED, "--html", "-"], 80),
    "score_turned.txt": (score, [*TURNED, "--per-segment"], 120),
    "score_turned.html": (score, [*TURNED, "--segments", "8", "--html", "-"], 80),
    "compare_turned.txt": (compare, TURNED, 120),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_whole_outputs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    people = {f"people {system}": scores for system, scores in HUMAN.items()}
    columns = {**SYSTEMS, **people, "ref": REFERENCES, "domain": DOMAIN}
    write_jsonl("d.jsonl", *(dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)))
    write("z.tsv", "식후\t30")
    write("w.tsv", "버스\t5", "커피 두 잔\t.5", "없는 말\t2", "세요\t3")
    program, arguments, width = COMMANDS[name]
    monkeypatch.setenv("COLUMNS", str(width))
    shown = CliRunner().invoke(program.app, arguments)
    assert shown.exit_code == 0, shown.output
    # colours, styles, programs and versions of libraries aside
    text = re.sub(r"\x1b\[[0-9;]*m|<(style|script)\b.*?</\1>|<h2 id=.?made.*", "", shown.stdout, flags=re.S)
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("out.*"))
    compare_with_kept(name, text + written)


DRAWN = [name for name in METRICS if name not in ("human_correlation", "perplexity")]


@pytest.mark.parametrize("name", DRAWN)
def test_whole_drawings(name):
    """The first segment of each example of a metric's page, as HTML and for terminals of two widths."""
    metric, shown = load(name), []
    for example in json.loads((ROOT / "spaces" / name / "examples.json").read_text("utf-8")):
        columns, options = example["columns"], example.get("options", {})
        options = explaining_options(metric, options, columns)
        explanation, texts = explain_segment(metric, options, columns, 0), texts_of(columns, 0)
        drawing = draw(explanation, *texts)
        shown += [example["title"], drawing.html, *sorted(drawing.marks)]
        for width in (30, 80):
            shown += [
                "".join(text for text, _ in line) for line in text_lines(explanation, *texts[:2], width, texts[2])
            ]
    compare_with_kept(f"{name}.html", "\n".join(shown) + "\n")


@pytest.mark.filterwarnings("ignore:an interval takes at least 6")
@pytest.mark.parametrize("name", METRICS)
def test_whole_forms_of_pages(name):
    """What the page of a metric asks for, and the table and the files of its first example; texts for people aside."""
    session, examples = Session(load(name)), json.loads((ROOT / "spaces" / name / "examples.json").read_text("utf-8"))
    form = session.form(examples)
    controls = {f"control {control.pop('name')}": {**control, "help": None} for control in form.pop("controls")}
    first = session.example(examples[0]) if name != "perplexity" else {"scored": {}}  # which needs a model
    scored = {f"scored {key}": value for key, value in first["scored"].items() if key not in ("html", "json")}
    kept = {**form, **controls, **{key: value for key, value in first.items() if key != "explanations"}, **scored}
    lines = [f"{key} {json.dumps(value, ensure_ascii=False)}\n" for key, value in kept.items() if key != "scored"]
    compare_with_kept(f"page_{name}.txt", "".join(lines))


def test_the_whole_runtime():
    kept = {"files": runtime.FILES, "described": runtime.described("https://host/")}
    compare_with_kept("page_runtime.json", json.dumps(kept, indent=1, default=list) + "\n")


def test_whole_scatter_plots():
    metric, shown = load("human_correlation"), []
    for example in json.loads((ROOT / "spaces/human_correlation/examples.json").read_text("utf-8")):
        columns, options = example["columns"], example.get("options", {})
        shown += [example["title"], scatter_html(metric, columns, options, metric.compute(**columns, **options))]
    compare_with_kept("human_correlation.html", "\n".join(shown) + "\n")


def test_the_whole_legend():
    compare_with_kept("legend.html", legend(LEGENDS).replace("<span>", "\n<span>") + "\n")


def test_readings_of_each_form():
    """A line is a text and its notations, `_` a blank that may be missing, `!` a reading that no text equals.

    To add a text, add a line.
    """
    written = [line.split("\t")[0] for line in (KEPT / "readings.txt").read_text(encoding="utf-8").splitlines()]
    lines = ["\t".join([text, *map(as_piece, find_notations(text))]) for text in written]
    compare_with_kept("readings.txt", "\n".join(lines) + "\n")


def as_piece(piece):
    return f"{piece.kind} {as_line(piece.tree)}" if isinstance(piece, Notation) else piece


def as_line(tree):
    if tree == GAP:
        return "_"
    if isinstance(tree, str):
        text, _, tag = tree.partition(TAG)
        return text + tag[:1].strip() + (f"<{tag[1:]}>" if re.search("[ 가-힣]", tag[1:]) else "")
    kind, parts = tree
    return "".join(map(as_line, parts)) if kind == "seq" else "{" + "|".join(map(as_line, parts)) + "}"


def compare_with_kept(name, text):
    text = re.sub(r"\|v[\d.]+", "|v", text)  # that of the suite, in signatures
    text = re.sub(r"textgauge \d[\w.+-]*", "textgauge", text)  # that of the package, behind them
    # processors differ in the last digits of what they add up
    text = re.sub(r"\d+\.\d{11,}(e-\d+)?", lambda number: f"{float(number[0]):.10g}", text)
    path = KEPT / name
    if os.environ.get("OUTPUTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.exists() and text == path.read_text(encoding="utf-8"), "OUTPUTS=write pytest tests/test_outputs.py"


@pytest.mark.parametrize("stem", COMMAND_MODULES.values())
def test_options_of_a_command(stem):
    """Their names, defaults and limits."""
    app = importlib.import_module(f"{commands.__name__}.{stem}").app
    lines = [line for command in app.registered_commands for line in described(command.callback)]
    compare_with_kept(f"options_{stem}.txt", "\n".join(lines) + "\n")


def described(callback):
    """Yields a line for each option of a command."""
    for name, parameter in inspect.signature(callback, eval_str=True).parameters.items():
        for info in getattr(parameter.annotation, "__metadata__", ()):
            limits = [f"{end}={getattr(info, end)}" for end in ("min", "max") if getattr(info, end) is not None]
            default = "required" if parameter.default is parameter.empty else parameter.default
            yield " ".join([*(info.param_decls or [name]), str(default), *limits])
