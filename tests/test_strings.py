"""core/strings.py: numbers and strings are the same with pyarrow and without it."""

from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textgauge.core import strings

TEXTS = st.lists(st.text("가나 a😀", max_size=4))


def both(function):
    """Returns what a function returns with pyarrow, and without it."""
    with_arrow = function()
    with mock.patch.object(strings, "_arrow_for", lambda size: None):
        return with_arrow, function()


def as_plain(found):
    """Returns numbers and strings as lists."""
    if isinstance(found, tuple):
        return list(map(as_plain, found))
    return found.tolist() if isinstance(found, np.ndarray) else strings.as_list(found)


def number_slices(texts):
    """Returns what is found in the texts with a blank of two bytes between them."""
    raw, bounds = "\u00a0".join(texts).encode(), []
    start = 0
    for text in texts:
        bounds += [start, start + len(text.encode())]
        start = bounds[-1] + 2
    return strings.number_slices(raw, np.array(bounds, dtype=np.intp))


@given(TEXTS)
def test_slices(texts):
    by_arrow, by_dict = both(lambda: number_slices(texts))
    assert isinstance(by_arrow[1], pa.LargeStringArray) and isinstance(by_dict[1], list)
    assert by_arrow[0].dtype == by_dict[0].dtype == np.int64
    numbers, distinct = as_plain(by_dict)
    assert as_plain(by_arrow) == [numbers, distinct]
    assert [distinct[number] for number in numbers] == texts and len(set(distinct)) == len(distinct)


@given(st.lists(TEXTS, min_size=1), st.data())
def test_parts(lists, data):
    """Of each kind, and of both."""
    parts = [strings.number_strings(texts) for texts in lists]
    mixed = [
        (numbers, data.draw(st.sampled_from([distinct, strings.compact(distinct)]))) for numbers, distinct in parts
    ]
    wanted = [text for texts in lists for text in texts]
    for chosen in (parts, mixed, [(numbers, strings.compact(distinct)) for numbers, distinct in parts]):
        numbers, distinct = as_plain(strings.number_parts(chosen))
        assert [distinct[number] for number in numbers] == wanted and len(set(distinct)) == len(distinct)


@given(TEXTS)
def test_words(texts):
    by_arrow, by_dict = map(as_plain, both(lambda: strings.number_words(texts, " ")))
    assert by_arrow == by_dict
    lengths, numbers, distinct = by_dict
    assert lengths == [len(text.split(" ")) for text in texts]
    assert [distinct[number] for number in numbers] == [word for text in texts for word in text.split(" ")]


@given(TEXTS, TEXTS)
def test_places(texts, others):
    distinct = list(dict.fromkeys(others))
    wanted = [distinct.index(text) if text in distinct else -1 for text in texts]
    for of_texts in (texts, strings.compact(texts)):
        for of_others in (distinct, strings.compact(distinct)):
            found = strings.places_among(of_texts, of_others)
            assert found.tolist() == wanted and found.dtype == np.int64


@given(TEXTS, st.data())
def test_picked(texts, data):
    places = data.draw(st.lists(st.integers(0, len(texts) - 1))) if texts else []
    for held in (texts, strings.compact(texts)):
        assert strings.pick_strings(held, np.array(places, dtype=np.int32)) == [texts[place] for place in places]


@pytest.mark.parametrize(("size", "is_array"), [(strings.MANY - 1, False), (strings.MANY, True)])
def test_many_strings_are_an_array(monkeypatch, size, is_array):
    """Where nobody has imported pyarrow."""
    monkeypatch.delitem(strings.sys.modules, "pyarrow")
    monkeypatch.setattr(strings, "_imported_arrow", lambda: pa)
    assert isinstance(strings.compact(["a"] * size), pa.LargeStringArray) == is_array


def test_letters_of_a_later_unicode():
    """U+1C89 is new in Unicode 16; without pyarrow only Python's own version counts."""
    assert strings.is_alphanumeric("ㄱ") and not strings.is_alphanumeric("!")
    with mock.patch.dict(strings.sys.modules, {"pyarrow": None, "pyarrow.compute": None}):
        assert not strings.is_alphanumeric("ㄱ")
