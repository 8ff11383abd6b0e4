"""lab/check_verdicts.py: it finds no defect, and it finds those that are made."""

import re

import pytest
from typer.testing import CliRunner

from lab import check_verdicts
from lab.verdicts import kinds
from lab.verdicts.comparisons import MadeComparison
from lab.verdicts.facts import plain_holm

COUNT = ["--made", "40", "--real", "10", "--seed", "2"]


@pytest.fixture(scope="module", autouse=True)
def comparisons_made_once():
    """Each test checks the same comparisons; to make and to compute them takes most of the time."""
    made = list(check_verdicts.comparisons(40, 10, 2))
    compute = MadeComparison.computed
    results = {}

    def computed_once(comparison, scorer):
        key = id(comparison), scorer.label  # a comparison has no hash; `made` keeps all, so that no id comes twice
        if key not in results:
            results[key] = compute(comparison, scorer)
        return results[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_verdicts, "comparisons", lambda *_: made)
        patch.setattr(MadeComparison, "computed", computed_once)
        yield


def checked():
    return CliRunner().invoke(check_verdicts.app, COUNT)


def test_sentences_are_right():
    found = checked()
    assert found.exit_code == 0, found.stdout
    assert found.stdout.startswith("40 made and 10 real comparisons; sentences: ")
    assert all(f"{kind} " in found.stdout for kind in ("forgiven", "loops", "people rate", "groups", "needed"))
    assert "; 0 defects" in found.stdout


@pytest.mark.parametrize("name", ["once_forgiven", "loops"])
def test_wrong_sentences_on_kinds_are_found(name, monkeypatch):
    """A rate, and a share, that is another one."""
    right = getattr(kinds, name)
    monkeypatch.setattr(kinds, name, lambda outcome: [said.replace("% of its", "1% of its") for said in right(outcome)])
    found = checked()
    assert found.exit_code == 1 and "; 0 defects" not in found.stdout


def test_a_missing_sentence_is_found(monkeypatch):
    monkeypatch.setattr(kinds, "once_forgiven", lambda outcome: [])
    assert "is not said" in checked().stdout


WRONG = {
    "the other system": (r"^([ab]) is (better|significantly better) than ([ab]) on", r"\3 is \2 than \1 on"),
    "a p-value": (r"\(p (.) 0\.\d{4}, Holm-corrected, α", r"(p \1 0.0007, Holm-corrected, α"),
    "significant": ("better than ([ab]) on (.*), but not significantly", r"significantly better than \1 on \2"),
    "a difference": (r"minus ([ab]): (\w.*?) ([+−])\d", r"minus \1: \2 \g<3>7"),
    "fewer systems": (r"but not significantly better than [ab] and ", "but not significantly better than "),
    "a count": (r"better in \d+", "better in 99"),
    "the best of a group": (r"in (\w+) [ab] is best on", r"in \1 c is best on"),
    "how many in groups": (r"\d+ of (\d+) differences", r"7 of \1 differences"),
    "what people rate": (r"People rate [ab] best", "People rate d best"),
    "which way people rate": ("; lower is better", ""),
    "how many are needed": (r"About [\d,]+ segments", "About 1 segments"),
    "what can never be": (r"at least \d+ segments are needed", "at least 40 segments are needed"),
    "unknown words": ("Segment by segment", "One by one"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_sentences_are_found(case, monkeypatch):
    right = check_verdicts.verdict

    def wrong(outcome):
        said = right(outcome)
        headline = re.sub(*WRONG[case], said.headline)
        return said._replace(headline=headline, details=changed(said.details), open_cases=changed(said.open_cases))

    def changed(lines):
        return [re.sub(*WRONG[case], line) for line in lines]

    monkeypatch.setattr(check_verdicts, "verdict", wrong)
    found = checked()
    assert found.exit_code == 1, case
    assert "is not true" in found.stdout or "is not understood" in found.stdout


def test_holm_step_by_step():
    """By hand: 4 x .01, 3 x .02, then nothing below what came before."""
    assert plain_holm([0.04, 0.01, 0.02, 0.9]) == pytest.approx([0.08, 0.04, 0.06, 0.9])
