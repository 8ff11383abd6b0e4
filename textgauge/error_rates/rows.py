"""The rows of error rates, whose columns have names, and what a result has of them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from textgauge.core.metric import check_width, error_rate
from textgauge.core.phrase_counts import PhraseCounts

from .details import COUNTS, DETAILS, edits_without
from .kinds.error_kinds import ERROR_KINDS
from .nearest.choice import Choice
from .nearest.rule import Rule
from .phrases.counts import KEYWORD_COLUMNS, count_phrases, keyword_columns, keyword_rates

RATES = ("rate", "infinite")  # columns of a segment, beside "segments", that a mean of rates is made of
RATES_WITHOUT = tuple(f"without {kind} {column}" for kind in ERROR_KINDS for column in RATES)


def column_names(
    *,
    bounded: bool,
    detailed: bool,
    readings: Any,
    weights: Any,
    own: Sequence[str] = (),
    own_details: Sequence[str] = (),
    own_bare: Sequence[str] = (),
) -> list[str]:
    """Returns the names of the columns of a row, in their order.

    `own` are columns that one of the two metrics has always, `own_details` those that it has with `detailed`,
    `own_bare` those that it has with readings or weights, of each rate without them.

    >>> column_names(bounded=True, detailed=False, readings="ko", weights=None)
    ['edits', 'length', 'denominator', 'literal edits', 'literal denominator']
    """
    names = ["edits", "length", *own]
    if bounded:
        names.append("denominator")
    if detailed:
        names += [*DETAILS, *own_details]
    for which in bare_rates(readings, weights):
        names += [f"{which} {name}" for name in ("edits", "denominator", *own_bare)]
    return [*names, *KEYWORD_COLUMNS] if weights else names


def bare_rates(readings: Any, weights: Any) -> list[str]:
    """Returns what a rate is called without weights, and without both readings and weights, where there are some.

    >>> bare_rates(readings="ko", weights={"책": 2.0}), bare_rates(readings=None, weights=None)
    (['unweighted', 'literal'], [])
    """
    return [name for name, option in (("unweighted", weights), ("literal", readings)) if option]


def columns_of(choice: Choice, rule: Rule, detailed: bool) -> tuple[dict[str, np.ndarray], PhraseCounts | None]:
    """Returns the columns that both metrics have alike, each of shape (n_segments,), and the phrases of each segment.

    These are None without a table of phrases.
    """
    pairs = choice.pairs
    columns = {"edits": pairs.edits, "length": pairs.lengths, "denominator": pairs.denominators}
    if detailed:
        columns.update(zip(COUNTS, pairs.steps.T, strict=True))
    for which, bare in choice.bare.items():
        columns[f"{which} edits"] = bare.edits
        columns[f"{which} denominator"] = bare.denominators
    if rule.keywords is None:
        return columns, None
    phrases = count_phrases(choice.marked, choice.used, len(pairs.edits), rule.keywords)
    return columns | keyword_columns(phrases, choice.marked, rule.keywords), phrases


def nearest_texts(references: Sequence[Sequence[str]], choice: Choice) -> list[str]:
    """Returns the nearest reference of each segment."""
    return [row[index] for row, index in zip(references, choice.indices, strict=True)]


def rows_of(columns: Mapping[str, np.ndarray], names: Iterable[str]) -> np.ndarray:
    """Returns rows with these columns, (n_segments, n_names) float64.

    >>> rows_of({"edits": np.array([1, 0]), "length": np.array([4, 2])}, ["edits", "length"]).tolist()
    [[1.0, 4.0], [0.0, 2.0]]
    """
    return np.array([columns[name] for name in names], dtype=np.float64).T


def named_columns(rows: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    """Returns the columns of rows (..., n_names) by name; InputError unless there are so many.

    >>> columns = named_columns(np.array([[1, 4], [0, 2]]), ["edits", "length"])
    >>> {name: column.tolist() for name, column in columns.items()}
    {'edits': [1, 0], 'length': [4, 2]}
    """
    check_width(rows, len(names))
    return {name: rows[..., index] for index, name in enumerate(names)}


def values_of(
    columns: Mapping[str, np.ndarray], name: str, bare: Mapping[str, np.ndarray], weights: Any
) -> dict[str, np.ndarray]:
    """Returns what follows the rate in a result: edits and length, what they are without options, rates of phrases.

    Arrays have the shape of each column, (...). `bare` has the rates that `bare_rates` names.

    >>> columns = {"edits": np.array(1), "length": np.array(4), "literal edits": np.array(2)}
    >>> {key: value.item() for key, value in values_of(columns, "cer", {"literal": np.array(0.5)}, None).items()}
    {'edits': 1, 'reference_length': 4, 'literal_cer': 0.5, 'literal_edits': 2}
    """
    values = {"edits": columns["edits"], "reference_length": columns["length"]}
    if not weights:
        values = {key: value.astype(np.int64) for key, value in values.items()}
    for which, rate in bare.items():
        values[f"{which}_{name}"] = rate
        values[f"{which}_edits"] = columns[f"{which} edits"].astype(np.int64)
    if weights:
        values.update(keyword_rates(*(columns[name] for name in KEYWORD_COLUMNS)))
    return values


def segment_rates(edits: np.ndarray, denominators: np.ndarray, which: str = "") -> dict[str, np.ndarray]:
    """Returns the rate of each segment, 0 where it is infinite, and 1 where it is; each (n_segments,).

    >>> rates = segment_rates(np.array([1, 2]), np.array([4, 0]), "literal ")
    >>> {name: column.tolist() for name, column in rates.items()}
    {'literal rate': [0.25, 0.0], 'literal infinite': [False, True]}
    """
    rates = error_rate(edits, denominators)
    is_infinite = np.isinf(rates)
    return {f"{which}rate": np.where(is_infinite, 0.0, rates), f"{which}infinite": is_infinite}


def segment_rates_without(columns: Mapping[str, np.ndarray], denominators: np.ndarray) -> dict[str, np.ndarray]:
    """Returns what `segment_rates` does without each kind of edits, by RATES_WITHOUT, each (n_segments,).

    >>> columns = {"edits": np.array([3]), **dict.fromkeys(ERROR_KINDS, np.array([1]))}
    >>> segment_rates_without(columns, np.array([4]))["without loop rate"].tolist()
    [0.5]
    """
    rates = {}
    for kind in ERROR_KINDS:
        rates |= segment_rates(edits_without(columns, kind), denominators, f"without {kind} ")
    return rates


def rate_of(columns: Mapping[str, np.ndarray], which: str, denominator: str, aggregate: str) -> np.ndarray:
    """Returns the pooled rate, or the mean of the segments', from sums of columns, each (...).

    >>> sums = {"edits": 3, "length": 6, "rate": 1.25, "infinite": 0, "segments": 2}
    >>> columns = {name: np.array(value) for name, value in sums.items()}
    >>> [rate_of(columns, "", "length", aggregate).item() for aggregate in ("pooled", "mean")]
    [0.5, 0.625]
    """
    if aggregate == "pooled":
        return error_rate(columns[f"{which}edits"], columns[denominator])
    # a segment without reference text but with edits makes the mean infinite, as it is alone
    mean = error_rate(columns[f"{which}rate"], columns["segments"])
    return np.where(columns[f"{which}infinite"] > 0, np.inf, mean)


def rates_without(columns: Mapping[str, np.ndarray], denominator: str, aggregate: str) -> dict[str, np.ndarray]:
    """Returns what `rate_of` does without each kind of edits, by ERROR_KINDS, each (...).

    >>> columns = {"edits": np.array(3), "length": np.array(4), **dict.fromkeys(ERROR_KINDS, np.array(1))}
    >>> rates_without(columns, "length", "pooled")["loop"].item()
    0.5
    """
    if aggregate == "mean":
        return {kind: rate_of(columns, f"without {kind} ", denominator, aggregate) for kind in ERROR_KINDS}
    return {kind: error_rate(edits_without(columns, kind), columns[denominator]) for kind in ERROR_KINDS}
