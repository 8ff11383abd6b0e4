"""The metrics: a script each, which `evaluate.load` loads from here and `textgauge.load` by name."""
