"""What every script does before and after its work; nothing here takes long to load."""

import contextlib
import io
import os
import sys
from collections.abc import Iterator

import typer


@contextlib.contextmanager
def messages() -> Iterator[None]:
    """Turns what is wrong with files and options into a message and exit code 2."""
    try:
        yield
    except (ValueError, ImportError, OSError) as error:
        message = str(error)
        if isinstance(error, OSError) and error.filename is not None:
            message = f"{error.filename}: {error.strerror}"
        typer.echo(f"error: {message}", err=True)
        raise typer.Exit(2) from None


class Output(io.TextIOWrapper):
    """Standard output or error in UTF-8; where the reader leaves early, as `head` does, the rest is written nowhere.

    The exit code is then that of the command, and not 1, which says that a system is worse.
    """

    def write(self, text: str) -> int:
        """Writes a text, or nothing where nobody reads."""
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
    """Runs a script, in UTF-8, also where its output or its errors are closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name) or open(os.devnull, "w")  # noqa: SIM115
        how = {"line_buffering": stream.line_buffering, "write_through": stream.write_through}
        setattr(sys, name, Output(stream.detach(), encoding="utf-8", **how))
    app()
