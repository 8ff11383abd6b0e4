"""Scores files with the metrics of this repository, without writing code; `score.py --help` says how."""

import contextlib
import functools
from collections.abc import Callable
from collections.abc import Sequence
from pathlib import Path

import typer
from evaluate.utils import logging

from comparing.engine import Outcome
from comparing.engine import Settings
from comparing.engine import compare
from comparing.people import people_of
from comparing.tables import print_groups
from comparing.tables import print_verdict
from reading.compressed import UTF8
from reading.corpus import Corpus
from reading.corpus import check_rows
from reading.corpus import count_empty
from reading.option_values import per_segment as per_segment_option
from reporting.origin import RecordingCommand
from reporting.origin import command_line
from reporting.origin import versions
from scoring.checkpoints import Checkpoint
from scoring.commands import choose_scorers
from scoring.commands import find_corpora
from scoring.commands import messages
from scoring.commands import print_empty
from scoring.commands import run
from scoring.explanations import print_explanations
from scoring.options import CheckpointFolder
from scoring.options import Confidence
from scoring.options import CsvFile
from scoring.options import Data
from scoring.options import Encoding
from scoring.options import Explained
from scoring.options import Groups
from scoring.options import HtmlFile
from scoring.options import HumanColumns
from scoring.options import HumanLower
from scoring.options import JsonFile
from scoring.options import MetricHelp
from scoring.options import Metrics
from scoring.options import NoConfidence
from scoring.options import OtherColumns
from scoring.options import PerSegment
from scoring.options import PredictionColumns
from scoring.options import Predictions
from scoring.options import ReferenceColumns
from scoring.options import References
from scoring.options import SegmentFile
from scoring.options import Shown
from scoring.options import Split
from scoring.options import Stream
from scoring.options import Workers
from scoring.outputs import STDOUT
from scoring.outputs import Results
from scoring.outputs import by_headline
from scoring.outputs import check_targets
from scoring.outputs import csv_text
from scoring.outputs import json_text
from scoring.outputs import write_files
from scoring.specs import Scorer
from scoring.specs import load_metric
from scoring.streams import BATCH
from scoring.streams import describe_run
from scoring.streams import score_stream
from scoring.tables import print_help
from scoring.tables import print_scores

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


_RESAMPLES, _TRIALS, _SEED = 1000, 10_000, 12345  # of the comparison, as compare.py has them by default


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
    segments: Shown = 100,
    explain: Explained = None,
    stream: Stream = False,
    workers: Workers = 1,
    segment_file: SegmentFile = None,
    checkpoint: CheckpointFolder = None,
) -> None:
    """Score the output of one or several systems with one or several metrics.

    Without files it scores the bundled Spanish-Korean sample, with the ranks that translators gave beside the scores.

    \b
    score.py -p google=google.txt -p kakao.txt -r reference.txt -m bleu:tokenizer=char
    score.py -d news.jsonl --prediction-column kakao --reference-column ko --html report.html

    JSON: {"systems": {system: {metric: result}}}; a result is all that the metric returns, and its signature; with
    --group-by also "groups": [{"group", "segments", "systems"}]. An undefined score is null. CSV: system, metric,
    score, low, high, signature, and the columns of --group-by; with --per-segment system, metric, segment, score. Bad
    input or options: a message, exit code 2, and no file is written or changed.
    """
    with messages():
        if help_metric is not None:
            print_help(load_metric(help_metric))
            raise typer.Exit
        if segment_file == STDOUT:
            raise ValueError("--segment-file - : a Parquet file is not for a terminal; pass the name of a file")
        check_targets([path for path in (json, csv, html, segment_file) if path])
        names = (prediction_column or [], reference_column or [], human_column or [], column or [])
        corpora = find_corpora(predictions or [], references or [], data, split, names, encoding, group_by or [])
        is_stream = stream or workers > 1 or segment_file is not None or checkpoint is not None
        if is_stream and (html or per_segment or human_column or explain or group_by):
            needing = "--html, --per-segment, --human-column, --group-by and --explain need"
            raise ValueError(f"{needing} all texts at once; leave out --stream")
        corpus = next(corpora(BATCH if is_stream else None))
        if is_stream and corpus.clusters:
            raise ValueError("clusters need all texts at once; leave out --stream")
        if human_lower_is_better:
            corpus = corpus._replace(is_human_lower_better=True)
        scorers = choose_scorers(corpus, metric, None if no_confidence else confidence)
        check_rows(corpus, explain or [])
        with _checkpoint(checkpoint, segment_file, corpus, scorers, encoding) as kept:
            if is_stream:
                results, empty = score_stream(lambda: corpora(BATCH), scorers, workers, kept)
            else:
                empty = count_empty(corpus, {})
                results = score_corpus(corpus, scorers, per_segment=per_segment or html is not None)
            outcome = _compare(corpus, scorers, None if no_confidence else confidence, html, group_by)
            columns = by_headline(scorers, results)
            report = functools.partial(_report, corpus, *columns, segments, outcome, command_line(context, "score.py"))
            printed = _write((json, csv, html), corpus, results, columns, per_segment, outcome, report)
    print_empty(empty)
    if printed is not None:
        typer.echo(printed, nl=False)
    else:
        if outcome and outcome.comparisons:
            print_verdict(outcome)
        print_scores(corpus, *columns, with_segments=per_segment and not json and not csv)
        if outcome and outcome.groups:
            print_groups(outcome)
        print_explanations(corpus, scorers, [number - 1 for number in explain or []])


