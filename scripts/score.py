"""Scores files with the metrics of this repository, without writing code; `score.py --help` says how."""

import clone_first  # noqa: F401
from textgauge.programs.commands import score
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(score.app)
