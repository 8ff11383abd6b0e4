"""chrF and TER and their peer."""

from .session import Report, Setting, available, compare, compare_calls
from .sides import ours

_FEW = 500  # segments for a peer that takes ten milliseconds for each


def chrf(report: Report, setting: Setting, language: str) -> None:
    """Compares chrF and chrF++ with one reference and with four."""
    for name, options in (("chrf", {}), ("chrf++", {"word_order": 2})):
        for references in (1, 4):
            corpus = setting.corpus(language, setting.segments, references)
            sides = {"ours": ours("chrf", ("chrf",), **options), **available(report, setting, name)}
            compare(report, setting, f"{name}, {references} reference{'s'[: references - 1]}", language, corpus, sides)


def ter(report: Report, setting: Setting, language: str) -> None:
    """Compares TER with one reference."""
    corpus = setting.corpus(language, min(_FEW, setting.segments), 1)
    sides = {"ours": ours("ter", ("ter",)), **available(report, setting, "ter")}
    compare(report, setting, "ter", language, corpus, sides)


def calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs: 100 calls with one segment each."""
    for name in ("chrf", "ter"):
        compare_calls(report, setting, name, language)


COMPARISONS = {"chrf": chrf, "ter": ter, "chrf-ter-calls": calls}
