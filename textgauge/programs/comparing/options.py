"""The options that only compare.py has: kinds, defaults and help."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..scoring.options import MetricOptions


def _file(name: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(name, metavar="FILE", help=text)


@dataclass(frozen=True, kw_only=True)
class CompareOptions(MetricOptions):
    """What a call of compare.py says."""

    results: Annotated[
        list[Path] | None,
        typer.Option(
            "--results",
            metavar="FILE",
            help="What --json wrote, in place of outputs: say whether the scores can be compared, and what in their "
            "signatures differs. Repeat it. Exit code 1 where something does; nothing is tested.",
        ),
    ] = None
    rows: Annotated[
        list[Path] | None,
        typer.Option(
            "--rows",
            metavar="FILE_OR_FOLDER",
            help="What score.py --rows wrote, in place of outputs: the same scores and tests, without the texts. "
            "Repeat it, or pass the folder of all systems.",
        ),
    ] = None
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", metavar="SYSTEM", help="Compare all others with this one; else every pair is compared."
        ),
    ] = None
    resamples: Annotated[int, typer.Option("--resamples", min=1, help="Of the bootstrap, for intervals and p BS.")] = (
        1000
    )
    trials: Annotated[
        int | None,
        typer.Option(
            "--trials", min=1, help="Of approximate randomisation, for p AR; as many as the tests need by default."
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of all random draws.")] = 12345
    fail_below: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-below",
            metavar="METRIC=WHAT",
            help="End with exit code 1 where a system other than the baseline scores worse than this: bleu=0.3 (for "
            "error rates: above it), or bleu=baseline, significantly worse than the baseline; METRIC is a column, or "
            "the key of its score, such as rouge1. May be repeated. A test at 0.05 repeated while the data grow "
            "fails equal systems far more often: .25 in 20 looks.",
        ),
    ] = None
    markdown: Annotated[
        Path | None,
        _file("--markdown", "Write the tables as Markdown; - prints them in place of those for the terminal."),
    ] = None
    latex: Annotated[Path | None, _file("--latex", "Write the tables as LaTeX, for the package booktabs; or -.")] = None
    json: Annotated[Path | None, _file("--json", "Write all numbers as JSON; or -.")] = None
    html: Annotated[Path | None, _file("--html", "Write a report: tables, and the differences drawn.")] = None
