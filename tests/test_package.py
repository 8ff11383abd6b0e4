"""The package: what a wheel of it holds, what it does where there is no clone, its commands, and one version."""

import ast
import email
import json
import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from cases import CASES, headlines
from conftest import METRICS, ROOT, load
from typer.testing import CliRunner

import textgauge
from textgauge.__main__ import COMMANDS, app

PACKAGE = textgauge.__name__
# what lies beside the package in a clone
BESIDE = "|".join(
    [
        r"metrics/\w+\.py",
        r"spaces/\w+/(README\.md|examples\.json)",
        r"scripts/data/(LICENSE\.es_ko_sample|es_ko_(sample|weights)\.\w+)",
    ]
)


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Returns a copy of what is under version control, as it is now."""
    folder = tmp_path_factory.mktemp("clone")
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT).stdout.split("\n")
    for path in filter(None, listed):
        if (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes((ROOT / path).read_bytes())
    if not any(folder.iterdir()):
        pytest.skip("this is no clone: git lists no file")
    return folder


@pytest.fixture(scope="module")
def wheel(clone, tmp_path_factory):
    """Returns the wheel that is built of it, as the second one, after a module was deleted."""
    target = tmp_path_factory.mktemp("dist")
    deleted = clone / "textgauge" / "core" / "deleted.py"
    deleted.touch()
    for _ in range(2):
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
        subprocess.run(command, check=True, cwd=clone, capture_output=True)
        deleted.unlink(missing_ok=True)
    [file] = target.glob("*.whl")
    return zipfile.ZipFile(file)


def test_a_wheel_holds_what_is_under_version_control(clone, wheel):
    paths = [path.relative_to(clone).as_posix() for path in clone.rglob("*") if path.is_file()]
    wanted = [path for path in paths if path.startswith("textgauge/")]
    wanted += [f"textgauge/{path}" for path in paths if re.fullmatch(BESIDE, path)]
    found = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert sorted(found) == sorted(wanted)
    assert any("/licenses/scripts/data/LICENSE." in name for name in wheel.namelist())
    for name in found:
        path = clone / name
        assert wheel.read(name) == (path if path.is_file() else clone / name.removeprefix("textgauge/")).read_bytes()


def test_dependencies_are_those_of_the_lists(wheel):
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    found = email.message_from_bytes(wheel.read(name)).get_all("Requires-Dist")
    of_extra = {text: re.search("extra == '(.*)'", text) for text in found}
    lists = {None: ["-core"], "evaluate": [""], "spark": ["", "-spark"], "excel": ["", "-excel"]}
    lists.update((extra, [f"-{extra}"]) for extra in ("korean", "models", "app"))
    for extra, names in lists.items():
        text = "\n".join((ROOT / f"requirements{name}.txt").read_text(encoding="utf-8") for name in names)
        wanted = {name.replace("_", "-") for name in re.findall(r"^\w[\w-]*", text, flags=re.M)}
        named = {re.match(r"[\w-]+", text)[0] for text, match in of_extra.items() if (match and match[1]) == extra}
        assert named == wanted


def test_what_an_index_shows(wheel):
    """Every metric, and no link or picture that leads nowhere outside of the repository."""
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = email.message_from_bytes(wheel.read(name))
    text = metadata.get_payload(decode=True).decode("utf-8")
    assert all(f"`{metric}`" in text for metric in textgauge.metric_names())
    assert not re.findall(r"\]\((?!https://)", text)
    assert {"Korean", "speech recognition"} <= set(metadata["Keywords"].split(","))


def test_the_workflow_runs_what_ci_runs():
    """Its steps are lines of .ci/run, or commands of the README that .ci/run runs, and the quick ones come first."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    known = {".ci/run", *(ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()}
    known |= set(re.findall(r"^python3 .*$", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M))
    for job in workflow["jobs"].values():
        commands = [step["run"] for step in job["steps"] if "run" in step]
        assert commands and set(commands) <= known
    assert workflow["jobs"]["all"]["needs"] == "fast"


def test_one_version(wheel):
    assert f"textgauge-{textgauge.__version__}-" in Path(wheel.filename).name
    said = re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), flags=re.M)[1]
    assert said == textgauge.__version__
    assert re.search(r"^date-released: \d{4}-\d\d-\d\d$", (ROOT / "CITATION.cff").read_text("utf-8"), flags=re.M)
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"{textgauge.__version__}\n")


ALONE = """
import contextlib, io, json, os, runpy, sys
site, clone, environment, calls = sys.argv[1], sys.argv[2] + os.sep, sys.argv[3], json.loads(sys.stdin.read())
sys.path = [site, *(path for path in sys.path if not (path + os.sep).startswith(clone) or path.startswith(environment))]

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path = os.path.abspath(arguments[0])
        if path.startswith(clone) and not path.startswith(environment):
            raise PermissionError(f"it opens {path}")

sys.addaudithook(watch)
import textgauge
from textgauge.__main__ import app
from typer.testing import CliRunner
found = {}
for name, columns, headline in calls["metrics"]:
    found[name] = textgauge.load(name).compute(**columns)[headline]
from textgauge.metrics.cer import Cer
assert type(textgauge.load("cer")) is Cer
printed = []
for words in calls["commands"]:
    result = CliRunner().invoke(app, words, prog_name="textgauge")
    printed.append([result.exit_code, result.output])
print(json.dumps({"found": found, "printed": printed}))
"""


