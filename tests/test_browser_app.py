"""The app that computes in the visitor's browser, without one: what it needs of Python there, its page, its files."""

import importlib.metadata
import itertools
import json
import math
import os
import random
import re
import subprocess
import sys

import pytest
from cases import CASES, TEXT_METRICS, with_further_columns
from conftest import METRICS, ROOT, examples, load
from random_input import random_input

from textgauge.core.errors import InputError
from textgauge.programs.page.session import Session
from textgauge.programs.publishing.browser_files import packages_text
from textgauge.programs.publishing.joining import joined_files
from textgauge.programs.publishing.needed_files import browser_files
from textgauge.programs.saying.option_values import per_segment
from textgauge.programs.saying.texts import TEXTS
from textgauge.programs.saying.values import dump_json

SPACES = ROOT / "spaces"
SIZE = 60  # segments, of texts long enough for every way of counting


def examples_of(name):
    return json.loads((SPACES / name / "examples.json").read_text(encoding="utf-8"))


def random_columns(name):
    """Returns texts of up to 90 words with one reference or several."""
    draw = random.Random(7)
    words = [chr(0xAC00 + 7 * number) + chr(0xAC00 + number) for number in range(300)]
    words += ["the", "고양이", "3.5%", "a-b"]
    sizes = (draw.randint(0, 90 if row % 9 == 0 else 12) for row in range(SIZE))
    predictions = [" ".join(draw.choices(words, k=size)) for size in sizes]
    references = [[f"{text} {draw.choice(words)}", *predictions[: row % 3]] for row, text in enumerate(predictions)]
    return with_further_columns(name, predictions, references)


