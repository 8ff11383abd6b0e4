"""scripts/score.py: bad files and calls have a message with the place, and nothing else is written."""

import json
import os

import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import write, write_jsonl
from score_files import (
    COLUMNS,
    LINES,
    REFERENCES,
    WEIGHTS,
    expected,
    result_of,
    rows,
    table,
    write_encoded,
    write_lines,
    write_nested,
    write_outputs,
    write_stm,
    write_trn,
)

from textgauge.programs.commands import score_job as job
from textgauge.programs.reading import corpora
from textgauge.programs.scoring import outputs, specs, tables


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "cp949"])
def test_lines_are_counted_in_every_encoding(encoding, fails):
    """U+0A3C and U+010A hold the byte of a line feed."""
    write_encoded(encoding)
    with open("ref.txt", "ab") as file:
        file.write(("\r\n\u0a3c\u010a" if "utf" in encoding else "\r\n셋").encode(encoding))
    assert "out.txt has 2 lines and ref.txt 3;" in fails(*LINES, "--encoding", encoding)


def test_segments_asked_for_twice(scores):
    write_lines()
    content = scores(*LINES, "-m", "bleu:per_segment=true", "--per-segment")
    assert result_of(content, metric="bleu per_segment=true") == expected("bleu", per_segment=True)


def test_lists_are_no_scores(fails):
    write_lines()
    assert "use_aggregator=false has no score to show" in fails(*LINES, "-m", "rouge:use_aggregator=false")


def bad_bytes():
    write_lines()
    with open("out.txt", "wb") as file:
        file.write("첫째\n둘".encode() + b"\xff\n")


def lines(*given):
    return lambda: write(*given)


def jsonl(*rows):
    return lambda: write_jsonl("d.jsonl", *rows)


