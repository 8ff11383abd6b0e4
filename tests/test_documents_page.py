"""The page of the five documents: what it must have of each claim, example, formula and reference."""

import re

from conftest import METRICS, ROOT

import textgauge
from lab.agreeing.documents import claims, findings, worked_examples
from lab.agreeing.documents_page import anchor, headings, references
from lab.agreeing.runnable import runnable

PAGE = (ROOT / "docs" / "documents.md").read_text(encoding="utf-8")
REFERENCES = references()


def section(heading):
    """Returns what the page has below the heading of a claim."""
    assert PAGE.count(f"\n### {heading}\n") == 1
    return PAGE.partition(f"\n### {heading}\n")[2].partition("\n##")[0]


def test_every_claim_is_there_in_two_languages():
    assert len({anchor(heading) for heading in headings()}) == len(headings()) == len(claims())
    for claim, heading in zip(claims(), headings(), strict=True):
        text = section(heading)
        for words in (claim["korean"], claim["says"], claim["korean_note"], claim["note"]):
            assert words in text, heading
        assert bool(claim["note"]) == bool(claim["korean_note"]), heading
        assert not claim["note"] or re.search("[가-힣]{2}|`", claim["korean_note"]), heading


def test_every_result_that_a_document_states_can_be_run():
    """CER < WER has two of its counterexamples; the others are in tests/data."""
    for name, (metric, case) in worked_examples().items():
        if case.get("document") and case["agrees"] and not name.endswith("-whitespace"):
            blocks = [runnable(metric, case, claim["show"]) for claim in claims() if name in claim["cases"]]
            assert any(block in PAGE for block in blocks), name


def test_a_formula_names_an_option_and_a_line_that_are_there():
    formulas = [claim["formula"] for claim in claims() if "formula" in claim]
    assert {formula["metric"] for formula in formulas} >= {
        "bleu",
        "rouge",
        "meteor",
        "perplexity",
        "cer",
        "wer",
        "ibleu",
    }
    for formula in formulas:
        text = (ROOT / formula["file"]).read_text(encoding="utf-8")
        assert len(re.findall(rf"^ *{re.escape(formula['code'])}", text, flags=re.M)) == 1, formula["code"]
        assert set(formula["options"]) <= {*textgauge.load(formula["metric"]).OPTIONS, "weights"}


def test_each_reference_leads_to_a_metric_or_a_claim():
    assert [reference["number"] for reference in REFERENCES] == list(range(1, 13))
    for reference in REFERENCES:
        assert reference["metrics"] or reference["claims"]
        assert set(reference["metrics"]) <= set(METRICS) and set(reference["claims"]) <= set(headings())
        assert bool(reference["note"]) == bool(reference["korean"])


def test_findings_have_their_size_and_interval():
    for finding in findings():
        rows = [line for line in PAGE.splitlines() if finding["verdict"] in line and finding["data"] in line]
        assert rows, finding["data"]
        if finding["interval"]:
            ends = "({:+.4f} to {:+.4f})".format(*finding["interval"])
            assert any(f" n={finding['rows']}: " in row and ends in row for row in rows), finding["place"]
