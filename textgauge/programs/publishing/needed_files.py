"""Which files of the programs go along: what a file imports of them, directly or not, and what it names beside it."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

_PROGRAMS = Path(__file__).resolve().parents[1]
# what the programs take from the room `core`, which is not beside them there; what it holds needs no other module
_INSTEAD = {"programs/errors.py": _PROGRAMS.parent / "core" / "errors.py"}


def app_files() -> dict[str, Path]:
    """Returns the files of the app: the place of each in the folder of a Space, and where it is here."""
    return _places([_PROGRAMS / "app" / "space.py"])


def browser_files() -> dict[str, Path]:
    """Returns the files of the app in the browser, in the same way."""
    return _places(_PROGRAMS / "page" / name for name in ("page.js", "start.py", "worker.js"))


def _places(starts: Iterable[Path]) -> dict[str, Path]:
    top = _PROGRAMS.parent
    places = {}
    for path in needed_files(starts, top):
        relative_path = path.relative_to(top).as_posix()
        places[relative_path] = _INSTEAD.get(relative_path, path)
    return places


def needed_files(starts: Iterable[Path], top: Path) -> list[Path]:
    """Returns some files and all that they need below a folder, sorted."""
    files = set()
    left = set(starts)
    while left:
        path = left.pop()
        files.add(path)
        if path.suffix == ".py":
            needed = set(filter(Path.is_file, _paths_named_in(path, top)))
            left |= needed - files
    return sorted(files)


def _paths_named_in(path: Path, top: Path) -> Iterator[Path]:
    """Yields the paths that a Python file may need: what it imports relatively, its packages, files that it names."""
    imports, file_names = _names(path.read_text(encoding="utf-8"))
    for imported in imports:
        module = path.parents[imported.level - 1].joinpath(*imported.module)
        yield module.with_suffix(".py")
        yield module / "__init__.py"
        for name in imported.names:
            yield module / f"{name}.py"
    for folder in path.parents:
        if folder != top and folder.is_relative_to(top):
            yield folder / "__init__.py"
    for name in file_names:
        yield path.parent / name


class _Import(NamedTuple):
    """What a statement imports relatively."""

    level: int  # how many folders up, 1 for that of the file
    module: list[str]  # its parts
    names: list[str]


@functools.lru_cache(maxsize=512)  # many metrics take the same files along
def _names(code: str) -> tuple[list[_Import], list[str]]:
    """Returns the relative imports of code, and the names of files in it."""
    imports = []
    file_names = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.level:
            module = node.module.split(".") if node.module else []
            imports.append(_Import(node.level, module, [alias.name for alias in node.names]))
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w-]+\.[a-z]+", str(node.value)):
            file_names.append(str(node.value))
    return imports, file_names
