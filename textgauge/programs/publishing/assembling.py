"""Assembles the self-contained folder of one metric: what `evaluate.load` and a Space need, and nothing else."""

import functools
import hashlib
import importlib.metadata
import shutil
import sys
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ..errors import InputError
from ..page.runtime import described
from ..page.session import Session
from ..reading.card import KOREAN_CARD
from ..reporting.static_page import metric_page
from .browser_files import PACKAGES, loaded_files, packages_text
from .cards import Destination, card_text, repository_address
from .joining import joined_files, needed_libraries
from .libraries import imported_libraries
from .needed_files import app_files, browser_files

SDKS = ("static", "gradio")
_APP = '''"""Serves the app of the metric beside it."""

import functools
from pathlib import Path

import evaluate

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":  # not in the processes that compute
    from programs.app.space import launch

    launch(functools.partial(evaluate.load, str(HERE / "{name}.py"), keep_in_memory=True), HERE)
'''
SUMS = "SHA256SUMS"  # what we wrote, in the form that `sha256sum --check` reads; so that nothing else is overwritten


def metric_names(root: Path) -> list[str]:
    """Returns the names of all metrics of a repository, sorted."""
    return sorted(path.stem for path in (root / "metrics").glob("[a-z]*.py"))


def assemble(
    root: Path, name: str, folder: Path, sdk: str, org: str | None, runtime: str, beside: Collection[str] = ()
) -> None:
    """Writes all that belongs to one metric into an empty folder.

    Args:
        root: the repository.
        name: of the metric.
        folder: to write to; its name should be that of the metric, for `evaluate.load(folder)`.
        sdk: "gradio" or "static".
        org: who will own the Space; the card then loads metrics by their names on the Hub, else by file.
        runtime: where a page finds Python for the browser.
        beside: other metrics whose folders are or will be beside this one; without an owner the card links to them.

    Raises:
        InputError: there is no card or no examples, something is not required, or no page can be made.
    """
    card = root / "spaces" / name / "README.md"
    examples = card.with_name("examples.json")
    for path in (card, examples):
        if not path.is_file():
            raise InputError(f"{path.relative_to(root).as_posix()} is missing")
    scripts = joined_files(root, name)
    for file, text in scripts.items():
        _write(folder / file, text)
    files = app_files() if sdk == "gradio" else browser_files()
    for relative_path, path in files.items():
        target = folder / relative_path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    shutil.copyfile(examples, folder / examples.name)
    if sdk == "gradio":
        _write(folder / "app.py", _APP.format(name=name))
    libraries = needed_libraries(root, name)
    address = repository_address(root)
    destination = Destination(name, sdk, org, metric_names(root), beside, len(scripts), libraries, address)
    for path in (card, card.with_name(KOREAN_CARD)):
        if path.is_file():
            _write(folder / path.name, card_text(path.read_text(encoding="utf-8"), destination))
    _write(folder / "requirements.txt", requirements_text(root, folder, sdk))
    if sdk == "static":
        _write(folder / PACKAGES, packages_text(_all_imports(folder)))
        start = {"metric": name, "runtime": described(runtime), "files": loaded_files(folder, name)}
        loaded_as = f"{org}/{name}" if org else f"./{name}.py"
        _write(folder / "index.html", _page(folder, loaded_as, start))
    sums = [f"{digest}  {path}\n" for path, digest in digests(folder).items()]
    _write(folder / SUMS, "".join(sums))


def digests(folder: Path) -> dict[str, str]:
    """Returns the SHA-256 of each file of a folder except the list of these sums and what Python caches."""
    sums = {}
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path == folder / SUMS or path.parent.name == "__pycache__":
            continue
        relative_path = path.relative_to(folder).as_posix()
        sums[relative_path] = hashlib.sha256(path.read_bytes()).hexdigest()
    return sums


