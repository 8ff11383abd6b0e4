"""scripts/verify.py: a published score computed again from its signature: equal, not equal, or not to be computed."""

import json

import pytest
import yaml
from conftest import load, write
from typer.testing import CliRunner

from textgauge.programs.commands import publish_result, score, verify
from textgauge.programs.publishing.verifying import sameness

PREDICTIONS = ["고양이가 침대에서 잔다.", "네 그래요.", "개가 짖는다"]
REFERENCES = ["고양이가 침대에서 잠을 잔다.", "네, 그래요.", "개가 마당에서 짖는다."]
FILES = ["-p", "new.txt", "-r", "gold.txt"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("new.txt", *PREDICTIONS)
    write("gold.txt", *REFERENCES)
    write("w.tsv", "고양이\t2")


def publish(spec, *key, confidence="--no-confidence"):
    assert CliRunner().invoke(score.app, [*FILES, "-m", spec, confidence, "--json", "s.json"]).exit_code == 0
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
    write("r.yaml", yaml.safe_dump([entry, {**entry, "value": round(entry["value"], 4) + 0.0001}]))
    found = check()
    assert found.exit_code == 1
    assert [line.partition(":")[0] for line in found.stdout.splitlines()[::2]] == ["equal", "not equal"]
    publish("cer")
    write("new.txt", *PREDICTIONS[:2], "개가 마당에서 짖는다.")
    assert check().exit_code == 1


@pytest.mark.parametrize(
    ("published", "ours", "said"),
    [
        (0.3207, 0.32074, "equal to 4 decimals"),
        (0.3207, 0.32076, "not equal"),
        (0.125, 0.12549, "equal to 3 decimals"),
        (0.32, 0.3201, "not equal"),  # 0.32 may be all of it
        (1.0, 1.04, "not equal"),
        (0.3206974074480498, 0.32069740744805, "equal"),
        (0.3206974074480498, 0.3206974084, "not equal"),
        (1e-05, 1.4e-05, "not equal"),
        (0.0, 0.0, "equal"),
    ],
)
def test_digits_that_are_given_decide(published, ours, said):
    assert sameness(published, ours) == said


def test_what_a_signature_cannot_rebuild_is_named():
    """With exit code 2, whatever the value: nothing is said to differ."""
    publish("weighted_bleu:tokenizer=char,weights=w.tsv")
    cases = {
        "the signature only names weights:table(": None,
        "'cer|nrefs:1|v9.9' is not a signature of cer": "cer|nrefs:1|v9.9",
        "the signature only names tok:custom(": load("bleu").signature(references=REFERENCES, tokenizer=str.split),
        "is of other references": load("cer").signature(references=[["가", "나"]] * 3),
        "'nothing|nrefs:1|v1.0' is of no metric here; there are bleu,": "nothing|nrefs:1|v1.0",
        "'./w.py|v1.0' is of no metric here": "./w.py|v1.0",
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
        ("- value: 0.5", "r.yaml, result 1 has no signature in its notes"),
    ],
)
def test_other_files(content, message):
    write("r.yaml", content)
    found = check()
    assert found.exit_code == 2 and message in found.stderr


def test_files_that_are_not_of_one_system():
    publish("cer")
    write("old.txt", *REFERENCES)
    found = check(*FILES, "-p", "old.txt")
    assert found.exit_code == 2 and "a score is of one system, and there are 2: new, old" in found.stderr
    assert check("-p", "new.txt").exit_code == 2
    table = [{"h": h, "r": r} for h, r in zip(PREDICTIONS, REFERENCES, strict=True)]
    write("t.jsonl", *(json.dumps(row) for row in table))
    found = check("-d", "t.jsonl", "--prediction-column", "h", "--reference-column", "r")
    assert found.exit_code == 0, found.output
