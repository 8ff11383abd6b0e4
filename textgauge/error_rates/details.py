"""What the option `detailed` adds to an error rate: counts of steps, kinds of edits, what is not counted, loops."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from textgauge.core.metric import error_rate
from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import Cleaning
from textgauge.tokens.cleaning import clean_characters

from .error_kinds import ERROR_KINDS
from .loops import are_loops
from .notation_choices import CHOICE_COLUMNS, count_choices
from .pair_choice import Choice

COUNTS = ("substitutions", "deletions", "insertions", "hits")
SIGNS = "sign edits"
REMOVED = ("removed spacing", "removed punctuation", "removed filler")
_SEGMENTS = ("looping segments", "inserted segments")
_WITH_LOOPS = ("loop cost", "loop denominator")  # what loops add to the rate
DETAILS = (*COUNTS, SIGNS, *ERROR_KINDS, *_SEGMENTS, *_WITH_LOOPS)  # columns that both metrics have


def kind_columns(
    kinds: np.ndarray,
    predictions: Sequence[str],
    references: Sequence[str],
    choice: Choice,
    marks: str,
    readings: Readings | None,
) -> dict[str, np.ndarray]:
    """Returns the columns of the kinds of edits, of loops, of segments without reference, and of choices of notation.

    Each is (n_segments,); the last ones are there with readings.

    Args:
        kinds: how many edits of each segment are of each kind, (n_segments, kinds), loops aside; is changed in place.
        predictions: of the segments, before they are cleaned.
        references: the nearest ones.
        choice: how near they are, with counts.
        marks: of transcripts, as `clean_characters` takes them.
        readings: that are equal.
    """
    edits = choice.counts[:, :3].sum(axis=1)
    rows = np.flatnonzero(edits)
    is_loop = np.zeros(len(edits), dtype=bool)
    is_loop[rows] = are_loops([predictions[row] for row in rows], [references[row] for row in rows], marks)
    kinds[is_loop] = 0
    kinds[is_loop, ERROR_KINDS.index("loop")] = edits[is_loop]
    is_inserted = (edits > 0) & (choice.counts[:, [0, 1, 3]].sum(axis=1) == 0)  # no reference
    columns = is_loop, is_inserted, choice.edits * is_loop, choice.denominators * is_loop
    names = (*ERROR_KINDS, *_SEGMENTS, *_WITH_LOOPS)
    choices = {} if readings is None else count_choices(predictions, references, readings, marks)
    return {**dict(zip(names, (*kinds.T, *columns), strict=True)), **choices}


def detailed_values(
    columns: Mapping[str, np.ndarray], name: str, denominator: np.ndarray, readings: Any
) -> dict[str, np.ndarray]:
    """Returns the counts of each step, the edits of each kind, those that are not counted, and what loops add.

    All are arrays (...), as the columns and the denominator are. With readings the edits that these forgive are of the
    kind `notation`, and choices of notation are counted. The rate without loops is pooled.

    >>> columns = dict(zip((*COUNTS, "edits"), np.array([1, 0, 2, 7, 3]), strict=True))
    >>> columns |= {kind: np.array(0) for kind in (*ERROR_KINDS, *_WITH_LOOPS)} | {"loop cost": np.array(2)}
    >>> values = detailed_values(columns, "cer", np.array(8), readings=None)
    >>> values["insertions"].item(), values["spacing_edits"].item(), values["cer_without_loops"].item()
    (2, 0, 0.125)
    """
    values = {step: columns[step] for step in COUNTS}
    if readings is not None:
        values["notation_edits"] = columns["literal edits"] - sum(columns[step] for step in COUNTS[:3])
    values.update({f"{kind}_edits": columns[kind] for kind in ERROR_KINDS})
    shown = [*REMOVED, SIGNS, *_SEGMENTS, *CHOICE_COLUMNS]
    values.update({_key(column): columns[column] for column in shown if column in columns})
    values = {key: value.astype(np.int64) for key, value in values.items()}
    cost, length = (columns[column] for column in _WITH_LOOPS)
    return {**values, f"{name}_without_loops": error_rate(columns["edits"] - cost, denominator - length)}


def _key(column: str) -> str:
    """Returns the key of a column in a result."""
    name = column.replace(" ", "_")
    return name if name.endswith(("_edits", "_segments", "_signs", "_words")) else f"{name}_edits"


def removed_edits(
    with_fillers: tuple[list[str], list[str]], without_fillers: tuple[list[str], list[str]], cleaning: Cleaning
) -> dict[str, np.ndarray]:
    """Returns the edits that the removal of blanks, special characters and fillers hides, each (n_segments,).

    >>> texts = ["네, 3 시"], ["네 3시"]
    >>> removed = removed_edits(texts, texts, Cleaning("remove", "remove", "syllable", "keep"))
    >>> {name: edits.tolist() for name, edits in removed.items()}
    {'removed spacing': [1], 'removed punctuation': [1], 'removed filler': [0]}

    Args:
        with_fillers: predictions and the nearest references.
        without_fillers: these without the fillers that are dropped.
        cleaning: what of a text counts.
    """
    keep_blanks = cleaning._replace(spaces="keep")
    keep_blanks_and_marks = keep_blanks._replace(special="keep")

    def distances(sides: tuple[list[str], list[str]], way: Cleaning, hint: int | None = None) -> np.ndarray:
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
