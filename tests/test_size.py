"""The project does not grow: no whole is larger than the table says, which `python -m lab.size` writes."""

import json

import pytest

from lab import size

TABLE = json.loads(size.TABLE.read_text(encoding="utf-8"))
# by how much a part may outgrow the table, for what is known to be needed there; the whole may not
GROWTH = {
    "statements of code": {"textgauge/korean": 250, "textgauge/meteor": 200, "textgauge/ngrams": 200},
    "lines of code": {"textgauge/korean": 250, "textgauge/meteor": 200, "textgauge/ngrams": 200},
    "words of Markdown": {"spaces": 2000},
}


@pytest.fixture(scope="module")
def sizes():
    return size.measured_sizes()


@pytest.mark.parametrize("measure", TABLE)
def test_the_whole_does_not_grow(sizes, measure):
    assert sum(sizes[measure].values()) <= sum(TABLE[measure].values())


@pytest.mark.parametrize("measure", TABLE)
def test_no_part_grows_beyond_what_it_may(sizes, measure):
    allowed = GROWTH.get(measure, {})
    most = {part: TABLE[measure].get(part, 0) + allowed.get(part, 0) for part in sizes[measure]}
    assert {part: now for part, now in sizes[measure].items() if now > most[part]} == {}
