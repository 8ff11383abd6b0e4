"""Compares systems by the metrics of this repository, with tests of significance; `compare.py --help` says how."""

import clone_first  # noqa: F401
from textgauge.programs.commands import compare
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(compare.app)
