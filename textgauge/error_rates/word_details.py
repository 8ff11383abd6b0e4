"""What the option `detailed` adds where words are compared."""

import numpy as np

from .details import REMOVED, SIGNS
from .kinds.columns import kind_columns
from .nearest.choice import Choice
from .nearest.rule import Rule, Sides
from .nearest.words import align_nearest, choose_words


def word_details(choice: Choice, written: Sides, compared: Sides, rule: Rule) -> dict[str, np.ndarray]:
    """Returns of which kind edits are, and what is removed, each (n_segments,).

    Args:
        choice: what `choose_words` returns, with counts.
        written: predictions and the nearest references.
        compared: the same, without the fillers that are dropped.
        rule: of the comparison.
    """
    return {
        **kind_columns(*compared, choice, rule, align_nearest),
        **_removed_edits(written, compared, rule),
        SIGNS: rule.sign_edits(*compared),
    }


def _removed_edits(with_fillers: Sides, without: Sides, rule: Rule) -> dict[str, np.ndarray]:
    """Returns the edits that the removal of special characters and of fillers hides, each (n_segments,).

    Args:
        with_fillers: predictions and the nearest references.
        without: the same, without the fillers that are dropped.
        rule: of the comparison.
    """
    rule = rule._replace(keywords=None, readings=None, finder=None)
    rule_with_marks = rule._replace(cleaning=rule.cleaning._replace(special="keep"))
    edits = _edits_of_sides(without, rule)
    punctuation = _edits_of_sides(without, rule_with_marks) - edits
    fillers = _edits_of_sides(with_fillers, rule) - edits
    return {REMOVED[1]: np.maximum(punctuation, 0), REMOVED[2]: np.maximum(fillers, 0)}


def _edits_of_sides(sides: Sides, rule: Rule) -> np.ndarray:
    """Returns the edits between predictions and references, (n_segments,)."""
    predictions, references = sides
    choice, _ = choose_words(predictions, [[reference] for reference in references], rule)
    return choice.pairs.edits
