"""Changes modules line by line, and lists the changes that no test sees; `--help` says how.

Nothing of the package is imported here: the processes that are forked import that of a copy.
"""

import collections
import contextlib
import difflib
import importlib
import itertools
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
Root = Annotated[Path, typer.Option(help="The clone.")]

_RECORD = Path(".mutation")
# of all ways to replace an operator those that a hand might make; a decorator's removal is often no other result
_OPERATORS = re.compile(
    r"core/(AddNot|NumberReplacer|ZeroIterationForLoop|Replace("
    r"TrueWithFalse|FalseWithTrue|AndWithOr|OrWithAnd|BreakWithContinue|UnaryOperator_Delete_(Not|USub)|"
    r"BinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul|Pow_Mul|BitAnd_BitOr)|"
    r"ComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|Lt_Gt|LtE_Lt|Gt_GtE|Gt_Lt|GtE_Gt|Is_IsNot|IsNot_Is)))"
)
# what tests import, once for all changes
_PRELOADED = ["datasets", "evaluate", "hypothesis.strategies", "jinja2", "pytest", "rapidfuzz", "scipy.stats"]
_PRELOADED += ["rich.table", "typer.testing"]
# they are loaded before pytest could rewrite them
_PYTEST = ["-x", "-q", "-n0", "--assert=plain", "-p", "no:cacheprovider"]
_PYTEST += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
_NO_MODULE = 90  # exit code: the changed module cannot be imported, which is no change of a result


class Change(NamedTuple):
    """One wrong change."""

    path: str  # of the module, below the root
    line: int
    text: str  # of the whole module
    shown: str  # the line before and after


class Tests(NamedTuple):
    """Which tests run which line, their seconds, and how many cases each file has."""

    of_lines: dict[str, dict[int, list[str]]]
    seconds: dict[str, float]
    cases: list[str]  # with their parameters
    sizes: collections.Counter[str]

    def of(self, change: Change, most: float) -> list[str]:
        """Returns tests of so many seconds together: the quickest that run the line, the module, or its folder.

        A line that runs at import, or whose result is cached, is recorded for no test or one, and concerns others too.
        Those of small files come first. Of a metric script, which is copied before it runs, those with its name run.
        """
        path = Path(change.path)
        lines = self.of_lines.get(change.path)
        if not lines:
            named = re.compile(rf"test_{path.stem}\.py|[\[-]{path.stem}[\]-]")
            lines = {0: list(filter(named.search, self.cases))}
        of_line = set(lines.get(change.line, []))
        of_module = set(itertools.chain(*lines.values()))
        of_folder: set[str] = set()
        for file, lines_beside in self.of_lines.items():
            if Path(file).parent == path.parent:
                of_folder.update(itertools.chain(*lines_beside.values()))

        chosen: set[str] = set()
        left = most
        for tests in (of_line, of_module, of_folder):
            for test in sorted(tests - chosen, key=self._seconds):
                if self._seconds(test) <= left or not chosen:
                    chosen.add(test)
                    left -= self._seconds(test)
        return sorted(chosen, key=lambda test: (self.sizes[_file(test)], test))

    def limit(self, tests: list[str]) -> float:
        """Returns after how many seconds tests are in an endless loop; the machine may be busy."""
        return 30 + 4 * sum(map(self._seconds, tests))

    def _seconds(self, test: str) -> float:
        return self.seconds.get(test, 0.0)


@app.command("record")
def record(
    tests: Annotated[list[str], typer.Argument(help="Files of tests, such as tests.")],
    add: Annotated[bool, typer.Option("--add", help="Keep what is recorded of other tests.")] = False,
    root: Root = Path(),
) -> None:
    """Run the tests in a copy, and keep in .mutation which of them runs which line, and how long each takes."""
    folder = (root / _RECORD).resolve()
    if not add:
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(exist_ok=True)
    report = folder / f"{len(list(folder.glob('*.xml')))}.xml"
    (folder / "coveragerc").write_text("[run]\nrelative_files = true\n", encoding="utf-8")
    options = ["--cov=textgauge", f"--cov-config={folder / 'coveragerc'}", "--cov-context=test", "--cov-report="]
    options += ["--cov-append"] if add else []
    with tempfile.TemporaryDirectory() as copy:
        environment = {**os.environ, "COVERAGE_FILE": str(folder / "coverage"), "PYTHONPATH": copy}
        command = [sys.executable, "-m", "pytest", "-q", *options, f"--junitxml={report}", *tests]
        subprocess.run(command, cwd=_copy(root, Path(copy)), env=environment, check=True)


