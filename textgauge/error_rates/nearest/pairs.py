"""How far each prediction is from its reference: of all pairs at once, and of those that need a closer look.

Most pairs need no closer look, and what is known of them is in arrays, `Pairs`. A pair in which words are joined or
phrases have weights has a `PairResult` of its own. `replaced` is the one place that puts such
results into arrays, and the arrays are copies then.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of
from textgauge.edits.distances import AlignmentRun, count_edits

from ..phrases.marks import Marked
from .rule import Rule
from .spelling import SpelledPair

FEW_PAIRS = 4


class ComparedTexts(NamedTuple):
    """The texts of segments as they are compared."""

    predictions: list[str]  # one for each segment, or one for each reference where notations are words
    references: list[list[str]]
    canonical: list[str] | None = None  # for each reference the text whose length divides, if some are other texts
    spelled: Sequence[SpelledPair] = ()  # a pair for each reference where notations are words


class Texts(NamedTuple):
    """The references of a chunk, segment by segment, each with the prediction of its segment."""

    references: list[str] | list[list[str]]  # what is compared: a character for each token, or lists of tokens
    predictions: list[str] | list[list[str]]
    counts: np.ndarray  # references of each segment
    words: Sequence[tuple[list[str], list[str]]] = ()  # of each pair, where words are looked at
    # references and predictions as they are written, where phrases are looked for
    written: tuple[list[str], list[str]] = ([], [])


class Pairs(NamedTuple):
    """How far each prediction is from its reference."""

    edits: np.ndarray  # (n_pairs,), as all arrays; what edits cost where phrases have weights
    denominators: np.ndarray  # of the rate
    lengths: np.ndarray  # of references, weighted likewise
    steps: np.ndarray | None  # (n_pairs, 4) substitutions, deletions, insertions, hits in tokens of references


class PairResult(NamedTuple):
    """How far a prediction is from its reference where more is looked at than two plain texts."""

    edits: float
    denominator: float
    length: float
    steps: Sequence[int] | None = None  # None: those of the plain texts
    runs: Sequence[AlignmentRun] | None = None  # None: the alignment of the plain texts
    marks: Marked = (None, None)  # of phrases, in tokens
    edit_costs: list[float] | None = None  # of the runs; None where each edit costs 1


def pair_texts(texts: list[str], references: list[list[str]]) -> tuple[list[str], list[str], np.ndarray]:
    """Returns the prediction of each reference, the references, and how many each segment has, (n_segments,).

    `texts` are the predictions, one for each segment or one for each reference, and then all references, in the form
    that is compared.

    >>> predictions, references, counts = pair_texts(["네", "책", "예", "네", "책"], [["예", "네"], ["책"]])
    >>> predictions, references, counts.tolist()
    (['네', '네', '책'], ['예', '네', '책'], [2, 1])
    """
    if len(texts) == 2 * len(references):
        return texts[: len(references)], texts[len(references) :], np.ones(len(references), dtype=np.intp)
    counts = lengths_of(references)
    n_predictions = len(texts) - int(counts.sum())
    predictions = texts[:n_predictions]
    flat = texts[n_predictions:]
    if n_predictions < len(flat):
        predictions = repeat(predictions, counts)
    return predictions, flat, counts


def repeat(texts: Sequence[str], counts: np.ndarray) -> list[str]:
    """Returns each text as often as its count, (n_texts,), says, one after the other."""
    return [text for text, count in zip(texts, counts.tolist(), strict=True) for _ in range(count)]


def plain(texts: Texts, rule: Rule, with_counts: bool) -> Pairs:
    """Returns how far each prediction is from its reference, both as plain texts; with counts of steps if asked."""
    edits, lengths = _distances(texts.references, texts.predictions)
    if not (with_counts or rule.bounded):
        return Pairs(edits, lengths, lengths, None)
    steps = count_edits(texts.references, texts.predictions, edits, rule.ties)
    return Pairs(edits, edits + steps[:, 3] if rule.bounded else lengths, lengths, steps)


def _distances(
    references: Sequence[Sequence[str]], predictions: Sequence[Sequence[str]]
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the edit distance of each pair, and the length of its reference."""
    if len(references) > FEW_PAIRS:
        return cpdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int64), lengths_of(references)
    edits = list(map(Levenshtein.distance, references, predictions))
    lengths = list(map(len, references))
    return np.array(edits, dtype=np.int64), np.array(lengths, dtype=np.int64)


def replaced(pairs: Pairs, special: Mapping[int, PairResult]) -> Pairs:
    """Returns all pairs, some with results of their own, by their numbers; `pairs` itself stays as it is."""
    if not special:
        return pairs
    numbers = list(special)
    steps = pairs.steps
    counted = {number: result.steps for number, result in special.items() if result.steps is not None}
    if steps is not None and counted:
        steps = steps.copy()
        steps[list(counted)] = list(counted.values())

    def column(array: np.ndarray, value_of: Callable[[PairResult], Any]) -> np.ndarray:
        values = np.array([value_of(result) for result in special.values()])
        copied = array.astype(np.result_type(array, values))
        copied[numbers] = values
        return copied

    edits = column(pairs.edits, lambda result: result.edits)
    denominators = column(pairs.denominators, lambda result: result.denominator)
    lengths = column(pairs.lengths, lambda result: result.length)
    return Pairs(edits, denominators, lengths, steps)


def with_fractions(pairs: Pairs) -> Pairs:
    """Returns pairs whose edits and lengths are of the type that weighted ones have."""
    edits, denominators, lengths = (array.astype(np.float64) for array in pairs[:3])
    return Pairs(edits, denominators, lengths, pairs.steps)


def with_lengths(pairs: Pairs, lengths: np.ndarray, bounded: bool) -> Pairs:
    """Returns pairs whose references have other lengths, (n_pairs,), which divide unless edits and hits do."""
    return pairs._replace(lengths=lengths, denominators=pairs.denominators if bounded else lengths)


def result_of(pairs: Pairs, number: int) -> PairResult:
    """Returns what is known of one pair."""
    edits, denominator, length = (array[number].item() for array in pairs[:3])
    return PairResult(edits, denominator, length)


def count_runs(runs: Sequence[AlignmentRun]) -> list[int]:
    """Returns substitutions, deletions, insertions, and hits in tokens of the reference.

    Joined words are an "equal" run, whose sides have unlike lengths.
    """
    counts = dict.fromkeys(("substitute", "delete", "insert", "equal"), 0)
    for kind, start, end, first, behind in runs:
        counts[kind] += behind - first if kind == "insert" else end - start
    return list(counts.values())
