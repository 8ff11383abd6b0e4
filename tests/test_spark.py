"""textgauge.spark: rows and results of one call, to the bit, however the data is cut, on workers that are killed."""

import importlib
import json
import os
import re
import shutil
import sys
import warnings

import cases
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import typer
from conftest import ROOT, load

pyspark = pytest.importorskip("pyspark", reason="pip install -r requirements-spark.txt")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java 17", allow_module_level=True)

from pyspark.sql import SparkSession
from typer.testing import CliRunner

from textgauge import spark
from textgauge.core.errors import InputError
from textgauge.programs.reading.references import without_gaps
from textgauge.programs.saying.values import dump_json
from textgauge.programs.scoring import blocks
from textgauge.programs.scoring.row_files import read_row_files
from textgauge.programs.scoring.specs import Scorer, load_scorers

pytestmark = pytest.mark.filterwarnings("ignore")
SPECS = ["bleu:smooth=exp", "rouge", "cer:aggregate=mean", "wer"]
LEARNING = ["rouge:rouge_types=rouge2,,idf=references", "nist", "cider"]
COLUMNS = {"predictions": ["out"], "references": ["ref"]}


@pytest.fixture(scope="module")
def session():
    options = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.executorEnv.PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests"), *sys.path]),
        "spark.pyspark.python": sys.executable,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master("local[2,2]").config(map=options).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
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


def frame_of(session, data, partitions):
    return session.createDataFrame(pa.Table.from_pandas(data)).repartition(partitions)


def scored(session, data, partitions, scorers, by=()):
    return spark.score_rows(frame_of(session, data, partitions), scorers, COLUMNS, "id", by).cache()


def assert_same(part, scorers, data):
    """All that one call returns, with its interval, to the bit."""
    assert part["segments"] == len(data)
    for scorer in scorers:
        columns = {"predictions": data["out"].tolist(), "references": data["ref"].tolist()}
        expected = scorer.metric.compute(**columns, **scorer.options)
        actual = part["metrics"][scorer.label]
        assert {name: repr(actual[name]) for name in expected} == {name: repr(expected[name]) for name in expected}


@pytest.mark.parametrize(("size", "partitions"), [(60, 1), (60, 3), (12, 17)])
def test_partitions_do_not_matter(session, size, partitions):
    """Some of 17 partitions of 12 rows are empty."""
    data, scorers = table(size), load_scorers(SPECS, 0.9)
    rows = scored(session, data, partitions, scorers, ["system", "year"])
    [whole] = spark.results(rows, scorers)
    assert_same(whole, scorers, data)
    signature = scorers[0].metric.signature(data["ref"].tolist(), **scorers[0].options)
    assert whole["metrics"]["bleu smooth=exp"]["signature"] == signature
    groups = spark.results(rows, scorers, ["system", "year"])
    assert len(groups) == len(data.groupby(["system", "year"], dropna=False)) > 3
    for part in groups:
        is_in = [
            data[c].isna() if value == "None" else data[c].astype(str) == value for c, value in part["group"].items()
        ]
        assert_same(part, scorers, data[is_in[0] & is_in[1]])


def test_what_is_learned_from_all_references(session):
    data, scorers = table(), load_scorers(LEARNING, 0.9)
    [whole] = spark.results(scored(session, data, 3, scorers), scorers)
    assert_same(whole, scorers, data)


@pytest.mark.parametrize("capacity", [4, 16])
def test_blocks_are_those_of_a_stream(session, monkeypatch, capacity):
    monkeypatch.setattr(blocks, "CAPACITY", capacity)
    data, [scorer] = table(), load_scorers(["bleu"], 0.9)
    rows = scored(session, data, 5, [scorer], ["system"])
    for part in (*spark.results(rows, [scorer]), *spark.results(rows, [scorer], ["system"])):
        system = part["group"].get("system")
        own = data[data["system"].fillna("None") == system] if system else data
        of_stream = blocks.Blocks()
        columns = {"predictions": own["out"].tolist(), "references": own["ref"].tolist()}
        of_stream.add(scorer.metric.statistics(**columns, **scorer.options))
        expected = scorer.metric.result(of_stream.rows(), **scorer.options)
        assert repr({**expected, "signature": ""}) == repr({**part["metrics"]["bleu"], "signature": ""})


def test_without_an_interval_nothing_is_sorted(session, monkeypatch):
    """Sums of whole numbers are exact in any order."""
    data, scorers = table(), load_scorers(["cer", "rouge"], None)
    rows = scored(session, data, 3, scorers, ["domain"])
    monkeypatch.setattr(spark, "_block_sums", None)
    for part in (*spark.results(rows, scorers), *spark.results(rows, scorers, ["domain"])):
        domain = part["group"].get("domain")
        own = data[data["domain"] == domain] if domain else data
        assert_same(part, scorers[:1], own)
        columns = {"predictions": own["out"].tolist(), "references": own["ref"].tolist()}
        expected = scorers[1].metric.compute(**columns, **scorers[1].options)
        actual = part["metrics"]["rouge"]
        np.testing.assert_allclose([actual[name] for name in expected], [*expected.values()], rtol=1e-12)


