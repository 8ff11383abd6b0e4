"""The page of formats: it is current, names every ending that is read, and each example is a file that is read."""

import pytest
from conftest import ROOT, write

from textgauge.programs.reading.formats import FORMATS, formats_page

BOTH = ["네 좋아요", "비가 온다"]
# of the other examples, which have one text
TEXTS = {"Words with times": "네", "Manifests of NeMo and Azure": "네 좋아", "Captions of COCO": "고양이가 잔다"}
# what is matched by id has references with ids
REFERENCES = {
    "Kaldi's transcripts": ("r.trn", "네 좋아요 (spk1-001)"),
    "Words with times": ("r.stm", "m1 1 A 0.0 1.5 네"),
}
COLUMNS = {"Logs of Inspect": "output.completion"}


def test_the_page_is_current():
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert page == formats_page(), "run python -m lab.update_cards"


@pytest.mark.parametrize("own", [own for own in FORMATS if own.example], ids=lambda own: own.title)
def test_each_example_is_read(own, scores):
    """Its texts are the predictions, in the order of the references."""
    scores("--no-confidence")
    wanted = BOTH if BOTH[1] in own.example else [TEXTS.get(own.title, BOTH[0])]
    reference = write(*REFERENCES.get(own.title, ("r", "\n".join(wanted))))
    column = ("--prediction-column", COLUMNS[own.title]) if own.title in COLUMNS else ()
    for ending in own.endings or ("",):
        path = write(f"{own.name}{ending}", own.example)
        content = scores("-p", f"p={path}", "-r", reference, *column, "-m", "cer", "--no-confidence")
        assert content["systems"]["p"]["cer"]["cer"] == 0
