"""The app where a server computes: its processes within limits, the page served here, and the Space of gradio."""

import asyncio
import functools
import json
import os
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest
from conftest import ROOT, load
from typer.testing import CliRunner

import textgauge
from textgauge.core.errors import InputError
from textgauge.programs.app.server import PageServer
from textgauge.programs.app.workers import WORKERS, Workers
from textgauge.programs.commands import app as command
from textgauge.programs.page.limits import Limits
from textgauge.programs.page.runtime import URL
from textgauge.programs.page.session import Session
from textgauge.programs.publishing.assembling import assemble

SPACES = ROOT / "spaces"
EXAMPLE = json.loads((SPACES / "cer" / "examples.json").read_text(encoding="utf-8"))[0]


def asked(do="score", **further):
    shown = Session(load("cer")).example(EXAMPLE)
    return {"do": do, "rows": shown["rows"], "values": shown["values"], **further}


@pytest.fixture(scope="module")
def workers():
    """Processes with little time."""
    made = Workers(functools.partial(textgauge.load, "cer"), limits=Limits(seconds=5))
    yield made
    made.stop()


def test_a_process_answers_as_a_session_does(workers):
    for question in (asked(), asked("explain", number=2), {"do": "widen", "rows": [["a", "b"]]}):
        assert workers.answer(question) == json.loads(Session(load("cer")).answer(json.dumps(question)))
    assert workers.answer(asked("explain", number=2))["html"]["ko"]


