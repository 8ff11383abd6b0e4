"""A metric of `textgauge.load` and the one that evaluate makes of the same script: in any order, and in any process."""

import copy
import inspect
import os
import pickle
import subprocess
import sys

import evaluate
import pytest
from cases import CASES, headlines
from conftest import ROOT

import textgauge
from textgauge.core import base_metric
from textgauge.core.evaluate_side import EvaluateSide
from textgauge.core.text_metric import TextMetric

TEXTS = {
    "predictions": ["고양이가 방에서 잔다", "개가 짖는다"],
    "references": [["고양이가 집에서 잔다"], ["개가 짖는다"]],
}
# what all code below begins with; its files are of a folder of its own
START = f"""
import sys
TEXTS, SCRIPT = {TEXTS!r}, {str(ROOT / "metrics" / "cer.py")!r}
"""
# what must hold in a process of its own, which begins with no import of ours
ORDERS = {
    "textgauge first": """
import textgauge
plain = textgauge.load("cer")
assert not {"evaluate", "datasets", "pandas", "pyarrow"} & sys.modules.keys()
import evaluate
loaded = evaluate.load(SCRIPT)
assert isinstance(loaded, evaluate.Metric) and not isinstance(plain, evaluate.Metric)
assert plain.compute(**TEXTS) == loaded.compute(**TEXTS)
""",
    "evaluate first": """
import evaluate
loaded = evaluate.load(SCRIPT)
import textgauge
plain = textgauge.load("cer")
assert isinstance(loaded, evaluate.Metric) and not isinstance(plain, evaluate.Metric)
assert plain.compute(**TEXTS) == loaded.compute(**TEXTS)
""",
    "a forked process": """
import multiprocessing, textgauge
plain = textgauge.load("cer")
with multiprocessing.get_context("fork").Pool(1) as pool:
    assert pool.apply(plain.compute, kwds=TEXTS) == plain.compute(**TEXTS)
assert "evaluate" not in sys.modules
""",
    "a forked process of evaluate's": """
import evaluate, multiprocessing
loaded = evaluate.load(SCRIPT)
with multiprocessing.get_context("fork").Pool(1) as pool:
    assert pool.apply(loaded.compute, kwds=TEXTS) == loaded.compute(**TEXTS)
""",
    "a process that is started anew": """
if __name__ == "__main__":
    import multiprocessing, textgauge
    plain = textgauge.load("cer")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(plain.compute, kwds=TEXTS) == plain.compute(**TEXTS)
        assert not pool.apply(eval, ["'evaluate' in __import__('sys').modules"])
""",
    "a process that is started anew by evaluate's": """
if __name__ == "__main__":
    import evaluate, multiprocessing
    loaded = evaluate.load(SCRIPT)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(loaded.compute, kwds=TEXTS) == loaded.compute(**TEXTS)
""",
}
# makes a metric, and what another process does with it
SENT = {
    "textgauge": """
import textgauge
metric = textgauge.load("cer", unit="jamo")
""",
    "evaluate": """
import evaluate
metric = evaluate.load(SCRIPT, unit="jamo")
""",
}
SEND = "metric.add_batch(**TEXTS)\nimport pickle\nsys.stdout.buffer.write(pickle.dumps(metric))"
RECEIVE = """
import pickle
metric = pickle.load(sys.stdin.buffer)
assert len(metric) == 2
print(metric.compute())
import evaluate
print(isinstance(metric, evaluate.Metric))
"""


def run(code, folder, given=b""):
    """Returns what code prints in a process of its own."""
    path = folder / "check.py"
    path.write_text(START + code, encoding="utf-8")
    modules = str(folder / "modules")  # where evaluate keeps scripts, and finds them again
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, modules]), "HF_MODULES_CACHE": modules}
    command = [sys.executable, "-W", "ignore", str(path)]
    done = subprocess.run(command, input=given, capture_output=True, cwd=folder, env=env)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("order", ORDERS)
