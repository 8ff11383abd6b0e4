"""Scores data of any size on a cluster with Apache Spark; `score_spark.py --help` says how."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ..errors import InputError
from ..reading.further_packages import install_text
from ..saying.texts import say
from ..saying.values import dump_json
from ..scoring.console import messages, note
from ..scoring.outputs import by_headline, check_targets, program, write_files
from ..scoring.specs import Scorer, headline, load_scorers
from ..scoring.tables import interval_text, make_console, make_table, number_text, print_fitting, visible_text
from .unknown_options import Command

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
_Names = list[str] | None
_Row = tuple[list[str], list[tuple[str, str]]]  # values of the group and counts; score and interval of each metric


def _option(*names: str, metavar: str, text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text)


@app.command(cls=Command)
def main(
    data: Annotated[
        list[str], _option("-d", "--data", metavar="PATH", text="Parquet or JSONL: a file, folder or URL.")
    ],
    prediction_column: Annotated[str, _option("--prediction-column", metavar="NAME", text="Column with predictions.")],
    reference_column: Annotated[
        _Names,
        _option("--reference-column", metavar="NAME", text="Column with references: texts or lists; repeatable."),
    ] = None,
    column: Annotated[
        _Names, _option("-c", "--column", metavar="COLUMN=NAME", text="A further column, such as sources=NAME.")
    ] = None,
    metric: Annotated[
        _Names, _option("-m", "--metric", metavar="SPEC", text="As in score.py; bleu by default.")
    ] = None,
    group_by: Annotated[
        _Names, _option("-g", "--group-by", metavar="NAME", text="Column whose groups are scored apart; repeatable.")
    ] = None,
    key: Annotated[
        _Names,
        _option(
            "--key",
            metavar="NAME",
            text="Column that names a row; by default its line, or in Parquet all scored columns.",
        ),
    ] = None,
    confidence: Annotated[float, _option("--confidence", metavar="LEVEL", text="Level of the intervals.")] = 0.95,
    no_confidence: Annotated[bool, typer.Option("--no-confidence", help="Leave out the intervals.")] = False,
    json_file: Annotated[Path | None, _option("--json", metavar="FILE", text="Write all results as JSON.")] = None,
    segments: Annotated[
        str | None,
        _option("--segments", metavar="PATH", text="Write the data as Parquet, with each row's scores."),
    ] = None,
    rows: Annotated[
        str | None,
        _option(
            "--rows",
            metavar="PATH",
            text="Write the rows behind all scores, without texts, for compare.py --rows; needs --key.",
        ),
    ] = None,
    skip_bad_rows: Annotated[
        Path | None,
        _option("--skip-bad-rows", metavar="FILE", text="Leave out rows that cannot be scored, and list them in FILE."),
    ] = None,
    master: Annotated[str | None, _option("--master", metavar="URL", text="Without spark-submit; local[*,4].")] = None,
    spark_log: Annotated[bool, typer.Option("--spark-log", help="Show Spark's own messages.")] = False,
) -> None:
    """Score Parquet or JSONL with Spark: with python, on this machine or with --master, or with spark-submit.

    If the environment is not activated, name its Python for spark-submit:
    `PYSPARK_PYTHON=.venv/bin/python .venv/bin/spark-submit scripts/score_spark.py ...`

    The metrics are shipped with the job. The workers need Python with the packages that textgauge requires, pandas and
    pyarrow. The scores equal those of score.py, however the data is partitioned. A bad row stops the job with a message
    that names the row, unless --skip-bad-rows is set.
    """
    _check_pyspark()
    from ..spark.jobs import blind_sentences, score_data  # here, because --help needs no Spark
    from ..spark.session import JobError, read_data, start_spark

    with messages(JobError):
        check_targets([path for path in (json_file, skip_bad_rows) if path])
        scorers = load_scorers(metric or ["bleu"], None if no_confidence else confidence)
        columns = {"predictions": [prediction_column], "references": reference_column or []}
        for pair in column or []:
            name, _, source = pair.partition("=")
            columns[name] = [source]
        if not columns["references"]:
            del columns["references"]
        frame = read_data(start_spark(master, spark_log), data)
        results, bad = score_data(
            frame,
            scorers,
            columns,
            group_by or [],
            key or [],
            segments,
            skip_bad_rows is not None,
            rows,
            with_data=json_file is not None,
        )
        cannot_tell = blind_sentences(frame, scorers, columns, results["all"])
        files = {json_file: dump_json({"program": program(), **results})} if json_file else {}
        if skip_bad_rows:
            files[skip_bad_rows] = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in bad)
        write_files(files)
    for sentence in cannot_tell:
        note(say("note_line", text=sentence))
    if gaps := results["all"].get("gaps"):
        note(say("note_line", text=say("gaps_of_references", n=gaps)))
    print_results(results, scorers, group_by or [])


def _check_pyspark() -> None:
    """Ends the command with a message where Spark is not installed."""
    with messages():
        try:
            import pyspark  # noqa: F401
        except ImportError:
            raise InputError(f"score_spark.py needs pyspark and Java 17: {install_text('spark')}") from None


def print_results(results: dict[str, Any], scorers: Sequence[Scorer], groups: list[str]) -> None:
    """Prints one row per group, the whole first, and the signatures."""
    by_group = [{"group": dict.fromkeys(groups, "(all)"), **results["all"]}, *results.get("groups", [])]
    scored = {str(index): group["metrics"] for index, group in enumerate(by_group) if group["metrics"]}
    columns, shown = by_headline(scorers, scored)
    rows = []
    for index, group in enumerate(by_group):
        by_label = shown.get(str(index))
        results_of_group = [by_label[column.label] for column in columns] if by_label else []
        keys = [*map(str, group["group"].values()), str(group["segments"]), str(group["bad_rows"])]
        scores = [(number_text(headline(result)), interval_text(result)) for result in results_of_group]
        rows.append((keys, scores))
    names = [*groups, "segments", "bad rows"]
    labels = [column.label for column in columns]
    console = make_console()
    tables = (_table_by_group(names, labels, rows, " "), _table_by_group(names, labels, rows, "\n"))
    print_fitting(console, (*tables, _table_by_score(names, labels, rows)))
    for signature in dict.fromkeys(result["signature"] for result in results["all"]["metrics"].values()):
        console.print(visible_text(signature), soft_wrap=True)


def _table_by_group(names: list[str], labels: list[str], rows: Sequence[_Row], gap: str) -> Table:
    """Builds the table with one row per group; the interval is beside or below its score."""
    table = make_table(*names, *(label.replace(" ", gap) for label in labels))
    for keys, scores in rows:
        score_texts = [gap.join(filter(None, score)) for score in scores]
        table.add_row(*map(visible_text, [*keys, *score_texts]))
    return _left(table, len(names) - 2)


def _table_by_score(names: list[str], labels: list[str], rows: Sequence[_Row]) -> Table:
    """Builds the table with one row per group and metric."""
    table = make_table(*names, "metric", "score")
    table.columns[-1].no_wrap = True
    for keys, scores in rows:
        for label, score in zip(labels, scores, strict=False):
            table.add_row(*map(visible_text, [*keys, label, "\n".join(filter(None, score))]))
    return _left(table, len(names) - 2)


def _left(table: Table, columns: int) -> Table:
    """Returns the table with its first columns to the left and the others to the right."""
    for index, column in enumerate(table.columns):
        column.justify = "left" if index < columns else "right"
    return table
