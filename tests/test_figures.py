"""Figures in the prose of READMEs: each is what the code, the data or a table of measurements says."""

import json
import re

import pytest
from conftest import ROOT
from hypothesis import settings

from lab.benchmarking.measured import read_measured
from textgauge.core import threads
from textgauge.error_rates import error_rate
from textgauge.programs.scoring import blocks
from textgauge.tokens import morphemes

WORDS = {"four": 4}
FIGURES = [
    ("metrics/README.md", r"chunks of (\S+) segments, by many metrics in up to (\w+) threads",
     (threads.CHUNK_ROWS, threads._MOST)),
    ("docs/large_data.md", r"Up to (\S+) segments the interval is that of `compute`", (blocks.CAPACITY - 1,)),
    ("lab/README.md", r"are remembered, up to (\d+) MB", (morphemes._CACHE_BYTES // 2**20,)),
    ("spaces/rouge/README.md", r"are remembered, up to (\d+) MB", (morphemes._CACHE_BYTES // 2**20,)),
    ("spaces/cer/README.md", r"the (\d+) most frequent", (error_rate._TOP_CONFUSIONS,)),
    ("tests/README.md", r"(\d+) times as many",
     (settings.get_profile("thorough").max_examples / settings.get_profile("project").max_examples,)),
]  # fmt: skip


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def number(text):
    return WORDS.get(text) or float(text.replace(",", ""))


@pytest.mark.parametrize(("path", "pattern", "values"), FIGURES)
def test_figures_are_those_of_the_code(path, pattern, values):
    [found] = re.findall(pattern, re.sub(r"\s+", " ", text_of(path)))
    assert tuple(map(number, [found] if isinstance(found, str) else found)) == values


def test_sizes_of_the_bundled_samples():
    """The first number of a row is that of the file's lines."""
    rows = re.findall(r"^\| `(\w+\.jsonl)` \| (.*) \|$", text_of("scripts/data/README.md"), flags=re.M)
    assert {name for name, _ in rows} == {path.name for path in (ROOT / "scripts" / "data").glob("*.jsonl")}
    lines = {name: text_of(f"scripts/data/{name}").splitlines() for name, _ in rows}
    first = {name: re.search(r"\b[\d,]*\d", what)[0] for name, what in rows if not what.startswith("Table")}
    assert len(first) >= 7
    assert {name: number(size) for name, size in first.items()} == {name: len(lines[name]) for name in first}
    references = [
        [json.loads(line)["reference"] for line in lines[f"es_ko_{name}.jsonl"]] for name in ("sample", "ratings")
    ]
    shared = len(set(references[0]) & set(references[1]))
    assert f"{shared} of which are in `es_ko_sample.jsonl` too" in text_of("scripts/data/README.md")


def test_estimates_for_large_data_follow_from_the_measured_runs():
    """Core minutes and hours, minutes on 1,000 cores, and dollars at 5 cents: rounded to two digits, or up."""
    page = text_of("lab/README.md")
    [alone] = re.findall(r"^\| 1,000,000 \| `--stream --no-confidence` \| (\d+) ", page, flags=re.M)
    [spark] = re.findall(
        r"^\| 300,000 \| `textgauge.spark`, local, 2 cores \| (\d+), without intervals (\d+) ", page, re.M
    )
    text = text_of("docs/large_data.md")
    [minutes] = re.findall(r"^\| 100,000,000 \|.*\| (\d+) core minutes", text, flags=re.M)
    assert int(minutes) == pytest.approx(100e6 * int(alone) / 60e6, rel=0.05)
    pattern = (
        r"^\| 10,000,000,000 \|.*\| (\d+) core hours: (\d+) minutes on 1,000 cores, or (\d+) dollars at 5 cents per "
        r"core hour; with intervals (\d+) hours, (\d+) minutes, (\d+) dollars \|$"
    )
    [said] = re.findall(pattern, text, flags=re.M)
    for micros, figures in zip(map(int, spark[::-1]), (said[:3], said[3:]), strict=True):
        hours, minutes, dollars = map(int, figures)
        exact = 10e9 * micros / 3600e6
        assert hours == pytest.approx(exact, rel=0.05)
        assert 0 <= minutes - exact * 60 / 1000 < 1 and 0 <= dollars - exact * 0.05 < 1


def test_kept_ratios_are_quotients_of_the_kept_times():
    """A ratio is the median over rounds, so that it differs from the quotient of the best times a little."""
    rows = read_measured()["rows"]
    ours = {
        (row["comparison"], row["language"], row["segments"]): row["us_per_segment"]
        for row in rows
        if row["side"] == "ours"
    }
    for row in rows:
        own = ours[row["comparison"], row["language"], row["segments"]]
        assert row["ratio"] == pytest.approx(row["us_per_segment"] / own, rel=0.1), f"too few --rounds for {row}"
        assert row["first_us_per_segment"] > 0.5 * row["us_per_segment"], row


def test_versions_of_python():
    """README's are the package's classifiers, without a gap, from the one that it requires on."""
    project = text_of("pyproject.toml")
    [(first, last)] = re.findall(r"You need Python 3\.(\d+) to 3\.(\d+)", text_of("README.md"))
    named = re.findall(r'"Programming Language :: Python :: 3\.(\d+)"', project)
    assert list(map(int, named)) == list(range(int(first), int(last) + 1))
    assert f'requires-python = ">=3.{first}"' in project
