"""Scores that cannot tell a good text from a bad one: the note, the verdict, and gates, which are refused."""

import json

import pytest
from conftest import write, write_jsonl
from typer.testing import CliRunner

from textgauge.programs.commands import compare, score_job

REPLIES = [f"네 좋아요 {number}번" for number in range(10)]
GARBAGE = ["x y z"] * 10
LONG = [f"오늘은 {number}번 문을 열고 나갔다" for number in range(10)]
BLIND = (
    "bleu cannot tell a good text from a bad one here: it is 0 for every segment, also for the references scored "
    "against themselves, because no text has a 4-gram; it can with effective_order=true or smooth=add-k"
)


def compared(*arguments):
    return CliRunner().invoke(compare.app, list(arguments))


@pytest.fixture
def files(run):
    """Writes the texts in an empty folder, which it enters, and returns a function that runs score.py."""
    run("--help-metric", "bleu")
    for name, texts in {"perfect": REPLIES, "garbage": GARBAGE, "ref": REPLIES, "long": LONG}.items():
        write(name, *texts)
    return run


def test_a_score_that_cannot_tell_is_noted(files):
    assert f"note: {BLIND}\n" in files("-p", "perfect", "-r", "ref", "-m", "bleu").stderr
    assert f"note: {BLIND}\n" in files("-p", "perfect", "-r", "ref", "-m", "bleu", "--stream").stderr
    said = files("-p", "perfect", "-r", "ref", "-m", "bleu", "--language", "ko").stderr
    assert "이 자료에서는 bleu 지표로 좋은 텍스트와 나쁜 텍스트를 구별할 수 없습니다" in said
    assert "(4-gram이 있는 텍스트가 없음)" in said
    assert "cannot tell" not in said


@pytest.mark.parametrize("form", ["json", "latex", "markdown"])
def test_it_is_noted_where_no_verdict_is_printed(files, form):
    systems = ("-p", "perfect", "-p", "garbage", "-r", "ref", "-m", "bleu")
    assert f"note: {BLIND}\n" in files(*systems, f"--{form}", "-").stderr
    assert f"note: {BLIND}\n" in compared(*systems, f"--{form}", "-").stderr
    assert "note: bleu cannot" not in files(*systems).stderr + compared(*systems).stderr


@pytest.mark.parametrize("spec", ["bleu:effective_order=true", "bleu:smooth=add-k", "bleu:max_order=3", "cer", "chrf"])
def test_a_score_that_can_tell_is_not_noted(files, spec):
    assert "cannot tell" not in files("-p", "perfect", "-p", "garbage", "-r", "ref", "-m", spec).stderr


def test_one_text_that_has_the_ngrams_is_enough(files):
    write("p", *REPLIES[:9], LONG[9])
    assert "cannot tell" not in files("-p", "p", "-r", "p").stderr


def test_what_is_missing_is_named(files):
    said = files("-p", "garbage", "-r", "long", "-m", "bleu", "-m", "rouge").stderr
    assert (
        "bleu cannot tell here which text is better: it is 0 for every segment of every system, because no 1-gram"
        in said
    )
    assert "rouge2 cannot tell here" in said and "because no 2-gram of a prediction occurs in its references" in said
    write("near", *(f"오늘은 {number}번 창을 닫고 왔다" for number in range(10)))
    said = files("-p", "near", "-r", "long", "-m", "bleu").stderr
    assert "because no 3-gram of a prediction occurs in its references; it can with smooth=exp\n" in said
    write("words", *(f"x{number}" for number in range(9)))
    said = files("-p", "words", "-r", "words", "-m", "rouge").stderr
    assert (
        "rouge2 cannot tell a good text" in said
        and "no text has a 2-gram; it can with tokenizer=char\n" in said
        and "rouge1 cannot" not in said
    )


