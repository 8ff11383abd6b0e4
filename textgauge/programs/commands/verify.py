"""Computes published scores again from their signatures, and says whether they are the same; see --help."""

from pathlib import Path
from typing import Annotated

import typer

from ..reading.compressed import UTF8
from ..scoring.console import messages
from ..scoring.options import (
    AlignSegments,
    Data,
    Encoding,
    IdColumn,
    InputOptions,
    OtherColumns,
    PredictionColumns,
    Predictions,
    ReferenceColumns,
    References,
    Split,
)

AllowModels = Annotated[
    bool, typer.Option("--allow-models", help="Load a model that the signature names: a folder, or from the Hub.")
]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    results: Annotated[Path, typer.Argument(metavar="FILE", help="A result of .eval_results, as YAML.")],
    predictions: Predictions = None,
    references: References = None,
    data: Data = None,
    split: Split = None,
    encoding: Encoding = UTF8,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    id_column: IdColumn = None,
    align_segments: AlignSegments = None,
    column: OtherColumns = None,
    allow_models: AllowModels = False,
) -> None:
    """Compute a published score again from its signature, and say whether it is the same.

    \b
    textgauge verify .eval_results/my-team-news-default-cer.yaml -p outputs.txt -r references.txt

    Exit code 0: equal, or equal to the decimals that were published; 1: not equal; 2: it cannot be computed, and the
    message says why: the signature only names a table or a function, or a model without --allow-models, or is of
    another version or of other references, or the files cannot be read.
    """
    files = InputOptions(**{name: value for name, value in locals().items() if name not in ("results", "allow_models")})
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
