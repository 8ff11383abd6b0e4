"""What a worker of score_spark.py does with batches of rows, called here without Spark and Java."""

import functools
import json
import math
import os
import re
import sys
import warnings
import zipfile
from pathlib import Path
from types import SimpleNamespace

import cases
import numpy as np
import pandas as pd
import pytest
from conftest import examples, load
from hypothesis import given
from hypothesis import strategies as st
from test_outer_metrics import answer_of, option_sets

pyspark = pytest.importorskip("pyspark", reason="pip install -r requirements-spark.txt")

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

import textgauge
from textgauge.core.errors import InputError
from textgauge.programs.scoring.specs import load_scorers
from textgauge.programs.spark import session, shipping, worker
from textgauge.programs.spark.lines import FILE, LINE, place_of, undotted, values_of, without_blank_lines

METRICS = (
    ("bleu", "bleu", {"smooth": "exp", "confidence": None}),
    ("rouge char", "rouge", {"tokenizer": "char", "confidence": None}),
    ("cer", "cer", {"confidence": None}),
)
COLUMNS = {"predictions": ["out"], "references": ["ref"]}
TEXTS = pd.DataFrame(
    {
        "id": range(7, 27),
        "a․b": [f"이름 {i}" for i in range(20)],
        "out": [f"{cases.TEXTS['predictions'][i % 5]} {i // 3}" for i in range(20)],
        "ref": [[f"{text} {i // 2}" for text in cases.TEXTS["references"][i % 5]] for i in range(20)],
    }
)
JOB = worker.Job(METRICS, COLUMNS, ["id"], ["id", "out"], with_scores=True, skip_bad_rows=True)
BAD_ROWS = {4: (None, ["가"]), 5: ("가", []), 12: ("가", ["가", 3])}
REASONS = {
    4: "bleu: predictions[0] is None; pass a string",
    5: "bleu: references[0] is an empty list; pass a string or a non-empty list",
    12: "bleu: references[0][1] is of type int, 3; pass a string",
}


def batches(frame, *starts):
    """Returns the rows in batches that begin at these rows, with row numbers of Arrow's kind or of a cut frame."""
    ends = [*starts[1:], len(frame)]
    return iter([frame.iloc[start:end].reset_index(drop=True) for start, end in zip(starts, ends, strict=True)])


def lines_of(*lines, file="file:///tmp/a%20b/%EC%A4%84.jsonl"):
    return pd.DataFrame({LINE: [line if isinstance(line, bytes) else line.encode() for line in lines], FILE: file})


def with_bad_rows():
    data = TEXTS.copy()
    for row, (out, ref) in BAD_ROWS.items():
        data.at[row, "out"], data.at[row, "ref"] = out, ref
    return data


def test_rows_are_scored_as_one_call_scores_them():
    """Columns that go through, what is bad, references of a row, numbers of all metrics, and then their scores."""
    data = with_bad_rows()
    # a batch of nothing is left out
    frames = list(worker.score_rows(batches(data, 0, 5, 5, 6, 20), JOB))
    assert [len(frame) for frame in frames] == [5, 1, 14]
    scored, good = pd.concat(frames, ignore_index=True), data.drop(list(BAD_ROWS))
    given = {"predictions": good["out"].tolist(), "references": good["ref"].tolist()}
    rows = np.concatenate([load(name).statistics(**given, **options) for _, name, options in METRICS], axis=1)
    names = [f"metrics_s{index}" for index in range(rows.shape[1])]
    scores = ["bleu", "rouge1 char", "rouge2 char", "rougeL char", "rougeLsum char", "cer"]
    assert list(scored) == ["id", "out", "bad_row", "metrics_references", "metrics_gaps", *names, *scores]
    assert scored["id"].tolist() == data["id"].tolist() and scored["out"].tolist() == data["out"].tolist()
    found = scored.drop(list(BAD_ROWS))
    assert found["bad_row"].isna().all() and found["metrics_references"].tolist() == [*map(len, good["ref"])]
    assert (found[names].to_numpy() == rows).all()
    pairs = list(zip(*given.values(), strict=True))
    for _, name, options in METRICS:
        one = [load(name).compute(predictions=[p], references=[r], **options) for p, r in pairs]
        for label in filter(lambda label: label.startswith(name), scores):
            expected = [result[label.removesuffix(" char")] for result in one]
            np.testing.assert_allclose(found[label], expected, rtol=1e-12)
    bad = scored.loc[list(BAD_ROWS)]
    assert (bad[names] == 0).all(axis=None) and bad[scores].isna().all(axis=None)
    assert (bad["metrics_references"] == 0).all()
    assert [reason[: len(REASONS[row])] for row, reason in bad["bad_row"].items()] == list(REASONS.values())


@pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens")
@pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
@pytest.mark.parametrize("name", ["bleu", "rouge", "meteor", "cer", "wer", "chrf", "ter"])
def test_options_give_or_refuse_what_one_call_does(name):
    """For pairs of options, drawn from all: the rows of several batches are those of `statistics`."""
    metric = textgauge.load(name)

    @examples(0.2)
    @given(st.sampled_from(option_sets(name)))
    def check(options):
        job = worker.Job(((name, name, options),), COLUMNS, ["id"], [], with_scores=False, skip_bad_rows=False)
        columns = {"predictions": TEXTS["out"].tolist(), "references": TEXTS["ref"].tolist()}
        expected = answer_of(metric.statistics, **columns, **options)
        if not isinstance(expected, str) and metric.corpus_option(**options) is not None:
            return  # counts of the corpus come first, see test_counts_of_the_corpus
        found = answer_of(lambda: list(worker.score_rows(batches(TEXTS, 0, 7, 8), job)))
        if isinstance(expected, str) or isinstance(found, str):
            assert found == expected, options
            return
        rows = pd.concat(found)
        names = [column for column in rows if column.startswith(worker.STATISTIC)]
        np.testing.assert_allclose(rows[names].to_numpy(), expected, err_msg=str(options))

    check()


def test_what_is_not_asked_for_is_not_there():
    job = JOB._replace(metrics=METRICS[2:], kept=[], with_scores=False)
    (frame,) = worker.score_rows(batches(TEXTS, 0), job)
    width = load("cer").statistics(predictions=[], references=[]).shape[1]
    assert list(frame) == [
        "bad_row",
        "metrics_references",
        "metrics_gaps",
        *(f"metrics_s{index}" for index in range(width)),
    ]
    numbers = pd.DataFrame({"p": [[-1.0, -2.0], [-3.0]]})
    job = worker.Job((("ppl", "perplexity", {}),), {"predictions": ["p"]}, ["p"], [], True, False)
    (frame,) = worker.score_rows(batches(numbers, 0), job)
    assert list(frame)[:2] == ["bad_row", "metrics_s0"]
    np.testing.assert_allclose(frame["ppl"], [math.exp(1.5), math.exp(3)])


def test_phrases_of_rows():
    """Lists of the phrases that a row has, beside its numbers; none for a row that a metric refuses."""
    weights = {"가나": 2.0, "없는말": 3.0}
    options = {"weights": weights}
    metrics = (("cer", "cer", options), ("bleu", "bleu", {}), ("weighted", "weighted_bleu", {"weights": {"라": 1.5}}))
    data = pd.DataFrame({"id": range(3), "out": ["가나", None, "다"], "ref": ["가나", "가나", "가나 가나 라"]})
    job = worker.Job(metrics, COLUMNS, ["id"], [], with_scores=False, skip_bad_rows=True)
    (frame,) = worker.score_rows(batches(data, 0), job)
    lists = {name: list(map(list, frame[name])) for name in frame if name.startswith(worker.PHRASES)}
    assert lists == {
        "metrics_p0_phrases": [[0], [], [0]],
        "metrics_p0_wanted": [[1], [], [2]],
        "metrics_p0_missed": [[0], [], [2]],
        "metrics_p2_phrases": [[], [], [0]],
        "metrics_p2_wanted": [[], [], [0]],
        "metrics_p2_missed": [[], [], [0]],
    }


