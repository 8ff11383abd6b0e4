"""Scores by people as a metric of means, so that systems are compared by them as by any other score."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..reading.corpus import HUMAN, Corpus
from ..saying.texts import say
from ..scoring.specs import Scorer


class People:
    """The mean of scores that people gave."""

    name = HUMAN
    COLUMNS = dict.fromkeys(["predictions", HUMAN])
    OPTIONS: Mapping[str, Any] = {}
    USUAL_RANGE = (-np.inf, np.inf)

    def __init__(self, is_lower_better: bool) -> None:
        self.LOWER_IS_BETTER = is_lower_better

    def statistics(self, predictions: Sequence[str], human: Sequence[float]) -> np.ndarray:
        """Returns rows of score and 1."""
        scores = np.asarray(human, np.float64)
        return np.stack([scores, np.ones(len(predictions))], axis=1)

    def score(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Returns the mean."""
        return {HUMAN: rows[..., 0] / rows[..., 1]}

    def headlines(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Returns the only score."""
        return {HUMAN: ""}

    def signature(self, **_: Any) -> str:
        """Returns its name: nothing was chosen."""
        return HUMAN


def label_text(label: str) -> str:
    """Returns the name of a score on a page: for a metric its label."""
    return say("human") if label == HUMAN else label


def people_of(corpus: Corpus) -> list[Scorer]:
    """Returns the scores by people as a metric, where every system has them."""
    if not corpus.human or set(corpus.human) != set(corpus.systems):
        return []
    return [Scorer(HUMAN, People(corpus.is_human_lower_better), {}, HUMAN)]
