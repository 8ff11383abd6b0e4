"""Each key of each result is expected to have some value: in a table, in a worked example, or in an assert of a test.

A test that only asks whether a key is there does not count. To name a key, compare its value with one that you know.
"""

import ast
import re

import cases
import pytest
from conftest import METRICS, ROOT, load

pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not say how its texts became tokens"),
    pytest.mark.filterwarnings("ignore:weights. .* phrases have more than max_order"),
]

WITH = {"detailed": True, "per_segment": True, "per_order": True, "conventions": "all", "alignments": "kaldi"}
INTERVAL = {"confidence": 0.9, "resamples": 20}


def result_keys(name):
    """Returns the keys of all results of a metric's cases, with what adds keys; all types of ROUGE are one.

    Those of flat results are compared with these in `test_common.py`.
    """
    metric, (columns, *sets) = load(name), cases.CASES[name]
    adding = {option: value for option, value in WITH.items() if option in metric.OPTIONS}
    keys = set()
    for options in [options for of_kind in sets for options in of_kind]:
        taken = adding if not options.get("sclite") else {"detailed": True}
        keys |= metric.compute(**columns, **{**taken, **INTERVAL, **options}).keys()
    return {re.sub(r"^rouge[^_]+", "rouge1", key) for key in keys}


class Expected(ast.NodeVisitor):
    """Collects the names of keys whose values a test compares with something; * stands for what is filled in."""

    def __init__(self):
        self.names = set()

    def visit_Assert(self, node):
        asked = set()  # whether a key is there says nothing of its value
        for compared in ast.walk(node.test):
            if isinstance(compared, ast.Compare) and isinstance(compared.ops[0], (ast.In, ast.NotIn)):
                asked |= {id(part) for part in ast.walk(compared.left)}
        self.names |= {name_of(part) for part in ast.walk(node) if id(part) not in asked}

    def visit_FunctionDef(self, node):
        """Counts what is put into a variable that an assert of the test looks at, or that a helper returns to one."""
        looks = [part for part in ast.walk(node) if isinstance(part, (ast.Assert, ast.Return))]
        compared = {part.id for of in looks for part in ast.walk(of) if isinstance(part, ast.Name)}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign):
                targets = {target.id for target in ast.walk(part) if isinstance(target, ast.Name)}
                if targets & compared and not isinstance(part.value, ast.Constant):
                    self.names |= {name_of(value) for value in ast.walk(part.value)}
        self.generic_visit(node)

    def visit_Assign(self, node):
        """Counts the keys of what is expected that is filled in one by one."""
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                self.names.add(name_of(target.slice))
        self.generic_visit(node)

    def visit_Dict(self, node):
        self.names |= {name_of(key) for key in node.keys}
        self.generic_visit(node)

    def visit_For(self, node):
        self.names |= {name_of(part) for part in ast.walk(node.iter)}
        self.generic_visit(node)

    def visit_Call(self, node):
        if ast.unparse(node.func).startswith(("np.testing", "pytest.approx")):
            self.names |= {name_of(part) for part in ast.walk(node)}
        self.generic_visit(node)


def name_of(node):
    """Returns the text of a string, with * for what is filled in; None for other nodes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "*" for part in node.values)
    return None


def expected_names():
    found = Expected()
    for path in sorted((ROOT / "tests").glob("test_*.py")):
        found.visit(ast.parse(path.read_text(encoding="utf-8")))
    names = found.names | {key for name in METRICS for case in cases.worked_examples(name) for key in case["expected"]}
    names = {name for name in names if name and re.fullmatch(r"[\w*]+", name)}
    return {name for name in names if "*" not in name or re.search("[a-z]{4}", name)}


def pattern_of(names):
    """Returns a pattern of names, in which * at the end is one word, or a kind of errors, and elsewhere any."""
    patterns = []
    for name in names:
        before, last_word = (name[:-1], "([^_]*|one_jamo)") if name.endswith("*") else (name, "")
        patterns.append(before.replace("*", r"\w*") + last_word)
    return re.compile("|".join(patterns))


@pytest.fixture(scope="module")
def expected():
    return pattern_of(expected_names())


def test_each_key_of_a_result_has_an_expected_value(name, expected):
    unexpected = sorted(key for key in result_keys(name) if not expected.fullmatch(key))
    assert not unexpected, "no test says which values these have"
