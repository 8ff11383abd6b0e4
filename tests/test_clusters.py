"""Segments that belong together, in score.py and compare.py: the bootstrap and the tests draw whole clusters."""

import itertools
import json

import numpy as np
import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.reporting.clusters import intraclass_correlation
from textgauge.programs.saying.values import dump_json

GOLD = ["고양이가 잔다", "개가 짖는다", "새가 난다", "비가 온다", "눈이 온다", "해가 뜬다"]
SYSTEMS = {
    "a": ["고양이는 잔다", "개는 짖었다", "새가 난다", "비가 왔다", "눈이 온다", "달이 뜬다"],
    "b": ["고양이가 잔다", "개가 짖었다", "새가 나네", "비가 온다", "눈이 온다", "해가 뜬다"],
}
CLUSTERS = ["x", "x", "y", "z", "z", "z"]
ASKED = ["-d", "d.jsonl", "--prediction-column", "a", "--prediction-column", "b", "--reference-column", "gold"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Returns a function that runs a script on the six segments with clusters, and returns its result."""
    monkeypatch.chdir(tmp_path)
    columns = {**SYSTEMS, "gold": GOLD, "story": CLUSTERS}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    (tmp_path / "d.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return lambda script, *more: CliRunner().invoke(
        script.app, [*ASKED, "--column", "clusters=story", "-m", "cer", *more]
    )


def test_labels_that_differ_in_a_nul_are_different():
    """numpy's own strings end before one; 1 and "1" are the same cluster, also for the signature."""
    texts, plain = {"predictions": SYSTEMS["a"], "references": GOLD, "confidence": 0.95}, ["x", "y", "z", "z", "u", "v"]
    cer = load("cer")
    wanted = cer.compute(**texts, clusters=plain)
    nul = ["x", "x\0", "x\0\0", "x\0\0", "xx", "y"]
    long = [f"document number {number}" for number in (11, 12, 13, 13, 14, 15)]
    assert cer.compute(**texts, clusters=long) == cer.compute(**texts, clusters=["a", "b", "c", "c", "d", "e"])
    assert cer.compute(**texts, clusters=nul) == cer.compute(**texts, clusters=["a", "b", "c", "c", "d", "e"])
    assert wanted["cer"] == cer.compute(**texts)["cer"]
    assert "clusters:custom(2)" in cer.signature(confidence=0.9, clusters=[1, "1", 2])
    scores = [0.1, 0.2, 0.9, 0.8]
    assert intraclass_correlation(scores, ["x", "x", "x\0", "x\0"]) == intraclass_correlation(scores, [*"xxyy"])


def test_labels_of_systems_may_differ_in_a_nul():
    columns = {"predictions": [1.0, 2, 3, 1, 3, 2], "references": [1.0, 3, 2, 2, 3, 1]}
    found = [
        load("human_correlation").compute(**columns, systems=[*first * 3, *second * 3], averaging="system")
        for first, second in ((["a"], ["b"]), (["a"], ["a\0"]))
    ]
    assert found[0] == found[1]


def test_intervals_are_those_of_compute(run):
    result = json.loads(run(score, "--json", "-").stdout)
    for system, predictions in SYSTEMS.items():
        expected = load("cer").compute(predictions=predictions, references=GOLD, confidence=0.95, clusters=CLUSTERS)
        found = result["systems"][system]["cer"]
        found.pop("errors", None)
        expected = json.loads(dump_json(expected))
        assert found == {**expected, "signature": found["signature"]} and expected["units"] == 3
        assert "clusters:custom(3)" in found["signature"]


def test_whole_clusters_are_swapped(run):
    """The p-value counts all eight ways to swap the clusters of two systems."""
    result = json.loads(run(compare, "--json", "-").stdout)
    (found,) = result["comparisons"]
    rows = np.stack([load("cer").statistics(predictions=texts, references=GOLD) for texts in SYSTEMS.values()])
    sums = np.stack([rows[:, [c == name for c in CLUSTERS]].sum(1) for name in "xyz"], axis=1)
    differences = []
    for swapped in itertools.product([False, True], repeat=3):
        order = np.where(swapped, 1, 0)
        sides = [sums[order, range(3)].sum(0), sums[1 - order, range(3)].sum(0)]
        differences.append(float(np.subtract(*(load("cer").score(side)["cer"] for side in sides))))
    observed = abs(differences[0])
    assert found["p_randomization"] == np.mean([abs(value) >= observed - 1e-12 for value in differences])
    assert found["p_randomization"] not in (0.0, 1.0)
    assert result["settings"]["is_exact"] and "6 segments in 3 clusters" in run(compare).stdout


def test_clusters_of_one_segment_are_segments(run, tmp_path):
    text = (tmp_path / "d.jsonl").read_text()
    for number, name in enumerate(CLUSTERS):
        text = text.replace(f'"story": "{name}"', f'"story": "{number}"', 1)
    (tmp_path / "d.jsonl").write_text(text)
    with_clusters = json.loads(run(compare, "--json", "-").stdout)["comparisons"]
    without = CliRunner().invoke(compare.app, [*ASKED, "-m", "cer", "--json", "-"])
    assert json.loads(without.stdout)["comparisons"] == with_clusters


def test_a_stream_has_no_clusters(run):
    result = run(score, "--stream")
    assert result.exit_code == 2
    assert result.stderr == "error: clusters need all texts at once; leave out --stream\n"


@pytest.mark.parametrize(
    ("clusters", "system"),
    [("xxyzzz", "b"), ("xyzzxy", "a"), ("xyxyzz", None), ("xyxzyz", None)],  # in the last a has 0.016
)
@pytest.mark.parametrize("first", ["a", "b", "gold"])  # the scores of gold, all 0, are no more alike than others
def test_report_warns_of_clusters_that_are_alike(clusters, system, first, run, tmp_path):
    """By the system whose segments are most alike, wherever it stands."""
    rows = [json.loads(line) for line in (tmp_path / "d.jsonl").read_text("utf-8").splitlines()]
    (tmp_path / "d.jsonl").write_text(
        "\n".join(json.dumps({**row, "story": name}) for row, name in zip(rows, clusters, strict=True)), "utf-8"
    )
    names = [first, *(name for name in SYSTEMS if name != first)]
    asked = [part for name in names for part in ("--prediction-column", name)]
    given = ["-d", "d.jsonl", *asked, "--reference-column", "gold", "--column", "clusters=story", "-m", "cer"]
    shown = CliRunner().invoke(score.app, [*given, "--html", "r.html"])
    assert shown.exit_code == 0, shown.output
    page = (tmp_path / "r.html").read_text("utf-8")
    assert ("the segments of one cluster have similar scores" in page) == (system is not None)
    if system is not None:
        scores = load("cer").compute(predictions=SYSTEMS[system], references=GOLD, per_segment=True)["segments"]
        assert f"{intraclass_correlation(scores, clusters):.4f}" in page


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), min_size=2, max_size=12))
def test_intraclass_correlation(pairs):
    """Against the sums of squares of a one-way analysis of variance, written out."""
    groups = {label: [value for other, value in pairs if other == label] for label, _ in pairs}
    found = intraclass_correlation([value for _, value in pairs], [str(label) for label, _ in pairs])
    n, k = len(pairs), len(groups)
    if k < 2 or n == k:
        assert np.isnan(found)
        return
    mean = sum(value for _, value in pairs) / n
    means = {label: sum(values) / len(values) for label, values in groups.items()}
    between = sum(len(values) * (means[label] - mean) ** 2 for label, values in groups.items()) / (k - 1)
    within = sum((value - means[label]) ** 2 for label, value in pairs) / (n - k)
    size = (n - sum(len(values) ** 2 for values in groups.values()) / n) / (k - 1)
    total = between + (size - 1) * within
    if total > 1e-9:
        assert found == pytest.approx((between - within) / total, abs=1e-6)


def test_equal_scores_within_clusters_correlate_fully():
    assert intraclass_correlation([0.1, 0.1, 0.9, 0.9], ["a", "a", "b", "b"]) == 1
    assert np.isnan(intraclass_correlation([0.1, np.inf], ["a", "b"]))
