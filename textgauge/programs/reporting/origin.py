"""How a page was made: the command, and the versions of the programs."""

import shlex
import sys
from typing import Any

import typer

import textgauge

_PACKAGES = ("numpy", "rapidfuzz", "nltk")
_OPTIONAL = ("kiwipiepy", "mecab_ko", "transformers", "torch")  # named where a metric has imported them
_KEY = "words of the command line"


class RecordingCommand(typer.core.TyperCommand):
    """A command that remembers how it was called."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        """Keeps the words before they are parsed."""
        ctx.meta[_KEY] = list(args)
        ctx.allow_extra_args = True
        extra = super().parse_args(ctx, args)
        if extra:
            ctx.fail(f"{' '.join(extra)}: {_advice(extra)}")
        return extra


def _advice(words: list[str]) -> str:
    """Returns how words that belong to no option are passed: metrics, or else files."""
    if all(word.partition(":")[0] in textgauge.metric_names() for word in words):
        return f"-m takes one metric; did you mean {_repeated('-m', words)}?"
    outputs = words[:-1] or words
    reference = words[-1] if len(words) > 1 else "FILE"
    return f"files are passed by options; did you mean {_repeated('-p', outputs)} {shlex.join(['-r', reference])}?"


def _repeated(option: str, values: list[str]) -> str:
    """Writes an option before each value."""
    return " ".join(shlex.join([option, value]) for value in values)


def command_line(context: Any, script: str) -> str:
    """Returns the command as it can be pasted into a shell: of a script, or one of the commands of `textgauge`."""
    command = ["python", f"scripts/{script}"] if context.parent is None else context.command_path.split()
    return shlex.join([*command, *context.meta.get(_KEY, [])])


def versions() -> str:
    """Returns this package, Python and the packages that scores may depend on, with their versions."""
    import importlib.metadata
    import platform

    names = [*_PACKAGES, *(name for name in _OPTIONAL if name in sys.modules)]
    packages = [f"{name} {importlib.metadata.version(name)}" for name in names]
    return ", ".join([f"textgauge {textgauge.__version__}", f"Python {platform.python_version()}", *packages])