def test_orders(order, tmp_path):
    run(ORDERS[order], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("sender", SENT)
@pytest.mark.parametrize("first", ["", "import evaluate\n", "import textgauge\n"])
def test_sent_to_another_process(sender, first, tmp_path):
    """With the rows that were added; what was imported there before does not matter."""
    printed = run(first + RECEIVE, tmp_path, run(SENT[sender] + SEND, tmp_path))
    wanted = textgauge.load("cer", unit="jamo").compute(**TEXTS)
    assert printed.decode().splitlines() == [str(wanted), str(sender == "evaluate")]


def test_evaluate_names_its_modules_as_we_know_it():
    """`MetricType` goes by this name: without it a metric that evaluate loads would be none of its own."""
    assert f"{evaluate.config.MODULE_NAME_FOR_DYNAMIC_MODULES}." == base_metric.LOADER


def test_both_kinds(name):
    plain, loaded = textgauge.load(name), evaluate.load(str(ROOT / "metrics" / f"{name}.py"))
    assert isinstance(loaded, evaluate.Metric) and not isinstance(plain, evaluate.Metric)
    columns, options, _ = CASES[name]
    assert (plain.name, plain.description, plain.citation) == (loaded.name, loaded.description, loaded.citation)
    for method in ("compute", "add", "add_batch"):
        helps = [inspect.getdoc(getattr(metric, method)) for metric in (plain, loaded)]
        assert all(plain.inputs_description in text and text.startswith(("Scores", "Adds")) for text in helps)
    for given in options:
        assert plain.signature(**given) == loaded.signature(**given)
        assert repr(plain.compute(**columns, **given)) == repr(loaded.compute(**columns, **given))
    assert headlines(name)


def test_rows_are_added_to_a_plain_one(name):
    """Like evaluate's: over several calls, kept where one fails, gone after `compute`, and in copies."""
    metric, (columns, _, _) = textgauge.load(name), CASES[name]
    wanted = metric.compute(**columns)
    first = {key: column[:1] for key, column in columns.items()}
    rest = {key: column[1:] for key, column in columns.items()}
    with pytest.raises(ValueError, match="nothing to score: pass predictions"):
        metric.compute()
    metric.add_batch(**{key: [] for key in columns})
    metric.add_batch(**first)
    with pytest.raises(TypeError, match="no_option"):
        metric.compute(no_option=1)
    copied = copy.deepcopy(metric)
    metric.add_batch(**rest)
    sent = pickle.loads(pickle.dumps(metric))
    assert (len(copied), len(metric), len(sent)) == (1, len(columns["predictions"]), len(columns["predictions"]))
    assert repr(metric.compute()) == repr(sent.compute()) == repr(copied.compute(**rest)) == repr(wanted)
    assert len(metric) == len(sent) == len(copied) == 0


def test_rows_of_another_kind():
    """A language model's texts after log-probabilities; both kinds of a metric say it."""
    path = str(ROOT / "metrics" / "perplexity.py")
    for metric in (textgauge.load("perplexity"), evaluate.load(path)):
        metric.add_batch(predictions=[[-1.0, -2.0]])
        with pytest.raises(
            ValueError, match=r"^predictions\[0\] is 'a text', of another kind than the rows added before"
        ):
            metric.add_batch(predictions=["a text"])
        assert len(metric) == 1


def test_combined():
    """evaluate's combination takes both kinds for `compute`."""
    combined = evaluate.combine([textgauge.load("cer"), evaluate.load(str(ROOT / "metrics" / "wer.py"))])
    found = combined.compute(**TEXTS)
    for name in ("cer", "wer"):
        assert found[name] == textgauge.load(name).compute(**TEXTS)[name]


def test_what_evaluate_takes_makes_its_own():
    metric = textgauge.load("cer", keep_in_memory=True, unit="jamo")
    assert isinstance(metric, evaluate.Metric)
    assert metric.compute(**TEXTS) == textgauge.load("cer", unit="jamo").compute(**TEXTS)


DERIVED = '''
"""Metrics that derive from one another."""

from textgauge.core.options import flag
from textgauge.metrics.cer import Cer


class {first}(Cer):
    """CER with another default.

    Returns:
        As CER.
    """

    {body}
'''
OWN_TABLE = "LOWER_IS_BETTER = True\n    OPTIONS = {**Cer.OPTIONS, 'own': flag(False, 'own', 'nothing.')}"


@pytest.mark.parametrize("body", ["USUAL_RANGE = (0, 2)", OWN_TABLE])
def test_a_script_that_derives_from_a_metric(tmp_path, body):
    """Of a plain one, with a table of options and without."""
    (tmp_path / "derived.py").write_text(DERIVED.format(first="Derived", body=body), encoding="utf-8")
    metric = evaluate.load(str(tmp_path / "derived.py"))
    assert isinstance(metric, evaluate.Metric) and type(metric).__mro__.count(EvaluateSide) == 1
    assert (metric.name, metric.description) == ("derived", "CER with another default.")
    metric.add_batch(**TEXTS)
    assert metric.compute()["cer"] == textgauge.load("cer").compute(**TEXTS)["cer"]


def test_a_class_that_derives_from_a_metric_of_evaluate():
    """It has evaluate's side already, and no second one would fit into the order of its bases."""
    loaded = type(evaluate.load(str(ROOT / "metrics" / "cer.py")))
    names = {"__module__": f"{base_metric.LOADER}metrics.mine", "__doc__": "Mine.", "LOWER_IS_BETTER": True}
    sys.modules[names["__module__"]] = sys.modules[loaded.__module__]
    try:
        derived = type(loaded)("Mine", (loaded,), {**names, "OPTIONS": loaded.OPTIONS})
    finally:
        del sys.modules[names["__module__"]]
    assert derived.__mro__.count(EvaluateSide) == derived.__mro__.count(evaluate.Metric) == 1
    assert derived().compute(**TEXTS)["cer"] == textgauge.load("cer").compute(**TEXTS)["cer"]


def test_a_base_is_none_of_evaluate_s():
    """What has no options cannot be loaded, wherever it is executed."""
    names = {"__module__": f"{base_metric.LOADER}metrics.base", "__doc__": "A base."}
    assert not issubclass(type(TextMetric)("Base", (TextMetric,), names), evaluate.Metric)
