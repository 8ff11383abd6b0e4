"""The test that swaps the outputs of two systems at random, for all pairs and all scores at once."""

import numpy as np

from textgauge.core.rounding import difference

from .draws import is_exact, swap
from .rows import Rows
from .significance import is_at_least


def randomization_p(rows: Rows, pairs: np.ndarray, scores: np.ndarray, trials: int, seed: int) -> np.ndarray:
    """Returns the two-sided p-values of approximate randomisation, (pairs, scores); exact where there are few units.

    Args:
        rows: of all systems and scores.
        pairs: numbers of systems, (pairs, 2).
        scores: of all segments, (systems, scores); where a difference is undefined, the p-value is nan.
        trials: how many.
        seed: of the draws.
    """
    _, systems, width = rows.values.shape
    units = rows.units
    against, system = pairs.T
    observed = difference(scores[system], scores[against])
    sizes = np.abs(scores[system]) + np.abs(scores[against])
    count = np.zeros(observed.shape)  # of trials with a difference as large as the observed one
    done = 0
    for stays, swapped in swap(units, trials, seed):
        stays = stays.reshape(-1, systems, width)
        swapped = swapped.reshape(-1, systems, width)
        with np.errstate(invalid="ignore"):
            system_scores = rows.scores(stays[:, system] + swapped[:, against])
            against_scores = rows.scores(stays[:, against] + swapped[:, system])
            differences = system_scores - against_scores
        count += is_at_least(np.abs(differences), np.abs(observed), sizes).sum(0)
        done += len(differences)
    # all ways to swap include the observed one; to random ones it is added (Phipson and Smyth 2010)
    added = 0 if is_exact(len(units)) else 1
    p_values = (count + added) / (done + added)
    return np.where(np.isnan(observed), np.nan, p_values)
