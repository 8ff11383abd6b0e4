"""score.py --rows and compare.py --rows: what systems score from files of rows, equal to the bit with the texts."""

import json
import math
import shutil
import unicodedata
from pathlib import Path

import cases
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from conftest import write, write_jsonl
from typer.testing import CliRunner

import textgauge
from textgauge.core.errors import InputError
from textgauge.core.options import VERSION
from textgauge.programs.commands import compare, publish_result, score, verify
from textgauge.programs.comparing.engine import compare as compare_texts
from textgauge.programs.comparing.engine import compare_rows
from textgauge.programs.comparing.files_of_rows import read_kept_rows
from textgauge.programs.comparing.people import people_of
from textgauge.programs.comparing.records import Settings
from textgauge.programs.comparing.rows import compute_rows
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.scoring.commands import add_errors, add_kinds
from textgauge.programs.scoring.row_files import read_row_files
from textgauge.programs.scoring.row_writing import row_targets, write_rows
from textgauge.programs.scoring.specs import Scorer

SETTINGS = Settings(None, 0.9, 50, 100, 3)
DETAILS = [name for name in cases.ADDITIVE if "detailed" in textgauge.load(name).OPTIONS]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def column(values):
    return FileColumn("a column", list(values), "a file", "row", range(1, len(values) + 1))


def corpus_of(name, columns, **further):
    """Returns a corpus of two systems: one with the predictions, and one that is worse in every second segment."""
    worse = cases.WORSE.get(name, cases.worse_text)
    predictions = columns["predictions"]
    second = [worse(row) if place % 2 else row for place, row in enumerate(predictions)]
    others = {key: [column(values)] for key, values in columns.items() if key != "predictions"}
    return Corpus("", {"가/1": column(predictions), "b": column(second)}, others, {}, "", **further)


def of_texts_and_rows(corpus, scorers, groups=()):
    """Returns what is found of texts, and of the rows that were written of them."""
    corpus = corpus.with_data()
    given = [scorer._replace(options={**scorer.options, **_of_intervals(scorer)}) for scorer in scorers]
    found = compare_texts(corpus, [*given, *people_of(corpus)], SETTINGS)
    kinds = add_kinds(corpus, given, found.results)
    rows = compute_rows(corpus, scorers)
    arrays = {(system, label): own for system in corpus.systems for label, own in rows.of_system(system).items()}
    write_rows(row_targets(Path("rows"), [*corpus.systems], scorers), corpus, scorers, arrays, kinds)
    kept = read_kept_rows([Path("rows", "가-1.parquet"), Path("rows", "b.parquet")], groups, SETTINGS)
    again = compare_rows(kept.corpus, kept.rows, SETTINGS)
    add_errors(kept.kinds, again.results, kept.corpus.size)
    return found, again


def _of_intervals(scorer):
    asked = {"confidence": SETTINGS.confidence, "resamples": SETTINGS.resamples, "seed": SETTINGS.seed}
    return {name: value for name, value in asked.items() if name in scorer.metric.OPTIONS}


def is_equal(found, again):
    """Returns whether two outcomes are equal to the bit: repr tells each float, and nan is equal to nan."""
    fields = ("results", "comparisons", "groups", "ranks", "trials")
    return all(repr(getattr(found, field)) == repr(getattr(again, field)) for field in fields)


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_rows_give_what_texts_give(name):
    """All options of all metrics, those that a signature only names too."""
    columns, *options = cases.CASES[name]
    metric = textgauge.load(name)
    of_rows = [{key: value for key, value in own.items() if key not in _OF_CALLS} for group in options for own in group]
    of_rows += [{"detailed": True}] if name in DETAILS else []
    scorers = [Scorer(f"{name} {number}", metric, own, name) for number, own in enumerate(of_rows)]
    groups = {"domain": [*"ab" * len(columns["predictions"])][: len(columns["predictions"])]}
    found, again = of_texts_and_rows(corpus_of(name, columns, groups=groups), scorers, ["domain"])
    assert is_equal(found, again)
    assert found.comparisons and len(found.groups) == 2


_OF_CALLS = ("confidence", "resamples", "seed", "per_segment", "flat", "conventions", "alignments")


