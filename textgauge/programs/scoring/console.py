"""What every script does before and after its work; nothing here takes long to load."""

import contextlib
import io
import os
import re
import shlex
import sys
import traceback
import warnings
from collections.abc import Iterator

import typer

from ..drawing.texts import say
from ..drawing.widths import visible
from ..errors import is_bad_input

DEFECT = 3  # the exit code of a command that ends with an error of its own; 1 is a verdict, and 2 bad input

# what we write ourselves: colours, and a progress bar that begins its line again
_OURS = re.compile(r"(\x1b\[[\d;]*m|^\r|^(?:\x1b\[A)+$)")


@contextlib.contextmanager
def messages(*others: type[Exception]) -> Iterator[None]:
    """Turns what is wrong with files and options, and other exceptions, into a message and exit code 2.

    All else is a defect, see `run`.
    """
    from textgauge.core.bootstrap import FEW_UNITS  # here, as --help does without numpy

    warnings.filterwarnings("ignore", FEW_UNITS)  # tables say "too few"
    try:
        yield
    except Exception as error:
        if not is_bad_input(error) and not isinstance(error, others):
            raise
        message = str(error)
        if isinstance(error, OSError) and error.filename is not None:
            message = f"{error.filename}: {error.strerror}{_advice(str(error.filename))}"
        note(say("error_line", text=message))
        raise typer.Exit(2) from None


def _advice(path: str) -> str:
    """Returns what to do where a folder of evaluate cannot be made or written."""
    config = sys.modules.get("evaluate.config")
    if config is None or not path.startswith((str(config.HF_CACHE_HOME), str(config.HF_MODULES_CACHE))):
        return ""
    return "; evaluate keeps files there: set HF_HOME to a folder that can be written"


def note(text: str) -> None:
    """Writes a line to standard error, in which names and texts of files control no terminal."""
    typer.echo(visible(text), err=True)


class Output(io.TextIOWrapper):
    """Standard output or error in UTF-8; where the reader leaves early, as `head` does, the rest is written nowhere.

    Nothing in it controls a terminal except for our own colours; a file gets all characters as they are.
    The exit code is then that of the command, and not 1, which says that a system is worse.
    """

    def write(self, text: str) -> int:
        """Writes a text, or nothing where nobody reads."""
        if self.isatty():
            parts = _OURS.split(text)
            text = "".join(part if index % 2 else visible(part) for index, part in enumerate(parts))
        try:
            return super().write(text)
        except BrokenPipeError:
            self._leave()
            return len(text)

    def flush(self) -> None:
        """Passes on what was written, unless nobody reads."""
        try:
            super().flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> None:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self.fileno())


def run(app: typer.Typer) -> None:
    """Runs a script, in UTF-8, also where its output or its errors are closed; names of files may be no UTF-8.

    An exception that says nothing about the input is a defect: a traceback, the command line, and an exit code of its
    own.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: SIM115
        how = {"line_buffering": stream.line_buffering, "write_through": stream.write_through}
        setattr(sys, name, Output(stream.detach(), "utf-8", "backslashreplace", **how))
    try:
        app()
    except Exception:
        traceback.print_exc()
        note(say("defect", command=shlex.join(sys.argv)))
        sys.exit(DEFECT)
