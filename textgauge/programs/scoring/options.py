"""The options of score.py, and those that it shares with compare.py and verify.py: kinds, defaults and help."""

import enum
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from ..reading.compressed import UTF8
from ..saying.texts import LANGUAGES

_Texts = list[str] | None
Languages = enum.Enum("Languages", {language: language for language in LANGUAGES}, type=str)
ENGLISH = next(iter(Languages))


def _option(*names: str, metavar: str, text: str) -> typer.models.OptionInfo:
    return typer.Option(*names, metavar=metavar, help=text)


Data = Annotated[
    str | None,
    _option(
        "-d",
        "--data",
        metavar="FILE",
        text=(
            "One table with predictions and references: .jsonl, .json, .csv, .tsv (these also .gz, .bz2, .xz, .zst), "
            ".xlsx, .parquet, or a dataset: a folder or a name."
        ),
    ),
]
Split = Annotated[str | None, _option("--split", metavar="NAME", text="Split of the dataset.")]
OtherColumns = Annotated[
    _Texts,
    _option(
        "-c",
        "--column",
        metavar="COLUMN=NAME",
        text="What else a metric takes, such as sources=NAME: a column of --data, or else a text file. A report shows "
        "sources, and ids=NAME as names of the segments; with clusters=NAME (documents, speakers, dialogues) intervals "
        "and tests draw these whole.",
    ),
]


@dataclass(frozen=True, kw_only=True)
class InputOptions:
    """The files of a call."""

    predictions: Annotated[
        _Texts,
        _option(
            "-p",
            "--predictions",
            metavar="[NAME=]FILE",
            text=(
                "One system: a text file, one prediction per line (- is standard input); a table (see --data), whose "
                "one text column is taken, or --prediction-column; .trn, .ctm, .srt, .vtt or Kaldi's `text`. Repeat it "
                "for more systems; compare.py takes a NAME again for more runs (seeds) of that system."
            ),
        ),
    ] = None
    references: Annotated[
        _Texts,
        _option(
            "-r",
            "--references",
            metavar="FILE",
            text=(
                "A text file, one reference per line, a table, .trn, .stm, .srt, .vtt or Kaldi's `text`. Repeat it for "
                "further references of the same segments."
            ),
        ),
    ] = None
    data: Data = None
    split: Split = None
    encoding: Annotated[str, _option("--encoding", metavar="NAME", text="Of text files, such as utf-16 or cp949.")] = (
        UTF8
    )
    prediction_column: Annotated[
        _Texts,
        _option(
            "--prediction-column",
            metavar="NAME",
            text="Column with the predictions of one system. Repeat it for more systems.",
        ),
    ] = None
    reference_column: Annotated[
        _Texts,
        _option(
            "--reference-column",
            metavar="NAME",
            text="Column with references; a cell is a text or a list of texts. May be repeated.",
        ),
    ] = None
    id_column: Annotated[
        str | None,
        _option(
            "--id-column",
            metavar="NAME",
            text="Column by which the rows of several tables are matched; by default "
            '"id" where all have it; "" for none.',
        ),
    ] = None
    align_segments: Annotated[
        str | None,
        _option(
            "--align-segments",
            metavar="UNIT",
            text="Predictions that were cut elsewhere than the references: joined and cut anew where those are, with "
            "the fewest edits of `words` or `characters`. Within each recording of .stm and .ctm files, or each value "
            "of --id-column; else a file is one document.",
        ),
    ] = None
    column: OtherColumns = None
    group_by: ClassVar[_Texts] = None  # these two only some commands have
    human_column: ClassVar[_Texts] = None


