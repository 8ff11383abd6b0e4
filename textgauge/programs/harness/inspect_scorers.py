"""Scorers for inspect_ai, which finds them as `textgauge/cer` and so on by the entry point of the package.

inspect_ai takes the mean of the scores of single answers, which is not the score of a corpus. The idea: a score carries
its row, and `corpus_score` adds the rows of all samples and epochs up, with an interval that draws samples whole.
"""

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

import textgauge
from textgauge.core.columns import check_texts

from ..errors import InputError
from ..scoring.people import LEVEL

_ROW = "textgauge"  # the key in a score's metadata
_INTERVAL = "confidence_interval"


@metric(scores="unreduced")  # else the mean of epochs, or the first one, would stand for all
def corpus_score() -> Metric:
    """Returns a metric of inspect_ai: the score of all answers as one corpus, `low`, `high` and `standard_error`.

    An interval takes six samples or more. A draw takes a sample with all its epochs, since these are alike.
    """

    def compute(scores: list[SampleScore]) -> dict[str, float]:
        kept = [(sample.score.metadata or {}).get(_ROW) for sample in scores]
        if not kept or None in kept:
            raise InputError("corpus_score adds up rows, which only textgauge's scorers return")
        rows = np.array([of_answer["row"] for of_answer in kept])
        name = kept[0]["metric"]
        samples = [str(sample.sample_id) for sample in scores]
        options = {**kept[0]["options"], "confidence": LEVEL, "clusters": samples}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # fewer than six samples have no interval
            result = textgauge.load(name).result(rows, **options)
        return _numbers(result)

    return compute


def _numbers(result: Mapping[str, Any]) -> dict[str, float]:
    """Returns the finite numbers of a result, an interval as `low` and `high`."""
    numbers = {key: value for key, value in result.items() if isinstance(value, (int, float))}
    for key, value in result.items():
        if key.endswith(_INTERVAL):
            prefix = key.removesuffix(_INTERVAL)
            numbers |= {f"{prefix}low": value[0], f"{prefix}high": value[1]}
    return {key: float(value) for key, value in numbers.items() if math.isfinite(value)}


def make_scorer(name: str) -> Callable[..., Scorer]:
    """Returns the scorer of a metric, which takes the metric's options."""

    def of_metric(**options: Any) -> Scorer:
        loaded = textgauge.load(name, **options)  # refuses a bad option before any model is called

        async def score(state: TaskState, target: Target) -> Score:
            answer = state.output.completion
            row = loaded.statistics(predictions=[answer], references=[list(target)])
            values = loaded.result(row)
            headline = next(iter(loaded.headlines(values)))
            kept = {"metric": name, "options": options, "row": row[0].tolist()}
            return Score(value=values[headline], answer=answer, metadata={_ROW: kept})

        return score

    of_metric.__doc__ = f"{textgauge.load(name).description}\n\nArgs:\n    **options: of the metric.\n"
    return scorer(metrics=[corpus_score()], name=name)(of_metric)


def _scorer_names() -> list[str]:
    """Returns the metrics that take predictions and references only, and learn nothing from the whole corpus."""
    names = []
    for name in textgauge.metric_names():
        loaded = textgauge.load(name)
        if set(loaded.COLUMNS) != {"predictions", "references"}:
            continue
        takes_texts = loaded.COLUMNS["predictions"].check is check_texts
        if takes_texts and not loaded.corpus_option():
            names.append(name)
    return names


SCORERS = {name: make_scorer(name) for name in _scorer_names()}
