"""Files and tables given to --predictions and --references: read as what they are, and matched row by row."""

import bz2
import gzip
import itertools
import json
import lzma
import os
import pathlib
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import load, write, write_jsonl
from typer.testing import CliRunner

import textgauge
from textgauge.programs.commands import compare
from textgauge.programs.reading import compressed, records
from textgauge.programs.reading.corpora import file_corpora
from textgauge.programs.reading.named_columns import NamedColumns
from textgauge.programs.reading.rows import value_at

IDS, SORTED = ["u3", "u1", "u2"], ["u1", "u2", "u3"]
TEXTS = {"u1": "고양이가 방에서 잔다.", "u2": "개가 짖는다.", "u3": "새가 날아간다, 멀리."}
GOLD = {"u1": "고양이가 방에서 잤다.", "u2": "개가 마당에서 짖는다.", "u3": "새가 멀리 날아간다."}
EXPECTED = load("cer").compute(predictions=list(TEXTS.values()), references=list(GOLD.values()))["cer"]


def csv_lines(texts, ids=SORTED, name="text", separator=","):
    return [f"id{separator}{name}", *(f'{key}{separator}"{texts[key]}"' for key in ids)]


def records_of(texts, ids):
    return [{"id": key, "text": texts[key]} for key in ids]


def write_gzip(name, texts, ids):
    with gzip.open(name, "wt", encoding="utf-8") as file:
        file.write("\n".join(csv_lines(texts, ids)))


# how a file is written: its ending, and what is inside; the ids are in an order of their own
WRITERS = {
    ".csv": lambda name, texts, ids: write(name, *csv_lines(texts, ids)),
    ".CSV": lambda name, texts, ids: write(name, "\ufeff" + csv_lines(texts, ids)[0], *csv_lines(texts, ids)[1:]),
    ".tsv": lambda name, texts, ids: write(name, *csv_lines(texts, ids, separator="\t")),
    ".csv.gz": write_gzip,
    ".jsonl": lambda name, texts, ids: write_jsonl(name, *records_of(texts, ids)),
    ".json": lambda name, texts, ids: write(name, json.dumps(records_of(texts, ids), indent=1)),
    "map.json": lambda name, texts, ids: write(name, json.dumps({key: texts[key] for key in ids})),
    ".parquet": lambda name, texts, ids: pq.write_table(pa.Table.from_pylist(records_of(texts, ids)), name),
    ".trn": lambda name, texts, ids: write(name, *(f"{texts[key]} ({key})" for key in ids)),
}


def score_of(content, metric="cer"):
    return content["systems"]["out"][metric]["cer"]


@pytest.mark.parametrize("gold", WRITERS)
@pytest.mark.parametrize("out", [".csv", "map.json", ".trn"])
def test_tables_are_matched_by_their_ids(out, gold, scores):
    WRITERS[out]("a" + out, TEXTS, IDS)
    WRITERS[gold]("g" + gold, GOLD, IDS[::-1])
    assert score_of(scores("-p", f"out=a{out}", "-r", f"g{gold}", "-m", "cer")) == EXPECTED


def test_lists_by_number_are_references_by_id(scores):
    write("a.json", json.dumps({"10": "나", "11": "다"}))
    write("g.json", json.dumps({"11": ["가", "다"], "10": ["나", "라"]}))
    assert score_of(scores("-p", "out=a.json", "-r", "g.json", "-m", "cer")) == 0
    write("one.json", json.dumps({"11": ["가", "다"]}))
    write("a.txt", "다")
    assert score_of(scores("-p", "out=a.txt", "-r", "one.json", "-m", "cer")) == 0


@pytest.mark.parametrize(("line", "text"), [('"가"', "가"), ('["가", "나"]', ["가", "나"])])
def test_a_line_of_json_may_be_a_text_or_a_list_of_texts(line, text):
    assert records.read_line(line, "a.jsonl", 1) == {"text": text}


@pytest.mark.parametrize("line", ["[]", '["가", 1]', "1", "null"])
def test_a_line_of_json_is_nothing_else(line):
    with pytest.raises(ValueError, match=r"a.jsonl, line 1: .* is not an object; write {...} on each line"):
        records.read_line(line, "a.jsonl", 1)


@pytest.mark.parametrize("gold", WRITERS)
def test_a_text_file_has_its_rows_by_place(gold, scores, run):
    write("a.txt", *(TEXTS[key] for key in IDS))
    WRITERS[gold]("g" + gold, GOLD, IDS)
    arguments = ["-p", "out=a.txt", "-r", f"g{gold}", "-m", "cer"]
    assert score_of(scores(*arguments)) == EXPECTED
    assert "note: rows are matched by their order, because a.txt has no ids\n" in run(*arguments).stderr


