"""Gaps among references: in tables, files of lines, Excel and batches, and what is said of them."""

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import load, write, write_jsonl

PREDICTIONS = ["the tower is in the old city", "he died", "it rains here"]
REFERENCES = [
    ["the tower stands in the old city", "an old city has the tower there now"],
    ["he was born in that town and died there", "he died there in the year"],
    ["it rains a lot here"],
]
# where each reference is; a gap stands first, between two others, and last
CELLS = [
    [REFERENCES[0][0], REFERENCES[0][1], None],
    [REFERENCES[1][0], None, REFERENCES[1][1]],
    [None, None, REFERENCES[2][0]],
]
NAMES = ["ref1", "ref2", "ref3"]
COLUMNS = [word for name in NAMES for word in ("--reference-column", name)]
TABLE = ("--prediction-column", "pred", *COLUMNS)


def rows(gap=""):
    for prediction, cells in zip(PREDICTIONS, CELLS, strict=True):
        yield {"pred": prediction, **{n: gap if c is None else c for n, c in zip(NAMES, cells, strict=True)}}


def write_csv(gap, name="d.csv", separator=","):
    lines = [separator.join(row.values()) for row in rows(gap)]
    return write(name, separator.join(["pred", *NAMES]), *lines)


def write_excel(gap):
    pytest.importorskip("openpyxl", reason="pip install -r requirements-excel.txt")
    pd.DataFrame(rows(gap)).to_excel("d.xlsx", index=False)


def write_parquet(gap):
    pq.write_table(pa.Table.from_pylist(list(rows(gap))), "d.parquet")


GAPS = {
    "csv": ("d.csv", lambda: write_csv("")),
    "csv of blanks": ("d.csv", lambda: write_csv("  ")),
    "csv of pandas": ("d.csv", lambda: write_csv("NaN")),
    "csv of str": ("d.csv", lambda: write_csv("nan")),
    "csv of nullable pandas": ("d.csv", lambda: write_csv("<NA>")),
    "csv of Excel": ("d.csv", lambda: write_csv("#N/A")),
    "csv of a database": ("d.csv", lambda: write_csv("\\N")),
    "tsv": ("d.tsv", lambda: write_csv("", "d.tsv", "\t")),
    "excel": ("d.xlsx", lambda: write_excel(None)),
    "parquet": ("d.parquet", lambda: write_parquet(None)),
    "jsonl": ("d.jsonl", lambda: write_jsonl("d.jsonl", *rows(""))),
    "null": ("d.jsonl", lambda: write_jsonl("d.jsonl", *rows(None))),
    "nan": ("d.jsonl", lambda: write_jsonl("d.jsonl", *rows(float("nan")))),
    "an empty list": ("d.jsonl", lambda: write_jsonl("d.jsonl", *rows([]))),
    "json": ("d.json", lambda: write("d.json", json.dumps(list(rows(None))))),
}


def expected(metric, **options):
    return load(metric).compute(predictions=PREDICTIONS, references=REFERENCES, **options)


@pytest.mark.parametrize("more", [(), ("--stream",)], ids=["at once", "stream"])
@pytest.mark.parametrize("name", GAPS)
def test_a_gap_among_references_is_none(name, more, scores, run):
    path, write_file = GAPS[name]
    scores("--no-confidence")  # enters the folder
    write_file()
    how = ("-d", path, *TABLE, "-m", "bleu", "-m", "ter", "--no-confidence", *more)
    found = scores(*how)["systems"]["pred"]
    for metric in ("bleu", "ter"):
        assert found[metric][metric] == pytest.approx(expected(metric)[metric], abs=1e-12)
    assert "|nrefs:1-2|" in found["bleu"]["signature"]
    said = run(*how).stderr
    place = {"d.csv": "line", "d.tsv": "line", "d.jsonl": "line"}.get(path, "row")
    first = 2 if path in ("d.csv", "d.tsv", "d.xlsx") else 1
    assert f"note: {path}, {place} {first + 1}: column ref2 is empty, 2 in all; where a segment has another" in said
    assert f"{place} {first + 2}: column ref1 is empty, 1 in all" in said and "scored as the text" not in said


def test_lines_of_several_files(scores, run):
    scores("--no-confidence")
    write("p", *PREDICTIONS)
    for name, cells in zip(NAMES, zip(*CELLS, strict=True), strict=True):
        write(name, *(cell or "" for cell in cells))
    how = ("-p", "p", "-r", "ref1", "-r", "ref2", "-r", "ref3", "-m", "bleu", "--no-confidence")
    assert scores(*how)["systems"]["p"]["bleu"]["bleu"] == expected("bleu")["bleu"]
    assert scores(*how, "--workers", "2")["systems"]["p"]["bleu"]["bleu"] == expected("bleu")["bleu"]
    assert "note: ref2, line 2: the line is empty, 2 in all; where a segment has another" in run(*how).stderr


