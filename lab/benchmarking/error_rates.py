"""CER, WER and cpWER and their peers, threads, and distances alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from lab.peers.peer import Columns

from .corpus import Corpus
from .session import Report, Setting, compare, compare_calls, with_peers
from .sides import Side, one_thread_or_two, ours

_FEW = 500  # segments for peers that count the edits of characters in Python


def cer(report: Report, setting: Setting, language: str) -> None:
    """Compares CER as jiwer defines it, blanks and punctuation kept."""
    _compare(report, setting, "cer", language, setting.segments, preset="jiwer")


def cer_slow_peers(report: Report, setting: Setting, language: str) -> None:
    """Compares the same with slow peers, and the mean of the segments' rates as nlptutti defines them."""
    segments = min(_FEW, setting.segments)
    _compare(report, setting, "cer, few segments", language, segments, preset="jiwer")
    _compare(report, setting, "cer, nlptutti's", language, segments, preset="nlptutti", aggregate="mean")


def wer(report: Report, setting: Setting, language: str) -> None:
    """Compares WER."""
    _compare(report, setting, "wer", language, setting.segments)


def calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs: 100 calls with one segment each."""
    for name, options in (("cer", {"preset": "jiwer"}), ("wer", {})):
        compare_calls(report, setting, name, language, **options)


def meeting_calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs: 100 calls with one session each, in which one speaker says one thing."""
    compare_calls(report, setting, "cpwer", language, keys=("edits",), columns=_sessions)


def distances_alone(report: Report, setting: Setting, language: str) -> None:
    """Compares CER with what it cannot do without: the distances of texts that are ready."""
    corpus = setting.corpus(language, setting.sizes[1], 1)
    sides = {"ours": ours("cer", preset="jiwer"), "rapidfuzz cpdist alone": Side(_bound_distances)}
    compare(report, setting, "cer, distances alone", language, corpus, sides)


def threads(report: Report, setting: Setting, language: str) -> None:
    """Compares one thread with two."""
    for name, segments in (("cer", setting.segments), ("wer", setting.segments), ("ter", min(_FEW, setting.segments))):
        corpus = setting.corpus(language, segments, 1)
        compare(report, setting, f"{name}, one thread or two", language, corpus, one_thread_or_two(ours(name)))


def _sessions(corpus: Corpus) -> Columns:
    """Returns a session for each text, with the text as its one utterance."""
    return {
        "predictions": [[{"speaker": "A", "text": text}] for text in corpus.predictions],
        "references": [[{"speaker": "A", "text": text}] for [text] in corpus.references],
    }


def _bound_distances(corpus: Corpus) -> Callable[[], float]:
    references = [text.strip() for [text] in corpus.references]
    predictions = list(map(str.strip, corpus.predictions))
    length = sum(map(len, references))

    def run() -> float:
        edits = cpdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int64)
        return edits.sum() / length

    return run


def _compare(report: Report, setting: Setting, comparison: str, language: str, segments: int, **options: Any) -> None:
    corpus = setting.corpus(language, segments, 1)
    compare(report, setting, comparison, language, corpus, with_peers(report, comparison, comparison[:3], **options))


COMPARISONS = {
    "cer": cer,
    "cer-slow-peers": cer_slow_peers,
    "wer": wer,
    "error-rate-calls": calls,
    "meeting-calls": meeting_calls,
    "cer-distances-alone": distances_alone,
    "error-rate-threads": threads,
}
