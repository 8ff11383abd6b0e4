"""lab/benchmark.py compares the same things on the same texts; how long they take is nobody's test."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lab.benchmarking import corpus, measured
from lab.peers import PEERS
from lab.peers.rouge import TYPES

ROOT = Path(__file__).parents[1]
COMPARISONS = {
    "bleu 13a",
    "bleu whitespace",
    "bleu 13a, 4 references",
    "bleu char",
    "weighted_bleu, no phrases",
    "weighted_bleu, 12 phrases",
    "weighted_bleu, 2,000 phrases",
    "weighted_bleu, no phrases, one segment per call",
    "weighted_bleu, 12 phrases, one segment per call",
    "human correlation",
    "ibleu",
    "delta_bleu, 4 references",
    "interval, 1,000 resamples",
    "floor, 1 reference",
    "floor, 4 references",
    "one segment per call",
    "growth",
    "one pair of 10,000 words",
    "rouge, sentences",
    "rouge, summaries",
    "rouge, sentences, unicode",
    "rouge, summaries, unicode",
    "chrf, 1 reference",
    "chrf, 4 references",
    "chrf++, 1 reference",
    "chrf++, 4 references",
    "ter",
    "cer",
    "cer, few segments",
    "cer, nlptutti's",
    "cer, readings",
    "wer",
    "cer, one segment per call",
    "wer, one segment per call",
    "chrf, one segment per call",
    "ter, one segment per call",
    "cer, readings, sentences with digits",
    "cpwer, one segment per call",
    "cer, distances alone",
    "cer, one thread or two",
    "wer, one thread or two",
    "ter, one thread or two",
    "real sentences, bleu 13a, threads by default",
    "real sentences, rouge unicode, threads by default",
    "nist",
    "nist, one segment per call",
    "cider, 1 reference",
    "cider, 4 references",
    "hyter, plain sentences",
    "hyter, networks of 4 sentences",
    "perplexity, log-probabilities",
    "meteor, exact",
    "meteor, exact, one segment per call",
    "meteor, exact, one pair of 4,000 words",
    "meteor, exact, one pair of 16,000 words",
    "start of a process",
    "waits, cer and wer",
    "rouge, one thread or two",
}
# what Hugging Face's metrics take and return, with a wrong number
WRONG = """\
import datasets
import evaluate


class Wrong(evaluate.Metric):
    def _info(self):
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": REFERENCES})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, predictions, references, use_aggregator=True, tokenizer=None):
        return RESULT
