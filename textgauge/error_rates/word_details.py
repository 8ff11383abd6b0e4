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

    def edits(sides: Sides, special: str = rule.cleaning.special) -> np.ndarray:
        own = rule._replace(cleaning=rule.cleaning._replace(special=special))
        return choose_words(sides[0], [[text] for text in sides[1]], own)[0].pairs.edits

    hidden = edits(without, "keep"), edits(with_fillers)
    return dict(zip(REMOVED[1:], np.maximum(np.subtract(hidden, edits(without)), 0), strict=True))
