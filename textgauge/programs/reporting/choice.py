"""Which segments tell most, and in which order: where systems differ, where people disagree, the worst ones."""

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.rounding import difference, merged

from ..comparing.cases import leader_of
from ..reading.corpus import Corpus
from ..saying.texts import say
from ..scoring.outputs import Results
from ..scoring.specs import Scorer


class Order(NamedTuple):
    """All segments in one order."""

    name: str
    rows: list[int]
    n_telling: int = 0  # how many, from the start, show what the order is about: a difference, an error


def most_telling(scorers: Sequence[Scorer], results: Results) -> int:
    """Returns which metric tells most segments apart, by the share of different scores; of equal ones the first."""
    shares = []
    for scorer in scorers:
        values: list[float] = []
        for of_system in results.values():
            values += filter(math.isfinite, of_system[scorer.label]["segments"])
        distinct = np.unique(merged(np.array(values)))
        shares.append(len(distinct) / max(len(values), 1))
    return max(range(len(shares)), key=lambda number: (shares[number], -number))


def orders_of(corpus: Corpus, scorer: Scorer, results: Results) -> list[Order]:
    """Returns the orders of all segments by one metric, the most telling one first."""
    scores = oriented(scorer, results)
    orders: list[Order] = []
    if len(scores) > 1:
        values = _filled(np.array(list(scores.values())))
        lowest = np.where(np.isnan(values), np.inf, values).min(axis=0)
        highest = np.where(np.isnan(values), -np.inf, values).max(axis=0)
        orders.append(_order(say("order_differ"), difference(highest, lowest)))
    disagreement = disagreements(corpus, scorer, results)
    if disagreement is not None:
        orders.append(_order(say("order_disagree"), disagreement))
    for system in scores if len(scores) > 1 else ():
        behind = _behind(scorer, results, scores, system)
        orders.append(_order(say("order_behind", system=system), behind))
    low, high = scorer.metric.USUAL_RANGE
    perfect = -low if scorer.metric.LOWER_IS_BETTER else high
    for system, values in scores.items():
        name = say("order_worst", system=system) if len(scores) > 1 else say("order_worst_of_one")
        array = np.array(values)
        is_imperfect = difference(array, perfect) < 0
        orders.append(Order(name, _descending(-array), int(is_imperfect.sum())))
    return [*orders, Order(say("order_file"), list(range(corpus.size)))]


def _order(name: str, sizes: np.ndarray) -> Order:
    """Returns the segments from the one with the largest size on; those above 0 show what the order is about."""
    return Order(name, _descending(sizes), int((sizes > 0).sum()))


def _behind(scorer: Scorer, results: Results, scores: dict[str, list[float]], system: str) -> np.ndarray:
    """Returns each segment's loss of a system against the best other system."""
    best = leader_of(scorer, {name: of_system for name, of_system in results.items() if name != system})
    rival = best or next(name for name in scores if name != system)
    return difference(scores[rival], scores[system])


def orders_in_groups(corpus: Corpus, orders: Sequence[Order]) -> list[Order]:
    """Returns each order within each group; nothing without groups."""
    if not corpus.groups:
        return []
    groups = list(zip(*corpus.groups.values(), strict=True))
    in_groups: list[Order] = []
    for name, rows, _ in orders:
        rows_of_groups: dict[tuple[str, ...], list[int]] = {}
        for row in rows:
            rows_of_groups.setdefault(groups[row], []).append(row)
        for rows_of_group in rows_of_groups.values():
            in_groups.append(Order(name, rows_of_group))
    return in_groups


def chosen_rows(orders: Sequence[Order], count: int) -> list[int]:
    """Returns this number of rows, from the start of each order in turn, in the order of the first."""
    wanted: dict[int, None] = {}
    for row in itertools.chain(*itertools.zip_longest(*(order.rows for order in orders))):
        if len(wanted) < count and row is not None:
            wanted.setdefault(row)
    return [row for row in orders[0].rows if row in wanted]


def oriented(scorer: Scorer, results: Results) -> dict[str, list[float]]:
    """Returns the scores of the segments of each system, turned so that higher is better."""
    sign = -1 if scorer.metric.LOWER_IS_BETTER else 1
    scores = {}
    for system, of_system in results.items():
        scores[system] = [sign * value for value in of_system[scorer.label]["segments"]]
    return scores


def disagreements(corpus: Corpus, scorer: Scorer, results: Results) -> np.ndarray | None:
    """Returns how much a metric and people disagree in each segment, (n_segments,); None without scores by people.

    Of two systems with such scores: how clearly the metric prefers the one and people the other, the product of both
    differences. For one metric: the distance of its ranks among all segments.
    """
    scores = oriented(scorer, results)
    human = human_scores(corpus)
    names = [system for system in scores if system in human]
    if not names:
        return None
    if len(names) == 1:
        [system] = names
        ranks = _ranks(_filled(np.array(scores[system])))
        return np.abs(ranks - _ranks(human[system]))
    of_pairs = []
    for pair in itertools.combinations(names, 2):
        of_pairs.append(-(_difference(scores, pair) * _difference(human, pair)))
    return np.max(of_pairs, axis=0)


def agreement(corpus: Corpus, scorer: Scorer, results: Results, names: Sequence[str]) -> tuple[int, int] | None:
    """Returns in how many segments a metric prefers the same of two systems as people, and of how many; None without.

    Segments where people, or the metric, prefer neither are left out.
    """
    human = human_scores(corpus)
    if not set(names) <= set(human):
        return None
    product = _difference(oriented(scorer, results), names) * _difference(human, names)
    return int((product > 0).sum()), int((product != 0).sum())


def human_scores(corpus: Corpus) -> dict[str, np.ndarray]:
    """Returns the scores by people, (n_segments,), turned so that higher is better."""
    sign = -1 if corpus.is_human_lower_better else 1
    return {system: sign * np.array(values) for system, values in corpus.human.items()}


def _difference(scores: dict, pair: Sequence[str]) -> np.ndarray:
    first, second = (_filled(np.array(scores[system], dtype=np.float64)) for system in pair)
    return np.nan_to_num(difference(first, second))


def _filled(values: np.ndarray) -> np.ndarray:
    """Returns values without infinite ones, which no picture and no difference can have."""
    return np.where(np.isfinite(values), values, np.nan)


def _ranks(values: np.ndarray) -> np.ndarray:
    """Returns the share of values below each, ties in the middle."""
    values = merged(np.nan_to_num(values))
    ordered = np.sort(values)
    n_below = np.searchsorted(ordered, values, "left")
    n_up_to = np.searchsorted(ordered, values, "right")
    return (n_below + n_up_to) / 2 / len(values)


def _descending(values: np.ndarray) -> list[int]:
    """Returns the rows from the largest value, undefined ones last."""
    undefined = np.isnan(values)
    return sorted(range(len(values)), key=lambda row: (undefined[row], 0 if undefined[row] else -values[row], row))
