"""chrF and TER and their peer."""

from .session import Report, Setting, compare, compare_calls, with_peers

_FEW = 500  # segments for a peer that takes ten milliseconds for each


def chrf(report: Report, setting: Setting, language: str) -> None:
    """Compares chrF and chrF++ with one reference and with four."""
    for name, options in (("chrf", {}), ("chrf++", {"word_order": 2})):
        for references in (1, 4):
            corpus = setting.corpus(language, setting.segments, references)
            sides = with_peers(report, name, "chrf", **options)
            compare(report, setting, f"{name}, {references} reference{'s'[: references - 1]}", language, corpus, sides)


def ter(report: Report, setting: Setting, language: str) -> None:
    """Compares TER with one reference."""
    corpus = setting.corpus(language, min(_FEW, setting.segments), 1)
    compare(report, setting, "ter", language, corpus, with_peers(report, "ter", "ter"))


def calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs: 100 calls with one segment each."""
    for name in ("chrf", "ter"):
        compare_calls(report, setting, name, language)


COMPARISONS = {"chrf": chrf, "ter": ter, "chrf-ter-calls": calls}
