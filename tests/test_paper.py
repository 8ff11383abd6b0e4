"""The table of scores as papers print it, of score.py and compare.py, in Markdown and LaTeX."""

import json
import re
import shutil
import subprocess

import pytest
from conftest import write
from test_percent import NEW, OLD, REFERENCES
from typer.testing import CliRunner

import textgauge
from textgauge.programs.commands import compare, score

FILES = ["-p", "new_1.txt", "-p", "old%.txt", "-p", "same.txt", "-r", "ref.txt"]
SYSTEMS = [*FILES, "-m", "cer", "-m", "bleu:tokenizer=char"]
ROUGE = "rouge:tokenizer=char,rouge_types=rougeL,"
MORE = ["-m", ROUGE, "-m", "ibleu:tokenizer=char,alpha=0.1", "-c", "sources=old%.txt"]
PROGRAM = f"textgauge {textgauge.__version__}"
NOTES = {
    "en": ("* differs significantly from old%", "in percent: CER, BLEU char"),
    "ko": ("* old%와(과) 유의하게 다름", "백분율로 나타냄: CER, BLEU char"),
}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Returns a function that runs a command on three systems, of which two are equal, and returns what it prints."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("new_1", NEW), ("old%", OLD), ("same", OLD), ("ref", REFERENCES)):
        write(f"{name}.txt", *lines, *lines)

    def output(command, *arguments):
        result = CliRunner().invoke(command.app, [*SYSTEMS, *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    return output


@pytest.mark.parametrize("command", [score, compare])
@pytest.mark.parametrize("language", NOTES)
def test_the_markdown_table(asked, command, language):
    shown = asked(command, "--language", language, "--markdown", "-", *MORE).replace("\\", "")
    kept = json.loads(asked(command, "--json", "-", *MORE))["systems"]
    heading, _, first, second, third, *below = shown[shown.index("| ") :].splitlines()
    assert heading.split(" | ")[1:] == ["CER ↓", "BLEU char", "ROUGE-L char", "iBLEU char alpha=0.1 |"]
    cells = first.removeprefix("| new_1 | ").split(" | ")
    rank = {"en": "#1", "ko": "1위"}[language]
    assert cells[0] == f"**{kept['new_1']['cer']['cer']:.4f}** {rank}" and cells[1].endswith(f"** {rank}")
    negative = kept["same"]["ibleu char alpha=0.1"]["ibleu"]
    assert negative < 0 and f"−{-negative:.4f}" in third and "*" not in second + third and second.count("2") >= 4
    assert f"- {kept['new_1']['cer']['signature']} | {PROGRAM}" in below
    assert any(line.startswith(f"- {rank}") for line in below)


@pytest.mark.parametrize("language", NOTES)
def test_marks_against_a_baseline_and_percent(asked, language):
    arguments = ["--language", language, "--baseline", "old%", "--percent", "--markdown", "-"]
    shown = asked(compare, *arguments).replace("\\", "")
    first, second, third = shown[shown.index("| ") :].splitlines()[2:5]
    assert len(re.findall(r"\| \*\*\d+\.\d\d\*\*\* (?=\|)", first)) == 2 and "*" not in second + third
    assert all(f"- {note}" in shown for note in NOTES[language])


@pytest.mark.parametrize("command", [score, compare])
def test_the_latex_table(asked, command):
    text = asked(command, "--latex", "-", *MORE)
    table = text[text.index(r"\begin{table}") : text.index(r"\end{table}")]
    assert r"system & CER $\downarrow$ & BLEU char & " in table
    assert re.search(r"new\\_1 & 0\.\d{4}\\rlap\{\*\} & ", table) and r"old\% & " in table and " & $-$0." in table
    assert table.count(r"\texttt{") == 4 and "* significantly better" in table.replace(r"\rlap{*}", "*")
    assert rf"v1.0 \textbar{{}}\allowbreak{{}} {PROGRAM}}}" in table


def test_one_system_has_no_marks(tmp_path, monkeypatch, asked):
    result = CliRunner().invoke(
        score.app, ["-p", "same.txt", "-r", "ref.txt", "-m", "cer", "--markdown", "-", "--stream"]
    )
    assert "\\*" not in result.stdout and "| same | 0." in result.stdout


LATEX = next(filter(shutil.which, ("xelatex", "lualatex", "pdflatex")), None)


@pytest.mark.skipif(LATEX is None, reason="needs xelatex, lualatex or pdflatex")
@pytest.mark.parametrize("command", [score, compare])
def test_the_latex_compiles(asked, command, tmp_path):
    table = asked(command, "--latex", "-", *MORE)
    page = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}", table, r"\end{document}"]
    (tmp_path / "page.tex").write_text("\n".join(page), encoding="utf-8")
    made = subprocess.run([LATEX, "-interaction=nonstopmode", "-halt-on-error", "page.tex"], capture_output=True)
    assert made.returncode == 0 and (tmp_path / "page.pdf").stat().st_size > 0, made.stdout.decode()


def test_a_star_in_a_name_is_no_mark(asked):
    write("A*.txt", *OLD, *OLD)
    files = ["-p", "A*.txt", "-r", "ref.txt", "-m", "cer"]
    texts = [CliRunner().invoke(score.app, [*files, f"--{form}", "-"]).stdout for form in ("latex", "markdown")]
    assert "A* & 0." in texts[0] and "rlap" not in texts[0]
    assert r"| A\* | 0." in texts[1] and texts[1].count("*") == 1


def test_the_best_of_equal_systems_has_no_mark(asked):
    write("twin.txt", *NEW, *NEW)
    files = ["-p", "twin.txt", "-p", "new_1.txt", "-p", "old%.txt", "-r", "ref.txt", "-m", "cer"]
    for command in (score, compare):
        assert "rlap" not in CliRunner().invoke(command.app, [*files, "--latex", "-"]).stdout
    assert "rlap" in CliRunner().invoke(score.app, [*files[2:], "--latex", "-"]).stdout
