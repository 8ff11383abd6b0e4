"""What a comparison found, computed again in a plain way: Holm's method, the best systems, which of two is better."""

import itertools
import math
from collections.abc import Sequence
from statistics import NormalDist

from textgauge.programs.comparing.draws import least_p
from textgauge.programs.comparing.records import Comparison, Group, Outcome
from textgauge.programs.scoring.specs import headline

HUMAN = "human"
LEVEL = 0.05
MANY = 10_000_000  # trials, where as many are made as it takes
_NEARLY = 1e-9  # relative; scores that differ by less are the same
_EXACT = 12  # units up to which all ways to swap are tried
_Z = NormalDist().inv_cdf
Pair = tuple[str, str]  # the better system, and the other one


class Facts:
    """What a verdict is held against."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.systems = list(outcome.results)
        self.baseline = outcome.settings.baseline
        self.labels = [column.label for column in outcome.columns if column.label != HUMAN]
        self.lower_is_better = {column.label: column.metric.LOWER_IS_BETTER for column in outcome.columns}
        self._adjusted: dict[int, float] = {}
        for is_human, is_in_groups in itertools.product((False, True), repeat=2):
            family = self.family(is_human, is_in_groups)
            p_values = plain_holm([cell.p_randomization for cell in family])
            self._adjusted.update(zip(map(id, family), p_values, strict=True))

    def score(self, label: str, system: str, group: Group | None = None) -> float:
        """Returns a score."""
        results = self.outcome.results if group is None else group.results
        return headline(results[system][label])

    def is_better(self, label: str, one: str, other: str, group: Group | None = None) -> bool:
        """Returns whether one system has the better score."""
        first = self.score(label, one, group)
        second = self.score(label, other, group)
        if is_same(first, second):
            return False
        return first < second if self.lower_is_better[label] else first > second

    def scored(self, label: str, group: Group | None = None) -> list[str]:
        """Returns the systems whose score is defined."""
        return [system for system in self.systems if not math.isnan(self.score(label, system, group))]

    def best_of(self, label: str, systems: Sequence[str], group: Group | None = None) -> list[str]:
        """Returns the systems that no other one of these is better than."""
        best = []
        for one in systems:
            if not any(self.is_better(label, other, one, group) for other in systems):
                best.append(one)
        return best

    def leaders(self, label: str, group: Group | None = None) -> list[str]:
        """Returns the systems with the best score."""
        return self.best_of(label, self.scored(label, group), group)

    def cell(self, label: str, one: str, other: str) -> Comparison | None:
        """Returns the comparison of two systems; None where they are not compared, or a score is undefined."""
        for cell in self.outcome.comparisons:
            is_of_pair = cell.metric == label and {cell.system, cell.against} == {one, other}
            if is_of_pair and not math.isnan(cell.difference):
                return cell
        return None

    def is_tie(self, cell: Comparison, group: Group | None = None) -> bool:
        """Returns whether two systems have the same score."""
        return is_same(self.score(cell.metric, cell.system, group), self.score(cell.metric, cell.against, group))

    def is_sure(self, cell: Comparison | None, group: Group | None = None) -> bool:
        """Returns whether a difference is significant after Holm's method."""
        return cell is not None and not self.is_tie(cell, group) and self.p_value(cell) <= LEVEL

    def p_value(self, cell: Comparison) -> float:
        """Returns the p-value after Holm's method."""
        return self._adjusted[id(cell)]

    def turned(self, cell: Comparison, group: Group | None = None) -> Pair:
        """Returns the better system of a comparison, and the other one."""
        names = (cell.system, cell.against)
        return names[::-1] if self.is_better(cell.metric, *names[::-1], group) else names

    def family(self, is_human: bool, is_in_groups: bool = False) -> list[Comparison]:
        """Returns the comparisons that are tested together."""
        parts = [group.comparisons for group in self.outcome.groups] if is_in_groups else [self.outcome.comparisons]
        cells = itertools.chain.from_iterable(parts)
        return [cell for cell in cells if (cell.metric == HUMAN) == is_human and not math.isnan(cell.difference)]

    def different(self, is_human: bool = False) -> list[Comparison]:
        """Returns those of all segments whose scores differ."""
        return [cell for cell in self.family(is_human) if not self.is_tie(cell)]

    @property
    def is_pair(self) -> bool:
        """Whether only two systems are compared by metrics."""
        return len({frozenset((cell.system, cell.against)) for cell in self.family(is_human=False)}) == 1

    def needed(self, cell: Comparison, difference: float) -> float:
        """Returns how many segments detect a difference of this size with probability .8, by Holm's first step."""
        if difference == 0 or not math.isfinite(cell.detectable):
            return math.inf
        tests = len(self.family(cell.metric == HUMAN))
        stricter = (_Z(1 - LEVEL / tests / 2) + _Z(0.8)) / (_Z(1 - LEVEL / 2) + _Z(0.8))
        found = self.outcome.corpus.size * (stricter * cell.detectable / difference) ** 2
        least = least_units(tests) if self.outcome.corpus.clusters is None else 0
        return max(found, least) if found > self.outcome.corpus.size else math.nan

    def missing(self, family: Sequence[Comparison]) -> tuple | None:
        """Returns what a family of tests has too few of, how many tests it has, what there is, and what is needed."""
        tests = len(family)
        trials = self.outcome.settings.trials or MANY
        if not family or tests * min(least_p(cell.units, trials) for cell in family) <= LEVEL:
            return None
        largest = max(cell.units for cell in family)
        if largest > _EXACT:
            return "trials", tests, trials, next(n for n in itertools.count(1) if tests * (1 / (n + 1)) <= LEVEL)
        return "units", tests, largest, least_units(tests)


def least_units(tests: int) -> int:
    """Returns how many segments the strictest of so many tests takes, whatever the systems."""
    return next((n for n in range(1, _EXACT + 1) if tests * 2 / 2**n <= LEVEL), _EXACT + 1)


def is_same(first: float, second: float) -> bool:
    """Returns whether scores are the same except for rounding."""
    if math.isinf(first) or math.isinf(second):
        return first == second
    return abs(first - second) <= _NEARLY * max(abs(first), abs(second))


def plain_holm(p_values: Sequence[float]) -> list[float]:
    """Returns p-values after Holm's method, step by step."""
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for step, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - step) * p_values[index]))
        adjusted[index] = largest
    return adjusted
