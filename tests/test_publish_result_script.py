"""scripts/publish_result.py: a score of score.py as an evaluation result of a model on the Hub, which reads it back."""

import json

import pytest
import yaml
from conftest import load
from huggingface_hub import EvalResultEntry, parse_eval_result_entries
from typer.testing import CliRunner

from textgauge.programs.commands import publish_result, score

PREDICTIONS = {"old": ["고양이가 방에서 잔다.", "네"], "new": ["고양이가 침대에서 잔다.", "네, 그래요."]}
REFERENCES = ["고양이가 침대에서 잠을 잔다.", "네, 그래요."]
BENCHMARK = ["--dataset", "suite/news", "--task", "ko_test"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Returns a folder with result.json of two systems, and one.json of one system and one score."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {**PREDICTIONS, "references": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), "utf-8")
    files = ["-p", "new.txt", "-r", "references.txt", "--no-confidence"]
    rouge = ["-m", "rouge:tokenizer=char", "-m", "wer"]
    for arguments in (
        [*files, "-p", "old.txt", "-m", "bleu:tokenizer=char", *rouge, "--json", "result.json"],
        [*files, "-m", "bleu:tokenizer=char", "--json", "one.json"],
    ):
        assert CliRunner().invoke(score.app, arguments).exit_code == 0
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(publish_result.app, [*arguments, *BENCHMARK])
    return result.exit_code, result.output


def test_the_only_score_goes_to_the_terminal(folder):
    bleu = load("bleu")
    code, text = run("one.json")
    assert code == 0, text
    assert "!!" not in text
    assert parse_eval_result_entries(yaml.safe_load(text)) == [
        EvalResultEntry(
            dataset_id="suite/news",
            task_id="ko_test",
            value=bleu.compute(predictions=PREDICTIONS["new"], references=REFERENCES, tokenizer="char")["bleu"],
            notes=bleu.signature(references=REFERENCES, tokenizer="char"),
        )
    ]


@pytest.mark.parametrize(("key", "name"), [("rouge1", "rouge-char"), ("rougeL", "rouge-char-rougeL")])
def test_all_fields_in_a_file(folder, key, name):
    """The file of another score is another one, and the same score is written over; notes say which key it is."""
    asked = ["--system", "old", "--score", "rouge char", "--key", key, "--to", "my-model"]
    more = {"revision": "5503434", "date": "2026-01-15", "source-url": "https://x.org/1", "source-name": "Log",
            "source-user": "suite"}  # fmt: skip
    (folder / "my-model").mkdir()
    for _ in range(2):
        code, text = run("result.json", *asked, *(word for option in more for word in (f"--{option}", more[option])))
        assert (code, text) == (0, f"my-model/.eval_results/suite-news-ko_test-{name}.yaml\n")
    (path,) = (folder / "my-model/.eval_results").iterdir()
    columns = {"predictions": PREDICTIONS["old"], "references": REFERENCES}
    signature = load("rouge").signature(references=REFERENCES, tokenizer="char")
    (entry,) = parse_eval_result_entries(yaml.safe_load(path.read_text("utf-8")))
    assert entry == EvalResultEntry(
        dataset_id="suite/news",
        task_id="ko_test",
        value=load("rouge").compute(**columns, tokenizer="char")[key],
        dataset_revision="5503434",
        date="2026-01-15",
        source_url="https://x.org/1",
        source_name="Log",
        source_user="suite",
        notes=f"rougeL: {signature}" if key == "rougeL" else signature,
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["result.json"], "say which with --system: new, old"),
        (["result.json", "--system", "other"], "there is no other; say which with --system: new, old"),
        (["result.json", "--system", "old"], "say which with --score: bleu char, rouge char, wer"),
        (["one.json", "--key", "rouge1"], "bleu char has no number rouge1; it has bleu, brevity_penalty, length_ratio"),
        (["one.json", "--key", "precisions"], "bleu char has no number precisions; it has bleu, brevity_penalty"),
        (["one.json", "--date", "yesterday"], "--date yesterday: pass a date such as 2026-01-15"),
        (["one.json", "--dataset", "news"], "--dataset news: pass ORG/NAME"),
        (["one.json", "--source-name", "Log"], "`source_url` must also be provided"),
        (["one.json", "--to", "."] + ["--model", "suite/x"], "either --to DIR or --model ORG/NAME"),
        (["one.json", "--to", "missing"], "there is no folder missing"),
        (["one.json", "--pull-request"], "--pull-request goes with --model"),
        (["new.txt"], "new.txt is not what score.py writes with --json"),
        (["list.json"], "list.json is not what score.py writes with --json"),
        (["missing.json"], "missing.json: No such file or directory"),
        (["one.json", "--dataset", "a/b/c"], "a/b/c"),
    ],
)
def test_refusals(folder, arguments, message):
    (folder / "list.json").write_text("[1]")
    result = CliRunner().invoke(publish_result.app, [*BENCHMARK, *arguments])
    assert result.exit_code == 2 and result.output.startswith("error: "), result.output
    assert message in result.output


@pytest.mark.parametrize("value", [None, "inf"])
def test_an_undefined_score_is_no_result(folder, value):
    (folder / "one.json").write_text(json.dumps({"systems": {"new": {"perplexity": {"perplexity": value}}}}))
    code, text = run("one.json")
    assert code == 2 and text.startswith("error: perplexity has no number perplexity")
