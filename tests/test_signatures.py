"""Signatures of all metrics: they are read back, and have what changes a score."""

import cases
import pytest
from conftest import load
from laws import SIGNED_OPTIONS, assert_same, columns_of

from textgauge.core.errors import InputError
from textgauge.programs.scoring.outputs import program, with_program

# some of these tests score a single segment
pytestmark = pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")


@pytest.mark.parametrize(("name", "options"), SIGNED_OPTIONS)
def test_signature_round_trip(name, options):
    metric, columns = load(name), columns_of(name)
    references = columns.get("references")
    signature = metric.signature(references=references, **options)
    assert signature.startswith(f"{name}|nrefs:1-3|" if name in cases.TEXT_METRICS else f"{name}|")
    parsed = metric.options_of(signature)
    assert_same(metric.compute(**columns, **parsed), metric.compute(**columns, **options))
    assert metric.signature(references=references, **parsed) == signature


def test_a_signature_has_what_changes_a_score_alone(metric, name):
    """How the bootstrap draws is said where it draws."""
    keys = {option: f"|{said.key}:" for option, said in metric.OPTIONS.items() if said.needs == "confidence"}
    assert {"confidence", "resamples"} <= {*keys}
    changed = {"resamples": 7, **({"seed": 7} if "seed" in keys else {})}
    assert metric.signature(**changed) == metric.signature()
    for option, key in keys.items():
        given = {"clusters": ["a"]} if option == "clusters" else {}
        assert key not in metric.signature(**given) and key in metric.signature(confidence=0.9, **given)


def test_signatures_differ_where_scores_differ():
    """Two settings of the same metric never share a signature."""
    for name, (_, in_signature, others) in cases.CASES.items():
        signatures = [load(name).signature(**options) for options in [*in_signature, *others]]
        assert len(set(signatures)) == len(signatures)


def test_a_signature_needs_no_more_than_a_score(name, only_required):
    """Whatever scores without the optional packages has a signature without them."""
    metric, columns = load(name), columns_of(name)
    choices = [{option: choice} for option, said in metric.OPTIONS.items() for choice in said.choices]
    scored = 0
    for options in [*cases.CASES[name][1], *cases.CASES[name][2], *choices]:
        try:
            metric.compute(**columns, **options)
        except (ImportError, ValueError):
            continue
        scored += 1
        assert metric.signature(**options)
    assert scored


def test_signature_that_cannot_be_met(metric, name):
    line = metric.signature()
    assert ("|nrefs:var|" in line) == (name in cases.TEXT_METRICS)
    with pytest.raises(ValueError, match="not a signature of"):
        metric.options_of(line.replace(name, "other"))
    with pytest.raises(ValueError, match="not a signature of"):
        metric.options_of(line.replace("|v1", "|v0"))
    for broken in (name, "", line.replace("|v1", "|foo:1|v1"), line.replace(":", "", 2)):
        with pytest.raises(ValueError, match="not a signature of"):
            metric.options_of(broken)
    if "tokenizer" in metric.OPTIONS:
        with pytest.raises(ValueError, match="cannot be reproduced here"):
            metric.options_of(line.replace("|case", "[0.1]|case"))
        own = metric.signature(tokenizer=str.split)
        assert "tok:custom(" in own
        with pytest.raises(ValueError, match="pass that option yourself"):
            metric.options_of(own)


def test_a_signature_states_an_option_once(metric):
    name, *fields, version = metric.signature().split("|")
    for field in [field for field in fields if not field.startswith("nrefs:")]:
        key = field.partition(":")[0]
        for twice in ([*fields, field], [*fields, f"{key}:none"], [f"{key}:none", *fields]):
            with pytest.raises(InputError, match="is not a signature of"):
                metric.options_of("|".join([name, *twice, version]))


def test_signature_counts_references(text_metric):
    assert "|nrefs:1|" in text_metric.signature(references=["abc", ["a"]])
    assert "|nrefs:1-3|" in text_metric.signature(references=["abc", ["a", "b", "c"]])
    assert "|nrefs:2-10|" in text_metric.signature(references=[["a"] * 10, ["b"] * 3, ["c"] * 2])
    assert "|nrefs:10|" in text_metric.signature(references=[["a"] * 10])
    assert "|nrefs:var|" in text_metric.signature(references=[])
    with pytest.raises(ValueError, match="references\\[0\\] is None"):
        text_metric.signature(references=[None])


def test_a_printed_line_is_read_back():
    """It ends with what computed the score, which is no part of the signature."""
    line = load("cer").signature(spaces="keep")
    printed = with_program(line, program())
    assert load("cer").options_of(printed) == load("cer").options_of(line)
    with pytest.raises(InputError, match="is not a signature"):
        load("cer").options_of(printed.replace("textgauge", "sacrebleu"))
