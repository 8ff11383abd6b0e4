"""The house: its rooms and their order, what evaluate's loader can load, and what a stranger reads first."""

import ast
import builtins
import collections
import dis
import functools
import json
import os
import re
import subprocess
import sys

import pytest
from cases import CASES, headlines
from conftest import METRICS, ROOT, load

import textgauge
from textgauge import FLOORS_OF_ERROR_RATES, ROOMS, ROOMS_OF_PROGRAMS
from textgauge.error_rates.nearest import spelling
from textgauge.programs.publishing.joining import joined_files

PACKAGE = ROOT / "textgauge"
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
PACKAGE_OF = {"yaml": "pyyaml", "markupsafe": "jinja2"}  # what brings a module of another name
IMPORT = re.compile(r"^from \.(\w+) import (\(|\w+( as \w+)?(, \w+( as \w+)?)*)$")


def imported(module):
    """Yields what a module imports of the package at any place: modules, also where they are named in a text."""
    path = MODULES[module]
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree_of(path)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            place = ".".join([*above, *filter(None, [node.module])])
            names = [f"{place}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in MODULES:
            names = [node.value] if "." in node.value else []
        for name in names:
            found = next((part for part in (name, name.rpartition(".")[0]) if part in MODULES), None)
            if found or name.startswith("textgauge."):
                yield found or name


@functools.cache
def tree_of(path):
    """Returns a module as Python reads it; several laws look at each."""
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def arrows():
    """Returns which module imports which."""
    return {(module, other) for module in MODULES for other in imported(module) if other != module}


def room_of(module):
    return module.split(".")[1] if "." in module else None


def test_rooms_import_from_rooms_before_them():
    places = {room: place for place, room in enumerate(ROOMS)}
    assert {room_of(module) for module in MODULES} - {None, "__main__", "spark"} == set(ROOMS)
    up = {
        (a, b) for a, b in arrows() if room_of(a) in places and places.get(room_of(b), len(ROOMS)) > places[room_of(a)]
    }
    assert {arrow for arrow in up if room_of(arrow[0]) != "programs"} == set()
    # the programs ask the package for its version, its metrics and its places, and import no metric
    assert {b for a, b in up} <= {"textgauge"}


def test_rooms_of_programs_import_from_rooms_before_them():
    places = {f"textgauge.programs.{room}": place for place, room in enumerate(ROOMS_OF_PROGRAMS)}
    rooms = {module: ".".join(module.split(".")[:3]) for module in MODULES if module.count(".") > 1}
    inside = {module: room for module, room in rooms.items() if room in places}
    folders = {path.parent.name for path in (PACKAGE / "programs").glob("*/__init__.py")}
    assert folders == set(ROOMS_OF_PROGRAMS)
    assert {(a, b) for a, b in arrows() if {a, b} <= inside.keys() and places[inside[a]] < places[inside[b]]} == set()


def floor_of(module):
    """Returns the floor of error_rates that a module is on: the modules beside the folders are on the highest one."""
    floors = [f"textgauge.error_rates.{floor}" for floor in FLOORS_OF_ERROR_RATES]
    package = module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    return floors.index(package) if package in floors else len(floors)


def test_floors_of_error_rates_import_downwards():
    inside = {module for module in MODULES if room_of(module) == "error_rates"}
    folders = {path.parent.name for path in (PACKAGE / "error_rates").glob("*/__init__.py")}
    assert folders == set(FLOORS_OF_ERROR_RATES)
    assert {floor_of(module) for module in inside} == {0, 1, 2, 3}
    assert {(a, b) for a, b in arrows() if {a, b} <= inside and floor_of(a) < floor_of(b)} == set()


def test_no_module_imports_by_a_name_that_is_made():
    """What is imported so is seen by none of these tests."""
    allowed = {"textgauge", "textgauge.__main__", "textgauge.programs.page.start"}
    assert {module for module, path in MODULES.items() if "import_module" in path.read_text("utf-8")} == allowed


def test_no_module_imports_itself_through_others():
    left = {(a, b) for a, b in arrows() if "textgauge" not in (a, b)}
    while left:
        importing = {a for a, _ in left}
        ends = {arrow for arrow in left if arrow[1] not in importing}
        assert ends, f"a circle among {sorted(importing)}"
        left -= ends


def origins(module):
    """Returns where each name at the top of a module is from: the module itself, another one, or a library."""
    text = MODULES[module].read_text(encoding="utf-8")
    # symtable has the variables of comprehensions among the names of a module from Python 3.12 on, the bytecode has not
    stored = {line.argval for line in dis.get_instructions(text) if line.opname in ("STORE_NAME", "STORE_GLOBAL")}
    found = {name: f"{module}.{name}" for name in stored if not name.startswith("__")}
    for node in tree_of(MODULES[module]).body:
        if isinstance(node, ast.Import):
            found.update({alias.asname or alias.name: alias.name for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            above = ".".join(module.split(".")[: -node.level])
            place = f"{above}.{node.module}" if node.level else node.module
            found.update({alias.asname or alias.name: f"{place}.{alias.name}" for alias in node.names})
    return found


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "programs"])
def test_a_name_means_one_thing_within_a_room(room):
    """A published metric has the modules of a room in one file, whose text is theirs: no name may be there twice."""
    meanings = collections.defaultdict(set)
    for module, path in MODULES.items():
        if room_of(module) == room and path.name != "__init__.py":
            for name, origin in origins(module).items():
                assert not hasattr(builtins, name), f"{path.name}: {name}"
                meanings[name].add(origin)
    assert {name: sorted(found) for name, found in meanings.items() if len(found) > 1} == {}


def test_modules_name_one_another_in_one_way():
    """Relatively within a room, by the room's name from elsewhere."""
    for module, path in MODULES.items():
        text, room = path.read_text(encoding="utf-8"), room_of(module)
        if room in ROOMS:
            assert not re.search(rf"^ *(from|import) textgauge\.{room}\b", text, flags=re.M), path
            up = len(path.relative_to(PACKAGE).parts) - 1
            assert not re.search(rf"^ *from \.{{{up + 1},}}\w", text, flags=re.M), path


@pytest.mark.parametrize("room", [*ROOMS, *(f"error_rates/{floor}" for floor in FLOORS_OF_ERROR_RATES)])
def test_a_room_says_what_it_is(room):
    text = (PACKAGE / room / "__init__.py").read_text(encoding="utf-8")
    start = re.fullmatch(r'"""[A-Z].+\n\nStart with (.+)\.\n"""\n', text, flags=re.S)
    named = re.findall(r"\w+(?:\.py|/)", start[1])
    assert named and all((PACKAGE / room / name).exists() for name in named), text


def code_files():
    """Returns the Python files of the package, the metrics, the scripts and the laboratory."""
    return sorted(
        path for folder in ("textgauge", "metrics", "scripts", "lab") for path in (ROOT / folder).rglob("*.py")
    )


# none is left; whoever adds one says here why it is no check of input
PLAIN_ERRORS: set[str] = set()


def test_checks_of_input_raise_one_class():
    """A plain ValueError is a defect: a command would show its traceback, and Spark would not skip the row."""
    found = {
        f"{path.relative_to(ROOT).as_posix()}, line {node.lineno}"
        for path in [*MODULES.values(), *(ROOT / "metrics").glob("*.py")]
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.Call, ast.Raise))
        and getattr(node.func if isinstance(node, ast.Call) else node.exc, "id", "") == "ValueError"
    }
    assert found == PLAIN_ERRORS


