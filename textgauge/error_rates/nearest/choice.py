"""The nearest reference of each segment, for CER and WER.

First all pairs are compared as plain texts. Then some have results of their own, which take the place of the first
ones: those with notations, or with joined words, and then those with phrases that have weights. What the rate is
without weights, and without readings too, is what stood there before.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.metric import error_rate
from textgauge.core.references import best_references
from textgauge.edits.distances import align, count_edits
from textgauge.korean.reading_networks import Alignment

from ..phrases.marks import Marked
from .joined import joined_pairs
from .pairs import PairResult, Pairs, Texts, plain, replaced, with_fractions
from .read import find_read_pairs, read_results, weigh_read
from .read_pairs import ReadPair
from .rule import Rule
from .weighted import weighted_pairs


class Choice(NamedTuple):
    """For each segment the reference with the lowest rate, and how far the prediction is from it."""

    references: list[str] | list[list[str]]  # as those of `Texts`
    predictions: list[str] | list[list[str]]
    chosen: list[int]  # which pair it is
    indices: list[int]  # which reference of its segment it is
    pairs: Pairs  # these pairs
    bare: Mapping[str, Pairs]  # without options, as `bare_rates` says, of the reference that is nearest then
    special: Mapping[int, PairResult]  # results of their own, by segment
    used: Mapping[int, Collection[int]]  # the phrases that any reference of a segment has, by segment

    @property
    def read(self) -> dict[int, ReadPair]:
        """The segments that are compared as they are read."""
        return {row: result.read for row, result in self.special.items() if result.read is not None}

    @property
    def marked(self) -> dict[int, Marked]:
        """What phrases mean for tokens, or for units of texts with notations, in the segments that have some."""
        return {row: result.marks for row, result in self.special.items() if result.marks != (None, None)}

    def alignment(self, row: int, ties: str, tokens: tuple[Sequence[str], Sequence[str]]) -> Alignment:
        """Returns the alignment of a segment with these tokens; joined words are an "equal" run of their own."""
        result = self.special.get(row)
        if result is not None and result.read is not None:
            return result.read()
        runs = result and result.runs
        return Alignment(runs or align(self.references[row], self.predictions[row], ties), *tokens, [])

    def phrases(self, row: int) -> Marked:
        """Returns what phrases mean for the tokens of a segment's alignment."""
        result = self.special.get(row)
        if result is None:
            return None, None
        return result.marks if result.read is None else result.read.marks()

    def edit_costs(self, row: int) -> list[float] | None:
        """Returns what each edit of a segment's alignment costs; None where each costs 1."""
        result = self.special.get(row)
        if result is None or result.read is None:
            return result and result.edit_costs
        return result.read.edit_costs()


def choose(texts: Texts, rule: Rule, with_counts: bool = False) -> Choice:
    """Returns the nearest reference of each segment, with counts of each kind of edit if asked.

    >>> rule = Rule(cleaning=None, bounded=False, ties="jiwer", readings=None)
    >>> found = choose(Texts(["국어", "한글"], ["한굴", "한굴"], np.array([2])), rule, with_counts=True)
    >>> found.references, found.pairs.edits.tolist(), found.pairs.lengths.tolist(), found.pairs.steps.tolist()
    (['한글'], [1], [2], [[1, 0, 0, 1]])
    """
    written = plain(texts, rule, with_counts)
    if rule.readings is None and rule.compounds is None and rule.keywords is None:
        return lowest(texts, written, bare={}, special={}, used={})

    read = {}
    special: dict[int, PairResult] = {}
    if rule.readings is not None:
        read = find_read_pairs(texts, rule)
        special = read_results(read, written, rule)
    elif rule.compounds is not None:
        special = joined_pairs(texts, written, rule)
    counted = replaced(written, special)
    bare = {}
    used: dict[int, set[int]] = {}
    if rule.keywords is not None:
        bare["unweighted"] = counted
        if rule.readings is not None:
            weighted = weigh_read(texts, read, special, counted, rule)
        else:
            weighted = weighted_pairs(texts, counted, special, rule)
        special = {**special, **weighted}
        counted = replaced(with_fractions(counted), weighted)
        used = _used_phrases(weighted, texts.counts)
    if rule.readings is not None:
        bare["literal"] = written
    return lowest(texts, counted, bare, special, used)


def counted_pairs(choice: Choice, rows: np.ndarray, ties: str) -> Pairs:
    """Returns the pairs of some segments, (n_rows,), with counts of each kind of edit.

    The rule compares plain texts: it has no readings, weights or compounds.

    >>> rule = Rule(cleaning=None, bounded=False, ties="jiwer", readings=None)
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


def _used_phrases(weighted: Mapping[int, PairResult], counts: np.ndarray) -> dict[int, set[int]]:
    """Returns the phrases that any reference of a segment has, by segment; a segment has so many references."""
    segments = np.repeat(np.arange(len(counts)), counts).tolist()
    used: dict[int, set[int]] = {}
    for pair, result in weighted.items():
        reference_marks, _ = result.marks
        if reference_marks is not None:
            phrases = used.setdefault(segments[pair], set())
            phrases.update(found.phrase for found in reference_marks.occurrences)
    return used


def lowest(
    texts: Texts,
    pairs: Pairs,
    bare: Mapping[str, Pairs],
    special: Mapping[int, PairResult],
    used: Mapping[int, Collection[int]],
) -> Choice:
    """Returns the pair with the lowest rate of each segment.

    Args:
        texts: of the chunk.
        pairs: all of them.
        bare: all pairs without options, as `bare_rates` says.
        special: results of some pairs, by their numbers.
        used: the phrases that any reference of a segment has, by segment.
    """
    nearest = {}
    for name, bare_pairs in bare.items():
        nearest[name] = _taken(bare_pairs, _lowest_places(bare_pairs, texts.counts))
    if len(texts.references) == len(texts.counts):
        every = list(range(len(texts.references)))
        first = [0] * len(every)
        return Choice(texts.references, texts.predictions, every, first, pairs, nearest, special, used)
    numbers = _lowest_places(pairs, texts.counts)
    first = np.cumsum(texts.counts) - texts.counts
    indices = (numbers - first).tolist()
    chosen = numbers.tolist()
    references = [texts.references[pair] for pair in chosen]
    predictions = [texts.predictions[pair] for pair in chosen]
    special_of_rows = {row: special[pair] for row, pair in enumerate(chosen) if pair in special}
    return Choice(references, predictions, chosen, indices, _taken(pairs, numbers), nearest, special_of_rows, used)


def _lowest_places(pairs: Pairs, counts: np.ndarray) -> np.ndarray:
    """Returns the place of the pair with the lowest rate of each segment, which has so many pairs, (n_segments,)."""
    if len(pairs.edits) == len(counts):
        return np.arange(len(counts))
    return best_references(-error_rate(pairs.edits, pairs.denominators), counts)


def _taken(pairs: Pairs, numbers: np.ndarray) -> Pairs:
    """Returns the pairs at some places, (n_places,)."""
    steps = None if pairs.steps is None else pairs.steps[numbers]
    return Pairs(pairs.edits[numbers], pairs.denominators[numbers], pairs.lengths[numbers], steps)
