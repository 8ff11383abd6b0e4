"""Input and output of a comparison."""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textgauge.core.notebook import drawn

from ..reading.corpus import HUMAN, Corpus
from ..scoring.blind_scores import Blind
from ..scoring.outputs import Results
from ..scoring.specs import Scorer


class Settings(NamedTuple):
    """How to compare."""

    baseline: str | None  # the system that all others are compared with; None compares every pair
    confidence: float | None  # None: no intervals, and no comparisons
    resamples: int
    trials: int | None  # None: as many as the verdict takes
    seed: int

    @property
    def level(self) -> float:
        """Level of the tests."""
        return round(1 - (self.confidence or 0), 12)


class Comparison(NamedTuple):
    """One system against another by one metric; the names are keys of the JSON file."""

    metric: str
    system: str
    against: str
    difference: float  # of the scores; exactly 0 where they are equal except for rounding
    confidence_interval: list[float]
    standard_error: float
    units: int  # segments, or clusters, that were drawn
    p_randomization: float
    p_randomization_holm: float
    p_randomization_bh: float
    p_bootstrap: float
    p_bootstrap_holm: float
    p_bootstrap_bh: float
    detectable: float
    wins: int  # segments where the system is better, which for error rates is lower
    ties: int
    losses: int
    undefined: int

    @property
    def is_tie(self) -> bool:
        """Whether both systems have the same score."""
        return self.difference == 0

    @property
    def is_undefined(self) -> bool:
        """Whether there is no difference: a score is undefined, or both are infinite."""
        return math.isnan(self.difference)

    def is_sure(self, level: float) -> bool:
        """Returns whether the test, adjusted by Holm, is significant; a tie never is."""
        return not self.is_tie and self.p_randomization_holm <= level


class Rank(NamedTuple):
    """The place of one system by one metric; the names are keys of the JSON file."""

    metric: str
    system: str
    rank: float  # from 1, nan for an undefined score; all systems of a tie have its best rank
    confidence_interval: list[float]
    probability_first: float  # share of the resamples in which it is first; systems of a tie share a resample
    tier: float  # from 1; nan for an undefined score, and where not all pairs are compared


class Group(NamedTuple):
    """What is found among the segments that have some values in common."""

    values: dict[str, str]  # of the columns that are grouped by
    segments: int
    results: Results
    comparisons: list[Comparison]  # adjusted for all cells: pairs, scores and groups

    @property
    def title(self) -> str:
        """The values in a row."""
        return " / ".join(self.values.values())


def tested(comparisons: Iterable[Comparison], is_human: bool = False) -> list[Comparison]:
    """Returns the comparisons whose p-values are adjusted together: those by metrics, or those by people.

    One whose difference is undefined is not tested.
    """
    return [cell for cell in comparisons if (cell.metric == HUMAN) == is_human and not cell.is_undefined]


def tested_in_groups(groups: Sequence[Group], is_human: bool = False) -> list[Comparison]:
    """Returns the same of all groups together, which are one family."""
    return tested(itertools.chain.from_iterable(group.comparisons for group in groups), is_human)


class Forgiven(NamedTuple):
    """A kind of error that decides which system is best by a score: without it a different system is better."""

    label: str
    kind: str
    better: str  # system that is better without these errors
    best: str  # system that is best with them
    rates: tuple[float, float]  # of `better` and of `best`, without the kind
    share: float  # of the kind among the edits of `better`
    p_value: float  # nan where it is not tested
    exact: str = ""  # of a notation: the metric that forgives it exactly


class Outcome(NamedTuple):
    """All that is found."""

    corpus: Corpus
    settings: Settings
    columns: list[Scorer]  # one per score
    results: Results  # of each system, one per column
    comparisons: list[Comparison]
    groups: list[Group] = []
    trials: int = 0  # that were tried
    ranks: list[Rank] = []  # by score, the best first
    runs: dict[str, dict[str, list[float]]] = {}  # system -> score -> that of each run, where there are several
    forgiven: list[Forgiven] = []  # where a kind of error decides which system is best
    blind: dict[str, Blind] = {}  # label -> why this score cannot tell

    def _repr_html_(self) -> str | None:
        return drawn(self)