def test_clusters_and_people():
    n = 12
    columns = {key: [values[place % 5] for place in range(n)] for key, values in cases.TEXTS.items()}
    corpus = corpus_of("cer", columns, is_human_lower_better=True)
    human = {"가/1": [place / 3 for place in range(n)], "b": [place / 7 for place in range(n)]}
    clusters = {"clusters": [column([f"문서 {place // 3}" for place in range(n)])]}
    corpus = corpus._replace(human=human, columns={**corpus.columns, **clusters})
    scorers = [Scorer(name, textgauge.load(name), {}, name) for name in ("cer", "bleu")]
    scorers = [scorer._replace(options={"clusters": corpus.clusters}) for scorer in scorers]
    found, again = of_texts_and_rows(corpus, scorers)
    assert is_equal(found, again)
    assert again.results["b"]["human"]["units"] == 4
    assert "errors" in again.results["b"]["cer"]


@pytest.fixture
def files():
    texts = [f"문장 {number}의 고양이 {number * 7 % 10}마리가 잔다" for number in range(30)]
    gold = [text.replace("고양이 1", "개 1").replace("잔다", "잠을 잔다") if len(text) % 2 else text for text in texts]
    rows = [
        {
            "id": f"s{number}", "old": text.replace("3", "세"),
            "new": text.replace("문장", "문 장") if number % 3 else text,
            "gold": reference, "domain": "뉴스" if number % 2 else "대화", "people": number % 5, "worse": number % 3,
            "document": f"d{number // 2}",
        }
        for number, (text, reference) in enumerate(zip(texts, gold, strict=True))
    ]  # fmt: skip
    write_jsonl("data.jsonl", *rows)
    return rows


METRICS = ["-m", "cer", "-m", "bleu:tokenizer=char", "-m", "wer:detailed=true"]
DATA = ["-d", "data.jsonl", "--prediction-column", "old", "--prediction-column", "new", "--reference-column", "gold"]


def call(app, *arguments, code=0):
    done = CliRunner().invoke(app, [*map(str, arguments)])
    assert done.exit_code == code, done.output
    return done


def test_commands(files):
    """All of JSON, gates and exit codes with them; what texts alone say is missing from rows."""
    further = ["--group-by", "domain", "--column", "clusters=document"]
    call(score.app, *DATA, *METRICS, *further, "--rows", "rows")
    gates = ["--baseline", "old", "--fail-below", "wer=baseline", "--fail-below", "loops=0", "--fail-below", "cer=0.1"]
    asked = [*gates, "--group-by", "domain", "--trials", "300", "--confidence", "0.9", "--seed", "7"]
    of_texts = call(compare.app, *DATA, *METRICS, *further[2:], *asked, "--json", "texts.json", code=1)
    of_rows = call(compare.app, "--rows", "rows", *asked, "--json", "rows.json", code=1)
    texts, rows = (json.loads(Path(f"{name}.json").read_text("utf-8")) for name in ("texts", "rows"))
    assert texts["failures"] and texts["groups"] and texts["comparisons"]
    order = ["old", "new"]  # in a folder they are in the order of their names
    assert {name: texts["systems"][name] for name in order} == {name: rows["systems"][name] for name in order}
    for key in ("data", "settings", "comparisons", "groups", "failures"):
        assert texts[key] == rows[key], key
    assert of_texts.stderr.splitlines()[-1] == of_rows.stderr.splitlines()[-1]


def test_several_runs_of_each_system(files):
    """All of JSON, of as many files as there are runs; one of them in another order."""
    systems = {"base": ("old", "new", "gold"), "가": ("new", "old", "old")}
    texts, rows = [], []
    order = [*reversed(files)]
    write_jsonl("reversed.jsonl", *order)
    for system, columns in systems.items():
        for number, name in enumerate(columns):
            write(f"{system}{number}.txt", *(row[name] for row in files))
            texts += ["-p", f"{system}={system}{number}.txt"]
            write(f"{system}{number}.turned", *(row[name] for row in order))
            is_turned = number == 1
            kept = f"{system}{number}.parquet"
            given = ["-p", f"{system}={system}{number}.{'turned' if is_turned else 'txt'}", *METRICS, "--rows", kept]
            table = ["-r", "reversed.jsonl" if is_turned else "data.jsonl", "--reference-column", "gold"]
            call(score.app, *given, *table, "--column", "ids=id")
            rows += ["--rows", kept]
    asked = ["--trials", "300", "--confidence", "0.9", "--seed", "7", "--json"]
    references = ["-r", "data.jsonl", "--reference-column", "gold"]
    of_texts = call(compare.app, *texts, *references, *METRICS, *asked, "texts.json")
    of_rows = call(compare.app, *rows, *asked, "rows.json")
    found = [json.loads(Path(f"{name}.json").read_text("utf-8")) for name in ("texts", "rows")]
    for key in ("systems", "runs", "settings", "comparisons"):
        assert found[0][key] == found[1][key], key
    assert len(found[0]["runs"]["가"]["cer"]["scores"]) == 3
    assert of_texts.stdout.splitlines()[0] == of_rows.stdout.splitlines()[0]