@pytest.mark.parametrize(
    ("key", "place"),
    [(["id"], "id 11: "), (["a.b", "id"], "a.b 이름 4, id 11: "), (["id", "a.b"], "id 11, a.b 이름 4: ")],
)
def test_the_first_bad_row_is_named(key, place):
    """Also where a later metric refuses it, and an earlier one a later row."""
    data = with_bad_rows()
    rater = ("cer b", "cer", {"confidence": None, "aggregate": "mean"})
    for start in (0, 3, 4):
        job = JOB._replace(key=key, metrics=(rater, *METRICS), skip_bad_rows=False)
        with pytest.raises(ValueError) as raised:
            list(worker.score_rows(batches(data.iloc[start:], 0), job))
        assert str(raised.value).startswith(f"<bad row>{place}")
        assert str(raised.value).endswith("cer b: predictions[0] is None; pass a string</bad row>")
    # what the first metric takes and the second does not comes before what neither takes
    late = pd.DataFrame({"p": ["가", "나", "다", None], "s": ["가", None, "다", "라"], "r": ["가", "나", "다", "라"]})
    columns = {"predictions": ["p"], "references": ["r"], "sources": ["s"]}
    job = worker.Job((METRICS[2], ("ibleu", "ibleu", {})), columns, ["r"], [], False, False)
    with pytest.raises(ValueError, match=r"^<bad row>r 나: ibleu: sources\[0\] is None; .*</bad row>$"):
        list(worker.score_rows(batches(late, 0), job))
    job = job._replace(skip_bad_rows=True)
    (frame,) = worker.score_rows(batches(late, 0), job)
    assert [str(reason).partition(":")[0] for reason in frame["bad_row"]] == ["None", "ibleu", "None", "cer"]
    # what one metric refuses counts for none
    assert (frame.filter(like="metrics_s") != 0).any(axis=1).tolist() == [True, False, True, False]


def test_references_of_several_columns():
    """A column with a text and one with lists; each is a reference of the row."""
    data = TEXTS.assign(one=[f"가 {i}" for i in range(20)])
    job = JOB._replace(columns={"predictions": ["out"], "references": ["one", "ref"]}, metrics=METRICS[:1])
    (frame,) = worker.score_rows(batches(data, 0), job)
    both = [[one, *ref] for one, ref in zip(data["one"], data["ref"], strict=True)]
    assert frame["metrics_references"].tolist() == [*map(len, both)]
    expected = load("bleu").statistics(predictions=data["out"].tolist(), references=both, **METRICS[0][2])
    assert (frame.filter(like="metrics_s").to_numpy() == expected).all()
    alone = JOB._replace(columns={"predictions": ["out"], "references": ["one"]}, metrics=METRICS[:1])
    (frame,) = worker.score_rows(batches(data, 0), alone)
    assert (frame["metrics_references"] == 1).all()


