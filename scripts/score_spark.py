"""Scores data of any size on a cluster with Apache Spark; `score_spark.py --help` says how."""

import clone_first  # noqa: F401
from textgauge.programs.commands import score_spark
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(score_spark.app)
