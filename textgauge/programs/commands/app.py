"""Serves the app of one metric; `app.py --help` says how."""

from typing import Annotated

import typer

import textgauge

from ..reading.further_packages import needed_by
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
            help="For perplexity: a language model that visitors may choose, a folder or a name on the Hub.",
        ),
    ] = None,
    port: Annotated[int | None, typer.Option(help="By default the first free port from 7860 on.")] = None,
) -> None:
    """Serve the app of one metric: texts, options, scores, explanations. It needs gradio.

    Visitors cannot name files or models of this machine. Rows, texts, uploads and time are limited.
    """
    with messages():
        with needed_by("the app", extra="app"):
            from ..app.server import MetricApp, launch
        launch(MetricApp(textgauge.load(metric), textgauge.CARDS / metric, model), server_port=port)