def large_columns():
    """Returns a text of many words, and phrases of its words: phrases times words are more than 32 bits hold."""
    words = [chr(0xAC00 + number % 10_000) * (1 + number // 10_000) for number in range(60_000)]
    weights = {f"{first} {second}": 1.5 for first, second in itertools.pairwise(words[10_000:])}
    return {"predictions": [" ".join(words)], "references": [" ".join(words[1:])]}, weights


def calls_of(name):
    """Returns what a metric is asked: all options worth trying that can be written down, its examples, more texts."""
    columns, options, _ = CASES[name]
    calls = [[name, columns, {"confidence": 0.9, "resamples": 20, **given}] for given in options]
    calls += [[name, example["columns"], example.get("options", {})] for example in examples_of(name)]
    if name == "weighted_bleu":
        texts, weights = large_columns()
        calls.append([name, texts, {"weights": weights, "tokenizer": "whitespace", "max_order": 2}])
    calls += [[name, *random_input(load(name), seed)] for seed in range(examples(0.5).max_examples)]
    clusters = {"confidence": 0.9, "resamples": 20, "clusters": [row // 3 for row in range(SIZE)]}
    return [*calls, [name, random_columns(name), clusters]] if name in TEXT_METRICS else calls


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Returns what the small Python, with the modules and packages of the published page, answers to all calls."""
    folder = tmp_path_factory.mktemp("page")
    texts = {f"packages/{path}": text for path, text in json.loads(packages_text(["rapidfuzz", "nltk"])).items()}
    texts.update({place: path.read_text(encoding="utf-8") for place, path in browser_files().items()})
    for name in METRICS:
        texts.update({f"pages/{name}/{file}": text for file, text in joined_files(ROOT, name).items()})
    for place, text in texts.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    # a page has the stemmers alone; without this, that of this machine would be found behind them
    texts["packages/nltk/__init__.py"] = ""
    calls = [call for name in METRICS for call in calls_of(name)]
    env = {**os.environ, "RAPIDFUZZ_IMPLEMENTATION": "python"}
    command = [sys.executable, str(ROOT / "tests" / "browser_python.py"), str(folder)]
    run = subprocess.run(command, input=json.dumps(calls), capture_output=True, text=True, env=env, cwd=ROOT / "tests")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert not found["foreign"]
    return dict(zip(map(json.dumps, calls), found["results"], strict=True))


def is_close(found, wanted):
    """Returns whether two results are the same, numbers within 1e-12."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_close(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(is_close, found, wanted))
    if isinstance(wanted, float):
        return found == wanted or math.isclose(found, wanted, rel_tol=1e-12) or math.isnan(found) and math.isnan(wanted)
    return found == wanted


@pytest.mark.filterwarnings("ignore:CIDEr is 0 for a corpus of one segment")
def test_metrics_need_no_more_than_the_browser_has(name, answers):
    """Every example, every option and long texts: without evaluate, datasets and C code, with indices of 32 bits."""
    for call in calls_of(name):
        found, signature = answers[json.dumps(call)]
        _, columns, options = call
        try:
            wanted = load(name).compute(**columns, **options)
        except InputError as error:  # random options that do not fit one another
            assert found == f"InputError: {error}"
            continue
        assert not isinstance(found, str), (columns, options, found)
        assert is_close(found, wanted), (columns, options)
        assert signature == load(name).signature(**options)


@pytest.fixture
def session(metric):
    return Session(metric)


def test_examples_are_there_before_python_is(name, session):
    """With the scores of `compute`, the files to save, and every segment explained."""
    for example in examples_of(name):
        shown = session.example(example)
        options = {"confidence": 0.95, **example.get("options", {}), **per_segment(load(name))}
        wanted = load(name).compute(**example["columns"], **options)
        scored = shown["scored"]
        assert is_close(json.loads(scored["json"]), {**json.loads(dump_json(wanted)), "signature": scored["signature"]})
        assert scored["count"] == len(scored["segments"]) == len(shown["explanations"])
        assert scored["csv"].count("\n") > scored["count"] or not scored["count"]
        assert all('class="drawing' in html["ko"] or 'class="links' in html["en"] for html in shown["explanations"])
        assert len(shown["rows"][0]) == len(shown["headings"]) and len(shown["values"]) == len(
            session.form([])["controls"]
        )


def ask(session, **question):
    return json.loads(session.answer(json.dumps(question)))


def test_answers_to_the_page(name, session):
    """A question is answered as the example was; what is wrong is said with its row."""
    shown = session.example(examples_of(name)[0])
    scored = ask(session, do="score", rows=shown["rows"], values=shown["values"])
    assert scored == shown["scored"]
    if scored["count"]:
        question = {"do": "explain", "number": 1, "rows": shown["rows"], "values": shown["values"]}
        assert ask(session, **question)["html"] == shown["explanations"][0]
    assert "nothing to score" in ask(session, do="score", rows=[], values=shown["values"])["error"]


def test_files_that_are_dropped_on_the_page():
    session = Session(load("bleu"))
    rows = [["가", "나"], ["다", "라"]]
    dropped = {"do": "upload", "column": "reference", "rows": rows}
    lines = ask(session, **dropped, name="a.txt", content="첫째\n둘째\n".encode().decode("latin-1"))
    assert lines == {"headings": ["prediction", "reference"], "rows": [["가", "첫째"], ["다", "둘째"]]}
    table = ask(session, **dropped, name="a.csv", content="prediction,reference,reference 2\na,b,c\n")
    assert table == {"headings": ["prediction", "reference", "reference 2"], "rows": [["a", "b", "c"]]}
    assert ask(session, **dropped, name="b.csv", content="x\n1\n")["error"].startswith(
        "b.csv has no column 'predictions'"
    )
    assert ask(session, **dropped, name="c.txt", content="a\n\xff\n")["error"].startswith(
        "c.txt, line 2: byte 0xff is not"
    )
    assert ask(session, do="widen", rows=rows)["rows"] == [["가", "나", ""], ["다", "라", ""]]
    values = session.example(examples_of("bleu")[0])["values"]
    assert (
        "predictions[1] (row 2)" in ask(session, do="score", rows=[["a", "b"], ["\ud800", "c"]], values=values)["error"]
    )


PROGRAMS = ROOT / "textgauge" / "programs"
TEMPLATE = (PROGRAMS / "reporting" / "templates" / "static.html").read_text(encoding="utf-8")
SCRIPT = (PROGRAMS / "page" / "page.js").read_text(encoding="utf-8")


def test_labels_and_headings_are_in_the_table_of_texts():
    headings = {heading for name in METRICS for heading in Session(load(name)).form([])["headings"]}
    said = {*re.findall(r'data-text="(\w+)"', TEMPLATE), *re.findall(r'\btext\("(\w+)"\)', SCRIPT)}
    assert not {key for key in said | {f"column_{heading}" for heading in headings} if f"app_{key}" not in TEXTS}


def test_what_the_script_looks_for_is_on_the_page():
    places = set(re.findall(r' id="(\w+)"', TEMPLATE))
    assert set(re.findall(r"\bpage\.(\w+)", SCRIPT)) <= places | {"scores"}


def test_packages_come_with_their_licence_and_version():
    for name in ("nltk", "rapidfuzz"):
        paths = json.loads(packages_text([name, "numpy"])).keys()
        folders = {path.split("/")[0] for path in paths}
        assert folders == {name, f"{name}-{importlib.metadata.version(name)}.dist-info"}
        assert any("LICEN" in path for path in paths) and any(path.endswith("METADATA") for path in paths)
    assert json.loads(packages_text(["numpy"])) == {}
