"""What a verdict claims, as data; sentences.py says it in words."""

from typing import Any, NamedTuple


class Claim(NamedTuple):
    """A kind of claim, and the systems, metrics and numbers of which it holds; the names are those of the JSON file.

    What all claims share is not repeated: the baseline, the level, and how many segments and metrics there are.
    """

    kind: str  # its sentence is the text "verdict_" and this
    facts: dict[str, Any]


class Verdict(NamedTuple):
    """Claims, or their sentences: the first answers, others qualify it, then come details, and what stays open."""

    first: Any
    qualified: list[Any]
    details: list[Any]
    open_cases: list[Any] = []

    @property
    def short(self) -> list[Any]:
        """What must not be left out."""
        return [self.first, *self.qualified]

    @property
    def lines(self) -> list[Any]:
        """All of them."""
        return [*self.short, *self.details, *self.open_cases]


def claim(kind: str, **facts: Any) -> Claim:
    """Returns a claim.

    >>> claim("loops", system="a", n=2)
    Claim(kind='loops', facts={'system': 'a', 'n': 2})
    """
    return Claim(kind, facts)


def as_json(found: Claim) -> dict[str, Any]:
    """Returns a claim as an object of a JSON file."""
    return {"claim": found.kind, **found.facts}
