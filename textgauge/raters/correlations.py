"""Correlation coefficients, for each group of rows, and for many resamples at once.

Rows are sorted by group, and `starts` holds the first row of each group. The weight of a row says how often it counts:
once for the data themselves, and as often as it was drawn for a resample.

The idea: a row that counts several times is several equal rows, with equal ranks. The trick: the order of the values
does not depend on the weights, so rows are sorted once, and sums of weights give the ranks and ties of each resample.
The plain version is scipy on rows that are repeated: tests/test_human_correlation.py.
"""

import numpy as np


def scaled(values: np.ndarray) -> np.ndarray:
    """Returns the values (...) divided by a power of two, so that squares of very large and very small ones exist."""
    return np.ldexp(values, -np.frexp(np.abs(values).max())[1])


def pearson(x: np.ndarray, y: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns Pearson's r of each group in [-1, 1], nan where x or y is constant: shape (..., n_groups).

    >>> x, y, starts = np.array([1.0, 2.0, 3.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0, 5.0, 5.0]), np.array([0, 3])
    >>> pearson(x, y, starts, np.ones(5)).round(4).tolist()
    [0.5, nan]

    Args:
        x: scores, (n_rows,) or (..., n_rows).
        y: scores to compare with, of the same shape.
        starts: (n_groups,) first row of each group.
        weights: (..., n_rows) how often each row counts.
    """
    if not len(starts):
        return np.zeros((*weights.shape[:-1], 0))
    sizes = np.diff(starts, append=x.shape[-1])
    total = np.add.reduceat(weights, starts, axis=-1)
    deviations = []
    for values in (x, y):
        values = scaled(values)
        with np.errstate(invalid="ignore"):
            mean = np.add.reduceat(weights * values, starts, axis=-1) / total
        deviations.append(values - np.repeat(mean, sizes, axis=-1))
    x_deviation, y_deviation = deviations
    covariance = np.add.reduceat(weights * (x_deviation * y_deviation), starts, axis=-1)
    x_size = np.sqrt(np.add.reduceat(weights * x_deviation**2, starts, axis=-1))
    y_size = np.sqrt(np.add.reduceat(weights * y_deviation**2, starts, axis=-1))
    has_constant = is_constant(x, starts, weights) | is_constant(y, starts, weights)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        r = covariance / x_size / y_size
        # near 1 those sums round too much; from the distances between x and y, r of a perfect line is exactly 1
        y_size = y_size * np.sign(r)
        gaps = x_deviation / np.repeat(x_size, sizes, axis=-1) - y_deviation / np.repeat(y_size, sizes, axis=-1)
        near = np.sign(r) * (1 - np.add.reduceat(weights * gaps**2, starts, axis=-1) / 2)
    r = np.where(np.abs(near) > 0.9, near, np.clip(r, -1.0, 1.0))
    return np.where(has_constant, np.nan, r)


def is_constant(values: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns whether all values of a group that count are equal, (..., n_groups)."""
    # the variance may miss 0 by rounding
    counts = weights > 0
    smallest = np.minimum.reduceat(np.where(counts, values, np.inf), starts, axis=-1)
    largest = np.maximum.reduceat(np.where(counts, values, -np.inf), starts, axis=-1)
    return smallest >= largest


def spearman(x: np.ndarray, y: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns Spearman's rho of each group, (..., n_groups): `pearson` of the ranks, with mean ranks for ties.

    >>> spearman(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]), np.array([0]), np.ones(3)).round(4).tolist()
    [0.866]
    """
    return pearson(ranks(x, starts, weights), ranks(y, starts, weights), starts, weights)


def ranks(values: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the mean rank of each row, (..., n_rows), plus a constant for each group, which does not change r."""
    order = np.lexsort([values, _group_of(starts, len(values))])
    ties = _tie_starts(order, starts, values)
    last = np.append(ties[1:], len(order)) - 1
    ends = np.cumsum(weights[..., order], axis=-1)[..., last]
    counts = np.diff(ends, prepend=0.0, axis=-1)
    mean_ranks = np.empty_like(weights)
    mean_ranks[..., order] = np.repeat(ends - (counts - 1) / 2, np.diff(ties, append=len(order)), axis=-1)
    return mean_ranks


