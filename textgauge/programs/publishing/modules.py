"""The modules of a clone that a metric consists of: its script, and all that it imports of the package."""

import ast
import functools
from pathlib import Path
from typing import NamedTuple

from ..errors import InputError

PACKAGE = "textgauge"
SCRIPTS = "metrics"


class Import(NamedTuple):
    """A statement that imports."""

    statement: ast.Import | ast.ImportFrom
    module: str | None  # of the clone, such as core.options or metrics.bleu; None for a library
    is_at_top: bool  # and not inside a function or a condition

    @property
    def names(self) -> list[str]:
        """What is imported, each with the name that it gets: `REFERENCES`, `numpy as np`."""
        return [ast.unparse(alias) for alias in self.statement.names]


class Module(NamedTuple):
    """A module of a room, or the script of a metric."""

    name: str  # core.options, error_rates.nearest.choice, metrics.bleu
    text: str
    tree: ast.Module
    imports: list[Import]

    @property
    def room(self) -> str:
        """The room that it is in, also if it is in a folder of the room; "metrics" for a script."""
        return self.name.partition(".")[0]

    @property
    def path(self) -> str:
        """Its path in the package: core/options.py."""
        return f"{self.name.replace('.', '/')}.py"


def needed_modules(root: Path, name: str) -> dict[str, Module]:
    """Returns the script of a metric and all modules that it needs, by their names; the script is the first.

    Raises:
        InputError: a module is not Python, or imports a whole room.
    """
    modules: dict[str, Module] = {}
    left = [f"{SCRIPTS}.{name}"]
    while left:
        module = _read_module(root, left.pop())
        modules[module.name] = module
        for imported in module.imports:
            if imported.module is None or imported.module in modules or imported.module in left:
                continue
            if (root / PACKAGE / imported.module.replace(".", "/")).is_dir():
                raise InputError(
                    f"{module.name}: {ast.unparse(imported.statement)}; import from a module, as "
                    f"`from {PACKAGE}.core.options import choice`"
                )
            left.append(imported.module)
    return modules


def in_order(modules: list[Module]) -> list[Module]:
    """Returns modules so that each comes after those that it imports at its top, otherwise sorted by their names."""
    by_name = {module.name: module for module in sorted(modules)}
    ordered: dict[str, Module] = {}

    def visit(module: Module) -> None:
        imported_first = {imported.module for imported in module.imports if imported.is_at_top}
        for name in by_name:
            if name in imported_first and name not in ordered:
                visit(by_name[name])
        ordered[module.name] = module

    for module in by_name.values():
        if module.name not in ordered:
            visit(module)
    return list(ordered.values())


def _read_module(root: Path, name: str) -> Module:
    folder = root if name.startswith(f"{SCRIPTS}.") else root / PACKAGE
    path = folder / f"{name.replace('.', '/')}.py"
    try:
        return _parsed(name, path.read_text(encoding="utf-8"), path.name)
    except (SyntaxError, ValueError) as error:  # the second for bytes that are no UTF-8, or zero
        raise InputError(f"{path.relative_to(root).as_posix()} is not valid Python: {error}") from None


@functools.lru_cache(maxsize=512)  # many metrics need the same modules
def _parsed(name: str, text: str, file: str) -> Module:
    tree = ast.parse(text, file)
    imports = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            imports.append(Import(node, _module_of(node, name), node in tree.body))
    return Module(name, text, tree, imports)


def _module_of(statement: ast.Import | ast.ImportFrom, importing: str) -> str | None:
    """Returns from which module of the clone a statement of the module `importing` imports; None for a library."""
    if isinstance(statement, ast.Import):
        return None
    if statement.level:
        folders = importing.split(".")[: -statement.level]
        return ".".join([*folders, statement.module]) if statement.module else ".".join(folders)
    if statement.module.startswith(f"{PACKAGE}."):
        return statement.module.removeprefix(f"{PACKAGE}.")
    return None
