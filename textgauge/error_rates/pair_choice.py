"""The nearest reference of each segment, where words may be joined and phrases may have weights, for CER and WER."""

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.columns import lengths_of
from textgauge.core.metric import error_rate
from textgauge.core.references import best_references
from textgauge.edits.distances import AlignmentRun, align, count_edits
from textgauge.korean.reading_networks import Alignment

from .joined_words import Join, choose_joins, find_joins
from .keywords import Keywords
from .number_marks import Places
from .phrase_marks import mark_characters, mark_words, set_used
from .read_pairs import Marked, ReadPair
from .weighted_edits import Costs, cheapest_alignment

FEW_PAIRS = 4


class Texts(NamedTuple):
    """The references of a chunk, segment by segment, each with the prediction of its segment."""

    references: list[str]  # a character for each token
    predictions: list[str]
    counts: np.ndarray  # references of each segment
    words: Sequence[tuple[list[str], list[str]]] = ()  # of each pair, where words are looked at
    keywords: Keywords | None = None  # phrases with weights, of words if there are any, else of characters
    places: tuple[Sequence[Places], Sequence[Places]] = ((), ())  # of marks in numbers, of references and predictions
    is_merged: bool = False  # whether words may be joined


class Choice(NamedTuple):
    """For each segment the reference with the lowest rate, and how far the prediction is from it."""

    references: list[str]
    predictions: list[str]
    edits: np.ndarray  # what they cost, where phrases have weights
    lengths: np.ndarray  # of the reference, weighted likewise
    counts: np.ndarray | None  # (n_segments, 4) substitutions, deletions, insertions, hits in reference tokens
    indices: list[int]  # which reference of its segment it is
    # edits and denominators, each (n_segments,), of the reference that is nearest then
    unweighted: list[np.ndarray]  # without weights
    literal: list[np.ndarray]  # and without readings
    denominators: np.ndarray  # of the rate
    chosen: list[int]  # which pair it is
    marked: list[Marked]  # of these pairs, in tokens or in units of texts with notations; [] without phrases
    runs: dict[int, list[AlignmentRun]]  # alignments of the segments that have joined words or phrases with weights
    read: Mapping[int, ReadPair]  # where one text has a notation
    weighed: Mapping[int, list[float]]  # of other segments: what each edit costs, where one may not cost 1

    def alignment(self, row: int, ties: str, tokens: tuple[Sequence[str], Sequence[str]]) -> Alignment:
        """Returns the alignment of a segment with these tokens; joined words are an "equal" run of their own."""
        if row in self.read:
            return self.read[row]()
        return Alignment(self.runs.get(row) or align(self.references[row], self.predictions[row], ties), *tokens, [])

    def phrases(self, row: int) -> Marked:
        """Returns what phrases mean for the tokens of a segment's alignment."""
        if not self.marked:
            return None, None
        return self.read[row].marks() if row in self.read else self.marked[row]

    def edit_costs(self, row: int) -> list[float] | None:
        """Returns what each edit of a segment's alignment costs; None where each costs 1."""
        if self.marked and row in self.read:
            return self.read[row].edit_costs()
        return self.weighed.get(row)


def pair_texts(texts: list[str], references: list[list[str]]) -> tuple[list[str], list[str], np.ndarray]:
    """Returns the prediction of each reference, the references, and how many each segment has, (n_segments,).

    `texts` are the predictions and then all references, in the form that is compared.

    >>> predictions, references, counts = pair_texts(["네", "책", "예", "네", "책"], [["예", "네"], ["책"]])
    >>> predictions, references, counts.tolist()
    (['네', '네', '책'], ['예', '네', '책'], [2, 1])
    """
    own, others = texts[: len(references)], texts[len(references) :]
    if len(own) == len(others):
        return own, others, np.ones(len(own), dtype=np.intp)
    counts = lengths_of(references)
    return repeat(own, counts), others, counts


def repeat(texts: Sequence[str], counts: np.ndarray) -> list[str]:
    """Returns each text as often as its count, (n_texts,), says, one after the other."""
    return [text for text, count in zip(texts, counts.tolist(), strict=True) for _ in range(count)]


