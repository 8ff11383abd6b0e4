"""Which numbers are equal up to rounding: every comparison of scores starts here.

A score is a sum with several roundings, which depend on the order of the segments. So two scores count as equal if
they differ by no more than `ROUNDING` times their sizes.
"""

import numpy as np

ROUNDING = 1e-12  # relative; rounding itself is some 1e-16 for each step of a sum


def are_equal(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns whether numbers (...) are equal except for rounding; infinity equals itself, nan nothing.

    >>> are_equal(np.array([0.1 + 0.2, 0.3, np.inf, np.nan]), np.array([0.3, 0.31, np.inf, np.nan])).tolist()
    [True, False, True, False]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        distances = np.abs(np.subtract(first, second))
        is_near = distances <= rounding_of(first) + rounding_of(second)
    return np.equal(first, second) | is_near


def difference(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns first - second (...): exactly 0 where both are equal except for rounding, nan for two infinite ones.

    >>> difference(np.array([0.1 + 0.2, 0.5]), np.array([0.3, 0.25])).tolist()
    [0.0, 0.25]
    """
    with np.errstate(invalid="ignore", over="ignore"):
        values = np.subtract(first, second)
    return np.where(are_equal(first, second) & ~np.isnan(values), 0.0, values)


def rounding_of(sizes: np.ndarray) -> np.ndarray:
    """Returns how large an error of rounding numbers (...) of these sizes can have; 0 for infinite ones and for nan.

    >>> rounding_of(np.array([-2.0, np.inf])).tolist()
    [2e-12, 0.0]
    """
    return ROUNDING * np.where(np.isfinite(sizes), np.abs(sizes), 0.0)


def merged(values: np.ndarray, rounding: float | None = None) -> np.ndarray:
    """Returns the values (...), of which those become equal that differ by no more than rounding; nan stays.

    Values between which there are only such small steps become the lowest of them.

    >>> merged(np.array([0.1 + 0.2, 0.5, 0.3, np.nan])).tolist()
    [0.3, 0.5, 0.3, nan]

    Args:
        values: numbers.
        rounding: the largest error of each; by default that of a number of its own size, see `are_equal`.
    """
    ordered = np.sort(values, axis=None)
    lower = ordered[:-1]
    higher = ordered[1:]
    if rounding is None:
        is_same = are_equal(lower, higher)
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            is_same = (higher - lower <= rounding) | (higher == lower)
    is_first = np.append(True, ~is_same)[: len(ordered)]
    distinct = ordered[is_first]
    return distinct[np.searchsorted(distinct, values, side="right") - 1]