def test_functions_are_short():
    """At most 40 lines without the docstring; of a command without its parameters too, each of which is an option."""
    long = []
    for path in code_files():
        has_commands = path.parent.name in ("commands", "scripts", "lab")
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                has_docstring = ast.get_docstring(node, clean=False) is not None
                docstring = node.body[0].end_lineno - node.body[0].lineno + 1 if has_docstring else 0
                is_command = has_commands and (node.decorator_list or node.name == "main")
                start = node.body[0].lineno if is_command else node.lineno
                length = node.end_lineno - start + 1 - docstring
                long += [(path.relative_to(ROOT).as_posix(), node.name, length)] if length > 40 else []
    assert not long


def test_files_are_short():
    """At most 400 lines."""
    sizes = {path: path.read_text(encoding="utf-8").count("\n") for path in code_files()}
    assert not {path.relative_to(ROOT).as_posix(): size for path, size in sizes.items() if size > 400}


def test_metrics_say_what_to_install(name):
    """Without the package the loader prints what is behind "# From:"; else a name for the index that is not ours."""
    text = (ROOT / "metrics" / f"{name}.py").read_text(encoding="utf-8")
    lines = re.findall(r"^(?:from|import) textgauge.*$", text, flags=re.M)
    assert lines and all(line.endswith("  # From: -e .") for line in lines)


