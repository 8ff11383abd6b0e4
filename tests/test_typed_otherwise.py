"""What people type who know other programs: names, options and files that are not taken so, each with what to type."""

import pickle
import re

import pytest
from conftest import load, write
from typer.testing import CliRunner

import textgauge
from textgauge.__main__ import app

LINES = ["-p", "out.txt", "-r", "ref.txt"]


@pytest.fixture
def stderr(run, tmp_path):
    """Returns a function that runs score.py on two files of lines, and returns what it says on standard error."""
    write("out.txt", "고양이가 잔다", "개가 짖는다")
    write("ref.txt", "고양이가 방에서 잔다", "개가 짖었다")
    write("w.tsv", "고양이 2")
    write("table.csv", "a,b", "네,예")
    write("wmt.xml", '<?xml version="1.0"?>', "<dataset/>")
    (tmp_path / "folder").mkdir()
    write("folder/a.txt", "고양이가 잔다")
    (tmp_path / "coco-val-df.p").write_bytes(pickle.dumps({"document_frequency": {}, "ref_len": 1.0}))
    return lambda *arguments: run(*arguments).stderr


MESSAGES = {
    "several metrics": (
        [*LINES, "-m", "bleu", "chrf", "ter"],
        "chrf ter: -m takes one metric; did you mean -m chrf -m",
    ),
    "metrics and a blank": ([*LINES, "-m", "bleu cer"], "(repeat it: --metric bleu --metric cer)"),
    "files": (["a.txt", "b.txt"], "a.txt b.txt: files are passed by options; did you mean -p a.txt -r b.txt?"),
    "a blank": (
        [*LINES, "-m", "bleu tokenizer=char max_order=2"],
        "options follow a colon; did you mean bleu:tokenizer=char,max_order=2?",
    ),
    "a comma": ([*LINES, "-m", "bleu,tokenizer=char"], "did you mean bleu:tokenizer=char?"),
    "markup": (["-d", "wmt.xml"], "error: wmt.xml is markup; pass the texts alone, one segment per line"),
    "hypothesis": (["--hypothesis", "a", "-r", "b"], "No such option: --hypothesis; did you mean --predictions?"),
    "ref": (["-p", "a", "--ref", "b"], "No such option: --ref; did you mean --references?"),
    "of another command": (
        [*LINES, "--baseline", "a"],
        "No such option: --baseline; it is an option of textgauge compare\n",
    ),
    "of no command": ([*LINES, "--nothing", "a"], "No such option: --nothing"),
    "weights with a blank": (
        [*LINES, "-m", "weighted_bleu:weights=w.tsv"],
        "w.tsv, line 1: ['고양이 2']; a line is a phrase and its weight, with a tab between",
    ),
    "weights in a folder": ([*LINES, "-m", "weighted_bleu:weights=folder"], "that is a folder; pass a file"),
    "chrf++": ([*LINES, "-m", "chrF++"], "(did you mean chrf:word_order=2?)"),
    "rougeL": ([*LINES, "-m", "rougeL"], "(did you mean rouge:rouge_types=rougeL?)"),
    "rouge-2": ([*LINES, "-m", "rouge-2"], "(did you mean rouge:rouge_types=rouge2?)"),
    "rougeLsum": ([*LINES, "-m", "rougelsum"], "(did you mean rouge:rouge_types=rougeLsum?)"),
    "google_bleu": ([*LINES, "-m", "google_bleu"], "(it is not here, and bleu is the nearest)"),
    "comet": ([*LINES, "-m", "COMET"], "(it runs a neural model, and is in the package unbabel-comet)"),
    "bertscore": ([*LINES, "-m", "bertscore"], "(it runs a neural model, and is in the package bert-score)"),
    "a pickle": (
        [*LINES, "-m", "cider:document_frequencies=coco-val-df.p"],
        "coco-val-df.p is a pickle, and document_frequencies takes JSON or TSV; the card of cider converts one",
    ),
    "an encoding that it has not": (
        [*LINES, "--encoding", "cp949"],
        "as UTF-8 it reads '고양이가 잔다': leave out --encoding, and save the other files as UTF-8",
    ),
    "an input": (["-i", "out.txt"], "No such option: -i; pass outputs with --predictions"),
    "an output": ([*LINES, "--output", "a"], "results are written with --json, --csv, --markdown, --latex or --html"),
    "an option of a metric": ([*LINES, "--max-order", "2"], "write it behind the metric, -m bleu:max_order=..."),
    "a level": ([*LINES, "--alpha", "0.01"], "tests have the level 0.05, corrected for their number; alpha is an opt"),
    "a name without a metric": ([*LINES, "-m", "CER="], "--metric CER=: no metric follows =; write one, such as"),
    "f1": ([*LINES, "-m", "f1"], "(it is not here, and rouge1 of rouge is the nearest: the F-score of words)"),
    "spice": ([*LINES, "-m", "spice"], "(it is not here, but in the package pycocoevalcap)"),
    "ribes": ([*LINES, "-m", "ribes"], "(it is not here, but in the package nltk)"),
    "mer": ([*LINES, "-m", "mer"], "(did you mean wer:detailed=true?)"),
    "a list of files": (
        ["-p", "out.txt", "-r", "ref.txt,out.txt"],
        "--references ref.txt,out.txt: an option takes one file; repeat it: --references ref.txt --references out.txt",
    ),
    "a pattern": (["-p", "o*.txt", "-r", "ref.txt"], "an option takes one file; repeat it: --predictions out.txt\n"),
    "a list of columns": (
        ["-d", "table.csv", "--prediction-column", "a,b"],
        "table.csv, line 2: there is no column 'a,b'; repeat the option, with one column each; it has a, b",
    ),
    "a table alone": (["-d", "table.csv"], "--data table.csv needs --prediction-column NAME; it has a, b\n"),
    "rows as lines": ([*LINES, "--rows", "rows.txt"], "--rows rows.txt is a file; pass a folder, or a name that ends"),
    "an address": (["-p", "http://a.b/c.txt", "-r", "ref.txt"], "http://a.b/c.txt is an address; download it, and"),
    "a named address": (["-p", "a=https://a.b/?c=1", "-r", "ref.txt"], "a=https://a.b/?c=1 is an address; download"),
    "an address of a table": (["-d", "https://a.b/c.csv"], "https://a.b/c.csv is an address; download it, and pass"),
    "references of perplexity": (
        [*LINES, "-m", "perplexity"],
        "error: --references: no metric takes it: perplexity scores predictions alone; leave it out",
    ),
    "a folder": (
        ["-p", "folder", "-r", "ref.txt"],
        "folder has 1 lines and ref.txt 2; folder is a folder, which is read as one system with a file for each record",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_what_to_type(name, stderr):
    arguments, message = MESSAGES[name]
    assert message in stderr(*arguments)


def test_options_of_other_commands_are_named_everywhere():
    for arguments, message in (
        (["verify", "a.yaml", "--hyps", "b"], "No such option: --hyps; did you mean --predictions?"),
        (
            ["publish-result", "a.json", "--html", "b"],
            "No such option: --html; it is an option of textgauge score and textgauge compare\n",
        ),
        (["compare", "--human-column", "a"], "No such option: --human-column; it is an option of textgauge score\n"),
        (
            ["app", "--language", "ko"],
            "No such option: --language; it is an option of textgauge score and textgauge compare\n",
        ),
        (["compare", "--rows", __file__], "test_typed_otherwise.py holds no rows; score.py writes them with --rows. O"),
    ):
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 2 and message in result.stderr


SAME_LISTS = [
    *("rouge1,rouge2", "[rouge1,rouge2]", "['rouge1', 'rouge2']", '["rouge1","rouge2"]', "'rouge1','rouge2'"),
    *('"rouge1,rouge2"', "rouge1,rouge_types=rouge2"),
]


def test_lists_are_written_in_many_ways(stderr, run):
    """A heading has the score and what else differs, not the list that it is of."""
    printed = {run(*LINES, "-m", f"rouge:tokenizer=char,rouge_types={given}").stdout for given in SAME_LISTS}
    [text] = printed
    assert text.split("\n")[0].split("  ") == ["system", "rouge1 char", "rouge2 char"]
    assert (
        run(*LINES, "-m", "rouge:rouge_types=[rouge1]").stdout == run(*LINES, "-m", "rouge:rouge_types=rouge1,").stdout
    )
    assert "tokenizer is ['char', 'jamo']; pass one of" in stderr(*LINES, "-m", "bleu:tokenizer=char,tokenizer=jamo")


@pytest.mark.parametrize("file", ["out.txt", "ref.txt"])
def test_no_encoding_sends_in_a_circle(file, stderr, tmp_path):
    """One file of two is in CP949: what the first message advises for it alone works."""
    text = (tmp_path / file).read_text(encoding="utf-8")
    (tmp_path / file).write_text(text, encoding="cp949")
    assert f"{file}, line 1: byte" in stderr(*LINES) and "save it as UTF-8 (or, where all files" in stderr(*LINES)
    assert "leave out --encoding, and save the other files as UTF-8" in stderr(*LINES, "--encoding", "cp949")
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert "error" not in stderr(*LINES)


def test_notes_on_texts_are_in_one_language(stderr):
    write("gaps.txt", "", "a\tb")
    found = stderr("-p", "gaps.txt", "-r", "ref.txt", "--language", "ko")
    assert "참고: gaps.txt, 줄 1: 이 줄의 값이 비었거나" in found
    assert not re.search(r"\b(line|row|column)\b", found)


def test_blanks_around_a_name(stderr, run, scores):
    assert list(scores("-p", "A = out.txt", "-r", "ref.txt")["systems"]) == ["A"]
    write(" out.txt", "고양이가 방에서 잔다", "개가 짖었다")
    assert scores("-p", "A = out.txt", "-r", "ref.txt", "-m", "cer")["systems"]["A "]["cer"]["cer"] == 0


def test_the_folder_where_one_is(stderr, scores, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "folder")
    write("../one.txt", "고양이가 잔다")
    assert list(scores("-p", ".", "-r", "../one.txt")["systems"]) == ["folder"]


NOTES = {
    "en": (
        "note: to count the kinds of errors with --stream: -m cer:readings=ko,detailed=true\n",
        "note: to count the kinds of errors with --stream: -m cer:detailed=true\n",
        "note: weighted_bleu has no weights, and counts all phrases alike, as bleu does; pass -m weighted_bleu:w",
    ),
    "ko": (
        "참고: --stream에서 오류의 종류를 세는 방법: -m cer:readings=ko,detailed=true\n",
        "참고: --stream에서 오류의 종류를 세는 방법: -m cer:detailed=true\n",
        "참고: weighted_bleu에 가중치가 없어 bleu처럼 모든 구를 똑같이 셉니다. -m weighted_bleu:weights",
    ),
}


@pytest.mark.parametrize("language", NOTES)
def test_notes_advise_what_works(language, stderr):
    with_readings, without, no_weights = NOTES[language]
    streamed = [*LINES, "--stream", "--language", language]
    assert with_readings in stderr(*streamed, "-m", "bleu", "-m", "cer:readings=ko")
    assert without in stderr(*streamed, "-m", "cer")
    assert stderr(*streamed, "-m", "cer:readings=ko,detailed=true") == ""
    assert no_weights in stderr(*LINES, "--language", language, "-m", "weighted_bleu")
    write("tabs.tsv", "고양이\t2")
    weighted = [*LINES, "--language", language, "-m", "weighted_bleu:tokenizer=char,weights=tabs.tsv", "-m", "bleu"]
    assert "weighted_bleu" not in stderr(*weighted)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rogue", "there is no metric rogue (did you mean rouge?); pass one of bleu, cer"),
        ("chrf++", "(did you mean load('chrf', word_order=2)?)"),
        ("rouge1", "(did you mean load('rouge', rouge_types=['rouge1'])?)"),
        ("comet", "(it runs a neural model, and is in the package unbabel-comet)"),
        ("nothing_like_it", "there is no metric nothing_like_it; pass one of"),
    ],
)
def test_a_metric_of_another_name_in_python(name, message):
    with pytest.raises(ValueError) as caught:
        textgauge.load(name)
    assert message in str(caught.value)


def test_one_type_of_rouge_needs_no_list():
    rouge, texts = load("rouge"), {"predictions": ["a b c"], "references": ["a b d"]}
    assert rouge.compute(**texts, rouge_types="rouge2") == rouge.compute(**texts, rouge_types=["rouge2"])
    assert rouge.signature(rouge_types="rouge2") == rouge.signature(rouge_types=["rouge2"])
    with pytest.raises(ValueError, match="rouge_types is 'rouge'; pass a list of rouge1"):
        rouge.compute(**texts, rouge_types="rouge")
