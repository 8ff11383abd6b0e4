"""Computes published scores again from their signatures, and tells whether they are the same; see --help."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import InputError
from ..scoring.console import messages
from ..scoring.options import InputOptions
from .dataclass_options import takes_options
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=Command)
@takes_options
def main(
    results: Annotated[Path, typer.Argument(metavar="FILE", help="A YAML file of .eval_results.")],
    files: InputOptions,
    rows: Annotated[
        Path | None,
        typer.Option(
            "--rows",
            metavar="FILE",
            help="Rows of the system saved with score.py --rows, if the texts are secret.",
        ),
    ] = None,
    allow_models: Annotated[
        bool, typer.Option("--allow-models", help="Load the model that the signature names, a folder or from the Hub.")
    ] = False,
) -> None:
    """Compute a published score again from its signature, and tell whether it is the same.

    \b
    textgauge verify .eval_results/my-team-news-default-cer.yaml -p outputs.txt -r references.txt
    textgauge verify .eval_results/my-team-news-default-cer.yaml --rows rows.parquet

    Exit code 0: equal, or equal to the published decimals. 1: not equal, or the notes name other references or another
    system's outputs. 2: the score cannot be computed, and the message says why: the signature only names a table, a
    function, or a model without --allow-models; it has another version or another number of references; or the files
    cannot be read. The notes of older results do not name the data.
    """
    from ..publishing.verifying import NOT_EQUAL, computed_again, computed_of_rows, data_lines, read_published, sameness

    with messages():
        scores = read_published(results)
        if rows is None:
            found = [computed_again(published, files, allow_models) for published in scores]
        elif files != InputOptions():
            raise InputError("--rows replaces outputs and references; leave those out")
        else:
            found = computed_of_rows(scores, rows)
    is_same = True
    for published, again in zip(scores, found, strict=True):
        word = sameness(published, again.score)
        is_equal = word != NOT_EQUAL
        lines, is_of_other_data = data_lines(published, again.data, is_equal)
        name = f"{published.metric} {published.key}" if published.key else published.metric
        written = f"{published.written}%" if published.is_percent else published.written
        typer.echo(f"{word}: {name} is {written} in {results}, and {again.score!r} of these files")
        for line in (*lines, published.signature):
            typer.echo(line)
        is_same = is_same and is_equal and not is_of_other_data
    if not is_same:
        raise typer.Exit(1)
