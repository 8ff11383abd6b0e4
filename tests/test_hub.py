"""From the clone to a Hub and back: what scripts/publish.py uploads is what `evaluate.load("org/name")` loads."""

import copy
import json
import os
import re
import subprocess
import sys

import cases
import huggingface_hub
import pytest
import yaml
from conftest import METRICS, ROOT, load
from fake_hub import fake_hub
from huggingface_hub import EvalResult, HfApi, ModelCard, ModelCardData
from typer.testing import CliRunner

import publish
from textgauge.programs.commands import publish_result
from textgauge.programs.page.runtime import URL
from textgauge.programs.publishing import assembling
from textgauge.programs.publishing import hub as uploading

TOKEN = "hf_ofTheTests"
# loads each metric by its name as a stranger would, scores, and runs the card that lies on the Hub
STRANGER = """
import doctest, json, re, sys
import evaluate
from huggingface_hub import hf_hub_download
found = {}
for name, columns in json.load(sys.stdin).items():
    metric = evaluate.load(f"suite/{name}")
    card = open(hf_hub_download(f"suite/{name}", "README.md", repo_type="space"), encoding="utf-8").read()
    blocks = "\\n".join(re.findall(r"```python\\n(.*?)```", card, flags=re.S))
    report = []
    examples = doctest.DocTestParser().get_doctest(blocks, {}, name, None, 0)
    # its own copy of a class of errors has another module
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(examples, out=report.append)
    found[name] = [metric.compute(**columns), "".join(report), card.count(f'evaluate.load("suite/{name}")')]
json.dump(found, sys.stdout)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def environment(home):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return {**kept, "HF_HUB_DISABLE_XET": "1", "HF_HOME": str(home), "PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def published(environment):
    """Returns a Hub to which the command line has published every metric, and what it printed."""
    with fake_hub() as hub:
        hub.tokens[TOKEN] = {"suite"}
        command = [sys.executable, str(ROOT / "scripts" / "publish.py"), "--org", "suite", "--sdk", "static"]
        env = {**environment, "HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN}
        run = subprocess.run(command, capture_output=True, encoding="utf-8", env=env)
        assert run.returncode == 0, run.stdout + run.stderr
        yield hub, run.stdout, run.stderr


@pytest.fixture(scope="module")
def found(published, environment, tmp_path_factory):
    """Returns what a fresh process finds on the Hub: score, what its card's examples got wrong, and loads by name."""
    columns = {name: cases.CASES[name][0] for name in METRICS}
    env = {**environment, "HF_ENDPOINT": published[0].url}
    run = subprocess.run(
        [sys.executable, "-c", STRANGER],
        input=json.dumps(columns),
        capture_output=True,
        encoding="utf-8",
        env=env,
        cwd=tmp_path_factory.mktemp("elsewhere"),
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.slow
def test_loaded_by_name_it_gives_the_score_of_the_clone(name, metric, found):
    result, _, _ = found[name]
    # as text, in which nan is nan
    assert json.dumps(result) == json.dumps(metric.compute(**copy.deepcopy(cases.CASES[name][0])))


@pytest.mark.slow
def test_the_card_on_the_hub_runs_as_it_stands(name, found):
    _, report, loads = found[name]
    assert not report, report
    assert loads


@pytest.mark.slow
def test_the_card_says_how_many_files_a_first_load_fetches(name, published, found):
    fetched = {
        path.rpartition("/")[2]
        for method, path in published[0].requests
        if method == "GET" and f"/suite/{name}/resolve/" in path and path.endswith(".py")
    }
    card = published[0].files(f"spaces/suite/{name}")["README.md"].decode()
    assert f" requests to the Hub and fetches {len(fetched)} files." in card, sorted(fetched)


@pytest.mark.slow
def test_published_files_and_summary(name, published, tmp_path):
    hub, printed, errors = published
    folder = tmp_path / name
    folder.mkdir()
    assembling.assemble(ROOT, name, folder, "static", "suite", URL, METRICS)
    files = hub.files(f"spaces/suite/{name}")
    assert {path: content for path, content in files.items() if path != ".gitattributes"} == {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    assert len(hub.repos[f"spaces/suite/{name}"]) == 2  # the Hub's own first commit, and ours
    line = next(line for line in printed.splitlines() if line.startswith(f"{name}: "))
    link = f'{hub.url}/spaces/suite/{name}, evaluate.load("suite/{name}")'
    assert line.endswith(f"kB, new ({len(files) - 1} files put, 0 deleted): {link}")
    assert f"suite/{name}" in files["index.html"].decode()
    assert errors == ""
    assert TOKEN not in printed


@pytest.mark.slow
def test_no_tag_is_ever_made(published):
    # evaluate.load prefers the tag of its own version to the newest commit
    assert not [path for _, path in published[0].requests if "/tag/" in path]


@pytest.fixture
def hub(monkeypatch):
    """Returns a Hub for this process, which else is offline."""
    with fake_hub() as hub:
        hub.tokens[TOKEN] = {"suite"}
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", hub.url)
        template = f"{hub.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(publish, "check_folder", lambda root, folder, sdk: None)
        yield hub


def run(*arguments):
    result = CliRunner().invoke(publish.app, ["bleu", "--org", "suite", "--sdk", "static", *arguments])
    assert TOKEN not in result.output
    return result.exit_code, result.output


def test_only_what_changed_is_uploaded(hub):
    assert run()[0] == 0
    commits = hub.repos["spaces/suite/bleu"]
    first = dict(commits[-1])
    before = hub.write_requests()
    assert "kB, same: " in run()[1]
    assert "kB, would be same: " in run("--dry-run")[1]
    assert hub.write_requests() == before

    sums = first["SHA256SUMS"] + b"0  old.py\n0  gone.py\n"
    commits.append({**first, "bleu.py": b"edited", "old.py": b"ours", "notes.txt": b"theirs", "SHA256SUMS": sums})
    code, text = run("--dry-run")
    assert code == 0 and "kB, would be changed (2 files put, 1 deleted): " in text
    assert hub.write_requests() == before
    assert "kB, changed (2 files put, 1 deleted): " in run()[1]
    assert hub.write_requests() == [*before, "/api/spaces/suite/bleu/commit/main"]
    assert hub.files("spaces/suite/bleu") == {**first, "notes.txt": b"theirs"}


def test_files_in_folders_are_the_same_too(hub):
    """The app of a Space has folders of modules."""
    assert run("--sdk", "gradio")[0] == 0
    assert "kB, same: " in run("--sdk", "gradio")[1]


def test_a_dry_run_needs_no_token_and_writes_nothing(hub, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    code, text = run("--dry-run")
    assert code == 0 and "would be new (" in text
    assert not hub.write_requests() and not hub.repos


def test_a_half_made_space_is_finished(hub):
    hub.repos["spaces/suite/bleu"] = [{".gitattributes": b"", "README.md": b""}]
    assert "kB, changed (" in run()[1]
    assert "bleu.py" in hub.files("spaces/suite/bleu")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda hub: hub.tokens.clear(), "does not accept the token; make one at .* (status 401)"),
        (lambda hub: hub.tokens[TOKEN].clear(), "the token has no right to write to suite; .* (status 403)"),
        (lambda hub: hub.paid.add("static"), "the Hub wants a paid plan for suite/bleu (status 402)"),
        (lambda hub: (hub.repos.update({"spaces/suite/bleu": [{}]}), hub.private.add("spaces/suite/bleu")),
         "suite/bleu is taken, perhaps by a private Space; choose another --org (status 409)"),
        (lambda hub: hub.repos.update({"spaces/suite/bleu": [{"README.md": b"", "app.py": b"theirs"}]}),
         "suite/bleu is taken: a Space that this script did not publish; choose another --org"),
    ],
)  # fmt: skip
def test_refusals_are_explained(hub, change, message):
    change(hub)
    before = copy.deepcopy(hub.repos)
    code, text = run()
    start, _, end = message.partition(".*")
    assert code == 2 and text.startswith("error: ") and start in text and text.endswith(f"{end}\n")
    assert hub.repos == before


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (429, "the Hub received too many requests from here; wait an hour, and run this again"),
        (400, "the Hub refuses suite/bleu: refused"),
    ],
)
def test_a_refused_commit_leaves_an_empty_space(hub, status, reason):
    """It is said, and what was not tried; the next run goes on."""
    hub.statuses["spaces/suite/bleu/commit/main"] = status
    names = ["chrf", "bleu", "nist", "ter"]
    done = CliRunner().invoke(publish.app, [*names, "--org", "suite"])
    left = "; suite/bleu is an empty Space now; run this again to fill it; not tried: nist, ter\n"
    assert (done.exit_code, done.stderr) == (2, f"error: {reason} (status {status}){left}")
    assert done.stdout.startswith("chrf: ") and done.stdout.count("\n") == 1
    assert hub.repos.keys() == {"spaces/suite/chrf", "spaces/suite/bleu"}
    code, text = run()
    assert (code, text) == (2, f"error: {reason} (status {status})\n")  # it is new no longer
    hub.statuses.clear()
    done = CliRunner().invoke(publish.app, [*names, "--org", "suite"])
    assert done.exit_code == 0 and done.stdout.count("kB, new ") == 2, done.output


