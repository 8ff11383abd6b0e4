"""Agreement of raters on categories: Cohen's kappa, its weighted form, and Krippendorff's alpha for nominal data.

Ratings are an array (n_rows, n_raters), nan where a rater gave no score, and weights (..., n_rows) say how often each
row counts. The plain versions are in tests/test_raters.py.
"""

import itertools
from collections.abc import Iterator

import numpy as np


def cohen_kappas(ratings: np.ndarray, weights: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields for each pair of raters Cohen's kappa and the weighted one, each (...) and at most 1; 0 is chance.

    Cohen (1960); the weighted one is Cohen (1968), where a disagreement counts the square of its size. Both are 1 -
    observed / expected disagreement, over the rows that both have rated. Categories are the distinct scores of all
    raters, numbered from 0 on in ascending order, and the size is a difference of these numbers. nan where both raters
    use one and the same category only.

    >>> table = np.array([[1, 1], [2, 2], [3, 2], [3, 3]])
    >>> [[round(float(value), 4) for value in pair] for pair in cohen_kappas(table, np.ones(4))]
    [[0.6364, 0.8]]
    """
    codes = categories(ratings)
    for first, second in itertools.combinations(range(ratings.shape[1]), 2):
        yield cohen_kappa(codes[:, first], codes[:, second], weights)


def categories(ratings: np.ndarray) -> np.ndarray:
    """Returns the category of each score, its number among all distinct scores: (n_rows, n_raters); -1 for no score."""
    is_given = ~np.isnan(ratings)
    codes = np.full(ratings.shape, -1)
    _, numbers = np.unique(ratings[is_given], return_inverse=True)
    codes[is_given] = numbers.reshape(-1)
    return codes


def cohen_kappa(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns kappa and weighted kappa, each (...), of two raters, whose `categories` these are, (n_rows,) each."""
    has_both = (first >= 0) & (second >= 0)
    first = first[has_both]
    second = second[has_both]
    weights = weights[..., has_both]
    if not len(first):
        undefined = np.full(weights.shape[:-1], np.nan)
        return undefined, undefined.copy()

    n_categories = int(max(first.max(), second.max())) + 1
    shares = []
    squares = []
    means = []
    with np.errstate(divide="ignore", invalid="ignore"):
        total = weights.sum(axis=-1)
        for codes in (first, second):
            shares.append(_sums(codes, weights, n_categories) / total[..., None])
            squares.append((weights * codes**2).sum(axis=-1) / total)
            means.append((weights * codes).sum(axis=-1) / total)
        differ = (weights * (first != second)).sum(axis=-1) / total
        expected_differ = 1 - (shares[0] * shares[1]).sum(axis=-1)
        distance = (weights * (first - second) ** 2).sum(axis=-1) / total
        expected_distance = squares[0] + squares[1] - 2 * means[0] * means[1]
        # the sums are of integers and so exact: where no disagreement is possible this is 0 / 0
        return 1 - differ / expected_differ, 1 - distance / expected_distance


def nominal_alpha(ratings: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns Krippendorff's alpha for categories, at most 1; 0 is agreement by chance: (...).

    Krippendorff (2011): 1 - D_o / D_e, where two scores differ by 1 or not at all. A row with one score has no pair and
    does not count; nan if no row has two scores, or if all are equal.

    >>> table = np.array([[1, 1], [2, 3], [4, 4], [5, np.nan]])
    >>> round(float(nominal_alpha(table, np.ones(4))), 4)
    0.6154
    """
    codes = categories(ratings)
    counts = (codes >= 0).sum(axis=1)
    has_pair = counts > 1
    codes = codes[has_pair]
    weights = weights[..., has_pair]
    counts = counts[has_pair]
    if not len(codes):
        return np.full(weights.shape[:-1], np.nan)

    n_categories = int(codes.max()) + 1
    equal = (codes[:, :, None] == codes[:, None, :]) & (codes >= 0)[:, :, None]
    differing = counts**2 - equal.sum(axis=(1, 2))  # ordered pairs in a row
    by_category = np.zeros((*weights.shape[:-1], n_categories))
    for column in codes.T:
        with_missing = np.where(column < 0, n_categories, column)
        by_category += _sums(with_missing, weights, n_categories + 1)[..., :n_categories]
    total = by_category.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (weights * differing / (counts - 1)).sum(axis=-1)
        expected = (total**2 - (by_category**2).sum(axis=-1)) / (total - 1)
        return np.where(expected > 0, 1 - observed / expected, np.nan)


def _sums(codes: np.ndarray, weights: np.ndarray, size: int) -> np.ndarray:
    """Returns the weight of each category, (..., size)."""
    order = np.argsort(codes, kind="stable")
    present, starts = np.unique(codes[order], return_index=True)
    sums = np.zeros((*weights.shape[:-1], size))
    sums[..., present] = np.add.reduceat(weights[..., order], starts, axis=-1)
    return sums