def choose(texts: Texts, bounded: bool = False, ties: str = "jiwer", with_counts: bool = False) -> Choice:
    """Returns the nearest reference of each segment.

    >>> found = choose(Texts(["국어", "한글"], ["한굴", "한굴"], np.array([2])), with_counts=True)
    >>> found.references, found.edits.tolist(), found.lengths.tolist(), found.counts.tolist()
    (['한글'], [1], [2], [[1, 0, 0, 1]])

    Args:
        texts: of the chunk.
        bounded: divide by edits and hits, instead of by the length of the reference.
        ties: which alignment has the hits, see `align`.
        with_counts: count each kind of edit.
    """
    references, predictions = texts.references, texts.predictions
    edits, lengths = _distances(references, predictions)
    steps = count_edits(references, predictions, edits, ties) if with_counts or bounded else None
    joins = _find_joins(texts, edits)
    runs = {pair: _align_between(texts, pair, chosen, ties) for pair, chosen in joins.items()}
    recount(steps, runs, lengths)
    plain = edits, edits + steps[:, 3] if bounded else lengths
    weighted, marked, edit_costs = plain, _marks_of_pairs(texts), {}
    if marked:
        *weighted, lengths, marked, edit_costs = _weighted(texts, marked, joins, runs, edits, steps, bounded)
    rates = Rates(weighted, lengths, plain, plain)
    return nearest_of(texts, rates, steps, marked, runs, {}, edit_costs)


class Rates(NamedTuple):
    """How far each prediction is from its reference: edits, and what they are divided by."""

    weighted: tuple[np.ndarray, np.ndarray]  # each array (n_pairs,)
    lengths: np.ndarray  # weighted likewise
    unweighted: tuple[np.ndarray, np.ndarray]
    literal: tuple[np.ndarray, np.ndarray]  # and without readings


def nearest_of(
    texts: Texts,
    rates: Rates,
    steps: np.ndarray | None,
    marked: Sequence[Marked],
    runs: Mapping[int, list[AlignmentRun]],
    read: Mapping[int, ReadPair],
    weighed: Mapping[int, list[float]],
) -> Choice:
    """Returns the nearest reference of each segment; the other arguments are what `Choice` has, but (n_pairs, ...)."""
    chosen = _lowest(*rates.weighted, texts.counts)
    places, is_single = chosen.tolist(), len(chosen) == len(texts.references)
    nearest = edits, denominators = [column[chosen] for column in rates.weighted]
    unweighted, literal = (
        nearest if way is rates.weighted else [column[_lowest(*way, texts.counts)] for column in way]
        for way in (rates.unweighted, rates.literal)
    )
    return Choice(
        references=_at(texts.references, places),
        predictions=_at(texts.predictions, places),
        edits=edits,
        lengths=rates.lengths[chosen],
        counts=None if steps is None else steps[chosen],
        indices=[0] * len(places) if is_single else (chosen - np.cumsum(texts.counts) + texts.counts).tolist(),
        unweighted=unweighted,
        literal=literal,
        denominators=denominators,
        chosen=places,
        marked=[marked[pair] for pair in places] if marked else [],
        runs={row: runs[pair] for row, pair in enumerate(places) if pair in runs} if runs else {},
        read={row: read[pair] for row, pair in enumerate(places) if pair in read} if read else {},
        weighed={row: weighed[pair] for row, pair in enumerate(places) if pair in weighed} if weighed else {},
    )


