"""The docstrings of functions: their examples run, what the metrics are made of has one, and arrays have a shape."""

import ast
import doctest
import importlib
import re

import pytest
from conftest import METRICS, ROOT
from test_layout import MODULES, room_of, tree_of

PATHS = {
    **{module: path for module, path in MODULES.items() if room_of(module)},
    **{f"textgauge.metrics.{name}": ROOT / "metrics" / f"{name}.py" for name in METRICS},
    "textgauge": MODULES["textgauge"],
}
# room functions without an example, whose arguments would take more lines than it should have
WITHOUT = {
    # a language model, which the base install lacks
    *("load_language_model", "log_probabilities", "tokens"),
    # the rule of an error rate, and what it chose: those of cer, wer, cpcer and cpwer show what comes of it
    *("align_nearest", "choose_words", "columns_of", "explain_session"),
    *("compared_texts", "explanation_of", "nearest_pairs", "session_rows"),
    "detail_columns",
    # the components of two texts
    "match_in_order",
}
# such as (n_rows, 3), (..., n_orders) or (n_rows,)
SHAPE = re.compile(r"\((\.\.\.|[\w+ ]+,|(\.\.\.|\w+), [^()]+)\)")


def public_functions(module):
    """Yields the functions of a module that others may call."""
    functions = (node for node in tree_of(PATHS[module]).body if isinstance(node, ast.FunctionDef))
    return (function for function in functions if not function.name.startswith("_"))


def of_metrics():
    """Returns the public functions of the metrics, and what these import from rooms, as pairs of module and name."""
    metrics = [module for module in PATHS if module.startswith("textgauge.metrics.")]
    imports = [node for module in metrics for node in tree_of(PATHS[module]).body if isinstance(node, ast.ImportFrom)]
    own = {(module, node.name) for module in metrics for node in public_functions(module)}
    return own | {(node.module, alias.name) for node in imports for alias in node.names}


@pytest.mark.parametrize("module", [module for module, path in PATHS.items() if ">>> " in path.read_text("utf-8")])
def test_examples_run(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_what_the_metrics_are_made_of_has_an_example():
    """Except where nothing is returned, or an option, of which each table OPTIONS is an example."""
    wanted, bare = of_metrics(), set()
    for module in PATHS:
        for node in public_functions(module):
            returned = node.returns and ast.unparse(node.returns)
            if (module, node.name) in wanted and returned not in ("None", "Option"):
                bare |= set() if ">>> " in ast.get_docstring(node) else {node.name}
    assert bare == WITHOUT


def test_arrays_have_a_shape():
    """A public function that takes or returns one says it, before the example."""
    silent = []
    for module in PATHS:
        for node in public_functions(module):
            takes_arrays = "np.ndarray" in f"{ast.unparse(node.args)} {node.returns and ast.unparse(node.returns)}"
            prose = re.sub(r">>> .*?(\n\n|\Z)", "", ast.get_docstring(node), flags=re.S)
            if takes_arrays and not SHAPE.search(prose):
                silent.append(f"{module}.{node.name}")
    assert not silent


def test_what_is_said_to_be_in_a_file_is_there():
    """Such as a plain version: `slow_kinds` of tests/test_error_kinds.py."""
    missing = []
    for module, path in PATHS.items():
        text = " ".join(path.read_text(encoding="utf-8").split())
        for name, file in re.findall(r"`(\w+)` of `?((?:\w+/)*\w+\.py)", text):
            places = (place for room in ("textgauge", "tests") for place in (ROOT / room).rglob(file))
            texts = (place.read_text("utf-8") for place in [ROOT / file, *places] if place.is_file())
            if not any(re.search(rf"\b{name}\b", of_file) for of_file in texts):
                missing.append(f"{module}: {name} of {file}")
    assert not missing