def test_a_paid_plan_is_not_needed_for_a_static_space(hub, tmp_path):
    hub.paid.add("gradio")
    folder = tmp_path / "bleu"
    folder.mkdir()
    (folder / "README.md").write_text("---\ntitle: x\n---\n")
    api = HfApi()
    with (
        pytest.raises(ValueError, match=r"paid plan for suite/bleu; --sdk static is free of charge \(status 402\)"),
        uploading.hub_messages(api, "suite/bleu", "gradio"),
    ):
        uploading.upload(api, folder, "suite/bleu", "gradio", uploading.compare(api, folder, "suite/bleu"))


def test_a_commit_of_somebody_else_is_not_overwritten(hub, monkeypatch):
    run()
    commits = hub.repos["spaces/suite/bleu"]
    commits.append({**commits[-1], "bleu.py": b"older"})
    compare = uploading.compare

    def compare_then_lose(api, folder, repo_id):
        change = compare(api, folder, repo_id)
        commits.append({**commits[-1], "bleu.py": b"theirs"})
        return change

    monkeypatch.setattr(publish, "compare", compare_then_lose)
    code, text = run()
    assert code == 2 and text == "error: suite/bleu changed while it was compared; run this again (status 412)\n"
    assert hub.files("spaces/suite/bleu")["bleu.py"] == b"theirs"


