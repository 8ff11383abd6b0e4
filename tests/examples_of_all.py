"""Loads each metric as users do and prints what an example scores: for .ci/run, in environments without the tests'."""

import json

import evaluate

import textgauge

for name in textgauge.metric_names():
    metric = evaluate.load(str(textgauge.METRICS / f"{name}.py"))
    example = json.loads((textgauge.CARDS / name / "examples.json").read_text(encoding="utf-8"))[0]
    result = metric.compute(**example["columns"], **example.get("options", {}))
    print(name, next(iter(result.values())))