def test_nobody_is_sent_to_an_index_for_the_package():
    """Whoever registers its name there runs code."""
    command = r"\b(?:pip3?|pipx|uv|poetry)(?: pip)? (?:install|add)\b"
    sent = re.compile(rf"{command}(?:[^\n`]|\\\n)*(?<![\w/.-]){PACKAGE.name}\b|{PACKAGE.name}\[\w")
    assert sent.search("pip " + "install --upgrade \\\n    " + PACKAGE.name) and not sent.search("pip install -e .")
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT).stdout.split()
    paths = [ROOT / path for path in listed] or [path for path in ROOT.rglob("*") if ".venv" not in path.parts]
    for path in paths:
        if path.is_file():
            assert not sent.search(path.read_text(encoding="utf-8", errors="ignore")), path


def run_alone(code, folder):
    """Runs code in a process in which the package cannot be imported; returns what it printed, read as JSON."""
    env = {**os.environ, "HF_MODULES_CACHE": str(folder / "modules")}
    code = f"import sys; sys.modules['textgauge'] = None\nimport evaluate, json, traceback\n{code}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, env=env)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", METRICS)
def test_loader_rules(name):
    """Each of these was seen to break evaluate.load; they bind what is published."""
    texts = joined_files(ROOT, name)
    for file, text in texts.items():
        for line in text.split("\n"):
            assert not re.match(r"import .*,", line), line
            assert not re.match(r"\s*from \.", line) or IMPORT.match(line.strip()), line
            assert "'''" not in line
        assert text.count('"""') % 2 == 0
        inside = "\n".join(re.findall(r'""".*?"""', text, flags=re.S))
        assert not re.search(r"^(import|from) \w", inside, flags=re.M)
        assert f"{PACKAGE.name}." not in code_of(text), file
    named = {f"{stem}.py" for stem in re.findall(r"^from \.(\w+) import", texts[f"{name}.py"], flags=re.M)}
    assert named == texts.keys() - {f"{name}.py"}


def code_of(text):
    """Returns code without what is quoted."""
    return re.sub(r'""".*?"""|"[^"\n]*"', "", text, flags=re.S)


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Returns what a process that has nothing but a folder of each metric finds there: class and score, or an error.

    And what the loader says of the script of each metric alone, in a list.
    """
    folder = tmp_path_factory.mktemp("bare")
    for name in METRICS:
        (folder / name).mkdir()
        for file, text in joined_files(ROOT, name).items():
            (folder / name / file).write_text(text, encoding="utf-8")
    code = f"""
found = {{}}
for name, columns, headline in {[(name, CASES[name][0], next(iter(headlines(name)))) for name in METRICS]!r}:
    try:
        metric = evaluate.load(f"./{{name}}/{{name}}.py")
        found[name] = [type(metric).__name__, metric.compute(**columns)[headline]]
    except Exception:
        found[name] = traceback.format_exc()
    try:
        evaluate.load({str(ROOT / "metrics")!r} + f"/{{name}}.py")
    except ImportError as error:
        found.setdefault("said", []).append(str(error))
print(json.dumps(found))
"""
    return run_alone(code, folder)


def test_what_the_loader_says_without_the_package(found):
    assert len(found["said"]) == len(METRICS)
    assert all("using 'pip install -e .' for instance" in text for text in found["said"])


def test_loads_from_a_bare_folder(name, found):
    """As a Hub Space has it: the script and the files beside it."""
    assert isinstance(found[name], list), found[name]
    class_name, score = found[name]
    assert class_name == "".join(part.capitalize() for part in name.split("_"))
    assert score == load(name).compute(**CASES[name][0])[next(iter(headlines(name)))]


def test_readme_lists_every_metric(name):
    for file in ("README.md", "README.ko.md"):
        readme = (ROOT / file).read_text(encoding="utf-8")
        assert f"[`{name}`](spaces/{name}/{file})" in readme
        assert len(readme.encode()) <= 9_000, "what not every user needs belongs in the README of its folder"


def test_what_is_skipped_says_what_to_install():
    """.ci/run chooses by these reasons what it runs again with more packages."""
    files = {path.name for path in ROOT.glob("requirements-*.txt")}
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        for arguments in re.findall(r"\.importorskip\((.*)\)", path.read_text(encoding="utf-8")):
            reason = re.search(r'reason="pip install -r ([\w.-]+)"', arguments)
            assert reason and reason.group(1) in files, f"{path.name}: {arguments}"


def test_requirements_name_what_is_imported():
    """What scoring and the commands import at the top is in requirements-core.txt; a few programs need more."""
    core, further = package_names("requirements-core.txt"), ("app", "harness", "publishing")
    for path in [*MODULES.values(), *(ROOT / "metrics").glob("*.py")]:
        if path.parent.name not in further and path.name not in ("static_page.py", "spark.py"):
            names = {PACKAGE_OF.get(library, library) for library in imported_at_top(path)}
            assert names <= {*core, *sys.stdlib_module_names, PACKAGE.name}, path


def imported_at_top(path):
    """Yields the libraries that a module imports whenever it is imported."""
    for node in tree_of(path).body:
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


def package_names(file):
    """Returns the packages that a list of requirements names."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    return {match[0].replace("-", "_") for match in map(re.compile(r"[\w-]+").match, lines) if match}


