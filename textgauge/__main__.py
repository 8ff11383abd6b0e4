"""The command `textgauge`: each of its commands is a module of programs/commands, imported when it is called."""

import importlib
from typing import Annotated

import typer

from textgauge.programs.scoring.console import run

from . import __version__

_MODULES = ("score", "compare", "publish_result", "verify", "app")
COMMANDS = {name.replace("_", "-"): name for name in _MODULES}


class _Commands(typer.core.TyperGroup):
    def list_commands(self, ctx: typer.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: typer.Context, cmd_name: str) -> typer.core.TyperCommand | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"{__package__}.programs.commands.{COMMANDS[cmd_name]}")
        return typer.main.get_command(module.app)


app = typer.Typer(cls=_Commands, add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Score generated text and speech recognition, compare systems, and show why a score is what it is."""


def main() -> None:
    """Runs the command."""
    run(app)


if __name__ == "__main__":
    main()
