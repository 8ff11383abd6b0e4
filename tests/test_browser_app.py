"""The app that computes in the visitor's browser, without one: what it needs of Python there, its page, its files."""

import functools
import itertools
import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import nltk
from cases import CASES
from cases import TEXT_METRICS
from cases import with_further_columns
from conftest import METRICS
from conftest import ROOT
from conftest import load

SPACES = ROOT / "spaces"
SIZE = 60  # segments, of texts long enough for every way of counting


def examples(name):
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
    calls += [[name, example["columns"], example.get("options", {})] for example in examples(name)]
    if name == "weighted_bleu":
        texts, weights = large_columns()
        calls.append([name, texts, {"weights": weights, "tokenizer": "whitespace", "max_order": 2}])
    return [*calls, [name, random_columns(name), {}]] if name in TEXT_METRICS else calls


@functools.cache
def answers():
    """Returns what the small Python answers to all calls, and what it must not have loaded."""
    packages = str(Path(nltk.__file__).parents[1])
    calls = [call for name in METRICS for call in calls_of(name)]
    env = {**os.environ, "RAPIDFUZZ_IMPLEMENTATION": "python"}
    command = [sys.executable, str(ROOT / "tests" / "browser_python.py"), packages]
    run = subprocess.run(command, input=json.dumps(calls), capture_output=True, text=True, env=env, cwd=ROOT / "tests")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    return dict(zip(map(json.dumps, calls), found["results"], strict=True)), found["forbidden"]


def is_close(found, wanted):
    """Returns whether two results are the same, numbers within 1e-12."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_close(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(is_close, found, wanted))
    if isinstance(wanted, float):
        return found == wanted or math.isclose(found, wanted, rel_tol=1e-12) or math.isnan(found) and math.isnan(wanted)
    return found == wanted


def test_metrics_need_no_more_than_the_browser_has(name):
    """Every example, every option and long texts: without evaluate, datasets and C code, with indices of 32 bits."""
    results, forbidden = answers()
    assert not forbidden
    for call in calls_of(name):
        found, signature = results[json.dumps(call)]
        _, columns, options = call
        assert not isinstance(found, str), (options, found)
        assert is_close(found, load(name).compute(**columns, **options)), options
        assert signature == load(name).signature(**options)
