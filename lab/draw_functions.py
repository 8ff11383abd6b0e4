"""Draws functions for people who read them without context, and say what each returns; `--help` says how."""

import ast
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from textgauge.core.errors import InputError
from textgauge.programs.scoring.console import run

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)

_FOLDERS = ("metrics", "textgauge")
_FEWEST_LINES = 12


class Drawn(NamedTuple):
    """A function of a clone."""

    path: str  # from the root of the clone
    name: str  # with that of its class
    text: str


@app.command()
def main(
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 1,
    count: Annotated[int, typer.Option(min=1, help="Functions.")] = 30,
    root: Annotated[Path, typer.Option(help="The clone.")] = Path(),
    common_with: Annotated[
        Path | None, typer.Option(metavar="CLONE", help="Draw only from functions that this clone has too.")
    ] = None,
) -> None:
    """Print functions of twelve lines and more, drawn at random from metrics/ and textgauge/.

    To compare two versions, call it in a clone of each, with the other one as --common-with: both print the same
    functions, as they are there.
    """
    functions = functions_of(root)
    names = set(functions)
    if common_with is not None:
        names &= set(functions_of(common_with))
    if len(names) < count:
        raise InputError(f"--count is {count}, and there are {len(names)} functions to draw from")
    for number, key in enumerate(random.Random(seed).sample(sorted(names), count), start=1):
        function = functions[key]
        typer.echo(f"## {number}. {function.name} of {function.path}\n\n{function.text}\n")


def functions_of(root: Path) -> dict[tuple[str, str], Drawn]:
    """Returns the functions of a clone that have twelve lines and more, by path and name."""
    functions = {}
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            relative = path.relative_to(root).as_posix()
            for name, node in _functions_in(ast.parse("\n".join(lines)), ""):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                own_lines = lines[first - 1 : node.end_lineno]
                if len(own_lines) >= _FEWEST_LINES:
                    functions[relative, name] = Drawn(relative, name, "\n".join(own_lines))
    return functions


def _functions_in(block: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yields the functions of a module or class, and of its classes, not those inside functions."""
    for node in ast.iter_child_nodes(block):
        if isinstance(node, ast.FunctionDef):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions_in(node, f"{node.name}.")


if __name__ == "__main__":
    run(app)
