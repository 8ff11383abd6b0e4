"""lab/check_verdicts.py: it finds no defect, and it finds those that are made."""

import pytest
from typer.testing import CliRunner

from lab import check_verdicts


def checked(*arguments):
    return CliRunner().invoke(check_verdicts.app, list(arguments))


def test_sentences_are_right():
    found = checked("--count", "40", "--seed", "2")
    assert found.exit_code == 0 and found.stdout.startswith("40 comparisons; sentences: "), found.stdout
    assert "forgiven" in found.stdout and "loops" in found.stdout and "; 0 defects" in found.stdout


@pytest.mark.parametrize("name", ["once_forgiven", "loops"])
def test_wrong_sentences_are_found(name, monkeypatch):
    """A rate, and a share, that is another one."""
    right = getattr(check_verdicts, name)
    monkeypatch.setattr(
        check_verdicts, name, lambda outcome: [said.replace("% of its", "1% of its") for said in right(outcome)]
    )
    found = checked("--count", "40", "--seed", "2")
    assert found.exit_code == 1 and "; 0 defects" not in found.stdout


def test_a_missing_sentence_is_found(monkeypatch):
    monkeypatch.setattr(check_verdicts, "once_forgiven", lambda outcome: [])
    assert "is not said" in checked("--count", "40", "--seed", "2").stdout