def test_two_systems_and_references_of_their_own(run, monkeypatch):
    write("a.csv", *csv_lines(TEXTS, IDS))
    write("b.csv", *csv_lines(GOLD))
    write("g.csv", *csv_lines(GOLD, IDS[::-1], "ko"))
    arguments = "-p a.csv -p b.csv --prediction-column text -r g.csv --reference-column ko -m cer --json -"
    done = CliRunner().invoke(compare.app, arguments.split())
    assert done.exit_code == 0, done.stderr
    systems = json.loads(done.stdout)["systems"]
    assert (systems["a"]["cer"]["cer"], systems["b"]["cer"]["cer"]) == (EXPECTED, 0)
    assert done.stderr == ""


def test_numbers_are_the_texts_that_a_table_has_in_their_place(run):
    """A group is 1 in the JSON of one system, and "1" in that of the other."""
    for name, group in (("a", 1), ("b", "1")):
        write_jsonl(f"{name}.jsonl", *({"text": TEXTS[key], "ref": GOLD[key], "group": group} for key in IDS))
    arguments = "-p a.jsonl -p b.jsonl --prediction-column text --reference-column ref -g group -m cer --json -"
    done = CliRunner().invoke(compare.app, arguments.split())
    assert done.exit_code == 0, done.stderr
    assert [of["group"] for of in json.loads(done.stdout)["groups"]] == [{"group": "1"}]
    write_jsonl("b.jsonl", *({"text": TEXTS[key], "ref": GOLD[key], "group": 2} for key in IDS))
    done = CliRunner().invoke(compare.app, arguments.split())
    assert done.exit_code == 2 and "group is 2, and in a.jsonl" in done.stderr


def test_columns_are_named_where_there_are_several(fails, scores):
    write("a.csv", "utt,text,source,n", *(f'{key},"{TEXTS[key]}",x,1' for key in TEXTS))
    write("g.csv", "utt,ref", *(f'{key},"{GOLD[key]}"' for key in IDS))
    arguments = ["-p", "out=a.csv", "-r", "g.csv", "-m", "cer"]
    message = fails(*arguments)
    assert "a.csv has the columns utt, text, source, n; choose one with --prediction-column" in message
    named = [*arguments, "--prediction-column", "text", "--id-column", "utt"]
    assert score_of(scores(*named)) == EXPECTED
    extra = [*named, "--group-by", "utt"]
    assert len(scores(*extra)["groups"]) == 3


def test_what_was_decided_is_said(run):
    write("a.csv", "id,text,seconds", *(f'{key},"{TEXTS[key]}",1.5' for key in IDS))
    write("g.csv", *csv_lines(GOLD, IDS, "ko"))
    assert run(*["-p", "a.csv", "-r", "g.csv", "-m", "cer"]).stderr == "note: read column text of a.csv, ko of g.csv\n"


def test_what_looks_wrong_is_said(run):
    """Kaldi's lines begin with an id, pandas writes lists to CSV as Python does, and a pipe has no ending."""
    write("a.txt", *(f"u{row} {text}" for row, text in enumerate("가나다라")))
    write("g.txt", *(f"u{row} {text}" for row, text in enumerate("가라다라")))
    ids = "looks like an id, and is scored too; use .jsonl, .csv or .trn for ids and columns\n"
    assert (
        run("-p", "a.txt", "-r", "g.txt", "-m", "chrf").stderr
        == f"note: a.txt, line 1: each line begins with a word that {ids}"
    )
    for name in ("b.txt", "h.txt"):
        write(name, *(f"{text} ({row})" for row, text in enumerate("가나다라")))
    assert (
        run("-p", "b.txt", "-r", "h.txt", "-m", "chrf").stderr
        == f"note: b.txt, line 1: each line ends with a word that {ids}"
    )
    assert run("-p", "a.txt", "-r", "b.txt", "-m", "chrf").stderr == ""
    write("d.csv", "p,r", """가,"['가', '나']\"""", """나,"['나']\"""")
    packed = "looks like a list or an object written as text, and is scored as written"
    columns = ["--prediction-column", "p", "--reference-column", "r"]
    assert f"note: d.csv, line 2: column r {packed}" in run("-d", "d.csv", *columns).stderr
    write("d.txt", '{"p": "가", "r": true}', '{"p": "나", "r": true}', '{"p": "다", "r": true}', "라")
    assert f"note: d.txt, line 1: the line {packed}" in run("-p", "d.txt", "-r", "b.txt").stderr
    write("n.txt", '{"seq": ["가", {"alt": ["나", "다"]}]}', '"나"', '"다"', '"라"')
    assert run("-p", "b.txt", "-r", "n.txt", "-m", "hyter:notation=json").stderr == ""


