"""The bootstrap over segments: rows drawn with replacement and added up, and the interval of what they score."""

from collections.abc import Iterator

import numpy as np

_BLOCK, _BLOCK_DRAWS = 64, 2**21  # resamples, and drawn rows, that are in memory together


def resample(rows: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Returns sums of rows drawn with replacement, (resamples, n_statistics).

    The draws depend on the number of rows, `resamples` and `seed` alone: two systems with the same number of segments
    are resampled alike, as a paired test wants it (Koehn 2004).
    """
    return np.concatenate([counts @ rows for counts in draw_counts(len(rows), resamples, seed)])


def draw_counts(n_rows: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yields how often each row is drawn in each resample, in blocks (some resamples, n_rows) float64."""
    rng = np.random.default_rng(seed)
    block = max(1, min(_BLOCK, _BLOCK_DRAWS // n_rows))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = rng.integers(n_rows, size=(size, n_rows)).astype(np.intp) + np.arange(size)[:, None] * n_rows
        counts = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        yield counts.astype(np.float64)


def percentile_interval(values: np.ndarray, confidence: float) -> list[float]:
    """Returns the two values between which the central share of the defined values lies.

    The ends are values that occur, so that an interval of [1, inf] has no made-up middle; nan without a defined value.
    """
    values = values[~np.isnan(values)]
    if not len(values):
        return [np.nan, np.nan]
    tail = (1 - confidence) / 2
    return np.quantile(values, (tail, 1 - tail), method="inverted_cdf").tolist()