def test_ids_that_are_numbers_are_sorted_as_numbers(session, monkeypatch):
    """As a file has them; with blocks of several rows another order would draw others. Equal ids are in any order."""
    monkeypatch.setattr(blocks, "CAPACITY", 8)
    data, [scorer] = table(), load_scorers(["rouge"], 0.9)
    data["id"] = [number // 2 for number in range(len(data))]
    found = []
    for partitions in (1, 7):
        shuffled = data.sample(frac=1, random_state=partitions)
        [whole] = spark.results(scored(session, shuffled, partitions, [scorer]), [scorer])
        found.append(repr(whole["metrics"]))
    assert found[0] == found[1]


def _few(options):
    return options[::5] if len(options) > 9 else options


def kinds_of_columns():
    """Returns the metrics whose rows add up, those together whose predictions are of one kind."""
    kinds = {}
    for name in cases.ADDITIVE:
        kinds.setdefault(str(load(name).COLUMNS["predictions"].features), []).append(name)
    return list(kinds.values())


@pytest.mark.parametrize("names", kinds_of_columns(), ids=lambda names: names[0])
def test_every_metric(session, names):
    """Also those that have further columns, or learn from the whole corpus; many in one job."""
    columns = {column: values for name in names for column, values in cases.CASES[name][0].items()}
    scorers = [
        Scorer(f"{name} {index}", load(name), {**options, "confidence": None}, name)
        for name in names
        for index, options in enumerate(_few(cases.CASES[name][1]))
    ]
    frame = session.createDataFrame(pa.table({**columns, "id": range(5)})).repartition(3)
    [whole] = spark.results(spark.score_rows(frame, scorers, {name: [name] for name in columns}, "id"), scorers)
    if "references" in columns:  # what is empty in a table is no reference
        found = without_gaps([columns["references"]], columns.get("reference_weights"))
        columns = {**columns, "references": found.columns[0]}
        if found.weights is not None:
            columns["reference_weights"] = found.weights
    for scorer in scorers:
        given = {name: columns[name] for name in scorer.metric.COLUMNS if name in columns}
        expected = scorer.metric.compute(**given, **scorer.options)
        actual = whole["metrics"][scorer.label]
        for key in actual.keys() & expected.keys() - {"perplexities", "unused_keys", "unused_count", "missed_keywords"}:
            np.testing.assert_allclose(actual[key], expected[key], rtol=1e-12, err_msg=f"{scorer.label} {key}")


def test_bad_rows(session):
    data, scorers = table(), load_scorers(["bleu:smooth=exp", "cer", "wer"], None)
    data.at[30, "out"] = None
    data.at[40, "ref"] = []
    rows = scored(session, data, 3, scorers, ["domain"])
    with pytest.raises(InputError, match=r"30: bleu smooth=exp: predictions\[0\] is None; .*skip_bad_rows"):
        spark.results(rows, scorers)
    [whole] = spark.results(rows, scorers, skip_bad_rows=True)
    assert whole["bad_rows"] == 2
    assert_same(whole, scorers, data.drop([30, 40]))
    assert [part["bad_rows"] for part in spark.results(rows, scorers, ["domain"], skip_bad_rows=True)] == [1, 1]
    data["out"] = None
    with pytest.raises(InputError, match="nothing to score"):
        spark.results(scored(session, data, 3, scorers), scorers, skip_bad_rows=True)


def test_gaps_among_references_and_their_weights_are_left_out(session):
    """In several columns, some of whose cells are lists, as `without_gaps` does for files."""
    first, second = ["가 나", "다 라", None], ["가 다", "", "마 바"]
    weights = [[1.0, 0.5], [0.25, None], [None, 0.75]]
    table_of_gaps = pa.table({"id": range(3), "out": ["가 나", "다", "마 바"], "a": first, "b": second, "w": weights})
    columns = {"predictions": ["out"], "references": ["a", "b"], "reference_weights": ["w"]}
    scorers = load_scorers(["bleu", "delta_bleu"], None)
    rows = spark.score_rows(session.createDataFrame(table_of_gaps), scorers, columns, "id").cache()
    [found] = spark.results(rows, scorers)
    given = {"predictions": ["가 나", "다", "마 바"], "references": [["가 나", "가 다"], ["다 라"], ["마 바"]]}
    of_delta_bleu = {**given, "reference_weights": [[1.0, 0.5], [0.25], [0.75]]}
    for scorer, of_metric in zip(scorers, (given, of_delta_bleu), strict=True):
        expected = scorer.metric.compute(**of_metric, **scorer.options)
        assert {name: found["metrics"][scorer.label][name] for name in expected} == expected
    assert "nrefs:1-2" in found["metrics"]["bleu"]["signature"]


def test_rows_are_compared_as_those_of_one_call(session, tmp_path):
    data, scorers = table(), load_scorers(["bleu", "cer"], None)
    worse = data.assign(out=[f"{text} 더" for text in data["out"]])
    for system, of_system in (("a", data), ("b", worse)):
        rows = scored(session, of_system, 4, scorers, ["domain"])
        spark.write_rows(rows, str(tmp_path / f"{system}.parquet"), system, scorers)
    kept = read_row_files(tmp_path)
    for of_system, read in zip((data, worse), kept, strict=True):
        assert read.groups == {"domain": data["domain"].tolist()}
        columns = {"predictions": of_system["out"].tolist(), "references": of_system["ref"].tolist()}
        for scorer in scorers:
            expected = scorer.metric.statistics(**columns, **scorer.options)
            np.testing.assert_array_equal(read.by_label[scorer.label].values, expected)


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


def test_a_killed_worker_changes_nothing(session, tmp_path):
    """A worker that dies in the middle of a task, as when its machine is lost: Spark gives the task to another."""
    data = table()
    data.at[11, "out"] = "dies here"
    scorers = load_scorers([dying_metric(tmp_path, DIES_ONCE)], 0.9)
    [whole] = spark.results(scored(session, data, 3, scorers), scorers)
    assert (tmp_path / "has died").exists()
    [bleu] = load_scorers(["bleu"], 0.9)
    columns = {"predictions": data["out"].tolist(), "references": data["ref"].tolist()}
    expected = bleu.metric.compute(**columns, **bleu.options)
    assert {name: repr(whole["metrics"]["dying"][name]) for name in expected} == {
        k: repr(v) for k, v in expected.items()
    }


def only_block(path, heading):
    """Returns the code of a section of a document."""
    text = (ROOT / path).read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    return re.search(r"```python\n(.*?)```", text, flags=re.S)[1]


def test_the_recipe_runs(session, tmp_path):
    """With the twelve lines of docs/large_data.md, whose results are those of a call."""
    recipe = only_block("docs/large_data.md", "Spark")
    assert len([line for line in recipe.splitlines() if line]) == 12
    # a path is one of the machine on which Spark was started, whatever the folder is now
    for name, folder in (("scripts/", ROOT), ("scored", tmp_path), ("kakao.parquet", tmp_path)):
        recipe = recipe.replace(f'"{name}', f'"{folder}/{name}')
    found = {}
    exec(recipe, found)
    sample = pd.read_json(ROOT / "scripts/data/es_ko_sample.jsonl", lines=True)
    for scorer in found["scorers"]:
        columns = {"predictions": sample["KakaoI"].tolist(), "references": sample["reference"].tolist()}
        expected = scorer.metric.compute(**columns, **scorer.options)
        actual = found["whole"]["metrics"][scorer.label]
        assert {name: repr(actual[name]) for name in expected} == {name: repr(expected[name]) for name in expected}
    assert sum(group["segments"] for group in found["of_groups"]) == len(sample)
    [kept] = read_row_files(tmp_path / "kakao.parquet")
    assert kept.size == len(sample) and kept.ids == sample["segment"].astype(str).tolist()


def test_the_job_prints_what_the_functions_return(session, tmp_path, monkeypatch):
    monkeypatch.setattr(session, "stop", lambda: None)
    data, scorers = table(), load_scorers(["cer", "bleu"], 0.95)
    data.to_parquet(tmp_path / "d.parquet")
    job = importlib.import_module("examples.spark_job")
    app = typer.Typer()
    app.command()(job.main)
    arguments = [str(tmp_path / "d.parquet"), "out", "ref", "-m", "cer", "-m", "bleu", "--by", "domain"]
    done = CliRunner().invoke(app, [*arguments, "--rows", str(tmp_path / "a.parquet")])
    assert done.exit_code == 0, repr(done.exception)
    rows = scored(session, data, 2, scorers, ["domain"])
    expected = [*spark.results(rows, scorers), *spark.results(rows, scorers, ["domain"])]
    assert json.loads(done.stdout) == json.loads(dump_json(expected))
    assert read_row_files(tmp_path / "a.parquet")[0].size == len(data)
    data["out"] = [None, *data["out"][1:]]
    data.to_parquet(tmp_path / "bad.parquet")
    done = CliRunner().invoke(app, [str(tmp_path / "bad.parquet"), *arguments[1:]])
    assert isinstance(done.exception, InputError) and "0: cer: predictions[0] is None" in str(done.exception)


def test_options_of_each_segment_are_refused(session, tmp_path):
    (tmp_path / "weights.json").write_text('[{"a": 1.5}, {"a": 0.5}]')
    scorers = load_scorers([f"weighted_bleu:weights={tmp_path / 'weights.json'}"], None)
    with pytest.raises(InputError, match="an option differs between segments"):
        spark.score_rows(frame_of(session, table(), 1), scorers, COLUMNS, "id")
