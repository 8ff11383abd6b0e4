"""Scores files with the metrics of this repository, without writing code; `score.py --help` says how."""

import typer

from ..reporting.origin import command_line
from ..saying.texts import speaking
from ..scoring.options import ScoreOptions
from .dataclass_options import takes_options
from .unknown_options import FileCommand

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command(cls=FileCommand)
@takes_options
def main(context: typer.Context, options: ScoreOptions) -> None:
    """Score the output of one or several systems with one or several metrics.

    Without files, the command scores the bundled Spanish-Korean sample, and shows translators' ranks beside the scores.

    \b
    textgauge score -p google=google.txt -p kakao.txt -r reference.txt -m bleu:tokenizer=char
    textgauge score -d news.jsonl --prediction-column kakao --reference-column ko --html report.html
    textgauge score -p new.txt -r reference.txt -m cer --fail-below cer=0.1

    JSON: {"program", "systems": {system: {metric: result}}}. A result has everything that the metric returns and its
    signature. Error rates also have errors, {"kinds": [[kind, edits, share, rate without them]], "looping_segments",
    "inserted_segments", "unread_segments", "heaviest_segment": [number, share]}, and hidden_signs, segments that differ
    only in marks inside numbers. With --group-by there is also "groups": [{"group", "segments", "systems"}]. An
    undefined score is null. CSV: system, metric, score, low, high, signature, and the columns of --group-by; with
    --per-segment: system, metric, segment, score. Exit codes: 1 if --fail-below fails (files are written, and JSON has
    "failures"), 2 for bad input or options (the command prints a message, and writes or changes no file).
    """
    from .score_job import score_files  # what it imports takes a second to load, which --help does without

    with speaking(options.language.value):
        score_files(options, command_line(context, "score.py"))