def test_a_column_of_people(files):
    human = ["--human-column", "old=people", "--human-column", "new=worse"]
    call(score.app, *DATA, "-m", "cer", *human, "--rows", "rows")
    shown = call(compare.app, "--rows", "rows/old.parquet", "--rows", "rows/new.parquet", "--json", "r.json")
    assert "human" in shown.stdout
    kept = json.loads(Path("r.json").read_text("utf-8"))
    assert kept["systems"]["old"]["human"]["human"] == 2.0 and kept["systems"]["new"]["human"]["human"] == 1.0
    assert [comparison["metric"] for comparison in kept["comparisons"]] == ["cer", "human"]


def test_no_text_is_in_a_file(files):
    call(score.app, *DATA, *METRICS, "--rows", "rows")
    for name in ("old", "new"):
        table = pq.read_table(f"rows/{name}.parquet")
        assert {str(field.type) for field in table.schema} == {"double"}
        about = table.schema.metadata[b"textgauge"].decode()
        assert "고양이" not in about and "잔다" not in about
    written = Path("rows/old.parquet").read_bytes()
    assert "고양이".encode() not in written


def write_systems(**systems):
    """Scores systems alone, each as NAME=(lines, references, further arguments)."""
    for name, (lines, references, *further) in systems.items():
        write(f"{name}.txt", *lines)
        write(f"{name}.gold", *references)
        texts = ["-p", f"{name}.txt", "-r", f"{name}.gold"]
        call(score.app, *texts, *(further or ["-m", "cer"]), "--rows", f"{name}.parquet")


TEXTS, GOLD = ["가 나 다", "라 마", "바"], ["가 나 라", "라 마", "바 사"]


def test_what_is_refused():
    moved = [GOLD[1], GOLD[0], GOLD[2]]
    write_systems(
        one=(TEXTS, GOLD),
        other=(TEXTS, ["아", "자", "차"]),
        moved=([TEXTS[1], TEXTS[0], TEXTS[2]], moved),
        jiwer=(TEXTS, GOLD, "-m", "cer=cer:preset=jiwer"),
        detailed=(TEXTS, GOLD, "-m", "cer=cer:detailed=true"),
        wer=(TEXTS, GOLD, "-m", "wer"),
        two=(GOLD, GOLD),
    )
    write("text.parquet", "no Parquet")
    shutil.copy("one.parquet", "again.parquet")
    pq.write_table(pa.table({"a": [1]}), "plain.parquet")
    Path("empty").mkdir()
    for paths, message in (
        (["one", "other"], "one.parquet and other.parquet were scored on different references"),
        (
            ["one", "moved"],
            "one.parquet and moved.parquet have the same references in different orders, and have no ids",
        ),
        (["one", "jiwer"], "cer cannot be compared: one.parquet has rows of cer|nrefs:1|spaces:remove"),
        (["one", "detailed"], "a row has 5 numbers in one.parquet, and"),
        (["one", "wer"], "the systems have no score in common: cer, wer"),
        (["one"], "there is one system, one; a comparison needs two: repeat --rows"),
        (["one", "one"], "--rows one.parquet is given twice; pass a file for each system, or for each of its runs"),
        (["one", "again"], "there is one system, one; a comparison needs two: score one under another name"),
        (["one", "again", "two"], "all systems need the same number of runs; one has 2, two has 1"),
        (["one", "text"], "text.parquet holds no rows; score.py writes them with --rows"),
        (["one", "plain"], "plain.parquet holds no rows; score.py writes them with --rows"),
        (["one", "no"], "there is no file no.parquet"),
    ):
        arguments = [word for path in paths for word in ("--rows", f"{path}.parquet")]
        assert message in call(compare.app, *arguments, code=2).stderr
    assert "there is no file of rows" in call(compare.app, "--rows", "empty", code=2).stderr
    for further, message in (
        (
            ["-p", "one.txt"],
            "--rows takes no option for outputs or metrics, which the file names",
        ),
        (["-m", "cer", "--align-segments", "words"], "leave out --metric, --align-segments"),
        (["--group-by", "domain"], "--group-by domain: one.parquet has groups by nothing"),
        (["--baseline", "b"], "--baseline b: the systems are"),
    ):
        given = ["--rows", "one.parquet", "--rows", "two.parquet", *further]
        assert message in call(compare.app, *given, code=2).stderr


