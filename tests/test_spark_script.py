"""scripts/score_spark.py: the results of one call, however the data is cut, on workers that are killed as well."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from unittest import mock

import cases
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from conftest import ROOT, load
from scipy import stats
from test_readmes import commands

pyspark = pytest.importorskip("pyspark", reason="pip install -r requirements-spark.txt")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java 17", allow_module_level=True)

from typer.testing import CliRunner

from textgauge.core.errors import InputError
from textgauge.programs.commands import compare, score
from textgauge.programs.commands.score_spark import app
from textgauge.programs.reading.references import without_gaps
from textgauge.programs.scoring.specs import Scorer, load_scorers
from textgauge.programs.spark import worker as spark_worker
from textgauge.programs.spark.jobs import score_data
from textgauge.programs.spark.session import read_data, start_spark

pytestmark = pytest.mark.filterwarnings("ignore")
SPECS = ["bleu:smooth=exp", "rouge", "cer:aggregate=mean", "wer"]
COLUMNS = {"predictions": ["out"], "references": ["ref"]}


# what takes time for each session, worker or table, and does not matter for what is small
QUICK = {
    "spark.python.daemon.module": "spark_daemon",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture(scope="module")
def spark():
    options = [word for name, value in QUICK.items() for word in ("--conf", f"{name}={value}")]
    environment = {
        "PYSPARK_SUBMIT_ARGS": shlex.join([*options, "pyspark-shell"]),
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), str(ROOT / "tests"), os.environ.get("PYTHONPATH")])),
    }
    with warnings.catch_warnings(), mock.patch.dict(os.environ, environment):
        warnings.simplefilter("ignore")
        session = start_spark("local[2,2]")  # a task that fails is tried once more
    yield session
    session.stop()


def table(size=60):
    texts = cases.TEXTS["predictions"]
    return pd.DataFrame(
        {
            "id": range(size),
            "out": [f"{texts[i % 5]} {i // 3}" for i in range(size)],
            "ref": [[f"{text} {i // 2}" for text in cases.TEXTS["references"][i % 5]] for i in range(size)],
            # most rows in one group, a group of one row, and rows without a group
            "system": [None if i % 20 == 7 else "작은" if i == 3 else "큰" for i in range(size)],
            "domain": ["news" if i % 4 else "talk" for i in range(size)],
            "year": pd.array([None if i % 15 == 2 else 1990 + i % 2 for i in range(size)], dtype="Int32"),
        }
    )


def frame_of(spark, data, partitions):
    return spark.createDataFrame(pa.Table.from_pandas(data)).repartition(partitions)


def compute(metric, options, rows):
    options = {name: value for name, value in options.items() if name != "confidence"}
    return metric.compute(predictions=rows["out"], references=rows["ref"], **options)


def assert_same(part, scorers, rows):
    assert part["segments"] == len(rows)
    for scorer in scorers:
        expected = compute(scorer.metric, scorer.options, rows)
        actual = part["metrics"][scorer.label]
        for key, value in expected.items():
            assert_equal_values(actual[key], value, f"{scorer.label} {key}")


def assert_equal_values(actual, expected, key):
    """Asserts that numbers are equal up to rounding, and phrases, with their counts, altogether."""
    if key.endswith(("unused_keys", "missed_keywords")):
        assert actual == expected, key
    else:
        np.testing.assert_allclose(actual, expected, rtol=1e-12, err_msg=key)


@pytest.mark.parametrize(("size", "partitions"), [(60, 1), (60, 3), (12, 17)])
def test_partitions_do_not_matter(spark, size, partitions):
    """Some of 17 partitions of 12 rows are empty."""
    data, scorers = table(size), load_scorers(SPECS, 0.9)
    results, bad = score_data(frame_of(spark, data, partitions), scorers, COLUMNS, ["system", "year"], ["id"])
    assert bad == []
    assert_same(results["all"], scorers, data)
    assert len(results["groups"]) == len(data.groupby(["system", "year"], dropna=False)) > 3
    for part in results["groups"]:
        is_in = [data[c].isna() if value is None else data[c] == value for c, value in part["group"].items()]
        assert_same(part, scorers, data[is_in[0] & is_in[1]])
        for result in part["metrics"].values():
            low, high = next(value for key, value in result.items() if key.endswith("confidence_interval"))
            assert low <= next(iter(result.values())) <= high or (np.isnan(low) and part["segments"] < 6)
            assert result["units"] == part["segments"]
    # integers to the last bit
    bleu = results["all"]["metrics"]["bleu smooth=exp"]
    assert bleu["bleu"] == compute(scorers[0].metric, scorers[0].options, data)["bleu"]


@pytest.mark.parametrize("partitions", [1, 5])
def test_phrases_of_all_rows_and_of_groups(spark, partitions):
    """Which phrases of a table no text has, and which ones are missed."""
    words = [word for texts in cases.TEXTS["references"] for text in texts for word in text.split() if word.isalpha()]
    weights = {**dict.fromkeys(words, 1.5), "19": 2.0, "없는말": 1.2}
    data = table()
    scorers = [Scorer(name, load(name), {"weights": weights}, name) for name in ("cer", "bleu", "wer", "weighted_bleu")]
    scorers[1] = Scorer("bleu", load("bleu"), {}, "bleu")
    results, _ = score_data(frame_of(spark, data, partitions), scorers, COLUMNS, ["domain"], ["id"])
    parts = [(results["all"], data)]
    parts += [(part, data[data["domain"] == part["group"]["domain"]]) for part in results["groups"]]
    for part, rows in parts:
        for scorer in scorers:
            expected = compute(scorer.metric, scorer.options, rows)
            actual = part["metrics"][scorer.label]
            for key in ("missed_keywords", "unused_count", "unused_keys"):
                assert actual.get(key) == expected.get(key)
    assert results["all"]["metrics"]["wer"]["missed_keywords"]
    counts = [part["metrics"]["wer"]["unused_count"] for part, _ in parts]
    assert 0 < counts[0] < max(counts[1:])


def test_the_interval_does_not_depend_on_partitions(spark):
    """How often a row is drawn is decided by its key: not by groups, other metrics or other rows either."""
    scorers, data = load_scorers(["bleu", "cer"], 0.9), table()
    whole, _ = score_data(frame_of(spark, data, 1), scorers, COLUMNS, [], ["id"])
    grouped, _ = score_data(frame_of(spark, data, 4), scorers, COLUMNS, ["system"], ["id"])
    alone, _ = score_data(frame_of(spark, data[data["system"] == "큰"], 2), scorers[1:], COLUMNS, [], ["id"])
    assert whole == {"all": grouped["all"]}
    assert [part["group"]["system"] for part in grouped["groups"]] == [None, "작은", "큰"]
    assert alone["all"]["metrics"]["cer"] == grouped["groups"][2]["metrics"]["cer"]
    for label, metric in whole["all"]["metrics"].items():
        low, high = metric["confidence_interval"]
        assert low < metric[label] < high


def test_a_corpus_in_which_nothing_repeats(spark):
    """What counts once is left out of the table that goes to the workers, but not that it was counted."""
    data = table(2).assign(out=["가 나 다", "라 마"], ref=[["가 나 다"], ["라 마 바"]])
    scorers = load_scorers(["rouge:rouge_types=rouge2,,idf=references", "nist", "cider"], None)
    results, _ = score_data(frame_of(spark, data, 2), scorers, COLUMNS, [], ["id"])
    assert_same(results["all"], scorers, data)


def _few(options):
    return options[::5] if len(options) > 9 else options


def kinds_of_columns():
    """Returns the metrics whose rows add up, those together whose predictions are of one kind."""
    kinds = {}
    for name in cases.ADDITIVE:
        kinds.setdefault(str(load(name).COLUMNS["predictions"].features), []).append(name)
    return list(kinds.values())


@pytest.mark.parametrize("names", kinds_of_columns(), ids=lambda names: names[0])
def test_every_metric(spark, names):
    """Also those that have further columns, or learn from the whole corpus; many in one job."""
    weights = [{"weights": cases.KEYWORDS, "detailed": True}]
    columns = {column: values for name in names for column, values in cases.CASES[name][0].items()}
    scorers = [
        Scorer(f"{name} {index}", load(name), {**options, "confidence": None}, name)
        for name in names
        for index, options in enumerate(_few(cases.CASES[name][1]) + weights * (name in ("cer", "wer")))
    ]
    frame = spark.createDataFrame(pa.table({**columns, "id": range(5)})).repartition(3)
    results, _ = score_data(frame, scorers, {name: [name] for name in columns}, [], ["id"])
    if "references" in columns:  # what is empty in a table is no reference
        found = without_gaps([columns["references"]], columns.get("reference_weights"))
        columns = {**columns, "references": found.columns[0]}
        if found.weights is not None:
            columns["reference_weights"] = found.weights
    for scorer in scorers:
        given = {name: columns[name] for name in scorer.metric.COLUMNS if name in columns}
        expected = scorer.metric.compute(**given, **scorer.options)
        actual = results["all"]["metrics"][scorer.label]
        for key in actual.keys() & expected.keys() - {"perplexities"}:
            assert_equal_values(actual[key], expected[key], f"{scorer.label} {key}")


def test_bad_rows(spark):
    place = 30
    data, scorers = table(), load_scorers(SPECS, None)
    data.at[place, "out"] = None
    data.at[40, "ref"] = []
    frame = frame_of(spark, data, 3)
    with pytest.raises(ValueError, match=r"id (\d+): .*(is None; pass a string|is an empty list; pass).*skip-bad-rows"):
        score_data(frame, scorers, COLUMNS, [], ["id"])
    results, bad = score_data(frame, scorers, COLUMNS, ["domain"], ["id"], skip_bad_rows=True)
    assert {row["id"] for row in bad} == {place, 40}
    reasons = {row["id"]: row["bad_row"] for row in bad}
    assert "predictions[0] is None; pass a string" in reasons[place]
    assert "references[0] is an empty list" in reasons[40]
    assert [part["bad_rows"] for part in results["groups"]] == [1, 1] and results["all"]["bad_rows"] == 2
    good = data.drop([place, 40])
    assert_same(results["all"], scorers, good)
    for scorer in scorers:
        signature = scorer.metric.signature(good["ref"].tolist(), **scorer.options)
        assert results["all"]["metrics"][scorer.label]["signature"] == signature
    # all that is scored names a row, where nothing else does
    results, [bad, _] = score_data(frame, load_scorers(["wer"], None), COLUMNS, [], [], skip_bad_rows=True)
    assert_same(results["all"], scorers[3:], good)
    assert [*bad] == ["out", "ref", "bad_row"]


def test_group_of_bad_rows_alone(spark):
    data, scorers = table(), load_scorers(SPECS, 0.9)
    data.at[3, "out"] = None
    results, _ = score_data(frame_of(spark, data, 3), scorers, COLUMNS, ["system"], ["id"], skip_bad_rows=True)
    part = next(part for part in results["groups"] if part["group"] == {"system": "작은"})
    assert part == {"group": {"system": "작은"}, "segments": 0, "bad_rows": 1, "metrics": {}}
    assert results["all"]["segments"] == 59
    data["out"] = None
    with pytest.raises(ValueError, match="nothing to score"):
        score_data(frame_of(spark, data, 3), scorers, COLUMNS, ["system"], ["id"], skip_bad_rows=True)


def test_segments_are_written_beside_the_data(spark, tmp_path):
    data, scorers = table(), load_scorers(SPECS, None)
    data.at[5, "out"] = None
    path = str(tmp_path / "segments")
    score_data(frame_of(spark, data, 3), scorers, COLUMNS, [], ["id"], path, skip_bad_rows=True)
    written = spark.read.parquet(path).toPandas().sort_values("id").reset_index(drop=True)
    assert list(written.columns) == [*data.columns, "bad_row", "bleu smooth=exp", "rouge1", "rouge2", "rougeL",
                                     "rougeLsum", "cer aggregate=mean", "wer"]  # fmt: skip
    assert written["out"].tolist() == data["out"].tolist()
    good = data.drop(5)
    expected = load("wer").compute(predictions=good["out"], references=good["ref"], per_segment=True)["segments"]
    np.testing.assert_allclose(written["wer"].drop(5), expected, rtol=1e-12)
    assert np.isnan(written["wer"][5]) and "is None" in written["bad_row"][5]
    with pytest.raises(ValueError, match="the folder of --segments or --rows is there already"):
        score_data(frame_of(spark, data, 3), scorers, COLUMNS, [], ["id"], path, skip_bad_rows=True)


def dying_metric(tmp_path, statement, name="dying"):
    """Returns the script of a BLEU whose workers run a statement when they meet the text "dies here"."""
    shutil.copytree(ROOT / "metrics", tmp_path / "metrics")
    script = (tmp_path / "metrics" / "bleu.py").rename(tmp_path / "metrics" / f"{name}.py")
    text = script.read_text(encoding="utf-8")
    dying = f"""
    import os
    from pathlib import Path
    import textgauge
    marker = Path({str(tmp_path / "has died")!r})
    if "dies here" in predictions:
        {statement}
    chunk = encode_chunk("""
    script.write_text(text.replace("\n    chunk = encode_chunk(", dying, 1), encoding="utf-8")
    return str(script)


DIES_ONCE = "marker.exists() or (marker.write_text(textgauge.__file__), os._exit(9))"


def test_a_killed_worker_changes_nothing(spark, tmp_path):
    """A worker that dies in the middle of a task, as when its machine is lost: Spark gives the task to another."""
    data = table()
    data.at[11, "out"] = "dies here"
    scorers = load_scorers([dying_metric(tmp_path, DIES_ONCE)], None)
    results, _ = score_data(frame_of(spark, data, 3), scorers, COLUMNS, [], ["id"])
    assert (tmp_path / "has died").exists()
    assert results["all"]["metrics"]["dying"]["bleu"] == compute(load("bleu"), {}, data)["bleu"]


def test_by_itself(tmp_path):
    """Without --master a worker may die too, and has the package from an archive; Spark's own log is not shown."""
    data = table()
    data.at[11, "out"] = "dies here"
    data.to_parquet(tmp_path / "d.parquet")
    options = ["-d", str(tmp_path / "d.parquet"), "--prediction-column", "out", "--reference-column", "ref"]
    metrics = ["-m", dying_metric(tmp_path, DIES_ONCE), "-m", "cer", "-m", "rouge", "--json", str(tmp_path / "r.json")]
    command = [sys.executable, str(ROOT / "scripts/score_spark.py"), *options, *metrics, "--key", "id"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONWARNINGS"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", env=environment, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "has died").read_text().endswith("/textgauge.zip/textgauge/__init__.py")
    result = json.loads((tmp_path / "r.json").read_text())["all"]["metrics"]
    assert result["dying"]["bleu"] == compute(load("bleu"), {}, data)["bleu"]
    low, high = result["dying"]["confidence_interval"]
    assert f"{result['dying']['bleu']:.4f} [{low:.4f}, {high:.4f}]" in done.stdout


def job_of_a_metric(folder, statement, name):
    """Returns what score_spark.py ends with, where a metric meets a text that it fails on."""
    data = table(12)
    data.at[11, "out"] = "dies here"
    data.to_parquet(folder / "d.parquet")
    options = ["-d", str(folder / "d.parquet"), "--prediction-column", "out", "--reference-column", "ref"]
    return CliRunner().invoke(app, [*options, "-m", dying_metric(folder, statement, name)])


def test_a_job_that_fails(spark, tmp_path):
    """One line says why."""
    failed = job_of_a_metric(tmp_path, "os._exit(9)", "dies_always")
    assert failed.exit_code == 2
    reason = r"Job aborted due to stage failure: Task .* failed 2 times, .* exited unexpectedly \(crashed\)"
    assert re.fullmatch(rf"error: Spark failed: {reason}; --spark-log shows more\n", failed.stderr)


def test_a_metric_with_a_bug(spark, tmp_path):
    """It is no bad input: the traceback of the worker is shown."""
    failed = job_of_a_metric(tmp_path, "[].pop()", "has_a_bug")
    assert type(failed.exception) is RuntimeError
    assert str(failed.exception).startswith("a worker failed:\nTraceback")
    assert str(failed.exception).endswith("IndexError: pop from empty list")


def test_files_that_options_name(spark):
    weights = str(ROOT / "scripts/data/es_ko_weights.tsv")
    scorers = load_scorers([f"weighted_bleu:tokenizer=char,weights={weights}"], None)
    results, _ = score_data(frame_of(spark, table(), 3), scorers, COLUMNS, [], ["id"])
    result = results["all"]["metrics"][scorers[0].label]
    assert result["weighted_bleu"] == compute(load("weighted_bleu"), scorers[0].options, table())["weighted_bleu"]


def test_what_is_refused_before_a_job():
    """No data is read for it."""
    for specs, columns, message in [
        (["bleu"], {"predictions": ["out"]}, "bleu needs references; add --reference-column NAME"),
        (["bleu", "ibleu"], COLUMNS, "ibleu needs sources; add --column sources=NAME"),
        (
            ["bleu:seed=2", "cer:seed=9", "wer:seed=2"],
            COLUMNS,
            "the metrics have different seeds: 2, 9; pass one for all",
        ),
    ]:
        with pytest.raises(ValueError, match=f"^{message}$"):
            score_data(None, load_scorers(specs, 0.9), columns, [], [])


def test_missing_columns(spark):
    frame = frame_of(spark, table(), 1)
    with pytest.raises(ValueError, match="there is no column nix; the data has id, out, ref"):
        score_data(frame, load_scorers(["bleu"], None), {**COLUMNS, "references": ["nix"]}, [], [])
    with pytest.raises(ValueError, match=r"^there is no column id.a, year.0, nix; the data has id, out, .*, year$"):
        score_data(frame, load_scorers(["bleu"], None), COLUMNS, ["id.a", "year.0"], ["nix"])
    lines = frame.selectExpr("*", "cast('{}' as binary) as metrics_line", "'file:/d' as metrics_file")
    with pytest.raises(ValueError, match=r"^there is no column nix; the data has id, out, .*, year$"):
        score_data(lines, load_scorers(["bleu"], None), COLUMNS, ["nix"], [])


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_command(spark, kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = table()
    data.at[8, "out"] = None
    if kind == "parquet":
        data.to_parquet("d.parquet")
    else:
        data.to_json("d.jsonl", orient="records", lines=True, force_ascii=False)
    arguments = [
        "-d",
        str(tmp_path / f"d.{kind}"),  # Spark's working directory is that of the session
        "--prediction-column",
        "out",
        "--reference-column",
        "ref",
        "-m",
        "bleu",
        "-m",
        "rouge",
    ]
    arguments += ["-g", "domain", "--key", "id", "--json", "r.json"]
    failed = CliRunner().invoke(app, arguments)
    assert failed.exit_code == 2 and not (tmp_path / "r.json").exists()
    assert failed.stderr.startswith("error: id 8: bleu: predictions[0] is None; pass a string; --skip-bad-rows FILE")
    done = CliRunner().invoke(app, [*arguments, "--skip-bad-rows", "bad.jsonl"])
    assert done.exit_code == 0, done.output
    result = json.loads((tmp_path / "r.json").read_text())
    assert [part["group"]["domain"] for part in result["groups"]] == ["news", "talk"]
    assert_same(result["all"], load_scorers(["bleu", "rouge"], None), data.drop(8))
    assert json.loads((tmp_path / "bad.jsonl").read_text())["id"] == 8
    for word in ("domain", "news", "talk", "(all)", "rougeLsum", "bleu|nrefs:1-3|"):
        assert word in done.output
    missing = CliRunner().invoke(app, ["-d", "no.parquet", *arguments[2:]])
    assert missing.exit_code == 2 and "--data no.parquet" in missing.stderr


def test_reading(spark, tmp_path):
    table().to_parquet(tmp_path / "d.parquet")
    assert read_data(spark, [str(tmp_path / "d.parquet")]).count() == 60
    table().to_json(tmp_path / "d.ndjson", orient="records", lines=True)
    assert read_data(spark, [str(tmp_path / "d.ndjson")]).count() == 60


MIXED = [
    {
        "p": "가 나 다",
        "r": ["가 나 다", "라"],
        "output": {"completion": "가 나", "tries": ["가", "나"]},
        "id": 1,
        "g": 1,
    },
    {"p": '["가"]', "r": "가 나", "output": {"completion": "[1]", "tries": ["[1]"], "r": "가"}, "id": 2, "g": "1"},
    {"p": "5", "r": ['["y"]', "5"], "output": {"completion": "", "tries": ["x", {}]}, "id": 3, "g": "둘"},
]


def write_lines(path, *lines):
    """Writes lines as an editor of Windows may, with blank ones."""
    path.write_bytes(("\ufeff" + "\r\n\u3000\r\n".join(lines)).encode() + b"\n \n")
    return path


@pytest.mark.parametrize("prediction", ["p", "output.completion", "output.tries.0"])
def test_jsonl_is_read_as_score_py_reads_it(spark, tmp_path, prediction):
    """Spark alone makes a text with brackets of a list, where another line has a text."""
    path = write_lines(tmp_path / "줄 1.jsonl", *(json.dumps(row, ensure_ascii=False) for row in MIXED))
    options = ["-d", str(path), "--prediction-column", prediction, "--reference-column", "r", "-m", "cer", "-m", "nist"]
    expected = CliRunner().invoke(score.app, [*options, "--json", "-", "--no-confidence"])
    assert expected.exit_code == 0, expected.output
    scorers, columns = load_scorers(["cer", "nist"], None), {"predictions": [prediction], "references": ["r"]}
    results, bad = score_data(read_data(spark, [str(path)]), scorers, columns, ["g", "output.r"], [])
    assert bad == []
    whole = json.loads(expected.stdout)["systems"][prediction]
    assert whole["cer"].pop("errors")["kinds"]
    assert results["all"]["metrics"] == whole
    groups = [(*part["group"].values(), part["segments"]) for part in results["groups"]]
    assert groups == [("1", None, 1), ("1", "가", 1), ("둘", None, 1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"p": "잘린 줄", "r": "잘', "bad JSON, it is cut off after"),
        ("5", "'5' is not an object; write {...} on each line"),
        ('{"p": "하나"}', "there is no column 'r'; it has p"),
        ('{"p": 5, "r": "하나"}', "cer: predictions[0] is of type int, 5; pass a string"),
        ('{"p": {"a": "b"}, "r": "하나"}', "cer: predictions[0] is of type dict"),
        ('{"p": "하나", "r": null}', "cer: references[0] is None; pass a string or"),
        (b'{"p": "\xb0\xa1", "r": ""}', "byte 0xb0 is not UTF-8"),
    ],
)
def test_a_bad_line_is_named(spark, tmp_path, line, reason):
    path = tmp_path / "d.jsonl"
    good = json.dumps(MIXED[0]).encode()
    path.write_bytes(b"\n".join([good, line if isinstance(line, bytes) else line.encode(), good]))
    scorers, columns = load_scorers(["cer", "nist"], None), {"predictions": ["p"], "references": ["r"]}
    start = f"{path}, line {line.decode('utf-8', 'replace') if isinstance(line, bytes) else line!r:.40}"
    with pytest.raises(ValueError) as raised:
        score_data(read_data(spark, [str(path)]), scorers, columns, [], [])
    assert reason in str(raised.value)
    results, [bad] = score_data(read_data(spark, [str(path)]), scorers, columns, [], [], skip_bad_rows=True)
    assert bad.keys() == {"bad_row"} and reason in bad["bad_row"]
    assert f"{path}, line " in bad["bad_row"] and (isinstance(line, bytes) or bad["bad_row"].startswith(start))
    assert (results["all"]["segments"], results["all"]["bad_rows"]) == (2, 1)


def test_gaps_among_references_are_none(spark, tmp_path):
    """As score.py reads them, of JSONL and of Parquet; what was left out is counted."""
    given = [("가 나 다 라", "가 나 다", None), ("마 바", "", "마 사"), ("아", None, "아 자")]
    lines = [{"p": p, "r": r, "s": s} for p, r, s in given]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    pd.DataFrame(lines).to_parquet(tmp_path / "d.parquet")
    scorers = load_scorers(["bleu", "ter", "cider"], None)
    for name in ("d.jsonl", "d.parquet"):
        options = ["-d", str(tmp_path / name), "--prediction-column", "p", "-m", "bleu", "-m", "ter", "-m", "cider"]
        options += ["--reference-column", "r", "--reference-column", "s", "--no-confidence", "--json", "-"]
        expected = CliRunner().invoke(score.app, options)
        assert expected.exit_code == 0, expected.output
        columns = {"predictions": ["p"], "references": ["r", "s"]}
        results, _ = score_data(read_data(spark, [str(tmp_path / name)]), scorers, columns, [], [])
        assert results["all"]["metrics"] == json.loads(expected.stdout)["systems"]["p"]
        assert results["all"]["gaps"] == 3
    whole = CliRunner().invoke(app, [*options[:4], "--reference-column", "r", "--reference-column", "s"])
    assert (
        "note: 3 references are empty; where a segment has another reference, an empty one is ignored" in whole.stderr
    )
    both = "column p is both the prediction and the reference"
    assert both not in whole.stderr
    assert both in CliRunner().invoke(app, [*options[:4], "--reference-column", "p"]).stderr


def test_a_score_that_cannot_tell_is_noted(spark, tmp_path):
    (tmp_path / "d.jsonl").write_text('{"p": "네 좋아요", "r": "네 좋아요"}\n{"p": "비가 온다", "r": "비 온다"}\n')
    how = [
        "-d",
        str(tmp_path / "d.jsonl"),
        "--prediction-column",
        "p",
        "--reference-column",
        "r",
        "-m",
        "bleu",
        "-m",
        "cer",
    ]
    said = CliRunner().invoke(app, [*how, "--no-confidence"])
    expected = CliRunner().invoke(score.app, [*how, "--no-confidence"])
    assert said.stderr == expected.stderr and said.stderr.startswith(
        "note: bleu cannot tell a good text from a bad one"
    )


def test_names_that_differ_in_case_are_two(spark, tmp_path):
    (tmp_path / "d.jsonl").write_text('{"p": "가 나", "P": "가 다", "g": 1}\n')
    scorers, columns = load_scorers(["wer"], None), {"predictions": ["p"], "references": ["P"]}
    results, _ = score_data(read_data(spark, [str(tmp_path / "d.jsonl")]), scorers, columns, ["P"], ["p"])
    assert results["all"]["metrics"]["wer"]["wer"] == 0.5 and results["groups"][0]["group"] == {"P": "가 다"}


def test_nothing_but_bad_lines(spark, tmp_path):
    (tmp_path / "d.jsonl").write_text("{\n")
    with pytest.raises(ValueError, match="bad JSON"):
        score_data(read_data(spark, [str(tmp_path)]), load_scorers(["cer"], None), COLUMNS, [], [])


@pytest.mark.parametrize(
    ("references", "counted"), [(["가", "나"], "1"), ([["가"], ["나"]], "1"), (["가", ["나", "다"]], "1-2")]
)
def test_the_signature_counts_the_references_of_the_data(spark, tmp_path, references, counted):
    rows = [{"out": "가", "ref": reference} for reference in references]
    write_lines(tmp_path / "d.jsonl", *map(json.dumps, rows))
    frames = [read_data(spark, [str(tmp_path / "d.jsonl")])]
    if counted == "1":
        frames.append(spark.createDataFrame(pa.table({"out": ["가", "가"], "ref": references})))
    for frame in frames:
        results, _ = score_data(frame, load_scorers(["bleu"], None), COLUMNS, [], [])
        assert results["all"]["metrics"]["bleu"]["signature"].startswith(f"bleu|nrefs:{counted}|")


def test_columns_inside_others_of_parquet(spark, tmp_path):
    data = table(12)
    nested = pa.table({"a": [{"out": out, "refs": [ref]} for out, ref in zip(data["out"], data["ref"], strict=True)]})
    columns, scorers = {"predictions": ["a.out"], "references": ["a.refs.0"]}, load_scorers(SPECS, None)
    results, _ = score_data(spark.createDataFrame(nested), scorers, columns, ["a.out"], [], str(tmp_path / "s"))
    assert_same(results["all"], scorers, data)
    assert len(results["groups"]) == data["out"].nunique()
    assert spark.read.parquet(str(tmp_path / "s")).columns[:2] == ["a", "bad_row"]


def test_draws():
    """Poisson(1), a function of the row's hash and the seed alone."""
    hashes = np.random.default_rng(0).integers(2**63, size=300, dtype=np.uint64)
    drawn = spark_worker.draws(hashes, 400, 7)
    assert (spark_worker.draws(hashes[100:200], 400, 7) == drawn[100:200]).all()
    assert (spark_worker.draws(hashes, 400, 8) != drawn).any()
    counts = np.bincount(drawn.astype(int).ravel(), minlength=8)[:6]
    expected = stats.poisson.pmf(range(6), 1) * drawn.size
    assert stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue > 1e-4
    # neither rows nor resamples are correlated
    for matrix in (drawn, drawn.T):
        correlations = np.corrcoef(matrix)[np.triu_indices(len(matrix), 1)]
        assert abs(correlations.mean()) < 0.01 and abs(correlations).max() < 0.4


def test_the_readme(spark, tmp_path, monkeypatch):
    """The command of docs/large_data.md; Spark finds files from the working directory of the session, not from ours."""
    monkeypatch.chdir(tmp_path)
    (command,) = [command for command in commands("docs/large_data.md") if "score_spark.py" in command]
    data = ROOT / "scripts/data/es_ko_sample.jsonl"
    places = {"scripts/data/es_ko_sample.jsonl": str(data), "scored.parquet": str(tmp_path / "scored.parquet")}
    done = CliRunner().invoke(app, [places.get(word, word) for word in shlex.split(command)[2:]])
    assert done.exit_code == 0, done.output
    rows = pd.read_json(data, lines=True)
    given = {"predictions": list(rows["KakaoI"]), "references": list(rows["reference"])}
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["all"]["metrics"]["bleu char"]["bleu"] == load("bleu").compute(**given, tokenizer="char")["bleu"]
    assert len(pd.read_parquet(tmp_path / "scored.parquet")) == len(rows)


def test_rows_are_compared_as_those_of_texts(spark, tmp_path, monkeypatch):
    """Parts without an order: by their ids, which are numbers here, in that of the texts, and so equal to the bit."""
    monkeypatch.chdir(tmp_path)
    data = table(24).assign(new=lambda frame: [text.replace("고양이", "개") for text in frame["out"]])
    data.to_json("data.jsonl", orient="records", lines=True, force_ascii=False)
    names, specs = ("out", "new"), ["bleu:tokenizer=char", "cer", "wer:detailed=true"]
    for name in names:
        scorers, columns = load_scorers(specs, None), {**COLUMNS, "predictions": [name]}
        frame = spark.createDataFrame(pa.Table.from_pandas(data.sample(frac=1, random_state=1))).repartition(3)
        results, _ = score_data(
            frame, scorers, columns, ["domain"], ["id"], rows=str(tmp_path / f"rows_{name}"), with_data=True
        )
        assert len(list(tmp_path.glob(f"rows_{name}/*.parquet"))) == 3
    asked = ["--group-by", "domain", "--json"]
    metrics = [word for spec in specs for word in ("-m", spec)]
    texts = [
        "-d",
        "data.jsonl",
        "--prediction-column",
        "out",
        "--prediction-column",
        "new",
        "--reference-column",
        "ref",
    ]
    rows = [word for name in names for word in ("--rows", f"rows_{name}")]
    for arguments in ([*texts, *metrics, *asked, "texts.json"], [*rows, *asked, "rows.json"]):
        done = CliRunner().invoke(compare.app, arguments)
        assert done.exit_code == 0, done.output
    of_texts, of_rows = (json.loads((tmp_path / f"{kind}.json").read_text("utf-8")) for kind in ("texts", "rows"))
    for key in ("comparisons", "groups"):
        of_texts[key] = [{**own, "systems": None} for own in of_texts[key]]
        of_rows[key] = [{**own, "systems": None} for own in of_rows[key]]
        assert of_texts[key] == of_rows[key]
    assert results["data"]["references"] == {"any_order": of_texts["data"]["references"]["any_order"]}
    assert results["data"]["outputs"] == {"new": {"any_order": of_texts["data"]["outputs"]["new"]["any_order"]}}
    next(tmp_path.glob("rows_new/*.parquet")).unlink()
    shown = CliRunner().invoke(compare.app, rows)
    assert shown.exit_code == 2 and " of 24 rows; a part is missing" in shown.stderr


def test_rows_need_a_key(spark, tmp_path):
    scorers = load_scorers(["cer"], None)
    with pytest.raises(InputError, match="--rows needs --key NAME: on a cluster rows have no order"):
        score_data(frame_of(spark, table(4), 1), scorers, COLUMNS, [], [], rows=str(tmp_path / "rows"))
