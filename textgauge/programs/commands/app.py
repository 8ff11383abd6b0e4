"""Serves the app of one metric; `app.py --help` says how."""

import contextlib
from typing import Annotated

import typer

from ..scoring.console import messages
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=Command)
def main(
    metric: Annotated[str, typer.Option("-m", "--metric", metavar="NAME", help="Name of the metric.")],
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="For perplexity: a language model that one may choose, a folder or a name on the Hub.",
        ),
    ] = None,
    port: Annotated[int | None, typer.Option(help="By default the first free port from 7860 on.")] = None,
) -> None:
    """Serve the page of one metric to the browsers of this machine: texts, options, scores, explanations.

    The page computes with the Python and the packages of this machine. It cannot name files or models; rows, texts,
    uploads, time and memory are limited.
    """
    with messages():
        from ..app.server import PageServer

        server = PageServer(metric, port, model)
        typer.echo(server.address)
        with server, contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