def kendall(x: np.ndarray, y: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns Kendall's tau-b of each group in [-1, 1], (..., n_groups), nan where x or y is constant; see `pearson`.

    It takes O(n log n): it counts ties and discordant pairs, and all other pairs are concordant.

    >>> kendall(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 3.0]), np.array([0]), np.ones(3)).round(4).tolist()
    [0.8165]
    """
    if not len(starts):
        return np.zeros((*weights.shape[:-1], 0))
    group_of = _group_of(starts, len(x))
    _, y_codes = np.unique(y, return_inverse=True)
    y_codes = y_codes.reshape(-1)
    by_x = np.lexsort([y_codes, x, group_of])
    by_y = np.lexsort([y_codes, group_of])
    n_pairs = _n_pairs(np.add.reduceat(weights, starts, axis=-1))
    x_ties = _tied_pairs(by_x, starts, weights, x)
    y_ties = _tied_pairs(by_y, starts, weights, y)
    ties_in_both = _tied_pairs(by_x, starts, weights, x, y)
    discordant = _discordant_pairs(y_codes[by_x], starts, weights[..., by_x])
    difference = n_pairs - x_ties - y_ties + ties_in_both - 2 * discordant
    with np.errstate(divide="ignore", invalid="ignore"):
        # one root of the product, so that tau of a perfect order is exactly 1
        tau = difference / np.sqrt((n_pairs - x_ties) * (n_pairs - y_ties))
    return np.where((n_pairs > x_ties) & (n_pairs > y_ties), np.clip(tau, -1.0, 1.0), np.nan)


def pairwise_difference(x: np.ndarray, y: np.ndarray, items: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns the correlation of differences within items, (n_draws,), in [-1, 1]; nan where x or y has none.

    DiIanni and Deutsch (2025), pairwise difference Pearson: two outputs of one item differ by so much for the metric
    and by so much for people. These two differences are correlated over all pairs of outputs, in both orders, of all
    items. The trick: in an item the products of all differences add up to its size times the sum of the products of
    the deviations from its mean.

    Args:
        x: scores, (n_rows,).
        y: scores to compare with, (n_rows,).
        items: the item of each row, (n_rows,), from 0 on.
        counts: (n_draws, n_items) how often each item counts.
    """
    sizes = np.bincount(items)
    first = np.unique(items, return_index=True)[1]
    deviations = []
    for values in map(scaled, (x, y)):
        values = values - values[first][items]  # 0 for items whose scores are equal, without rounding
        means = np.bincount(items, values) / sizes
        deviations.append(values - means[items])
    x_deviation, y_deviation = deviations
    products = (x_deviation * y_deviation, x_deviation**2, y_deviation**2)
    item_sums = np.stack([sizes * np.bincount(items, product) for product in products], axis=-1)
    covariance, x_variance, y_variance = np.moveaxis(counts @ item_sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(covariance / np.sqrt(x_variance) / np.sqrt(y_variance), -1.0, 1.0)


def _tied_pairs(order: np.ndarray, starts: np.ndarray, weights: np.ndarray, *columns: np.ndarray) -> np.ndarray:
    """Returns the number of pairs in each group that are equal in all columns; `order` sorts the rows by them."""
    ties = _tie_starts(order, starts, *columns)
    counts = np.add.reduceat(weights[..., order], ties, axis=-1)
    return np.add.reduceat(_n_pairs(counts), np.searchsorted(ties, starts), axis=-1)


def _discordant_pairs(codes: np.ndarray, starts: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns in each group how many pairs of rows have the larger code first.

    The idea: sort the rows by code, and count how often one row passes another. The trick: sort bit by bit, from the
    highest bit on. Each step looks at rows that are equal in the higher bits, and moves those with a 0 before those
    with a 1. All other rows stay in order, so two rows pass each other in exactly one step, or never. And the weight
    of the rows that pass a row is the change of the sum of all weights up to it.
    """
    weights = np.ascontiguousarray(np.moveaxis(weights, -1, 0))  # the weights of a row in all resamples are neighbours
    passed = np.zeros((len(starts), *weights.shape[1:]))
    blocks = _group_of(starts, len(codes))
    until = np.cumsum(weights, axis=0)
    for bit in reversed(range(int(codes.max()).bit_length())):
        blocks = blocks << 1 | codes >> bit & 1
        moved = np.argsort(blocks, kind="stable")
        blocks = blocks[moved]
        codes = codes[moved]
        weights = weights[moved]
        change = until[moved]
        until = np.cumsum(weights, axis=0)
        change -= until
        passed += np.add.reduceat(np.abs(change, out=change) * weights, starts, axis=0)
    return np.moveaxis(passed, 0, -1) / 2  # a pair was counted at each of its two rows


def _n_pairs(counts: np.ndarray) -> np.ndarray:
    """Returns the number of pairs of this number of rows."""
    return counts * (counts - 1) / 2


def _group_of(starts: np.ndarray, n_rows: int) -> np.ndarray:
    return np.repeat(np.arange(len(starts)), np.diff(starts, append=n_rows))


def _tie_starts(order: np.ndarray, starts: np.ndarray, *columns: np.ndarray) -> np.ndarray:
    """Returns where the rows of a group that are equal in all columns begin; `order` sorts by group and columns."""
    is_new = np.zeros(len(order), dtype=bool)
    is_new[starts] = True
    for column in columns:
        is_new[1:] |= column[order][1:] != column[order][:-1]
    return np.flatnonzero(is_new)
