"""What is scored: for each kind of input a function of a language and a number of segments that returns columns."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from lab.peers.inputs import Columns

from .corpus import make_corpus

Texts = Callable[[str, int], Columns]
_DATA = Path(__file__).parents[2]
_SENTENCES_OF_A_SUMMARY = 5
_PAIRS = 200  # real ones in each language


def sentences(references: int = 1) -> Texts:
    """Returns made sentences, each with this number of references."""
    return lambda language, n: make_corpus(language, n, references)._asdict()


def with_sources(language: str, n: int) -> Columns:
    """Returns sentences; of two references the second is the source."""
    columns = sentences(2)(language, n)
    first, second = zip(*columns["references"], strict=True)
    return {**columns, "references": [[text] for text in first], "sources": list(second)}


def summaries(language: str, n: int) -> Columns:
    """Returns texts of five sentences, one a line."""
    columns = sentences()(language, n * _SENTENCES_OF_A_SUMMARY)
    references = [text for [text] in columns["references"]]
    return {"predictions": _lines(columns["predictions"]), "references": [[text] for text in _lines(references)]}


def _lines(texts: list[str]) -> list[str]:
    starts = range(0, len(texts), _SENTENCES_OF_A_SUMMARY)
    return ["\n".join(texts[start : start + _SENTENCES_OF_A_SUMMARY]) for start in starts]


def long_pair(words: int) -> Texts:
    """Returns one segment of this number of words."""

    def columns(language: str, n: int) -> Columns:
        made = sentences()(language, words // 10)
        sides = (made["predictions"], [text for [text] in made["references"]])
        prediction, reference = (" ".join(" ".join(side).split()[:words]) for side in sides)
        return {"predictions": [prediction], "references": [[reference]]}

    return columns


def sessions(language: str, n: int) -> Columns:
    """Returns a session for each text, with the text as its one utterance."""
    columns = sentences()(language, n)
    references = [text for [text] in columns["references"]]
    return {"predictions": _said(columns["predictions"]), "references": _said(references)}


def _said(texts: list[str]) -> list[list[dict[str, str]]]:
    return [[{"speaker": "A", "text": text}] for text in texts]


def numbers(language: str, n: int) -> Columns:
    """Returns random scores with those of people, with ties."""
    rng = np.random.default_rng(12345)
    human = rng.integers(0, 101, n)
    scores = np.round(human + rng.normal(0, 50, n))
    return {"predictions": scores.tolist(), "references": human.tolist()}


def with_digits(language: str, n: int) -> Columns:
    """Returns those of the sentences that have a digit, of which none is seen again."""
    pairs = zip(*sentences()(language, n).values(), strict=True)
    kept = [(text, row) for text, row in pairs if any(map(str.isdigit, text + row[0]))]
    return {"predictions": [text for text, _ in kept], "references": [row for _, row in kept]}


def notations(language: str, n: int) -> Columns:
    """Returns pairs that are read alike and pairs that are not, with a mark that makes each text new."""
    rows: list[str] = []
    for name in ("same", "different"):
        rows += (_DATA / "tests" / "data" / f"readings_{name}.jsonl").read_text("utf-8").splitlines()
    columns: Columns = {"predictions": [], "references": []}
    for index in range(n):
        repeat, place = divmod(index, len(rows))
        pair = json.loads(rows[place])
        mark = chr(0xAC00 + repeat * 28) * 2
        columns["predictions"].append(f"{mark}요 {pair['b']}")
        columns["references"].append([f"{mark}요 {pair['a']}"])
    return columns


def real(language: str, n: int) -> Columns:
    """Returns sentences that people wrote and systems translated or answered."""
    files = {"ko": "es_ko_sample", "en": "en_dialogue_ratings"}
    lines = (_DATA / "scripts" / "data" / f"{files[language]}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = []
    for row in map(json.loads, lines):
        if language == "ko":
            pairs += [(row[system], [row["reference"]]) for system in ("GoogleTranslate", "KakaoI")]
        else:
            pairs += [(text, row["references"][:1]) for text in row["outputs"].values()]
    pairs = pairs[: min(n, _PAIRS)]
    return {"predictions": [text for text, _ in pairs], "references": [row for _, row in pairs]}
