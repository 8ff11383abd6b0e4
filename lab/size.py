"""Measures the size of the project, and writes it down as the largest size that the tests allow; `--help` says how."""

import ast
import importlib
import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

import textgauge
from textgauge.programs.saying.texts import LANGUAGES, TEXTS

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "tests" / "data" / "size.json"
_COMMANDS = ROOT / "textgauge" / "programs" / "commands"
_COUNTED_OTHERWISE = {".py", ".md", ".png"}  # a picture holds no code
_CODE_IN_STRING = re.compile(r"[{};<>]")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)")

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
Sizes = dict[str, dict[str, int]]


def measured_sizes() -> Sizes:
    """Returns each measure of size in each part of the project: a room, a metric, a kind of file."""
    python = _files("*.py")
    sizes: Sizes = {}
    sizes["lines of code"] = _by_room(python, _lines, is_test=False)
    sizes["statements of code"] = _by_room(python, _statements, is_test=False)
    sizes["lines of tests"] = _by_room(python, _lines, is_test=True)
    sizes["characters of code in strings"] = _by_room(python, _characters_of_code_in_strings, is_test=False)
    sizes["words of Markdown"] = _by_room(_files("*.md"), _words)
    sizes["bytes of other files"] = _bytes_by_suffix()
    sizes["options"] = _options_of_metrics() | _options_of_commands()
    sizes["values of options"] = _values_of_options()
    sizes["sentences in texts.json"] = _counts_of_texts(_sentences)
    sizes["words in texts.json"] = _counts_of_texts(_words)
    return sizes


def _files(*patterns: str) -> list[Path]:
    """Returns the files of these names that git knows or would add, sorted."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    names = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    return sorted(ROOT / name for name in set(names) if (ROOT / name).is_file())


def room_of(path: Path) -> str:
    """Returns the part of the project that a file counts for.

    >>> room_of(ROOT / "textgauge" / "programs" / "saying" / "texts.py"), room_of(ROOT / "README.md")
    ('textgauge/programs/saying', '.')
    """
    folders = path.relative_to(ROOT).parts[:-1]
    depth = {"textgauge": 2, "lab": 2}.get(folders[0], 1) if folders else 0
    if folders[:2] == ("textgauge", "programs"):
        depth = 3
    return "/".join(folders[:depth]) or "."


def _by_room(paths: list[Path], size: Callable[[str], int], is_test: bool | None = None) -> dict[str, int]:
    """Returns the size of the texts of each room; only those of tests, or all but these, if `is_test` is given."""
    sizes: Counter[str] = Counter()
    for path in paths:
        room = room_of(path)
        if is_test is None or is_test == (room == "tests"):
            sizes[room] += size(path.read_text(encoding="utf-8"))
    return dict(sizes)


def _bytes_by_suffix() -> dict[str, int]:
    """Returns the bytes of all files that are neither Python, Markdown nor pictures, by the end of their names."""
    sizes: Counter[str] = Counter()
    for path in _files():
        if path.suffix not in _COUNTED_OTHERWISE and path != TABLE:
            sizes[path.suffix] += path.stat().st_size
    return dict(sizes)


def _lines(text: str) -> int:
    return text.count("\n")


def _words(text: str) -> int:
    return len(text.split())


def _sentences(text: str) -> int:
    """Returns how many sentences a text has; a label without a full stop is one."""
    return len(_SENTENCE_END.findall(text)) or 1


def _statements(text: str) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(text)))


def _characters_of_code_in_strings(text: str) -> int:
    """Returns the characters of the strings of a module that hold a line of another language, docstrings apart."""
    tree = ast.parse(text)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    values = (node.value for node in strings if id(node) not in docstrings)
    return sum(len(value) for value in values if "\n" in value and _CODE_IN_STRING.search(value))


def _options_of_metrics() -> dict[str, int]:
    return {f"metric {name}": len(textgauge.load(name).OPTIONS) for name in textgauge.metric_names()}


def _options_of_commands() -> dict[str, int]:
    return {f"command {name}": len(command.params) for name, command in _commands()}


def _commands() -> Iterator[tuple[str, typer.core.TyperCommand]]:
    for path in sorted(_COMMANDS.glob("*.py")):
        module = importlib.import_module(f"textgauge.programs.commands.{path.stem}")
        if isinstance(getattr(module, "app", None), typer.Typer):
            yield path.stem, typer.main.get_command(module.app)


def _values_of_options() -> dict[str, int]:
    """Returns for each metric how many values its options list."""
    sizes = {}
    for name in textgauge.metric_names():
        options = textgauge.load(name).OPTIONS.values()
        sizes[name] = sum(len(option.choices) for option in options)
    return sizes


def _counts_of_texts(size: Callable[[str], int]) -> dict[str, int]:
    """Returns for each language the size of all its texts; one that depends on a number has two forms."""
    sizes: Counter[str] = Counter()
    for by_language in TEXTS.values():
        for language in LANGUAGES:
            forms = by_language[language]
            sizes[language] += sum(map(size, [forms] if isinstance(forms, str) else forms))
    return dict(sizes)


def totals(sizes: Sizes) -> dict[str, int]:
    """Returns the whole of each measure."""
    return {measure: sum(of_parts.values()) for measure, of_parts in sizes.items()}


@app.command()
def main(check: Annotated[bool, typer.Option("--check", help="Print the table and write nothing.")] = False) -> None:
    """Print each measure of size before and now, and write it into tests/data/size.json unless a whole has grown."""
    before = totals(json.loads(TABLE.read_text(encoding="utf-8"))) if TABLE.exists() else {}
    sizes = measured_sizes()
    now = totals(sizes)
    for measure, size in now.items():
        typer.echo(f"{measure:45} {before.get(measure, size):9,} -> {size:9,}")
    if check:
        return
    grown = [measure for measure, size in now.items() if size > before.get(measure, size)]
    if grown:
        typer.echo(f"error: {', '.join(grown)} may not grow; take something out", err=True)
        raise typer.Exit(2)
    TABLE.write_text(json.dumps(sizes, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    app()
