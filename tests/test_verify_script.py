"""scripts/verify.py: a published score computed again from its signature: equal, not equal, or not to be computed."""

import json
import math
from decimal import ROUND_HALF_UP, Decimal, localcontext

import pytest
import yaml
from conftest import examples, load, write
from hypothesis import example, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from textgauge.programs.commands import publish_result, score, verify
from textgauge.programs.publishing import verifying
from textgauge.programs.publishing.verifying import NOT_EQUAL, Published, sameness

PREDICTIONS = ["고양이가 침대에서 잔다.", "네 그래요.", "개가 짖는다"]
REFERENCES = ["고양이가 침대에서 잠을 잔다.", "네, 그래요.", "개가 마당에서 짖는다."]
FILES = ["-p", "new.txt", "-r", "gold.txt"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("new.txt", *PREDICTIONS)
    write("gold.txt", *REFERENCES)
    write("w.tsv", "고양이\t2")


def publish(spec, *key, confidence="--no-confidence", files=FILES):
    assert CliRunner().invoke(score.app, [*files, "-m", spec, confidence, "--json", "s.json"]).exit_code == 0
    done = CliRunner().invoke(publish_result.app, ["s.json", "--dataset", "a/b", "--task", "t", *key])
    assert done.exit_code == 0, done.output
    with open("r.yaml", "w", encoding="utf-8") as file:
        file.write(done.output)
    return yaml.safe_load(done.output)


def check(*arguments, file="r.yaml"):
    return CliRunner().invoke(verify.app, [file, *(arguments or FILES)])


@pytest.mark.parametrize(
    ("spec", "key"),
    [
        ("cer", []),
        ("bleu:tokenizer=char,smooth=exp", []),
        ("rouge:tokenizer=char", ["--key", "rougeL"]),
        ("wer:readings=ko,preset=nlptutti", []),
        ("nist:tokenizer=char", []),
        ("meteor:lang=ko,tokenizer=char,stages=exact,", []),
    ],
)
def test_what_was_published_is_equal(spec, key):
    [entry] = publish(spec, *key)
    found = check()
    assert found.exit_code == 0, found.output
    name = " ".join([spec.partition(":")[0], *key[1:]])
    assert found.stdout.startswith(
        f"equal: {name} is {entry['value']!r} in r.yaml, and {entry['value']!r} of these files\n"
    )


def test_another_score_is_not_equal():
    [entry] = publish("cer")
    write("r.yaml", yaml.safe_dump([{**entry, "value": round(entry["value"], 4)}]))
    assert check().exit_code == 0
    write("r.yaml", yaml.safe_dump([entry]) + yaml.safe_dump([{**entry, "value": round(entry["value"], 4) + 0.0001}]))
    found = check()
    assert found.exit_code == 1
    assert [line.partition(":")[0] for line in found.stdout.splitlines()[::2]] == ["equal", "not equal"]
    publish("cer")
    write("new.txt", *PREDICTIONS[:2], "개가 마당에서 짖는다.")
    assert check().exit_code == 1


def test_other_data_of_the_same_score():
    """Both have one corpus score; only the digests tell them apart."""
    publish("cer")
    write("new.txt", *PREDICTIONS[:1], "네 그레요.", "개가 짖는다")
    write("gold.txt", *REFERENCES[:1], "네, 그레요.", REFERENCES[2])
    found = check()
    lines = found.stdout.splitlines()
    assert found.exit_code == 1 and lines[0].startswith("equal: cer is ")
    assert lines[1:3] == ["other references than the published score", "changed outputs"]
    write("gold.txt", *REFERENCES)
    found = check()
    lines = found.stdout.splitlines()
    assert found.exit_code == 1 and lines[0].startswith("not equal: cer is ")
    assert lines[1] == "outputs of another system than the published one, or changed outputs"
    write("new.txt", *PREDICTIONS[:2], f"{PREDICTIONS[2]} ")
    found = check()
    lines = found.stdout.splitlines()
    assert found.exit_code == 1 and lines[0].startswith("equal: cer is ") and lines[1] == "changed outputs"


def test_the_same_in_another_order():
    publish("cer")
    write("new.txt", *PREDICTIONS[::-1])
    found = check()
    assert found.exit_code == 1
    said = "the same outputs and references, but one of the two is in another order"
    assert found.stdout.splitlines()[1] == said
    write("gold.txt", *REFERENCES[::-1])
    found = check()
    assert found.exit_code == 0 and found.stdout.splitlines()[1] == "the same data in another order"


def test_swapped_outputs_of_equal_references():
    """The score is that of the same pairs, and so it is equal."""
    write("gold.txt", "네", "네", "개가 짖는다.")
    write("new.txt", "네", "넷", "개가 짖었다.")
    publish("cer")
    write("new.txt", "넷", "네", "개가 짖었다.")
    found = check()
    assert found.exit_code == 0 and found.stdout.startswith("equal")


def test_other_columns_are_data_too():
    """Sources make the same outputs and references other data."""
    write("sources.txt", "가", "나", "다")
    files = [*FILES, "--column", "sources=sources.txt"]
    publish("ibleu:tokenizer=char", files=files)
    write("sources.txt", "가", "나", "라")
    found = check(*files)
    assert found.exit_code == 1 and "other sources than the published score" in found.stdout


def test_older_notes():
    [entry] = publish("cer")
    for notes in (entry["notes"].partition(" | ")[0], entry["notes"].partition(" | data")[0]):
        write("r.yaml", yaml.safe_dump([{**entry, "notes": notes}]))
        found = check()
        assert found.exit_code == 0
        assert found.stdout.splitlines()[1].startswith("data unknown: the notes do not name the references")


def said_of(written, ours, is_percent=False):
    return sameness(Published(written, is_percent, "cer|v1.0", None), ours)


@pytest.mark.parametrize(
    ("written", "ours", "said"),
    [
        ("0.3207", 0.32074, "equal to 4 decimals"),
        ("0.3207", 0.32076, "not equal"),
        ("0.3210", 0.32070, "not equal"),  # a float forgets the last 0
        ("0.320", 0.319885, "equal to 3 decimals"),
        ("0.125", 0.12549, "equal to 3 decimals"),
        ("0.32", 0.3201, "equal to 2 decimals"),
        ("0.3", 0.3201, "equal to 1 decimal"),
        ("0", 0.3214, "not equal"),  # every score below .5 rounds to 0
        ("1", 0.6756, "not equal"),
        ("1.", 0.6756, "not equal"),
        ("1", 1.0, "equal"),
        ("2e1", 21.0, "not equal"),
        ("1.0", 1.06, "not equal"),
        ("0.12", 0.125, "equal to 2 decimals"),  # two roundings are right
        ("0.13", 0.125, "equal to 2 decimals"),
        ("0.14", 0.135, "equal to 2 decimals"),  # a float just above the middle, and its neighbour
        ("0.13", 0.135, "equal to 2 decimals"),
        ("0.3206974074480498", 0.32069740744805, "equal"),
        ("0.3206974074", 0.32069740744805, "equal to 10 decimals"),
        ("0.3206974075", 0.32069740744805, "not equal"),
        ("3.2e-1", 0.32, "equal"),
        ("3.2e-1", 0.324, "equal to 2 decimals"),
        ("3.2e-1", 0.326, "not equal"),
        ("1.0e-05", 1.4e-05, "not equal"),
        ("5e1", 50.0, "equal"),
        ("5e1", 51.0, "not equal"),
        ("0.0", 0.0, "equal"),
        ("0.0", 0.06, "not equal"),
        ("0.0", 2e-17, "equal"),  # as cancelled sums may be on another processor
    ],
)
def test_digits_that_are_written_decide(written, ours, said):
    assert said_of(written, ours) == said


@example(0.125, 2)
@example(0.5, 0)
@example(0.319885, 3)
@examples(4)
@given(st.floats(0, 2) | st.floats(0, 1e-6) | st.floats(0, 300), st.integers(0, 17))
def test_the_right_rounding_is_equal_and_its_neighbours_are_not(score, decimals):
    """However it is written: as decimals, with an exponent, or in percent; without decimals only the score is right."""
    with localcontext() as context:
        context.prec = 100
        unit = Decimal(1).scaleb(-decimals)
        error = Decimal("1.1e-15") + Decimal("1.1e-14") * Decimal(score)  # by which processors may differ
        right = Decimal(score).quantize(unit, ROUND_HALF_UP)
        for value in (right, right - unit, right + unit):
            distance = abs(value - Decimal(score))
            if unit / 2 < distance <= unit / 2 + error or (decimals == 0 and error / 2 < distance <= error):
                continue  # neither is surely right
            texts = [f"{value:.{decimals}f}", f"{value.scaleb(decimals):.0f}e-{decimals}"]
            said = [said_of(text, score) for text in texts]
            if decimals >= 2:
                said.append(said_of(f"{100 * value:.{decimals - 2}f}", score, is_percent=True))
            is_right = distance <= (unit / 2 if decimals else error)
            assert [words != NOT_EQUAL for words in said] == [is_right] * len(said), (value, said)


@given(st.floats(1e-9, 300), st.integers(-2, 2))
def test_what_python_writes_is_equal(score, steps):
    """Also that of a processor which adds up in another order."""
    for _ in range(abs(steps)):
        score = math.nextafter(score, math.copysign(math.inf, steps))
    assert said_of(repr(score), score) == "equal"


@pytest.mark.parametrize(
    ("value", "notes", "said"),
    [
        ("0.320", "{}", "equal to 3 decimals"),
        ("0.3210", "{}", "not equal"),
        ("3.199e-1", "{}", "equal to 4 decimals"),
        ("3199e-4", "{}", "equal to 4 decimals"),
        ("31.99", "in percent: {}", "equal to 2 decimals"),
        ("0.320", "{} | textgauge 0.2.0", "equal to 3 decimals"),
        ("0.320", "cer: {} | textgauge 0.2.0rc1", "equal to 3 decimals"),
        ("32", "cer in percent: {}", "equal to 0 decimals"),
        ("31.99%", "{}", "equal to 2 decimals"),
        ("32.99%", "{}", "not equal"),
        ("31.99", "{}", "not equal"),
    ],
)
def test_values_are_read_as_they_are_written(value, notes, said, monkeypatch):
    monkeypatch.setattr(verifying, "number_of", lambda name, result, key: 0.319885)
    signature = load("cer").signature(references=REFERENCES)
    write("r.yaml", f"- value: {value}", f"  notes: '{notes.format(signature)}'")
    found = check()
    shown = f"{value}%" if "percent" in notes else value
    assert found.stdout.startswith(f"{said}: cer{' cer' if notes[0] == 'c' else ''} is {shown} in r.yaml, and 0.319885")
    assert found.exit_code == (said == "not equal")


def test_what_a_signature_cannot_rebuild_is_named():
    """With exit code 2, whatever the value: nothing is said to differ."""
    publish("weighted_bleu:tokenizer=char,weights=w.tsv")
    cases = {
        "the signature only names weights:table(": None,
        "'cer|nrefs:1|v9.9' is not a signature of cer": "cer|nrefs:1|v9.9",
        "the signature only names tok:custom(": load("bleu").signature(references=REFERENCES, tokenizer=str.split),
        "does not fit these references": load("cer").signature(references=[["가", "나"]] * 3),
        "'nothing|nrefs:1|v1.0' names no metric of this version; there are bleu,": "nothing|nrefs:1|v1.0",
        "'./w.py|v1.0' names no metric of this version": "./w.py|v1.0",
        "has no signature in its notes": "x",
        "cer has no number x100": f"x100: {load('cer').signature(references=REFERENCES)}",
    }
    for message, notes in cases.items():
        if notes:
            write("r.yaml", yaml.safe_dump([{"value": 0.5, "notes": notes}]))
        found = check()
        assert found.exit_code == 2 and message in found.stderr and "equal" not in found.stdout, (message, found.output)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "r.yaml is not what publish_result.py writes"),
        ("{", "r.yaml is not what publish_result.py writes"),
        ("- 1", "r.yaml, result 1 has no number as its value"),
        ("- value: true", "r.yaml, result 1 has no number as its value"),
        ("- value: .inf", "r.yaml, result 1 has no number as its value"),
        ("- value: 1:30.5", "r.yaml, result 1 has no number as its value"),
        ("- value: '0.5'", "r.yaml, result 1 has no number as its value"),
        ("- value: 0.5", "r.yaml, result 1 has no signature in its notes"),
    ],
)
def test_other_files(content, message):
    write("r.yaml", content)
    found = check()
    assert found.exit_code == 2 and message in found.stderr


@pytest.mark.parametrize("encoding", ["utf-16", "cp949"])
def test_a_result_in_another_encoding(encoding):
    """The option --encoding is of the texts alone, and so the advice is the one that writes the result."""
    write("r.yaml", "- value: 0.5", "  notes: 오류율")
    with open("r.yaml", encoding="utf-8") as file:
        text = file.read()
    with open("r.yaml", "w", encoding=encoding) as file:
        file.write(text)
    found = check()
    assert found.exit_code == 2 and "is not UTF-8; publish_result.py --to writes it so" in found.stderr


def test_files_that_are_not_of_one_system():
    publish("cer")
    write("old.txt", *REFERENCES)
    found = check(*FILES, "-p", "old.txt")
    assert found.exit_code == 2 and "a published score belongs to one system, but there are 2: new, old" in found.stderr
    assert check("-p", "new.txt").exit_code == 2
    table = [{"h": h, "r": r} for h, r in zip(PREDICTIONS, REFERENCES, strict=True)]
    write("t.jsonl", *(json.dumps(row) for row in table))
    found = check("-d", "t.jsonl", "--prediction-column", "h", "--reference-column", "r")
    assert found.exit_code == 0, found.output
