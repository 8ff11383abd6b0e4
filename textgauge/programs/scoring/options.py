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


def option(*names: str, metavar: str, text: str) -> typer.models.OptionInfo:
    """Returns an option that takes a value."""
    return typer.Option(*names, metavar=metavar, help=text)


Data = Annotated[
    str | None,
    option(
        "-d",
        "--data",
        metavar="FILE",
        text=(
            "One table with predictions and references: .jsonl, .json, .csv or .tsv (also compressed: .gz, .bz2, .xz, "
            ".zst), .xlsx, .parquet, or a dataset: a folder or a name."
        ),
    ),
]
Split = Annotated[str | None, option("--split", metavar="NAME", text="The split of the dataset to score.")]
OtherColumns = Annotated[
    _Texts,
    option(
        "-c",
        "--column",
        metavar="COLUMN=NAME",
        text="A further column of a metric, such as sources=NAME: a column of --data, or without it a text file. A "
        "report shows sources, and names segments by ids=NAME. With clusters=NAME (documents, speakers, dialogues) "
        "intervals and tests draw whole clusters.",
    ),
]

Confidence = Annotated[float, option("--confidence", metavar="LEVEL", text="Confidence level of the intervals.")]
NoConfidence = Annotated[bool, typer.Option("--no-confidence", help="Leave out the intervals.")]


@dataclass(frozen=True, kw_only=True)
class InputOptions:
    """The files of a call."""

    predictions: Annotated[
        _Texts,
        option(
            "-p",
            "--predictions",
            metavar="[NAME=]FILE",
            text=(
                "One system: a text file with one prediction per line (- is standard input); a table (see --data) with "
                "one text column, or with --prediction-column; .trn, .ctm, .srt, .vtt or Kaldi's `text`. Repeat it for "
                "more systems; in compare.py, repeat a NAME for more runs (seeds) of that system."
            ),
        ),
    ] = None
    references: Annotated[
        _Texts,
        option(
            "-r",
            "--references",
            metavar="FILE",
            text=(
                "A text file with one reference per line, a table, .trn, .stm, .srt, .vtt or Kaldi's `text`. Repeat it "
                "for further references of the same segments."
            ),
        ),
    ] = None
    data: Data = None
    split: Split = None
    encoding: Annotated[str, option("--encoding", metavar="NAME", text="Encoding of text files, such as cp949.")] = UTF8
    prediction_column: Annotated[
        _Texts,
        option(
            "--prediction-column",
            metavar="NAME",
            text="Column with the predictions of one system. Repeat it for more systems.",
        ),
    ] = None
    reference_column: Annotated[
        _Texts,
        option(
            "--reference-column",
            metavar="NAME",
            text="Column with references; a cell holds a text or a list of texts. May be repeated.",
        ),
    ] = None
    id_column: Annotated[
        str | None,
        option(
            "--id-column",
            metavar="NAME",
            text="Column by which the rows of several tables are matched, or a,b where tables call it differently; by "
            'default "id" if all tables have it. "" matches rows by order.',
        ),
    ] = None
    align_segments: Annotated[
        str | None,
        option(
            "--align-segments",
            metavar="UNIT",
            text="For predictions that are segmented differently from the references: join them and segment them like "
            "the references, with the fewest edits of `words` or `characters`. This is done within each recording of "
            ".stm and .ctm files, or each value of --id-column; otherwise a file is one document.",
        ),
    ] = None
    column: OtherColumns = None
    group_by: ClassVar[_Texts] = None  # these two only some commands have
    human_column: ClassVar[_Texts] = None


