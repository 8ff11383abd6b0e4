"""What a notebook shows of explanations and comparisons, and the example notebook."""

import copy
import html
import json
import pickle
import re
import sys

import cases
import pytest
from conftest import METRICS
from conftest import ROOT
from conftest import load

from comparing.engine import Settings
from comparing.engine import compare
from reading.corpus import read_sample
from scoring.specs import load_scorers

NOTEBOOK = ROOT / "scripts/examples/metrics.ipynb"


def segment_of(name):
    singular = {"predictions": "prediction", "references": "reference"}
    return {singular.get(column, column): rows[0] for column, rows in cases.CASES[name][0].items()}


def page_in(shown):
    return html.unescape(re.fullmatch('<iframe srcdoc="([^"]*)" onload="[^"]*" style="[^"]*"></iframe>', shown)[1])


@pytest.mark.parametrize("name", [name for name in METRICS if name != "human_correlation"])
def test_an_explanation_is_a_dict_that_draws_itself(name):
    explanation = load(name).explain(**segment_of(name))
    plain = dict(explanation)
    assert json.loads(json.dumps(explanation)) == json.loads(json.dumps(plain))
    assert copy.deepcopy(explanation) == plain == pickle.loads(pickle.dumps(explanation))
    page = page_in(explanation._repr_html_())
    assert page.startswith("<!DOCTYPE html>") and 'class="drawing' in page


def test_a_drawing_shows_the_texts():
    columns = {"prediction": "고양이가 <b>", "reference": ["고양이는 <b>", "개"]}
    page = page_in(load("bleu").explain(**columns, tokenizer="char")._repr_html_())
    assert "고양이" in page and "&lt;b&gt;" in page and "<b>" not in page


def test_a_metric_by_itself_shows_the_dict(monkeypatch):
    """Without the folder scripts there are no drawings."""
    explanation = load("bleu").explain(prediction="a", reference="a")
    monkeypatch.setitem(sys.modules, "reporting.notebook", None)
    assert explanation._repr_html_() is None


def test_a_comparison_draws_itself():
    settings = Settings(None, 0.95, 100, 100, 1)
    outcome = compare(read_sample(), load_scorers(["bleu:tokenizer=char"], 0.95), settings)
    page = page_in(outcome._repr_html_())
    assert "GoogleTranslate" in page and "KakaoI" in page
