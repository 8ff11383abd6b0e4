"""scripts/publish_result.py: a score of score.py as an evaluation result of a model on the Hub, which reads it back."""

import json

import pytest
import yaml
from conftest import load
from huggingface_hub import EvalResultEntry, parse_eval_result_entries
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import textgauge
from textgauge.programs.commands import publish_result, score
from textgauge.programs.publishing.results import file_name
from textgauge.programs.reading.data_digests import digest_of

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


def data_of(system):
    """Returns what notes say of the data, by its definition."""
    references, outputs = digest_of(REFERENCES), digest_of(PREDICTIONS[system])
    return f"data: references {references.text}, outputs {outputs.text}"


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
            notes=f"{bleu.signature(references=REFERENCES, tokenizer='char')} | textgauge {textgauge.__version__}"
            f" | {data_of('new')}",
        )
    ]


@pytest.mark.parametrize(("key", "name"), [("rouge1", "rouge-char"), ("rougeL", "rouge-char-rougeL--e1b749e3")])
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
        notes=f"{'rougeL: ' if key == 'rougeL' else ''}{signature} | textgauge {textgauge.__version__}"
        f" | {data_of('old')}",
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
        (["one.json", "--source-name", "Log"], "pass its address with --source-url"),
        (["one.json", "--to", "."] + ["--model", "suite/x"], "either --to DIR or --model ORG/NAME"),
        (["one.json", "--to", "missing"], "there is no folder missing"),
        (["one.json", "--pull-request"], "--pull-request needs --model ORG/NAME"),
        (["new.txt"], "new.txt is not what score.py or compare.py writes with --json"),
        (["list.json"], "list.json is not what score.py or compare.py writes with --json"),
        (["missing.json"], "missing.json: No such file or directory"),
        (["one.json", "--dataset", "a/b/c"], "a/b/c"),
    ],
)
def test_refusals(folder, arguments, message):
    (folder / "list.json").write_text("[1]")
    result = CliRunner().invoke(publish_result.app, [*BENCHMARK, *arguments])
    assert result.exit_code == 2 and result.output.startswith("error: "), result.output
    assert message in result.output


def test_each_name_has_a_file_of_its_own(folder):
    """A plain name where it can be read back; what would be the file of another result has a hash behind it."""
    tasks = ["ニュース", "新聞", "news en", "news-en", "news_en", "뉴스"]
    places = [*(("org/d", task) for task in tasks), ("org/d-news", "en"), ("org-d/news", "en")]
    for dataset, task in places:
        options = ["--dataset", dataset, "--task", task, "--to", "."]
        for _ in range(2):
            assert CliRunner().invoke(publish_result.app, ["one.json", *options]).exit_code == 0
    entries = [yaml.safe_load(path.read_text("utf-8"))[0] for path in (folder / ".eval_results").iterdir()]
    assert sorted((entry["dataset"]["id"], entry["dataset"]["task_id"]) for entry in entries) == sorted(places)
    assert (folder / ".eval_results/org-d-news_en-bleu-char.yaml").exists()
    assert "task_id: 뉴스\n" in (folder / ".eval_results/org-d-뉴스-bleu-char.yaml").read_text("utf-8")


@given(st.lists(st.tuples(*[st.text("ab-/ ー가", min_size=1)] * 3), min_size=2, max_size=2, unique=True))
def test_names_that_differ_give_files_that_differ(names):
    one, other = (file_name(*words) for words in names)
    assert one != other


@pytest.mark.parametrize("value", [None, "inf"])
def test_an_undefined_score_is_no_result(folder, value):
    result = {"perplexity": value, "signature": "perplexity|v1.0"}
    (folder / "one.json").write_text(json.dumps({"systems": {"new": {"perplexity": result}}}))
    code, text = run("one.json")
    assert code == 2 and text.startswith("error: perplexity has no number perplexity")


def test_a_result_of_another_version_says_which(folder):
    """It says what computed the score, and not what publishes it; an older file says nothing."""
    kept = json.loads((folder / "one.json").read_text("utf-8"))
    assert kept["program"] == f"textgauge {textgauge.__version__}"
    for program, written in (("textgauge 0.0.7", " | textgauge 0.0.7"), (None, ""), ("x\ny", "")):
        (folder / "one.json").write_text(json.dumps({**kept, "program": program}), "utf-8")
        _, text = run("one.json")
        [entry] = yaml.safe_load(text)
        assert entry["notes"].endswith(f"|v1.0{written} | {data_of('new')}")