def test_without_a_network(hub, monkeypatch):
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", "http://127.0.0.1:9")
    code, text = run()
    assert code == 2 and text.startswith("error: http://127.0.0.1:9 cannot be reached (ConnectError")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    code, text = run()
    assert code == 2 and text.startswith("error: http://127.0.0.1:9 cannot be reached (OfflineModeIsEnabled")


def test_result_in_a_model_card(name, metric, tmp_path):
    """What stands in the card is what was computed, in plain YAML that anybody can read."""
    columns = copy.deepcopy(cases.CASES[name][0])
    result = metric.compute(**columns)
    value = result[next(iter(metric.headlines(result)))]
    line = metric.signature(references=columns.get("references"))
    entry = EvalResult("translation", "suite/news", "News", name, value, metric_args={"signature": line})
    path = tmp_path / "README.md"
    ModelCard.from_template(ModelCardData(model_name="tiny", eval_results=[entry])).save(path)
    front = path.read_text(encoding="utf-8").split("---\n", 2)[1]
    assert "!!" not in front
    written = yaml.safe_load(front)["model-index"][0]["results"][0]["metrics"][0]
    assert json.dumps(written["value"]) == json.dumps(entry.metric_value)
    assert type(written["value"]) is float
    assert metric.options_of(written["args"]["signature"]) is not None
    assert ModelCard.load(path).data.eval_results[0].metric_args == entry.metric_args


