"""Measures which setting of a metric fits a task, on data that you name; `--help` says how."""

from typing import Annotated

import typer

from textgauge.core.errors import input_errors_of
from textgauge.core.progress import tqdm
from textgauge.programs.reading.corpora import table_corpora
from textgauge.programs.reading.corpus import Corpus, check_corpus
from textgauge.programs.reading.named_columns import NamedColumns
from textgauge.programs.scoring.commands import messages
from textgauge.programs.scoring.console import run
from textgauge.programs.scoring.options import Data, OtherColumns, Split
from textgauge.programs.scoring.people import against_people, scores_by_label
from textgauge.programs.scoring.specs import Scorer, load_scorers

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback()
def main() -> None:
    """Measure which setting of a metric fits a task."""


@app.command("correlation")
def measure_correlation(
    data: Data,
    prediction_column: Annotated[str, typer.Option(metavar="NAME", help="Column with predictions.")],
    reference_column: Annotated[list[str], typer.Option(metavar="NAME", help="Column with references; repeatable.")],
    human_column: Annotated[str, typer.Option(metavar="NAME", help="Column with a person's score.")],
    metric: Annotated[list[str], typer.Option("-m", "--metric", metavar="SPEC", help="As score.py takes it.")],
    column: OtherColumns = None,
    split: Split = None,
) -> None:
    """Pearson's correlation of segment scores with a person's, for each setting, as a Markdown table.

    Intervals: 0.95, from 1,000 resamples of the segments, the same ones for all settings. Segments where a score is
    undefined are left out, and counted.
    """
    with messages():
        scorers = load_scorers(metric, None)
        human = [f"{prediction_column}={human_column}"]
        corpus = next(
            table_corpora(data, split, NamedColumns([prediction_column], reference_column, human, column or []), None)
        )
        check_corpus(corpus, scorers)
        lines = [line for scorer in tqdm(scorers, delay=2, leave=False) for line in _correlations(scorer, corpus)]
    typer.echo(f"| setting (n = {corpus.size}) | Pearson | interval |\n|---|--:|---|\n" + "".join(lines), nl=False)


def _correlations(scorer: Scorer, corpus: Corpus) -> list[str]:
    """Returns a line of the table for each score of a metric."""
    ((system, truth),) = corpus.human.items()
    lines = []
    for label, scores in scores_by_label(scorer, corpus.columns_of(scorer.metric, system)).items():
        with input_errors_of(scorer.label):
            result = against_people(scores, truth)
        low, high = result["confidence_interval"]
        undefined = corpus.size - result["rows"]
        left_out = f" ({undefined} undefined)" if undefined else ""
        lines.append(f"| {label}{left_out} | {result['pearson']:.3f} | {low:.3f} to {high:.3f} |\n")
    return lines


if __name__ == "__main__":
    run(app)