@dataclass(frozen=True, kw_only=True)
class MetricOptions(InputOptions):
    """The options for files, metrics and results that score.py and compare.py share."""

    group_by: Annotated[
        _Texts,
        option(
            "-g",
            "--group-by",
            metavar="NAME[,NAME]",
            text="Column whose groups of rows are also scored separately, such as domain; for text files, pass it as "
            "--column domain=FILE. May be repeated.",
        ),
    ] = None
    metric: Annotated[
        _Texts,
        option(
            "-m",
            "--metric",
            metavar="SPEC",
            text="A metric: bleu, or with options bleu:tokenizer=char,max_order=2, or the path of a metric's script. "
            "To name its scores, write the name first: terms=weighted_bleu:weights=terms.tsv. A list is written with "
            "commas: rouge:rouge_types=rouge1, is a list of one. May be repeated; bleu by default.",
        ),
    ] = None
    confidence: Confidence = 0.95
    app: Annotated[
        str | None,
        option(
            "--app",
            metavar="URL",
            text="Address of the metrics' pages that publish.py published, such as https://my.host/metrics or "
            "https://my-team-{metric}.static.hf.space: the report links to them, from each segment with its texts.",
        ),
    ] = None
    percent: Annotated[
        bool,
        typer.Option(
            "--percent",
            help="Print fractions times 100, as papers do: BLEU 14.30. JSON, CSV and the limits of --fail-below stay "
            "fractions.",
        ),
    ] = False
    language: Annotated[
        Languages,
        typer.Option(help="Language of verdict, tables and notes. A report has both and shows the browser's."),
    ] = ENGLISH
    json: Annotated[
        Path | None,
        option("--json", metavar="OUTPUT_FILE", text="Write all results as JSON; - prints it instead of the tables."),
    ] = None
    markdown: Annotated[
        Path | None,
        option("--markdown", metavar="OUTPUT_FILE", text="Write the tables as Markdown, as in papers; - prints them."),
    ] = None
    latex: Annotated[
        Path | None,
        option(
            "--latex", metavar="OUTPUT_FILE", text="Write the tables as LaTeX, for the package booktabs; - prints them."
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(MetricOptions):
    """The options of a call of score.py."""

    human_column: Annotated[
        _Texts,
        option(
            "--human-column",
            metavar="[SYSTEM=]NAME",
            text="Column with a person's score of each segment, or a list with several people's scores. They are shown "
            "beside the metrics; human_correlation takes them as references. May be repeated.",
        ),
    ] = None
    human_lower_is_better: Annotated[
        bool, typer.Option("--human-lower-is-better", help="Lower human scores are better, for example ranks.")
    ] = False
    help_metric: Annotated[
        str | None,
        option("--help-metric", metavar="NAME", text="Show the columns, options and results of a metric, and exit."),
    ] = None
    no_confidence: NoConfidence = False
    fail_below: Annotated[
        _Texts,
        option(
            "--fail-below",
            metavar="METRIC=NUMBER",
            text="Exit with code 1 if a system scores worse than this limit: bleu=0.3, or cer=0.1 (for error rates: "
            "above it). METRIC is a column, or a key of its score, such as rouge1. May be repeated.",
        ),
    ] = None
    per_segment: Annotated[
        bool,
        typer.Option("--per-segment", help="Also score each segment: in the JSON and CSV files, or in the terminal."),
    ] = False
    csv: Annotated[
        Path | None,
        option("--csv", metavar="OUTPUT_FILE", text="Write the scores as CSV; - prints it instead of the table."),
    ] = None
    html: Annotated[
        Path | None,
        option(
            "--html", metavar="OUTPUT_FILE", text="Write a report: verdict, scores, and segments with explanations."
        ),
    ] = None
    rows: Annotated[
        Path | None,
        option(
            "--rows",
            metavar="OUTPUT_PATH",
            text="Write the rows behind each system's scores and the scores of its segments, without texts, as "
            "Parquet: one file per system in this folder, or one .parquet file for one system. With --stream it is a "
            "folder of parts, with which the same command goes on if it was killed. compare.py --rows and verify.py "
            "--rows read them.",
        ),
    ] = None
    segments: Annotated[
        int,
        typer.Option(
            "--segments",
            min=0,
            metavar="N",
            help="How many segments the report shows; the most telling ones are chosen.",
        ),
    ] = 100
    explain: Annotated[
        list[int] | None,
        typer.Option(
            "--explain",
            min=1,
            metavar="SEGMENT",
            help="Explain the score of this segment (counted from 1) in the terminal. May be repeated.",
        ),
    ] = None
    stream: Annotated[
        bool,
        typer.Option(
            "--stream",
            help="Read and score batch by batch, for files larger than memory; --workers implies it.",
        ),
    ] = False
    workers: Annotated[int, typer.Option("--workers", min=1, metavar="N", help="Number of processes.")] = 1
