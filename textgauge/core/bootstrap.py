"""The bootstrap over segments: rows drawn with replacement and added up, and the interval of what they score."""

import functools
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .columns import check_labels, label_codes
from .errors import InputError
from .options import BOOTSTRAP, own
from .rounding import are_equal
from .student import t_quantile

LEAST_UNITS = 6  # for an interval, and for a significant test; lab/simulating measures what fewer would do
FEW_UNITS_WARNING = f"an interval takes at least {LEAST_UNITS} segments, or clusters"  # how a warning begins
_LOST_DEGREES = 3  # of freedom, of Student's t
_MANY_UNITS = 10_000  # tails of more are those of the plain percentiles to a draw in 10,000
_BLOCK_RESAMPLES, _BLOCK_DRAWS = 64, 2**21  # resamples, and drawn rows, that are in memory together


def _clusters_text(labels: Sequence[Any] | None) -> str:
    if labels is None:
        return "none"
    n_clusters = len(set(map(str, labels)))
    return f"custom({n_clusters})"


def _check_clusters(name: str, labels: Any) -> None:
    if labels is not None:
        check_labels(name, labels)


CLUSTERS = own(
    None,
    "clusters",
    "the cluster of each segment (a document, a speaker, a dialogue), one string or integer per segment; the "
    "bootstrap then draws clusters instead of segments.",
    _check_clusters,
    kind="call",
    text=_clusters_text,
    needs="confidence",
)
_OF_INTERVALS = {**BOOTSTRAP, "clusters": CLUSTERS}
INTERVAL_KEYS = tuple(option.key for option in _OF_INTERVALS.values())  # in a signature; none changes a score


def without_interval(signature: str) -> str:
    """Returns a signature without its fields of the interval.

    >>> without_interval("cer|nrefs:1|ci:0.95[widened]|bs:1000|seed:12345|v1.0")
    'cer|nrefs:1|v1.0'
    """
    kept_fields = []
    for field in signature.split("|"):
        key, _, _ = field.partition(":")
        if key not in INTERVAL_KEYS:
            kept_fields.append(field)
    return "|".join(kept_fields)


def with_interval(signature: str, options: Mapping[str, Any]) -> str:
    """Returns a signature of `without_interval` with the fields of the interval that options ask for.

    >>> with_interval("cer|nrefs:1|v1.0", {"confidence": 0.95, "resamples": 1000, "seed": 1, "clusters": ["a", "a"]})
    'cer|nrefs:1|ci:0.95[widened]|bs:1000|seed:1|clusters:custom(1)|v1.0'
    """
    *fields, version = signature.split("|")
    if options["confidence"] is not None:
        for name, option in _OF_INTERVALS.items():
            if options[name] is not None:
                fields.append(f"{option.key}:{option.text(options[name])}")
    return "|".join([*fields, version])


def cluster_sums(rows: np.ndarray, clusters: Sequence[Any] | None) -> np.ndarray:
    """Returns the sum of the rows of each cluster, (n_clusters, n_statistics); without clusters the rows themselves.

    Segments of one document are alike, so that drawing them one by one makes an interval too narrow; the
    bootstrap should draw the units that were sampled (Davison and Hinkley 1997, section 3.8).

    Raises:
        ValueError: not one label per row.
    """
    if clusters is None:
        return rows
    labels = check_labels("clusters", clusters)
    if len(labels) != len(rows):
        raise InputError(f"clusters has {len(labels)} entries, but there are {len(rows)} segments; pass one for each")
    sums = np.zeros((len(set(labels)), rows.shape[1]))
    np.add.at(sums, label_codes(labels), rows)
    return sums


