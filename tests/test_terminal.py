"""What the programs print: texts and names of files, of which none controls the terminal."""

import contextlib
import csv
import io
import json
import os
import re
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score
from textgauge.programs.saying.widths import padded, text_width, visible
from textgauge.programs.scoring import console

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
EVIL = f"\x1b]0;title\x07 \x1b[2J\r\x7f\x85\x9b {BIDI}"
CONTROLS = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{BIDI}]")
COLUMNS = ["--prediction-column", f"sys{EVIL}", "--prediction-column", "other", "--reference-column", "ref"]


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            f"sys{EVIL}": f"hello {EVIL} world שלום",
            "other": "hello",
            "ref": f"hello {EVIL} you مرحبا",
            "id": f"g{EVIL}",
        },
        {f"sys{EVIL}": "a", "other": "b", "ref": "a", "id": "=1+1"},
    ]
    (tmp_path / "d.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_visible():
    stays = "tab\tline\n שלום مرحبا 한글 👩‍👩‍👧 \u200b"
    assert visible(stays) == stays
    controls = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cc"} - {*"\t\n"}
    directions = {chr(code) for code in range(0x10000) if unicodedata.bidirectional(chr(code)) in BIDI_CLASSES}
    assert directions <= {*BIDI}
    for character in controls | {*BIDI}:
        assert len(visible(character)) == 1 and visible(character).isprintable()
    assert text_width("\u202e\x1b") == len(padded("\u202e\x1b", 2)) == 2


BIDI_CLASSES = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize("metric", ["bleu", "wer", "chrf", "ter", "meteor", "cer"])
def test_explanations_names_and_groups(data, metric):
    arguments = ["-d", "d.jsonl", *COLUMNS, "-m", metric, "--explain", "1", "--group-by", "id"]
    done = CliRunner().invoke(score.app, arguments)
    assert done.exit_code == 0, done.output
    assert not CONTROLS.search(done.output)
    assert "␛[2J" in done.output and "sys␛]0;title␇" in done.output and "g␛]0;" in done.output


def test_comparisons_and_messages(data):
    done = CliRunner().invoke(compare.app, ["-d", "d.jsonl", *COLUMNS, "--resamples", "20", "--trials", "20"])
    assert done.exit_code == 0 and "sys␛]0;title␇" in done.output and not CONTROLS.search(done.output)
    for arguments in (["-d", f"no{EVIL}.jsonl", *COLUMNS], ["-d", "d.jsonl", *COLUMNS, "-c", EVIL]):
        failed = CliRunner().invoke(score.app, arguments)
        assert failed.exit_code == 2 and not CONTROLS.search(failed.output), failed.output


def run_into(descriptor, monkeypatch, *arguments):
    """Runs score.py with a file or a terminal as its standard output and error, and closes these."""
    monkeypatch.setattr(sys, "argv", ["score.py", *arguments])
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, os.fdopen(os.dup(descriptor), "w"))
    with pytest.raises(SystemExit) as ended:
        console.run(score.app)
    for stream in (sys.stdout, sys.stderr):
        stream.close()
    assert ended.value.code == 0


def read_all(descriptor):
    """Returns what is written to the other end of a terminal until that is closed."""
    blocks = []
    with contextlib.suppress(OSError):  # how Linux says that it is closed
        while block := os.read(descriptor, 1000):
            blocks.append(block)
    os.close(descriptor)
    return b"".join(blocks).decode()


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_only_our_own_colours_reach_a_terminal(data, monkeypatch):
    """Also where what a file would get is printed there; in a file it is the file."""
    import pty

    monkeypatch.setenv("TERM", "xterm-256color")
    arguments = ["-d", "d.jsonl", *COLUMNS, "-m", "wer"]
    with open("written", "wb") as file:
        run_into(file.fileno(), monkeypatch, *arguments, "--csv", "-")
    written = Path("written").read_text(encoding="utf-8")
    assert "\x1b]0;title" in written and BIDI in written
    for further, expected in ((["--explain", "1"], "\x1b[1msegment 1"), (["--csv", "-"], "system,metric")):
        end, terminal = pty.openpty()
        with ThreadPoolExecutor(1) as reader:
            shown = reader.submit(read_all, end)
            run_into(terminal, monkeypatch, *arguments, *further)
            os.close(terminal)
        assert expected in shown.result() and "␛]0;title" in shown.result()
        assert not CONTROLS.search(re.sub(r"\x1b\[[\d;]*m|\r\n", "", shown.result()))


def test_a_name_that_is_no_utf8(data, monkeypatch):
    path = os.fsdecode(b"b\xff.txt")
    try:
        with open(path, "w") as file:
            file.write("a\n")
    except OSError:
        pytest.skip("names of files are UTF-8 here")
    with open("written", "wb") as file:
        run_into(file.fileno(), monkeypatch, "-p", path, "-r", path)
    assert b"b\\udcff" in Path("written").read_bytes()


def test_names_are_no_formulas_in_a_spreadsheet(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    groups = ["=1+1", "+1-1", "@SUM(A1)", "-5", "+2.5", "-cmd", "\tx", "plain = 1"]
    rows = [{"-out": "a", "ref": "a", "=id": group} for group in groups]
    (tmp_path / "d.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    arguments = ["-d", "d.jsonl", "--prediction-column=-out", "--reference-column", "ref", "--group-by", "=id"]
    done = CliRunner().invoke(score.app, [*arguments, "--csv", "-"])
    assert done.exit_code == 0, done.output
    header, first, *others = csv.reader(io.StringIO(done.stdout))
    assert header[-1] == "'=id" and first[0] == "'-out"
    shown = ["'=1+1", "'+1-1", "'@SUM(A1)", "-5", "+2.5", "'-cmd", "'\tx", "plain = 1"]
    assert sorted(row[-1] for row in others) == sorted(shown)
