"""Compares systems by the metrics of this repository, with tests of significance; `compare.py --help` says how."""

import typer

from ..comparing.options import (
    Baseline,
    CompareOptions,
    FailBelow,
    HtmlFile,
    JsonFile,
    LatexFile,
    MarkdownFile,
    Resamples,
    Results,
    Seed,
    Trials,
)
from ..drawing.texts import speaking
from ..reading.compressed import UTF8
from ..reporting.origin import RecordingCommand, command_line
from ..scoring.options import (
    ENGLISH,
    AlignSegments,
    App,
    Confidence,
    Data,
    Encoding,
    Groups,
    IdColumn,
    Language,
    Metrics,
    OtherColumns,
    PredictionColumns,
    Predictions,
    ReferenceColumns,
    References,
    Split,
)

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
    id_column: IdColumn = None,
    align_segments: AlignSegments = None,
    column: OtherColumns = None,
    group_by: Groups = None,
    metric: Metrics = None,
    results: Results = None,
    baseline: Baseline = None,
    confidence: Confidence = 0.95,
    resamples: Resamples = 1000,
    trials: Trials = None,
    seed: Seed = 12345,
    fail_below: FailBelow = None,
    markdown: MarkdownFile = None,
    latex: LatexFile = None,
    json: JsonFile = None,
    html: HtmlFile = None,
    app: App = None,
    language: Language = ENGLISH,
) -> None:
    """Compare two or more systems with one or several metrics: is the difference more than chance?

    Without files it compares the two systems of the bundled Spanish-Korean sample.

    \b
    textgauge compare -p old=old.txt -p new=new.txt -r reference.txt -m bleu -m cer --html report.html
    textgauge compare -p old=old.txt -p new=new.txt -r reference.txt --baseline old --fail-below bleu=baseline

    JSON: {"settings", "systems": {system: {score: result}}, "comparisons": [one per score and pair], "verdict",
    "failures"}; with --group-by also "groups": [{"group", "segments", "systems", "comparisons"}], from three systems on
    "ranks": [{"metric", "system", "rank", "confidence_interval", "probability_first", "tier"}], and of several runs
    "runs": {system: {score: {"scores", "confidence_interval"}}}; what is undefined is null. Exit codes: 1 where
    --fail-below fails (files are written), 2 for bad input or options (a message, and no file is written or changed).
    """
    options = CompareOptions(**locals())
    from ..comparing.job import compare_files  # what it imports takes a second to load, which --help does without

    with speaking(language.value):
        compare_files(options, command_line(context, "compare.py"))