def _distances(references: list[str], predictions: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Returns the edit distance of each pair, and the length of its reference."""
    if len(references) <= FEW_PAIRS:
        edits = [Levenshtein.distance(*pair) for pair in zip(references, predictions, strict=True)]
        return np.array(edits, dtype=np.int64), np.array(list(map(len, references)), dtype=np.int64)
    return cpdist(references, predictions, scorer=Levenshtein.distance, dtype=np.int64), lengths_of(references)


def _lowest(edits: np.ndarray, denominators: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Returns the pair with the lowest rate of each segment, which has so many pairs."""
    is_single = len(edits) == len(counts)
    return np.arange(len(counts)) if is_single else best_references(-error_rate(edits, denominators), counts)


def _find_joins(texts: Texts, edits: np.ndarray) -> dict[int, list[Join]]:
    """Returns the joins of the pairs that have fewer edits with them, and puts these into `edits`."""
    by_pair = {}
    for pair in np.flatnonzero(edits).tolist() if texts.is_merged else ():
        joins = find_joins(*texts.words[pair])
        if joins:
            edits[pair], chosen = choose_joins(texts.references[pair], texts.predictions[pair], joins)
            if chosen:
                by_pair[pair] = chosen
    return by_pair


def _align_between(
    texts: Texts, pair: int, joins: Sequence[Join], ties: str, costs: Costs | None = None
) -> list[AlignmentRun]:
    """Returns the alignment of a pair, each of its joins a run; with costs the cheapest one between them."""
    reference, prediction = texts.references[pair], texts.predictions[pair]
    runs: list[AlignmentRun] = []
    i = j = 0
    for a, b, c, d in [*joins, (len(reference), len(reference), len(prediction), len(prediction))]:
        sides = reference[i:a], prediction[j:c]
        between = align(*sides, ties) if costs is None else cheapest_alignment(*sides, costs, (i, j))
        runs += [(kind, i + w, i + x, j + y, j + z) for kind, w, x, y, z in between]
        runs += [("equal", a, b, c, d)] * (a < b)
        i, j = b, d
    return runs


def recount(steps: np.ndarray | None, runs: dict[int, list[AlignmentRun]], lengths: np.ndarray) -> None:
    """Puts counts of alignments into `steps`, (n_pairs, 4); hits are tokens of references (n_pairs,) that are right."""
    if steps is None:
        return
    for pair, of_pair in runs.items():
        wrong = [
            sum(max(b - a, d - c) for kind, a, b, c, d in of_pair if kind == wanted)
            for wanted in ("substitute", "delete", "insert")
        ]
        steps[pair] = *wrong, lengths[pair] - wrong[0] - wrong[1]


def _marks_of_pairs(texts: Texts) -> list[Marked]:
    """Returns the marks of each reference and its prediction; [] without phrases that have weights."""
    if texts.keywords is None:
        return []
    mark = mark_words if texts.words else mark_characters
    sides = zip(*texts.words, strict=True) if texts.words else (texts.references, texts.predictions)
    marked = [
        [
            mark(text, texts.keywords, of_text)
            for text, of_text in zip(side, places or itertools.repeat({}), strict=False)
        ]
        for side, places in zip(sides, texts.places, strict=True)
    ]
    set_used(marked[0], texts.keywords)
    return list(zip(*marked, strict=True))


def _at(texts: list[str], places: list[int]) -> list[str]:
    """Returns the texts at some places, which are all of them unless some are left out."""
    return texts if len(places) == len(texts) else [texts[place] for place in places]


def _as_joined(
    texts: Texts, marked: list[Marked], joins: Mapping[int, list[Join]], runs: Mapping[int, list[AlignmentRun]]
) -> list[Marked]:
    """Returns the marks of all pairs, those of predictions as if joined words were written as in the reference."""
    return [
        _moved_marks(texts, pair, runs[pair], of_pair) if pair in joins else of_pair
        for pair, of_pair in enumerate(marked)
    ]


def _moved_marks(texts: Texts, pair: int, runs: Sequence[AlignmentRun], marked: Marked) -> Marked:
    """Returns the marks of a pair with joined words."""
    (reference, prediction), words, places = texts.words[pair], [], []
    for _, a, b, c, d in runs:
        is_joined = b - a != d - c and a < b and c < d
        words += reference[a:b] if is_joined else prediction[c:d]
        places += [(c, d)] * (b - a) if is_joined else [(at, at + 1) for at in range(c, d)]
    marks = mark_words(words, texts.keywords, texts.places[1][pair] if texts.places[1] else {})
    if marks is None:
        return marked[0], None
    moved = [(phrase, places[first][0], places[end - 1][1]) for phrase, first, end in marks.occurrences]
    return marked[0], marks._replace(occurrences=moved)


def _weighted(
    texts: Texts,
    marked: list[Marked],
    joins: dict[int, list[Join]],
    runs: dict[int, list[AlignmentRun]],
    edits: np.ndarray,
    steps: np.ndarray | None,
    bounded: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Marked], dict[int, list[float]]]:
    """Returns costs, denominators and lengths with weights, the marks as if joined words were written alike, and more.

    The last are the costs of the edits of those pairs in which one may not cost 1.
    """
    costs, lengths, hits, edit_costs = weigh_pairs(texts, marked, joins, runs, edits, steps if bounded else None)
    marked = _as_joined(texts, marked, joins, runs)
    recount(steps, runs, lengths_of(texts.references))
    return costs, costs + hits if bounded else lengths, lengths, marked, edit_costs


def weigh_pairs(
    texts: Texts,
    marked: Sequence[Marked],
    joins: dict[int, list[Join]],
    runs: dict[int, list[AlignmentRun]],
    edits: np.ndarray,
    steps: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, dict[int, list[float]]]:
    """Returns costs of edits, lengths and hits with weights, and puts the alignments of what has phrases into `runs`.

    All three are (n_pairs,). Hits are those of `steps`, (n_pairs, 4), and 0 without them. A dict has what each edit
    costs of the pairs in which one may not cost 1.
    """
    edit_costs = {}
    costs, lengths = edits.astype(np.float64), lengths_of(texts.references).astype(np.float64)
    hits = np.zeros_like(costs) if steps is None else steps[:, 3].astype(np.float64)
    for pair, of_both in enumerate(marked):
        if of_both == (None, None):
            continue
        of_pair = Costs(*of_both, (len(texts.references[pair]), len(texts.predictions[pair])))
        if of_pair.is_plain():
            continue
        lengths[pair] = hits[pair] = sum(of_pair.reference.weights)
        if edits[pair]:
            runs[pair] = _align_between(texts, pair, joins.get(pair, ()), "", of_pair)
            costs[pair], hits[pair] = of_pair.of_runs(runs[pair]), of_pair.of_hits(runs[pair])
            edit_costs[pair] = of_pair.of_edits(runs[pair])
    return costs, lengths, hits, edit_costs
