"""The bundled sentences, which people wrote and systems translated or answered, with the peers that come nearest."""

import json
import os
from collections.abc import Iterator

from lab.peers.peer import Unavailable
from lab.peers.rouge import TYPES
from textgauge.programs.reading.corpora import SAMPLE

from .corpus import Corpus
from .session import Report, Setting, compare, with_peers

_DIALOGUES = SAMPLE.with_name("en_dialogue_ratings.jsonl")
_PAIRS = 200  # in each language
_COMPUTATIONS = {
    "bleu 13a": {},
    "rouge": {"metric": "rouge", "keys": TYPES},
    "rouge unicode": {"metric": "rouge", "keys": TYPES},
    "cer": {"metric": "cer", "preset": "jiwer"},
    "wer": {"metric": "wer"},
}


def real_sentences(report: Report, setting: Setting, language: str) -> None:
    """Compares what is asked for most, with the threads that each library takes, or with one for all."""
    corpus = _read(language, setting.segments)
    threads = "one thread" if os.environ.get("OMP_NUM_THREADS") == "1" else "threads by default"
    for computation, arguments in _COMPUTATIONS.items():
        if computation != ("rouge" if language == "ko" else "rouge unicode"):  # rouge_score is for English
            name, sides = f"real sentences, {computation}, {threads}", with_peers(report, computation, **arguments)
            compare(report, setting, name, language, corpus, sides)


def _read(language: str, most: int) -> Corpus:
    """Returns predictions of all systems with the first reference, as many in each language but at most so many."""
    rows = {"ko": _translations, "en": _answers}.get(language)
    if rows is None:
        raise Unavailable(f"real sentences ({language}): bundled in English and Korean")
    pairs = list(rows())[: min(most, _PAIRS)]
    return Corpus([prediction for prediction, _ in pairs], [[reference] for _, reference in pairs])


def _translations() -> Iterator[tuple[str, str]]:
    for line in SAMPLE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield from ((row[system], row["reference"]) for system in ("GoogleTranslate", "KakaoI"))


def _answers() -> Iterator[tuple[str, str]]:
    for line in _DIALOGUES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield from ((text, row["references"][0]) for text in row["outputs"].values())


COMPARISONS = {"real-sentences": real_sentences}