"""


def benchmark(*arguments):
    command = [sys.executable, "-m", "lab.benchmark", "--quick", *map(str, arguments)]
    threads_by_default = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=threads_by_default)


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmark")
    done = benchmark("--languages", "ko", "--json", folder / "result.json", "--markdown", folder / "result.md")
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "result.json").read_text()), (folder / "result.md").read_text(), done.stdout


@pytest.mark.slow
def test_every_comparison_is_there(result):
    report, markdown, _ = result
    assert {row["comparison"] for row in report["rows"]} >= COMPARISONS
    assert {"ours", "ours, interval", "our rouge", "evaluate floor"} <= {peak["side"] for peak in report["memory"]}
    assert all(f"**{name}**" in markdown for name in COMPARISONS)
    assert all(row["ratio"] == 1 for row in report["rows"] if row["side"] == "ours")
    assert {row["language"] for row in report["rows"]} == {"ko"}


@pytest.mark.slow
def test_each_peer_is_compared_or_named_as_skipped(result):
    report, _, printed = result
    compared = {row["side"] for row in report["rows"]}
    # in requirements.txt
    assert {"sacrebleu", "nltk", "rouge_score", "jiwer", "scipy", "sacrebleu CHRF, TER"} <= compared
    english = {"HF meteor", "nltk meteor_score", "METEOR 1.5"}
    assert any("meteor (ko): for English only" in reason for reason in report["skipped"])
    missing = [peer.name for peer in PEERS if peer.timed and peer.name not in {*compared, *english}]
    assert {"HF bleu", "HF rouge", "HF cer", "HF wer"} <= set(missing)  # the tests' cache is empty
    for name in missing:
        assert any(name.split(",")[0] in reason for reason in report["skipped"]), name
    # rich wraps what it prints
    assert all(f"skipped: {reason}" in " ".join(printed.split()) for reason in report["skipped"])


@pytest.mark.slow
def test_what_is_compared_is_equal(result):
    report, _, _ = result
    equal = ("nltk", "our bleu", "ours, added first", "rouge_score", "jiwer", "scipy")
    rows = [row for row in report["rows"] if row["comparison"] != "start of a process"]  # which has no score
    sides = [row for row in rows if row["side"] in equal or row["side"].startswith("sacrebleu")]
    assert len(sides) > 12
    assert all(row["difference"] <= 1e-9 for row in sides)


@pytest.mark.slow
def test_a_summary_has_five_lines_and_english_its_own_comparisons(tmp_path):
    names = ("rouge-sentences", "rouge-summaries", "rouge-stemmer", "rouge-rust")
    options = itertools.chain.from_iterable(("--only", name) for name in names)
    done = benchmark("--languages", "en,ko", "--json", tmp_path / "result.json", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "result.json").read_text())
    rows = {(row["comparison"], row["language"], row["side"]): row for row in report["rows"]}
    sizes = {"rouge, sentences": 50, "rouge, summaries": 10, "rouge, stemmer": 50}
    for name, segments in sizes.items():
        assert rows[name, "en", "rouge_score"]["segments"] == segments
        assert rows[name, "en", "rouge_score"]["difference"] <= 1e-9
    assert ("rouge 1, 2, L", "en", "ours") in rows
    assert {name for name, language, _ in rows if language == "ko" and not name.endswith("unicode")} == {
        "rouge, sentences",
        "rouge, summaries",
    }
    assert {"rouge stemmer (ko): for English only", "rouge-rust (ko): for English only"} <= set(report["skipped"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "side", "references", "result"),
    [
        ("bleu-13a", "HF bleu", "[text]", "{'bleu': 0.5}"),
        ("cer", "HF cer", "text", "0.5"),
        ("rouge-sentences", "HF rouge", "text", f"dict.fromkeys({TYPES}, 0.5 if use_aggregator else [0.5])"),
    ],
)
def test_a_peer_that_computes_something_else_is_not_timed(tmp_path, name, side, references, result):
    metric = side.split()[1]
    (tmp_path / metric).mkdir()
    script = WRONG.replace("REFERENCES", references).replace("RESULT", result)
    (tmp_path / metric / f"{metric}.py").write_text(script)
    done = benchmark("--languages", "ko", "--only", name, "--hf-metrics", tmp_path)
    assert done.returncode == 1
    assert f"(ko): {side} gives 0.5 and ours" in " ".join(done.stderr.split())


@pytest.mark.slow
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


def test_a_library_takes_part_in_a_comparison_once():
    parts = [(comparison, peer.name) for peer in PEERS for comparison in peer.timed]
    assert len(parts) == len(set(parts))


def test_what_is_kept_is_of_the_last_report():
    numbers = {"us_per_segment": 1234.5, "first_us_per_segment": 12.34, "ratio": 30.0, "cpu_ratio": 30.0,
               "difference": 0.0}  # fmt: skip
    old = {"comparison": "cer", "language": "en", "side": "jiwer", "segments": 9, "rounds": 1, **numbers}
    other = {**old, "language": "ko", "ratio": 0.5, "cpu_ratio": 0.48}
    unused = {"segments_per_second": 1.0, "ratio_min": 1.0, "ratio_max": 1.0}
    rows = [{**old, "side": side, "ratio": 2.0, "cpu_ratio": 3.0, "difference": 0.1} for side in ("ours", "lev-rs")]
    peaks = [{"side": "ours", "language": language, "segments": 1000, "megabytes": 1.4} for language in ("en", "ko")]
    kept = measured.merged(
        {"rows": [old, other], "memory": peaks},
        [measured.Row(**row, **unused) for row in rows],
        [measured.Memory("ours", "ko", 1000, 2.6)],
    )
    assert kept == {"rows": [other, rows[1], rows[0]], "memory": [peaks[0], {**peaks[1], "megabytes": 2.6}]}
    ratios = measured.ratios_table(kept["rows"]).splitlines()[2:]
    assert ratios == ["| cer | 9 | jiwer |  | 0.500 |", "| cer | 9 | lev-rs | 2.00* (3.00) |  |"]
    assert measured.times_table(kept["rows"]).splitlines()[2:] == ["| cer | 9 | ours | 1,234 (12.3) |  |"]
    assert measured.memory_table(kept["memory"]).splitlines()[2:] == ["| 1,000 | ours | 1 | 3 |"]


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