def changed(path, target, **fields):
    """Writes a file of rows with other metadata."""
    table = pq.read_table(path)
    about = {**json.loads(table.schema.metadata[b"textgauge"]), **fields}
    pq.write_table(table.replace_schema_metadata({"textgauge": json.dumps(about)}), target)
    return about


def test_what_others_write():
    """Another version, metric, width, format: each is named, and no script is run."""
    write_systems(one=(TEXTS, GOLD), two=(GOLD, GOLD))
    [about] = changed("two.parquet", "x.parquet")["metrics"]
    version = {**about, "signature": about["signature"].replace(f"|v{VERSION}", "|v0.9")}
    for fields, message in (
        ({"metrics": [version]}, "x.parquet, cer: 'cer|nrefs:1"),
        ({"metrics": [{**about, "metric": "./cer.py"}]}, "x.parquet, cer: there is no metric ./cer.py here"),
        ({"metrics": [{**about, "label": "cer2"}]}, "x.parquet, cer2: "),
        ({"metrics": [{**about, "options": {"detailed": True}, "kinds": False}]}, "x.parquet, cer: rows has the shape"),
        ({"metrics": [{"label": "cer"}]}, "x.parquet holds no rows as score.py writes them: 'metric' is missing"),
        ({"metrics": [{**about, "signature": 5}]}, "x.parquet holds no rows as score.py writes them: 'signature' is"),
        ({"metrics": 5}, "x.parquet holds no rows as score.py writes them: 'metrics' is no list"),
        ({"system": ["two"]}, "x.parquet holds no rows as score.py writes them: 'system' is no str"),
        ({"columns": ["id"]}, "x.parquet holds no rows as score.py writes them: the column id needs a text"),
        ({"format": 2}, "x.parquet has the format 2; this version reads 1"),
        ({"data": {}}, "x.parquet does not say which data its rows were scored on"),
        ({"data": {"outputs": {"two": {"any_order": "x"}}}}, "x.parquet does not say which data"),
    ):
        changed("two.parquet", "x.parquet", **fields)
        shown = call(compare.app, "--rows", "one.parquet", "--rows", "x.parquet", code=2).stderr
        assert message in shown, shown


@pytest.mark.parametrize("name", cases.ADDITIVE)
def test_what_a_signature_states_nothing_overrides(name):
    """Only the options that no signature has are read beside it; every other one is refused by its name."""
    metric = textgauge.load(name)
    signature = metric.signature()
    expected = metric.row_options(signature, metric.unsigned_options())
    for option, said in metric.OPTIONS.items():
        if option in metric.unsigned_options():
            for value in said.choices:
                assert metric.row_options(signature, {option: value}) == {**expected, option: value}
            with pytest.raises(InputError, match=f"^{option} is 'x.txt'; pass one of"):
                metric.row_options(signature, {option: "x.txt"})
            continue
        for value in (said.default, "x.txt"):
            with pytest.raises(InputError, match=f"^'{option}' is set beside the signature, which alone states"):
                metric.row_options(signature, {option: value})
    for other in ("signature", "self", "no_option"):
        with pytest.raises(InputError, match=f"^'{other}' is set beside the signature"):
            metric.row_options(signature, {other: 1})


def test_a_score_of_rows_is_the_one_that_its_signature_names():
    texts = ["가나다라마바사아자", "나"]
    write_systems(two=(texts, ["가나다라마바사아자", "다"]))
    [about] = changed("two.parquet", "x.parquet")["metrics"]
    write("r.yaml", f"- value: 0.5\n  notes: {about['signature']}")
    assert call(verify.app, "r.yaml", "--rows", "two.parquet", code=1).stdout.startswith("not equal: cer is 0.5")
    changed("two.parquet", "x.parquet", metrics=[{**about, "options": {"aggregate": "mean", "detailed": False}}])
    shown = call(verify.app, "r.yaml", "--rows", "x.parquet", code=2).stderr
    assert shown.startswith("error: x.parquet, cer: 'aggregate' is set beside the signature")


