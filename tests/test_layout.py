"""What evaluate's loader can load, and what a stranger reads first."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from cases import CASES, headlines
from conftest import METRICS, ROOT, load

FOLDER = ROOT / "metrics"
SHARED = sorted(path.stem for path in FOLDER.glob("_[a-z]*.py"))
IMPORT = re.compile(r"^from \.(\w+) import (\(|\w+( as \w+)?(, \w+)*)$")


def lines(stem):
    return (FOLDER / f"{stem}.py").read_text(encoding="utf-8").split("\n")


def siblings(stem):
    """Returns the siblings that a file names."""
    return {match.group(1) for line in lines(stem) if (match := IMPORT.match(line))}


@pytest.mark.parametrize("stem", [*METRICS, *SHARED])
def test_loader_rules(stem):
    """Each of these was seen to break evaluate.load."""
    for line in lines(stem):
        assert not re.match(r"import .*,", line), line
        assert not re.match(r"\s*from \.", line) or IMPORT.match(line), line
        assert "'''" not in line
    text = "\n".join(lines(stem))
    assert text.count('"""') % 2 == 0
    inside = "\n".join(re.findall(r'""".*?"""', text, flags=re.S))
    assert not re.search(r"^(import|from) \w", inside, flags=re.M)


def test_a_metric_names_all_that_it_needs(name):
    """The loader copies what the metric names, and not what a sibling names."""
    needed, found = set(), siblings(name)
    while found - needed:
        needed |= found
        found = set().union(*map(siblings, needed))
    lacking = ", ".join(f"from .{stem} import X as X" for stem in sorted(needed - siblings(name)))
    assert not lacking, f"{name}.py must name what its siblings need: {lacking}"


def test_what_is_named_for_the_loader_alone_is_needed(name):
    """`from ._x import Y as Y` is the sign of it; ruff finds all other imports that nobody uses."""
    of_loader = {m[1] for line in lines(name) if (m := re.match(r"from \.(_\w+) import (\w+) as \2$", line))}
    others = set().union(*(siblings(stem) for stem in siblings(name) | {name} if stem != name))
    assert of_loader <= others


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Returns what a process that has nothing but a folder of each metric finds there: class and score, or an error."""
    folder = tmp_path_factory.mktemp("bare")
    for name in METRICS:
        (folder / name).mkdir()
        for stem in (name, *siblings(name)):
            shutil.copy(FOLDER / f"{stem}.py", folder / name)
    code = f"""
import evaluate, json, traceback
found = {{}}
for name, columns, headline in {[(name, CASES[name][0], next(iter(headlines(name)))) for name in METRICS]!r}:
    try:
        metric = evaluate.load(f"./{{name}}/{{name}}.py")
        found[name] = [type(metric).__name__, metric.compute(**columns)[headline]]
    except Exception:
        found[name] = traceback.format_exc()
print(json.dumps(found))
"""
    env = {**os.environ, "HF_MODULES_CACHE": str(folder / "modules")}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=env)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_loads_from_a_bare_folder(name, found):
    """As a Hub Space has it: the script and the siblings that it names."""
    assert isinstance(found[name], list), found[name]
    class_name, score = found[name]
    assert class_name == "".join(part.capitalize() for part in name.split("_"))
    assert score == load(name).compute(**CASES[name][0])[next(iter(headlines(name)))]


def test_readme_lists_every_metric(name):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"[`{name}`](spaces/{name}/README.md)" in readme
    assert len(readme.encode()) <= 16_384, "what not every user needs belongs in the README of its folder"


def test_what_is_skipped_says_what_to_install():
    """.ci/run chooses by these reasons what it runs again with more packages."""
    files = {path.name for path in ROOT.glob("requirements-*.txt")}
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        for arguments in re.findall(r"\.importorskip\((.*)\)", path.read_text(encoding="utf-8")):
            reason = re.search(r'reason="pip install -r ([\w.-]+)"', arguments)
            assert reason and reason.group(1) in files, f"{path.name}: {arguments}"


def test_requirements_name_what_is_imported():
    """Every library that the metrics import at the top is in requirements.txt."""
    required = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    for stem in (*METRICS, *SHARED):
        for line in lines(stem):
            match = re.match(r"(?:import|from) (\w+)", line)
            if match and match.group(1) not in sys.stdlib_module_names:
                assert re.search(rf"^{match.group(1)}\b", required, flags=re.M), f"{stem}.py: {line}"


@pytest.mark.parametrize("name", ["bleu", "cer"])
def test_one_call_goes_through_four_files(name):
    """metrics/README.md says so; a reader who follows a call has to open no more."""
    metric, seen = load(name), set()
    texts = {"predictions": ["고양이가 침대에서 잔다."], "references": [["고양이가 방에서 잔다."]]}
    expected = metric.compute(**texts)  # once, to warm up
    folder, before = os.path.dirname(sys.modules[type(metric).__module__].__file__), sys.getprofile()
    sys.setprofile(lambda frame, event, _: seen.add(frame.f_code.co_filename) if event == "call" else None)
    try:
        found = metric.compute(**texts)
    finally:
        sys.setprofile(before)
    assert found == expected
    assert len({path for path in seen if os.path.dirname(path) == folder}) == 4
