"""References from several columns; shipped to the workers of score_spark.py."""

from collections.abc import Sequence
from typing import Any


def joined_references(columns: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Returns one value per segment: that of the only column, or the list of what is in all."""
    if len(columns) == 1:
        return columns[0]
    return [[text for cell in row for text in _texts(cell)] for row in zip(*columns, strict=True)]


def _texts(cell: Any) -> list[Any]:
    # a cell of Spark may be an array; a number is a rater's score
    return [cell] if cell is None or isinstance(cell, (str, int, float)) else list(cell)
