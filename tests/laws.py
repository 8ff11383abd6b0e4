"""What laws of all metrics need: sets of options, and columns for these."""

import copy

import cases
import numpy as np
import pytest

ALL_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name, (_, in_signature, others) in cases.CASES.items()
    for index, options in enumerate([*in_signature, *others])
]
ADDITIVE_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name in cases.ADDITIVE
    for index, options in enumerate([*cases.CASES[name][1], *cases.CASES[name][2]])
]
SIGNED_OPTIONS = [
    pytest.param(name, options, id=f"{name}-{index}")
    for name, (_, in_signature, _) in cases.CASES.items()
    for index, options in enumerate(in_signature)
]


def columns_of(name):
    return copy.deepcopy(cases.CASES[name][0])


def twice(columns):
    """Returns a corpus of ten segments: an interval takes six."""
    names = {"items": [f"{item} again" for item in columns.get("items", ())]}
    return {key: column + names.get(key, column) for key, column in columns.items()}


def rows_of(columns, rows):
    return {key: [column[row] for row in rows] for key, column in columns.items()}


def options_for(options, rows):
    """Returns the options for some of the rows: a list of tables has one entry per row."""
    return {key: [value[r] for r in rows] if key == "weights" and isinstance(value, list) else value
            for key, value in options.items()}  # fmt: skip


def with_segments(metric, options):
    """Returns the options with `per_segment`, where the metric scores a segment at a time."""
    return {**options, "per_segment": True} if "per_segment" in metric.OPTIONS else options


def with_corpus_counts(metric, options):
    """Returns the options with what else the metric would learn from the corpus."""
    option = metric.corpus_option(**options)
    if option is None:
        return options
    counts = cases.CORPUS_COUNTS[metric.name]
    says = [key for key in metric.corpus_counts(references=["a"], **options) if key.startswith(" ")]
    return {**options, option: {**counts, **dict.fromkeys(says, counts[""])}}


def assert_same(actual, expected):
    assert actual.keys() == expected.keys()
    for key, value in expected.items():
        if isinstance(value, (list, float, int)) and key not in ("unused_keys", "missed_keywords", "confusions"):
            np.testing.assert_allclose(actual[key], value, rtol=1e-12, atol=1e-15, err_msg=key)
        else:
            assert actual[key] == value, key


def random_columns(name, rng, count):
    """Returns columns of a metric with random texts of a few words, so that all that rows add up is inexact."""
    if name == "perplexity":
        return {"predictions": [rng.uniform(-9, 0, rng.integers(9)).tolist() for _ in range(count)]}
    words = np.array([*"가나다라마", "고양이가", "the", "방에서", "😀", "귀여운", "강아지와", "3.5%"])

    def text():
        return " ".join(rng.choice(words, rng.integers(1, 25)))

    references = [[text() for _ in range(rng.integers(1, 4))] for _ in range(count)]
    columns = cases.with_further_columns(name, [text() for _ in references], references)
    if "reference_weights" in columns:
        columns["reference_weights"] = [rng.uniform(0, 1, len(row)).tolist() for row in references]
    return columns
