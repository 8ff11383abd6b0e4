"""Comparisons of texts that are put together at random, which tests of verdicts share."""

import random
from collections.abc import Sequence
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

_WORDS = ("가나", "책 ", "닭이 ", "닥이 ", "는 ")
_PIECES = (*_WORDS, "학교에서 ", " ", ".", ", ", "음 ", "어 ", "네 " * 10, "감사합니다 " * 4)
_NOTATIONS = (("3%", "삼 퍼센트"), ("10,000원", "만 원"), ("2024년", "이천이십사년"), ("LG", "엘지"), ("3개", "세 개"))
_ERROR_RATES = (
    *("cer", "cer", "cer:preset=jiwer", "cer:readings=ko", "cer:aggregate=mean", "cer:bounded=true", "cer:unit=jamo"),
    *("wer", "wer", "wer:readings=ko", "wer:compounds=merge", "wer:bounded=true"),
)
_OTHER_METRICS = ("bleu:tokenizer=char,smooth=exp", "bleu:tokenizer=char", "chrf", "ter")
_SYSTEMS = "abcdef"
_HABITS = ("other notation", "careless", "careful", "fillers")


class MadeComparison(NamedTuple):
    """A comparison, and the texts that it is of."""

    outcome: Outcome
    scorers: Sequence[Scorer]
    references: Sequence[str]
    predictions: dict[str, Sequence[str]]  # of each system

    @property
    def error_rates(self) -> list[Scorer]:
        """Those that tell the kinds of errors."""
        return [scorer for scorer in self.scorers if has_kinds(scorer.metric)]

    def computed(self, scorer: Scorer) -> dict[str, dict[str, Any]]:
        """Returns what `compute` returns for each system, with the kinds of errors."""
        options = {name: value for name, value in scorer.options.items() if name not in ("confidence", "clusters")}
        options["detailed"] = True
        results = {}
        for system, texts in self.predictions.items():
            results[system] = scorer.metric.compute(predictions=texts, references=self.references, **options)
        return results


def made_comparison(generator: random.Random) -> MadeComparison:
    """Returns a comparison of short texts that are alike, with loops, fillers and notations.

    In a third of them systems have habits, so that their differences, and those without a kind, are significant; in a
    tenth the better system of one group is the worse one of another.
    """
    systems = _SYSTEMS[: generator.choice([1, 2, 2, 2, 2, 3, 4, 6])]
    if generator.random() < 0.1:
        return _turned_in_a_group(generator, systems)
    has_habits = generator.random() < 0.35
    habits = {system: generator.choice(_HABITS) if has_habits else "" for system in systems}
    n_segments = generator.randrange(9, 13) if has_habits else generator.randrange(1, 9)
    references: list[str] = []
    predictions: dict[str, list[str]] = {system: [] for system in systems}
    for _ in range(n_segments):
        parts = [_part(generator) for _ in range(generator.randrange(3 if has_habits else 0, 7))]
        written = [part if isinstance(part, str) else generator.choice(part) for part in parts]
        references.append("".join(written))
        for system, texts in predictions.items():
            said = [_said(*pair, habits[system], generator) for pair in zip(parts, written, strict=True)]
            texts.append("".join(said))
    if generator.random() < 0.15:  # a tie of all segments
        predictions[systems[-1]] = predictions[systems[0]]
    specs = [generator.choice(_ERROR_RATES)]
    if generator.random() < 0.5:
        specs.append(generator.choice(_OTHER_METRICS + _ERROR_RATES))
    if generator.random() < 0.06:  # no error rate is defined, and chrF is
        references = [""] * len(references)
        specs = ["wer", "chrf"]
    groups = {}
    if generator.random() < 0.4:
        groups["domain"] = [generator.choice(["news", "talk", "web"]) for _ in references]
    return _compared(generator, references, predictions, specs, groups)


def _turned_in_a_group(generator: random.Random, systems: str) -> MadeComparison:
    """Returns a comparison of 24 texts in two groups: in the second, another system is the careful one."""
    references = []
    predictions: dict[str, list[str]] = {system: [] for system in systems}
    for number in range(24):
        parts = [generator.choice(_WORDS) for _ in range(generator.randrange(3, 7))]
        references.append("".join(parts))
        for place, texts in enumerate(predictions.values()):
            habit = "careful" if place == number // 12 else "careless"
            texts.append("".join(_said(part, part, habit, generator) for part in parts))
    groups = {"domain": ["news"] * 12 + ["talk"] * 12}
    return _compared(generator, references, predictions, ["cer"], groups)


def _part(generator: random.Random) -> str | tuple[str, str]:
    return generator.choice(_PIECES if generator.random() < 0.7 else _NOTATIONS)


def _said(part: str | tuple[str, str], written: str, habit: str, generator: random.Random) -> str:
    """Returns what a system says for a part of a reference: as its habit is, and without one mostly the same."""
    chance = generator.random()
    if habit == "other notation":
        return written if isinstance(part, str) else part[part.index(written) - 1]
    if habit == "fillers":
        return f"음 {written}" if chance < 0.5 else written
    if habit == "careless":
        return generator.choice(_WORDS) if chance < 0.25 else written
    if habit == "careful":
        return written
    if chance < 0.1:
        return generator.choice(_PIECES)
    if chance < 0.15:
        return ""
    text = part if isinstance(part, str) else generator.choice(part)
    return f"음 {text}" if chance < 0.2 else text


def _compared(
    generator: random.Random,
    references: Sequence[str],
    predictions: dict[str, Sequence[str]],
    specs: Sequence[str],
    groups: dict[str, list[str]],
) -> MadeComparison:
    """Compares outputs, sometimes with clusters, scores by people and a baseline."""
    size = len(references)
    columns = {"references": [_column(references)]}
    if generator.random() < 0.2:
        n_clusters = max(2, size // 2)
        columns[CLUSTERS] = [_column([f"d{generator.randrange(n_clusters)}" for _ in range(size)])]
    human: dict[str, list[float]] = {}
    if generator.random() < 0.4:
        for system in predictions:
            level = generator.choice([0, 0, 2])
            human[system] = [float(level + generator.randrange(1, 6)) for _ in range(size)]
    systems = {name: _column(texts) for name, texts in predictions.items()}
    corpus = Corpus("", systems, columns, human, "", groups, is_human_lower_better=generator.random() < 0.5)
    baseline = generator.choice(list(predictions)) if len(systems) > 1 and generator.random() < 0.2 else None
    trials = generator.choice([None, 18, 200, 200, 200])
    scorers = choose_scorers(corpus, list(dict.fromkeys(specs)), 0.95)
    outcome = compare(corpus, [*scorers, *people_of(corpus)], Settings(baseline, 0.95, 100, trials, 1))
    kinds = add_kinds(corpus, [scorer for scorer in scorers if has_kinds(scorer.metric)], outcome.results)
    return MadeComparison(with_kinds(outcome, outcome.results, kinds), scorers, references, predictions)


def _column(values: Sequence[str]) -> FileColumn:
    return FileColumn("", list(values), "", "line", range(len(values)))
