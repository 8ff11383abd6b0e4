"""The bootstrap over segments: rows drawn with replacement and added up, and the interval of what they score."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .columns import check_labels, label_codes
from .options import own

_BLOCK, _BLOCK_DRAWS = 64, 2**21  # resamples, and drawn rows, that are in memory together


def _clusters_text(labels: Sequence[Any] | None) -> str:
    return "none" if labels is None else f"custom({len(set(map(str, labels)))})"


def _check_clusters(name: str, labels: Any) -> None:
    if labels is not None:
        check_labels(name, labels)


CLUSTERS = own(
    None,
    "clusters",
    "what each segment belongs to (a document, a speaker, a dialogue), one string or integer per segment; the "
    "bootstrap then draws these and not segments.",
    _check_clusters,
    kind="call",
    text=_clusters_text,
    needs="confidence",
)


def cluster_sums(rows: np.ndarray, clusters: Sequence[Any] | None) -> np.ndarray:
    """Returns the sum of the rows of each cluster, (n_clusters, n_statistics); without clusters the rows themselves.

    Segments of one document are alike, so that drawing them one by one makes an interval too narrow; what is drawn
    should be what was sampled (Davison and Hinkley 1997, section 3.8).

    Raises:
        ValueError: not one label per row.
    """
    if clusters is None:
        return rows
    labels = check_labels("clusters", clusters)
    if len(labels) != len(rows):
        raise ValueError(f"clusters has {len(labels)} entries, but there are {len(rows)} segments; pass one for each")
    sums = np.zeros((len(set(labels)), rows.shape[1]))
    np.add.at(sums, label_codes(labels), rows)
    return sums


def resample(rows: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Returns sums of rows drawn with replacement, (resamples, n_statistics).

    The draws depend on the number of rows, `resamples` and `seed` alone: two systems with the same number of segments
    are resampled alike, as a paired test wants it (Koehn 2004). The sums are the same to the last bit on any number of
    threads.
    """
    parts = _exact_parts(rows)
    sums = np.concatenate([counts @ parts for counts in draw_counts(len(rows), resamples, seed)])
    return sums.reshape(resamples, -1, rows.shape[1]).sum(axis=1)


def _exact_parts(rows: np.ndarray) -> np.ndarray:
    """Returns parts that add up to the rows, side by side: (n_rows, n_parts * n_statistics).

    A matrix product adds in an order that depends on threads and processor, and each order rounds in another way. The
    idea: sums without rounding have no order. The trick: adding and subtracting a large number rounds the values of a
    column to multiples of one power of two, so few bits that their sums are exact. What this cuts off is the next part.
    Integers are one part, fractions of one size two or three.
    """
    parts, left = [], rows
    while left.any() or not parts:
        largest_sum = len(rows) * np.abs(left).max(axis=0)
        if not (largest_sum < 2.0**1000).all():  # infinite, nan, or nearly
            return rows
        large = np.ldexp(3.0, np.frexp(largest_sum)[1])
        parts.append(left + large - large)
        left = left - parts[-1]
    return np.concatenate(parts, axis=1)


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