@app.command("try")
def try_changes(
    paths: Annotated[list[str], typer.Argument(help="Modules or rooms, such as textgauge/edits.")],
    minutes: Annotated[float, typer.Option(min=0, help="Of the whole run.")] = 10,
    most: Annotated[float, typer.Option(min=0, help="Seconds of tests for one change.")] = 20,
    processes: Annotated[int, typer.Option(min=1)] = os.cpu_count() or 1,
    seed: Annotated[int, typer.Option(help="Of the order in which changes are tried.")] = 1,
    json_: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Where to write all results.")] = None,
    again: Annotated[Path | None, typer.Option(metavar="FILE", help="Try what no test saw in these results.")] = None,
    root: Root = Path(),
) -> None:
    """Try changes in random order while there is time: how many a test saw, and those that none did."""
    files: set[Path] = set()
    for path in paths:
        files.update([root / path] if path.endswith(".py") else (root / path).rglob("*.py"))
    changes: list[Change] = []
    for file in sorted(files):
        changes += changes_of(root, file.relative_to(root))
    if again:
        rows = json.loads(again.read_text(encoding="utf-8"))
        missed = {(row["path"], row["shown"]) for row in rows if row["result"] != "seen"}
        changes = [change for change in changes if (change.path, change.shown) in missed]
    random.Random(seed).shuffle(changes)
    results = _tried(root, changes, _recorded(root), time.monotonic() + 60 * minutes, most, processes)
    counts = collections.Counter(results.values())
    summary = ", ".join(f"{counts[result]} {result}" for result in ("seen", "not seen", "without a test"))
    typer.echo(f"{' '.join(paths)}: {len(changes)} changes, {sum(counts.values())} tried: {summary}")
    missed = [change for change, result in results.items() if result != "seen"]
    for change in sorted(missed, key=lambda change: (change.path, change.line)):
        typer.echo(f"{change.path}:{change.line} {results[change]}\n{change.shown}")
    if json_:
        rows = [{**change._asdict(), "text": None, "result": result} for change, result in results.items()]
        json_.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def changes_of(root: Path, path: Path) -> Iterator[Change]:
    """Yields the changes of a module."""
    from cosmic_ray import plugins
    from cosmic_ray.mutating import mutate_code

    code = (root / path).read_text(encoding="utf-8")
    before = code.splitlines()
    for name in filter(_OPERATORS.fullmatch, plugins.operator_names()):
        for occurrence in range(10**6):
            changed = mutate_code(code, plugins.get_operator(name)(), occurrence)
            if changed is None:
                break
            after = changed.splitlines()
            pairs = enumerate(zip(before, after, strict=False))
            line = next((number for number, (old, new) in pairs if old != new), None)
            if line is not None and _matters(before[line], after[line]):
                differences = difflib.ndiff([before[line]], [after[line]])
                shown = "\n".join([text for text in differences if text[0] in "+-"])
                yield Change(str(path), line + 1, changed, shown)


def _matters(before: str, after: str) -> bool:
    """Returns whether a change of a line is one of a result: neither how much is remembered, nor zip's own check."""
    return "cache(" not in before and before != after.replace("strict=False", "strict=True")