def read_sums(text: str) -> dict[str, str]:
    """Returns path -> SHA-256 from the text of a list of sums; InputError for a line that is of no such list."""
    sums = {}
    for line in text.splitlines():
        digest, blanks, path = line.partition("  ")
        if not blanks:
            raise InputError(f"{SUMS}: {line!r:.80} is no SHA-256, two blanks and a path")
        sums[path] = digest
    return sums


def requirements_text(root: Path, folder: Path, sdk: str) -> str:
    """Returns the lines of the repository's requirements*.txt that name what the files of a folder import at the top.

    An import inside a function or a `try` is optional; but an app offers the Korean tokenizers and stems, and gets what
    requirements-korean.txt names of it. gradio is left out: the card's `sdk_version` decides.

    Raises:
        InputError: a file imports something that no requirements*.txt names.
    """
    known = _requirements(root.glob("requirements*.txt"))
    korean = _requirements(root.glob("requirements-korean.txt")) if sdk == "gradio" else {}
    local = {path.stem for path in folder.iterdir()} | {"gradio"}
    lines = {_line(known, "evaluate")}  # whose loader loads the folder
    # nothing is installed for a page: the lines are for those who load the metric
    scripts = folder.rglob("*.py") if sdk == "gradio" else folder.glob("*.py")
    for path in sorted(scripts):
        at_top, anywhere = imported_libraries(path.read_text(encoding="utf-8"))
        for module in sorted(at_top - local - sys.stdlib_module_names):
            line = _line(known, module)
            if line is None:
                raise InputError(f"{path.name} imports {module}, which no requirements*.txt names")
            lines.add(line)
        lines |= {_line(korean, module) for module in anywhere} - {None}
    return "".join(f"{line}\n" for line in sorted(lines))


def _line(requirements: dict[str, str], module: str) -> str | None:
    """Returns the line of the requirement that brings a module, if there is one."""
    names = [canonicalize_name(name) for name in (*_distributions().get(module, ()), module)]
    return next((requirements[name] for name in names if name in requirements), None)


def _requirements(paths: Iterable[Path]) -> dict[str, str]:
    """Returns the name of each requirement of some files, and its line; those of the package and of evaluate first."""
    known: dict[str, str] = {}
    first = ("requirements-core.txt", "requirements.txt")
    for path in sorted(paths, key=lambda path: (path.name not in first, path.name)):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.partition("#")[0].strip()
            if text and not text.startswith("-"):
                known.setdefault(canonicalize_name(Requirement(text).name), text)
    return known


@functools.cache
def _distributions() -> dict[str, list[str]]:
    """Returns the distributions to install for each module that can be imported here; their names may differ."""
    return dict(importlib.metadata.packages_distributions())


def _all_imports(folder: Path) -> set[str]:
    """Returns the top-level names of all modules that the metric's scripts in a folder import, also optional ones."""
    names: set[str] = set()
    for path in folder.glob("*.py"):
        _, anywhere = imported_libraries(path.read_text(encoding="utf-8"))
        names |= anywhere
    return names


def _page(folder: Path, load: str, start: dict[str, Any]) -> str:
    """Returns index.html for an assembled folder whose metric `evaluate.load(load)` loads; see `metric_page`."""
    import evaluate

    worker = {"worker": _versioned(folder, "programs/page/worker.js"), "start": start}
    script = _versioned(folder, "programs/page/page.js")
    try:
        session = Session(evaluate.load(str(folder), keep_in_memory=True))
        return metric_page(session, folder, load, script, worker)
    except Exception as error:  # a metric's code may raise anything
        raise InputError(f"{folder.name}: no page can be made of its examples: {error!r}") from error


def _versioned(folder: Path, path: str) -> str:
    """Returns the address of a file, which changes with it, so that a browser keeps no earlier one."""
    content = (folder / path).read_bytes()
    return f"{path}?{hashlib.sha256(content).hexdigest()[:12]}"


def _write(path: Path, text: str) -> None:
    # line feeds on every system, so that the same files have the same sums
    path.write_text(text, encoding="utf-8", newline="\n")