def test_another_column_may_be_a_file_or_of_the_references(scores, fails):
    write("a.csv", *csv_lines(TEXTS, IDS))
    write("g.csv", "id,ko,domain", *(f'{key},"{GOLD[key]}",{key[1]}' for key in GOLD))
    write("d.txt", "x", "x", "y")
    arguments = ["-p", "out=a.csv", "-r", "g.csv", "--reference-column", "ko", "-m", "cer"]
    assert [g["group"] for g in scores(*arguments, "--group-by", "domain")["groups"]] == [
        {"domain": key} for key in "123"
    ]
    inside = scores(*arguments, "--column", "clusters=domain")["systems"]["out"]["cer"]
    assert inside["cer"] == EXPECTED and "clusters:custom(3)" in inside["signature"]
    write("d.csv", "id,cluster", "u3,x", "u1,x", "u2,y")
    assert "clusters:custom(2)" in scores(*arguments, "-c", "clusters=d.csv")["systems"]["out"]["cer"]["signature"]
    write("domain", "not", "a", "column")  # what the table has comes first
    assert scores(*arguments, "--column", "clusters=domain")["systems"]["out"]["cer"] == inside
    assert (
        "a.csv and g.csv have different ids, or the same ids in another order, and d.txt has no ids; add ids"
        in fails(*arguments, "-c", "clusters=d.txt")
    )


