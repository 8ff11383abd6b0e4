"""Columns: checks that the common tests, which go through metrics with texts, do not reach."""

import re

import numpy as np
import pandas as pd
import pytest

from metrics import _columns as columns


@pytest.mark.parametrize(
    ("kind", "column", "message"),
    [
        (columns.NUMBERS, [1, None], "x[1] is None; pass a finite number"),
        (columns.NUMBERS, [1, True], "x[1] is of type bool, True; pass a finite number"),
        (columns.NUMBERS, [1, "2"], "x[1] is a string, '2'; pass a finite number"),
        (columns.NUMBERS, [1, float("nan")], "x[1] is nan; pass a finite number"),
        (columns.NUMBERS, np.array([1, np.inf]), "x[1] is inf; pass a finite number"),
        (columns.NUMBERS, [10**400], "x[0] is of type int, 1000"),
        (columns.NUMBERS, [1j], "x[0] is of type complex, 1j; pass a finite number"),
        (columns.NUMBERS, 3.5, "x is of type float, 3.5; pass a list with one entry per segment"),
        (columns.NUMBER_LISTS, [[1.0], 2.0], "x[1] is of type float, 2.0; pass a list of numbers"),
        (columns.NUMBER_LISTS, [[1.0], "ab"], "x[1] is a string, 'ab'; pass a list of numbers"),
        (columns.NUMBER_LISTS, np.ones((1, 2, 3)), "x[0] is of type ndarray"),
        (columns.NUMBER_LISTS, [[1.0], [2, None]], "x[1][1] is None; pass a number"),
        (columns.NUMBER_LISTS, [[1.0], np.array([2, np.nan])], "x[1][1] is nan; pass a number"),
        (columns.NUMBER_LISTS, [[1.0], [False]], "x[1][0] is of type bool, False; pass a number"),
        (columns.LABELS, ["a", None], "x[1] is None; pass a string or an integer"),
        (columns.LABELS, ["a", True], "x[1] is of type bool, True; pass a string or an integer"),
        (columns.LABELS, ["a", "\ud800"], "x[1] holds a lone surrogate"),
    ],
)
def test_bad_values(kind, column, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        kind.check("x", column)


def test_good_values():
    for column in ([1, 2.5], (np.float32(1), np.int64(2), 2.5)[1:], pd.Series([1, 2.5]), np.array([1, 2.5])):
        checked = columns.NUMBERS.check("x", column)
        assert checked[-1] == 2.5
        assert set(map(type, checked)) == {float}
    for column in ([[1, 2.5], []], [(1, 2.5), np.array([])], pd.Series([[1.0, 2.5], []])):
        checked = columns.NUMBER_LISTS.check("x", column)
        assert checked == [[1.0, 2.5], []]
        assert set(map(type, checked[0])) == {float}
    assert columns.NUMBER_LISTS.check("x", [[-np.inf, np.inf]]) == [[-np.inf, np.inf]]
    assert columns.NUMBER_LISTS.check("x", np.ones((1, 2))) == [[1.0, 1.0]]
    assert columns.LABELS.check("x", ["a", 3, np.int64(4)]) == ["a", "3", "4"]


def test_sizes():
    assert columns.TEXTS.sizes(["ab", ""]).tolist() == [2, 0]
    assert columns.REFERENCES.sizes([["ab", "c"], [""], ["defg"]]).tolist() == [3, 0, 4]
    assert columns.NUMBERS.sizes([1.0, 2.0]).tolist() == [1, 1]
    assert columns.NUMBER_LISTS.sizes([[1.0, 2.0], []]).tolist() == [2, 0]
    for kind in (columns.TEXTS, columns.REFERENCES, columns.NUMBERS, columns.NUMBER_LISTS, columns.LABELS):
        assert kind.sizes([]).shape == (0,)
