"""The page of formats: it is current, names every ending that is read, and each example is a file that is read."""

import pytest
from conftest import ROOT, write

from textgauge.programs.reading.formats import FORMATS, endings, formats_page

SESSIONS = {".ctm": "m1 1 A 0.0 1.5 네"}  # what a file of words needs as the reference


def test_the_page_is_current():
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert page == formats_page(), "run python -m lab.update_cards"


def test_every_ending_has_a_format():
    assert {ending for own in FORMATS for ending in own.endings} == endings()


@pytest.mark.parametrize("own", [own for own in FORMATS if own.example], ids=lambda own: own.title)
def test_each_example_is_read(own, scores):
    """As predictions and as references, which are then equal."""
    scores("--no-confidence")
    for ending in own.endings or ("",):
        path = write(f"{own.name}{ending}", own.example)
        reference = write("r.stm", SESSIONS[ending]) if ending in SESSIONS else path
        column = ("--prediction-column", "text") if "pred_text" in own.example else ()
        found = scores("-p", f"p={path}", "-r", reference, *column, "-m", "cer", "--no-confidence")
        assert found["systems"]["p"]["cer"]["cer"] == 0