@dataclass(frozen=True, kw_only=True)
class MetricOptions(InputOptions):
    """What score.py and compare.py say of files, metrics and results."""

    group_by: Annotated[
        _Texts,
        _option(
            "-g",
            "--group-by",
            metavar="NAME[,NAME]",
            text="Column whose values are also scored apart, such as domain; with text files, that of --column "
            "domain=FILE. May be repeated.",
        ),
    ] = None
    metric: Annotated[
        _Texts,
        _option(
            "-m",
            "--metric",
            metavar="SPEC",
            text="bleu, or with options bleu:tokenizer=char,max_order=2, or the path of a metric's script; with a name "
            "for its scores before it: terms=weighted_bleu:weights=terms.tsv. "
            "A list has a comma: rouge:rouge_types=rouge1, is a list of one. May be repeated; bleu by default.",
        ),
    ] = None
    confidence: Annotated[float, _option("--confidence", metavar="LEVEL", text="Level of the interval.")] = 0.95
    app: Annotated[
        str | None,
        _option(
            "--app",
            metavar="URL",
            text="Where publish.py put the pages of the metrics, such as https://my.host/metrics or "
            "https://my-team-{metric}.static.hf.space: the report links to them, segments with their texts.",
        ),
    ] = None
    percent: Annotated[
        bool,
        typer.Option(
            "--percent",
            help="Print scores that are fractions times 100, as papers do: BLEU 14.30. JSON, CSV and limits stay "
            "fractions.",
        ),
    ] = False
    language: Annotated[
        Languages,
        typer.Option(help="Of verdict, tables and notes. A report has both, and shows that of the browser."),
    ] = ENGLISH


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(MetricOptions):
    """What a call of score.py says."""

    human_column: Annotated[
        _Texts,
        _option(
            "--human-column",
            metavar="[SYSTEM=]NAME",
            text="Column with a person's score of each segment, or a list of several people's, shown beside ours; for "
            "human_correlation its references. May be repeated.",
        ),
    ] = None
    human_lower_is_better: Annotated[
        bool, typer.Option("--human-lower-is-better", help="Lower human scores are better, as with ranks.")
    ] = False
    help_metric: Annotated[
        str | None,
        _option("--help-metric", metavar="NAME", text="Show what a metric takes and returns, and exit."),
    ] = None
    no_confidence: Annotated[bool, typer.Option("--no-confidence", help="No interval.")] = False
    fail_below: Annotated[
        _Texts,
        _option(
            "--fail-below",
            metavar="METRIC=NUMBER",
            text="End with exit code 1 where a system scores worse than this: bleu=0.3, or cer=0.1 (for error rates: "
            "above it); METRIC is a column, or the key of its score, such as rouge1. May be repeated.",
        ),
    ] = None
    per_segment: Annotated[
        bool,
        typer.Option("--per-segment", help="Score each segment too: in the JSON and CSV files, else in the terminal."),
    ] = False
    json: Annotated[
        Path | None,
        _option("--json", metavar="FILE", text="Write all results as JSON; - prints it in place of the table."),
    ] = None
    csv: Annotated[
        Path | None,
        _option("--csv", metavar="FILE", text="Write the scores as CSV; - prints it in place of the table."),
    ] = None
    html: Annotated[
        Path | None,
        _option("--html", metavar="FILE", text="Write a report: verdict, scores, and segments with what made them."),
    ] = None
    markdown: Annotated[
        Path | None,
        _option("--markdown", metavar="FILE", text="Write the scores as a Markdown table, as papers print them; or -."),
    ] = None
    latex: Annotated[
        Path | None,
        _option("--latex", metavar="FILE", text="Write that table as LaTeX, for the package booktabs; or -."),
    ] = None
    rows: Annotated[
        Path | None,
        _option(
            "--rows",
            metavar="FOLDER_OR_FILE",
            text="Write the rows of each system's scores, without texts, as Parquet: a file in this folder for each, "
            "or of one system the .parquet file that is named. compare.py --rows and verify.py --rows take them.",
        ),
    ] = None
    segments: Annotated[
        int,
        typer.Option(
            "--segments", min=0, metavar="N", help="How many segments the report holds, those that tell most."
        ),
    ] = 100
    explain: Annotated[
        list[int] | None,
        typer.Option(
            "--explain",
            min=1,
            metavar="SEGMENT",
            help="Show in the terminal what made the score of this segment, from 1. May be repeated.",
        ),
    ] = None
    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Read, score and forget batch by batch, for files larger than memory. The three "
            "options below imply it.",
        ),
    ] = False
    workers: Annotated[int, typer.Option("--workers", min=1, metavar="N", help="Score in so many processes.")] = 1
    segment_file: Annotated[
        Path | None,
        _option("--segment-file", metavar="FILE", text="Write the score of each segment as Parquet while scoring."),
    ] = None
    checkpoint: Annotated[
        Path | None,
        _option(
            "--checkpoint",
            metavar="FOLDER",
            text="Keep there what is done; the same command goes on from it. For --segment-file it is FILE.checkpoint.",
        ),
    ] = None
