"""Ranks of systems, with intervals from the draws that their scores have, and tiers that differ significantly."""

from collections.abc import Sequence

import numpy as np

from textgauge.core.bootstrap import LEAST_UNITS, percentile_interval
from textgauge.core.rounding import difference

from ..scoring.specs import Scorer
from .cases import cases_by
from .records import Outcome, Rank

LEAST_SYSTEMS = 3  # ranks of two systems say no more than their difference


def rank_scores(scores: np.ndarray) -> np.ndarray:
    """Returns the ranks of scores, of which higher is better, (..., systems, n), from 1.

    All scores of a tie, up to rounding, have the best rank of the tie: 1, 1, 3. An undefined score has the rank nan,
    and no system is behind it.
    """
    ranks = np.ones(scores.shape)
    for rival in np.moveaxis(scores, -2, 0)[..., None, :]:
        ranks += difference(rival, scores) > 0
    return np.where(np.isnan(scores), np.nan, ranks)


def share_first(ranks: np.ndarray) -> np.ndarray:
    """Returns in which share of resamples each system is first, (systems, n), of ranks (resamples, systems, n).

    Where several systems are first, each gets its part of the resample, so that the shares add up to 1. A resample in
    which no system has a rank is left out; nan where all are.
    """
    is_first = ranks == 1
    sharing = is_first.sum(axis=1, keepdims=True)
    parts = is_first / np.maximum(sharing, 1)
    n_ranked = (sharing > 0).sum(axis=0)  # resamples in which a system has a rank
    with np.errstate(invalid="ignore"):  # 0 / 0
        return parts.sum(axis=0) / n_ranked


def tiers(scores: np.ndarray, is_surely_better: np.ndarray) -> np.ndarray:
    """Returns the tier of each system, from 1, of scores (systems) of which higher is better; nan for undefined ones.

    The systems are sorted by score, and a new tier begins if every system above is significantly better than every
    system below. WMT calls these tiers clusters.

    Args:
        scores: of all systems.
        is_surely_better: whether each system is significantly better than each other, (systems, systems).
    """
    tier_of = np.full(len(scores), np.nan)
    n_defined = np.count_nonzero(~np.isnan(scores))
    order = np.argsort(-scores, kind="stable")[:n_defined]  # nan comes last
    tier = 1
    for n_above, system in enumerate(order):
        if n_above:
            above_and_below = np.ix_(order[:n_above], order[n_above:])
            tier += is_surely_better[above_and_below].all()
        tier_of[system] = tier
    return tier_of


def ranks_of(outcome: Outcome, scores: np.ndarray, resampled: np.ndarray, n_units: int) -> list[Rank]:
    """Returns the rank of each system by each score, the best first; nothing for fewer than LEAST_SYSTEMS.

    Args:
        outcome: the comparisons; where these are only with a baseline, there are no tiers.
        scores: of all segments, (systems, scores).
        resampled: of each resample, (resamples, systems, scores).
        n_units: how many segments, or clusters, were drawn.
    """
    settings = outcome.settings
    systems = list(outcome.results)
    if not settings.confidence or len(systems) < LEAST_SYSTEMS:
        return []
    signs = np.array([-1.0 if column.metric.LOWER_IS_BETTER else 1.0 for column in outcome.columns])
    ranks = rank_scores(signs * scores)
    resampled_ranks = rank_scores(signs * resampled)
    first = share_first(resampled_ranks) if n_units >= LEAST_UNITS else np.full(ranks.shape, np.nan)
    found = []
    for number, column in enumerate(outcome.columns):
        is_surely_better = _surely_better(outcome, column, systems)
        tier_of = tiers(signs[number] * scores[:, number], is_surely_better)
        for system in np.argsort(ranks[:, number], kind="stable"):
            name = systems[system]
            rank = ranks[system, number]
            if np.isnan(rank):
                found.append(Rank(column.label, name, np.nan, [np.nan, np.nan], np.nan, np.nan))
                continue
            ends = percentile_interval(resampled_ranks[:, system, number], settings.confidence, n_units)
            interval = [_whole(end) for end in ends]
            probability_first = float(first[system, number])
            tier = _whole(tier_of[system]) if settings.baseline is None else np.nan
            found.append(Rank(column.label, name, _whole(rank), interval, probability_first, tier))
    return found


def _whole(value: float) -> float:
    """Returns a rank as an integer, where there is one."""
    return value if np.isnan(value) else int(value)


def _surely_better(outcome: Outcome, column: Scorer, systems: Sequence[str]) -> np.ndarray:
    """Returns whether each system is significantly better than each other by a score, (systems, systems)."""
    is_better = np.zeros((len(systems), len(systems)), dtype=bool)
    for case in cases_by(outcome, column):
        if case.is_sure:
            is_better[systems.index(case.better), systems.index(case.worse)] = True
    return is_better
