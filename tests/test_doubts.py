"""What looks as if it was not meant as it is read: packed texts and ids, each side of each condition."""

import pytest
from conftest import write, write_jsonl
from typer.testing import CliRunner

from textgauge.programs.commands import compare
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import Corpus
from textgauge.programs.reading.doubts import doubts
from textgauge.programs.reading.order import doubt_of_order

IDS = ["u1 가", "u2 나", "u3 다", "u4 라"]


def with_ends(form):
    """Returns four lines that end in 1, 2, 3, 4, each in a form."""
    return [f"{word} {form.format(number)}" for number, word in enumerate("가나다라", start=1)]


DOUBTFUL = {
    "a list of JSON": (["[null]"], ["x"], "p looks like a list"),
    "a list of Python": ([" ('a', ) "], ["['a']"], "r looks like a list"),
    "an object": (['{"text": "a"}'], ["x"], "p looks like a list or an object"),
    "a network of hyter": (["x"], ['{"alt": ["a", "b"]}'], ""),
    "another in it": (["x"], ['{"seq": [], "text": ""}'], "r looks like a list or an object"),
    "an object of Python": (["x"], ["{'a': 'b'}"], "r looks like a list"),
    "no list": (["[a", "['b']"], ["x", "y"], ""),
    "half a list of Python": (["['a'"], ["x"], ""),
    # nothing is evaluated: CPython 3.10 ends in a segmentation fault where it parses these
    "a long sum": (["[" + "1+" * 150_000 + "1]"], ["[" * 200_000], ""),
    "attributes and calls": (["[a" + ".a" * 150_000], ["[a" + "()" * 150_000], ""),
    "words in brackets": (["[가 나]"], ["{다}"], ""),
    "ids": (IDS, [*IDS], "each line begins"),
    "paths of ids": (
        ["a/1 가", "a/2 나", "a/3 다", "a/4 라"],
        ["a/1 가", "a/2 마", "a/3 다", "a/4 라"],
        "each line begins",
    ),
    "names of recordings": (
        ["1.wav 가", "a.wav 나", "b.WAV 다", "c.mp3: 라"],
        ["1.wav 가", "a.wav 나", "b.WAV 다", "c.mp3: 마"],
        "each line begins",
    ),
    "ids behind": (with_ends("spk{}_1"), with_ends("spk{}_1"), "each line ends"),
    "ids in brackets behind": (with_ends("(u-{})"), with_ends("(u-{})"), "each line ends"),
    "numbers in brackets behind": (with_ends("[{}]"), with_ends("[{}]"), "each line ends"),
    "replies that end in numbers": (with_ends("{}"), with_ends("{}"), ""),
    "replies that end in counters": (with_ends("{}번"), with_ends("{}번"), ""),
    "replies that end in one unit": (with_ends("{}km"), with_ends("{}km"), ""),
    "replies that end in units": (
        ["가 3km", "나 2kg", "다 7pm", "라 B4"],
        ["가 3km", "나 2kg", "마 7pm", "라 B4"],
        "",
    ),
    "words with digits": (["A4 가", "B5 나", "C6 다", "D7 라"], ["A4 가", "B5 나", "C6 다", "D7 마"], ""),
    "a bracket inside": (["a(1)b 가", *IDS], ["a(1)b 가", *IDS], ""),
    "numbers of lines": (["1 가", "2 나", "3 다", "4 라"], ["1 가", "2 라", "3 다", "4 라"], "each line begins"),
    "numbers from 0": (["0 가", "1 나", "2 다", "3 라"], ["0 가", "1 라", "2 다", "3 라"], "each line begins"),
    "numbers in another order": (
        ["1 가", "2 나", "3 다", "4 라"],
        ["4 가", "2 라", "3 다", "1 라"],
        "begin with the same words in different orders",
    ),
    "other numbers": (["10 가", "20 나", "35 다", "40 라"], ["10 가", "20 라", "35 다", "40 라"], ""),
    "ids in another order": (IDS, IDS[::-1], "begin with the same words in different orders"),
    "ids behind in another order": (with_ends("u-{}"), with_ends("u-{}")[::-1], "end with the same words"),
    "labels of lines in another order": (
        ["red: 가", "blue: 나", "green: 다", "grey: 라"],
        ["blue: 나", "red: 가", "green: 다", "grey: 라"],
        "",
    ),
    "labels in another order": (["u1", "u2", "u3", "u4 1"], ["u3", "u1", "u2", "u4 1"], ""),
    "ids of LibriSpeech in another order": (
        ["116_003_0001 가", "116_003_0002 나"],
        ["116_003_0002 나", "116_003_0001 가"],
        "in different orders",
    ),
    "ids of Sphinx with a score": (
        [f"가 {n} (data_00{n} -77{n})" for n in range(5)],
        [f"가 {n} (data_00{n})" for n in range(5)],
        "each line ends",
    ),
    "days": (["2024-03-01 가", "2024-03-02 나"], ["2024-03-02 가", "2024-03-01 나"], ""),
    "two counts in another order": (["1 가", "2 나"], ["2 가", "1 나"], ""),
    "three lines": (IDS[:3], IDS[:3], ""),
    "another id": (IDS, [*IDS[:3], "u5 라"], ""),
    "an id twice": ([*IDS, "u3 라"], [*IDS, "u3 라"], ""),
    "no digit": ([*IDS, "u 라"], [*IDS, "u 라"], ""),
    "an empty line": ([*IDS, " "], [*IDS, " "], ""),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubts(name):
    wanted = DOUBTFUL[name][2]
    column = FileColumn("p", DOUBTFUL[name][0], "p.txt", "line", range(1, 9))
    other = FileColumn("r", DOUBTFUL[name][1], "r.txt", "line", range(1, 9))
    found = doubts(Corpus("", {"p": column}, {"references": [other]}, {}, ""))
    assert len(found) == bool(wanted) and wanted in "".join(found)
    place = "r.txt, line 1: " if wanted[:2] == "r " else "p.txt, line 1: "
    ends = ("; use .jsonl, .csv or .trn for ids and columns", "Kaldi's text are matched by id")
    assert all(note.startswith(place) and note.endswith(ends) for note in found)


BOTH = "is both the prediction and the reference"
SIDES = {
    "one file": (["-p", "p.txt", "-r", "p.txt"], "p.txt, line 1: the line "),
    "another path": (["-p", "p.txt", "-r", "sub/../p.txt"], "p.txt, line 1: the line "),
    "a link": (["-p", "link.txt", "-r", "p.txt"], "link.txt, line 1: the line "),
    "one of several references": (["-p", "p.txt", "-r", "r.txt", "-r", "p.txt"], "p.txt, line 1: the line "),
    "one column": (["-d", "d.csv", "--prediction-column", "a", "--reference-column", "a"], "d.csv, line 2: column a "),
    "one column of one file": (
        ["-p", "d.csv", "-r", "d.csv", "--prediction-column", "a", "--reference-column", "a"],
        "d.csv, line 2: column a ",
    ),
    "two columns": (["-d", "d.csv", "--prediction-column", "a", "--reference-column", "b"], ""),
    "two columns of one file": (
        ["-p", "d.csv", "-r", "d.csv", "--prediction-column", "a", "--reference-column", "b"],
        "",
    ),
    "a copy": (["-p", "p.txt", "-r", "copy.txt"], ""),
}


@pytest.mark.parametrize("name", SIDES)
def test_one_text_on_both_sides_is_noted(name, run, tmp_path):
    write("p.txt", "가 나", "다")
    write("copy.txt", "가 나", "다")
    write("r.txt", "가 다", "다")
    write("x.txt", "가 라", "다")
    write("d.csv", "a,b", "가 나,가 나", "다,다")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.txt").symlink_to("p.txt")
    arguments, place = SIDES[name]
    found = run(*arguments, "-m", "cer")
    assert found.exit_code == 0 and found.stderr.count(BOTH) == bool(place)
    assert not place or f"note: {place}{BOTH}" in found.stderr
    assert run(*arguments, "-m", "cer", "--stream").stderr.count(BOTH) == bool(place)
    if "-p" in arguments:
        second = ["-p", "x.txt"] if "--prediction-column" not in arguments else ["-p", "second=d.csv"]
        compared = CliRunner().invoke(compare.app, [*arguments, *second, "-m", "cer"])
        assert compared.exit_code == 0, compared.output
        assert compared.stderr.count(BOTH) == bool(place)


TEXTS = [f"the {word} cat sat on the {word} mat" for word in ("one", "two", "three", "four", "five", "six", "seven")]
ORDERS = {
    "the same order": (TEXTS, ""),
    "a line too many": (["Loading", *TEXTS[:-1]], "doubt_shifted"),
    "a line too few": ([*TEXTS[1:], "the end"], "doubt_shifted"),
    "labels": (["서울", "부산", "대구", "인천", "광주", "대전"], ""),
    "few lines": (TEXTS[:3], ""),
    "other texts": ([f"{n} bees" for n in range(7)], ""),
}


@pytest.mark.parametrize("name", ORDERS)
def test_rows_in_another_order(name):
    """A long list of texts in any order but their own is noted, as is one that is shifted; other texts are not."""
    words = ["apple", "bread", "chair", "door", "eagle", "flute", "grass"]
    texts = [f"{word} {word}s {word[::-1]}" for word in words]
    predictions, wanted = ORDERS[name]
    references = predictions[::-1] if name == "labels" else TEXTS[: len(predictions)]
    if name.startswith("a line"):
        at = slice(0, -1) if "many" in name else slice(1, None)
        predictions = ["Loading", *texts[at]] if "many" in name else [*texts[at], "the end"]
        references = texts
    assert doubt_of_order(predictions, references) == wanted
    assert doubt_of_order(texts, [*texts[3:], *texts[:3]]) == "doubt_shuffled"
    assert doubt_of_order(texts, texts) == ""


@pytest.mark.parametrize(
    ("predictions", "references", "is_noted"),
    [("ref.txt", "hyp.txt", True), ("hyp.txt", "ref.txt", False), ("a", "b", False)],
)
def test_sides_that_are_exchanged_by_their_names(predictions, references, is_noted, run):
    for path in (predictions, references):
        write(path, "가 나", "다 라")
    said = run("-p", predictions, "-r", references, "-m", "cer").stderr
    assert ("their names say the opposite" in said) == is_noted


def test_exchanged_columns_of_one_file_are_named(run):
    write("d.csv", "reference,hypothesis", *["가,나"] * 4)
    said = run(
        "-d", "d.csv", "--prediction-column", "reference", "--reference-column", "hypothesis", "-m", "cer"
    ).stderr
    assert "column reference is scored as predictions and column hypothesis as references" in said


@pytest.mark.parametrize("asked", [("-c", "clusters=doc"), ("-g", "doc")])
def test_a_row_without_a_cluster_or_group_is_named(asked, run):
    write_jsonl("d.jsonl", *[{"p": "가", "r": "나", "doc": doc} for doc in ("a", None, "b")])
    said = run("-d", "d.jsonl", "--prediction-column", "p", "--reference-column", "r", "-m", "cer", *asked)
    assert said.exit_code == 2 and "d.jsonl, line 2: column doc is None; each row needs a value" in said.stderr


def test_empty_cues_are_no_groups_of_lines(run):
    cues = [f"{n}\n00:00:0{n},000 --> 00:00:0{n + 1},000\n{text}\n" for n, text in enumerate(["가", "", "나"], start=1)]
    write("p.srt", *cues)
    write("r", "가", "나")
    said = run("-p", "p.srt", "-r", "r", "-m", "cer").stderr
    assert "p.srt has 3 lines and r 2" in said and "groups" not in said


def test_a_year_in_brackets_ends_no_label(run):
    write("p", *[f"As shown by Kim ({year}) results are {year - 2000} of them" for year in range(2011, 2031)])
    write("r", *[f"results of Kim were {year - 2000}" for year in range(2011, 2031)])
    assert "label" not in run("-p", "p", "-r", "r", "-m", "cer").stderr


def test_names_of_files_in_place_of_texts(run):
    write("a.txt", "가")
    write("p", "a.txt", "a.txt")
    write("r", "가", "나")
    assert "p, line 1: the line is the name of a file, and so are all others" in run("-p", "p", "-r", "r").stderr
