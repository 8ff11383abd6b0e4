"""The rows of error rates, whose columns have names, and what a result has of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from textgauge.core.metric import check_width, error_rate
from textgauge.core.phrase_counts import PhraseCounts

from .details import COUNTS, DETAILS, edits_without
from .kinds.error_kinds import ERROR_KINDS
from .nearest.choice import Choice
from .nearest.rule import Rule
from .phrases.counts import KEYWORD_COLUMNS, count_phrases, keyword_columns, keyword_rates

LITERAL = "literal "  # begins the names of columns of the texts as they are given, where notations are spelled
RATES = ("rate", "infinite")  # columns of a segment, beside "segments", that a mean of rates is made of
RATES_WITHOUT = tuple(f"without {kind} {column}" for kind in ERROR_KINDS for column in RATES)


class OwnColumns(NamedTuple):
    """The columns that one metric has besides those that all error rates have."""

    always: tuple[str, ...] = ()
    detailed: tuple[str, ...] = ()  # with `detailed`


class RateOptions(NamedTuple):
    """The options that say what a rate is."""

    aggregate: str
    bounded: bool
    readings: Any
    weights: Any

    @property
    def denominator(self) -> str:
        """The column by which edits are divided."""
        return "denominator" if self.bounded else "length"


def column_names(own_columns: OwnColumns, rate: RateOptions, detailed: bool) -> tuple[str, ...]:
    """Returns the names of the columns of a row, in their order.

    Those of the texts as they are given, which `readings` add, come last, and begin with "literal ".

    >>> column_names(OwnColumns(), RateOptions("pooled", bounded=False, readings="ko", weights=None), detailed=False)
    ('edits', 'length', 'literal edits', 'literal length')
    """
    names = ["edits", "length", *own_columns.always]
    if rate.bounded:
        names.append("denominator")
    if detailed:
        names += [*DETAILS, *own_columns.detailed]
    if rate.weights:
        rates = [name for name in RATES if name in own_columns.always]
        names += [f"unweighted {name}" for name in ("edits", "denominator", *rates)]
        names += KEYWORD_COLUMNS
    if rate.readings:
        literal = column_names(own_columns, rate._replace(readings=None), detailed=False)
        names += [LITERAL + name for name in literal]
    return tuple(names)


def columns_of(
    choice: Choice, rule: Rule, *, detailed: bool, with_rates: bool = False
) -> tuple[dict[str, Any], PhraseCounts | None]:
    """Returns the columns that both metrics have alike, each of shape (n_segments,), and the phrases of each segment.

    These are None without a table of phrases. `with_rates` adds the rates of each segment, and a 1 that counts it.
    """
    pairs = choice.pairs
    columns: dict[str, Any] = {
        "edits": pairs.edits,
        "length": pairs.lengths,
        "denominator": pairs.denominators,
    }
    if with_rates:
        columns |= segment_rates(pairs.edits, pairs.denominators)
        columns["segments"] = 1
    if detailed:
        columns.update(zip(COUNTS, pairs.steps.T, strict=True))
    if rule.keywords is None:
        return columns, None

    unweighted = choice.unweighted
    columns["unweighted edits"] = unweighted.edits
    columns["unweighted denominator"] = unweighted.denominators
    if with_rates:
        columns |= segment_rates(unweighted.edits, unweighted.denominators, "unweighted ")
    phrases = count_phrases(choice.marked, choice.used, len(pairs.edits), rule.keywords)
    columns |= keyword_columns(phrases, choice.marked, rule.keywords)
    return columns, phrases


def rows_of(columns: Mapping[str, np.ndarray | int], names: Sequence[str]) -> np.ndarray:
    """Returns rows with these columns, (n_segments, n_names) float64; a number is the same in all rows.

    >>> rows_of({"edits": np.array([1, 0]), "length": np.array([4, 2])}, ["edits", "length"]).tolist()
    [[1.0, 4.0], [0.0, 2.0]]
    """
    rows = np.empty((len(columns["edits"]), len(names)))
    for index, name in enumerate(names):
        rows[:, index] = columns[name]
    return rows


def named_columns(rows: np.ndarray, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Returns the columns of rows (..., n_names) by name; InputError unless there are so many.

    >>> columns = named_columns(np.array([[1, 4], [0, 2]]), ["edits", "length"])
    >>> {name: column.tolist() for name, column in columns.items()}
    {'edits': [1, 0], 'length': [4, 2]}
    """
    check_width(rows, len(names))
    return {name: rows[..., index] for index, name in enumerate(names)}


