"""Random draws that are the same for all systems and all metrics: whole segments, drawn again or swapped."""

from collections.abc import Iterator

import numpy as np

_EXACT_SEGMENTS = 12  # 2 ** 12 ways to swap them
_BLOCK, _BLOCK_DRAWS = 512, 2**21


def is_exact(segments: int) -> bool:
    """Returns whether all ways to swap so few segments are tried, and not random ones."""
    return segments <= _EXACT_SEGMENTS


def swap(rows: np.ndarray, trials: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yields in blocks, for every trial, the sums of the segments that stay and of those that are swapped.

    A trial of systems A and B is `stays[A] + swapped[B]` against `stays[B] + swapped[A]` (Noreen 1989; Riezler and
    Maxwell 2005). Both sums are products, no differences: where all terms are positive no rounding makes them negative.

    Args:
        rows: (n_segments, n_statistics).
        trials: how many; up to 12 segments it is all 2 ** n_segments ways instead, each once.
        seed: of the draws, which are those of sacreBLEU.

    Yields:
        Two arrays (size of the block, n_statistics).
    """
    for stays in _choices(len(rows), trials, seed):
        both = np.concatenate([stays, ~stays]).astype(np.float64) @ rows
        yield both[: len(stays)], both[len(stays) :]


def _choices(segments: int, trials: int, seed: int) -> Iterator[np.ndarray]:
    """Yields blocks of trials as arrays of bool, (size of the block, segments)."""
    if is_exact(segments):
        yield (np.arange(2**segments)[:, None] >> np.arange(segments)) % 2 == 0
        return
    rng = np.random.default_rng(seed)
    # numpy cuts 32 answers out of one number: with multiples of 32 the draws do not depend on the blocks
    block = min(_BLOCK, max(1, _BLOCK_DRAWS // segments // 32) * 32)
    for start in range(0, trials, block):
        yield rng.integers(2, size=(min(block, trials - start), segments), dtype=bool)