def resample(rows: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    """Returns sums of rows (n_rows, n_statistics) that are drawn with replacement, (resamples, n_statistics).

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
    parts = []
    remainders = rows
    while remainders.any() or not parts:
        largest_sum = len(rows) * np.abs(remainders).max(axis=0)
        if not (largest_sum < 2.0**1000).all():  # infinite, nan, or nearly
            return rows
        _, exponents = np.frexp(largest_sum)
        large = np.ldexp(3.0, exponents)
        part = remainders + large - large
        parts.append(part)
        remainders = remainders - part
    return np.concatenate(parts, axis=1)


def draw_counts(n_rows: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yields how often each row is drawn in each resample, in blocks of some resamples, (n_resamples, n_rows).

    >>> blocks = list(draw_counts(n_rows=4, resamples=100, seed=0))
    >>> [block.shape for block in blocks], blocks[0][0].sum().item()
    ([(64, 4), (36, 4)], 4.0)
    """
    rng = np.random.default_rng(seed)
    block = max(1, min(_BLOCK_RESAMPLES, _BLOCK_DRAWS // n_rows))
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        drawn = rng.integers(n_rows, size=(size, n_rows)).astype(np.intp)
        # the rows of each resample get numbers of their own, so that one count is enough for all of the block
        drawn += np.arange(size)[:, None] * n_rows
        counts = np.bincount(drawn.ravel(), minlength=size * n_rows).reshape(size, n_rows)
        yield counts.astype(np.float64)


def percentile_interval(values: np.ndarray, confidence: float, n_units: int) -> list[float]:
    """Returns the two values between which the central share of the defined values lies, [low, high].

    The share is wider than `confidence` where few units are drawn, see `expanded_tail`. The ends are values that occur, so that an interval of [1, inf] has no made-up middle. Ends that
    differ only by rounding are one.

    >>> percentile_interval(np.arange(101.0), confidence=0.9, n_units=20)
    [3.0, 97.0]

    Args:
        values: (n_resamples,) scores.
        confidence: the level.
        n_units: how many segments, or clusters, were drawn.

    Returns:
        nan twice without a defined value, and below LEAST_UNITS, where no interval keeps its level.
    """
    values = values[~np.isnan(values)]
    if not len(values) or n_units < LEAST_UNITS:
        return [np.nan, np.nan]
    tail = expanded_tail((1 - confidence) / 2, n_units)
    low, high = np.quantile(values, (tail, 1 - tail), method="inverted_cdf").tolist()
    return [low, low if are_equal(low, high) else high]


@functools.cache
def expanded_tail(tail: float, n_units: int) -> float:
    """Returns the share of resamples to cut off at each end, in place of a tail of samples.

    Expanded percentiles (Hesterberg 2015, section 5.3): resamples of n units vary less than samples do, by
    sqrt((n - 1) / n), and a normal distribution has shorter tails than Student's t of n - 1 degrees of freedom. Scores of
    few units have tails that are longer still, since units differ in length and difficulty: the factor is squared, and
    two degrees are taken off, with which intervals from eight units on keep their level in lab/simulating.
    """
    if n_units > _MANY_UNITS:
        return tail
    from statistics import NormalDist  # only here, as it takes long

    widening = n_units / (n_units - 1)
    return NormalDist().cdf(-widening * t_quantile(tail, n_units - _LOST_DEGREES))


def warn_of_few_units(n_units: int) -> None:
    """Warns where there are too few segments, or clusters, for an interval."""
    if n_units < LEAST_UNITS:
        warnings.warn(f"{FEW_UNITS_WARNING}; there are {n_units}: it is [nan, nan]", stacklevel=2)


def jackknife_error(units: np.ndarray, score: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Returns the standard error of scores, by the jackknife (Efron and Stein 1981), which no draw makes uncertain.

    Args:
        units: rows of segments, or of clusters, (n_units, n_statistics).
        score: turns sums of rows (n, n_statistics) into scores (n, ...).

    Returns:
        (...); nan for one unit, or where a score without one of them is not finite.
    """
    n_units = len(units)
    if n_units < 2:
        return np.full(score(units).shape[1:], np.nan)
    # sums of all rows but one, without a subtraction that would round
    others = np.zeros_like(units)
    np.cumsum(units[:-1], axis=0, out=others[1:])
    others[:-1] += np.cumsum(units[:0:-1], axis=0)[::-1]
    with np.errstate(invalid="ignore"):
        errors = np.sqrt((n_units - 1) * score(others).var(axis=0))
    return np.where(np.isfinite(errors), errors, np.nan)


def interval_values(
    values: np.ndarray, confidence: float, n_units: int, prefix: str = "", error: float | None = None
) -> dict[str, Any]:
    """Returns the keys that a result has for the uncertainty of a score.

    >>> values = interval_values(np.array([0.2, 0.4, 0.3, 0.3]), confidence=0.5, n_units=50, prefix="bleu_")
    >>> values["bleu_confidence_interval"], round(values["bleu_standard_error"], 4)
    ([0.2, 0.4], 0.0714)

    Args:
        values: (n_resamples,) the score of each.
        confidence: the level of the interval.
        n_units: how many segments, or clusters, were drawn.
        prefix: of the keys.
        error: the standard error; where there are no rows to leave out one by one, that of the resamples is taken.
    """
    if error is None:
        error = math.nan
        if n_units > 1 and np.isfinite(values).all():
            error = values.std() * math.sqrt(n_units / (n_units - 1))
    ends = percentile_interval(values, confidence, n_units)
    return {f"{prefix}confidence_interval": ends, f"{prefix}standard_error": float(error)}


def uncertainty(
    rows: np.ndarray,
    score: Callable[[np.ndarray], np.ndarray],
    prefixes: Sequence[str],
    options: Mapping[str, Any],
    resampled: tuple[np.ndarray, int] | None,
) -> dict[str, Any]:
    """Returns the interval and the standard error of each score, and how many units were drawn.

    Args:
        rows: (n_segments, n_statistics).
        score: turns sums of rows (n, n_statistics) into scores (n, n_scores).
        prefixes: of the keys of each score.
        options: confidence, resamples, seed and clusters.
        resampled: sums of rows drawn elsewhere, (resamples, n_statistics), and of how many units.
    """
    errors = [None] * len(prefixes)
    if resampled is None:
        units = cluster_sums(rows, options["clusters"])
        resampled = resample(units, options["resamples"], options["seed"]), len(units)
        errors = jackknife_error(units, score)
    sums, n_units = resampled
    warn_of_few_units(n_units)
    result: dict[str, Any] = {}
    for prefix, values, error in zip(prefixes, score(sums).T, errors, strict=True):
        result.update(interval_values(values, options["confidence"], n_units, prefix, error))
    return {**result, "units": n_units}
