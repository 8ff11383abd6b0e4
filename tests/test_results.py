"""compare.py --results: whether results that were kept can be compared, and what in their signatures differs."""

import json
import re

import pytest
from conftest import write
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    write("a.txt", "가 나", "다 라")
    write("b.txt", "가", "다 마")
    write("gold.txt", "가 나", "다 라 마")


def keep(path, system, *specs):
    metrics = [word for spec in specs for word in ("-m", spec)]
    files = ["-p", f"{system}.txt", "-r", "gold.txt"]
    assert CliRunner().invoke(score.app, [*files, *metrics, "--json", path]).exit_code == 0


def asked(*paths):
    return CliRunner().invoke(compare.app, [word for path in paths for word in ("--results", path)])


def test_one_definition():
    """Of one system each, a file names it."""
    keep("x.json", "a", "cer:seed=1", "wer")
    keep("y.json", "b", "cer:seed=1", "wer")
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0, shown.output
    rows = [line.split() for line in shown.stdout.splitlines() if line.startswith(("x.json:", "y.json:"))]
    assert rows == [["x.json:", "a", "0.2000", "0.2000"], ["y.json:", "b", "0.4000", "0.4000"]]
    said = "Of one definition and the same references, and so comparable: cer seed=1, wer. Whether a difference is"
    assert said in shown.stdout
    assert "!" not in shown.stdout


def test_what_changes_no_score():
    keep("x.json", "a", "cer:seed=1,resamples=50,confidence=0.9")
    keep("y.json", "b", "cer")
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0 and "and so comparable: score." in shown.stdout


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (
            ("cer", "cer:preset=jiwer"),
            ["spaces is remove in x.json: a, keep in y.json: b", "special is remove in x.json: a, keep in y.json: b"],
        ),
        (
            ("wer", "cer"),
            ["metric is wer in x.json: a, cer in y.json: b", "tok is whitespace in x.json: a, none in y.json: b"],
        ),
        (
            ("bleu:tokenizer=char", "bleu:smooth=exp"),
            ["tok is char in x.json: a, 13a in y.json: b", "smooth is none in x.json: a, exp in"],
        ),
    ],
)
def test_what_differs_comes_first(specs, said):
    """Whatever the options are called in labels."""
    keep("x.json", "a", specs[0])
    keep("y.json", "b", specs[1])
    shown = asked("x.json", "y.json")
    lines = shown.stdout.splitlines()
    assert shown.exit_code == 1
    for line, expected in zip(lines, said, strict=False):
        assert line.startswith(f"score cannot be compared: {expected}"), shown.stdout
    assert "!: of several definitions, or of other references." in shown.stdout and "comparable:" not in shown.stdout


def test_some_scores_of_several():
    """Versions of the table of readings; scores that only one has are named, and other clusters make no other data."""
    keep("x.json", "a", "cer:readings=ko", "wer", "ter")
    keep("y.json", "b", "cer:readings=ko", "wer")
    with open("y.json", encoding="utf-8") as file:
        kept = json.load(file)
    [of_b] = kept["systems"].values()
    of_b["cer readings=ko"]["signature"] = of_b["cer readings=ko"]["signature"].replace(
        "readings:ko[4]", "readings:ko[2]"
    )
    of_b["wer"]["units"] = 9
    write("y.json", json.dumps(kept))
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 1
    assert shown.stdout.splitlines()[:2] == [
        "cer readings=ko cannot be compared: readings is ko[4] in x.json: a, ko[2] in y.json: b",
        "system     cer readings=ko     wer",
    ]
    assert shown.stdout.count(" !") == 3 and "Only some have ter." in shown.stdout


def test_other_references():
    """Scores of one definition, of the same outputs: only the data tell that they say nothing of one another."""
    keep("x.json", "a", "cer")
    write("gold.txt", "아 자", "차")
    keep("y.json", "a", "cer")
    shown = asked("x.json", "y.json")
    first, _, _, *rows, last = shown.stdout.splitlines()
    assert shown.exit_code == 1
    assert re.fullmatch("other references: [0-9a-f]{12} in x.json: a, [0-9a-f]{12} in y.json: a", first)
    assert [row[-1] for row in rows] == ["!", "!"]
    assert last.startswith("!: of several definitions, or of other references. Whether")


def test_the_same_in_another_order():
    keep("x.json", "a", "cer")
    write("a.txt", "다 라", "가 나")
    write("gold.txt", "다 라 마", "가 나")
    keep("y.json", "a", "cer")
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("the same references in another order: ") and "so comparable: score." in shown.stdout


def test_outputs_of_another_system():
    """Of one name, as a file that was written anew has it; of two names they are expected."""
    keep("x.json", "a", "cer")
    write("a.txt", "가", "다")
    keep("y.json", "a", "cer")
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0
    said = "outputs of another system: x.json: a and y.json: a have the same system name and different outputs"
    assert shown.stdout.splitlines()[0] == said


def test_older_results():
    """What they are of is unknown, and they are not refused; what is known of others is said."""
    keep("x.json", "a", "cer")
    keep("y.json", "b", "cer")
    with open("x.json", encoding="utf-8") as file:
        kept = json.load(file)
    del kept["data"]
    write("x.json", json.dumps(kept))
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("data unknown: an older version wrote x.json: a, without digests of the data")
    assert "Of one definition: score. Whether they are of the same references is unknown." in shown.stdout
    write("gold.txt", "아 자", "차")
    keep("z.json", "b", "cer")
    shown = asked("x.json", "y.json", "z.json")
    assert shown.exit_code == 1 and shown.stdout.startswith("other references: unknown in x.json: a, ")


def test_clusters_change_no_score():
    keep("x.json", "a", "cer")
    write("c.txt", "1", "1")
    files = ["-p", "b.txt", "-r", "gold.txt", "-m", "cer", "--column", "clusters=c.txt", "--json", "y.json"]
    assert CliRunner().invoke(score.app, files).exit_code == 0
    shown = asked("x.json", "y.json")
    assert shown.exit_code == 0 and "so comparable: score." in shown.stdout


def test_files_of_one_name(tmp_path):
    (tmp_path / "old").mkdir()
    keep("x.json", "a", "cer")
    keep("old/x.json", "a", "cer")
    shown = asked("x.json", "old/x.json")
    assert shown.exit_code == 0 and "x.json: a" in shown.stdout and "old/x.json: a" in shown.stdout


def test_systems_of_one_file():
    files = ["-p", "a.txt", "-p", "b.txt", "-r", "gold.txt", "-m", "cer", "--json", "x.json"]
    assert CliRunner().invoke(score.app, files).exit_code == 0
    shown = asked("x.json")
    assert shown.exit_code == 0 and [
        line.split()[0] for line in shown.stdout.splitlines() if line[:2] in ("a ", "b ")
    ] == ["a", "b"]


def test_what_is_refused():
    keep("x.json", "a", "cer")
    keep("y.json", "b", "wer", "ter")
    keep("z.json", "b", "bleu", "chrf")
    for arguments, message in (
        (["--results", "x.json"], "x.json has one system; a comparison needs two"),
        (["--results", "y.json", "--results", "z.json"], "the results have no score in common: wer, ter, bleu, chrf"),
        (["--results", "a.txt"], "a.txt is not what score.py or compare.py writes with --json"),
        (["--results", "x.json", "-p", "a.txt", "--html", "r.html"], "leave out --predictions, --html"),
        (["--results", "x.json", "--results", "x.json"], "--results x.json is given twice"),
    ):
        shown = CliRunner().invoke(compare.app, arguments)
        assert shown.exit_code == 2 and message in shown.stderr, shown.output
