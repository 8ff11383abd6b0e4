"""Comparisons that are made at random, of texts that are put together and of bundled outputs."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textgauge.programs.comparing.engine import compare
from textgauge.programs.comparing.forgiven import with_kinds
from textgauge.programs.comparing.people import people_of
from textgauge.programs.comparing.records import Outcome, Settings
from textgauge.programs.drawing.kinds import has_kinds
from textgauge.programs.reading.columns import FileColumn
from textgauge.programs.reading.corpus import CLUSTERS, Corpus
from textgauge.programs.scoring.commands import add_kinds, choose_scorers
from textgauge.programs.scoring.specs import Scorer

DATA = Path(__file__).resolve().parents[2] / "scripts" / "data"
_PIECES = (
    "가나",
    "책 ",
    "닭이 ",
    "닥이 ",
    "는 ",
    "학교에서 ",
    " ",
    ".",
    ", ",
    "음 ",
    "어 ",
    "네 " * 10,
    "감사합니다 " * 4,
)
_NOTATIONS = (("3%", "삼 퍼센트"), ("10,000원", "만 원"), ("2024년", "이천이십사년"), ("LG", "엘지"), ("3개", "세 개"))
_ERROR_RATES = (
    *("cer", "cer", "cer:preset=jiwer", "cer:readings=ko", "cer:aggregate=mean", "cer:bounded=true", "cer:unit=jamo"),
    *("wer", "wer", "wer:readings=ko", "wer:compounds=merge", "wer:bounded=true"),
)
_OTHER_METRICS = ("bleu:tokenizer=char,smooth=exp", "bleu:tokenizer=char", "chrf", "ter")
_SYSTEMS = "abcd"
_MOST_SEGMENTS = 8


class MadeComparison(NamedTuple):
    """A comparison, and the texts that it is of."""

    outcome: Outcome
    scorers: Sequence[Scorer]
    references: Sequence[str]
    predictions: dict[str, Sequence[str]]  # of each system

    @property
    def labels(self) -> list[str]:
        """Names of the scores."""
        return [column.label for column in self.outcome.columns]

    def computed(self, scorer: Scorer) -> dict[str, dict[str, Any]]:
        """Returns what `compute` returns for each system, with the kinds of errors."""
        options = {name: value for name, value in scorer.options.items() if name not in ("confidence", "clusters")}
        options["detailed"] = True
        results = {}
        for system, texts in self.predictions.items():
            results[system] = scorer.metric.compute(predictions=texts, references=self.references, **options)
        return results


def made_comparison(generator: random.Random) -> MadeComparison:
    """Returns a comparison of texts that are put together: short, alike, with loops, fillers and notations."""
    systems = _SYSTEMS[: generator.choice([2, 2, 2, 3, 4])]
    references: list[str] = []
    predictions: dict[str, list[str]] = {system: [] for system in systems}
    for _ in range(generator.randrange(1, _MOST_SEGMENTS + 1)):
        parts = [_part(generator) for _ in range(generator.randrange(7))]
        references.append("".join(_written(part, generator) for part in parts))
        for texts in predictions.values():
            texts.append("".join(_said(part, generator) for part in parts))
    if generator.random() < 0.15:  # a tie of all segments
        predictions[systems[-1]] = predictions[systems[0]]
    specs = [generator.choice(_ERROR_RATES)]
    if generator.random() < 0.5:
        specs.append(generator.choice(_OTHER_METRICS))
    return _compared(generator, references, predictions, specs)


def real_texts() -> list[dict[str, Any]]:
    """Returns the bundled sample: references, the outputs of two translators, and the ranks that people gave."""
    lines = (DATA / "es_ko_sample.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def real_comparison(generator: random.Random, rows: Sequence[dict[str, Any]]) -> MadeComparison:
    """Returns a comparison of some bundled segments: two translators, one of them cut short, and mixtures of both."""
    chosen = generator.sample(list(rows), generator.choice([4, 6, 8, 12, 20, 40, 60]))
    google = [row["GoogleTranslate"] for row in chosen]
    kakao = [row["KakaoI"] for row in chosen]
    mixed = [generator.choice(pair) for pair in zip(google, kakao, strict=True)]
    outputs = [google, kakao, [text[:-6] for text in kakao], mixed]
    systems = _SYSTEMS[: generator.choice([2, 2, 3, 4])]
    generator.shuffle(outputs)
    predictions = dict(zip(systems, outputs, strict=False))
    specs = generator.sample(["cer", "bleu:tokenizer=char", "chrf", "wer"], generator.choice([1, 2, 3]))
    return _compared(generator, [row["reference"] for row in chosen], predictions, specs)


def _part(generator: random.Random) -> str | tuple[str, str]:
    return generator.choice(_PIECES if generator.random() < 0.7 else _NOTATIONS)


def _written(part: str | tuple[str, str], generator: random.Random) -> str:
    return part if isinstance(part, str) else generator.choice(part)


def _said(part: str | tuple[str, str], generator: random.Random) -> str:
    """Returns what a system writes for a part of a reference: mostly the same."""
    chance = generator.random()
    if chance < 0.1:
        return generator.choice(_PIECES)
    if chance < 0.15:
        return ""
    text = _written(part, generator)
    return f"음 {text}" if chance < 0.2 else text


def _compared(
    generator: random.Random, references: Sequence[str], predictions: dict[str, Sequence[str]], specs: Sequence[str]
) -> MadeComparison:
    """Compares outputs, sometimes with groups, clusters, scores by people and a baseline."""
    size = len(references)
    columns = {"references": [_column(references)]}
    if generator.random() < 0.2:
        n_clusters = max(2, size // 2)
        columns[CLUSTERS] = [_column([f"d{generator.randrange(n_clusters)}" for _ in range(size)])]
    groups = {}
    if generator.random() < 0.4:
        groups["domain"] = [generator.choice(["news", "talk", "web"]) for _ in range(size)]
    human = {}
    if generator.random() < 0.4:
        for system in predictions:
            human[system] = [float(generator.randrange(1, 6)) for _ in range(size)]
        human[next(iter(human))] = [value - generator.choice([0, 1]) for value in human[next(iter(human))]]
    systems = {name: _column(texts) for name, texts in predictions.items()}
    corpus = Corpus("", systems, columns, human, "", groups, is_human_lower_better=generator.random() < 0.5)
    baseline = generator.choice(list(predictions)) if generator.random() < 0.2 else None
    scorers = choose_scorers(corpus, list(dict.fromkeys(specs)), 0.95)
    outcome = compare(corpus, [*scorers, *people_of(corpus)], Settings(baseline, 0.95, 100, 200, 1))
    with_errors = [scorer for scorer in scorers if has_kinds(scorer.metric)]
    kinds = add_kinds(corpus, with_errors, outcome.results)
    return MadeComparison(with_kinds(outcome, outcome.results, kinds), scorers, references, predictions)


def _column(values: Sequence[str]) -> FileColumn:
    return FileColumn("", list(values), "", "line", range(len(values)))
