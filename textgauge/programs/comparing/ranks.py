"""Ranks of systems: how far chance could move them, and which systems cannot be told apart."""

from collections.abc import Sequence

import numpy as np

from textgauge.core.bootstrap import percentile_interval

from ..drawing.texts import say
from ..drawing.values import number_text
from ..scoring.specs import Scorer, headline
from .cases import Case, case_of
from .records import Outcome, Rank

_ROUNDING = 1e-12  # scores that differ by less of their size are ties
FEWEST_SYSTEMS = 3  # of two, the comparison says all


def system_ranks(scores: np.ndarray, is_lower_better: np.ndarray) -> np.ndarray:
    """Returns the rank of each system, (..., systems, n): one more than there are better systems; ties have the best.

    An undefined score has no rank, nan, and is better than none.

    Args:
        scores: (..., systems, n).
        is_lower_better: (n).
    """
    values = np.where(is_lower_better, -scores, scores)
    own, other = values[..., :, None, :], values[..., None, :, :]
    with np.errstate(invalid="ignore"):  # inf - inf
        sizes = np.abs(own) + np.abs(other)
        is_better = (other > own) & ~(other - own <= _ROUNDING * np.where(np.isfinite(sizes), sizes, 0))
    return np.where(np.isnan(values), np.nan, 1 + is_better.sum(axis=-2))


def first_shares(ranks: np.ndarray) -> np.ndarray:
    """Returns how often each system is first, (systems, n), of ranks in resamples (resamples, systems, n).

    Those that tie share it; resamples without a defined score count for none.
    """
    is_first = ranks == 1
    with np.errstate(invalid="ignore"):
        shares = is_first / is_first.sum(axis=1, keepdims=True)
    return np.nan_to_num(shares).mean(axis=0)


def find_ranks(outcome: Outcome, n_units: int, scores: np.ndarray, resampled: np.ndarray) -> list[Rank]:
    """Returns the rank of each system by each score, the best first; nothing for fewer than three systems.

    Args:
        outcome: the comparison.
        n_units: how many segments, or clusters, were drawn.
        scores: (systems, scores).
        resampled: of each resample, (resamples, systems, scores).
    """
    systems = list(outcome.results)
    if len(systems) < FEWEST_SYSTEMS:
        return []
    is_lower_better = np.array([column.metric.LOWER_IS_BETTER for column in outcome.columns])
    ranks, drawn = system_ranks(scores, is_lower_better), system_ranks(resampled, is_lower_better)
    first, found = first_shares(drawn), []
    for number, column in enumerate(outcome.columns):
        order = [
            system for system in np.argsort(ranks[:, number], kind="stable") if not np.isnan(ranks[system, number])
        ]
        tiers = _tiers(outcome, column, [systems[system] for system in order])
        for system, tier in zip(order, tiers, strict=True):
            ends = percentile_interval(drawn[:, system, number], outcome.settings.confidence, n_units)
            rank, share = int(ranks[system, number]), float(first[system, number])
            found.append(Rank(column.label, systems[system], rank, ends, share, tier))
    return found


def _tiers(outcome: Outcome, column: Scorer, systems: Sequence[str]) -> list[int | None]:
    """Returns the tier of each system, from the best: one ends where all above are surely better than all below.

    None where not all pairs were compared.
    """
    if outcome.settings.baseline is not None:
        return [None] * len(systems)
    cases = [case_of(outcome, found) for found in outcome.comparisons if found.metric == column.label]
    sure = {(case.better, case.worse) for case in cases if isinstance(case, Case) and case.is_sure}
    tiers, number = [], 1
    for place, system in enumerate(systems):
        above, below = systems[:place], [system, *systems[place + 1 :]]
        number += bool(above) and all((one, two) in sure for one in above for two in below)
        tiers.append(number)
    return tiers


def rank_headings() -> tuple[str, ...]:
    """Returns the headings of the table of ranks."""
    return tuple(say(f"column_{name}") for name in ("by", "tier", "system", "score", "rank", "interval", "first"))


def rank_rows(outcome: Outcome) -> list[tuple[str, ...]]:
    """Returns the cells below them."""
    return [
        (
            rank.metric,
            "" if rank.tier is None else str(rank.tier),
            rank.system,
            number_text(headline(outcome.results[rank.system][rank.metric])),
            str(rank.rank),
            "" if np.isnan(rank.rank_interval).any() else "–".join(f"{end:g}" for end in rank.rank_interval),
            f"{rank.p_first:.3f}",
        )
        for rank in outcome.ranks
    ]