def test_lines():
    """The rows of blank lines go, and what is left keeps its order; a line that cannot be read is named."""
    good = '{"out": "가", "ref": "가 나", "id": 1}'
    frame = lines_of(good, "", " \u3000\r", "{", b"\xb0", "\ufeff" + good + "\r", '{"out": "x"}')
    job = worker.Job(METRICS[2:], COLUMNS, [], [LINE], True, True)
    (scored,) = worker.score_rows(iter([frame, frame[1:3]]), job)
    assert scored[LINE].tolist() == [frame[LINE][row] for row in (0, 3, 4, 5, 6)]
    path = "/tmp/a b/줄.jsonl"
    assert scored["bad_row"].fillna("").tolist() == [
        "",
        f"{path}, line '{{': bad JSON, it is cut off after '{{'",
        f"{path}, line '\N{REPLACEMENT CHARACTER}': byte 0xb0 is not UTF-8",
        "",
        f"{path}, line '{{\"out\": \"x\"}}': there is no column 'ref'; it has out",
    ]
    np.testing.assert_allclose(scored["cer"], [0.5 if row in (0, 3) else math.nan for row in range(5)])
    assert scored["metrics_references"].tolist() == [1, 0, 0, 1, 0]
    # a metric's reason is told with the line, too
    refused = lines_of(good, '{"out": 5, "ref": "가"}')
    (scored,) = worker.score_rows(iter([refused]), job)
    start = f"""{path}, line '{{"out": 5, "ref": "가"}}': cer: predictions[0] is of type int, 5; pass"""
    assert scored["bad_row"][1].startswith(start)
    with pytest.raises(ValueError, match=re.escape(f"<bad row>{start}")):
        list(worker.score_rows(iter([refused]), job._replace(skip_bad_rows=False)))
    with pytest.raises(ValueError, match=f"^<bad row>{path}, line .*cut off after '{{'</bad row>$"):
        list(worker.score_rows(iter([frame]), job._replace(skip_bad_rows=False)))


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("file:/tmp/d.jsonl", "/tmp/d.jsonl"),
        ("file:///tmp/%EC%A4%84%201.jsonl", "/tmp/줄 1.jsonl"),
        ("s3://bucket/file:/d.jsonl", "s3://bucket/file:/d.jsonl"),
        ("hdfs://host:8020/d%2Bd.jsonl", "hdfs://host:8020/d+d.jsonl"),
    ],
)
def test_the_place_of_a_line(file, path):
    """Of the row that is asked for; 40 characters of it, with the first quotation mark."""
    frame = pd.concat([lines_of("{}", file="file:/other"), lines_of(b' {"p": "' + b"a" * 60 + b'\xff"} ', file=file)])
    assert place_of(frame, 0) == "/other, line '{}'"
    assert place_of(frame, 1) == f'{path}, line \'{{"p": "{"a" * 32}'
    assert values_of(frame, [])[1] == {1: f'{path}, line \'{{"p": "{"a" * 32}: byte 0xff is not UTF-8'}


def test_values_of_lines():
    rows = [{"a": {"b": [1, "둘"]}, "c": None}, {"a.b.1": "셋", "c": ["x"]}, {"c": 1}]
    frame = lines_of(*map(json.dumps, rows), "[1]")
    values, bad = values_of(frame, ["c", "a.b.1"])
    assert values == {"c": [None, ["x"], None, None], "a.b.1": ["둘", "셋", None, None]}
    assert list(bad) == [2, 3]
    assert bad[2].endswith("there is no column 'a.b.1'; it has c")
    assert bad[3].endswith("'[1]' is not an object; write {...} on each line")


def test_values_of_parquet():
    """None for all that is missing; a name with a dot is a column of another name. There are no blank lines."""
    frame = pd.DataFrame(
        {
            "a․b․c": ["", None, " "],
            "n": pd.array([1, None, 3], dtype="Int32"),
            "x": [0.5, math.nan, 1.0],
            "l": [["가"], None, [""]],
        },
        index=[5, 5, 0],
    )
    expected = {"a.b.c": ["", None, " "], "n": [1, None, 3], "x": [0.5, None, 1.0], "l": [["가"], None, [""]]}
    assert values_of(frame, list(expected)) == (expected, {})
    assert without_blank_lines(frame) is frame
    assert undotted(["a.b.c", "a b"]) == ["a․b․c", "a b"]


