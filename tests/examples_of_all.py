"""Prints what an example of each metric scores: for .ci/run, in environments without the packages of the tests.

By `textgauge.load`, and where evaluate is installed by `evaluate.load` too, with the same result.
"""

import importlib.util
import json

import textgauge

for name in textgauge.metric_names():
    example = json.loads((textgauge.CARDS / name / "examples.json").read_text(encoding="utf-8"))[0]
    loaded = [textgauge.load(name)]
    if importlib.util.find_spec("evaluate"):
        import evaluate

        loaded.append(evaluate.load(str(textgauge.METRICS / f"{name}.py")))
    results = [metric.compute(**example["columns"], **example.get("options", {})) for metric in loaded]
    if any(repr(result) != repr(results[0]) for result in results):
        raise SystemExit(f"{name}: {results}")
    print(name, next(iter(results[0].values())))