def rate_values(columns: Mapping[str, np.ndarray], name: str, options: RateOptions) -> dict[str, np.ndarray]:
    """Returns the rate under its name, edits and length, what they are without options, and the rates of phrases.

    Arrays have the shape of each column, (...).

    >>> sums = {"edits": 1, "length": 4, "literal edits": 2, "literal length": 4}
    >>> columns = {column: np.array(value) for column, value in sums.items()}
    >>> values = rate_values(columns, "cer", RateOptions("pooled", bounded=False, readings="ko", weights=None))
    >>> {key: value.item() for key, value in values.items()}
    {'cer': 0.25, 'edits': 1, 'reference_length': 4, 'literal_cer': 0.5, 'literal_edits': 2}
    """
    values = {
        name: rate_of(columns, "", options.denominator, options.aggregate),
        "edits": columns["edits"],
        "reference_length": columns["length"],
    }
    if not options.weights:
        values["edits"] = values["edits"].astype(np.int64)
        values["reference_length"] = values["reference_length"].astype(np.int64)
    if options.weights:
        values[f"unweighted_{name}"] = rate_of(columns, "unweighted ", "unweighted denominator", options.aggregate)
        values["unweighted_edits"] = columns["unweighted edits"].astype(np.int64)
        counts = [columns[column] for column in KEYWORD_COLUMNS]
        values.update(keyword_rates(*counts))
    if options.readings:
        literal = {column.removeprefix(LITERAL): value for column, value in columns.items() if LITERAL in column}
        literal_values = rate_values(literal, name, options._replace(readings=None))
        values[f"literal_{name}"] = literal_values[name]
        values["literal_edits"] = literal_values["edits"]
    return values


def segment_rates(edits: np.ndarray, denominators: np.ndarray, prefix: str = "") -> dict[str, np.ndarray]:
    """Returns the rate of each segment, 0 where it is infinite, and 1 where it is; each (n_segments,), as edits are.

    >>> rates = segment_rates(np.array([1, 2]), np.array([4, 0]), "unweighted ")
    >>> {name: column.tolist() for name, column in rates.items()}
    {'unweighted rate': [0.25, 0.0], 'unweighted infinite': [False, True]}
    """
    rates = error_rate(edits, denominators)
    is_infinite = np.isinf(rates)
    return {f"{prefix}rate": np.where(is_infinite, 0.0, rates), f"{prefix}infinite": is_infinite}


def segment_rates_without(columns: Mapping[str, np.ndarray], denominators: np.ndarray) -> dict[str, np.ndarray]:
    """Returns what `segment_rates` does without each kind of edits, by RATES_WITHOUT, each (n_segments,).

    >>> columns = {"edits": np.array([3]), **dict.fromkeys(ERROR_KINDS, np.array([1]))}
    >>> segment_rates_without(columns, np.array([4]))["without loop rate"].tolist()
    [0.5]
    """
    rates = {}
    for column, values in segment_rates(edits_without(columns), denominators).items():
        for kind, values_of_kind in zip(ERROR_KINDS, values, strict=True):
            rates[f"without {kind} {column}"] = values_of_kind
    return rates


def rate_of(columns: Mapping[str, np.ndarray], prefix: str, denominator: str, aggregate: str) -> np.ndarray:
    """Returns the pooled rate, or the mean of the segments', from sums of columns, each (...).

    `prefix` begins the names of its columns, except for that of the denominator.

    >>> sums = {"edits": 3, "length": 6, "rate": 1.25, "infinite": 0, "segments": 2}
    >>> columns = {name: np.array(value) for name, value in sums.items()}
    >>> [rate_of(columns, "", "length", aggregate).item() for aggregate in ("pooled", "mean")]
    [0.5, 0.625]
    """
    if aggregate == "pooled":
        return error_rate(columns[f"{prefix}edits"], columns[denominator])
    # a segment without reference text but with edits makes the mean infinite, as it is alone
    mean = error_rate(columns[f"{prefix}rate"], columns["segments"])
    return np.where(columns[f"{prefix}infinite"] > 0, np.inf, mean)


def rates_without(columns: Mapping[str, np.ndarray], options: RateOptions) -> dict[str, np.ndarray]:
    """Returns what `rate_of` does without each kind of edits, by ERROR_KINDS, each (...).

    >>> columns = {"edits": np.array(3), "length": np.array(4), **dict.fromkeys(ERROR_KINDS, np.array(1))}
    >>> rates_without(columns, RateOptions("pooled", bounded=False, readings=None, weights=None))["loop"].item()
    0.5
    """
    if options.aggregate == "pooled":
        rates = error_rate(edits_without(columns), columns[options.denominator])
        return dict(zip(ERROR_KINDS, rates, strict=True))
    return {kind: rate_of(columns, f"without {kind} ", options.denominator, "mean") for kind in ERROR_KINDS}
