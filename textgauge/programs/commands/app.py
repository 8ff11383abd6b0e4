"""Serves the app of one metric; `app.py --help` says how."""

from typing import Annotated

import typer

import textgauge

from ..reading.further_packages import needed_by
from ..scoring.console import messages

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    metric: Annotated[str, typer.Option("-m", "--metric", metavar="NAME", help="Name of the metric.")],
    port: Annotated[int | None, typer.Option(help="By default the first free one from 7860.")] = None,
) -> None:
    """Serve the app of one metric, with the packages of requirements-app.txt: texts, options, scores, explanations."""
    with messages():
        with needed_by("the app", requirements="requirements-app.txt"):
            from ..app.server import MetricApp, launch
        launch(MetricApp(textgauge.load(metric), textgauge.CARDS / metric), server_port=port)
