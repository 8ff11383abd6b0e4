"""What is computed block by block is the same in blocks of any size: patched small, each corpus has a second one."""

import ast
import importlib

import cases
import numpy as np
import pytest
from conftest import ROOT, load
from test_option_effects import rounded

from textgauge.core.errors import InputError
from textgauge.programs.comparing import draws

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens"),
    pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order"),
]

# of each module the constants that say how much is in a block, and sizes with which the cases have several
SIZES = {
    "core.bootstrap": {"_BLOCK_RESAMPLES": 3, "_BLOCK_DRAWS": 20},
    "core.columns": {"_BLOCK": 2},
    "core.threads": {"CHUNK_ROWS": 2, "CHUNK_CHARACTERS": 40},
    "edits.network_rows": {"_BLOCK": 2},
    "error_rates.kinds.loops": {"_BLOCK": 20},
    "ngrams.corpus": {"BLOCK": 3},
    "ngrams.skip_bigrams": {"BLOCK_CELLS": 8},
    "ngrams.summaries": {"_BLOCK_CELLS": 4},
    "tokens.cleaning": {"_BLOCK": 2},
    "programs.comparing.draws": {"_BLOCK": 32, "_BLOCK_DRAWS": 1},
    "spark": {"_BLOCK": 2},  # test_spark.py adds up rows of several blocks
}
OF_METRICS = {module: sizes for module, sizes in SIZES.items() if not module.startswith(("programs.", "spark"))}
WITH = {"detailed": True, "per_segment": True, "alignments": "kaldi", "confidence": 0.9, "resamples": 20}


def test_every_size_of_a_block_is_here():
    """To add one, say with which size the corpora of `cases.py` have several blocks."""
    found = {}
    for path in (ROOT / "textgauge").rglob("*.py"):
        names = set()
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(statement, ast.Assign):
                names |= {part.id for target in statement.targets for part in ast.walk(target) if is_size(part)}
        if names:
            found[".".join(path.relative_to(ROOT / "textgauge").with_suffix("").parts)] = names
    assert found == {module: set(sizes) for module, sizes in SIZES.items()}


def is_size(node):
    return isinstance(node, ast.Name) and node.id.isupper() and ("BLOCK" in node.id or "CHUNK" in node.id)


@pytest.fixture
def small_blocks(monkeypatch):
    """Returns a function that makes the blocks of these modules small."""

    def patch(sizes):
        for module, names in sizes.items():
            for name, size in names.items():
                monkeypatch.setattr(importlib.import_module(f"textgauge.{module}"), name, size)

    return patch


def test_metrics_in_small_blocks(name, small_blocks):
    metric, (columns, *sets) = load(name), cases.CASES[name]
    taken = {option: value for option, value in WITH.items() if option in metric.OPTIONS}
    calls = [{**taken, **options} for of_kind in sets for options in of_kind]
    calls = [options for options in calls if not options.get("sclite")]  # refuses alignments, and is `wer` else
    expected = [repr(rounded(metric.compute(**columns, **options))) for options in calls]
    small_blocks(OF_METRICS)
    assert [repr(rounded(metric.compute(**columns, **options))) for options in calls] == expected


def test_what_is_wrong_in_a_second_block_is_named(small_blocks):
    small_blocks(OF_METRICS)
    texts = ["a"] * 6
    with pytest.raises(InputError, match=r"^predictions\[3\] holds a lone surrogate"):
        load("cer").compute(predictions=[*texts[:3], "\ud800", *texts[4:]], references=texts)
    with pytest.raises(InputError, match=r"^references\[4\] holds a lone surrogate"):
        load("bleu").compute(predictions=texts, references=[*([["a", "b"]] * 4), ["a", "\ud800"], ["a", "b"]])


def test_draws_in_small_blocks(small_blocks):
    rows = np.random.default_rng(1).random((20, 3))
    expected = [np.concatenate(sides) for sides in zip(*draws.swap(rows, 100, 3), strict=True)]
    small_blocks({"programs.comparing.draws": SIZES["programs.comparing.draws"]})
    blocks = list(draws.swap(rows, 100, 3))
    assert len(blocks) == 4
    for found, wanted in zip(zip(*blocks, strict=True), expected, strict=True):
        np.testing.assert_allclose(np.concatenate(found), wanted)