def test_texts_without_blanks_want_characters(files):
    write("zh", "他们二十年前住在这里", "今天天气很好我们走吧")
    said = files("-p", "zh", "-r", "zh", "-m", "bleu:tokenizer=whitespace", "-m", "bleu").stderr
    assert "it can with tokenizer=char, effective_order=true or smooth=add-k\n" in said
    assert said.count("tokenizer=char") == 1  # not where somebody chose another one


def test_a_score_of_equal_references_cannot_tell(files):
    """The weight of each n-gram of CIDEr is 0 there."""
    write("one", LONG[0], LONG[0])
    said = files("-p", "one", "-r", "one", "-m", "cider").stderr
    assert "note: cider cannot tell a good text from a bad one here: it is 0 for every segment, also" in said


def test_the_verdict_says_it(files):
    both = ("-p", "perfect", "-p", "garbage", "-r", "ref")
    alone = compared(*both, "-m", "bleu")
    assert f"\n\n{BLIND}.\n" in alone.stdout and BLIND not in alone.stderr
    alone = compared(*both, "-m", "bleu", "--json", "-")
    assert json.loads(alone.stdout)["verdict"] == [f"{BLIND}."]
    said = json.loads(compared(*both, "-m", "bleu", "-m", "cer", "--json", "-").stdout)["verdict"]
    assert said[0].startswith("perfect is significantly better than garbage on cer (p") and f"{BLIND}." in said[1:]
    scored = files(*both, "-m", "bleu")
    assert f"\n\n{BLIND}.\n" in scored.stdout and BLIND not in scored.stderr
    assert "same score" not in compared(*both, "-m", "bleu", "-m", "cer").stdout


@pytest.mark.parametrize("value", ["baseline", "0.3"])
def test_a_gate_on_it_is_refused(files, value):
    gate = ("-m", "bleu", "-m", "cer", "--baseline", "perfect", "--fail-below", f"bleu={value}")
    for reference in ("ref", "long"):
        result = compared("-p", "perfect", "-p", "garbage", "-r", reference, *gate)
        assert result.exit_code == 2 and "error: --fail-below bleu=...: bleu cannot tell" in result.stderr
    write("near", *LONG[:9], "x")
    assert compared("-p", "perfect=long", "-p", "near", "-r", "long", *gate).exit_code == 0


def test_a_gate_is_named_as_it_was_written(files):
    both = ("-p", "a=garbage", "-p", "b=garbage", "-r", "long", "-m", "rouge:rouge_types=rouge1,")
    result = compared(*both, "--fail-below", "rouge1=0.3")
    assert "error: --fail-below rouge1=...: rouge" in result.stderr and "cannot tell" in result.stderr


def test_one_reference_of_several_is_enough(files):
    """The longest one has a single word; the other one has 4-grams."""
    write_jsonl("d.jsonl", {"p": "x y z", "r": ["a b c d e", "a" * 30]})
    said = files("-d", "d.jsonl", "--prediction-column", "p", "--reference-column", "r", "-m", "bleu").stderr
    assert "bleu cannot tell here which text is better" in said and "no 1-gram of a prediction occurs" in said


def test_of_a_first_batch_no_reason_is_said(files, monkeypatch):
    monkeypatch.setattr(score_job, "BATCH", 5)
    said = files("-p", "garbage", "-r", "ref", "-m", "bleu", "--stream").stderr
    assert "bleu cannot tell here which text is better: it is 0 for every segment of every system\n" in said


def test_a_gate_that_cannot_fail_is_refused(files):
    both = ("-p", "long", "-p", "garbage", "-r", "long", "-m", "bleu", "-m", "wer", "--fail-below")
    result = compared(*both, "bleu=0")
    assert result.exit_code == 2 and "--fail-below bleu=0: a score of bleu is usually 0 or more" in result.stderr
    assert compared(*both, "bleu=0.01").exit_code == 1
    assert compared(*both, "wer=0").exit_code == 1  # lower is better there