@pytest.mark.parametrize("wrong", [math.inf, -math.inf, math.nan, None])
def test_rows_that_are_no_finite_numbers_are_named(wrong):
    write_systems(two=(GOLD, GOLD))
    table = pq.read_table("two.parquet")
    for name in ("cer/0", "cer/kinds/0"):
        values = table[name].to_pylist()
        values[1] = wrong
        place = table.column_names.index(name)
        pq.write_table(table.set_column(place, name, pa.array(values, pa.float64())), "x.parquet")
        shown = (
            f"x.parquet, cer: {name} is {math.nan if wrong is None else wrong:g} in row 2; a row holds finite numbers"
        )
        with pytest.raises(InputError, match=f"^{shown}$"):
            read_row_files(Path("x.parquet"))


def test_columns_that_others_write():
    write_systems(two=(GOLD, GOLD))
    table = pq.read_table("two.parquet")
    about = json.loads(table.schema.metadata[b"textgauge"])

    def message(changed_table, **fields):
        own = json.dumps({**about, **fields})
        pq.write_table(changed_table.replace_schema_metadata({"textgauge": own}), "x.parquet")
        with pytest.raises(InputError) as raised:
            read_row_files(Path("x.parquet"))
        return str(raised.value)

    place = table.column_names.index("cer/0")
    for values in (["a", "b", "c"], [[1.0], [2.0], [3.0]], [{"a": 1}] * 3):
        assert "need a float in each row" in message(table.set_column(place, "cer/0", pa.array(values)))
    for ids in ([1, 2, 3], ["a", None, "c"]):
        assert "the column id needs a text" in message(table.append_column("id", pa.array(ids)), columns=["id"])
    for scores in (["a", "b", "c"], [1, None, 2], [1.0, math.inf, 2.0], [1.0, math.nan, 2.0], [True, False, True]):
        people = table.append_column("human", pa.array(scores))
        assert "the column human needs a finite number" in message(people, columns=["human"])
    pq.write_table(table.replace_schema_metadata({"textgauge": "[" * 100_000}), "x.parquet")
    with pytest.raises(InputError, match="holds no rows"):
        read_row_files(Path("x.parquet"))


def test_parts_that_others_write():
    write_systems(two=(GOLD, GOLD))
    table = pq.read_table("two.parquet")
    about = json.loads(table.schema.metadata[b"textgauge"])
    Path("parts.parquet").mkdir()

    def put(name, part, segments):
        own = json.dumps({**about, "segments": segments})
        pq.write_table(part.replace_schema_metadata({"textgauge": own}), f"parts.parquet/{name}.parquet")

    for part in (table, table.append_column("id", pa.array([1, 2, 3]))):
        put("0", part, 3)
        with pytest.raises(InputError, match="the column id needs a text"):
            read_row_files(Path("parts.parquet"))
    put("0", table.append_column("id", pa.array(["9" * 5000, "8", "7"])), 3)
    assert read_row_files(Path("parts.parquet"))[0].size == 3
    put("0", table, 6)
    put("1", table.append_column("id", pa.array(["1", "2", "3"])), 6)
    with pytest.raises(InputError, match="its files were written by different calls"):
        read_row_files(Path("parts.parquet"))


def test_another_order_of_equal_references_is_matched_by_ids():
    """References that are alike have one digest in every order; ids tell the orders apart."""
    for name, order in (("one", range(8)), ("two", reversed(range(8)))):
        rows = [{"id": f"s{k}", "out": "네" if k < 3 else "아니오", "gold": "네"} for k in order]
        write_jsonl(f"{name}.jsonl", *rows)
        call(
            score.app, "-p", f"{name}={name}.jsonl", "--prediction-column", "out", "--reference-column", "gold",
            "--id-column", "", "-m", "cer", "--column", "ids=id", "--rows", f"{name}.parquet",
        )  # fmt: skip
    rows = read_kept_rows([Path("one.parquet"), Path("two.parquet")], [], SETTINGS).rows
    np.testing.assert_array_equal(rows.of_system("one")["cer"], rows.of_system("two")["cer"])