def test_a_file_beside_tables_with_references_is_no_table_of_a_system(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("a.csv", "p,r", "가,가", "나,다")
    write("b.csv", "p,r", "라,가", "다,다")
    write("c.txt", "x", "y")
    named = NamedColumns(predictions=["p"], references=["r"], others=["clusters=c.txt"])
    [corpus] = file_corpora(["a.csv", "b.csv"], [], named, None)
    assert corpus.column("references") == ["가", "다"] and corpus.clusters == ["x", "y"]


def swap(*lines, name="a.csv"):
    return lambda: (write(name, *lines), write("g.csv", *csv_lines(GOLD)))


TABLES = ["-p", "out=a.csv", "-r", "g.csv", "-m", "cer"]
TWICE = ("id,text", "u1,가", "u2,나", "u1,다")
ERRORS = {
    "no such id": (swap(*csv_lines(TEXTS)[:2]), TABLES, "g.csv, line 3: a.csv has no row with this id; 2 of 3 ids"),
    "ids too many": (
        swap("id,text", "u1,가", "u2,나", "u3,다", "x4,라"),
        TABLES,
        "a.csv, line 5: g.csv has no row with",
    ),
    "an id twice": (swap(*TWICE), TABLES, "a.csv, line 4: the id 'u1' is also in line 2; pass --id-column with"),
    "by place": (swap(*TWICE, "u2,라"), [*TABLES, "--id-column", ""], "a.csv has 4 rows and g.csv 3; row 1 of each"),
    "no id column": (swap(*TWICE), [*TABLES, "--id-column", "key"], "there is no column 'key'; it has id, text"),
    "ids of lines": (
        lambda: (write("a.txt", *TEXTS), write("g.csv", *csv_lines(GOLD))),
        ["-p", "out=a.txt", "-r", "g.csv", "--id-column", "id"],
        "--id-column id: a.txt is a text file, whose lines have no ids",
    ),
    "another separator": (swap("id;text", "u1;가"), TABLES, "a.csv, line 1: 'id;text' has semicolons between"),
    "tabs": (swap("id\ttext", "u1\t가"), TABLES, "a.csv, line 1: 'id\\ttext' has tabs between"),
    "an id twice on both sides": (
        lambda: (write("a.csv", "id,text", "1,가", "1,나"), write("g.csv", "id,text", "1,나", "1,가")),
        TABLES,
        "a.csv, line 3: the id '1' is also in line 2",
    ),
    "no id in a row": (
        lambda: (write("a.csv", "key,text", "1,가", ",나"), write("g.csv", "key,text", "1,나", ",가")),
        [*TABLES, "--id-column", "key"],
        "a.csv, line 3: column key is '', not an id",
    ),
    "a key twice": (
        swap('{"u1": "가", "u2": "나", "u1": "다"}', name="a.json"),
        ["-p", "a.json", "-r", "g.csv"],
        "a.json: bad JSON, the key 'u1' occurs twice",
    ),
    "one object": (
        swap('{"id": "u1", "text": "가"}', name="a.json"),
        ["-p", "a.json", "-r", "a.json"],
        "a.json: pass a list of objects or texts, texts by id, or",
    ),
    "a CR in a cell": (
        swap("id,text", "u1,가\r나"),
        TABLES,
        "a.csv, line 2: a CR outside quotes",
    ),
    "a quote without an end": (
        swap("id,text", 'u1,"가', "u2,나"),
        TABLES,
        "a.csv, line 2: its quotes do not match; double those",
    ),
    "quotes of texts in a TSV file": (
        swap("id\ttext", 'u1\t"가', "u2\t나", 'u3\t다"', name="a.tsv"),
        ["-p", "a.tsv", "-r", "g.csv"],
        "a.tsv, line 4: quotes join several lines into one field; save it as .csv or .jsonl",
    ),
    "no row": (swap("id,text"), TABLES, "a.csv: nothing to score: it has no line"),
    "no text": (swap("id,text,domain", "u1,12,news"), TABLES, "a.csv has the columns id, text, domain; choose one"),
    "a column for an option": (
        swap("id,text"),
        [*TABLES, "-c", "references=x"],
        "references have an option of their own",
    ),
    "a column that nothing takes": (
        swap(*csv_lines(TEXTS)),
        [*TABLES, "-c", "source=id"],
        "--column source=...: no metric takes it (did you mean sources?)",
    ),
    "references that nothing takes": (
        swap("text", "가"),
        ["-p", "a.csv", "-r", "a.csv", "-m", "perplexity"],
        "--references:",
    ),
    "a column twice": (swap("id,text"), [*TABLES, *["-c", "ids=a", "-c", "ids=b"]], "--column ids=... is given twice"),
    "one column of Parquet twice": (
        lambda: pq.write_table(pa.table([pa.array(["가"])] * 2, names=["text", "text"]), "a.parquet"),
        ["-p", "a.parquet", "-r", "a.parquet"],
        "a.parquet: two columns have the same name: text, text",
    ),
    "a line among tables": (
        lambda: (write("a.csv", "text,ref", "가,나"), write("b.txt", "가")),
        ["-p", "a.csv", "-p", "b.txt", "--prediction-column", "text", "--reference-column", "ref"],
        "b.txt is not a table, so it has no column ref",
    ),
    "a name in parts": (
        swap("id,\u1112\u1161\u11ab", "u1,가"),
        [*TABLES, "--prediction-column", "한"],
        "a.csv, line 2: there is no column '한' in this Unicode form (NFC or NFD: copy it); it has id, \u1112",
    ),
    "a packed log": (swap("PK", name="a.eval"), ["-p", "a.eval", "-r", "g.csv"], "`inspect log convert --to json`"),
    "an archive": (
        swap("PK", name="a.zip"),
        ["-p", "a.zip", "-r", "g.csv"],
        "a.zip is packed in a way that is not read",
    ),
    "a transcript as data": (
        swap("가 (u1)", name="a.trn"),
        ["-d", "a.trn", "--prediction-column", "text"],
        "a.trn is a transcript, which score and compare take as predictions or references",
    ),
    "a spreadsheet": (swap("x", name="a.xls"), ["-p", "a.xls", "-r", "g.csv"], "a.xls is a file of an office program"),
    "CR alone": (
        lambda: write("a.txt", "가", "나", "다", end="\r"),
        ["-p", "a.txt", "-r", "a.txt"],
        "a.txt: its lines end in CR (\\r) alone, as on old Macs; save it with LF (\\n)",
    ),
    "UTF-16 without a mark": (
        swap("a\0b\0", name="a.txt"),
        ["-p", "a.txt", "-r", "a.txt"],
        "a.txt, line 1: a NUL character; this is not text, or pass --encoding utf-16-le",
    ),
    "neither a column nor a file": (
        swap(*csv_lines(TEXTS)),
        [*TABLES, "-c", "clusters=nix"],
        "g.csv, line 2: there is no column 'nix'; it has id, text",
    ),
    "an empty last line": (
        lambda: (write("a.txt", "가", "나"), write("trail.txt", "가", "나", "")),
        ["-p", "trail.txt", "-r", "a.txt"],
        "trail.txt has 3 lines and a.txt 2; the last line of trail.txt is empty; line 1 of each",
    ),
    "cut off": (
        swap('{"id": "u1", "text": "가나', name="a.jsonl"),
        ["-p", "a.jsonl", "-r", "g.csv"],
        "a.jsonl, line 1: bad JSON, it is cut off after",
    ),
}


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz"])
def test_what_is_behind_a_packed_file(ending, scores, fails):
    """Several streams are one file, as pbzip2 writes it; Python's readers of two formats stop at anything else."""
    pack = {".gz": gzip, ".bz2": bz2, ".xz": lzma}[ending].compress
    streams = [pack(f"{text}\n".encode()) for text in GOLD.values()]
    path = pathlib.Path(f"a.txt{ending}")
    path.write_bytes(b"".join(streams))
    write("g.txt", *GOLD.values())
    assert score_of(scores("-p", f"out={path}", "-r", "g.txt", "-m", "cer")) == 0
    path.write_bytes(b"".join([*streams, b"x" * 20_000, *streams]))
    message = fails("-p", str(path), "-r", "g.txt")
    assert f"error: {path} is not a {ending} file, or is incomplete: " in message


def test_a_stream_reads_rows_of_one_order(run):
    write("a.csv", *csv_lines(TEXTS))
    write("g.csv", *csv_lines(GOLD))
    streamed, whole = run(*TABLES, "--stream"), run(*TABLES)
    scores = [re.findall(r"0\.\d{4}", shown.stdout.partition("kinds of errors")[0]) for shown in (streamed, whole)]
    assert streamed.exit_code == 0 and scores[0] == scores[1] != []
    write("a.csv", *csv_lines(TEXTS, IDS))
    assert (
        "g.csv and a.csv have different ids, or the same ids in another order; matching by id"
        in run(*TABLES, "--stream").stderr
    )


@pytest.mark.parametrize("name", ERRORS)
def test_files_that_do_not_fit_are_named(name, fails_as):
    fails_as(*ERRORS[name])


def test_a_quoted_cell_of_a_tsv_file_may_have_lines(scores):
    write("a.tsv", "id\ttext", 'u1\t"가', '나"', "u2\t다")
    write_jsonl("g.jsonl", {"id": "u1", "text": "가 나"}, {"id": "u2", "text": "다"})
    assert score_of(scores("-p", "out=a.tsv", "-r", "g.jsonl", "-m", "cer")) == 0


def test_an_empty_cell_of_one_column_is_a_segment(scores):
    """Excel writes it as a blank line."""
    for name, lines in (("a", ["가", "", "나"]), ("g", ["가", "나", ""])):
        write(f"{name}.csv", "text", *lines)
        write(f"{name}.txt", *lines)
    of_lines = scores("-p", "out=a.txt", "-r", "g.txt", "-m", "cer", "--per-segment")
    assert scores("-p", "out=a.csv", "-r", "g.csv", "-m", "cer", "--per-segment") == of_lines


def test_text_files_beside_tables(scores):
    write("a.csv", *csv_lines(TEXTS))
    write("g.csv", *csv_lines(GOLD, name="ko"))
    write("more.txt", *TEXTS.values())
    arguments = ["-p", "out=a.csv", "-r", "g.csv", "-r", "more.txt", "--reference-column", "ko", "-m", "cer"]
    assert score_of(scores(*arguments)) == 0


def test_endings_and_marks_of_other_programs(scores, run):
    write_jsonl("a.ndjson", *records_of(TEXTS, IDS))
    for encoding in ("utf-16-le", "utf-16"):
        with open("g.tab", "w", encoding=encoding) as file:
            file.write("\ufeff" * (encoding == "utf-16-le") + "\n".join(csv_lines(GOLD, separator="\t")))
        with open("a16.tab", "w", encoding=encoding) as file:
            file.write("\n".join(csv_lines(TEXTS, IDS, separator="\t")))
        assert score_of(scores(*["-p", "out=a16.tab", "-r", "g.tab", "-m", "cer", "--encoding"], encoding)) == EXPECTED
    write("g.csv", *csv_lines(GOLD))
    assert score_of(scores(*["-p", "out=a.ndjson", "-r", "g.csv", "-m", "cer"])) == EXPECTED
    write("up.csv", "ID,text", *csv_lines(GOLD)[1:])
    assert (
        "not by column ID of up.csv; to match by it, pass --id-column" in run(*["-p", "up.csv", "-r", "up.csv"]).stderr
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_a_table_is_no_pipe(fails):
    os.mkfifo("a.csv")
    assert "a.csv is a pipe, and tables are read more than once; pass a file" in fails("-p", "a.csv", "-r", "a.csv")


def test_a_line_without_end_is_named(fails, monkeypatch):
    """A small compressed file may unpack into more than the memory holds."""
    monkeypatch.setattr(compressed, "_LONGEST_LINE", 2**16)
    with gzip.open("a.txt.gz", "wt") as file:
        file.write("가\n" + "나" * 2**17)
    write("g.txt", "가", "나")
    assert "a.txt.gz, line 2: longer than 65,536 characters, so it is not text" in fails(
        *["-p", "a.txt.gz", "-r", "g.txt"]
    )


def test_a_json_file_without_end_is_named(fails, monkeypatch):
    monkeypatch.setattr(records, "_LONGEST_JSON", 100)
    write("a.json", json.dumps(["가" * 100]))
    assert "a.json: longer than 100 characters; write it as .jsonl" in fails("-p", "a.json", "-r", "a.json")


def log(samples, **more):
    write("log.json", json.dumps({"eval": {"task": "t"}, "samples": samples, **more}))


def sample(key, answer, epoch=1, **more):
    return {"id": key, "epoch": epoch, "target": GOLD[key], "output": {"completion": answer}, **more}


LOG = ["--prediction-column", "output.completion", "--reference-column", "target", "-m", "cer"]


def test_logs_in_two_orders(run, scores):
    """By sample and by epoch: an answer belongs to the same sample and epoch."""
    samples = [sample(key, TEXTS[key] + str(epoch), epoch) for epoch in (1, 2) for key in IDS]
    log(samples)
    os.rename("log.json", "one.json")
    log(sorted(samples, key=lambda one: one["id"]))
    found = scores("-p", "one=one.json", "-p", "log.json", *LOG)["systems"]
    assert found["one"]["cer"] == found["log"]["cer"] and "clusters:custom(3)" in found["one"]["cer"]["signature"]
    by_place = scores("-p", "log.json", *LOG, "--id-column", "")["systems"]["log"]["cer"]
    assert "clusters:custom(3)" in by_place["signature"]
    for how in ("-p", "-d"):
        assert "is a cluster, with one answer per epoch" in run(how, "log.json", *LOG).stderr


@pytest.mark.parametrize("how", [["-d", "log.json"], ["-p", "out=log.json"]], ids=["data", "predictions"])
def test_logs(how, fails, run, scores):
    """Failed samples have empty answers; several answers to one question are one cluster."""
    good = [sample(key, GOLD[key]) for key in IDS]
    failed = [sample("u1", "", error={"message": "429 rate limit"}), sample("u2", "", error={"message": "a timeout"})]
    log([*good, *failed])
    assert "2 of 5 samples failed, first u1, u2 (429 rate limit); they have no answers to score" in fails(*how, *LOG)
    log(good, status="error", error={"message": "out of memory"})
    assert "log.json: the status of this run is 'error' (out of memory)" in fails(*how, *LOG)
    log(None)
    assert "log.json: this log has no samples" in fails(*how, *LOG)
    log(good)  # whose only text that is no part of anything is the target
    assert "log.json has the columns id, epoch, target, output; choose one with --pre" in fails(
        "-p", "log.json", "-r", "x"
    )
    log(good, status="success")
    assert "clusters" not in next(iter(scores(*how, *LOG)["systems"].values()))["cer"]["signature"]
    log([*good, *(sample(key, TEXTS[key], epoch=2) for key in IDS)], status="success")
    assert "clusters:custom(3)" in next(iter(scores(*how, *LOG)["systems"].values()))["cer"]["signature"]
    log(good[::-1] + [sample(key, TEXTS[key], epoch=2) for key in IDS], status="success")
    assert "clusters:custom(3)" in next(iter(scores(*how, *LOG)["systems"].values()))["cer"]["signature"]
    for failure in ("boom", {"message": None}, ["x"]):
        log(good, status="error", error=failure)
        assert "the status of this run is 'error'" in fails(*how, *LOG)
    log(good, status="success", results={"total_samples": 5})
    assert "log.json: there are 3 samples, and the run had 5" in fails(*how, *LOG)
    log([*good, *(sample(key, TEXTS[key], epoch=2) for key in IDS)], status="success")
    assert "clusters need all texts at once" in run(*how, *LOG, "--stream").stderr


def test_excel(scores, fails, tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="pip install -r requirements-excel.txt")
    book = openpyxl.Workbook()
    for row in [["id", "text"], [], *([key, TEXTS[key]] for key in IDS), ["u4", 15]]:
        book.active.append(row)
    book.save("a.xlsx")
    write("g.csv", *csv_lines(GOLD), "u4,15")
    found = scores("-p", "out=a.xlsx", "-r", "g.csv", "-m", "cer", "--per-segment")["systems"]["out"]["cer"]
    assert found["segments"][-1] == 0 and len(found["segments"]) == 4
    book.active.append(["u4", "x"])
    book.save("a.xlsx")
    assert "a.xlsx, row 7" in fails("-p", "out=a.xlsx", "-r", "g.csv")  # as Excel counts, with names and a blank row
    book.create_sheet("more").append(["x"])
    book.save("a.xlsx")
    assert "a.xlsx has the sheets Sheet, more; save the one to score" in fails("-p", "a.xlsx", "-r", "g.csv")
    write("a.xlsx", "id,text")
    assert "a.xlsx is not an .xlsx file" in fails("-p", "a.xlsx", "-r", "g.csv")


def test_excel_needs_a_library(fails, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    write("a.xlsx", "PK")
    assert "a.xlsx, unless it is saved as CSV (UTF-8), needs openpyxl: pip install -r requirements-excel.txt" in fails(
        "-p", "a.xlsx"
    )


def not_utf8(path):
    """Writes a Parquet file with a text in row 2 whose bytes are those of CP949."""
    texts = pa.array(["가".encode(), "나".encode("cp949")]).view(pa.string())
    pq.write_table(pa.table({"id": ["1", "2"], "text": texts}), path)


@pytest.mark.parametrize(
    "arguments",
    [
        ["-p", "d.parquet", "-r", "r.txt"],
        ["-p", "r.txt", "-r", "d.parquet", "--reference-column", "text"],
        ["-d", "d.parquet", "--prediction-column", "id", "--reference-column", "text"],
        ["-d", "folder", "--prediction-column", "id", "--reference-column", "text"],
    ],
)
def test_texts_of_parquet_that_are_not_utf8(arguments, fails):
    not_utf8("d.parquet")
    os.mkdir("folder")
    not_utf8("folder/d.parquet")
    write("r.txt", "가", "나")
    path = "folder" if "folder" in arguments else "d.parquet"
    assert f"{path}, row 2: column text is not UTF-8: " in fails(*arguments, "-m", "cer")


def test_rows_that_are_not_utf8(run):
    write("p.csv", "id,text", "1,가", "2,나")
    write("r.csv", "id,text", "1,가", "2,다")
    assert run("-p", "p.csv", "-r", "r.csv", "-m", "cer", "-c", "ids=id", "--rows", "a.parquet").exit_code == 0
    table = pq.read_table("a.parquet")
    ids = pa.array([b"1", b"\xff"]).view(pa.string())
    pq.write_table(table.set_column(table.schema.get_field_index("id"), "id", ids), "a.parquet")
    found = CliRunner().invoke(compare.app, ["--rows", "a.parquet", "--rows", "a.parquet"])
    assert found.exit_code == 2 and "a.parquet, row 2: column id is not UTF-8: " in found.stderr


def test_one_name_is_loaded():
    for names in (["bleu", "cer"], None, pathlib.Path("cer")):
        with pytest.raises(TypeError, match="the name of a metric is .*; pass a string such as"):
            textgauge.load(names)


def write_with_gaps(name, gaps):
    """Writes a table whose rows lack ids in these places."""
    rows = [{"id": None if row in gaps else str(row), "text": f"글 {row}"} for row in range(5)]
    if name.endswith(".parquet"):
        pq.write_table(pa.Table.from_pylist(rows, pa.schema({"id": pa.string(), "text": pa.string()})), name)
    elif name.endswith(".jsonl"):
        write_jsonl(name, *rows)
    else:
        write(name, "id,text", *(f"{row['id'] or ''},{row['text']}" for row in rows))


@pytest.mark.parametrize("side", ["p", "r"])
@pytest.mark.parametrize("name", ["p.csv", "p.jsonl", "p.parquet"])
def test_all_rows_have_an_id_or_none_has(side, name, run):
    """Every choice of rows without an id: all rows lack one, none does, or the message names the first that does."""
    other = name.replace("p", "r", 1)
    for gaps in itertools.chain.from_iterable(itertools.combinations(range(5), n) for n in range(6)):
        write_with_gaps(name if side == "p" else other, gaps)
        write_with_gaps(other if side == "p" else name, ())
        found = run("-p", name, "-r", other, "-m", "cer")
        of_gaps = name if side == "p" else other
        if 0 < len(gaps) < 5:
            unit, first = ("line", gaps[0] + 2) if name == "p.csv" else ("line", gaps[0] + 1)
            unit = "row" if name == "p.parquet" else unit
            assert found.exit_code == 2
            assert f"{of_gaps}, {unit} {first}: column id is " in found.stderr and "not an id" in found.stderr
        else:
            assert found.exit_code == 0, found.output
            assert (f"because {of_gaps} has no ids" in found.stderr) == bool(gaps)
        assert run("-p", name, "-r", other, "-m", "cer", "--id-column", "").exit_code == 0


@pytest.mark.parametrize("streamed", [[], ["--stream"]])
def test_an_id_behind_many_rows_without(streamed, run):
    write("p.csv", "id,text", *[",가"] * 1500, "7,나")
    write("r.csv", "id,text", *(f"{row},가" for row in range(1501)))
    found = run("-p", "p.csv", "-r", "r.csv", "-m", "cer", *streamed)
    assert found.exit_code == 2
    assert "p.csv, line 1502: column id is '7', but the first rows have no id; fill in all" in found.stderr


def test_a_row_without_the_key_of_its_id(fails):
    write_jsonl("p.jsonl", {"id": "2", "text": "나"}, {"text": "가"})
    write_jsonl("r.jsonl", {"id": "1", "text": "가"}, {"id": "2", "text": "나"})
    assert "p.jsonl, line 2: there is no column 'id'" in fails("-p", "p.jsonl", "-r", "r.jsonl", "-m", "cer")


PATHS = [
    ("refs.text", {"refs": [{"text": "a"}, {"text": "b"}]}, ["a", "b"]),
    ("messages.-1.content", {"messages": [{"content": "a"}, {"content": "b"}]}, "b"),
    ("x.0", {"x": ["a"]}, "a"),
    ("a.b", {"a.b": "c", "a": {"b": "d"}}, "c"),
]


@pytest.mark.parametrize(("path", "fields", "value"), PATHS)
def test_paths_of_columns(path, fields, value):
    assert value_at(fields, path) == value


@pytest.mark.parametrize("path", ["refs.x", "messages.1.content", "messages.-2", "x.-2", "y"])
def test_paths_that_lead_nowhere(path):
    with pytest.raises(KeyError):
        value_at({"refs": [{"text": "a"}], "messages": [{"content": "a"}], "x": ["a"]}, path)


def test_a_message_lists_columns_by_their_paths(fails):
    write("d.json", json.dumps({"version": 1, "data": [{"mt": "가", "ko": "나"}]}))
    columns = ("--prediction-column", "mt", "--reference-column", "data.ko")
    assert "there is no column 'mt'; it has data.mt, data.ko" in fails("-d", "d.json", *columns)
    assert "--data d.json needs --prediction-column NAME; it has data.mt, data.ko" in fails("-d", "d.json")
    write("d.jsonl", '{"r": {"text": "가"}, "g": "가"}', '{"r": null, "g": "나"}')
    message = fails("-d", "d.jsonl", "--prediction-column", "r.text", "--reference-column", "g")
    assert "d.jsonl, line 2: there is no column 'r.text', because r is null here" in message


def cer_of(content):
    [of_system] = content["systems"].values()
    return of_system["cer"]["cer"]


def test_lists_beside_other_values_are_columns(scores):
    write("d.json", json.dumps({"predictions": ["가", "나"], "references": ["가", "나"], "bleu": 1.0}))
    columns = ("--prediction-column", "predictions", "--reference-column", "references", "-m", "cer")
    assert cer_of(scores("-d", "d.json", *columns)) == 0


def test_ids_with_two_names(scores, run):
    """Files that have none of the names are matched by `id`; a shared column in another order is noted."""
    write("p.jsonl", '{"custom_id": "b", "p": "나"}', '{"custom_id": "a", "p": "가"}')
    for name in ("custom_id", "key", "id"):
        write("r.jsonl", f'{{"{name}": "a", "r": "가"}}', f'{{"{name}": "b", "r": "나"}}')
        how = ("-p", "p.jsonl", "-r", "r.jsonl", "--prediction-column", "p", "--reference-column", "r", "-m", "cer")
        assert cer_of(scores(*how, "--id-column", "custom_id,key")) == 0
        said = "column custom_id of p.jsonl and r.jsonl has the same values in another order" in run(*how).stderr
        assert said == (name == "custom_id")


def test_folders_of_pyrouge(scores, tmp_path):
    for path, text in {
        "p/t.1": "가 나",
        "p/t.2": "다",
        "r/t.A.1": "가 라",
        "r/t.B.1": "가 나",
        "r/t.A.2": "다",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        write(f"{path}.txt", text)
    assert cer_of(scores("-p", "p", "-r", "r", "-m", "cer")) == 0


def test_groups_between_blank_lines_are_named(fails):
    write("p", "가", "나")
    write("r", "가", "다", "", "나", "라")
    assert 'between blank lines it has 2 groups: write each as a line of .jsonl, ["a", "b"]' in fails(
        "-p", "p", "-r", "r"
    )
