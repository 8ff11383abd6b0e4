"""Accuracies over pairs: of segments, with a threshold for ties, and of systems, by p-values."""

from typing import NamedTuple

import numpy as np

from textgauge.core.rounding import are_equal, rounding_of


class PairsByGap(NamedTuple):
    """Pairs of rows of one group, sorted by gap, that are right with some threshold; arrays (n_pairs,)."""

    first: np.ndarray  # row
    second: np.ndarray  # row
    gaps: np.ndarray  # difference of the metric's scores, >= 0
    gains: np.ndarray  # 1 where people tie, so that a tie of the metric is right; -1 where such a tie is wrong
    ends: np.ndarray  # (n_thresholds,) how many pairs each threshold ties; gaps that differ by rounding are one


def pairs_of(scores: np.ndarray, human: np.ndarray, starts: np.ndarray) -> PairsByGap:
    """Returns the pairs of rows within each group that can be right.

    The scores are (n_rows,), by the metric and by people; `starts`, (n_groups,), holds the first row of each group.

    >>> pairs = pairs_of(np.array([0.25, 0.5, 0.375]), np.array([1, 3, 2]), np.array([0]))
    >>> pairs.first.tolist(), pairs.second.tolist(), pairs.gaps.tolist(), pairs.gains.tolist()
    ([1, 0, 0], [2, 2, 1], [0.125, 0.125, 0.25], [-1, -1, -1])
    """
    sizes = np.diff(starts, append=len(scores))
    last = np.repeat(starts + sizes, sizes)
    rows = np.arange(len(scores), dtype=np.int32)
    by_distance = []
    for distance in range(1, sizes.max(initial=0)):
        first = rows[rows + distance < last]
        second = first + np.int32(distance)
        gap = scores[second] - scores[first]
        human_gap = human[second] - human[first]
        is_right = gap * np.sign(human_gap) > 0
        gains = np.where(human_gap == 0, 1, -is_right.astype(np.int8)).astype(np.int8)
        kept = gains != 0
        by_distance.append((first[kept], second[kept], np.abs(gap[kept]), gains[kept]))
    if not by_distance:
        no_rows = np.zeros(0, np.int32)
        no_gaps = np.zeros(0, np.float64)
        no_gains = np.zeros(0, np.int8)
        return PairsByGap(no_rows, no_rows, no_gaps, no_gains, np.zeros(1, np.int64))

    first, second, gaps, gains = (np.concatenate(arrays) for arrays in zip(*by_distance, strict=True))
    order = np.argsort(gaps, kind="stable")
    gaps = gaps[order]
    steps = np.diff(gaps, prepend=0.0, append=np.inf)
    rounding = 16 * np.spacing(np.abs(scores).max())  # each step of computing a score may have rounded it
    ends = np.flatnonzero(steps > rounding)
    return PairsByGap(first[order], second[order], gaps, gains[order], ends)


def calibrated_accuracy(
    pairs: PairsByGap, starts: np.ndarray, weights: np.ndarray, group_weights: np.ndarray
) -> tuple[float, float]:
    """Returns the share of pairs that are right with the best threshold for ties, in [0, 1], and that threshold.

    Deutsch et al. (2023), section 5: a metric ties two rows if its scores differ by no more than the threshold. A pair
    is right if the metric and people both tie, or both prefer the same row. From equally good thresholds it takes the
    smallest. The share is the mean over groups, nan if no group has a pair.

    The idea: with pairs sorted by gap, a threshold ties the pairs up to some place, and one cumulative sum gives the
    right pairs for all thresholds. The plain version is `calibrated_accuracy` of tests/oracles.py.

    >>> starts = np.array([0])
    >>> pairs = pairs_of(np.array([0.25, 0.5, 0.375, 0.875]), np.array([1, 3, 3, 4]), starts)
    >>> accuracy, threshold = calibrated_accuracy(pairs, starts, np.ones(4), np.ones(1))
    >>> round(float(accuracy), 4), float(threshold)
    (0.8333, 0.0)

    Args:
        pairs: as `pairs_of` returns them.
        starts: (n_groups,) first row of each group.
        weights: (n_rows,) how often each row counts. Two copies of a row are a pair that metric and people both tie.
        group_weights: (n_groups,) weight of each group in the mean.
    """
    counts = np.add.reduceat(weights, starts)
    n_pairs = counts * (counts - 1) / 2
    pair_weights = np.divide(group_weights, n_pairs, out=np.zeros(len(starts)), where=n_pairs > 0)
    total = group_weights[n_pairs > 0].sum()
    if total == 0:
        return np.nan, np.nan
    unit = pair_weights.max()  # where all groups are of one size, each pair weighs 1, and no sum is rounded
    row_weights = np.repeat(pair_weights / unit, np.diff(starts, append=len(weights)))  # of the pairs of each row
    values = weights[pairs.first] * weights[pairs.second] * row_weights[pairs.first]
    copies = (weights * (weights - 1) / 2 * row_weights).sum()
    right_without_ties = values[pairs.gains < 0].sum() + copies
    values *= pairs.gains
    # what is right where the metric ties none of the pairs, the first one, the first two, ...
    right = np.append(0.0, np.cumsum(values, out=values)) + right_without_ties
    right_at_ends = right[pairs.ends]
    best = pairs.ends[np.argmax(are_equal(right_at_ends, right_at_ends.max()))]
    accuracy = float(right[best] * unit / total)
    threshold = float(pairs.gaps[best - 1]) if best > pairs.ends[0] else 0.0
    return accuracy, threshold


def soft_accuracy(scores: np.ndarray, human: np.ndarray, signs: np.ndarray) -> float:
    """Returns soft pairwise accuracy in [0, 1], nan for fewer than two systems (Thompson et al. 2024, section 3).

    For each pair of systems there are two p-values of the first one being better: one by the metric and one by people.
    The accuracy is 1 minus the mean of their absolute difference.

    Args:
        scores: (n_systems, n_items) by the metric.
        human: (n_systems, n_items) by people.
        signs: as `sign_changes` returns them.
    """
    if len(scores) < 2:
        return np.nan
    differences = np.abs(_p_values(scores, signs) - _p_values(human, signs))
    return float(1 - differences.mean())


def _p_values(scores: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """Returns for each pair of systems the share of sign changes after which the first leads by no less than before."""
    first, second = np.triu_indices(len(scores), 1)
    totals = scores.sum(1)
    lead = totals[first] - totals[second]
    changed = signs @ scores.T
    changed_lead = changed[:, first] - changed[:, second]
    rounding = rounding_of(np.abs(scores).sum(1))
    is_no_less = changed_lead >= lead - (rounding[first] + rounding[second])
    return is_no_less.mean(0)


def sign_changes(n_items: int, permutations: int, seed: int) -> np.ndarray:
    """Returns a row of 1 and -1 for each permutation, (n, n_items): two systems swap their scores of the items with -1.

    All rows that are possible, if there are at most `permutations`, else `permutations` random ones.

    >>> sign_changes(n_items=2, permutations=10, seed=0).tolist()
    [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]]
    """
    if n_items < permutations.bit_length():
        return 1.0 - 2 * (np.arange(2**n_items)[:, None] >> np.arange(n_items) & 1)
    return np.random.default_rng(seed).choice([1.0, -1.0], size=(permutations, n_items))
