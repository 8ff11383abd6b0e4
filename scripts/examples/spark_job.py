"""Scores a table of Parquet on a cluster: `spark-submit spark_job.py DATA SYSTEM REFERENCE --key id -m bleu -m cer`."""

from typing import Annotated

import typer
from pyspark.sql import SparkSession

from textgauge import spark
from textgauge.programs.saying.values import dump_json
from textgauge.programs.scoring.specs import load_scorers


def main(
    data: str,
    system: Annotated[str, typer.Argument(help="Column with its outputs.")],
    reference: Annotated[list[str], typer.Argument(help="Column with references; several make one list.")],
    metric: Annotated[list[str], typer.Option("-m", "--metric", help="As score.py takes it.")],
    key: Annotated[str, typer.Option(help="Column that names a row.")] = "id",
    by: Annotated[list[str] | None, typer.Option(help="Column whose values are also scored apart.")] = None,
    confidence: Annotated[float, typer.Option(help="Level of intervals; 0 leaves them out, and sorts nothing.")] = 0.95,
    skip_bad_rows: Annotated[bool, typer.Option(help="Score without rows that cannot be scored.")] = False,
    rows: Annotated[str, typer.Option(help="Where the rows go, for compare.py --rows.")] = "",
) -> None:
    """Prints the results as JSON."""
    session = SparkSession.builder.getOrCreate()
    scorers = load_scorers(metric, confidence or None)
    columns = {"predictions": [system], "references": reference}
    scored = spark.score_rows(session.read.parquet(data), scorers, columns, key, by or ()).persist()
    found = spark.results(scored, scorers, (), skip_bad_rows)
    if by:
        found += spark.results(scored, scorers, by, skip_bad_rows)
    if rows:
        spark.write_rows(scored, rows, system, scorers)
    typer.echo(dump_json(found))


if __name__ == "__main__":
    typer.run(main)
