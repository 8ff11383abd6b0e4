"""Computes published scores again from their signatures, and says whether they are the same; see --help."""

import clone_first  # noqa: F401
from textgauge.programs.commands import verify
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(verify.app)
