"""What is read alike: how many of the open pairs have CER 0 by each library, and how long a pair takes."""

import json
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

from lab.peers.peer import Unavailable

from .corpus import Corpus, make_corpus
from .session import Alike, Report, Setting, compare, with_peers
from .sides import Side, columns_of, metric_of, one_by_one

_DATA = Path(__file__).parents[2] / "tests" / "data"
_OF_SPEECH = 0.1  # share of the words that a recogniser hears wrong
_MOST = 7_600  # pairs that are timed: more texts than our cache keeps, so that each is new


def readings(report: Report, setting: Setting, language: str) -> None:
    """Counts the pairs with CER 0 by kind and category, and times pairs with notations."""
    if language != "ko":
        raise Unavailable(f"readings ({language}): for Korean only")
    rows = _rows()
    sides = _sides(report)
    groups = defaultdict(list)
    for row in rows:
        for category in ("all", row["category"]):
            groups[row["kind"], category].append((row["b"], row["a"]))
    for (kind, category), pairs in sorted(groups.items(), key=lambda group: (group[0][0], group[0][1] != "all")):
        for name, side in sides.items():
            found = round(side.bind(_corpus(pairs))() * len(pairs))
            report.alike.append(Alike(kind, category, len(pairs), name, found))
    copies = max(1, min(setting.segments, _MOST) // len(rows))
    pairs = [(f"{mark}요 {row['b']}", f"{mark}요 {row['a']}") for mark in map(_mark, range(copies)) for row in rows]
    compare(report, setting, "cer, readings", language, _corpus(pairs[: setting.segments]), sides)


def _mark(number: int) -> str:
    """Returns two syllables that no other number has: with them a text is new."""
    return chr(0xAC00 + number * 28) * 2


def _rows() -> list[dict[str, str]]:
    files = ((_DATA / f"readings_{name}.jsonl", name) for name in ("same", "different"))
    lines = ((json.loads(line), name) for path, name in files for line in path.read_text("utf-8").splitlines())
    return [{**row, "kind": row.get("kind", name)} for row, name in lines]


def _corpus(pairs: list[tuple[str, str]]) -> Corpus:
    return Corpus([prediction for prediction, _ in pairs], [[reference] for _, reference in pairs])


def _sides(report: Report) -> dict[str, Side]:
    """Returns sides whose score is the share of pairs with CER 0; peers are called with each pair alone."""
    metric = metric_of("cer")

    def ours_alike(corpus: Corpus) -> float:
        rates = metric.compute(**columns_of(corpus), readings="ko", per_segment=True)["segments"]
        return rates.count(0) / len(rates)

    def has_cer_0(side: Side, corpus: Corpus) -> Callable[[], bool]:
        call = side.bind(corpus)
        return lambda: call() == 0

    sides = with_peers(report, "readings", "cer", readings="ko")
    alike = {name: one_by_one(side._replace(bind=partial(has_cer_0, side))) for name, side in sides.items()}
    return {**alike, "ours": Side(lambda corpus: partial(ours_alike, corpus))}


def digits(report: Report, setting: Setting, language: str) -> None:
    """Compares sentences that have a digit, as different as translations are, and as speech is; none is seen again."""
    if language != "ko":
        raise Unavailable(f"readings of digits ({language}): for Korean only")
    sides = _sides(report)
    corpora = {
        "cer, readings, sentences with digits": setting.corpus(language, setting.segments, 1),
        "cer, readings, speech with digits": make_corpus(language, setting.segments, edit_rate=_OF_SPEECH),
    }
    for comparison, (predictions, references) in corpora.items():
        pairs = [(text, row[0]) for text, row in zip(predictions, references, strict=True)]
        with_digits = [pair for pair in pairs if any(map(str.isdigit, "".join(pair)))]
        compare(report, setting, comparison, language, _corpus(with_digits), sides)


COMPARISONS = {"readings": readings, "readings-of-digits": digits}
