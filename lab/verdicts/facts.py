"""What a comparison found, computed again in a plain way: Holm's method, leaders, which system is better."""

import functools
import math
import re
from collections.abc import Iterable, Sequence

from textgauge.programs.comparing.records import Comparison, Group, Outcome
from textgauge.programs.scoring.specs import headline

HUMAN = "human"
LEVEL = 0.05
_NEARLY = 1e-9  # relative; scores that differ by less are the same
_WORDS = {"both metrics": 2}
_COUNTED = re.compile(r"(?:all|any of the) (\d+) metrics")


class Facts:
    """What sentences about an outcome are held against."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.systems = list(outcome.results)
        self.labels = [column.label for column in outcome.columns if column.label != HUMAN]
        self.lower_is_better = {column.label: column.metric.LOWER_IS_BETTER for column in outcome.columns}

    # --- scores

    def score(self, label: str, system: str, group: Group | None = None) -> float:
        """Returns a score, turned so that higher is better."""
        results = self.outcome.results if group is None else group.results
        value = headline(results[system][label])
        return -value if self.lower_is_better[label] else value

    def leaders(self, label: str, group: Group | None = None) -> list[str]:
        """Returns the systems with the best score."""
        scores = {system: self.score(label, system, group) for system in self.systems}
        defined = {system: score for system, score in scores.items() if not math.isnan(score)}
        if not defined:
            return []
        best = max(defined.values())
        return [system for system, score in defined.items() if is_same(score, best)]

    def scored(self, label: str, group: Group | None = None) -> list[str]:
        """Returns the systems whose score is defined."""
        return [system for system in self.systems if not math.isnan(self.score(label, system, group))]

    # --- comparisons

    def comparison(self, label: str, one: str, other: str, group: Group | None = None) -> Comparison | None:
        """Returns the comparison of two systems by a score; None where they are not compared."""
        comparisons = self.outcome.comparisons if group is None else group.comparisons
        pair = {one, other}
        found = [c for c in comparisons if c.metric == label and {c.system, c.against} == pair]
        return found[0] if found else None

    def is_better(self, label: str, one: str, other: str, group: Group | None = None) -> bool:
        """Returns whether one system has the better score."""
        first = self.score(label, one, group)
        second = self.score(label, other, group)
        return first > second and not is_same(first, second)

    def is_compared(self, label: str, one: str, other: str) -> bool:
        """Returns whether a difference of two systems is tested."""
        found = self.comparison(label, one, other)
        return found is not None and not math.isnan(found.difference)

    def is_significant(self, label: str, one: str, other: str, group: Group | None = None) -> bool:
        """Returns whether a difference is significant after Holm's method over its family."""
        p_value = self.p_value(label, one, other, group)
        return p_value is not None and p_value <= LEVEL and not self.is_tie(label, one, other, group)

    def scores_against_intervals(self) -> tuple[set[str], set[str]]:
        """Returns the scores of which an interval and its test disagree, by themselves and by the correction alone."""
        by_test = set()
        by_correction = set()
        for comparison in self.family(is_human=False):
            low, high = comparison.confidence_interval
            pair = (comparison.metric, comparison.system, comparison.against)
            if math.isnan(low) or self.is_tie(*pair):
                continue
            excludes_zero = low > 0 or high < 0
            if excludes_zero != (comparison.p_randomization <= LEVEL):
                by_test.add(comparison.metric)
            elif excludes_zero and not self.is_significant(*pair):
                by_correction.add(comparison.metric)
        return by_test, by_correction

    def is_tie(self, label: str, one: str, other: str, group: Group | None = None) -> bool:
        """Returns whether two systems have the same score."""
        return is_same(self.score(label, one, group), self.score(label, other, group))

    def p_value(self, label: str, one: str, other: str, group: Group | None = None) -> float | None:
        """Returns the p-value of a comparison after Holm's method; None where nothing is tested."""
        found = self.comparison(label, one, other, group)
        if found is None or math.isnan(found.difference):
            return None
        return self._adjusted(label == HUMAN, group is not None)[id(found)]

    @functools.cache  # noqa: B019  one instance for each comparison, which is soon forgotten
    def _adjusted(self, is_human: bool, is_in_groups: bool) -> dict[int, float]:
        family = self.family(is_human, is_in_groups)
        adjusted = plain_holm([comparison.p_randomization for comparison in family])
        return dict(zip(map(id, family), adjusted, strict=True))

    def family(self, is_human: bool, is_in_groups: bool = False) -> list[Comparison]:
        """Returns the comparisons that are tested together."""
        parts: Iterable[Sequence[Comparison]] = [self.outcome.comparisons]
        if is_in_groups:
            parts = [group.comparisons for group in self.outcome.groups]
        cells = [cell for part in parts for cell in part]
        return [cell for cell in cells if (cell.metric == HUMAN) == is_human and not math.isnan(cell.difference)]

    # --- words

    def named_labels(self, text: str) -> list[str]:
        """Returns the scores that a sentence names: "both metrics", "all 3 metrics", "cer and wer, 2 of 3 metrics"."""
        text = re.sub(r", \d+ of \d+ metrics$", "", text)
        counted = _COUNTED.fullmatch(text)
        n_metrics = int(counted[1]) if counted else _WORDS.get(text)
        if n_metrics is not None:
            assert n_metrics == len(self.labels), text
            return self.labels
        names = re.split(", | and ", text)
        assert set(names) <= {*self.labels, HUMAN}, text
        return names


def is_same(first: float, second: float) -> bool:
    """Returns whether scores are the same except for rounding."""
    if math.isinf(first) or math.isinf(second):
        return first == second
    return abs(first - second) <= _NEARLY * max(abs(first), abs(second))


def named_systems(text: str) -> list[str]:
    """Returns the systems that a sentence names, which are called a to d."""
    return re.findall(r"\b[a-d]\b", text)


def plain_holm(p_values: Sequence[float]) -> list[float]:
    """Returns p-values after Holm's method, step by step."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for step, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = largest
    return adjusted