def _recorded(root: Path) -> Tests:
    """Returns what `record` kept of the tests that there still are; one with parameters counts once."""
    import coverage

    folder = root / _RECORD
    if not (folder / "coverage").exists():
        raise typer.BadParameter(f"there is no {folder / 'coverage'}; run this program's `record` first")
    data = coverage.CoverageData(str(folder / "coverage"))
    data.read()
    names = re.compile(r"^def (test_\w+)", re.M)
    written: set[str] = set()
    for path in (root / "tests").glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        written.update([f"tests/{path.name}::{name}" for name in names.findall(text)])
    of_lines: dict[str, dict[int, list[str]]] = {}
    for file in data.measured_files():
        of_lines[file] = {}
        for line, contexts in data.contexts_by_lineno(file).items():
            tests = {context.split("|")[0].split("[")[0] for context in contexts}
            of_lines[file][line] = sorted(tests & written)
    seconds: collections.Counter[str] = collections.Counter()
    cases = []
    sizes: collections.Counter[str] = collections.Counter()
    for report in folder.glob("*.xml"):
        for element in ElementTree.parse(report).iter("testcase"):
            file = f"{element.get('classname', '').replace('.', '/')}.py"
            case = f"{file}::{element.get('name', '')}"
            test = case.split("[")[0]
            if test not in written:
                continue
            cases.append(case)
            for name in {case, test}:
                seconds[name] += float(element.get("time", 0))
            sizes[file] += 1
    return Tests(of_lines, dict(seconds), cases, sizes)


def _file(test: str) -> str:
    return test.split("::")[0]


def _tried(
    root: Path, changes: Sequence[Change], tests: Tests, end: float, most: float, processes: int
) -> dict[Change, str]:
    """Returns what became of each change that there was time for."""
    waiting = iter(changes)
    outcomes: dict[Change, str] = {}
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOADED)

    def work(folder: Path) -> None:
        for change in changes[:1]:  # without it the tests pass, or all that follows says nothing
            unchanged = change._replace(text=(root / change.path).read_text(encoding="utf-8"))
            chosen = tests.of(change, most)
            if _result(context, folder, unchanged, chosen, tests.limit(chosen)) != "not seen":
                raise RuntimeError(f"the tests of {change.path} fail as it is, in a copy of the clone")
        while time.monotonic() < end and (change := next(waiting, None)):
            chosen = tests.of(change, most)
            result = _result(context, folder, change, chosen, tests.limit(chosen)) if chosen else "without a test"
            if result:
                outcomes[change] = result

    with contextlib.ExitStack() as stack:
        folders = [_copy(root, Path(stack.enter_context(tempfile.TemporaryDirectory()))) for _ in range(processes)]
        with ThreadPoolExecutor(processes) as pool:
            list(pool.map(work, folders))
    return outcomes


def _copy(root: Path, folder: Path) -> Path:
    """Copies what is under version control, so that the clone stays as it is."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, folder / name)
    return folder


def _result(
    context: multiprocessing.context.BaseContext, folder: Path, change: Change, tests: list[str], limit: float
) -> str:
    """Returns whether a test saw a change; nothing where the module cannot be imported."""
    path = folder / change.path
    before = path.read_text(encoding="utf-8")
    path.write_text(change.text, encoding="utf-8")
    try:
        process = context.Process(target=_run, args=(str(folder), change.path, tests))  # daemons may start no others
        process.start()
        process.join(limit)
        if process.is_alive():  # an endless loop
            os.killpg(process.pid, signal.SIGKILL)
            return "seen"
        return {0: "not seen", _NO_MODULE: ""}.get(process.exitcode, "seen")
    finally:
        path.write_text(before, encoding="utf-8")


def _run(folder: str, path: str, tests: list[str]) -> None:
    """Runs tests in a process of its own, those of the first file before the others; its exit code is theirs."""
    os.setsid()
    multiprocessing.process._parent_process = None  # a worker would take one thread
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    try:
        importlib.import_module(path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    except Exception:  # noqa: BLE001
        os._exit(_NO_MODULE)
    import pytest

    parts = itertools.groupby(tests, lambda test: _file(test) == _file(tests[0]))
    for _, part in parts:
        exit_code = int(pytest.main([*_PYTEST, *part]))
        if exit_code:
            os._exit(exit_code)
    os._exit(0)


if __name__ == "__main__":
    app()