def mixed(value):
    """The finaliser of splitmix64 with Python's integers."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
    return value ^ value >> 31


def drawn(row_hash, resample, seed):
    """How often a row is drawn in a resample, one number at a time: Poisson(1) by its cumulated probabilities."""
    step = 0x9E3779B97F4A7C15
    start = mixed((row_hash + mixed((seed + step) % 2**64)) % 2**64)
    uniform = (mixed((start + (resample + 1) * step) % 2**64) >> 11) / 2**53
    total, count = math.exp(-1), 0
    while uniform >= total:
        count += 1
        total += math.exp(-1) / math.factorial(count)
    return count


def test_draws_one_by_one():
    """An interval is the same on another machine, and next year."""
    hashes = [0, 1, 2**63, 2**64 - 1, 123456789]
    for seed in (0, 1, 12345, 2**63):
        found = worker.draws(np.array(hashes, dtype=np.uint64), 300, seed)
        assert found.dtype == np.float64
        assert found.tolist() == [[drawn(one, resample, seed) for resample in range(300)] for one in hashes]


def test_the_sums_of_resamples():
    """Against row by row, of batches smaller and larger than a block, whose groups are in any order."""
    rng = np.random.default_rng(3)
    size, resamples = 1300, 3
    frame = pd.DataFrame(rng.integers(0, 9, (size, 11)).astype(float), columns=[f"metrics_s{i}" for i in range(11)])
    frame["metrics_hash"] = rng.integers(-(2**63), 2**63, size)
    frame["metrics_group"] = ["b" if row % 40 else "a" for row in range(size)]
    expected = {group: np.zeros((resamples, 11)) for group in ("a", "b")}
    for row in frame.to_dict("records"):
        values = np.array([row[f"metrics_s{i}"] for i in range(11)])
        for resample in range(resamples):
            times = drawn(row["metrics_hash"] % 2**64, resample, 5)
            expected[row["metrics_group"]][resample] += times * values
    for starts in ([0], [0, 1, 10], [0, 600, 600]):
        found = pd.concat(worker.poisson_sums(batches(frame, *starts), 11, resamples, 5), ignore_index=True)
        assert list(found) == ["metrics_group", "sums"] and sorted(found["metrics_group"]) == ["a", "b"]
        for group, sums in found.itertuples(index=False):
            assert sums.tolist() == expected[group].ravel().tolist()
    assert list(worker.poisson_sums(iter([]), 11, resamples, 5)) == []
    parts = [pd.DataFrame({"metrics_group": ["a"], "sums": [np.array([row, 2.0])]}) for row in (1.0, 5.0, 7.0)]
    whole = worker.add_sums(pd.concat(parts))
    assert list(whole) == ["metrics_group", "sums"]
    assert [(group, sums.tolist()) for group, sums in whole.itertuples(index=False)] == [("a", [13.0, 6.0])]


def test_counts_of_the_corpus():
    """Of all rows that can be scored: what cannot be read, or the metric refuses, is named when it is scored."""
    options = {"rouge_types": ["rouge1", "rouge2"], "idf": "references"}
    refused = [None, [], 5, ["가", 3]]
    data = pd.DataFrame({"out": "가", "ref": [["가 나", "나"], *refused, "다 가 나", ["라"]]})
    compiled = load("rouge").compile_options(**options)
    expected = load("rouge").corpus_counts(references=[["가 나", "나"], ["다 가 나"], ["라"]], **compiled)
    frames = list(worker.corpus_counts(batches(data, 0, 1, 5), "rouge", compiled, ["ref"]))
    assert [list(frame) for frame in frames] == [["ngram", "count"]] * 2
    counts = pd.concat(frames).groupby("ngram")["count"].sum()
    assert counts.to_dict() == pd.Series(expected).groupby(level=0).sum().to_dict()
    rows = [json.dumps({"r": row}) for row in data["ref"]]
    lines = lines_of(rows[0], "", "{", '{"x": "가"}', *rows[1:])
    (frame,) = worker.corpus_counts(iter([lines]), "rouge", compiled, ["r"])
    assert dict(zip(frame["ngram"], frame["count"], strict=True)) == expected
    # of several columns every text
    both = data.iloc[[0]].assign(one="가 가")
    (frame,) = worker.corpus_counts(batches(both, 0), "rouge", compiled, ["one", "ref"])
    expected = load("rouge").corpus_counts(references=[["가 가", "가 나", "나"]], **compiled)
    assert dict(zip(frame["ngram"], frame["count"], strict=True)) == expected


def test_files_have_the_names_that_workers_know(tmp_path, monkeypatch):
    """Options that name a file of the driver, and those that only look like it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weights.tsv").write_text("가\t1\n", encoding="utf-8")
    path = str(tmp_path / "weights.tsv")
    options = {"weights": path, "near": "weights.tsv", "no": "weights", "folder": str(tmp_path), "number": 5}
    sent = shipping.shipped_options(options)
    assert sent == {**options, "weights": worker.Shipped("weights.tsv"), "near": worker.Shipped("weights.tsv")}
    monkeypatch.setattr(pyspark.SparkFiles, "get", lambda name: f"/worker/{name}")
    there = "/worker/weights.tsv"
    assert worker.resolve(sent) == {**options, "weights": there, "near": there}


