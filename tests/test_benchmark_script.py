"""scripts/benchmark.py compares the same things on the same texts; how long they take is nobody's test."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarking import corpus
from benchmarking.peers import PEERS

SCRIPTS = Path(__file__).parents[1] / "scripts"
COMPARISONS = {
    "bleu 13a",
    "bleu whitespace",
    "bleu 13a, 4 references",
    "bleu char",
    "weighted_bleu, 12 phrases",
    "weighted_bleu, 2,000 phrases",
    "interval, 1,000 resamples",
    "floor, 1 reference",
    "floor, 4 references",
    "one segment per call",
    "growth",
    "one pair of 10,000 words",
}
WRONG_BLEU = """\
import datasets
import evaluate


class Bleu(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": datasets.Sequence(text)})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references):
        return {"bleu": 0.5}
"""


def benchmark(*arguments):
    command = [sys.executable, str(SCRIPTS / "benchmark.py"), "--quick", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmark")
    done = benchmark("--languages", "ko", "--json", folder / "result.json", "--markdown", folder / "result.md")
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "result.json").read_text()), (folder / "result.md").read_text(), done.stdout


def test_every_comparison_is_there(result):
    report, markdown, _ = result
    assert {row["comparison"] for row in report["rows"]} >= COMPARISONS
    assert {"ours", "ours, interval", "evaluate floor"} <= {peak["side"] for peak in report["memory"]}
    assert all(f"**{name}**" in markdown for name in COMPARISONS)
    assert all(row["ratio"] == 1 for row in report["rows"] if row["side"] == "ours")
    assert {row["language"] for row in report["rows"]} == {"ko"}


def test_each_peer_is_compared_or_named_as_skipped(result):
    report, _, printed = result
    compared = {row["side"] for row in report["rows"]}
    assert {"sacrebleu", "nltk"} <= compared  # in requirements.txt
    missing = [name for name in PEERS if name not in compared]
    assert "HF bleu" in missing  # the tests' cache is empty
    for name in missing:
        assert any(name in reason for reason in report["skipped"]), name
    # rich wraps what it prints
    assert all(f"skipped: {reason}" in " ".join(printed.split()) for reason in report["skipped"])


def test_what_is_compared_is_equal(result):
    report, _, _ = result
    sides = [row for row in report["rows"] if row["side"] in ("sacrebleu", "nltk", "our bleu", "ours, added first")]
    assert len(sides) > 8
    assert all(row["difference"] <= 1e-9 for row in sides)


def test_targets_are_read_off_the_rows(result):
    report, _, _ = result
    (row,) = (row for row in report["rows"] if (row["comparison"], row["side"]) == ("one pair of 10,000 words", "ours"))
    (target,) = (target for target in report["targets"] if "10,000 words" in target["text"])
    assert target["measured"] == row["us_per_segment"] / 1e6
    assert target["met"] == (target["measured"] <= 1)


def test_a_peer_that_computes_something_else_is_not_timed(tmp_path):
    (tmp_path / "bleu").mkdir()
    (tmp_path / "bleu" / "bleu.py").write_text(WRONG_BLEU)
    done = benchmark("--only", "bleu-13a", "--hf-metrics", tmp_path)
    assert done.returncode == 1
    assert "bleu 13a (ko): HF bleu gives 0.5 and ours" in " ".join(done.stderr.split())


def test_own_data_replace_the_made_corpus(tmp_path):
    file = tmp_path / "data.jsonl"
    rows = [{"prediction": "고양이가 침대에서 잠을 잔다.", "references": "고양이가 방에서 잠을 잔다."}] * 9
    file.write_text("\n".join(json.dumps(row) for row in rows))
    options = itertools.chain.from_iterable(("--only", name) for name in ("bleu-13a", "bleu-4-references"))
    done = benchmark("--data", file, "--json", tmp_path / "result.json", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "result.json").read_text())
    assert {(row["language"], row["segments"]) for row in report["rows"]} == {("data", 9)}
    assert "4 references: not all rows of the file have as many" in report["skipped"]


def test_data_that_are_no_segments_are_refused(tmp_path):
    file = tmp_path / "data.jsonl"
    file.write_text('{"prediction": "a", "references": ["a"]}\n{"prediction": "a"}\n')
    with pytest.raises(ValueError, match="line 2: pass an object with prediction and references"):
        corpus.read_corpus(file)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_corpus_depends_on_its_seed_alone(language):
    made = corpus.make_corpus(language, 30, 2, seed=1)
    assert made == corpus.make_corpus(language, 30, 2, seed=1)
    assert made != corpus.make_corpus(language, 30, 2, seed=2)
    assert made.predictions == corpus.make_corpus(language, 2001, 2, seed=1).predictions[:30]
    assert [len(row) for row in made.references] == [2] * 30
    assert all(text.split() for text in made.predictions)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_new_words_keep_appearing(language):
    texts = [text for row in corpus.make_corpus(language, 8000).references for text in row]
    half, whole = (len(set(" ".join(texts[:end]).split())) for end in (4000, 8000))
    assert whole > 1.4 * half


def test_the_corpus_survives_its_file(tmp_path):
    made = corpus.make_corpus("ko", 20, 3)
    corpus.write_corpus(made, tmp_path / "corpus.jsonl")
    assert corpus.read_corpus(tmp_path / "corpus.jsonl") == made
