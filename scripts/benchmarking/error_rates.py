"""CER and WER and their peers."""

from typing import Any

from .session import Report, Setting, available, compare
from .sides import CALLS, one_by_one, ours

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
    corpus = setting.corpus(language, CALLS, 1)
    for name, options in (("cer", {"preset": "jiwer"}), ("wer", {})):
        sides = {"ours": ours(name, (name,), **options), **available(report, setting, name)}
        each = {side: one_by_one(run) for side, run in sides.items()}
        compare(report, setting, f"{name}, one segment per call", language, corpus, each)


def _compare(report: Report, setting: Setting, comparison: str, language: str, segments: int, **options: Any) -> None:
    name = comparison[:3]
    corpus = setting.corpus(language, segments, 1)
    sides = {"ours": ours(name, (name,), **options), **available(report, setting, comparison)}
    compare(report, setting, comparison, language, corpus, sides)


COMPARISONS = {"cer": cer, "cer-slow-peers": cer_slow_peers, "wer": wer, "error-rate-calls": calls}
