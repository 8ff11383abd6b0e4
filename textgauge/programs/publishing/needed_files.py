"""Which files of the programs go along: what a file imports of them, directly or not, and what it names beside it."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_PROGRAMS = Path(__file__).resolve().parents[1]
# what the programs take from the room `core`, which is not beside them there; what it holds needs no other module
_INSTEAD = {"programs/errors.py": _PROGRAMS.parent / "core" / "errors.py"}


def app_files() -> dict[str, Path]:
    """Returns the files of the app: the place of each in the folder of a Space, and where it is here."""
    return _places(_PROGRAMS / "app" / name for name in ("server.py", "page.css"))


def browser_files() -> dict[str, Path]:
    """Returns the files of the app in the browser, in the same way."""
    return _places(_PROGRAMS / "page" / name for name in ("page.js", "start.py", "worker.js"))


def _places(starts: Iterable[Path]) -> dict[str, Path]:
    top = _PROGRAMS.parent
    places = {path.relative_to(top).as_posix(): path for path in needed_files(starts, top)}
    return {place: _INSTEAD.get(place, path) for place, path in places.items()}


def needed_files(starts: Iterable[Path], top: Path) -> list[Path]:
    """Returns some files and all that they need below a folder, sorted."""
    files, left = set(), set(starts)
    while left:
        files.add(path := left.pop())
        if path.suffix == ".py":
            left |= {needed for needed in _paths_named_in(path, top) if needed.is_file()} - files
    return sorted(files)


def _paths_named_in(path: Path, top: Path) -> Iterator[Path]:
    """Yields the paths that a Python file may need: what it imports relatively, its packages, files that it names."""
    imports, files = _names(path.read_text(encoding="utf-8"))
    for level, module, names in imports:
        place = path.parents[level - 1].joinpath(*module)
        yield place.with_suffix(".py")
        yield from (place / f"{name}.py" for name in ("__init__", *names))
    yield from (folder / "__init__.py" for folder in path.parents if folder != top and folder.is_relative_to(top))
    yield from (path.parent / name for name in files)


@functools.lru_cache(maxsize=512)  # many metrics take the same files along
def _names(code: str) -> tuple[list[tuple[int, list[str], list[str]]], list[str]]:
    """Returns what code imports relatively (folders up, the module, the names), and the names of files in it."""
    nodes = list(ast.walk(ast.parse(code)))
    imports = [
        (node.level, node.module.split(".") if node.module else [], [alias.name for alias in node.names])
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    constants = (str(node.value) for node in nodes if isinstance(node, ast.Constant))
    return imports, [text for text in constants if re.fullmatch(r"[\w-]+\.[a-z]+", text)]
