"""References from several columns, and gaps among them.

Segments have different numbers of references, and a table or a file of lines has a cell for each: the rest are empty.
If a segment has a reference, its gaps do not count. If it has only gaps, they are scored as the texts they are.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

_EMPTY = ("NaN", "nan", "<NA>", "#N/A", "\\N")  # as spreadsheets, pandas and databases write an empty cell
WORDS = ("NA", "N/A", "NULL", "null", "None")  # some write these; but they may be texts, such as an answer


class WithoutGaps(NamedTuple):
    """References without gaps."""

    columns: list[Sequence[Any]]  # a cell that held nothing else is an empty list
    weights: Sequence[Any] | None  # of the references that are left
    rows: list[list[int]]  # of each column the rows with a gap; a row is there once for each


def joined_references(columns: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Returns one value per segment: from the only column, or a list of the values of all.

    >>> joined_references([["가", "나"], ["다", []]])
    [['가', '다'], ['나']]
    """
    if len(columns) == 1:
        return columns[0]
    return [_texts_of(row) for row in zip(*columns, strict=True)]


def without_gaps(columns: Sequence[Sequence[Any]], weights: Sequence[Any] | None = None) -> WithoutGaps:
    """Returns the columns of references without gaps where the segment has another reference.

    >>> without_gaps([["가", ""], ["", ""]]).columns
    [['가', ''], [[], '']]

    Args:
        columns: of references; a cell is a text, or a list of texts.
        weights: of each segment the list with the weights of its references, which lose those of gaps.
    """
    columns = [list(column) for column in columns]
    left_out: list[list[int]] = [[] for _ in columns]
    kept_weights = None if weights is None else list(weights)
    with_gaps = {row for column in columns for row, cell in enumerate(column) if _has_gap(cell)}
    for row in sorted(with_gaps):
        texts_of_row = _texts_of([column[row] for column in columns])
        if all(map(is_gap, texts_of_row)):
            continue
        for column, rows in zip(columns, left_out, strict=True):
            texts = _texts(column[row])
            if not texts or any(map(is_gap, texts)):
                column[row] = [text for text in texts if not is_gap(text)]
                rows += [row] * max(1, len(texts) - len(column[row]))
        if kept_weights is not None:
            kept_weights[row] = _weights_of_texts(kept_weights[row], texts_of_row)
    return WithoutGaps(columns, kept_weights, left_out)


def is_gap(value: Any) -> bool:
    """Returns whether a table says with this value that a cell is empty."""
    if isinstance(value, str):
        return not value or value.isspace() or value.strip() in _EMPTY
    return value is None or (isinstance(value, float) and math.isnan(value))


def _has_gap(cell: Any) -> bool:
    if _is_list(cell):
        return len(cell) == 0 or any(map(is_gap, cell))
    return is_gap(cell)


def _is_list(cell: Any) -> bool:
    # a cell of Spark may be an array
    return isinstance(cell, Iterable) and not isinstance(cell, (str, bytes, Mapping))


def _texts(cell: Any) -> list[Any]:
    return list(cell) if _is_list(cell) else [cell]


def _texts_of(cells: Iterable[Any]) -> list[Any]:
    """Returns the texts of all cells of a segment."""
    texts = []
    for cell in cells:
        texts += _texts(cell)
    return texts


def _weights_of_texts(weights: Any, texts: Sequence[Any]) -> Any:
    """Returns the weights of those references that are not gaps; other values than one for each stay as they are."""
    if not _is_list(weights) or len(weights) != len(texts):
        return weights
    return [weight for weight, text in zip(weights, texts, strict=True) if not is_gap(text)]
