"""The columns of a metric that hold numbers or names: scores, ratings by people, log-probabilities, groups."""

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from .columns import TEXT, Column, check_labels, check_texts, described, lengths_of, list_of_rows
from .errors import InputError


def check_numbers(name: str, column: Any) -> list[float]:
    """Returns a column of finite numbers as a list of floats."""
    rows = _rows(name, column)
    return [as_number(f"{name}[{row}]", value, is_finite=True) for row, value in enumerate(rows)]


def check_number_lists(name: str, column: Any) -> list[list[float]]:
    """Returns a column of lists of numbers, possibly infinite, as a list of lists of floats."""
    return _number_lists(name, _rows(name, column), "a list of numbers")


def check_texts_or_number_lists(name: str, column: Any) -> list[Any]:
    """Returns a column of texts, or one of lists of numbers, as a list of strings or of lists of floats."""
    rows = _rows(name, column)
    is_text = [isinstance(value, str) for value in rows]
    if all(is_text):
        return check_texts(name, rows)
    wanted = "a string or a list of numbers"
    if not any(is_text):
        return _number_lists(name, rows, wanted)
    for row, value in enumerate(rows):
        if not is_text[row]:
            _check_list(f"{name}[{row}]", value, wanted)
    raise _two_kinds(name, rows, is_text, "strings or lists of numbers")


def check_ratings(name: str, column: Any) -> list[Any]:
    """Returns a column of finite numbers as floats, or one of lists with a number per rater as lists of floats.

    In a list, None and nan are missing scores, and become nan.
    """
    rows = _rows(name, column)
    is_number = [isinstance(value, (numbers.Real, np.number)) for value in rows]
    if all(is_number) or not any(map(_is_list, rows)):
        return check_numbers(name, rows)
    if any(is_number):
        raise _two_kinds(name, rows, is_number, "numbers or lists with one number per rater")
    return [_rating_list(f"{name}[{row}]", scores) for row, scores in enumerate(rows)]


def _rows(name: str, column: Any) -> list[Any]:
    return [_plain(row) for row in list_of_rows(name, _plain(column))]


def _plain(value: Any) -> Any:
    """Returns a tensor, as torch and jax have them, as a list or a number; anything else as it is."""
    is_tensor = hasattr(value, "tolist") and hasattr(value, "__array__")
    is_other = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "to_list")  # as pandas has
    return value.tolist() if is_tensor and not is_other else value


def _rating_list(entry_name: str, scores: Any) -> list[float]:
    _check_list(entry_name, scores, "a list with one number per rater")
    return [_rating(f"{entry_name}[{index}]", score) for index, score in enumerate(scores)]


def _rating(entry_name: str, value: Any) -> float:
    """Returns a finite number as a float, and nan for None and nan."""
    value = _plain(value)
    if value is None:
        return math.nan
    if isinstance(value, (float, np.floating)) and math.isnan(value):
        return math.nan
    return as_number(entry_name, value, is_finite=True)


def _two_kinds(name: str, rows: list[Any], is_first: list[bool], wanted: str) -> ValueError:
    row = is_first.index(not is_first[0])
    message = f"{name}[{row}] is {described(rows[row])}, but {name}[0] is {described(rows[0])}"
    return InputError(f"{message}; pass {wanted}, not both")


def _number_lists(name: str, rows: list[Any], wanted: str) -> list[list[float]]:
    for row, values in enumerate(rows):
        _check_list(f"{name}[{row}]", values, wanted)
    return [_number_list(f"{name}[{row}]", values) for row, values in enumerate(rows)]


def _check_list(entry_name: str, values: Any, wanted: str) -> None:
    if not _is_list(values):
        raise InputError(f"{entry_name} is {described(values)}; pass {wanted}")


def _is_list(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, (list, tuple)) or hasattr(value, "to_list")


def _number_list(entry_name: str, values: Sequence[Any]) -> list[float]:
    values = values.tolist() if isinstance(values, np.ndarray) else list(values)
    if set(map(type, values)) <= {float} and not any(map(math.isnan, values)):
        return values
    return [as_number(f"{entry_name}[{index}]", value) for index, value in enumerate(values)]


def as_number(entry_name: str, value: Any, is_finite: bool = False) -> float:
    """Returns a real number as a float; raises ValueError for text, True, False, nan."""
    value = _plain(value)
    is_other = isinstance(value, (bool, np.complexfloating))
    is_number = isinstance(value, (numbers.Real, np.number)) and not is_other
    try:
        number = float(value) if is_number else math.nan
    except OverflowError:  # an integer of more than 308 digits
        number = math.nan
    if math.isnan(number) or (is_finite and math.isinf(number)):
        raise InputError(f"{entry_name} is {described(value)}; pass a {'finite ' if is_finite else ''}number")
    return number


def _unchanged(column: list[Any], **_: Any) -> list[Any]:
    return column


def _ones(column: list[Any]) -> np.ndarray:
    return np.ones(len(column), dtype=np.intp)


_NUMBER = "float64"

NUMBERS = Column((_NUMBER,), check_numbers, _unchanged, _ones)
OPTIONAL_NUMBERS = NUMBERS._replace(is_optional=True, missing=math.nan)
NUMBER_LISTS = Column(([_NUMBER],), check_number_lists, _unchanged, lengths_of)
TEXTS_OR_NUMBER_LISTS = Column((TEXT, [_NUMBER]), check_texts_or_number_lists, _unchanged, lengths_of)
RATINGS = Column((_NUMBER, [_NUMBER]), check_ratings, _unchanged, _ones)
LABELS = Column((TEXT,), check_labels, _unchanged, _ones, is_optional=True)
