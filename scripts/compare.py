"""Compares systems by the metrics of this repository, with tests of significance; `compare.py --help` says how."""

from collections.abc import Sequence
from pathlib import Path

import typer

from comparing.engine import Outcome
from comparing.engine import Settings
from comparing.engine import compare
from comparing.gates import failures
from comparing.gates import parse_gates
from comparing.options import Baseline
from comparing.options import FailBelow
from comparing.options import HtmlFile
from comparing.options import JsonFile
from comparing.options import LatexFile
from comparing.options import MarkdownFile
from comparing.options import Resamples
from comparing.options import Seed
from comparing.options import Trials
from comparing.tables import print_comparisons
from comparing.tables import print_verdict
from comparing.texts import json_text
from comparing.texts import latex_text
from comparing.texts import markdown_text
from reading.compressed import UTF8
from reading.corpus import Corpus
from reading.corpus import count_empty
from reporting.origin import RecordingCommand
from reporting.origin import command_line
from reporting.origin import versions
from scoring.commands import choose_scorers
from scoring.commands import find_corpora
from scoring.commands import messages
from scoring.commands import print_empty
from scoring.commands import run
from scoring.options import Confidence
from scoring.options import Data
from scoring.options import Encoding
from scoring.options import Groups
from scoring.options import Metrics
from scoring.options import OtherColumns
from scoring.options import PredictionColumns
from scoring.options import Predictions
from scoring.options import ReferenceColumns
from scoring.options import References
from scoring.options import Split
from scoring.outputs import STDOUT
from scoring.outputs import check_targets
from scoring.outputs import write_files
from scoring.specs import Scorer
from scoring.tables import print_scores

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=RecordingCommand)
def main(
    context: typer.Context,
    predictions: Predictions = None,
    references: References = None,
    data: Data = None,
    split: Split = None,
    encoding: Encoding = UTF8,
    prediction_column: PredictionColumns = None,
    reference_column: ReferenceColumns = None,
    column: OtherColumns = None,
    group_by: Groups = None,
    metric: Metrics = None,
    baseline: Baseline = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 1000,
    trials: Trials = 10_000,
    seed: Seed = 12345,
    fail_below: FailBelow = None,
    markdown: MarkdownFile = None,
    latex: LatexFile = None,
    json: JsonFile = None,
    html: HtmlFile = None,
) -> None:
    """Compare two or more systems with one or several metrics: is the difference more than chance?

    Without files it compares the two systems of the bundled Spanish-Korean sample.

    \b
    compare.py -p old=old.txt -p new=new.txt -r reference.txt -m bleu -m cer --html report.html
    compare.py -p old=old.txt -p new=new.txt -r reference.txt --baseline old --fail-below bleu=baseline

    JSON: {"settings", "systems": {system: {score: result}}, "comparisons": [one per score and pair], "verdict",
    "failures"}, and with --group-by "groups": [{"group", "segments", "systems", "comparisons"}]; what is undefined is
    null. Exit codes: 1 where --fail-below fails (files are written), 2 for bad input or options (a
    message, and no file is written or changed).
    """
    with messages():
        check_targets([path for path in (markdown, latex, json, html) if path])
        gates = parse_gates(fail_below or [], baseline)
        names = (prediction_column or [], reference_column or [], [], column or [])
        corpus = next(
            find_corpora(predictions or [], references or [], data, split, names, encoding, group_by or [])(None)
        )
        settings = Settings(baseline, confidence, resamples, trials, seed)
        outcome = compare(corpus, _load_scorers(corpus, metric, settings), settings)
        failed = failures(gates, outcome)
        printed = _write((markdown, latex, json, html), outcome, failed, command_line(context, "compare.py"))
    print_empty(count_empty(corpus, {}))
    if printed is not None:
        typer.echo(printed, nl=False)
    else:
        print_verdict(outcome)
        print_scores(corpus, outcome.columns, outcome.results, with_segments=False)
        print_comparisons(outcome)
    for message in failed:
        typer.echo(f"failed: {message}", err=True)
    if failed:
        raise typer.Exit(1)


def _load_scorers(corpus: Corpus, specs: Sequence[str] | None, settings: Settings) -> list[Scorer]:
    """Returns the metrics, checked against the corpus, which must have two systems and the baseline."""
    if settings.baseline is not None and settings.baseline not in corpus.systems:
        raise ValueError(f"--baseline {settings.baseline}: the systems are {', '.join(corpus.systems)}")
    if len(corpus.systems) < 2:
        raise ValueError(f"there is one system, {next(iter(corpus.systems))}; a comparison needs two")
    scorers = []
    for scorer in choose_scorers(corpus, specs, settings.confidence):
        own = {name for name in ("resamples", "seed", "per_segment") if name in scorer.options}
        if own or scorer.options["confidence"] != settings.confidence:
            name = next(iter(sorted(own)), "confidence")
            raise ValueError(f"--metric {scorer.label}: {name} is the same for all metrics here; pass --{name}")
        options = {"resamples": settings.resamples, "seed": settings.seed}
        scorers.append(scorer._replace(options={**scorer.options, **options}))
    return scorers


def _write(
    targets: tuple[Path | None, Path | None, Path | None, Path | None],
    outcome: Outcome,
    failed: Sequence[str],
    command: str,
) -> str | None:
    """Writes all files that are asked for, and returns the text for the terminal if one of them is "-"."""
    texts = {}
    markdown, latex, json, html = targets
    if markdown:
        texts[markdown] = markdown_text(outcome)
    if latex:
        texts[latex] = latex_text(outcome)
    if json:
        texts[json] = json_text(outcome, failed)
    if html:
        from comparing.report import report_html  # matplotlib takes a while to load

        texts[html] = report_html(outcome, failed, {"command": command, "versions": versions()})
    write_files(texts)
    return texts.get(STDOUT)


if __name__ == "__main__":
    run(app)