def test_without_references_ids_tell_the_order():
    for name, order in (("one", [0, 1, 2]), ("two", [2, 0, 1]), ("three", [0, 1, 3])):
        write_jsonl(f"{name}.jsonl", *({"id": f"s{k}", "out": [-1.0 - k, -2.0]} for k in order))
        given = ["-p", f"{name}={name}.jsonl", "--prediction-column", "out", "--id-column", "", "--column", "ids=id"]
        call(score.app, *given, "-m", "perplexity", "--rows", f"{name}.parquet")
    rows = read_kept_rows([Path("one.parquet"), Path("two.parquet")], [], SETTINGS).rows
    np.testing.assert_array_equal(rows.of_system("one")["perplexity"], rows.of_system("two")["perplexity"])
    with pytest.raises(
        InputError, match="one.parquet and three.parquet may be in different orders, and their ids differ"
    ):
        read_kept_rows([Path("one.parquet"), Path("three.parquet")], [], SETTINGS)


def test_directions_of_people_that_differ():
    write_jsonl("a.jsonl", *({"one": "가", "two": "나", "gold": "가", "h": k} for k in range(3)))
    for name, further in (("one", []), ("two", ["--human-lower-is-better"])):
        given = ["--data", "a.jsonl", "--prediction-column", name, "--reference-column", "gold", "-m", "cer"]
        call(score.app, *given, "--human-column", f"{name}=h", *further, "--rows", f"{name}.parquet")
    shown = call(compare.app, "--rows", "one.parquet", "--rows", "two.parquet", code=2).stderr
    assert "lower human scores are better only in two.parquet" in shown


def test_verify_of_another_order_without_references():
    for name, order in (("one", [0, 1, 2]), ("two", [2, 1, 0])):
        write_jsonl(f"{name}.jsonl", *({"out": [-1.0 - k, -2.0]} for k in order))
        given = ["-p", f"a={name}.jsonl", "--prediction-column", "out", "-m", "perplexity", "--rows", f"{name}.parquet"]
        call(score.app, *given, "--json", f"{name}.json")
    notes = call(publish_result.app, "one.json", "--dataset", "a/b", "--task", "t").stdout
    write("one.yaml", notes)
    assert "the same data in another order" in call(verify.app, "one.yaml", "--rows", "two.parquet").stdout


def test_another_order_is_matched_by_ids():
    orders = [0, 1, 2, 3], [2, 0, 3, 1]
    for name, order, change in (("one", orders[0], "아"), ("two", orders[1], "")):
        rows = [{"id": f"s{k}", "out": f"가 나 {k}{change}", "gold": f"가 나 다 {k}", "g": f"g{k % 2}"} for k in order]
        write_jsonl(f"{name}.jsonl", *rows)
        call(
            score.app, "-p", f"{name}={name}.jsonl", "--prediction-column", "out", "--reference-column", "gold",
            "--id-column", "", "-m", "cer", "--group-by", "g", "--column", "ids=id", "--rows", f"{name}.parquet",
        )  # fmt: skip
    [one], [two] = read_row_files(Path("one.parquet")), read_row_files(Path("two.parquet"))
    assert one.ids == [f"s{k}" for k in orders[0]] and two.ids == [f"s{k}" for k in orders[1]]
    kept = read_kept_rows([Path("one.parquet"), Path("two.parquet")], ["g"], SETTINGS)
    inverse = [orders[1].index(k) for k in orders[0]]
    np.testing.assert_array_equal(kept.rows.of_system("two")["cer"], np.asarray(two.by_label["cer"].values)[inverse])
    assert kept.corpus.groups == {"g": ["g0", "g1", "g0", "g1"]}


def test_names_of_segments_that_differ():
    for name, groups, clusters in (("one", "ab", "xx"), ("two", "aa", "xy"), ("three", "ab", None)):
        write(f"{name}.txt", "가 나", "다")
        write("gold.txt", "가 다", "다")
        write("g.txt", *groups)
        further = []
        if clusters:
            write("c.txt", *clusters)
            further = ["--column", "clusters=c.txt"]
        given = ["-p", f"{name}.txt", "-r", "gold.txt", "-m", "cer", "--column", "g=g.txt", "--group-by", "g", *further]
        call(score.app, *given, "--rows", f"{name}.parquet")
    for paths, further, message in (
        (["one", "two"], [], "one.parquet and two.parquet need the same clusters: they differ"),
        (["one", "three"], [], "one.parquet and three.parquet need the same clusters: three.parquet has none"),
        (["one", "two"], ["--group-by", "x"], "--group-by x: one.parquet has g"),
    ):
        files = [word for path in paths for word in ("--rows", f"{path}.parquet")]
        assert message in call(compare.app, *files, *further, code=2).stderr