JSONL, JSON, CSV, PARQUET = (["-d", f"d.{kind}", *COLUMNS] for kind in ("jsonl", "json", "csv", "parquet"))
# what is written, the arguments, what the message says
ERRORS = {
    "missing file": (write_lines, ["-p", "none.txt", "-r", "ref.txt"], "none.txt: No such file"),
    "invalid byte": (bad_bytes, LINES, "out.txt, line 2: byte 0xff is not UTF-8"),
    "line counts": (
        lambda: (write_lines(), write("ref.txt", *REFERENCES[:3])),
        LINES,
        "out.txt has 4 lines and ref.txt 3;",
    ),
    "empty file": (lambda: (write_lines(), write("out.txt")), LINES, "out.txt: nothing to score"),
    "no references": (write_lines, ["-p", "out.txt"], "bleu needs references; add -r FILE"),
    "no predictions": (write_lines, ["-r", "ref.txt"], "there are no predictions"),
    "same name": (write_lines, [*LINES, "-p", "out=other.txt"], "two systems are called 'out'"),
    "data and lines": (write_lines, ["-d", "d.jsonl", *LINES], "either --data or --predictions"),
    "a column without a value": (write_lines, [*LINES, "-c", "clusters="], "'clusters=': write it as NAME=VALUE"),
    "a value without a column": (write_lines, [*LINES, "-c", "=x.txt"], "'=x.txt': write it as NAME=VALUE"),
    "column of no table": (write_lines, [*LINES, *COLUMNS], "--prediction-column out: out.txt is not a table; pass"),
    "bad JSON": (lines("d.jsonl", '{"out": "a", "ref": "b"}', "", "{"), JSONL, "d.jsonl, line 3: bad JSON"),
    "deep JSON": (lines("d.jsonl", '{"out": "a", "ref": "b"}', "[" * 100_000), JSONL, "d.jsonl, line 2: bad JSON, "),
    "a number of 5,000 digits": (
        lines("d.jsonl", '{"out": "a", "ref": "b", "n": %s}' % ("9" * 5000)),  # noqa: UP031
        JSONL,
        "d.jsonl, line 1: bad JSON, Exceeds the limit",
    ),
    "no object": (lines("d.jsonl", "[1]"), JSONL, "d.jsonl, line 1: '[1]' is not an object"),
    "missing column": (
        jsonl({"out": "a", "ref": "b"}, {"out": "a"}),
        JSONL,
        "d.jsonl, line 2: there is no column 'ref'; it has out",
    ),
    "null": (
        jsonl({"out": "a", "ref": "b"}, {"out": None, "ref": "b"}),
        JSONL,
        "d.jsonl, line 2: column out is None; pass a string",
    ),
    "number": (jsonl({"out": "a", "ref": 3}), JSONL, "d.jsonl, line 1: column ref is of type int"),
    "null in a list": (jsonl({"out": "a", "ref": ["b", 3]}), JSONL, "d.jsonl, line 1: column ref[1] is of type int, 3"),
    "empty list": (jsonl({"out": "a", "ref": []}), JSONL, "d.jsonl, line 1: column ref is an empty list"),
    "half a character": (
        lines("d.jsonl", '{"out": "\\ud800", "ref": "b"}'),
        JSONL,
        "d.jsonl, line 1: column out holds a lone surrogate",
    ),
    "human is a word": (
        jsonl({"out": "a", "ref": "b", "human": "good"}),
        ["-d", "d.jsonl", *COLUMNS, "--human-column", "human"],
        "d.jsonl, line 1: column human is 'good'; pass a number",
    ),
    "human of another system": (
        jsonl(*rows(table())),
        ["-d", "d.jsonl", *COLUMNS, "--human-column", "x=human"],
        "the systems are out",
    ),
    "csv column": (lines("d.csv", "out,b", "1,2"), CSV, "no column 'ref'; it has out, b"),
    "csv fields": (
        lines("d.csv", "out,ref", '"a\nb",c', "1,2,3"),
        CSV,
        "d.csv, line 4: 3 fields, but the first row has 2",
    ),
    "csv place behind a cell of two lines": (
        lines("d.csv", "out,ref,human", '"a\nb",c,1', "d,e,good"),
        ["-d", "d.csv", *COLUMNS, "--human-column", "human"],
        "d.csv, line 4: column human is 'good'",
    ),
    "csv quote": (lines("d.csv", "out,ref", 'a,"b', "c,d"), CSV, "d.csv, line 2: its quotes do not"),
    "csv header only": (lines("d.csv", "out,ref"), CSV, "d.csv: nothing to score"),
    "no gzip": (lambda: write("d.jsonl.gz", "{}"), ["-d", "d.jsonl.gz", *COLUMNS], "d.jsonl.gz is not a .gz file"),
    "no parquet": (lambda: write("d.parquet", "x"), PARQUET, "d.parquet: "),
    "parquet null": (
        lambda: pq.write_table(pa.table({"out": ["a", None], "ref": ["b", "c"]}), "d.parquet"),
        PARQUET,
        "d.parquet, row 2: column out is None",
    ),
    "parquet field": (
        lambda: pq.write_table(pa.table({"out": [{"x": ["a"]}, {"x": []}], "ref": ["b", "c"]}), "d.parquet"),
        ["-d", "d.parquet", "--prediction-column", "out.x.0", "--reference-column", "ref"],
        "d.parquet, row 2: there is no column 'out.x.0'; it has out.x, ref",
    ),
    "parquet column": (
        lambda: pq.write_table(pa.table({"out": ["a"], "b": ["c"]}), "d.parquet"),
        PARQUET,
        "d.parquet, row 1: there is no column 'ref'; it has out, b",
    ),
    "no list": (lines("d.json", '{"out": 3}'), JSON, "d.json: pass a list of objects or texts, texts by id, or"),
    "lists of two lengths": (
        lines("d.json", '{"out": ["a"], "ref": ["b", "c"]}'),
        JSON,
        "d.json: its lists differ in length: {'out': 1, 'ref': 2}",
    ),
    "no object in a list": (
        lines("d.json", '[{"out": "a", "ref": "b"}, 3]'),
        JSON,
        "d.json, row 2: '3' is not an object; write {...} in the list",
    ),
    "bad JSON of several lines": (
        lines("d.json", "[", '{"out": "a" "ref": "b"}]'),
        JSON,
        "d.json, line 2: bad JSON, Expecting ',' delimiter at character 13",
    ),
    "nothing inside": (
        write_nested,
        ["-d", "d.jsonl", "--prediction-column", "resps.1.0", "--reference-column", "doc.ref"],
        "d.jsonl, line 1: there is no column 'resps.1.0'; it has doc.ref, resps",
    ),
    "tables of two lengths": (
        lambda: (write_outputs(), write_jsonl("other.jsonl", *rows(table())[:2])),
        ["-p", "d.jsonl", "-p", "other.jsonl", *COLUMNS],
        "d.jsonl has 4 rows and other.jsonl 2; row 1 of each belongs to segment 1, and so on",
    ),
    "tables in two orders": (
        lambda: (write_outputs(), write_jsonl("other.jsonl", *rows(table())[::-1])),
        ["-p", "d.jsonl", "-p", "other.jsonl", *COLUMNS],
        "other.jsonl, line 1: column ref is ",
    ),
    "no utterance of an id": (
        lambda: (write_trn(), write("out.trn", "a (spk0-000)")),
        ["-p", "out.trn", "-r", "ref.trn"],
        "ref.trn, utterance spk1-001: out.trn has no row with this id; 3 of 4 ids are missing: 'spk1-001', '",
    ),
    "an id too many": (
        lambda: (write_trn(), write("ref.trn", "a (spk0-000)")),
        ["-p", "out.trn", "-r", "ref.trn"],
        "out.trn, utterance spk1-003: ref.trn has no row with this id; 3 of 4 ids are missing: 'spk1-003', '",
    ),
    "words as a reference": (
        write_stm,
        ["-p", "ref.stm", "-r", "out.ctm"],
        "out.ctm: words with times need a reference",
    ),
    "no time": (
        lambda: (write_stm(), write("out.ctm", "a.wav 1 soon 1 word")),
        ["-p", "out.ctm", "-r", "ref.stm"],
        "is not a line of this format; write file, channel, start, duration, word, confidence",
    ),
    "lines as data": (
        write_lines,
        ["-d", "out.txt", *COLUMNS],
        "a text file, one segment per line, goes to --predictions and --references",
    ),
    "unknown suffix": (lambda: write("d.abc", "x"), ["-d", "d.abc", *COLUMNS], "d.abc: pass a file that ends in"),
    "missing data": (write_lines, ["-d", "none.jsonl", *COLUMNS], "none.jsonl: No such file"),
    "unknown dataset": (write_lines, ["-d", "no_such_dataset", *COLUMNS], "no_such_dataset"),
    "unknown metric": (
        write_lines,
        [*LINES, "-m", "blue"],
        "--metric blue: there is no such metric (did you mean bleu?); pass one of bleu",
    ),
    "a metric in capitals": (write_lines, [*LINES, "-m", "BLEU"], "no such metric (did you mean bleu?)"),
    "metrics with a comma": (
        write_lines,
        [*LINES, "-m", "bleu,cer"],
        "no such metric (repeat it: --metric bleu --metric cer)",
    ),
    "unknown option": (
        write_lines,
        [*LINES, "-m", "bleu:order=2"],
        "bleu has no option order (did you mean max_order?); it has tokenizer",
    ),
    "bad option": (write_lines, [*LINES, "-m", "bleu:tokenizer=chars"], "tokenizer is 'chars'; pass one of 13a"),
    "no option": (write_lines, [*LINES, "-m", "bleu:char"], "'char' is not an option; write option=value"),
    "metric twice": (write_lines, [*LINES, "-m", "bleu", "-m", "bleu"], "--metric bleu is given twice"),
    "bad confidence": (write_lines, [*LINES, "--confidence", "95"], "confidence is 95.0; pass None or a number"),
    "missing weights": (
        write_lines,
        [*LINES, "-m", "weighted_bleu:weights=none.tsv"],
        "weights is 'none.tsv', and there is no such file",
    ),
    "a long name of an option's file": (
        write_lines,
        [*LINES, "-m", f"weighted_bleu:weights={'n' * 5000}"],
        "n, and there is no such file",
    ),
    "output folder": (write_lines, [*LINES, "--html", "none/r.html"], "none/r.html: there is no folder none"),
    "same output": (write_lines, [*LINES, "--csv", "old.json"], "old.json is named by two options"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_place_and_leave_nothing(name, fails_as):
    fails_as(*ERRORS[name])


def test_files_without_an_option(run):
    message = run("a.txt", "b.txt", "c.txt").stderr
    assert "files are passed by options; did you mean -p a.txt -p b.txt -r c.txt?" in message


def test_a_cache_that_cannot_be_written(run, monkeypatch):
    advice = "; evaluate keeps files there: set HF_HOME to a folder that can be written"
    write_lines()
    for path, added in ((f"{evaluate.config.HF_CACHE_HOME}/evaluate", advice), ("elsewhere/evaluate", "")):

        def load(*_, path=path, **__):
            raise PermissionError(13, "Permission denied", path)

        monkeypatch.setattr(specs.textgauge, "load", load)
        assert run(*LINES).stderr == f"error: {path}: Permission denied{added}\n"


def test_failure_while_writing_leaves_old_files(run, tmp_path, monkeypatch):
    write_lines()
    for name in ("old.json", "old.csv"):
        (tmp_path / name).write_text("old")
    write_text = outputs.Path.write_text

    def fail_for_csv(path, *arguments, **options):
        if "csv" in path.name:
            write_text(path, "half")
            raise OSError(28, "No space left on device", str(path))
        return write_text(path, *arguments, **options)

    monkeypatch.setattr(outputs.Path, "write_text", fail_for_csv)
    result = run(*LINES, "--json", "old.json", "--csv", "old.csv")
    monkeypatch.undo()
    assert result.exit_code == 2 and result.stderr.startswith("error: old.csv: No space left")
    assert (tmp_path / "old.json").read_text() == (tmp_path / "old.csv").read_text() == "old"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_pipes_and_devices_are_written_and_not_replaced(run, tmp_path):
    write_lines()
    os.mkfifo("pipe.json")  # never a real device: a bug here would replace it
    reader = os.open("pipe.json", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert run(*LINES, "--json", "pipe.json").exit_code == 0
        assert (tmp_path / "pipe.json").is_fifo()
        assert result_of(json.loads(os.read(reader, 2**16))) == expected()
    finally:
        os.close(reader)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_table_fits_the_terminal(width, monkeypatch, capsys):
    environment = {"COLUMNS": str(width), "FORCE_COLOR": "1", "TERM": "xterm"}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    corpus = corpora.read_sample()
    scorers = specs.load_scorers(["bleu", "bleu:tokenizer=char", f"weighted_bleu:weights={WEIGHTS}"], 0.95)
    results = job.score_corpus(corpus, scorers, per_segment=False)
    tables.print_scores(corpus, scorers, results)
    lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    plain = [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in lines]
    assert max(map(len, plain)) <= width
    whole = {40: "[0.0351, 0.0666]", 80: "[0.0351, 0.0666]", 120: "0.0508 [0.0351, 0.0666]"}[width]
    assert any(whole in line for line in plain)
