"""--percent: scores that are fractions times 100 wherever people read them, and fractions in files of data."""

import json
import math
import re

import pytest
import yaml
from conftest import METRICS, load, write
from typer.testing import CliRunner

from textgauge.programs.commands import compare, publish_result, score, verify
from textgauge.programs.scoring.percent import is_fraction, times_100

REFERENCES = [
    "고양이가 방에서 잠을 잔다",
    "개가 마당에서 짖는다",
    "비가 온다",
    "눈이 온다",
    "해가 뜬다",
    "달이 진다",
] * 2
OLD = ["고양이가 방에서 잔다", "개가 짖는다", "비가 와", "눈이 와", "해가 뜬다", "달이 졌다"] * 2
NEW = ["고양이가 방에서 잠을 잔다", "개가 마당에서 짖는다", "비가 온다", "눈이 와", "해가 뜬다", "달이 졌다"] * 2
SYSTEMS = ["-p", "old.txt", "-p", "new.txt", "-r", "ref.txt"]
METRICS_ASKED = ["-m", "cer", "-m", "nist", "-m", "cider:tokenizer=char"]
NOTE = {"en": "in percent: cer", "ko": "백분율로 나타냄: cer"}


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Returns a function that runs a command on three files of lines."""
    monkeypatch.chdir(tmp_path)
    for name, lines in (("old", OLD), ("new", NEW), ("ref", REFERENCES)):
        write(f"{name}.txt", *lines)
    return lambda command, *arguments: CliRunner().invoke(command.app, [*SYSTEMS, *METRICS_ASKED, *arguments])


def test_which_scores_are_fractions():
    """By their usual range, which each metric says."""
    others = {name for name in METRICS if not is_fraction(load(name))}
    assert others == {"nist", "cider", "perplexity", "human_correlation"}
    assert times_100([0.5, math.inf, None, True]) == [50, math.inf, None, True] and math.isnan(times_100(math.nan))


@pytest.mark.parametrize("language", NOTE)
def test_score_prints_percent(asked, language, tmp_path):
    files = ["--json", "p.json", "--csv", "p.csv", "--html", "p.html", "--fail-below", "cer=0.5"]
    shown = asked(score, "--percent", "--language", language, "--per-segment", *files)
    plain = asked(score, "--language", language, "--json", "f.json", "--per-segment", "--csv", "f.csv")
    assert shown.exit_code == 0 and NOTE[language] in shown.stdout and NOTE[language] not in plain.stdout
    for suffix in ("csv", "json"):
        ours, others = ((tmp_path / f"{stem}.{suffix}").read_text("utf-8") for stem in "pf")
        assert ours.replace(',\n  "failures": []', "") == others
    results = json.loads((tmp_path / "p.json").read_text("utf-8"))["systems"]["old"]
    low, high = results["cer"]["confidence_interval"]
    cell = f"{100 * results['cer']['cer']:.2f} [{100 * low:.2f}, {100 * high:.2f}]"
    assert cell in shown.stdout and f"{results['nist']['nist']:.4f} [" in shown.stdout
    report = (tmp_path / "p.html").read_text("utf-8")
    assert f"{100 * results['cer']['cer']:.2f}" in report and NOTE[language] in report


@pytest.mark.parametrize("language", NOTE)
def test_compare_prints_percent(asked, language, tmp_path):
    files = ["--json", "p.json", "--markdown", "p.md", "--latex", "p.tex", "--html", "p.html"]
    shown = asked(compare, "--percent", "--language", language, *files)
    asked(compare, "--language", language, "--json", "f.json")
    ours, others = ((tmp_path / f"{stem}.json").read_text("utf-8") for stem in "pf")
    assert ours == others
    by_cer, by_nist = (next(c for c in json.loads(ours)["comparisons"] if c["metric"] == m) for m in ("cer", "nist"))
    difference, low = by_cer["difference"], by_cer["confidence_interval"][0]
    p = f"{by_cer['p_randomization']:.4f}"
    for text in (shown.stdout, *((tmp_path / f"p.{suffix}").read_text("utf-8") for suffix in ("md", "tex"))):
        assert f"{100 * difference:+.2f}" in text and f"{100 * low:.2f}" in text and NOTE[language] in text
        assert f"{by_nist['difference']:+.4f}" in text and p in text
    sentence = f"cer {'−' if difference < 0 else '+'}{abs(100 * difference):.2f}"
    assert sentence in shown.stdout and sentence in re.sub(r"<[^>]+>", "", (tmp_path / "p.html").read_text("utf-8"))


def test_a_published_score_in_percent_is_verified(asked, tmp_path):
    asked(score, "--json", "r.json")
    result = json.loads((tmp_path / "r.json").read_text("utf-8"))["systems"]["old"]
    asked_for = ["r.json", "--dataset", "a/b", "--task", "c", "--system", "old", "--percent"]

    def published(*arguments):
        return CliRunner().invoke(publish_result.app, [*asked_for, *arguments])

    text = published("--score", "cer").stdout
    [entry] = yaml.safe_load(text)
    assert entry["value"] == pytest.approx(100 * result["cer"]["cer"]) and len(str(entry["value"])) < 20
    assert entry["notes"].startswith("in percent: cer|")
    (tmp_path / "r.yaml").write_text(text, "utf-8")
    found = CliRunner().invoke(verify.app, ["r.yaml", "-p", "old.txt", "-r", "ref.txt"])
    assert found.exit_code == 0 and found.stdout.startswith("equal"), found.output
    for arguments, name in ((["--score", "nist"], "nist"), (["--score", "cer", "--key", "edits"], "edits")):
        refused = published(*arguments)
        assert refused.exit_code == 2 and f"--percent: {name} is not a fraction" in refused.stderr


def test_what_is_no_score_has_four_decimals(asked, tmp_path):
    """In a report the means of segments are in percent, and so are the scores of runs; an explanation is as it is."""
    data = ["-d", "d.jsonl", "--prediction-column", "p", "--reference-column", "r", "--percent"]
    rows = zip(NEW, OLD, strict=True)
    lines = [json.dumps({"p": p, "r": r}, ensure_ascii=False) for p, r in rows]
    write("d.jsonl", *lines)
    shown = CliRunner().invoke(score.app, [*data, "-m", "meteor", "--explain", "1", "--html", "p.html"])
    assert re.search(r"precision \d\.\d{4}, recall \d\.\d{4}", shown.stdout), shown.output
    means = re.findall(r'data-other="평균 [^"]*">mean ([^<]*)<', (tmp_path / "p.html").read_text("utf-8"))
    assert means and all(re.fullmatch(r"\d\d\.\d\d", mean) for mean in means)
    runs = ["-p", "old=old.txt", "-p", "old=new.txt", "-p", "new=new.txt", "-p", "new=ref.txt", "-r", "ref.txt"]
    compared = CliRunner().invoke(compare.app, [*runs, "-m", "cer", "--percent"])
    results = [100 * load("cer").compute(predictions=texts, references=REFERENCES)["cer"] for texts in (NEW, OLD)]
    assert re.search(rf"cer +old +{results[0]:.2f} +{results[1]:.2f}\b(?!\d)", compared.stdout), compared.output
