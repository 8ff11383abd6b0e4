"""Measures which setting of a metric fits a task, on data that you name; `--help` says how."""

from typing import Annotated

import numpy as np
import typer
from evaluate.utils.logging import tqdm

from metric_functions import check_tokenizer
from metric_functions import pearson as pearson_of_groups
from metric_functions import percentile_interval
from scoring.commands import messages
from scoring.commands import run
from scoring.option_values import per_segment
from scoring.options import Data
from scoring.options import OtherColumns
from scoring.options import Split
from scoring.specs import Scorer
from scoring.specs import load_scorers
from scoring.systems import Corpus
from scoring.systems import check_corpus
from scoring.systems import table_corpora
from weighing.picking import PICKERS
from weighing.picking import picked
from weighing.picking import read_styles

_RESAMPLES, _SEED, _LEVEL = 1000, 12345, 0.95

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


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
        corpus = next(table_corpora(data, split, [prediction_column], reference_column, human, column or [], None))
        check_corpus(corpus, scorers)
        truth = np.array(corpus.human[prediction_column])
        lines = [
            line for scorer in tqdm(scorers, delay=2, leave=False) for line in _correlations(scorer, corpus, truth)
        ]
    typer.echo(f"| setting (n = {len(truth)}) | Pearson | interval |\n|---|--:|---|\n" + "".join(lines), nl=False)


def _correlations(scorer: Scorer, corpus: Corpus, truth: np.ndarray) -> list[str]:
    """Returns a line of the table for each score of a metric."""
    if not per_segment(scorer.metric):
        raise ValueError(f"{scorer.label} has no scores of segments")
    (predictions,) = corpus.systems.values()
    given = {"predictions": predictions.values, **corpus.columns_of(scorer.metric)}
    result = scorer.metric.compute(**given, **{**scorer.options, "per_segment": True})
    lines = []
    for key, prefix in scorer.metric.headlines(result).items():
        scores = np.array(result[f"{prefix}segments"], dtype=np.float64)
        is_defined = np.isfinite(scores)
        both = np.column_stack([scores, truth])[is_defined]
        if not len(both):
            raise ValueError(f"{scorer.label}: the score of every segment is undefined")
        low, high = percentile_interval(pearson(both[draws(len(both))]), _LEVEL)
        left_out = f" ({(~is_defined).sum()} undefined)" if not is_defined.all() else ""
        name = scorer.label if not prefix else scorer.label.replace(scorer.metric.name, key, 1)
        lines.append(f"| {name}{left_out} | {pearson(both):.3f} | {low:.3f} to {high:.3f} |\n")
    return lines


def draws(size: int) -> np.ndarray:
    """Returns rows drawn with replacement, (resamples, size); always the same ones."""
    return np.random.default_rng(_SEED).integers(size, size=(_RESAMPLES, size))


def pearson(pairs: np.ndarray) -> np.ndarray:
    """Returns the correlation of the two columns of (..., n, 2); nan where one is constant."""
    one_group, ones = np.zeros(1, dtype=np.int64), np.ones(pairs.shape[:-1])
    return pearson_of_groups(*np.moveaxis(pairs, -1, 0), one_group, ones)[..., 0]


def accuracy(hits: np.ndarray) -> np.ndarray:
    """Returns the mean of what is defined in (..., rows, personas); nan where nothing is."""
    with np.errstate(invalid="ignore"):
        return np.nansum(hits, axis=(-2, -1)) / (~np.isnan(hits)).sum(axis=(-2, -1))


@app.command("picking")
def measure_picking(
    data: Data,
    plain_column: Annotated[str, typer.Option(metavar="NAME", help="Column with the plain sentence.")],
    persona_column: Annotated[list[str], typer.Option(metavar="NAME", help="Column of a persona; at least two.")],
    split: Split = None,
    tokenizer: Annotated[str, typer.Option("-t", "--tokenizer", metavar="NAME")] = "char",
    max_order: Annotated[int, typer.Option(min=1, max=9)] = 2,
    max_tokens: Annotated[int, typer.Option(min=1, max=9, help="Longest phrase with a weight.")] = 3,
    examples: Annotated[int, typer.Option(min=0, help="Sentences of the persona among the references.")] = 20,
    rows: Annotated[int, typer.Option(min=2, help="Rows of the second half to test on.")] = 200,
) -> None:
    """How often a metric picks the sentence with the wanted persona among all personas' versions of it.

    Weights and examples come from the first half of the table, the sentences from the second. The references are the
    plain sentence and the examples; the metric picks the version with the best score. Intervals: 0.95, from 1,000
    resamples of the rows. An empty cell is a persona that the row lacks.
    """
    with messages():
        check_tokenizer(tokenizer)
        table = read_styles(data, split, [plain_column, *persona_column])
        hits = picked(table, tokenizer, max_order=max_order, max_tokens=max_tokens, n_examples=examples, n_rows=rows)
    lines = []
    for name, of_rows in zip(PICKERS, hits, strict=True):
        low, high = percentile_interval(accuracy(of_rows[draws(len(of_rows))]), _LEVEL)
        lines.append(f"| {name} | {accuracy(of_rows):.3f} | {low:.3f} to {high:.3f} |\n")
    head = (
        f"| setting ({len(persona_column)} personas, {len(hits[0])} sentences) | accuracy | interval |\n|---|--:|---|\n"
    )
    typer.echo(head + "".join(lines), nl=False)


if __name__ == "__main__":
    run(app)
