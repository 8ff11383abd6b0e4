"""Checks the sentences of verdicts against the numbers, on comparisons that are made at random; `--help` says how.

Each sentence is read as a reader reads it, in English and in Korean, and what it says is computed anew.
"""

import random
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from lab.verdicts.comparisons import MadeComparison, made_comparison, real_comparison, real_texts
from lab.verdicts.kinds import kind_defects
from lab.verdicts.sentences import sentence_defects
from textgauge.core import progress
from textgauge.programs.comparing.verdict import verdict
from textgauge.programs.scoring.console import run

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def main(
    made: Annotated[int, typer.Option(min=0, help="How many comparisons of texts that are put together.")] = 20_000,
    real: Annotated[int, typer.Option(min=0, help="How many comparisons of bundled outputs.")] = 4_000,
    seed: Annotated[int, typer.Option(help="Of the texts.")] = 1,
) -> None:
    """Make comparisons with groups, scores by people, clusters and ties, and check each sentence of their verdicts.

    Prints how often each kind of sentence occurred, and each defect; ends with code 1 where there is one.
    """
    warnings.simplefilter("ignore")  # made texts are odd on purpose
    progress.hide_off_terminals()
    kinds: Counter[str] = Counter()
    n_defects = 0
    progress_bar = progress.tqdm(comparisons(made, real, seed), total=made + real, delay=2, leave=False)
    for number, comparison in enumerate(progress_bar):
        for defect in _defects(comparison, kinds):
            n_defects += 1
            typer.echo(f"comparison {number}, {', '.join(comparison.labels)}: {defect}")
    counts = ", ".join(f"{kind} {times}" for kind, times in sorted(kinds.items()))
    typer.echo(f"{made} made and {real} real comparisons; sentences: {counts or 'none'}; {n_defects} defects")
    if n_defects:
        raise typer.Exit(1)


def comparisons(made: int, real: int, seed: int) -> Iterator[MadeComparison]:
    """Yields comparisons of texts that are put together, and then those of bundled outputs."""
    generator = random.Random(seed)
    for _ in range(made):
        yield made_comparison(generator)
    texts = real_texts()
    for _ in range(real):
        yield real_comparison(generator, texts)


def _defects(comparison: MadeComparison, kinds: Counter[str]) -> list[str]:
    """Returns what is wrong with a comparison's verdict and kinds of errors; counts the kinds of its sentences."""
    lines = verdict(comparison.outcome).lines
    return [*sentence_defects(comparison.outcome, lines, kinds), *kind_defects(comparison)]


if __name__ == "__main__":
    run(app)
