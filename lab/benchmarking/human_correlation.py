"""Human correlation and scipy."""

import numpy as np

from .corpus import Corpus
from .session import Report, Setting, compare, with_peers


def correlations(report: Report, setting: Setting, language: str) -> None:
    """Compares the three coefficients of as many random scores as there are segments, with ties."""
    rng = np.random.default_rng(12345)
    human = rng.integers(0, 101, setting.segments)
    scores = np.round(human + rng.normal(0, 50, setting.segments))
    corpus = Corpus(scores.tolist(), human.tolist())
    keys = ("pearson", "spearman", "kendall")
    sides = with_peers(report, "human correlation", "human_correlation", keys)
    compare(report, setting, "human correlation", language, corpus, sides)


COMPARISONS = {"human-correlation": correlations}