def test_scores_that_only_some_have_are_named():
    write_systems(one=(TEXTS, GOLD, "-m", "cer", "-m", "wer"), two=(GOLD, GOLD))
    shown = call(compare.app, "--rows", "one.parquet", "--rows", "two.parquet")
    assert "not all systems have rows of wer" in shown.stderr and "wer|" not in shown.stdout


def test_a_score_that_cannot_tell_fails_its_gate():
    lines = ["가 나", "다 라", "마 바"]
    write_systems(one=(lines, lines[::-1], "-m", "bleu"), two=(lines[1:] + lines[:1], lines[::-1], "-m", "bleu"))
    files = ["--rows", "one.parquet", "--rows", "two.parquet"]
    assert "bleu" in call(compare.app, *files).stdout
    shown = call(compare.app, *files, "--baseline", "one", "--fail-below", "bleu=0.1", code=2)
    write("three.txt", *lines)
    texts = ["-p", "one.txt", "-p", "two.txt", "-r", "one.gold", "-m", "bleu"]
    of_texts = call(compare.app, *texts, "--baseline", "one", "--fail-below", "bleu=0.1", code=2)
    assert shown.stderr.partition(":")[0] == of_texts.stderr.partition(":")[0] and "--fail-below" in shown.stderr


def test_targets_of_rows(files):
    Path("a_file").write_text("x", "utf-8")
    for arguments, message in (
        ([*DATA, "-m", "cer", "--rows", "x.parquet"], "--rows x.parquet: there are 2 systems, old, new; pass a folder"),
        ([*DATA, "-m", "cer", "--rows", "no/rows"], "--rows no/rows: there is no folder no"),
        ([*DATA, "-m", "cer", "--rows", "a_file"], "--rows a_file is a file; pass a folder"),
        ([*DATA, "-m", str(Path(textgauge.METRICS, "cer.py")), "--rows", "rows"], "cer.py is a script; rows can only"),
    ):
        assert message in call(score.app, *arguments, code=2).stderr
    numbers = ["-d", "data.jsonl", "--prediction-column", "people", "--human-column", "worse"]
    shown = call(score.app, *numbers, "-m", "human_correlation", "--rows", "rows", code=2).stderr
    assert "human_correlation is computed from all segments together, and has no rows" in shown
    assert not Path("rows").exists()


def test_verify_takes_rows():
    """Also where the signature only names a table, which texts could not be scored with."""
    write("w.tsv", "가\t2")
    write_systems(one=(TEXTS, GOLD, "-m", "weighted_bleu:weights=w.tsv,tokenizer=char", "-m", "rouge:tokenizer=char"))
    call(
        score.app, "-p", "one.txt", "-r", "one.gold", "-m", "weighted_bleu:weights=w.tsv,tokenizer=char", "-m",
        "rouge:tokenizer=char", "--json", "s.json",
    )  # fmt: skip
    for label, further in (("weighted_bleu tokenizer=char", []), ("rouge char", ["--key", "rougeL"])):
        labels = json.loads(Path("s.json").read_text("utf-8"))["systems"]["one"]
        label = next(name for name in labels if name.startswith(label.partition(" ")[0]))
        given = ["s.json", "--dataset", "a/b", "--task", "t", "--score", label, *further]
        write("r.yaml", call(publish_result.app, *given).output)
        assert call(verify.app, "r.yaml", "--rows", "one.parquet").stdout.startswith("equal: ")
    write_systems(two=(TEXTS, GOLD, "-m", "cer"))
    assert "two.parquet has no rows of 'rouge|" in call(verify.app, "r.yaml", "--rows", "two.parquet", code=2).stderr
    both = ["--rows", "one.parquet", "-p", "one.txt"]
    assert "--rows replaces outputs and references" in call(verify.app, "r.yaml", *both, code=2).stderr
    Path("rows").mkdir()
    for name in ("one", "two"):
        Path(f"{name}.parquet").rename(f"rows/{name}.parquet")
    assert "but rows has 2" in call(verify.app, "r.yaml", "--rows", "rows", code=2).stderr


