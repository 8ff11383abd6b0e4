"""Random draws that are the same for all systems and all metrics: whole segments, drawn again or swapped."""

import math
from collections.abc import Iterator

import numpy as np

TRIALS = 10_000  # which more follow where a p-value is near a border
_MOST_TRIALS = 160_000  # of up to 400 tests; `enough_trials` says how many more tests take
_EXACT_SEGMENTS = 12  # 2 ** 12 ways to swap them
_BLOCK, _BLOCK_DRAWS = 512, 2**21


def is_exact(segments: int) -> bool:
    """Returns whether there are so few segments that all ways to swap them are tried, in place of random ones."""
    return segments <= _EXACT_SEGMENTS


def least_p(units: int, trials: int) -> float:
    """Returns the least p-value that approximate randomisation can give.

    Two of all ways to swap are as extreme as the observed difference: to swap nothing, and everything. Random trials
    may have neither, and the p-value counts one more.
    """
    return 2 / 2**units if is_exact(units) else 1 / (trials + 1)


def least_units(level: float) -> int:
    """Returns how many segments, or clusters, it takes at least for a p-value of this level."""
    return next((n for n in range(1, _EXACT_SEGMENTS + 1) if least_p(n, 0) <= level), _EXACT_SEGMENTS + 1)


def least_trials(tests: int, level: float) -> int:
    """Returns how many random trials bring the least p-value, adjusted for this number of tests, to the level.

    >>> least_trials(1, 0.05), least_trials(1, 0.03)
    (19, 33)

    That is tests / level - 1, rounded up; where rounding is in doubt, the product decides, as it does in a verdict.
    """
    trials = max(math.floor(tests / level) - 1, 1)
    while tests * (1 / (trials + 1)) > level:
        trials += 1
    return trials


def enough_trials(tests: int, level: float) -> int:
    """Returns how many trials this number of tests takes at most: Holm's strictest level is then 20 times `least_p`."""
    return max(_MOST_TRIALS, math.ceil(20 * tests / level))


def swap(rows: np.ndarray, trials: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields in blocks, for every trial, the sums of the segments that stay and of those that are swapped.

    A trial of systems A and B is `stays[A] + swapped[B]` against `stays[B] + swapped[A]` (Noreen 1989; Riezler and
    Maxwell 2005). Each of the two sums is added up by itself, instead of being subtracted from the
    whole, which rounding could make negative.

    Args:
        rows: (n_segments, n_statistics).
        trials: how many; up to 12 segments it is all 2 ** n_segments ways instead, each once.
        seed: of the draws, which are those of sacreBLEU.

    Yields:
        Two arrays (size of the block, n_statistics).
    """
    for stays in _which_stay(len(rows), trials, seed):
        sums = np.concatenate([stays, ~stays]).astype(np.float64) @ rows
        yield sums[: len(stays)], sums[len(stays) :]


def _which_stay(segments: int, trials: int, seed: int) -> Iterator[np.ndarray]:
    """Yields for blocks of trials whether each segment stays, (size of the block, segments)."""
    if is_exact(segments):
        yield (np.arange(2**segments)[:, None] >> np.arange(segments)) % 2 == 0
        return
    rng = np.random.default_rng(seed)
    # numpy cuts 32 answers out of one number: with multiples of 32 the draws do not depend on the blocks
    block = min(_BLOCK, max(1, _BLOCK_DRAWS // segments // 32) * 32)
    for start in range(0, trials, block):
        yield rng.integers(2, size=(min(block, trials - start), segments), dtype=bool)