def test_result_on_the_hub(hub, environment):
    """The lines of docs/publish.md: the rest of a card stays, and a signature has one value."""
    page = (ROOT / "docs" / "publish.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(from huggingface_hub import metadata_update\n.*?)```", page, flags=re.S).group(1)
    hub.repos["models/suite/my-model"] = [{"README.md": b"---\nlicense: mit\n---\n# Mine\n"}]
    bleu = load("bleu")
    results = [(0.25, bleu.signature()), (0.5, bleu.signature()), (0.75, bleu.signature(tokenizer="char"))]
    entries = [EvalResult("t", "d", "D", "bleu", value, metric_args={"signature": line}) for value, line in results]
    code = "from huggingface_hub import EvalResult\n" + "".join(
        f"entry = {entry!r}\n{block.replace('my-team/my-model', 'suite/my-model')}\n" for entry in entries
    )
    env = {**environment, "HF_ENDPOINT": hub.url, "HF_TOKEN": TOKEN}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=env)
    assert run.returncode == 0, run.stderr
    _, front, body = hub.files("models/suite/my-model")["README.md"].decode().split("---\n", 2)
    front = yaml.safe_load(front)
    assert front["license"] == "mit" and body == "# Mine\n"
    metrics = [metric for found in front["model-index"][0]["results"] for metric in found["metrics"]]
    written = [(metric["value"], metric["args"]["signature"]) for metric in metrics]
    assert written == [(0.5, bleu.signature()), (0.75, bleu.signature(tokenizer="char"))]


RESULT = ["result.json", "--dataset", "suite/news", "--task", "default", "--model"]
FILE = ".eval_results/suite-news-default-bleu-char.yaml"


@pytest.fixture
def result(hub, tmp_path, monkeypatch):
    """Returns a function that publishes a score, and what the Hub has then of the model."""
    monkeypatch.chdir(tmp_path)
    hub.repos["models/suite/my-model"] = [{"README.md": b"# Mine\n"}]

    def publish_value(value, *arguments):
        scores = {"bleu char": {"bleu": value, "signature": load("bleu").signature(tokenizer="char")}}
        (tmp_path / "result.json").write_text(json.dumps({"systems": {"mine": scores}}))
        run = CliRunner().invoke(publish_result.app, [*RESULT, *arguments])
        assert TOKEN not in run.output
        return run.exit_code, run.output

    return publish_value


def test_evaluation_result_on_the_hub(hub, result):
    """A file beside the card, which the next result of the same score replaces."""
    for value in (0.25, 0.5, 0.5):
        code, text = result(value, "suite/my-model")
        assert (code, text.splitlines()[-1]) == (0, f"{hub.url}/suite/my-model/blob/main/{FILE}"), text
    files = hub.files("models/suite/my-model")
    assert len(hub.repos["models/suite/my-model"]) == 3
    assert files.keys() == {"README.md", FILE} and files["README.md"] == b"# Mine\n"
    (entry,) = huggingface_hub.parse_eval_result_entries(yaml.safe_load(files[FILE]))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("suite/news", "default", 0.5)
    assert load("bleu").options_of(entry.notes)["tokenizer"] == "char"


def test_evaluation_result_of_a_model_of_others(hub, result):
    hub.repos["models/others/model"] = [{"README.md": b""}]
    code, text = result(0.25, "others/model")
    assert code == 2 and "no right to write to others; " in text and "--pull-request" in text
    code, text = result(0.25, "others/model", "--pull-request")
    assert (code, text) == (0, f"{hub.url}/others/model/discussions/1\n")
    ((repo, files),) = hub.pull_requests
    assert repo == "models/others/model" and files.keys() == {"README.md", FILE}
    assert len(hub.repos[repo]) == 1


def test_evaluation_result_without_a_model_or_token(hub, result, monkeypatch):
    code, text = result(0.25, "suite/missing")
    assert code == 2 and text == "error: there is no suite/missing that the token may see (status 404)\n"
    monkeypatch.delenv("HF_TOKEN")
    code, text = result(0.25, "suite/my-model")
    assert code == 2 and text.startswith("error: there is no token for the Hub")
