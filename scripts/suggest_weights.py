"""Suggests weights for `weighted_bleu` and counts document frequencies for `rouge`; `--help` says how."""

import clone_first  # noqa: F401
from textgauge.programs.commands import suggest_weights
from textgauge.programs.scoring.console import run

if __name__ == "__main__":
    run(suggest_weights.app)
