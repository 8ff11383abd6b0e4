"""METEOR and its peers, and how long single pairs take."""

import statistics
import time
from typing import Any

import evaluate

from lab.peers.peer import Unavailable

from .corpus import one_long_pair
from .session import Report, Setting, compare, with_peers
from .sides import CALLS, METRICS, of_another_score, one_by_one, ours

_FEW = 2000  # segments: the peers take milliseconds for each
_LONG_TOKENS = (4_000, 16_000)
_EXACT = {"stages": ["exact"], "tokenizer": "whitespace", "lowercase": True}
_SINGLE = 500  # pairs that are scored one by one


def meteor(report: Report, setting: Setting, language: str) -> None:
    """Compares all stages on English sentences, by the definition of 2005."""
    _english_only("meteor", language)
    _compare(report, setting, "meteor", language)
    _single_pairs(report, setting, "meteor", language)


def meteor_1_5(report: Report, setting: Setting, language: str) -> None:
    """Compares all stages on English sentences, with the parameters of METEOR 1.5."""
    _english_only("meteor 1.5", language)
    _compare(report, setting, "meteor 1.5", language, preset="1.5")
    _single_pairs(report, setting, "meteor 1.5", language, preset="1.5")


def meteor_exact(report: Report, setting: Setting, language: str) -> None:
    """Compares equal words only, in any language."""
    _compare(report, setting, "meteor, exact", language, **_EXACT)


def calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs with equal words only: 100 calls with one segment each."""
    sides = {}
    for name, side in with_peers(report, "meteor, exact", "meteor", **_EXACT).items():
        sides[name] = one_by_one(side)
    corpus = setting.corpus(language, CALLS, 1)
    compare(report, setting, "meteor, exact, one segment per call", language, corpus, sides)


def long_pairs(report: Report, setting: Setting, language: str) -> None:
    """Times one long segment with equal words only, and one of four times its words."""
    for words in _LONG_TOKENS:
        corpus = one_long_pair(setting.corpus(language, words // 10, 1), words)
        sides = {"ours": ours("meteor", **_EXACT)}
        compare(report, setting, f"meteor, exact, one pair of {words:,} words", language, corpus, sides)


def meteor_korean(report: Report, setting: Setting, language: str) -> None:
    """Compares lemmas of Korean by Kiwi, which no peer has, with equal words only."""
    if language != "ko":
        raise Unavailable(f"meteor of lemmas ({language}): for Korean only")
    try:
        side = ours("meteor", lang="ko")
        side.bind(setting.corpus(language, 2, 1))()
    except ImportError as error:
        raise Unavailable(f"meteor of lemmas ({language}): {error}") from None
    exact = ours("meteor", stages=["exact"], tokenizer="whitespace")
    sides = {"ours": side, "ours, equal words": of_another_score(exact)}  # another score
    compare(
        report, setting, "meteor, lemmas", language, setting.corpus(language, min(_FEW, setting.segments), 1), sides
    )


def _compare(report: Report, setting: Setting, comparison: str, language: str, **options: Any) -> None:
    corpus = setting.corpus(language, min(_FEW, setting.segments), 1)
    compare(report, setting, comparison, language, corpus, with_peers(report, comparison, "meteor", **options))


def _single_pairs(report: Report, setting: Setting, comparison: str, language: str, **options: Any) -> None:
    """Notes how long single pairs take, a call each, and how many alignments are certainly the best."""
    corpus = setting.corpus(language, min(_SINGLE, setting.segments), 1)
    metric = evaluate.load(str(METRICS / "meteor.py"))
    share = metric.compute(**corpus._asdict(), **options, detailed=True)["exact_alignments"]
    times = []
    for prediction, row in zip(*corpus, strict=True):
        start = time.perf_counter()
        metric.compute(predictions=[prediction], references=[row], **options)
        times.append((time.perf_counter() - start) * 1e3)
    *_, p95 = statistics.quantiles(times, n=20)
    note = f"a pair in a call of its own takes {statistics.median(times):.2f} ms, 95% at most {p95:.2f}, all at most"
    note += f" {max(times):.1f}; {share:.1%} of the alignments are certainly the best"
    report.notes[f"{comparison} ({language}): {note}"] = None


def _english_only(what: str, language: str) -> None:
    if language not in ("en", "data"):
        raise Unavailable(f"{what} ({language}): for English only")


COMPARISONS = {
    "meteor": meteor,
    "meteor-1.5": meteor_1_5,
    "meteor-exact": meteor_exact,
    "meteor-calls": calls,
    "meteor-long": long_pairs,
    "meteor-korean": meteor_korean,
}
