"""Makes small wrong changes of modules, drawn by a seed, and lists those that no test sees.

Everything happens in a copy of the clone. A change that no test sees needs a test, unless it affects no result.
"""

import ast
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

_SECONDS = 600  # of tests, after which a change counts as seen: it may have made a loop endless
# kind of a node -> its source -> a wrong one
_OPERATORS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*",
    ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*", ast.BitAnd: "|", ast.BitOr: "&", ast.And: "or", ast.Or: "and",
}  # fmt: skip


class Change(NamedTuple):
    """One wrong change of a module: what replaces a piece of one line, from byte to byte as ast counts."""

    path: Path  # below the root
    line: int  # from 1
    start: int
    end: int
    wrong: str


def main(
    place: Annotated[str, typer.Argument(help="A module or a room, such as textgauge/edits.")],
    tests: Annotated[list[str], typer.Argument(help="Files of tests that concern it.")],
    changes: Annotated[int, typer.Option(min=1, help="How many changes to draw.")] = 40,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = 1,
) -> None:
    """Tries changes one after the other, and prints those that no test sees; ends with code 1 where there is one."""
    files = [Path(place)] if place.endswith(".py") else sorted(Path(place).rglob("*.py"))
    every = [change for file in files for change in changes_of(file)]
    drawn = random.Random(seed).sample(every, min(changes, len(every)))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(".", Path(folder) / "clone", ignore=shutil.ignore_patterns(".*")))
        if not _pass(copy, tests):
            raise typer.BadParameter("the tests fail without any change")
        missed = [change for change in drawn if not _is_seen(copy, change, tests)]
        for change in sorted(missed):
            typer.echo(f"{change.path}:{change.line} not seen\n{_changed((copy / change.path).read_text(), change)[1]}")
    typer.echo(f"{len(every)} changes, {len(drawn)} tried: {len(missed)} not seen")
    raise typer.Exit(1 if missed else 0)


def changes_of(path: Path) -> Iterator[Change]:
    """Yields the changes of a module: other operators, numbers and truth values, and conditions that are turned."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare):
            yield from _between(text, path, node.left, node.ops[0], node.comparators[0])
        elif isinstance(node, ast.BinOp):
            yield from _between(text, path, node.left, node.op, node.right)
        elif isinstance(node, ast.BoolOp):
            yield from _between(text, path, node.values[0], node.op, node.values[1])
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
            wrong = not node.value if isinstance(node.value, bool) else node.value + 1
            yield Change(path, node.lineno, node.col_offset, node.end_col_offset, str(wrong))
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)) and node.test.lineno == node.test.end_lineno:
            condition = ast.get_source_segment(text, node.test)
            yield Change(path, node.test.lineno, node.test.col_offset, node.test.end_col_offset, f"not ({condition})")


def _between(text: str, path: Path, left: ast.expr, operator: ast.AST, right: ast.expr) -> Iterator[Change]:
    """Yields another operator in place of that between two expressions of one line; brackets stay."""
    wrong = _OPERATORS.get(type(operator))
    if wrong is None or left.end_lineno != right.lineno:
        return
    between = text.splitlines()[right.lineno - 1].encode()[left.end_col_offset : right.col_offset]
    kept = between.lstrip(b" )")
    start = left.end_col_offset + len(between) - len(kept)
    end = start + len(kept.rstrip(b" ("))
    yield Change(path, right.lineno, start, end, wrong)


def _is_seen(copy: Path, change: Change, tests: list[str]) -> bool:
    """Returns whether a test fails with a change; the copy is as before."""
    path = copy / change.path
    before = path.read_text(encoding="utf-8")
    path.write_text(_changed(before, change)[0], encoding="utf-8")
    is_seen = not _pass(copy, tests)
    path.write_text(before, encoding="utf-8")
    return is_seen


def _changed(text: str, change: Change) -> tuple[str, str]:
    """Returns a module with a change, and the line that it changed."""
    lines = text.splitlines(keepends=True)
    code = bytearray(lines[change.line - 1].encode())
    code[change.start : change.end] = change.wrong.encode()
    lines[change.line - 1] = code.decode()
    return "".join(lines), lines[change.line - 1].strip()


def _pass(copy: Path, tests: list[str]) -> bool:
    """Returns whether the tests pass; endless ones do not."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    with contextlib.suppress(subprocess.SubprocessError):
        subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=_SECONDS, check=True)
        return True
    return False


if __name__ == "__main__":
    typer.run(main)
