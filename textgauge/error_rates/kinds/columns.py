"""The columns of a row that say of which kind the edits of an error rate are, see `error_kinds.py`."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from textgauge.core.rounding import difference
from textgauge.edits.distances import Alignment
from textgauge.edits.most_hits import most_hits
from textgauge.korean.reading_tables import KOREAN

from ..nearest.choice import Choice
from ..nearest.pairs import ComparedTexts
from ..nearest.rule import Rule, Sides
from ..nearest.spelled_texts import has_a_notation
from ..nearest.spelling import SpelledPair
from .chain import Chain, Rows, forgive_fillers, forgive_loops, forgive_notations, sides_of
from .characters import character_kinds
from .error_kinds import ERROR_KINDS, FORGIVEN, INSERTED, LOOPING, SIGNS, UNREAD
from .loops import find_loops
from .words import word_kinds

Align = Callable[[ComparedTexts, Rule, bool], tuple[Choice, Iterable[Alignment]]]


def kind_columns(
    pairs: Sequence[SpelledPair], given: Sides, choice: Choice, rule: Rule, align: Align
) -> dict[str, np.ndarray]:
    """Returns what the edits of each kind cost, and what is said of segments.

    Each is (n_segments,), by ERROR_KINDS, SIGNS and `error_kinds.SEGMENTS`.

    Args:
        pairs: predictions and the nearest references, as they are compared.
        given: the same as they are given.
        choice: how near they are, with counts.
        rule: of the comparison.
        align: returns the nearest references and the alignments by a rule, with counts if asked.
    """
    forgiven = forgive(pairs, given, choice, rule, align)
    rows = [row for row in forgiven.segments if forgiven.edits[row] > 0]  # those that still have edits
    kinds_of_rows = _kinds_by_place([forgiven.segments[row] for row in rows], rule, align)
    by_kind = {}
    for kind, costs_of_rows in zip(ERROR_KINDS, kinds_of_rows.T, strict=True):
        costs = np.zeros(len(pairs))
        costs[rows] = costs_of_rows
        if kind in forgiven.columns:
            costs += forgiven.columns[kind]
        by_kind[kind] = costs
    return {
        **forgiven.columns,
        **by_kind,
        **_segment_columns(pairs, choice, rule),
        SIGNS: rule.sign_edits(*sides_of(pairs)),
    }


class LeftEdits(NamedTuple):
    """What is left of segments, and what was forgiven."""

    columns: dict[str, np.ndarray]  # what was forgiven by kind, each (n_segments,)
    edits: np.ndarray  # what those cost that are left, (n_segments,)
    segments: Rows  # of which texts these are, by row, of those that had edits


def forgive(pairs: Sequence[SpelledPair], given: Sides, choice: Choice, rule: Rule, align: Align) -> LeftEdits:
    """Returns what may be forgiven of segments; the arguments are those of `kind_columns`."""
    rows = np.flatnonzero(choice.pairs.edits).tolist()
    segments = {row: pairs[row] for row in rows}

    def score(changed: Rows) -> np.ndarray:
        choice_then, _ = _aligned(list(changed.values()), rule, align)
        return choice_then.pairs.edits

    written = Chain(segments, choice.pairs.edits.astype(np.float64), score, rule.normalization)
    without_fillers = written if rule.fillers.are_dropped else forgive_fillers(written, rule, given)
    spelled = without_fillers
    is_unread = np.array([not pair.is_searched for pair in pairs], dtype=bool)
    if rule.readings is None or not rule.readings.is_korean:  # else they are words already
        spelled, is_left = forgive_notations(without_fillers, rule, _with_notations_in_phrases(choice, rule))
        is_unread |= is_left
    without_loops = forgive_loops(spelled, rule)
    links = [written, without_fillers, spelled, without_loops]
    edits = np.stack([link.edits for link in links])
    columns = dict(zip(FORGIVEN, difference(edits[:-1], edits[1:]), strict=True))
    return LeftEdits({**columns, UNREAD: is_unread}, without_loops.edits, without_loops.segments)


def _with_notations_in_phrases(choice: Choice, rule: Rule) -> set[int]:
    """Returns the segments with a phrase that has a notation: as words it would not be that phrase."""
    rows = set()
    for row, marked in choice.marked.items():
        for marks in filter(None, marked):
            phrases = [rule.keywords.phrases[found.phrase] for found in marks.occurrences]
            if any(has_a_notation(phrase, KOREAN) for phrase in phrases):
                rows.add(row)
    return rows


def _aligned(segments: Sequence[SpelledPair], rule: Rule, align: Align) -> tuple[Choice, Iterable[Alignment]]:
    """Returns how near the texts of segments are, and their alignments."""
    predictions, references = sides_of(segments)
    return align(ComparedTexts(predictions, [[reference] for reference in references]), rule, False)


def _segment_columns(pairs: Sequence[SpelledPair], choice: Choice, rule: Rule) -> dict[str, np.ndarray]:
    """Returns which segments loop, and which are all insertion, each (n_segments,)."""
    has_edits = choice.pairs.steps[:, :3].any(axis=1)
    has_reference = choice.pairs.steps[:, [0, 1, 3]].any(axis=1)
    rows = np.flatnonzero(has_edits)
    wrong = [pairs[row] for row in rows.tolist()]
    loops = find_loops(*sides_of(wrong), rule.cleaning.marks)
    is_looping = np.zeros(len(has_edits), dtype=bool)
    is_looping[rows[list(loops)]] = True
    return {LOOPING: is_looping, INSERTED: has_edits & ~has_reference}


def _kinds_by_place(segments: Sequence[SpelledPair], rule: Rule, align: Align) -> np.ndarray:
    """Returns what the edits of each kind cost in each segment, by their places, (n_segments, kinds)."""
    if not segments:
        return np.zeros((0, len(ERROR_KINDS)))
    choice, alignments_of_rate = _aligned(segments, rule, align)
    alignments = []
    for row, alignment in enumerate(alignments_of_rate):
        if row not in choice.special:  # else phrases and joined words have decided
            runs = most_hits(alignment.reference, alignment.prediction)
            alignment = alignment._replace(runs=runs or alignment.runs)
        alignments.append(alignment)
    if rule.tokenizer is None:
        return character_kinds(segments, choice, alignments, rule)
    return word_kinds(segments, choice, alignments)
