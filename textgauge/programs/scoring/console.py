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

from ..errors import is_bad_input
from ..saying.texts import say
from ..saying.widths import visible

DEFECT = 3  # the exit code of a command that ends with an error of its own; 1 is a verdict, and 2 bad input

# what we write ourselves: colours, and a progress bar that begins its line again
_OURS = re.compile(r"(\x1b\[[\d;]*m|^\r|^(?:\x1b\[A)+$)")


@contextlib.contextmanager
def messages(*others: type[Exception]) -> Iterator[None]:
    """Turns bad files and options, and these other exceptions, into a message and exit code 2.

    Any other exception is a defect, see `run`.
    """
    from textgauge.core.bootstrap import FEW_UNITS_WARNING  # here, as --help does without numpy

    warnings.filterwarnings("ignore", FEW_UNITS_WARNING)  # tables say "too few"
    try:
        yield
    except Exception as error:
        if not is_bad_input(error) and not isinstance(error, others):
            raise
        _note_error(error)
        raise typer.Exit(2) from None


def _note_error(error: Exception) -> None:
    """Writes the line about an error of the input, the files or the machine."""
    message = str(error)
    if isinstance(error, OSError) and error.filename is not None:
        message = f"{error.filename}: {error.strerror}{_advice(str(error.filename))}"
    if isinstance(error, MemoryError):
        message = say("no_memory", reason=f": {error}" if message else "")
    note(say("error_line", text=message))


def _advice(path: str) -> str:
    """Returns advice for a folder of evaluate that cannot be made or written."""
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

    lost: OSError | None = None  # why a part of the output could not be written, as on a full disk

    def write(self, text: str) -> int:
        """Writes a text, or nothing where nobody reads."""
        if self.isatty():
            parts = _OURS.split(text)
            text = "".join(part if index % 2 else visible(part) for index, part in enumerate(parts))
        try:
            return super().write(text)
        except OSError as error:
            self._leave(error)
            return len(text)

    def flush(self) -> None:
        """Passes on what was written, unless nobody reads."""
        try:
            super().flush()
        except OSError as error:
            self._leave(error)

    def _leave(self, error: OSError) -> None:
        """Writes the rest nowhere; `finish` reports a loss that somebody waits for."""
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self.fileno())
        if not isinstance(error, BrokenPipeError):
            self.lost = OSError(error.errno, error.strerror, "standard output")

    def finish(self) -> None:
        """Passes on what is left, before an exit code is chosen; OSError where not all could be written."""
        self.flush()
        if self.lost:
            raise self.lost


def run(app: typer.Typer) -> None:
    """Runs a script, in UTF-8, also where its output or its errors are closed; names of files may be no UTF-8.

    An exception that says nothing about the input is a defect: a traceback, the command line, and an exit code of its
    own. What the machine lacks, such as room for the output, is a message like one about the input.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: SIM115
        how = {"line_buffering": stream.line_buffering, "write_through": stream.write_through}
        setattr(sys, name, Output(stream.detach(), "utf-8", "backslashreplace", **how))
    try:
        try:
            app()
        finally:
            sys.stdout.finish()
    except (OSError, MemoryError) as error:
        _note_error(error)
        sys.exit(2)
    except Exception:
        traceback.print_exc()
        note(say("defect", command=shlex.join(sys.argv)))
        sys.exit(DEFECT)
