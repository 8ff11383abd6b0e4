"""How long a program takes until it has scored one pair: score.py, sacrebleu's command, and what they import.

Every process reads bytecode that the run before left in a folder of its own, as an installed program does: without
it (PYTHONDONTWRITEBYTECODE, a read-only clone) a fifth to a third of our time is the compilation of our modules.
"""

import importlib.util
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .session import Report, Setting, compare
from .sides import Side

SCRIPTS = Path(__file__).parents[2] / "scripts"


def start(report: Report, setting: Setting, language: str) -> None:
    """Compares processes that score one pair, and those that do less."""
    corpus = setting.corpus(language, 1, 1)
    with tempfile.TemporaryDirectory() as folder:
        prediction = Path(folder) / "prediction.txt"
        reference = Path(folder) / "reference.txt"
        prediction.write_text(corpus.predictions[0] + "\n", encoding="utf-8")
        reference.write_text(corpus.references[0][0] + "\n", encoding="utf-8")
        texts = ("-p", str(prediction), "-r", str(reference))
        score = str(SCRIPTS / "score.py")
        processes = {
            "ours": (score, *texts, "-m", "bleu"),
            "ours, cer": (score, *texts, "-m", "cer"),
            "ours, --help": ("-m", "textgauge", "--help"),
            "ours, loaded": ("-c", "import textgauge; textgauge.load('bleu')"),
        }
        for name in ("numpy", "typer", "evaluate"):
            processes[f"import {name}"] = ("-c", f"import {name}")
        if importlib.util.find_spec("sacrebleu"):
            processes["sacrebleu"] = ("-m", "sacrebleu", str(reference), "-i", str(prediction))
        else:
            report.skipped["sacrebleu: pip install sacrebleu"] = None
        environment = keeping_bytecode(Path(folder) / "bytecode")
        sides = {name: process_side(arguments, environment) for name, arguments in processes.items()}
        compare(report, setting, "start of a process", language, corpus, sides)


def keeping_bytecode(folder: Path) -> dict[str, str]:
    """Returns the environment of this process, with bytecode written to `folder` and read from there."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def process_side(arguments: tuple[str, ...], environment: dict[str, str]) -> Side:
    """Returns a side that runs Python with these arguments; it has no score."""

    def run() -> float:
        subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)
        return math.nan

    return Side(lambda _: run)


COMPARISONS = {"start": start}
