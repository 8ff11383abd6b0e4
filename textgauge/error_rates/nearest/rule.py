"""How two texts are compared: the rule of an error rate, which follows from its options."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.korean.reading_tables import Readings
from textgauge.korean.readings import Cleaning
from textgauge.tokens.cleaning import clean_characters
from textgauge.tokens.tokenizers import tokenize

from ..phrases.fillers import Fillers, compile_fillers
from ..phrases.keywords import Keywords
from ..phrases.number_marks import sign_edits

Sides = tuple[list[str], list[str]]  # predictions and references


class Rule(NamedTuple):
    """How two texts are compared."""

    cleaning: Cleaning  # what of a text counts
    bounded: bool
    ties: str
    keywords: Keywords | None = None
    tokenizer: Any = None  # of words; None where characters are compared
    space_normalized: bool | str = False  # "fewest": where it gives no more edits
    compounds: str | None = None
    fillers: Fillers = compile_fillers()
    normalization: str | None = None  # Unicode form of all texts
    readings: Readings | None = None  # of the notations that become words

    @property
    def joint(self) -> str:
        """What is between the pieces of an alignment."""
        return "" if self.tokenizer is None else " "

    @property
    def looks_closer(self) -> bool:
        """Whether the comparison needs more than two plain texts: phrases with weights, or joined words."""
        return not (self.keywords is None and self.compounds is None)

    @property
    def compares_lists(self) -> bool:
        """Whether a few lists of words may be compared as they are, by rapidfuzz alone.

        An own tokenizer may return "", which is equal to "\\0" for rapidfuzz.
        """
        return self.ties == "jiwer" and isinstance(self.tokenizer, str) and not self.looks_closer

    def clean(self, texts: list[str]) -> list[str]:
        """Returns the texts without what the convention removes; where words are compared, blanks stay."""
        if self.tokenizer is None:
            return clean_characters(texts, *self.cleaning)
        if (self.cleaning.special, self.cleaning.marks) == ("keep", "keep"):
            return texts
        return clean_characters(texts, *self.cleaning._replace(spaces="keep"))

    def tokens(self, texts: list[str]) -> list[Sequence[str]]:
        """Returns what of each text is compared: a string of characters, or a list of words."""
        cleaned = self.clean(texts)
        return cleaned if self.tokenizer is None else tokenize(cleaned, self.tokenizer)

    def sign_edits(self, predictions: Sequence[str], references: Sequence[str]) -> np.ndarray:
        """Returns the edits that the removal of marks inside numbers hides, (n_segments,), see `sign_edits`.

        Where notations are spelled it hides none: 1.5 and 15 are other words.
        """
        if not self.hides_signs:
            return np.zeros(len(references), dtype=np.int64)
        return sign_edits(predictions, references, self.tokens)

    @property
    def hides_signs(self) -> bool:
        """Whether marks inside numbers are removed."""
        return (self.cleaning.special, self.cleaning.marks) != ("keep", "keep")
