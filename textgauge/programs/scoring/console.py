"""What every script does before and after its work; nothing here takes long to load."""

import contextlib
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


def run(app: typer.Typer) -> None:
    """Runs a script, in UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8")
    app()
