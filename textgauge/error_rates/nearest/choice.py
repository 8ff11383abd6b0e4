"""The nearest reference of each segment, for CER and WER.

First all pairs are compared as plain texts. Then some have results of their own, which take the place of the first
ones: those with joined words, and then those with phrases that have weights. What the rate is without weights is what
stood there before.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.metric import error_rate
from textgauge.core.references import best_references
from textgauge.edits.distances import Alignment, align, count_edits

from ..phrases.marks import Marked
from .joined import joined_pairs
from .pairs import PairResult, Pairs, Texts, plain, replaced, with_fractions, with_lengths
from .rule import Rule
from .weighted import weighted_pairs


class Choice(NamedTuple):
    """For each segment the reference with the lowest rate, and how far the prediction is from it."""

    references: list[str] | list[list[str]]  # as those of `Texts`
    predictions: list[str] | list[list[str]]
    chosen: list[int]  # which pair it is
    indices: list[int]  # which reference of its segment it is
    pairs: Pairs  # these pairs
    unweighted: Pairs | None  # without the weights of phrases, of the reference that is nearest then
    special: Mapping[int, PairResult]  # results of their own, by segment
    used: Mapping[int, Collection[int]]  # the phrases that any reference of a segment has, by segment

    @property
    def marked(self) -> dict[int, Marked]:
        """What phrases mean for tokens in the segments that have some."""
        return {row: result.marks for row, result in self.special.items() if result.marks != (None, None)}

    def alignment(self, row: int, ties: str, tokens: tuple[Sequence[str], Sequence[str]]) -> Alignment:
        """Returns the alignment of a segment with these tokens; joined words are an "equal" run of their own."""
        result = self.special.get(row)
        runs = result and result.runs
        return Alignment(runs or align(self.references[row], self.predictions[row], ties), *tokens)

    def phrases(self, row: int) -> Marked:
        """Returns what phrases mean for the tokens of a segment's alignment."""
        result = self.special.get(row)
        return (None, None) if result is None else result.marks

    def edit_costs(self, row: int) -> list[float] | None:
        """Returns what each edit of a segment's alignment costs; None where each costs 1."""
        result = self.special.get(row)
        return result and result.edit_costs


class _Compared(NamedTuple):
    """What is known of all pairs."""

    pairs: Pairs
    unweighted: Pairs | None = None
    special: Mapping[int, PairResult] = {}  # results of some pairs, by their numbers


def choose(texts: Texts, rule: Rule, with_counts: bool = False, canonical: Texts | None = None) -> Choice:
    """Returns the nearest reference of each segment, with counts of each kind of edit if asked.

    `canonical` has for each reference twice the text whose length divides, if that is another one.

    >>> rule = Rule(cleaning=None, bounded=False, ties="jiwer")
    >>> found = choose(Texts(["국어", "한글"], ["한굴", "한굴"], np.array([2])), rule, with_counts=True)
    >>> found.references, found.pairs.edits.tolist(), found.pairs.lengths.tolist(), found.pairs.steps.tolist()
    (['한글'], [1], [2], [[1, 0, 0, 1]])
    """
    pairs, unweighted, special = _compared(texts, rule, with_counts)
    if canonical is not None:
        lengths_of = _compared(canonical, rule, False)
        pairs = with_lengths(pairs, lengths_of.pairs.lengths, rule.bounded)
        if unweighted is not None:
            unweighted = with_lengths(unweighted, lengths_of.unweighted.lengths, rule.bounded)
    used = {} if rule.keywords is None else _used_phrases(special, texts.counts)
    if unweighted is not None:
        unweighted = _taken(unweighted, _lowest_places(unweighted, texts.counts))
    if len(texts.references) == len(texts.counts):
        every = list(range(len(texts.references)))
        first = [0] * len(every)
        return Choice(texts.references, texts.predictions, every, first, pairs, unweighted, special, used)

    numbers = _lowest_places(pairs, texts.counts)
    first = np.cumsum(texts.counts) - texts.counts
    indices = (numbers - first).tolist()
    chosen = numbers.tolist()
    references = [texts.references[pair] for pair in chosen]
    predictions = [texts.predictions[pair] for pair in chosen]
    special_of_rows = {row: special[pair] for row, pair in enumerate(chosen) if pair in special}
    return Choice(references, predictions, chosen, indices, _taken(pairs, numbers), unweighted, special_of_rows, used)


def _compared(texts: Texts, rule: Rule, with_counts: bool) -> _Compared:
    """Returns what is known of all pairs."""
    written = plain(texts, rule, with_counts)
    if rule.keywords is None and rule.compounds is None:
        return _Compared(written)
    joined = {} if rule.compounds is None else joined_pairs(texts, written, rule)
    counted = replaced(written, joined)
    if rule.keywords is None:
        return _Compared(counted, special=joined)
    weighted = weighted_pairs(texts, counted, joined, rule)
    return _Compared(replaced(with_fractions(counted), weighted), counted, {**joined, **weighted})


def counted_pairs(choice: Choice, rows: np.ndarray, ties: str) -> Pairs:
    """Returns the pairs of some segments, (n_rows,), with counts of each kind of edit.

    The rule compares plain texts: it has no weights or compounds.

    >>> rule = Rule(cleaning=None, bounded=False, ties="jiwer")
    >>> found = choose(Texts(["국어", "한글"], ["국어", "한굴"], np.array([1, 1])), rule)
    >>> counted_pairs(found, np.array([1]), "jiwer").steps.tolist()
    [[1, 0, 0, 1]]
    """
    pairs = _taken(choice.pairs, rows)
    if pairs.steps is not None:
        return pairs
    references = [choice.references[row] for row in rows]
    predictions = [choice.predictions[row] for row in rows]
    return pairs._replace(steps=count_edits(references, predictions, pairs.edits, ties))


def _used_phrases(special: Mapping[int, PairResult], counts: np.ndarray) -> dict[int, set[int]]:
    """Returns the phrases that any reference of a segment has, by segment; a segment has so many references."""
    segments = np.repeat(np.arange(len(counts)), counts).tolist()
    used: dict[int, set[int]] = {}
    for pair, result in special.items():
        reference_marks, _ = result.marks
        if reference_marks is not None:
            phrases = used.setdefault(segments[pair], set())
            phrases.update(found.phrase for found in reference_marks.occurrences)
    return used


def _lowest_places(pairs: Pairs, counts: np.ndarray) -> np.ndarray:
    """Returns the place of the pair with the lowest rate of each segment, which has so many pairs, (n_segments,)."""
    if len(pairs.edits) == len(counts):
        return np.arange(len(counts))
    return best_references(-error_rate(pairs.edits, pairs.denominators), counts)


def _taken(pairs: Pairs, numbers: np.ndarray) -> Pairs:
    """Returns the pairs at some places, (n_places,)."""
    steps = None if pairs.steps is None else pairs.steps[numbers]
    return Pairs(pairs.edits[numbers], pairs.denominators[numbers], pairs.lengths[numbers], steps)
