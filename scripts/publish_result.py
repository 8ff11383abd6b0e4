"""Publishes a score of score.py as an evaluation result of a model on the Hub; see --help."""

import clone_first  # noqa: F401
from textgauge.programs.commands import publish_result
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(publish_result.app)