def score_corpus(corpus: Corpus, scorers: Sequence[Scorer], per_segment: bool) -> Results:
    """Returns the result of each metric for each system, with its signature."""
    work = [(system, scorer) for system in corpus.systems for scorer in scorers]
    results: Results = {system: {} for system in corpus.systems}
    for system, scorer in logging.tqdm(work, desc="scoring", unit="score", delay=2, leave=False):
        given = corpus.columns_of(scorer.metric, system)
        asked = per_segment_option(scorer.metric) if per_segment else {}
        try:
            result = scorer.metric.compute(**given, **{**scorer.options, **asked})
        except ValueError as error:
            raise ValueError(f"{scorer.label}, {system}: {error}") from None
        signature = scorer.metric.signature(references=given.get("references"), **scorer.options)
        results[system][scorer.label] = {**result, "signature": signature}
    return results


def _compare(
    corpus: Corpus,
    scorers: Sequence[Scorer],
    confidence: float | None,
    html: Path | None,
    group_by: Sequence[str] | None,
) -> Outcome | None:
    """Returns what is found of groups, and for a report the comparison of the systems; None without both."""
    if not group_by and (not html or confidence is None):
        return None
    settings = Settings(None, confidence, _RESAMPLES, _TRIALS, _SEED)
    people = people_of(corpus)
    outcome = compare(corpus, [*scorers, *people], settings, with_partial=not group_by)
    return outcome if outcome and len(outcome.columns) > len(people) else None


def _checkpoint(
    folder: Path | None, segment_file: Path | None, first: Corpus, scorers: Sequence[Scorer], encoding: str
) -> contextlib.AbstractContextManager[Checkpoint | None]:
    """Returns where the run keeps what is done, if it does."""
    if folder is None and segment_file is None:
        return contextlib.nullcontext()
    folder = folder or segment_file.with_name(f"{segment_file.name}.checkpoint")
    return Checkpoint(folder, {**describe_run(first, scorers), "encoding": encoding}, segment_file)


def _write(
    targets: tuple[Path | None, Path | None, Path | None],
    corpus: Corpus,
    results: Results,
    columns: tuple[list[Scorer], Results],
    per_segment: bool,
    outcome: Outcome | None,
    report: Callable[[], str],
) -> str | None:
    """Writes all files that are asked for, and returns the text for the terminal if one of them is "-"."""
    texts = {}
    json, csv, html = targets
    if json:
        texts[json] = json_text(corpus, results, per_segment, outcome.groups if outcome else [])
    if csv:
        texts[csv] = csv_text(corpus, columns[1], per_segment, outcome.groups if outcome else [])
    if html:
        texts[html] = report()
    write_files(texts)
    return texts.get(STDOUT)


def _report(
    corpus: Corpus, columns: Sequence[Scorer], results: Results, segments: int, outcome: Outcome | None, command: str
) -> str:
    """Returns the report as HTML."""
    from reporting.report import report_html  # matplotlib takes a while to load

    return report_html(corpus, columns, results, segments, outcome, {"command": command, "versions": versions()})


if __name__ == "__main__":
    run(app)