def test_a_package_is_required_once():
    """So that a limit is changed in one place."""
    lists = [package_names(f"requirements{name}.txt") for name in ("-core", "", "-tests", "-korean", "-models", "-app")]
    assert sum(map(len, lists)) == len(set().union(*lists))


def followed(metric, **arguments):
    """Returns the files that a reader of a call turns to, one after the other, and the code of all that is called."""
    script = sys.modules[type(metric).__module__].__file__
    open_calls = []  # the functions that are under way, ours alone
    path = []
    called = set()

    def follow(frame, event, _):
        file = frame.f_code.co_filename
        if file != script and not file.startswith(str(PACKAGE)):
            return
        if event == "call":
            open_calls.append(file)
            called.add(frame.f_code)
        elif event == "return" and open_calls:
            open_calls.pop()
        if open_calls and open_calls[-1:] != path[-1:]:
            path.append(open_calls[-1])

    profile_before = sys.getprofile()
    sys.setprofile(follow)
    try:
        metric.compute(**arguments)
    finally:
        sys.setprofile(profile_before)
    return path, called


@pytest.mark.parametrize(("name", "n_files", "most_moves"), [("bleu", 7, 28), ("cer", 10, 46)])
def test_one_call_goes_through_few_files(name, n_files, most_moves):
    """metrics/README.md says so; a reader who follows a call has to open no more, and turns to another no oftener."""
    metric = textgauge.load(name)
    texts = {"predictions": ["고양이가 침대에서 잔다."], "references": [["고양이가 방에서 잔다."]]}
    metric.compute(**texts)  # once, to warm up
    path, _ = followed(metric, **texts)
    assert len({*path}) == n_files
    assert len(path) - 1 <= most_moves
    readme = " ".join((ROOT / "metrics" / "README.md").read_text(encoding="utf-8").split())
    number = {7: "seven", 10: "ten"}[n_files]
    assert f"A call of `{name}` goes through {number}" in readme


READ_TEXTS = [  # without a notation, with one that is read alike, with one that has another value
    ("고양이가 침대에서 잔다.", "고양이가 방에서 잔다."),
    ("오후 세 시에 만나", "오후 3시에 만나"),
    ("오후 네 시에 만나자", "오후 3시에 만나"),
]


def test_readings_and_details_are_followed_in_few_moves():
    """With nothing known of any text; and what is called is worth a name."""
    metric = textgauge.load("cer")
    n_moves = 0
    all_called = set()
    for prediction, reference in READ_TEXTS:
        arguments = {"predictions": [prediction], "references": [reference], "readings": "ko", "detailed": True}
        metric.compute(**arguments)  # tables of characters and patterns stay
        forget_texts()
        path, called = followed(metric, **arguments)
        n_moves += len(path) - 1
        all_called |= called
    assert n_moves <= 361 * len(READ_TEXTS)
    functions = [code for code in all_called if code.co_name.isidentifier()]
    sizes = [len({line for *_, line in code.co_lines()} - {None, code.co_firstlineno}) for code in functions]
    assert sum(size <= 3 for size in sizes) <= 0.36 * len(sizes)


def forget_texts():
    """Empties the caches of the package that hold many texts."""
    for module in [module for name, module in sys.modules.items() if name.startswith("textgauge.")]:
        for value in vars(module).values():
            if hasattr(value, "cache_parameters") and (value.cache_parameters()["maxsize"] or 0) >= 1024:
                value.cache_clear()
    spelling._known_pairs.__init__()
