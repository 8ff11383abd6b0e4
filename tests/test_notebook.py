"""What a notebook shows of explanations and comparisons, and the example notebook."""

import copy
import html
import json
import pickle
import re

import cases
import pytest
from conftest import METRICS, ROOT, load

from textgauge.core import notebook
from textgauge.programs.comparing.engine import compare
from textgauge.programs.comparing.records import Settings
from textgauge.programs.reading.corpora import read_sample
from textgauge.programs.scoring.specs import load_scorers

NOTEBOOK = ROOT / "scripts/examples/metrics.ipynb"


def segment_of(name):
    singular = {"predictions": "prediction", "references": "reference"}
    return {singular.get(column, column): rows[0] for column, rows in cases.CASES[name][0].items()}


def page_in(shown):
    return html.unescape(re.fullmatch('<iframe srcdoc="([^"]*)" onload="[^"]*" style="[^"]*"></iframe>', shown)[1])


@pytest.mark.parametrize("name", [name for name in METRICS if name != "human_correlation"])
def test_an_explanation_is_a_dict_that_draws_itself(name):
    options = load(name).compile_options([cases.CASES[name][0].get("references", [])])
    explanation = load(name).explain(**segment_of(name), **options)
    plain = dict(explanation)
    assert json.loads(json.dumps(explanation)) == json.loads(json.dumps(plain))
    assert copy.deepcopy(explanation) == plain == pickle.loads(pickle.dumps(explanation))
    page = page_in(explanation._repr_html_())
    assert page.startswith("<!DOCTYPE html>") and 'class="drawing' in page


def test_a_drawing_takes_a_reference_as_a_text():
    explanation = load("delta_bleu").explain(prediction="고양이가", reference="고양이는", reference_weights=[1.0])
    assert "고양이는" in page_in(explanation._repr_html_())


def test_a_drawing_shows_the_texts():
    columns = {"prediction": "고양이가 <b>", "reference": ["고양이는 <b>", "개"]}
    page = page_in(load("bleu").explain(**columns, tokenizer="char")._repr_html_())
    shown = html.unescape(re.sub("<[^>]*>", "", page.partition("</style>")[2]))
    assert "고양이가 <b>" in shown and "고양이는 <b>" in shown and "개" in shown


def test_a_metric_by_itself_shows_the_dict(monkeypatch):
    """Without the programs there are no drawings."""
    explanation = load("bleu").explain(prediction="a", reference="a")
    monkeypatch.setattr(notebook, "draw", None)
    assert explanation._repr_html_() is None


def test_a_comparison_draws_itself():
    settings = Settings(None, 0.95, 100, 100, 1)
    outcome = compare(read_sample(), load_scorers(["bleu:tokenizer=char"], 0.95), settings)
    page = page_in(outcome._repr_html_())
    assert "GoogleTranslate" in page and "KakaoI" in page


def test_example(monkeypatch):
    """The cells run from the top, in the notebook's folder, as Jupyter starts them; the last two draw something."""
    nbformat = pytest.importorskip("nbformat", reason="pip install -r requirements-clients.txt")
    nbclient = pytest.importorskip("nbclient", reason="pip install -r requirements-clients.txt")
    pytest.importorskip("ipykernel", reason="pip install -r requirements-clients.txt")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    score, *drawn = [
        output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output
    ]
    assert eval(score["text/plain"]) == load("cer").compute(
        predictions=["고양이가 방에 있다"], references=["고양이는 방에 있다"]
    )
    assert len(drawn) == 2 and all(page_in(output["text/html"]) for output in drawn)
