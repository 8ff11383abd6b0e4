"""A metric that stands alone: its script, and beside it one file for each room that it needs.

The file of a room holds the modules that the metric needs, each after those that it imports. A module's docstring
becomes a heading, its imports come to the top of the file, and those from its own room vanish. Nothing else changes:
within a room a name means one thing, which tests/test_layout.py holds. So a traceback names a room, and the line shows
what the clone has.
"""

import ast
import sys
import textwrap
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

from ..errors import InputError
from .libraries import imported_libraries
from .modules import PACKAGE, SCRIPTS, Import, Module, in_order, needed_modules

# it reads a file, which evaluate's loader would not copy, and becomes a module that holds the file's text
_WORDNET = "meteor.wordnet"
_WIDTH = 120
# no comment may be behind these imports: the loader takes it for an address, or for what to install
_LIBRARIES = "# what the files beside this one import; named here, evaluate says how to install what is missing"
_FILES = "# files that only others import; evaluate's loader copies those that are named here"


def joined_files(root: Path, name: str) -> dict[str, str]:
    """Returns the text of each file that a metric of a clone consists of, by its name; the script is the first.

    The script names all other files, since evaluate's loader copies what the script names, and nothing else.
    """
    modules = needed_modules(root, name)
    by_file = defaultdict(list)
    for module in modules.values():
        by_file[_file_of(module.name)].append(module)
    texts = {}
    for file, of_file in by_file.items():
        module = of_file[0]
        if module.name == _WORDNET:
            texts[file] = _wordnet_text(root)
        elif module.room == SCRIPTS:
            texts[file] = _script_text(module, _named_for_the_loader(modules, list(by_file)) if file == name else "")
        else:
            texts[file] = _room_text(name, in_order(of_file))
    return {f"{file}.py": text for file, text in texts.items()}


def needed_libraries(root: Path, name: str) -> list[str]:
    """Returns the libraries without which a metric cannot be loaded, or not compute with its default options."""
    return _libraries(needed_modules(root, name).values())


def _file_of(module: str) -> str:
    room, _, name = module.partition(".")
    if room == SCRIPTS:
        return name
    return f"_{module.replace('.', '_')}" if module == _WORDNET else f"_{room}"


def _wordnet_text(root: Path) -> str:
    """Returns a module with the synonyms of WordNet as text, and with its licence."""
    folder = root / PACKAGE / "meteor"
    licence = (folder / "LICENSE.wordnet").read_text(encoding="utf-8")
    data = (folder / "wordnet.b85").read_text(encoding="ascii")
    return f'"""Synonyms of WordNet 3.0, packed. WordNet\'s licence:\n\n{licence}"""\n\nDATA = """\\\n{data}"""\n'


def _libraries(modules: Collection[Module]) -> list[str]:
    at_top: set[str] = set()
    for module in modules:
        at_top |= imported_libraries(module.text)[0]
    return sorted(at_top - sys.stdlib_module_names - {PACKAGE})


