"""What the five documents say, and the worked examples that compute it."""

import functools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .results import ROOT

DATA = ROOT / "tests" / "data"


class Title(NamedTuple):
    """What a document is."""

    english: str
    korean: str


TITLES = {
    "000": Title(
        "a BLEU tutorial (tistory blog of a boostcamp participant, 2023)",
        "BLEU 설명 글(티스토리 블로그, 부스트캠프 참가자, 2023년)",
    ),
    "001": Title("a ROUGE tutorial", "ROUGE 설명 글 “NLP 결과를 루징하세요!”"),
    "002": Title(
        "notes on METEOR (blog My Vision, Computer Vision, by gyuilLim, 2025)",
        "METEOR 논문 요약(블로그 My Vision, Computer Vision, gyuilLim, 2025년)",
    ),
    "003": Title(
        "notes on measures in language and speech (Kwak Donghyun, 2015)",
        "“다양한 Performance Measure in NLP, ASR”(곽동현, 2015년)",
    ),
    "004": Title(
        'the paper "Weighted BLEU: 단어 가중치 기반 BLEU" (Oh, Kim and Cha, Changwon National University, 2019)',
        "논문 “Weighted BLEU: 단어 가중치 기반 BLEU”(오진영·김정무·차정원, 창원대학교, 2019년)",
    ),
}


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Returns the rows of a JSONL file."""
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def claims() -> list[dict[str, Any]]:
    """Returns what the documents say, in their order; `cases` are worked examples, whose values the tests check."""
    return list(read_lines(DATA / "document_claims.jsonl"))


def lines_of(text: str) -> set[int]:
    """Returns the numbers of the lines that a claim or a worked example names.

    >>> sorted(lines_of("4-6, 14"))
    [4, 5, 6, 14]
    """
    lines: set[int] = set()
    for part in text.split(", "):
        first, _, last = part.partition("-")
        lines.update(range(int(first), int(last or first) + 1))
    return lines


@functools.cache
def worked_examples() -> dict[str, tuple[str, dict[str, Any]]]:
    """Returns each worked example with its metric, by its id."""
    examples = {}
    for path in sorted(DATA.glob("*_cases.jsonl")):
        metric = path.stem.removesuffix("_cases")
        for case in read_lines(path):
            examples[case["id"]] = (metric, case)
    return examples


@functools.cache
def findings() -> list[dict[str, Any]]:
    """Returns what people's judgements say of the claims, as `measure_claims.py` kept it."""
    return json.loads((ROOT / "lab" / "claims" / "claims.json").read_text(encoding="utf-8"))["claims"]