LACKING = """
import json, sys
sys.path.insert(0, sys.argv[1])
sys.modules.update(dict.fromkeys(["evaluate", "gradio", "openpyxl", "pyarrow", "pyspark"]))
import textgauge
from textgauge.__main__ import app
from textgauge.programs.app.server import PageServer
from typer.testing import CliRunner

def said(command, *words):
    return " ".join(CliRunner().invoke(command, words, prog_name="textgauge").output.split())

try:
    textgauge.load("cer", num_process=2)
except ImportError as error:
    loaded = str(error)
with PageServer("cer") as server:
    page = server.files["/"][1].decode()
print(json.dumps({
    "page": page,
    "evaluate": [loaded, said(app, "score", "-d", "a.parquet"), said(app, "score", "-m", "a.py")],
    "excel": [said(app, "score", "-d", "a.xlsx")],
    "help": [said(app, "app", "--help")],
}))
"""


def test_the_owner_of_a_wheel_is_told_what_a_wheel_has(wheel, tmp_path):
    """Its extras, and no file of a clone; without a command that would look for its name in an index.

    The page of a metric needs none of them.
    """
    wheel.extractall(tmp_path / "site")
    for name in ("a.parquet", "a.xlsx", "a.py"):
        (tmp_path / name).write_bytes(b"PK")
    command = [sys.executable, "-I", "-W", "ignore", "-c", LACKING, str(tmp_path / "site")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found.pop("page").startswith("<!DOCTYPE html>")
    assert "requirements" not in json.dumps(found)
    assert all("[OPTIONS]" in text for text in found.pop("help"))
    [metadata] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert found.keys() <= set(email.message_from_bytes(wheel.read(metadata)).get_all("Provides-Extra"))
    for extra, texts in found.items():
        assert all(text.endswith(f": install the wheel with its extra, {PACKAGE}[{extra}]") for text in texts), texts


@pytest.mark.slow
def test_a_wheel_does_without_the_clone(wheel, tmp_path):
    """All metrics give the numbers of the clone, and all commands work, of which one needs no file of the user's."""
    wheel.extractall(tmp_path / "site")
    commands = [
        *(["score", "--json", "scores.json", "--html", "report.html"], ["score", "--explain", "1"]),
        *(["compare", "--html", "comparison.html"], ["app", "--help"]),
        ["publish-result", "scores.json", "--dataset", "a/b", "--task", "t", "--system", "KakaoI", "--score", "bleu"],
    ]
    columns = [(name, CASES[name][0], next(iter(headlines(name)))) for name in METRICS]
    command = [sys.executable, "-I", "-c", ALONE, str(tmp_path / "site"), str(ROOT), sys.prefix]
    given = json.dumps({"metrics": columns, "commands": commands})
    run = subprocess.run(command, input=given, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout)
    assert answer["found"] == {name: load(name).compute(**of)[headline] for name, of, headline in columns}
    assert [code for code, _ in answer["printed"]] == [0] * len(commands), answer["printed"]
    assert "bundled sample" in answer["printed"][0][1] or "GoogleTranslate" in answer["printed"][0][1]
    assert "textgauge score --json scores.json" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_script_uses_the_package_of_its_clone(clone, tmp_path):
    """Where another clone is installed, as this one may be."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import clone_first, textgauge, textgauge.metrics.cer as cer, json"
    )
    code += "; print(json.dumps([textgauge.__file__, cer.__file__, str(textgauge.CARDS)]))"
    command = [sys.executable, "-c", code, str(clone / "scripts")]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    places = [clone / "textgauge" / "__init__.py", clone / "metrics" / "cer.py", clone / "spaces"]
    assert json.loads(run.stdout) == list(map(str, places))


def test_each_script_uses_the_package_of_its_clone():
    for path in sorted((ROOT / "scripts").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        names = [getattr(node, "module", node.names[0].name) for node in imports]
        others = [name for name in names if (ROOT / "scripts" / name.split(".")[0]).is_dir() or "textgauge" in name]
        assert not others or names.index("clone_first") < names.index(others[0]), path.name


def test_load_takes_options_and_refuses_others():
    assert textgauge.load("cer", preset="jiwer").signature() == load("cer").signature(preset="jiwer")
    with pytest.raises(TypeError, match="prest"):
        textgauge.load("cer", prest="jiwer")
    for name, meant in (("cerr", " (did you mean cer?)"), ("./metrics/cer.py", ""), ("a.b", ""), ("__init__", "")):
        message = re.escape(f"there is no metric {name}{meant}; pass one of bleu, cer, chrf")
        with pytest.raises(ValueError, match=f"^{message}"):
            textgauge.load(name)


def test_folders_of_the_clone_hide_none_of_the_user(tmp_path):
    """The clone is among the paths of an environment in which it is installed in place."""
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "mine.py").write_text("x = 1")
    shown = "import metrics.mine, textgauge.metrics.cer as cer; print(metrics.mine.__file__, cer.Cer.__name__, sep='|')"
    run = subprocess.run([sys.executable, "-c", shown], cwd=tmp_path, capture_output=True, text=True)
    assert run.stdout == f"{tmp_path / 'metrics' / 'mine.py'}|Cer\n", run.stderr


def test_a_script_of_another_clone_is_refused(clone):
    """It would be computed by the package that runs here."""
    result = CliRunner().invoke(app, ["score", "-m", str(clone / "metrics" / "cer.py")])
    assert result.exit_code == 2
    assert f"belongs to the package in {clone / 'textgauge'}, and what runs here" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name):
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0 and f" {name} [OPTIONS]" in result.output
    assert name in CliRunner().invoke(app, ["--help"]).output


def test_commands_that_are_none():
    result = CliRunner().invoke(app, ["scor"])
    assert result.exit_code == 2 and "No such command 'scor'" in result.output


def test_what_is_installed_is_this_version():
    assert version("textgauge") == textgauge.__version__, "pip install -e . again"