def test_long_texts_end_at_a_limit_and_the_next_question_is_answered(workers):
    """Their alignment would take tens of gigabytes, or minutes; each answer comes, and the process starts anew."""
    half = Limits().characters // 2
    rows = [["가나다라마" * (half // 5), "나가라다마" * (half // 5)]]
    for question in (asked("explain", number=1, rows=rows), {**asked(), "rows": rows}):
        answer = workers.answer({**question, "language": "en"})
        assert "error" not in answer or "memory" in answer["error"] or "5 seconds" in answer["error"], answer
    assert workers.answer(asked())["count"] == len(EXAMPLE["columns"]["predictions"])


def endless():
    """Makes a metric that takes no end to score."""
    metric = textgauge.load("cer")

    def compute(**_):
        while True:
            pass

    metric.compute = compute
    return metric


def hungry():
    """Makes a metric that takes more memory than there is for it."""
    metric = textgauge.load("cer")
    metric.compute = lambda **_: [bytes(2**20) for _ in range(2**10)]
    return metric


def dying():
    """Makes a metric whose C code ends the process."""
    metric = textgauge.load("cer")
    metric.compute = lambda **_: os._exit(1)
    return metric


@pytest.mark.parametrize(
    ("make", "message"),
    [(endless, "this takes more than 1 seconds"), (hungry, "not enough memory"), (dying, "ended early")],
)
def test_what_takes_too_much_is_ended(make, message):
    bounded = Workers(make, limits=Limits(seconds=1, memory_bytes=10**8))
    try:
        for _ in range(2):
            assert message in bounded.answer(asked())["error"]
        assert bounded.answer(asked("explain", number=1))["html"]["en"]
    finally:
        bounded.stop()


def test_one_visitor_holds_up_no_other():
    """While one question has no end, another is answered."""
    several = Workers(endless, limits=Limits(seconds=30))
    assert WORKERS > 1
    first = threading.Thread(target=several.answer, args=(asked(),), daemon=True)
    first.start()
    try:
        assert several.answer(asked("explain", number=1))["html"]["en"]
        assert first.is_alive()
    finally:
        first.join()
        several.stop()


@pytest.fixture(scope="module")
def server():
    """The page of a metric, with little to upload."""
    with PageServer("cer", limits=Limits(upload_bytes=100, characters=100)) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def get(address, data=None):
    with urllib.request.urlopen(address, data) as response:
        return response.headers["Content-Type"], response.read()


def test_the_page_is_served_and_answered(server):
    kind, page = get(server.address)
    assert kind.startswith("text/html") and b'data-text="privacy_server"' in page and b"Pyodide" not in page
    assert get(f"{server.address}page.js")[1] == (ROOT / "textgauge/programs/page/page.js").read_bytes()
    _, answer = get(f"{server.address}answer", json.dumps(asked()).encode())
    assert json.loads(answer) == json.loads(Session(load("cer")).answer(json.dumps(asked())))
    _, answer = get(f"{server.address}answer", json.dumps({**asked(), "rows": [["a" * 60, "b" * 60]]}).encode())
    assert "the texts have 120 characters; the app scores at most 100" in json.loads(answer)["error"]


@pytest.mark.parametrize(
    ("path", "data", "status"),
    [("../README.md", None, 404), ("etc/passwd", None, 404), ("", b"{}", 404), ("answer", b" " * 2000, 413)],
)
def test_nothing_else_is_served(server, path, data, status):
    with pytest.raises(urllib.error.HTTPError) as error:
        get(server.address + path, data)
    assert error.value.code == status
    error.value.close()


def test_bad_options_of_the_command(server):
    with pytest.raises(InputError, match="cer takes no language model; leave out my/model"):
        PageServer("cer", model="my/model")
    for given, message in ((["--port", str(server.server_port)], f"port {server.server_port}: "), (["-m", "x"], "x")):
        result = CliRunner().invoke(command.app, ["-m", "cer", *given])
        assert result.exit_code == 2 and message in result.stderr


@pytest.fixture(scope="module")
def spaces():
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    pytest.importorskip("gradio", reason="pip install -r requirements-app.txt")
    from textgauge.programs.app.space import Space

    return functools.cache(lambda name: Space(functools.partial(textgauge.load, name), SPACES / name))


def blocks(space):
    """Builds a page; inside an event loop, for gradio makes its own where none runs, and leaves them open."""

    async def build():
        return list(space.page().blocks.values())

    return asyncio.run(build())


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of gradio itself
def test_a_space_has_a_control_for_each_option(name, spaces):
    found = {block.elem_id: block for block in blocks(spaces(name)) if getattr(block, "elem_id", None)}
    controls = Session(load(name)).form([])["controls"]
    assert {f"option-{control['name']}" for control in controls} < found.keys()
    kinds = {"checkbox": "Checkbox", "choice": "Dropdown", "number": "Number", "table": "Dataframe", "text": "Textbox"}
    for control in controls:
        assert type(found[f"option-{control['name']}"]).__name__ == kinds[control["kind"]]
    labels = spaces(name).labels().translations_dict
    marked = {block.info.key for block in found.values() if getattr(block, "info", None)}
    for said in labels.values():
        assert marked <= said.keys() and not [key for key in marked if "*" in said[key]]
        assert "](../" not in said["card"] and "## Limits and bias" in said["card"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_programs_ask_a_space(spaces):
    """Options go by name, as their controls have them; what is wrong is said, with the row of a ragged table."""
    import gradio

    space = spaces("cer")
    rows, options = [["가 나", "가 다"]], {"preset": "jiwer", "weights": [["가", "2"]]}
    wanted = load("cer").compute(predictions=["가 나"], references=["가 다"], preset="jiwer", weights={"가": 2})
    assert space.score(rows, options)["cer"] == wanted["cer"]
    for rows, options, message in (
        ([["a", "b"], ["c"]], {}, "row 2 has 1 cells"),
        ([["a", "b"]], {"nope": 1}, "there is no option nope; there are "),
        ([["a", "b"]], {"readings": "names.tsv"}, "the app reads no files"),
        ([["a", "b"]] * 2001, {}, "there are more than 2,000 rows"),
    ):
        with pytest.raises(gradio.Error, match=message):
            space.score(rows, options)


class Request:
    """What gradio tells a handler of a reader."""

    def __init__(self, languages):
        self.headers = {"accept-language": languages} if languages else {}


@pytest.mark.parametrize(
    ("languages", "said"),
    [("ko-KR,ko;q=0.9,en;q=0.8", "낮을수록"), ("de,en;q=0.9,ko;q=0.8", "lower"), ("fr", "lower"), ("", "lower")],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_space_answers_in_the_language_of_the_reader(spaces, languages, said, tmp_path):
    space, request = spaces("cer"), Request(languages)
    question = asked()
    result, as_json = space._score(request, question["rows"], *question["values"])
    assert said in result and as_json["cer"] == pytest.approx(3 / 26)
    assert 'class="drawing' in space._explain(request, 1, question["rows"], *question["values"])
    problem, nothing = space._score(request, [["<b>"]], *question["values"])
    assert 'role="alert"' in problem and "<b>" not in problem and nothing is None
    (tmp_path / "a.csv").write_text("prediction,reference\na,b\n", encoding="utf-8")
    (tmp_path / "b.csv").write_text("x\n1\n", encoding="utf-8")
    assert space._upload(request, str(tmp_path / "a.csv"))[0]["value"] == [["a", "b"]]
    assert "b.csv has no column" in space._upload(request, str(tmp_path / "b.csv"))[1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_space_says_what_gradio_itself_refuses(spaces, monkeypatch):
    spaces("cer")
    import gradio
    from gradio.utils import error_payload

    from textgauge.programs.app.space import launch

    arguments = {}
    monkeypatch.setattr(gradio.Blocks, "launch", lambda self, **given: arguments.update(given))
    monkeypatch.setattr(gradio.Blocks, "queue", lambda self, **given: self)

    async def start():  # gradio makes an event loop of its own where none runs
        launch(functools.partial(textgauge.load, "cer"), SPACES / "cer")

    asyncio.run(start())
    assert error_payload(KeyError("rows"), arguments["show_error"])["error"] == "'rows'"


def test_a_space_runs_in_its_folder(tmp_path):
    """In processes that have nothing of the clone; one of them computes."""
    pytest.importorskip("gradio", reason="pip install -r requirements-app.txt")
    folder = tmp_path / "weighted_bleu"
    folder.mkdir()
    assemble(ROOT, "weighted_bleu", folder, "gradio", None, URL)
    code = """
import sys
sys.modules["textgauge"] = None
import functools, evaluate
from pathlib import Path
from programs.app.space import Space
if __name__ == "__main__":
    space = Space(functools.partial(evaluate.load, str(Path("weighted_bleu.py").resolve())), Path("."))
    space.page()
    shown = space._example
    print(space._workers.answer({"do": "score", "rows": shown["rows"], "values": shown["values"]})["json"])
"""
    (folder / "run.py").write_text(code, encoding="utf-8")
    env = {**os.environ, "HF_MODULES_CACHE": str(tmp_path / "modules")}
    run = subprocess.run([sys.executable, "run.py"], capture_output=True, text=True, cwd=folder, env=env)
    assert run.returncode == 0, run.stderr
    example = json.loads((folder / "examples.json").read_text(encoding="utf-8"))[0]
    wanted = load("weighted_bleu").compute(**example["columns"], **example["options"])["weighted_bleu"]
    assert json.loads(run.stdout)["weighted_bleu"] == wanted
