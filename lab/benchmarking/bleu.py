"""BLEU, weighted BLEU and their peers, and what holds for every metric: floor, overhead, growth, memory."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from .corpus import Corpus, one_long_pair, write_corpus
from .measure import peak_megabytes
from .session import Memory, Report, Setting, compare, with_peers
from .sides import CALLS, Side, floor, one_by_one, ours, ours_added

_INTERVAL = {"confidence": 0.95, "resamples": 1000}
_LONG_TOKENS = 10_000
_OTHERS = {"our rouge": {"name": "rouge", "keys": ["rouge1"]}, "our cider": {"name": "cider"}}  # for peak memory


def bleu_13a(report: Report, setting: Setting, language: str) -> None:
    """Compares BLEU with mteval's tokenizer, one reference."""
    corpus = setting.corpus(language, setting.segments, 1)
    compare(report, setting, "bleu 13a", language, corpus, with_peers(report, "bleu 13a"))


def bleu_whitespace(report: Report, setting: Setting, language: str) -> None:
    """Compares BLEU of words."""
    corpus = setting.corpus(language, setting.segments, 1)
    sides = with_peers(report, "bleu whitespace", tokenizer="whitespace")
    compare(report, setting, "bleu whitespace", language, corpus, sides)


def bleu_char(report: Report, setting: Setting, language: str) -> None:
    """Compares BLEU of characters."""
    corpus = setting.corpus(language, setting.segments, 1)
    compare(report, setting, "bleu char", language, corpus, with_peers(report, "bleu char", tokenizer="char"))


def bleu_references(report: Report, setting: Setting, language: str) -> None:
    """Compares BLEU with 4 references; peers with another brevity penalty meet ours with the same one."""
    corpus = setting.corpus(language, setting.segments, 4)
    for rule in ("closest", "shortest"):
        sides = with_peers(report, f"bleu 13a, {rule}", ref_length=rule)
        if len(sides) > 1:
            name = "bleu 13a, 4 references" + (", shortest" if rule == "shortest" else "")
            compare(report, setting, name, language, corpus, sides)
    default, shortest = (ours(ref_length=rule).bind(corpus)() for rule in ("closest", "shortest"))
    note = (
        f"4 references ({language}): bleu is {default:.6f} with the closest reference's length (ours, sacrebleu), "
        f"{shortest:.6f} with the shortest's (HF bleu, bleuscore; our ref_length='shortest')"
    )
    report.notes[note] = None


def weighted(report: Report, setting: Setting, language: str) -> None:
    """Compares weighted_bleu with our own bleu."""
    corpus = setting.corpus(language, setting.segments, 1)
    compare(report, setting, "weighted_bleu, no phrases", language, corpus, _weighted_sides(None))
    for count in (12, 2000):
        sides = _weighted_sides(_phrases(corpus, count))
        compare(report, setting, f"weighted_bleu, {count:,} phrases", language, corpus, sides)


def weighted_calls(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call of weighted_bleu costs beside one of our bleu: 100 calls with one segment each."""
    phrases = _phrases(setting.corpus(language, setting.segments, 1), 12)
    corpus = setting.corpus(language, CALLS, 1)
    for name, weights in (("no phrases", None), ("12 phrases", phrases)):
        sides = {side_name: one_by_one(side) for side_name, side in _weighted_sides(weights).items()}
        compare(report, setting, f"weighted_bleu, {name}, one segment per call", language, corpus, sides)


def _weighted_sides(weights: dict[str, float] | None) -> dict[str, Side]:
    return {"ours": ours("weighted_bleu", ["bleu"], weights=weights), "our bleu": ours()}


def _phrases(corpus: Corpus, count: int) -> dict[str, float]:
    """Returns phrases of one or two words that do occur, with weights in [-1, 2]."""
    words = [text.split() for row in corpus.references[:5000] for text in row]
    counts = Counter(word for text in words for word in text if word.isalnum())
    counts.update(f"{a} {b}" for text in words for a, b in zip(text, text[1:], strict=False) if (a + b).isalnum())
    phrases = [phrase for phrase, _ in counts.most_common(20 + 2 * count)[20::2]]
    weights = np.random.default_rng(count).choice([-1.0, -0.5, 0.5, 1.2, 1.5, 2.0], len(phrases))
    return dict(zip(phrases, weights.tolist(), strict=True))


def interval(report: Report, setting: Setting, language: str) -> None:
    """Compares an interval of 1,000 resamples with sacreBLEU's."""
    corpus = setting.corpus(language, setting.segments, 1)
    sides = with_peers(report, "interval", **_INTERVAL) | {"our bleu": ours()}
    compare(report, setting, "interval, 1,000 resamples", language, corpus, sides)


def evaluate_floor(report: Report, setting: Setting, language: str) -> None:
    """Compares our bleu with a metric that does nothing."""
    for references in (1, 4):
        corpus = setting.corpus(language, setting.segments, references)
        sides = {"ours": ours(), "ours, added first": ours_added(), "evaluate floor": floor()}
        compare(report, setting, f"floor, {references} reference{'s'[: references - 1]}", language, corpus, sides)


def overhead(report: Report, setting: Setting, language: str) -> None:
    """Compares what a call costs: 100 calls with one segment each."""
    corpus = setting.corpus(language, CALLS, 1)
    sides = with_peers(report, "bleu 13a") | {"evaluate floor": floor()}
    sides = {name: one_by_one(side) for name, side in sides.items()}
    compare(report, setting, "one segment per call", language, corpus, sides)


def growth(report: Report, setting: Setting, language: str) -> None:
    """Compares the time per segment at several sizes."""
    sides = with_peers(report, "growth")
    for size in setting.sizes:
        corpus = setting.corpus(language, size, 1)
        compare(report, setting, "growth", language, corpus, sides if size <= 200_000 else {"ours": sides["ours"]})


def long_pair(report: Report, setting: Setting, language: str) -> None:
    """Compares the time for one segment of 10,000 words."""
    corpus = one_long_pair(setting.corpus(language, _LONG_TOKENS // 10, 1), _LONG_TOKENS)
    compare(report, setting, "one pair of 10,000 words", language, corpus, with_peers(report, "bleu 13a"))


def memory(report: Report, setting: Setting, language: str) -> None:
    """Measures peak memory: the peers at the usual size, ours also at the largest one, and an interval."""
    usual, largest = setting.segments, max(setting.sizes)
    tasks = [("ours", usual, {}), ("ours, interval", usual, _INTERVAL), ("evaluate floor", usual, {})]
    tasks += [(name, usual, {}) for name in with_peers(report, "bleu 13a") if name != "ours"]
    tasks += [(name, usual, arguments) for name, arguments in _OTHERS.items()]
    if largest != usual:
        tasks += [(name, largest, arguments) for name, arguments in {"ours": {}, **_OTHERS}.items()]
    with tempfile.TemporaryDirectory() as folder:
        for side, size, arguments in tasks:
            file = Path(folder) / f"{size}.jsonl"
            if not file.exists():
                write_corpus(setting.corpus(language, size, 1), file)
            megabytes = peak_megabytes(side.split(",")[0], file, arguments)
            report.memory.append(Memory(side, language, size, megabytes))


COMPARISONS = {
    "bleu-13a": bleu_13a,
    "bleu-whitespace": bleu_whitespace,
    "bleu-4-references": bleu_references,
    "bleu-char": bleu_char,
    "weighted": weighted,
    "weighted-calls": weighted_calls,
    "interval": interval,
    "floor": evaluate_floor,
    "overhead": overhead,
    "growth": growth,
    "memory": memory,
    "long": long_pair,
}
