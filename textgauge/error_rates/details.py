"""What the option `detailed` adds to an error rate: counts of steps, kinds of edits, what is not counted, loops."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.rounding import difference
from textgauge.korean.readings import Cleaning
from textgauge.tokens.cleaning import clean_characters

from .kinds.error_kinds import ERROR_KINDS, SEGMENTS, SIGNS, without_keys
from .nearest.rule import Rule, Sides

COUNTS = ("substitutions", "deletions", "insertions", "hits")
REMOVED = ("removed spacing", "removed punctuation", "removed filler")
DETAILS = (*COUNTS, SIGNS, *ERROR_KINDS, *SEGMENTS)  # columns that both metrics have


def edits_without(columns: Mapping[str, np.ndarray], kinds: Sequence[str] = ERROR_KINDS) -> np.ndarray:
    """Returns the edits without those of each kind, (n_kinds, ...); exactly 0 where only rounding is left.

    >>> edits_without({"edits": np.array([0.3, 2.0]), "filler": np.array([0.1 + 0.2, 1.0])}, ["filler"]).tolist()
    [[0.0, 1.0]]
    """
    edits_of_kinds = np.stack([columns[kind] for kind in kinds])
    return np.maximum(difference(columns["edits"], edits_of_kinds), 0.0)


def detailed_values(
    columns: Mapping[str, np.ndarray], name: str, without: Mapping[str, np.ndarray], weights: Any
) -> dict[str, np.ndarray]:
    """Returns the counts of each step, the edits of each kind, those that are not counted, and rates without a kind.

    All are arrays (...), as the columns are, and the rates `without` each kind of edits. With weights the edits of a
    kind are weighted.

    >>> columns = dict(zip((*COUNTS, *ERROR_KINDS), np.arange(15), strict=True))
    >>> values = detailed_values(columns, "cer", dict.fromkeys(ERROR_KINDS, np.array(0.125)), weights=None)
    >>> values["insertions"].item(), values["notation_edits"].item(), values["cer_without_loops"].item()
    (2, 4, 0.125)
    """
    kinds = {f"{kind}_edits": columns[kind] for kind in ERROR_KINDS}
    counted = [*COUNTS, *REMOVED, SIGNS, *SEGMENTS]
    counts = {_key(column): columns[column].astype(np.int64) for column in counted if column in columns}
    steps = {step: counts.pop(step) for step in COUNTS}
    if not weights:
        kinds = {key: value.astype(np.int64) for key, value in kinds.items()}
    rates = {key: without[kind] for kind, key in without_keys(name).items()}
    return {**steps, **kinds, **counts, **rates}


def _key(column: str) -> str:
    """Returns the key of a column in a result."""
    name = column.replace(" ", "_")
    return f"{name}_edits" if column in REMOVED else name


def removed_edits(with_fillers: Sides, rule: Rule) -> dict[str, np.ndarray]:
    """Returns the edits that the removal of blanks, special characters and fillers hides, each (n_segments,).

    >>> rule = Rule(Cleaning("remove", "remove", "syllable", "keep"), bounded=False, ties="jiwer")
    >>> removed = removed_edits((["네, 3 시"], ["네 3시"]), rule)
    >>> {name: edits.tolist() for name, edits in removed.items()}
    {'removed spacing': [1], 'removed punctuation': [1], 'removed filler': [0]}

    Args:
        with_fillers: predictions and the nearest references, as they are given.
        rule: of the comparison.
    """
    cleaning = rule.cleaning
    without_fillers = rule.fillers.dropped_from(with_fillers)
    keep_blanks = cleaning._replace(spaces="keep")
    keep_blanks_and_marks = keep_blanks._replace(special="keep")

    def distances(sides: Sides, way: Cleaning, hint: int | None = None) -> np.ndarray:
        texts = (clean_characters(side, *way) for side in sides)
        return cpdist(*texts, scorer=Levenshtein.distance, score_hint=hint, dtype=np.int64)

    edits = distances(without_fillers, cleaning)
    # long texts that differ by few edits are faster with a hint; the distances are the same
    hint = 2 * int(edits.max(initial=0))
    edits_with_blanks = distances(without_fillers, keep_blanks, hint)
    edits_with_marks = distances(without_fillers, keep_blanks_and_marks, hint)
    are_dropped = with_fillers != without_fillers
    edits_with_fillers = distances(with_fillers, cleaning, hint) if are_dropped else edits

    # blanks at the ends are always removed, so a text can have fewer edits with its blanks than without
    hidden = edits_with_blanks - edits, edits_with_marks - edits_with_blanks, edits_with_fillers - edits
    return {name: np.maximum(more, 0) for name, more in zip(REMOVED, hidden, strict=True)}