def test_what_is_sent(tmp_path):
    """The package once, of a script all that is beside it, and each file once."""
    for name in ("mine.py", "helper.py", "notes.txt", "weights.tsv"):
        (tmp_path / name).write_text("", encoding="utf-8")
    scorers = [
        load_scorers(["bleu"], None)[0]._replace(source=str(tmp_path / "mine.py"), options={"n": 4}),
        load_scorers(["cer"], None)[0]._replace(options={"weights": str(tmp_path / "weights.tsv")}),
        load_scorers(["wer"], None)[0]._replace(options={"weights": str(tmp_path / "weights.tsv")}),
    ]
    archives, files = [], []
    context = SimpleNamespace(addPyFile=archives.append, addFile=files.append)
    shipping.ship(SimpleNamespace(sparkContext=context), scorers)
    assert files == [str(tmp_path / name) for name in ("helper.py", "mine.py", "weights.tsv")]
    with zipfile.ZipFile(*archives) as archive:
        sent = sorted(archive.namelist())
    package = Path(textgauge.__file__).parents[1]
    metrics = [f"textgauge/metrics/{name}.py" for name in ["__init__", *textgauge.metric_names()]]
    assert {*metrics, "textgauge/__init__.py", "textgauge/programs/spark/worker.py"} <= set(sent)
    assert all((package / name).exists() for name in set(sent) - set(metrics)) and len(sent) == len(set(sent))
    assert [shipping.name_of(scorer) for scorer in scorers] == ["mine.py", "cer", "wer"]


BAD_ROW = 'raise ValueError(f"<bad row>{row}</bad row>")\nValueError: <bad row>id 8: cer:\nno text</bad row>\n'
TRACEBACK = """Job aborted due to stage failure: Task 0 in stage 1.0 failed 3 times
Traceback (most recent call last):
  File "first.py", line 1, in <module>
ValueError: the first one
Traceback (most recent call last):

  File "worker.py", line 8, in main
KeyError: 'the second one'

JVM stacktrace:
"""
FAILURES = [
    (BAD_ROW, ValueError, "id 8: cer:\nno text; --skip-bad-rows FILE leaves such rows out, and lists them"),
    (
        "[PATH_ALREADY_EXISTS] Path file:/s is there. SQLSTATE: 42K04",
        ValueError,
        "the folder of --segments or --rows is there already; pass another, or delete it",
    ),
    ("Traceback (most recent call last):\ntextgauge.core.errors.InputError: no file", InputError, "no file"),
    ("Traceback (most recent call last):\nModuleNotFoundError: x", session.JobError, "ModuleNotFoundError: x"),
    ("Traceback (most recent call last):\nMemoryError", session.JobError, "MemoryError"),
    ("Traceback (most recent call last):\npyspark.errors.E: old", session.JobError, "pyspark.errors.E: old"),
    (
        "An error occurred while calling o12.collect\n: org.apache.spark.SparkException: java.io.IOException: no disk\n"
        ": java.lang.Error: later",
        session.JobError,
        "no disk",
    ),
    (
        ": py4j.Py4JException: too large. Consider setting spark.x to more. Or not",
        session.JobError,
        "too large",
    ),
    ("\n \nworse: org.apache.\nlast", session.JobError, "worse: org.apache."),
    (" \n", session.JobError, "no reason given"),
]


