"""Computes published scores again from their signatures, and says whether they are the same; see --help."""

from pathlib import Path
from typing import Annotated

import typer

from ..scoring.console import messages
from ..scoring.options import InputOptions
from .dataclass_options import takes_options
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=Command)
@takes_options
def main(
    results: Annotated[Path, typer.Argument(metavar="FILE", help="A result of .eval_results, as YAML.")],
    files: InputOptions,
    allow_models: Annotated[
        bool, typer.Option("--allow-models", help="Load a model that the signature names: a folder, or from the Hub.")
    ] = False,
) -> None:
    """Compute a published score again from its signature, and say whether it is the same.

    \b
    textgauge verify .eval_results/my-team-news-default-cer.yaml -p outputs.txt -r references.txt

    Exit code 0: equal, or equal to the decimals that were published; 1: not equal; 2: it cannot be computed, and the
    message says why: the signature only names a table or a function, or a model without --allow-models, or is of
    another version or of other references, or the files cannot be read.
    """
    from ..publishing.verifying import NOT_EQUAL, computed_again, read_published, sameness

    with messages():
        pairs = [(published, computed_again(published, files, allow_models)) for published in read_published(results)]
    said = [sameness(published, ours) for published, ours in pairs]
    for word, (published, ours) in zip(said, pairs, strict=True):
        name = f"{published.metric} {published.key}" if published.key else published.metric
        written = f"{published.written}%" if published.is_percent else published.written
        typer.echo(f"{word}: {name} is {written} in {results}, and {ours!r} of these files")
        typer.echo(published.signature)
    if NOT_EQUAL in said:
        raise typer.Exit(1)
