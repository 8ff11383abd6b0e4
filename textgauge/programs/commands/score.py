"""Scores files with the metrics of this repository, without writing code; `score.py --help` says how."""

import typer

from ..drawing.texts import speaking
from ..reading.compressed import UTF8
from ..reporting.origin import RecordingCommand, command_line
from ..scoring.options import (
    ENGLISH,
    AlignSegments,
    App,
    CheckpointFolder,
    Confidence,
    CsvFile,
    Data,
    Encoding,
    Explained,
    Groups,
    HtmlFile,
    HumanColumns,
    HumanLower,
    IdColumn,
    JsonFile,
    Language,
    MetricHelp,
    Metrics,
    NoConfidence,
    OtherColumns,
    PerSegment,
    PredictionColumns,
    Predictions,
    ReferenceColumns,
    References,
    ScoreOptions,
    SegmentFile,
    Shown,
    Split,
    Stream,
    Workers,
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
    human_column: HumanColumns = None,
    human_lower_is_better: HumanLower = False,
    column: OtherColumns = None,
    group_by: Groups = None,
    metric: Metrics = None,
    help_metric: MetricHelp = None,
    confidence: Confidence = 0.95,
    no_confidence: NoConfidence = False,
    per_segment: PerSegment = False,
    json: JsonFile = None,
    csv: CsvFile = None,
    html: HtmlFile = None,
    app: App = None,
    segments: Shown = 100,
    explain: Explained = None,
    stream: Stream = False,
    workers: Workers = 1,
    segment_file: SegmentFile = None,
    checkpoint: CheckpointFolder = None,
    language: Language = ENGLISH,
) -> None:
    """Score the output of one or several systems with one or several metrics.

    Without files it scores the bundled Spanish-Korean sample, with the ranks that translators gave beside the scores.

    \b
    textgauge score -p google=google.txt -p kakao.txt -r reference.txt -m bleu:tokenizer=char
    textgauge score -d news.jsonl --prediction-column kakao --reference-column ko --html report.html

    JSON: {"systems": {system: {metric: result}}}; a result is all that the metric returns, its signature, and of error
    rates errors, {"kinds": [[kind, edits, share, rate without them]], "looping_segments", "inserted_segments",
    "heaviest_segment": [number, share], "notations": [[choice, signs in the prediction, in the reference]]}, and
    hidden_signs, segments that differ only in marks inside numbers; with --group-by also "groups": [{"group",
    "segments", "systems"}]. An undefined score is null. CSV: system, metric,
    score, low, high, signature, and the columns of --group-by; with --per-segment system, metric, segment, score. Bad
    input or options: a message, exit code 2, and no file is written or changed.
    """
    options = ScoreOptions(**locals())
    from ..scoring.job import score_files  # what it imports takes a second to load, which --help does without

    with speaking(language.value):
        score_files(options, command_line(context, "score.py"))
