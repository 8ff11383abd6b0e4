"""How long a program takes until it has scored one pair: score.py, sacrebleu's command, and what they import."""

import importlib.util
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from .session import Report, Setting, compare
from .sides import Side

_SCORE = str(Path(__file__).parents[2] / "scripts" / "score.py")


def start(report: Report, setting: Setting, language: str) -> None:
    """Compares processes that score one pair, and those that do less."""
    corpus = setting.corpus(language, 1, 1)
    with tempfile.TemporaryDirectory() as folder:
        prediction = Path(folder) / "prediction.txt"
        reference = Path(folder) / "reference.txt"
        prediction.write_text(corpus.predictions[0] + "\n", encoding="utf-8")
        reference.write_text(corpus.references[0][0] + "\n", encoding="utf-8")
        texts = ("-p", str(prediction), "-r", str(reference))
        sides = {
            "ours": _process(_SCORE, *texts, "-m", "bleu"),
            "ours, cer": _process(_SCORE, *texts, "-m", "cer"),
            "ours, --help": _process("-m", "textgauge", "--help"),
            "ours, loaded": _process("-c", "import textgauge; textgauge.load('bleu')"),
        }
        for name in ("numpy", "typer", "evaluate"):
            sides[f"import {name}"] = _process("-c", f"import {name}")
        if importlib.util.find_spec("sacrebleu"):
            sides["sacrebleu"] = _process("-m", "sacrebleu", str(reference), "-i", str(prediction))
        else:
            report.skipped["sacrebleu: pip install sacrebleu"] = None
        compare(report, setting, "start of a process", language, corpus, sides)


def _process(*arguments: str) -> Side:
    """Returns a side that runs Python with these arguments; it has no score."""

    def run() -> float:
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        return math.nan

    return Side(lambda _: run)


COMPARISONS = {"start": start}
