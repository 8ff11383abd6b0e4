"""README and cards: their form, every code block run, every number in a card printed by one of its own blocks."""

import doctest
import re

import pytest
import yaml
from conftest import METRICS
from conftest import ROOT

SECTIONS = ["Definition", "How to use", "Inputs", "Options", "Outputs", "Parity", "Limits and bias", "Citation"]
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


def card(name):
    text = (ROOT / "spaces" / name / "README.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    return yaml.safe_load(front), body


def code_blocks(body):
    return re.findall(r"```python\n(.*?)```", body, flags=re.S)


def test_front_matter(name):
    front, body = card(name)
    assert {"title", "emoji", "sdk", "sdk_version", "app_file", "license", "tags", "description"} <= front.keys()
    assert {front["colorFrom"], front["colorTo"]} <= COLOURS
    assert front["tags"] == ["evaluate", "metric"]
    assert len(front["short_description"]) <= 60
    assert f"# {front['title']}\n" in body


def test_sections(name):
    _, body = card(name)
    found = re.findall(r"^## (.*)$", body, flags=re.M)
    assert [section for section in found if section in SECTIONS] == SECTIONS


def run_blocks(path):
    """Runs all code blocks of a document as one session, and compares what they print."""
    blocks = "\n".join(code_blocks(path.read_text(encoding="utf-8")))
    test = doctest.DocTestParser().get_doctest(blocks, {}, path.name, None, 0)
    assert len(test.examples) >= 5
    report = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


@pytest.mark.parametrize("path", ["README.md", *(f"spaces/{name}/README.md" for name in METRICS)])
def test_code_runs(path, monkeypatch):
    monkeypatch.chdir(ROOT)
    run_blocks(ROOT / path)


def test_every_number_is_printed_by_a_block(name):
    """A decimal in the prose or a table stands in an output that the test above compares."""
    _, body = card(name)
    outputs = " ".join(
        example.want for block in code_blocks(body) for example in doctest.DocTestParser().get_examples(block)
    )
    printed = {float(number) for number in re.findall(r"\d+\.\d+", outputs)}
    prose = re.sub(r"```.*?```|\(http[^)]*\)|`[^`]*`", "", body, flags=re.S)
    prose = re.sub(r"(sacreBLEU|nltk|sections?|to) \d+\.\d+", "", prose)  # versions and sections of papers
    for number in re.findall(r"\d+\.\d+", prose):
        assert float(number) in printed, f"{number} stands in the card of {name}, and no code block prints it"


def test_options_are_all_documented(name, metric):
    """Each option of `_compute` stands in the card's table, or in that of the card that it refers to."""
    _, body = card(name)
    if "| all others |" in body:
        referred = re.search(r"\| all others \|.*\.\./(\w+)/README\.md", body).group(1)
        body += card(referred)[1]
    rows = " ".join(re.findall(r"^\| (`.*?) \|", body, flags=re.M))
    for option in metric._options({}):
        assert f"`{option}`" in rows, option
