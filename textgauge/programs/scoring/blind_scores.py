"""Scores that cannot tell a good text from a bad one: BLEU of texts without a 4-gram is 0 whatever they say.

A score is blind where it is 0 for every segment of every system. Then the references are scored against themselves: if
that is 0 too, no system can be better, and else all systems are equally bad. Error rates have no such floor.
"""

import itertools
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.columns import check_references

from ..errors import is_input_error
from ..reading.corpus import REFERENCE_WEIGHTS, Corpus
from ..saying.option_values import option_text
from ..saying.texts import joined_by_or, say
from .outputs import Results
from .specs import Scorer, headline

_OF_CORPUS = ("confidence", "clusters")  # options that say nothing of one segment
_ROUGE_N = re.compile(r"rouge(\d+)")
_SMOOTHINGS = ("exp", "add-k")


class Blind(NamedTuple):
    """Why a score cannot tell, and what could."""

    label: str
    is_of_references: bool  # whether the references scored against themselves are at the floor, too
    order: int  # of the n-grams that are missing; 0 where it is something else
    options: Sequence[str]  # with which the metric can tell

    def sentence(self) -> str:
        """Says it."""
        kind = "texts" if self.is_of_references else "systems"
        missing = say(f"blind_order_{kind}", order=self.order) if self.order else ""
        sees = say("blind_options", options=joined_by_or(self.options)) if self.options else ""
        return say(f"blind_{kind}", label=self.label, missing=missing, options=sees)


def blind_scores(
    corpus: Corpus, columns: Sequence[Scorer], results: Results, is_whole: bool = True
) -> dict[str, Blind]:
    """Returns the scores that cannot tell, by label.

    Args:
        corpus: that was scored, or its first batch.
        columns: one for each score.
        results: of each system, one for each column.
        is_whole: whether there are no further batches; a first batch gets no reason, because others may have another.
    """
    blind: dict[str, Blind] = {}
    if "references" not in corpus.columns:
        return blind
    for column in columns:
        of_systems = [of_system[column.label] for of_system in results.values()]
        if not _has_floor(column.metric) or any(headline(result) != 0 for result in of_systems):
            continue
        found = _Texts(corpus, column, next(iter(of_systems[0])))
        if not any(scores.any() for scores in found.segments_of_systems()):
            blind[column.label] = found.blind() if is_whole else Blind(column.label, False, 0, [])
    return blind


def blind_of_rows(columns: Sequence[Scorer], results: Results, segments: np.ndarray) -> dict[str, Blind]:
    """Returns the same of rows, which do not say why.

    Args:
        columns: one for each score.
        results: of each system, one for each column.
        segments: the scores of all segments, (n_segments, systems, scores).
    """
    blind = {}
    for number, column in enumerate(columns):
        is_zero = all(headline(of_system[column.label]) == 0 for of_system in results.values())
        if is_zero and _has_floor(column.metric) and not segments[..., number].any():
            blind[column.label] = Blind(column.label, False, 0, [])
    return blind


def _has_floor(metric: Any) -> bool:
    """Returns whether a metric says by 0 that a text has nothing in common with its references."""
    references = getattr(metric, "COLUMNS", {}).get("references")
    has_texts = references is not None and references.check.__name__ == check_references.__name__
    return has_texts and not metric.LOWER_IS_BETTER


class _Texts:
    """The texts of a corpus, scored by one score of a metric with further options."""

    def __init__(self, corpus: Corpus, column: Scorer, key: str) -> None:
        self.corpus, self.column, self.key = corpus, column, key
        self.references = _as_predictions(corpus.column("references"))

    def blind(self) -> Blind:
        """Returns why this score cannot tell."""
        is_of_references = not self._references_score()
        is_seeing = self._references_score if is_of_references else self._a_system_scores
        options = [f"{name}={option_text(value)}" for name, value in self._candidates() if is_seeing(**{name: value})]
        return Blind(self.column.label, is_of_references, self._missing_order(is_of_references), _one_each(options))

    def segments_of_systems(self, **further: Any) -> Iterator[np.ndarray]:
        """Yields the scores of the segments of each output."""
        for output in self.corpus.outputs:
            yield self._scores(output.values, **further)[self.key]

    def _scores(self, predictions: Sequence[str], is_whole: bool = False, **further: Any) -> Mapping[str, np.ndarray]:
        """Returns the scores of a metric, of each segment or of all together."""
        metric = self.column.metric
        options = {name: value for name, value in self.column.options.items() if name not in _OF_CORPUS}
        options.update(further)
        columns = {name: self.corpus.column(name) for name in metric.COLUMNS if name in self.corpus.columns}
        with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
            warnings.simplefilter("ignore")  # warnings on these texts were shown when they were scored
            rows = metric.statistics(**{**columns, "predictions": predictions}, **options)
            return metric.score(rows.sum(0) if is_whole else rows, **options)

    def _references_score(self, **further: Any) -> bool:
        """Returns whether references that are scored against the references are above the floor, with an option."""
        try:
            return any(self._scores(texts, is_whole=True, **further)[self.key] > 0 for texts in self.references)
        except ValueError as error:
            if not is_input_error(error):  # options that do not go together
                raise
            return False

    def _a_system_scores(self, **further: Any) -> bool:
        """Returns whether some segment of a system is above the floor with an option."""
        try:
            return any((scores > 0).any() for scores in self.segments_of_systems(**further))
        except ValueError as error:
            if not is_input_error(error):
                raise
            return False

    def _candidates(self) -> Iterator[tuple[str, Any]]:
        """Yields options that may tell, those that change the score least first."""
        known = self.column.metric.OPTIONS
        options = self.column.options
        texts = list(itertools.chain.from_iterable(self.references))
        n_without_blanks = sum(len(text.split()) < 2 for text in texts)
        has_few_blanks = 2 * n_without_blanks > len(texts)
        if has_few_blanks and "tokenizer" in known and "tokenizer" not in options:
            yield "tokenizer", "char"
        if "effective_order" in known and not options.get("effective_order"):
            yield "effective_order", True
        if "smooth" in known and not options.get("smooth"):
            for name in _SMOOTHINGS:
                yield "smooth", name

    def _missing_order(self, is_of_references: bool) -> int:
        """Returns the shortest n-grams that no text has, or that none shares with its references; 0 for others."""
        if match := _ROUGE_N.fullmatch(self.key):
            return int(match[1])
        if REFERENCE_WEIGHTS in self.corpus.columns:  # with a weight of 0 or less what is there counts as missing
            return 0
        predictions = self.references if is_of_references else [output.values for output in self.corpus.outputs]
        of_all = [self._scores(texts, is_whole=True).get("precisions") for texts in predictions]
        if any(precisions is None for precisions in of_all):
            return 0
        best = np.max(of_all, axis=0)
        if not (best <= 0).any():
            return 0
        return int(np.argmin(best > 0)) + 1


def _as_predictions(references: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """Returns lists of predictions in which each reference occurs; a segment with fewer references repeats its last."""
    segments = [[row] if isinstance(row, str) else list(row) for row in references]
    n_lists = max(map(len, segments), default=0)
    lists: list[list[str]] = []
    for number in range(n_lists):
        lists.append([texts[min(number, len(texts) - 1)] for texts in segments])
    return lists


def _one_each(options: Sequence[str]) -> list[str]:
    """Returns the first value of each option that was found."""
    first_of_name = {}
    for option in reversed(options):
        first_of_name[option.partition("=")[0]] = option
    return list(first_of_name.values())[::-1]
