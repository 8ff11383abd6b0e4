"""Serves the app of one metric; `app.py --help` says how."""

import clone_first  # noqa: F401
from textgauge.programs.commands import app
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(app.app)
