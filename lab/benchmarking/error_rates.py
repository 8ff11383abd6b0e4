"""CER and WER and their peers."""

from typing import Any

from .session import Report, Setting, compare, compare_calls, with_peers

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


def _compare(report: Report, setting: Setting, comparison: str, language: str, segments: int, **options: Any) -> None:
    corpus = setting.corpus(language, segments, 1)
    compare(report, setting, comparison, language, corpus, with_peers(report, comparison, comparison[:3], **options))


COMPARISONS = {"cer": cer, "cer-slow-peers": cer_slow_peers, "wer": wer, "error-rate-calls": calls}
