"""What the options of a command say of columns."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..errors import InputError
from .corpus import HUMAN


class NamedColumns(NamedTuple):
    """What the options say of columns."""

    predictions: Sequence[str] = ()  # of --data one per system, of a table of each system one
    references: Sequence[str] = ()
    human: Sequence[str] = ()  # "SYSTEM=NAME", or "NAME" for an only system
    others: Sequence[str] = ()  # "COLUMN=NAME" for what else a metric takes: a column of a table, or a file
    groups: Sequence[str] = ()  # whose values are scored apart
    ids: str | None = None  # the column that rows are matched by; "" for none, None for "id" where there is one
    has_sessions: bool = False  # whether files are transcripts of meetings
    cut_by: str | None = None  # the unit by which predictions are segmented like the references, if they are not
    numbers: Collection[str] = ()  # the columns of the metrics that hold numbers, such as a judge's scores

    @property
    def has_ratings(self) -> bool:
        """Returns whether people's scores are the references."""
        return "references" in self.numbers


def others_of(named: NamedColumns) -> dict[str, str]:
    """Returns further columns of a metric; InputError for a column with its own option."""
    further = pairs_of("--column", named.others)
    for name, option in (("predictions", "--predictions"), ("references", "--references"), (HUMAN, "--human-column")):
        if name in further:
            raise InputError(f"--column {name}={further[name]}: {name} have an option of their own, {option}")
    return further


def pairs_of(option: str, texts: Sequence[str], default: str | None = None) -> dict[str, str]:
    """Returns the values given as NAME=VALUE; InputError for a name that is given twice."""
    pairs = [pair_of(text, default) for text in texts]
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{option} {name}=... is given twice")
    return dict(pairs)


def pair_of(text: str, default: str | None = None) -> tuple[str, str]:
    """Splits "NAME=VALUE"; `default` is the name if it has none."""
    name, equals, value = text.partition("=")
    if equals and name and value:
        return name, value
    if equals or default is None:
        raise InputError(f"{text!r:.200}: write it as NAME=VALUE")
    return default, text
