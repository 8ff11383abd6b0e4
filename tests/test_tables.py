"""What each metric's tables say is so; a new metric is picked up by itself, and fails without its tables.

- Worked examples, each with its source: `data/<name>_cases.jsonl`, and `EXAMPLES` in `test_<name>.py`.
- `EDGES` there: empty texts, one token, what is undefined. A row of it, as of `EXAMPLES`, holds the columns in the
  order of the metric's COLUMNS, then options, then the result, or the headline alone.
- `BAD_CALLS` there: columns and options that make a good call a bad one, and what the error says. What an option
  refuses on its own needs no row if `test_options.py` knows it from the option's kind.
"""

import copy
import importlib
import re
from fractions import Fraction

import cases
import numpy as np
import pytest
from conftest import METRICS, load

from textgauge.core.errors import InputError

UNCHECKED = {"device"}  # any text is one
OF_OWN_KIND = ("call", "list", "table", "counts", "readings", "model", "text")
WORKED_EXAMPLES = [(name, case) for name in METRICS for case in cases.worked_examples(name)]


def table_of(name, table):
    """Returns a table of a metric's file of tests, [] if there is none."""
    return getattr(importlib.import_module(f"test_{name}"), table, [])


def rows_of(*tables):
    """Returns all rows of these tables, each with its metric's name in front."""
    return [
        pytest.param(name, row, id=f"{name}-{table.lower()}-{index}")
        for name in METRICS
        for table in tables
        for index, row in enumerate(table_of(name, table))
    ]


def good_call(name):
    """Returns columns of two segments, without those that may be left out."""
    if name in cases.TEXT_METRICS:
        return cases.with_further_columns(name, ["a b", "a b"], [["a b"], ["a b"]])
    kinds = load(name).COLUMNS
    return {key: column[:2] for key, column in cases.CASES[name][0].items() if not kinds[key].is_optional}


def value_of(number):
    """Returns the numbers of a worked example, which may be written as "4/7" or "inf"."""
    if isinstance(number, list):
        return [value_of(entry) for entry in number]
    return float(Fraction(number)) if "/" in str(number) else float(number)


def test_a_metric_has_its_tables(name):
    examples = [*cases.worked_examples(name), *table_of(name, "EXAMPLES")]
    assert examples, f"{name} has no worked example: make EXAMPLES in test_{name}.py, or tests/data/{name}_cases.jsonl"
    assert table_of(name, "EDGES"), f"test_{name}.py has no EDGES"
    changed = {key for other in METRICS for arguments, _ in table_of(other, "BAD_CALLS") for key in arguments}
    of_own_kind = {key for key, said in load(name).OPTIONS.items() if said.kind in OF_OWN_KIND}
    missing = of_own_kind - changed - UNCHECKED
    assert not {key for key in missing if not load(name).OPTIONS[key].choices}, f"no BAD_CALLS has {missing}"


@pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order")
@pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")
@pytest.mark.parametrize(
    ("name", "case"), WORKED_EXAMPLES, ids=[f"{name}-{case['id']}" for name, case in WORKED_EXAMPLES]
)
def test_worked_example(name, case):
    """`agrees` tells whether the document states our result; `note` says where ours is from, or how it differs."""
    if "lines" in case:
        assert case["document"] and re.fullmatch(r"\d+(-\d+)?(, \d+(-\d+)?)*", case["lines"])
    columns = {column: case[column] for column in load(name).COLUMNS if column in case}
    result = load(name).compute(**columns, **case["options"])
    for key, value in case["expected"].items():
        tolerance = case.get("tolerance", 1e-9)
        np.testing.assert_allclose(result[key], value_of(value), rtol=0, atol=tolerance, err_msg=case["note"])
    if "sums" in case:  # of matches and of n-grams, order by order
        row = load(name).statistics(**columns, **case["options"]).sum(0)
        wanted = [*case["sums"]["numerators"], *case["sums"]["denominators"]]
        np.testing.assert_allclose(row[-len(wanted) :], wanted, atol=1e-9)
    stated = case["stated"] if isinstance(case.get("stated"), dict) else {}
    compared = [key for key in stated if key in result]
    if compared:
        # documents round to four digits
        agrees = [np.allclose(result[key], value_of(stated[key]), rtol=0, atol=5e-5) for key in compared]
        assert all(agrees) == case["agrees"]


@pytest.mark.parametrize(("name", "row"), rows_of("EXAMPLES", "EDGES"))
def test_row(name, row):
    *columns, options, expected = copy.deepcopy(row)
    result = load(name).compute(**dict(zip(load(name).COLUMNS, columns, strict=False)), **options)
    for key, value in (expected if isinstance(expected, dict) else {name: expected}).items():
        if isinstance(value, (int, float, list)):  # and not a value that says how near the result must be
            value = pytest.approx(value, rel=1e-12, abs=1e-15, nan_ok=True)
        assert result[key] == value, key


@pytest.mark.parametrize(("name", "row"), rows_of("BAD_CALLS"))
def test_bad_call(name, row):
    """Refused at each door."""
    changes, message = row
    metric, arguments = load(name), {**good_call(name), **changes}
    columns = {key: arguments.pop(key) for key in metric.COLUMNS if key in arguments}

    def in_batches():
        batches = type(metric)(keep_in_memory=True)  # a file would stay locked
        batches.add_batch(**columns)
        batches.compute(**arguments)

    calls = [in_batches, lambda: metric.compute(**columns, **arguments)]
    if name in cases.ADDITIVE:
        calls.append(lambda: metric.statistics(**columns, **arguments))
    for call in calls:
        with pytest.raises(InputError) as error:
            call()
        assert message in str(error.value)


def test_the_good_call_is_good(name):
    assert load(name).compute(**good_call(name))
