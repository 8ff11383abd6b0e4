"""How a page was made: the command, and the versions of what computed it."""

import importlib.metadata
import platform
import shlex
import sys
from typing import Any

import typer

import textgauge

_PACKAGES = ("evaluate", "datasets", "numpy", "rapidfuzz", "nltk")
_OPTIONAL = ("kiwipiepy", "mecab_ko", "transformers", "torch")  # named where a metric has imported them
_KEY = "words of the command line"


class RecordingCommand(typer.core.TyperCommand):
    """A command that remembers how it was called."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Keeps the words before they are parsed."""
        ctx.meta[_KEY] = list(args)
        return super().parse_args(ctx, args)


def command_line(context: Any, script: str) -> str:
    """Returns the command as it can be pasted into a shell: of a script, or one of the commands of `textgauge`."""
    command = ["python", f"scripts/{script}"] if context.parent is None else context.command_path.split()
    return shlex.join([*command, *context.meta.get(_KEY, [])])


def versions() -> str:
    """Returns this package, Python and the packages that scores may depend on, with their versions."""
    names = [*_PACKAGES, *(name for name in _OPTIONAL if name in sys.modules)]
    found = [f"{name} {importlib.metadata.version(name)}" for name in names]
    return ", ".join([f"textgauge {textgauge.__version__}", f"Python {platform.python_version()}", *found])
