"""Skeleton metric: TODO worked examples, and a comparison with an independent implementation on random texts."""

import math

import pytest
from conftest import load
from hypothesis import given
from hypothesis import strategies as st

# predictions, references, options, score; test_tables.py says more of these three tables
EXAMPLES = [(["가 나"], [["가 나 다", "가"]], {}, 1.0)]  # TODO where the number is from
EDGES = [([""], ["가"], {}, 0.0), (["가"], [""], {}, math.nan), ([""], [""], {}, math.nan)]
BAD_CALLS = []  # TODO what `check` refuses


@given(st.lists(st.tuples(st.text("가나 ab"), st.text("가나 ab", min_size=1)), min_size=1))
def test_like_a_slow_version(pairs):
    """Random texts, with a computation that shares no code with ours."""
    predictions, references = map(list, zip(*pairs, strict=True))
    result = load("skeleton_metric").compute(predictions=predictions, references=references)
    expected = len("".join(predictions)) / len("".join(references))
    assert result["skeleton_metric"] == pytest.approx(expected, rel=1e-12)


def test_explanation():
    """Lengths in the unit that was asked for."""
    explained = load("skeleton_metric").explain(prediction="가 나", reference=["다", "라 마"], unit="word")
    assert explained == {"length": 2, "reference_lengths": [1, 2]}
