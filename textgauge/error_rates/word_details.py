"""What the option `detailed` adds where words are compared."""

from collections.abc import Sequence

import numpy as np

from .details import REMOVED
from .kinds.columns import kind_columns
from .nearest.choice import Choice
from .nearest.pairs import ComparedTexts
from .nearest.rule import Rule, Sides
from .nearest.spelling import SpelledPair
from .nearest.words import align_nearest, choose_words


def word_details(choice: Choice, written: Sides, pairs: Sequence[SpelledPair], rule: Rule) -> dict[str, np.ndarray]:
    """Returns of which kind edits are, and what is removed, each (n_segments,).

    Args:
        choice: what `choose_words` returns, with counts.
        written: predictions and the nearest references.
        pairs: the same as they are compared.
        rule: of the comparison.
    """
    return {
        **kind_columns(pairs, choice, rule, align_nearest),
        **_removed_edits(written, rule),
    }


def _removed_edits(with_fillers: Sides, rule: Rule) -> dict[str, np.ndarray]:
    """Returns the edits that the removal of special characters and of fillers hides, each (n_segments,).

    Args:
        with_fillers: predictions and the nearest references, as they are given.
        rule: of the comparison.
    """
    without = rule.fillers.dropped_from(with_fillers)
    rule = rule._replace(keywords=None)
    rule_with_marks = rule._replace(cleaning=rule.cleaning._replace(special="keep"))
    edits = _edits_of_sides(without, rule)
    punctuation = _edits_of_sides(without, rule_with_marks) - edits
    fillers = _edits_of_sides(with_fillers, rule) - edits
    return {REMOVED[1]: np.maximum(punctuation, 0), REMOVED[2]: np.maximum(fillers, 0)}


def _edits_of_sides(sides: Sides, rule: Rule) -> np.ndarray:
    """Returns the edits between predictions and references, (n_segments,)."""
    predictions, references = sides
    choice, _ = choose_words(ComparedTexts(predictions, [[reference] for reference in references]), rule)
    return choice.pairs.edits
