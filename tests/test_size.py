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


def test_every_measure_has_its_row(sizes):
    assert sizes.keys() == TABLE.keys()


def test_a_larger_whole_is_refused(tmp_path, monkeypatch, capsys):
    small = {measure: dict.fromkeys(parts, 0) for measure, parts in TABLE.items()}
    table = tmp_path / "size.json"
    table.write_text(json.dumps({**TABLE, "options": small["options"]}), encoding="utf-8")
    monkeypatch.setattr(size, "TABLE", table)
    written = table.read_text(encoding="utf-8")
    with pytest.raises(SystemExit) as stopped:
        size.app([])
    assert stopped.value.code == 2
    assert "options may not grow" in capsys.readouterr().err
    assert table.read_text(encoding="utf-8") == written
