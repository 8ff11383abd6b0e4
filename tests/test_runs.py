"""compare.py: several runs of one system, scored together, and how far their scores spread."""

import math

import numpy as np
import pytest
from conftest import load, write
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from score_files import Page
from test_compare_script import QUICK, REFERENCES, texts
from test_ranks import content as content
from test_ranks import run as run
from typer.testing import CliRunner

from textgauge.programs.commands import score
from textgauge.programs.comparing.runs import interval_of_runs
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus

METRICS = ["-r", "ref.txt", "-m", "bleu:tokenizer=char", "-m", "cer"]


def runs_of(count, *systems):
    """Writes outputs of so many runs, and returns the options that name them."""
    names = [(system, f"{system}{number}.txt") for number in range(count) for system in systems]
    for seed, (_, name) in enumerate(names, start=10):
        write(name, *texts(seed, 0.2 + seed / 100))
    return [option for system, name in names for option in ("-p", f"{system}={name}")]


def scores_of(name, *seeds, **options):
    """Returns the score of the outputs of some runs as one corpus."""
    predictions = [text for seed in seeds for text in texts(seed, 0.2 + seed / 100)]
    return load(name).compute(predictions=predictions, references=REFERENCES * len(seeds), **options)[name]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9), st.sampled_from([0.68, 0.95, 0.99]))
def test_intervals_of_runs(scores, confidence):
    found = interval_of_runs(scores, confidence)
    if len(scores) < 5:
        assert all(map(math.isnan, found))
    elif np.std(scores) > 1e-9:
        wanted = stats.t.interval(confidence, len(scores) - 1, np.mean(scores), stats.sem(scores))
        assert found == pytest.approx(wanted, abs=1e-9)


def test_an_infinite_run_has_no_interval():
    assert all(map(math.isnan, interval_of_runs([0.1, 0.2, math.inf, 0.3, 0.4], 0.95)))


def test_runs_are_scored_together(run, content):
    found = content(*runs_of(2, "base", "new"), *METRICS)
    base = found["systems"]["base"]
    assert base["bleu char"]["bleu"] == pytest.approx(scores_of("bleu", 10, 12, tokenizer="char"), abs=1e-12)
    of_runs = found["runs"]["base"]
    assert of_runs["cer"]["scores"] == pytest.approx([scores_of("cer", seed) for seed in (10, 12)], abs=1e-12)
    assert base["cer"]["cer"] == pytest.approx(np.mean(of_runs["cer"]["scores"]), abs=1e-12)  # one length of references
    assert of_runs["cer"]["confidence_interval"] == [None, None] and found["comparisons"][0]["units"] == 30


def test_equal_runs_say_what_one_says(run, content):
    """As many rows more weigh nothing, and the order of runs says nothing."""
    options = runs_of(2, "base", "new")
    turned = [*options[4:], *options[:4]]
    for name in ("base", "new"):
        with open(f"{name}0.txt", encoding="utf-8") as file:
            write(f"{name}_copy.txt", *file.read().splitlines())
    one = content("-p", "base=base0.txt", "-p", "new=new0.txt", *METRICS)
    both = content(*options[:4], "-p", "base=base_copy.txt", "-p", "new=new_copy.txt", *METRICS)
    other, another = content(*options, *METRICS), content(*turned, *METRICS)
    assert "runs" not in one and both["runs"] and other["comparisons"] != one["comparisons"]
    assert both["comparisons"] == one["comparisons"] and another["comparisons"] == other["comparisons"]


@pytest.mark.parametrize("count", [2, 5])
def test_runs_in_every_output(run, content, tmp_path, count):
    options = [*runs_of(count, "base", "new"), *METRICS]
    shown = run(*options, *QUICK, "--markdown", "t.md", "--latex", "t.tex", "--html", "r.html")
    source, markdown, latex = ((tmp_path / name).read_text(encoding="utf-8") for name in ("r.html", "t.md", "t.tex"))
    said = f"base: {count} runs, new: {count} runs\n"
    assert shown.stdout.startswith(said) and markdown.startswith(said) and latex.startswith(f"% {said}")
    scores = content(*options)["runs"]["new"]["cer"]
    values = [min(scores["scores"]), max(scores["scores"])]
    if count == 5:
        values += [np.mean(scores["scores"]), *scores["confidence_interval"]]
    for text in (shown.stdout, Page(source).text, markdown, latex):
        assert said.strip() in text and ("over seeds (Student" in text) == (count == 5)
        assert all(f"{value:.4f}" in text for value in values)
        assert "an interval over seeds needs 5 runs" in text or count == 5
    assert f"base: {count}회 실행" in source


def test_one_run_says_nothing_of_seeds(run):
    shown = run(*runs_of(1, "base", "new"), *METRICS, *QUICK).stdout
    assert "one run of each system: intervals and p do not include the variation between training seeds" in shown
    assert "1 run" not in shown.splitlines()[0] and "lowest" not in shown


def test_a_bad_line_of_any_run_is_named(run, tmp_path):
    options = runs_of(2, "base", "new")
    write("new1.txt", *["", *texts(1)[1:]])
    assert "new1.txt, line 1: the line is empty or NaN" in run(*options, *METRICS, *QUICK).stderr
    write("new1.txt", "a")
    assert "base0.txt has 30 lines and new1.txt 1" in run(*options, *METRICS).stderr


BAD = {
    "other numbers": (
        ["base=a.txt", "base=b.txt", "new=나쁜.txt"],
        "the same number of runs; base has 2",
    ),
    "a file twice": (["base=a.txt", "base=a.txt", "new=b.txt"], "base=a.txt is given twice; pass a different file"),
    "no name": (["a.txt", "x/a.txt"], "two systems are called 'a'; name this one: NAME=x/a.txt"),
    "a name that a file has": (["a.txt", "a=b.txt"], "two systems are called 'a'; name this one: NAME=b.txt"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_run(name, run):
    given, message = BAD[name]
    failed = run(*(option for path in given for option in ("-p", path)), "-r", "ref.txt")
    assert failed.exit_code == 2 and message in failed.stderr


@pytest.mark.parametrize("further", [[], ["--stream"]])
def test_score_takes_no_runs(run, further):
    failed = CliRunner().invoke(score.app, ["-p", "x=a.txt", "-p", "x=b.txt", "-r", "ref.txt", *further])
    assert failed.exit_code == 2 and "x=... is given twice; compare.py takes runs of a system" in failed.stderr


def test_the_first_run_is_that_of_a_system():
    columns = [FileColumn("", [text], "", "line", [1]) for text in "xy"]
    corpus = Corpus("", {"a": columns[0]}, {}, {}, "", runs={"a": columns})
    assert corpus.columns_of(load("bleu"), "a")["predictions"] == ["x"]
    assert corpus.columns_of(load("bleu"), "a", 1)["predictions"] == ["y"]