def test_gaps_in_a_list_of_a_file(scores, run):
    scores("--no-confidence")
    lists = [["", *REFERENCES[0]], [REFERENCES[1][0], None, REFERENCES[1][1]], REFERENCES[2]]
    write_jsonl("d.jsonl", *({"p": p, "r": r} for p, r in zip(PREDICTIONS, lists, strict=True)))
    how = ("-d", "d.jsonl", "--prediction-column", "p", "--reference-column", "r", "-m", "bleu", "--no-confidence")
    assert scores(*how)["systems"]["p"]["bleu"]["bleu"] == expected("bleu")["bleu"]
    assert "d.jsonl, line 1: column r is empty, 2 in all; where" in run(*how).stderr


def test_a_segment_without_references_stays(scores, run):
    """An empty text, as it is where there is one reference."""
    scores("--no-confidence")
    write("d.csv", "pred,ref1,ref2", "a b c d,a b c d,", "e,,")
    how = ("-d", "d.csv", "--prediction-column", "pred", *COLUMNS[:4], "-m", "wer", "--no-confidence")
    wanted = load("wer").compute(predictions=["a b c d", "e"], references=[["a b c d"], ["", ""]])
    assert scores(*how)["systems"]["pred"]["wer"]["wer"] == wanted["wer"]
    said = run(*how).stderr
    assert "d.csv, line 3: column ref1 is empty or NaN, 1 in all; scored as written" in said
    assert "d.csv, line 2: column ref2 is empty, 1 in all; where a segment has another reference" in said


def test_gaps_alone_are_scored_as_written(scores, run):
    """Each is said, however it is written; a text of other columns may be one, too."""
    scores("--no-confidence")
    write("d.csv", "pred,ref1,ref2", "a b c d,a b c d,<NA>", "\\N e,NaN,\\N", "#N/A, ,NaN")
    how = ("-d", "d.csv", "--prediction-column", "pred", *COLUMNS[:4], "-m", "wer", "--no-confidence")
    references = [["a b c d"], ["NaN", "\\N"], [" ", "NaN"]]
    wanted = load("wer").compute(predictions=["a b c d", "\\N e", "#N/A"], references=references)
    assert scores(*how)["systems"]["pred"]["wer"]["wer"] == wanted["wer"]
    said = run(*how).stderr
    for place in (
        "4: column pred is empty or NaN, 1",
        "3: column ref1 is empty or NaN, 2",
        "3: column ref2 is empty or NaN, 2",
    ):
        assert f"d.csv, line {place} in all; scored as written" in said
    assert "d.csv, line 2: column ref2 is empty, 1 in all" in said


def test_the_weight_of_a_gap_goes_along(scores):
    scores("--no-confidence")
    weights = [[1.0, 0.5], [0.25, 1.0], [0.75]]
    cells = [[1.0, 0.5, None], [0.25, 0, 1.0], [None, 9, 0.75]]  # the same, with some value at each gap
    wanted = load("delta_bleu").compute(predictions=PREDICTIONS, references=REFERENCES, reference_weights=weights)
    for given in (cells, weights):
        write_jsonl("d.jsonl", *({**row, "w": of_row} for row, of_row in zip(rows(), given, strict=True)))
        how = ("-d", "d.jsonl", *TABLE, "-c", "reference_weights=w", "-m", "delta_bleu", "--no-confidence")
        assert scores(*how)["systems"]["pred"]["delta_bleu"]["delta_bleu"] == wanted["delta_bleu"]


def test_words_that_may_mean_a_gap_are_said(scores, run):
    scores("--no-confidence")
    write("d.csv", "pred,ref1,ref2", "None,None,N/A", "a b,a b,a c")
    how = ("-d", "d.csv", "--prediction-column", "pred", *COLUMNS[:4], "-m", "wer", "--no-confidence")
    assert "|nrefs:2|" in scores(*how)["systems"]["pred"]["wer"]["signature"]
    said = run(*how).stderr
    assert "d.csv, line 2: column ref2 may be what a program writes in an empty cell (NA, None, NULL), 1 in all" in said
    assert "column pred" not in said


def test_a_missing_rating_is_no_gap(scores):
    """What one person did not rate, the metric leaves out itself, with the person."""
    scores("--no-confidence")
    ratings = [[5, 4, 5], [2, None, 1], [3, 4, 3], [1, 1, 2]]
    write_jsonl("d.jsonl", *({"j": j, "h": of_row} for j, of_row in zip([4, 1, 2, 3], ratings, strict=True)))
    how = ("-d", "d.jsonl", "--prediction-column", "j", "--human-column", "h", "-m", "human_correlation")
    found = scores(*how, "--no-confidence")["systems"]["j"]["human_correlation"]
    wanted = load("human_correlation").compute(predictions=[4, 1, 2, 3], references=ratings)
    assert found["human_correlation"] == wanted["human_correlation"]
