"""What the five documents say, and what our metrics compute: rows for the tables, from the worked examples."""

import functools
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from textgauge.programs.scoring.specs import load_metric

from .results import ROOT
from .tables import table

DATA = ROOT / "tests" / "data"
AGREES = {True: "yes", False: "no", None: "open"}


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


def rows() -> list[dict[str, str]]:
    """Returns a row for each claim: document, lines, what it says, what we get, whether we agree, and why not."""
    rows = []
    for claim in claims():
        row = {name: claim[name] for name in ("document", "lines", "says")}
        row["found"] = found(claim)
        row["agrees"] = AGREES[claim["agrees"]]
        row["note"] = claim["note"]
        rows.append(row)
    return rows


def found(claim: dict[str, Any]) -> str:
    """Returns what our metrics give for the worked examples of a claim, or which test or command looks into it."""
    if "test" in claim:
        return f"`{claim['test'].partition('::')[0]}`"
    if claim.get("undecided"):
        return "no number decides it"
    texts = [_values(*worked_examples()[name], claim["show"]) for name in claim["cases"]]
    if "row" in claim:
        result = load_metric("weighted_bleu").score(np.array(claim["row"]), **claim["options"])
        values = {key: float(result[key]) for key in claim["show"]}
        texts.insert(0, _shown(values, claim["show"]))
    texts += map(_verdicts, claim.get("measured", []))
    return "; ".join(dict.fromkeys(texts))


def _verdicts(place: str) -> str:
    """Returns what people's judgements say of a place, as `measure_claims.py` found."""
    of_place = [finding for finding in findings() if finding["place"] == place]
    counted = Counter(finding["verdict"] for finding in of_place)
    shares = [f"{verdict} {count} of {len(of_place)}" for verdict, count in counted.items()]
    return f"by people's scores: {', '.join(shares)}"


@functools.cache
def findings() -> list[dict[str, Any]]:
    """Returns what people's judgements say of the claims, as `measure_claims.py` kept it."""
    return json.loads((ROOT / "lab" / "claims" / "claims.json").read_text(encoding="utf-8"))["claims"]


def _values(metric: str, case: dict[str, Any], show: list[str]) -> str:
    """Returns the chosen values of a worked example, or its headline where it has none of them."""
    kept = [key for key in show if key in case["expected"]] or [metric]
    return _shown(case["expected"], kept)


def _shown(values: dict[str, Any], keys: list[str]) -> str:
    return ", ".join(f"{key} {_number(values[key])}" for key in keys)


def _number(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_number, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def origins() -> str:
    """Returns the section of tests/README.md: the documents, and what in them is not so."""
    rows = []
    for document, title in TITLES.items():
        verdicts = Counter(claim["agrees"] for claim in claims() if claim["document"] == document)
        counts = [str(verdicts[verdict]) for verdict in AGREES]
        rows.append((document, title.english, str(verdicts.total()), *counts))
    lines = table(("document", "what it is", "claims", "so", "not so", "open"), rows)
    wrong = [(_place(claim), claim["note"]) for claim in claims() if claim["agrees"] is False]
    lines += ["", *table(("the document says", "found"), wrong)]
    return "\n".join(lines) + "\n"


def _place(claim: dict[str, Any]) -> str:
    many = "s" if "-" in claim["lines"] or "," in claim["lines"] else ""
    return f"{claim['document']}, line{many} {claim['lines']}: {claim['says']}"


def every_claim() -> str:
    """Returns the table of all claims."""
    keys = ("document", "lines", "says", "found", "agrees", "note")
    titles = ("document", "lines", "it says", "we get", "agree", "why not, or where from")
    cells = []
    for row in rows():
        cells.append([row[key].replace("|", "\\|") for key in keys])
    return "\n".join(table(titles, cells)) + "\n"
