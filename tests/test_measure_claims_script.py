"""lab/measure_claims.py: the committed findings are measured again, and verdicts follow from intervals."""

import json
import re

import numpy as np
import pytest
from conftest import ROOT, load

from lab import measure_claims
from lab.claims.data_sets import FILES, read_data_set
from lab.claims.measuring import NOT_MEASURED, Correlations, Finding, apart, verdict
from lab.claims.statements import CLAIMS

README = ROOT / "lab" / "README.md"
COMMITTED = json.loads(measure_claims.RESULTS.read_text(encoding="utf-8"))
FINDINGS = [Finding(**finding) for finding in COMMITTED["claims"]]


@pytest.mark.slow
def test_the_committed_findings_are_those_of_today(monkeypatch, tmp_path):
    """Else run python -m lab.measure_claims; rounding may differ between machines."""
    monkeypatch.setattr(measure_claims, "RESULTS", tmp_path / "claims.json")
    measure_claims.main()
    now = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
    assert now["settings"] == COMMITTED["settings"]
    for ours, theirs in zip(now["claims"], COMMITTED["claims"], strict=True):
        assert ours.keys() == theirs.keys()
        for key, value in theirs.items():
            assert ours[key] == (value if isinstance(value, str) else pytest.approx(value, abs=1e-6)), (ours, key)


def test_verdicts():
    sure = {(0.1, 0.2): "supported", (-0.2, -0.1): "contradicted"}
    unsure = dict.fromkeys([(-0.1, 0.2), (0.0, 0.2), (1e-16, 0.2), ()], "not shown")
    for interval, wanted in {**sure, **unsure}.items():
        assert verdict(interval) == wanted
    for finding in FINDINGS:
        wanted = verdict(finding.interval, finding.margin) if finding.values else NOT_MEASURED
        assert finding.verdict == wanted


def test_as_well_as_has_a_margin():
    assert verdict([-0.09, 0.2], 0.1) == "supported"
    assert verdict([-0.3, -0.05], 0.1) == "not shown"
    assert verdict([-0.3, -0.11], 0.1) == "contradicted"
    assert {claim.place for claim in CLAIMS if claim.margin} == {"000, line 28", "004, line 23"}


def test_what_the_readme_says_of_the_rows():
    """Differences in units and among metrics, and which rows carry the sentences."""
    text = " ".join(README.read_text(encoding="utf-8").split())

    def values(first, second, data):
        [found] = [f for f in FINDINGS if (f.first, f.second, f.data) == (first, second, data)]
        return found.values

    def unit(data):
        words, characters = values("BLEU, words", "BLEU, characters", data)
        return f"{characters - words:.3f}"

    def apart(data):
        meteor, bleu = values("METEOR", "BLEU", data)
        scores = (meteor, bleu, values("METEOR", "NIST", data)[1])
        return f"{max(scores) - min(scores):.3f}"

    pairs, news = "Korean sentence pairs", "Spanish-Korean news"
    assert f"words are {unit(pairs)} below characters, and the three metrics {apart(pairs)} apart" in text
    assert f"both are small, {unit(news)} and {apart(news)}." in text
    assert f"in English dialogue they are {unit('English dialogue')} below" in text
    falls = {f.first: f.verdict for f in FINDINGS if f.place == "004, line 86" and not f.second}
    assert falls == {"B@4 / B@1, words": "not shown", "B@4 / B@1, characters": "supported"}
    assert {f.verdict for f in FINDINGS if f.place == "004, line 86" and f.second} == {"not shown"}


def test_what_the_readme_says_of_the_raters():
    found = []
    for data, human in (
        ("korean translation", ("adequacy", "fluency")),
        ("dialogue", ("relevance", "informativeness")),
    ):
        columns = read_data_set(data).columns
        for name in human:
            ratings = columns[name]
            found.append(load("human_correlation").compute(predictions=range(len(ratings)), references=ratings))
    alphas = [f"{result['alpha']:.3f}" for result in found]
    ceilings = [f"{result['noise_ceiling']:.3f}" for result in found]
    text = " ".join(README.read_text(encoding="utf-8").split())
    [said] = re.findall(r"their alpha is (.*?) But the rows", text)
    assert re.findall(r"0\.\d+", said) == [*alphas, *ceilings]


def test_a_claim_without_data_has_a_verdict():
    lacking = {claim.says for claim in CLAIMS if claim.lacking}
    assert lacking and {finding.says for finding in FINDINGS if finding.verdict == NOT_MEASURED} == lacking


def test_every_claim_has_its_findings():
    for claim in CLAIMS:
        found = [finding for finding in FINDINGS if (finding.place, finding.says) == (claim.place, claim.says)]
        assert len(found) == len(claim.comparisons) + bool(claim.lacking) > 0


def test_a_finding_by_hand():
    """METEOR and BLEU on the ratings of Korean translation, as a user would call them."""
    lines = (ROOT / "scripts/data/es_ko_ratings.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    texts = {"predictions": [row["prediction"] for row in rows], "references": [row["reference"] for row in rows]}
    scores = {
        name: load(name).compute(**texts, tokenizer="char", per_segment=True, **options)["segments"]
        for name, options in (("meteor", {}), ("bleu", {"smooth": "exp"}))
    }
    people = [np.mean(row["adequacy"]) for row in rows]
    [finding] = [f for f in FINDINGS if (f.first, f.second, f.human) == ("METEOR", "BLEU", "adequacy")]
    assert finding.values == pytest.approx([np.corrcoef(scores[name], people)[0, 1] for name in ("meteor", "bleu")])
    assert finding.rows == len(rows)
    low, high = finding.interval
    assert low < finding.values[0] - finding.values[1] < high


@pytest.mark.parametrize("name", FILES)
def test_data_are_whole_and_attributed(name):
    """One value per output in every column; the README says whose the file is."""
    data = read_data_set(name)
    assert {len(column) for column in data.columns.values()} == {len(data.items)}
    assert f"`{FILES[name][0]}.jsonl`" in (ROOT / "scripts/data/README.md").read_text(encoding="utf-8")


def test_intervals_of_correlations_of_other_data():
    """By hand: .5 in [.3, .6] and .2 in [0, .4] are .3 apart, from .3 - hypot(.2, .2) to .3 + hypot(.1, .2)."""
    found = apart(Correlations(9, [0.5], [0.3, 0.6]), Correlations(5, [0.2], [0.0, 0.4]))
    assert (found.rows, found.values) == (14, [0.5, 0.2])
    np.testing.assert_allclose(found.ends, [0.3 - 0.08**0.5, 0.3 + 0.05**0.5])


def test_kiwi_gives_these_log_likelihoods():
    """Of any version: the model of another one gives somewhat other numbers."""
    kiwi = pytest.importorskip("kiwipiepy", reason="pip install -r requirements-korean.txt").Kiwi()
    data = read_data_set("korean translation")
    found = [score / len(tokens) for [(tokens, score)] in (kiwi.analyze(text) for text in data.columns["prediction"])]
    assert np.corrcoef(found, data.columns["kiwi"])[0, 1] > 0.98