def _room_text(metric: str, modules: list[Module]) -> str:
    """Returns the file of a room, from those of its modules that a metric needs, in the order in which they come."""
    names = {module.name for module in modules}
    paths = ", ".join(module.path for module in modules)
    docstring = textwrap.fill(f"Joined from {paths} of {PACKAGE}, where changes belong.", _WIDTH)
    parts = [f'"""What {metric} needs of the room {modules[0].room}.\n\n{docstring}\n"""']
    parts.append(_imports_text(modules, names))
    for module in modules:
        parts.append(f"\n{_heading(module)}\n\n{_body(module, names)}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _script_text(module: Module, named: str) -> str:
    """Returns the file of a script, in which `named` comes behind the imports."""
    docstring = module.tree.body[0]
    lines = module.text.splitlines()[: docstring.end_lineno] if _has_docstring(module) else []
    parts = ["\n".join(lines), _imports_text([module], {module.name}), named, "\n" + _body(module, {module.name})]
    return "\n\n".join(part for part in parts if part) + "\n"


def _named_for_the_loader(modules: dict[str, Module], files: list[str]) -> str:
    """Returns imports that make evaluate's loader look for libraries and copy files that the script does not import."""
    script, *further = modules.values()
    blocks = []
    libraries = set(_libraries(further)) - set(_libraries([script]))
    if libraries:
        imports = [f"import {library}" for library in sorted(libraries)]
        blocks.append("\n".join([_LIBRARIES, *imports]))
    imported = {_file_of(of_script.module) for of_script in script.imports if of_script.module is not None}
    left = sorted(set(files) - imported - {_file_of(script.name)})
    if left:
        imports = [f"from .{file} import __name__ as {file}" for file in left]
        blocks.append("\n".join([_FILES, *imports]))
    return "\n\n".join(blocks)


def _heading(module: Module) -> str:
    lines = [f"# {module.path} ".ljust(_WIDTH, "=")]
    for line in (ast.get_docstring(module.tree) or "").splitlines():
        lines.append(f"# {line}".rstrip())
    return "\n".join(lines)


def _has_docstring(module: Module) -> bool:
    return ast.get_docstring(module.tree) is not None


def _body(module: Module, inside: Collection[str]) -> str:
    """Returns the code of a module without its docstring and without imports that are elsewhere in the file.

    Args:
        module: whose code it is.
        inside: names of the modules that are in the same file.
    """
    lines = module.text.splitlines()
    replaced: list[tuple[ast.stmt, list[str]]] = []
    if _has_docstring(module):
        replaced.append((module.tree.body[0], []))
    for imported in module.imports:
        if imported.module in inside and any(alias.asname for alias in imported.statement.names):
            raise InputError(f"{module.name}: {ast.unparse(imported.statement)}; within a room a name stays as it is")
        if imported.is_at_top or imported.module in inside:
            replaced.append((imported.statement, []))
        elif imported.module is not None:
            indent = " " * imported.statement.col_offset
            replaced.append((imported.statement, [f"{indent}{_from_line(imported)}"]))
    for statement, new in sorted(replaced, key=lambda pair: pair[0].lineno, reverse=True):
        end = statement.end_lineno
        if not new and not "".join(lines[end : end + 1]).strip():
            end += 1  # with the blank line behind it
        lines[statement.lineno - 1 : end] = new
    return "\n".join(lines).strip("\n")


def _imports_text(modules: list[Module], inside: Collection[str]) -> str:
    """Returns the imports at the top of a file: from the standard library, other libraries and the files beside it."""
    names_of = defaultdict(set)
    lines: dict[str, list[str]] = {"standard": [], "other": [], "beside": []}
    for module in modules:
        for imported in module.imports:
            if imported.is_at_top and imported.module not in inside:
                source = "" if isinstance(imported.statement, ast.Import) else _source(imported)
                names_of[source].update(imported.names)
    for name in sorted(names_of.pop("", ())):
        origin = _origin(name.partition(" ")[0])
        lines[origin].append(f"import {name}")
    for source, names in sorted(names_of.items()):
        lines[_origin(source)].append(_from_statement(source, sorted(names)))
    return "\n\n".join("\n".join(group) for group in lines.values() if group)


def _origin(source: str) -> str:
    if source.startswith("."):
        return "beside"
    return "standard" if source.partition(".")[0] in sys.stdlib_module_names else "other"


def _source(imported: Import) -> str:
    """Returns the name after `from`: a library, or a file beside this one."""
    return imported.statement.module if imported.module is None else f".{_file_of(imported.module)}"


def _from_line(imported: Import) -> str:
    return f"from {_source(imported)} import {', '.join(imported.names)}"


def _from_statement(source: str, names: list[str]) -> str:
    line = f"from {source} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"from {source} import (", *(f"    {name}," for name in names), ")"])