def test_result_refuses_rows_of_another_signature():
    write_systems(one=(TEXTS, GOLD, "-m", "cer"))
    [kept] = read_row_files(Path("one.parquet"))
    rows, cer = kept.by_label["cer"].values, textgauge.load("cer")
    expected = cer.compute(predictions=TEXTS, references=GOLD)
    assert cer.result(rows) == cer.result(rows, confidence=None) == expected
    assert cer.result(rows[:2], confidence=0.9)["cer"] == cer.compute(predictions=TEXTS[:2], references=GOLD[:2])["cer"]
    with pytest.raises(
        InputError, match=r"the rows were computed with 'cer\|spaces:remove.*'; these options give 'cer\|preset:jiwer"
    ):
        cer.result(rows, preset="jiwer")
    with pytest.raises(InputError, match=r"these options give 'bleu\|"):
        textgauge.load("bleu").result(rows)
    assert cer.result(np.asarray(rows), preset="jiwer")["cer"] == expected["cer"]


def test_json_reports_and_notes_say_of_which_data(files):
    call(score.app, *DATA, "-m", "cer", "--json", "s.json", "--html", "s.html", "--markdown", "s.md")
    data = json.loads(Path("s.json").read_text("utf-8"))["data"]
    digest = "{in_order}/{any_order}".format(**data["references"])
    assert set(data["outputs"]) == {"old", "new"} and data["outputs"]["old"] != data["outputs"]["new"]
    assert f"digest of the references (in order/in any order): {digest}" in Path("s.html").read_text("utf-8")
    written = ["--json", "c.json", "--html", "c.html", "--markdown", "c.md", "--latex", "c.tex"]
    call(compare.app, *DATA, "-m", "cer", *written)
    assert json.loads(Path("c.json").read_text("utf-8"))["data"] == data
    for name in ("c.html", "c.md", "c.tex"):
        assert f": {digest}" in Path(name).read_text("utf-8"), name
    given = ["s.json", "--dataset", "a/b", "--task", "t", "--system", "old"]
    [entry] = yaml.safe_load(call(publish_result.app, *given).output)
    outputs = "{in_order}/{any_order}".format(**data["outputs"]["old"])
    assert entry["notes"].endswith(f" | data: references {digest}, outputs {outputs}")
    signature = json.loads(Path("s.json").read_text("utf-8"))["systems"]["old"]["cer"]["signature"]
    assert textgauge.load("cer").options_of(entry["notes"]) == textgauge.load("cer").options_of(signature)


def test_the_same_data_in_other_files(files):
    """JSONL, CSV, Parquet and lines of text, NFC and NFD."""
    write("old.txt", *(unicodedata.normalize("NFD", row["old"]) for row in files))
    write("gold.txt", *(row["gold"] for row in files))
    pq.write_table(pa.table({name: [row[name] for row in files] for name in ("old", "gold")}), "data.parquet")
    write("data.csv", "old,gold", *(f"{row['old']},{row['gold']}" for row in files))
    found = []
    for given in (
        ["-p", "old.txt", "-r", "gold.txt"],
        *(["-d", f"data.{kind}", "--prediction-column", "old", "--reference-column", "gold"] for kind in KINDS),
    ):
        call(score.app, *given, "-m", "cer", "--json", "s.json")
        found.append(json.loads(Path("s.json").read_text("utf-8"))["data"])
    assert found.count(found[0]) == 4


KINDS = ("jsonl", "parquet", "csv")


def test_rows_of_meetings_are_counted_as_sessions():
    write("gold.stm", "m1 1 s 0 2 가 나", "m2 1 s 0 2 다 라")
    for name, words in (("a", "가 나"), ("b", "가 다")):
        write(f"{name}.csv", "session,speaker,start,end,text", f"m1,x,0,2,{words}", "m2,x,0,2,다 라")
    given = ["-p", "a.csv", "-p", "b.csv", "-r", "gold.stm", "-m", "cpwer", "--rows", "rows"]
    assert CliRunner().invoke(score.app, given).exit_code == 0
    said = CliRunner().invoke(compare.app, ["--rows", "rows"]).stdout
    assert "With 2 sessions, no difference can be significant" in said and "segment" not in said
