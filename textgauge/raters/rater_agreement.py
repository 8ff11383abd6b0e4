"""How well several people who score the same rows agree, for one resample of the rows or many.

The reliability is that of split halves, stepped up (Spearman 1910; Brown 1910), and its root is the ceiling of a
correlation with the mean (Spearman 1904; Lord and Novick 1968, chapter 3).
"""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np

from textgauge.core.rounding import ROUNDING

from .correlations import pearson
from .kappas import cohen_kappas, nominal_alpha
from .raters import krippendorff_alpha, mean_ratings
from .samples import Sample, group_means, weights_of


def rater_agreement(sample: Sample, counts: np.ndarray, splits: int, seed: int) -> dict[str, np.ndarray]:
    """Returns how well the raters agree in each draw, (n_draws,): see the card of `human_correlation` for each key.

    Args:
        sample: the rows; correlations are means over their groups.
        counts: (n_draws, n_units) how often each unit is drawn.
        splits: how many splits into halves are tried at most: all, or this number of random ones.
        seed: of random splits.
    """
    n_draws = len(counts)
    ratings = sample.ratings
    n_raters = ratings.shape[1]
    correlations = []
    for rater in range(n_raters):
        others = np.delete(np.arange(n_raters), rater)
        correlations.append(correlation_of_means(sample, [rater], others, counts))
    half_correlations = []
    for first, second in _halves(n_raters, splits, seed):
        half_correlations.append(correlation_of_means(sample, first, second, counts))
    reliability = _stepped_up(mean_values(half_correlations, n_draws), n_raters)

    drawn = counts[:, sample.units]
    kappas = []
    weighted_kappas = []
    for kappa, weighted_kappa in cohen_kappas(ratings, drawn):
        kappas.append(kappa)
        weighted_kappas.append(weighted_kappa)
    return {
        "alpha": krippendorff_alpha(ratings, drawn),
        "ordinal_alpha": krippendorff_alpha(ratings, drawn, is_ordinal=True),
        "nominal_alpha": nominal_alpha(ratings, drawn),
        "kappa": mean_values(kappas, n_draws),
        "weighted_kappa": mean_values(weighted_kappas, n_draws),
        "rater_correlation": mean_values(correlations, n_draws),
        "reliability": reliability,
        "noise_ceiling": np.sqrt(reliability),
    }


def _stepped_up(r: np.ndarray, n_raters: int) -> np.ndarray:
    """Returns the reliability of the mean of all raters, from the correlation of halves (Spearman-Brown); nan below 0.

    Of an odd number of raters one is in neither half, so that all are a little more than twice as many as a half.
    """
    times = n_raters / max(n_raters // 2, 1)
    r = np.where(np.abs(r) <= ROUNDING, 0.0, r)  # else the order of the rows would say whether 0 is below 0
    r = np.where(r >= 0, r, np.nan)
    return times * r / (1 + (times - 1) * r)


def correlation_of_means(sample: Sample, first: Sequence[int], second: Sequence[int], counts: np.ndarray) -> np.ndarray:
    """Returns Pearson's r of the mean of some raters with that of others, over the rows that have both, (n_draws,)."""
    means = np.stack([mean_ratings(sample.ratings[:, list(raters)]) for raters in (first, second)])
    has_both = ~np.isnan(means).any(axis=0)
    x, y = np.where(has_both, means, 0.0)
    weights, group_weights = weights_of(sample, counts)
    return group_means(pearson(x, y, sample.starts, weights * has_both), group_weights)


def mean_values(values: Sequence[np.ndarray], n_draws: int) -> np.ndarray:
    """Returns for each draw the mean of its values that are defined, (n_draws,); nan if none is."""
    return group_means(np.array(values).reshape(-1, n_draws).T, np.ones(len(values)))


def _halves(n_raters: int, splits: int, seed: int) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yields the halves of each split of the raters: of all splits if they are at most `splits`, else random ones."""
    half = n_raters // 2
    if not half:
        return
    count = math.comb(n_raters, half) * math.comb(n_raters - half, half) // 2
    if count > splits:
        rng = np.random.default_rng(seed)
        for _ in range(splits):
            order = rng.permutation(n_raters)
            yield order[:half], order[half : 2 * half]
        return
    for first in itertools.combinations(range(n_raters), half):
        others = [rater for rater in range(n_raters) if rater not in first]
        for second in itertools.combinations(others, half):
            if first < second:
                yield first, second
