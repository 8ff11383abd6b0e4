"""What the option `detailed` adds to an error rate: counts of steps, kinds of edits, what is not counted, loops."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.rounding import difference

from .kinds.chain import sides_of
from .kinds.columns import Align, kind_columns
from .kinds.error_kinds import ERROR_KINDS, SEGMENTS, SIGNS, without_keys
from .nearest.choice import Choice
from .nearest.pairs import ComparedTexts
from .nearest.rule import Rule, Sides
from .nearest.spelled_texts import compared_pairs, nearest_pairs
from .nearest.words import choose_words

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


def detail_columns(
    predictions: list[str],
    references: Sequence[Sequence[str]],
    compared: ComparedTexts,
    choice: Choice,
    rule: Rule,
    align: Align,
) -> dict[str, np.ndarray]:
    """Returns of which kind edits are, and what is removed, each (n_segments,).

    Args:
        predictions: as they are given.
        references: likewise.
        compared: the same as they are compared.
        choice: of the nearest references, with counts.
        rule: of the comparison.
        align: returns the nearest references and the alignments by a rule.
    """
    nearest = [row[index] for row, index in zip(references, choice.indices, strict=True)]
    given = predictions, nearest
    kinds = kind_columns(nearest_pairs(compared, choice), given, choice, rule, align)
    return {**kinds, **_removed_edits(given, rule)}


def _removed_edits(given: Sides, rule: Rule) -> dict[str, np.ndarray]:
    """Returns the edits that the removal of blanks, special characters and fillers hides, each (n_segments,).

    Takes predictions and the nearest references as they are given.
    """
    rule = rule._replace(keywords=None)
    without_fillers = given
    if rule.fillers.are_dropped:
        predictions, references = given
        without_fillers = rule.fillers.dropped(predictions), rule.fillers.dropped(references)
    keep_blanks = rule.cleaning._replace(spaces="keep")
    edits = _edits_between(without_fillers, rule)
    edits_with_blanks = edits
    if rule.tokenizer is None:  # else blanks end words, and nothing is removed with them
        edits_with_blanks = _edits_between(without_fillers, rule._replace(cleaning=keep_blanks))
    keep_blanks_and_marks = keep_blanks._replace(special="keep")
    edits_with_marks = _edits_between(without_fillers, rule._replace(cleaning=keep_blanks_and_marks))

    # blanks at the ends are always removed, so a text can have fewer edits with its blanks than without
    of_fillers = _edits_of_fillers(given, rule) if rule.fillers.are_dropped else 0 * edits
    hidden = edits_with_blanks - edits, edits_with_marks - edits_with_blanks, of_fillers
    return {name: np.maximum(more, 0) for name, more in zip(REMOVED, hidden, strict=True)}


def _edits_of_fillers(given: Sides, rule: Rule) -> np.ndarray:
    """Returns how many edits more there are with the fillers that are dropped, (n_segments,)."""
    with_fillers = rule._replace(fillers=rule.fillers._replace(are_dropped=False))
    edits = _edits_between(sides_of(compared_pairs(*given, rule)), rule)
    return _edits_between(sides_of(compared_pairs(*given, with_fillers)), rule) - edits


def _edits_between(sides: Sides, rule: Rule) -> np.ndarray:
    """Returns the edits between predictions and references by a rule, (n_segments,)."""
    predictions, references = sides
    if rule.tokenizer is None:
        texts = rule.clean(references), rule.clean(predictions)
        return cpdist(*texts, scorer=Levenshtein.distance, dtype=np.int64)
    choice, _ = choose_words(ComparedTexts(predictions, [[reference] for reference in references]), rule)
    return choice.pairs.edits
