"""Which files of this clone go along: what a file imports of it, directly or through others, and names beside it."""

import ast
import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_SCRIPTS = Path(__file__).resolve().parents[1]
_APP = _SCRIPTS.parent / "spaces" / "app.py"


def app_files() -> dict[str, Path]:
    """Returns the files of the app: the place of each in the folder of a Space, and where it is in this clone."""
    return {"app.py": _APP, **_places([_APP, _SCRIPTS / "space_app" / "page.css"])}


def browser_files() -> dict[str, Path]:
    """Returns the files of the app in the browser, in the same way."""
    return _places(_SCRIPTS / "browser_app" / name for name in ("page.js", "start.py", "worker.js"))


def _places(starts: Iterable[Path]) -> dict[str, Path]:
    paths = needed_files(starts, _SCRIPTS)
    return {path.relative_to(_SCRIPTS).as_posix(): path for path in paths if path.is_relative_to(_SCRIPTS)}


def needed_files(starts: Iterable[Path], modules: Path) -> list[Path]:
    """Returns some files and all that they need, sorted.

    Args:
        starts: the files to start with.
        modules: the folder below which absolute imports are looked up; what is not there is of a library.
    """
    found, left = set(), set(starts)
    while left:
        found.add(path := left.pop())
        if path.suffix == ".py":
            left |= {needed for needed in _named(path, modules) if needed.is_file()} - found
    return sorted(found)


def _named(path: Path, modules: Path) -> Iterator[Path]:
    """Yields the paths that a Python file may need: what it imports by `from`, packages, files that it names."""
    imports, files = _names(path.read_text(encoding="utf-8"))
    for is_relative, module, names in imports:
        place = (path.parent if is_relative else modules).joinpath(*module)
        yield from (place.with_suffix(".py"), place / "__init__.py", place.parent / "__init__.py")
        yield from (place / f"{name}.py" for name in names)
    yield from (path.parent / name for name in files)


@functools.lru_cache(maxsize=512)  # many metrics take the same files along
def _names(code: str) -> tuple[list[tuple[bool, list[str], list[str]]], list[str]]:
    """Returns what code imports (whether from beside it, the module, the names), and the names of files in it."""
    nodes = list(ast.walk(ast.parse(code)))
    imports = [
        (node.level > 0, (node.module or "").split("."), [alias.name for alias in node.names])
        for node in nodes
        if isinstance(node, ast.ImportFrom)
    ]
    constants = (str(node.value) for node in nodes if isinstance(node, ast.Constant))
    return imports, [text for text in constants if re.fullmatch(r"[\w-]+\.[a-z]+", text)]
