"""Tables of how Korean is read have each row once, and their rows go together."""

import ast
import collections

import pytest
from conftest import ROOT

from textgauge.korean import spoken, spoken_counters, spoken_units

TABLES = [spoken, spoken_counters, spoken_units]
LISTS = [
    *(spoken_counters.NATIVE_COUNTERS, spoken_counters.SINO_COUNTERS, spoken_counters.CASE_PARTICLES),
    *(spoken.PARTICLES, spoken.FIRST_PARTICLES + spoken_counters.CASE_PARTICLES),
]


def twice(entries):
    return [entry for entry, times in collections.Counter(entries).items() if times > 1]


def typed_texts(module, function):
    """Returns the texts that a module calls a function with."""
    source = (ROOT / module.__name__.replace(".", "/")).with_suffix(".py").read_text("utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == function]
    return [call.args[0].value for call in named if isinstance(call.args[0], ast.Constant)]


@pytest.mark.parametrize("module", TABLES)
def test_no_row_is_typed_twice(module):
    for text in typed_texts(module, "words"):
        assert twice(text.split()) == []
    rows = [list(map(str.split, text.strip().splitlines())) for text in typed_texts(module, "table_rows")]
    for table in rows:
        assert twice(name for name, *_ in table) == []
        assert [row for row in table if twice(row[1:])] == []


def test_the_texts_are_found():
    assert [len(typed_texts(module, "words")) > 0 for module in TABLES[:2]] == [True, True]
    assert all(typed_texts(module, "table_rows") for module in TABLES)


@pytest.mark.parametrize("entries", LISTS)
def test_a_list_of_several_has_each_entry_once(entries):
    assert twice(entries) == []


def test_particles_that_follow_one_another_are_particles():
    assert {*spoken.FIRST_PARTICLES, *spoken.CLEAR_PARTICLES} <= {*spoken.PARTICLES}


def test_counters_of_other_tables_are_counters():
    counters = {*spoken_counters.NATIVE_COUNTERS, *spoken_counters.SINO_COUNTERS}
    counters.update(reading for readings in spoken_units.UNITS.values() for reading in readings)
    assert {*spoken_counters.NATIVE_COUNTERS} >= spoken_counters.SINO_FIRST
    for suffix, behind in spoken_counters.AFTER_COUNTERS.items():
        assert {*behind} <= {*counters, "-"}, suffix
    for table in (spoken_counters.AFTER_THIS, spoken_counters.FEW_COUNTED, spoken_counters.MEASURES):
        assert {*table} <= counters
    assert counters >= spoken_counters.DIGIT_COUNTERS
