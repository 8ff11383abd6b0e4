"""How long a user waits for score.py and compare.py: whole processes, from reading the files to writing the results."""

import tempfile
from pathlib import Path

from lab.peers.peer import Unavailable

from .corpus import Corpus
from .session import Report, Setting, compare
from .start import SCRIPTS, keeping_bytecode, process_side

_SIZES = (1_000, 5_000)  # segments
_SYSTEMS = 5
_METRICS = ("-m", "cer", "-m", "wer")  # with the kinds of their errors


def waits(report: Report, setting: Setting, language: str) -> None:
    """Measures two systems scored by two error rates, with and without a report, and five systems compared."""
    if language != "ko":
        raise Unavailable(f"waits ({language}): for Korean only, in which error rates tell the most kinds of errors")
    for size in sorted({min(size, setting.segments) for size in _SIZES}):
        corpus = setting.corpus(language, size, _SYSTEMS)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            reference, *outputs = _write(corpus, folder)
            score = (str(SCRIPTS / "score.py"), *reference, *outputs[0], *outputs[1], *_METRICS)
            processes = {
                "ours": score,
                "ours, --html": (*score, "--html", str(folder / "report.html")),
                "ours, five compared": (str(SCRIPTS / "compare.py"), *reference, *sum(outputs, ()), *_METRICS),
            }
            environment = keeping_bytecode(folder / "bytecode")
            sides = {side: process_side(arguments, environment) for side, arguments in processes.items()}
            compare(report, setting, "waits, cer and wer", language, corpus, sides)


def _write(corpus: Corpus, folder: Path) -> list[tuple[str, str]]:
    """Writes the reference and the outputs of the systems, and returns the option that names each file."""
    reference, *others = zip(*corpus.references, strict=True)
    options = []
    for number, texts in enumerate((reference, corpus.predictions, *others)):
        path = folder / f"{number}.txt"
        path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        options.append(("-p" if number else "-r", str(path)))
    return options


COMPARISONS = {"waits": waits}