@pytest.mark.parametrize("kind", [PySparkException, Py4JError])
@pytest.mark.parametrize(("text", "error", "message"), FAILURES)
def test_why_spark_failed(kind, text, error, message):
    """One line of its pages."""
    whole = f"Spark failed: {message}; --spark-log shows more" if error is session.JobError else message
    with pytest.raises(error) as raised, session.failures():
        raise kind(text)
    assert str(raised.value) == whole
    with pytest.raises(ZeroDivisionError), session.failures():
        raise ZeroDivisionError(text)


@pytest.mark.parametrize("kind", [PySparkException, Py4JError])
@pytest.mark.parametrize("text", [TRACEBACK, f"old\n{TRACEBACK}", "Traceback (most recent call last):\nnumpy.E: no"])
def test_a_defect_on_a_worker_is_no_message(kind, text):
    """The traceback of the worker is what is to be reported."""
    with pytest.raises(RuntimeError, match=r"^a worker failed:\nTraceback") as raised, session.failures():
        raise kind(text)
    assert type(raised.value) is RuntimeError and str(raised.value).endswith(text[text.rfind("Traceback") :])


@pytest.mark.parametrize(
    ("master", "is_submitted", "chosen"),
    [(None, False, ["local[*,4]"]), (None, True, []), ("spark://a", True, ["spark://a"]), ("local", False, ["local"])],
)
@pytest.mark.parametrize("with_log", [False, True])
def test_how_spark_starts(monkeypatch, capfd, master, is_submitted, chosen, with_log):
    """Where spark-submit has said it; what Java writes to the file of errors meanwhile is shown if asked."""
    masters, levels = [], []
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)

    class Builder:
        def appName(self, name):  # noqa: N802
            return self

        def config(self, name, value):
            assert (name, value) == ("spark.sql.caseSensitive", "true")
            return self

        def master(self, name):
            masters.append(name)
            return self

        def getOrCreate(self):  # noqa: N802
            os.write(2, b"log")
            return SimpleNamespace(sparkContext=SimpleNamespace(setLogLevel=levels.append))

    monkeypatch.setattr(session, "SparkSession", SimpleNamespace(builder=Builder()))
    monkeypatch.setattr(session, "SparkConf", lambda: SimpleNamespace(contains=lambda _: is_submitted))
    with warnings.catch_warnings():
        session.start_spark(master, with_log)
    os.write(2, b" after")
    assert masters == chosen
    assert levels == ([] if with_log else ["OFF"])
    assert capfd.readouterr().err == ("log after" if with_log else " after")
    assert os.environ["PYSPARK_PYTHON"] == sys.executable


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["d.jsonl", "e.parquet"], "json"),
        (["d.ndjson.gz"], "json"),
        (["d.parquet", "e.jsonl"], "parquet"),
        (["d"], "parquet"),
        (["parts/_SUCCESS", "parts/part-1.json"], "json"),
        (["parts/_SUCCESS", "parts/part-1.snappy.parquet"], "parquet"),
    ],
)
def test_which_data_is_jsonl(tmp_path, names, kind):
    """By the name of the first, or those of the files of a folder; a failure names all that was to be read."""

    def fail(*paths, kind):
        raise PySparkException(f"{kind} {paths}")

    paths = [tmp_path / name for name in names]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    given = [str(paths[0].parent)] if "parts" in names[0] else [*map(str, paths)]
    read = SimpleNamespace(json=functools.partial(fail, kind="json"), parquet=functools.partial(fail, kind="parquet"))
    with pytest.raises(ValueError) as raised:
        session.read_data(SimpleNamespace(read=read), given)
    sent = (given,) if kind == "json" else tuple(given)
    assert str(raised.value) == f"--data {', '.join(given)}: {kind} {sent}"
