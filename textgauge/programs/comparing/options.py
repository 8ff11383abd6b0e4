"""The options that only compare.py has: kinds, defaults and help."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..scoring.options import MetricOptions, option


@dataclass(frozen=True, kw_only=True)
class CompareOptions(MetricOptions):
    """The options of a call of compare.py."""

    rows: Annotated[
        list[Path] | None,
        typer.Option(
            "--rows",
            metavar="FILE_OR_FOLDER",
            help="Compare rows saved with score.py --rows, instead of outputs: the same scores and tests, without "
            "the texts. May be repeated; a folder holds the rows of all systems.",
        ),
    ] = None
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="SYSTEM",
            help="Compare every other system with this one; by default every pair is compared.",
        ),
    ] = None
    resamples: Annotated[
        int, typer.Option("--resamples", min=1, help="Number of bootstrap resamples, for intervals and p BS.")
    ] = 1000
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials",
            min=1,
            help="Number of trials of approximate randomisation, for p AR; by default as many as the tests need.",
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", min=0, help="Seed of all random draws.")] = 12345
    fail_below: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-below",
            metavar="METRIC=WHAT",
            help="Exit with code 1 if a system other than the baseline scores worse than this limit: bleu=0.3 (for "
            "error rates: above it), or if it is significantly worse than the baseline: bleu=baseline. METRIC is a "
            "column, or a key of its score, such as rouge1. May be repeated. A test at 0.05 that is repeated while "
            "the data grow fails equal systems far more often: .25 in 20 looks.",
        ),
    ] = None
    html: Annotated[
        Path | None,
        option("--html", metavar="OUTPUT_FILE", text="Write a report: tables, and plots of the differences."),
    ] = None
