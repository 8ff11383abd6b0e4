"""One file for each room that a metric needs: what is in it, and what publishing refuses."""

import ast
import re

import pytest
from conftest import ROOT

from textgauge.meteor.wordnet import DATA
from textgauge.programs.publishing.joining import joined_files, needed_libraries
from textgauge.programs.publishing.modules import needed_modules


@pytest.fixture
def clone(tmp_path):
    """Returns a function that writes the modules of a repository, by their paths, and returns the joined files of a."""

    def joined(texts):
        for place, text in texts.items():
            path = tmp_path / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return joined_files(tmp_path, "a")

    return joined


def test_a_room_is_one_file(name):
    modules = needed_modules(ROOT, name)
    rooms = {module.room for module in modules.values()} - {"metrics"}
    scripts = {module.partition(".")[2] for module in modules if module.startswith("metrics.")}
    expected = {f"{script}.py" for script in scripts} | {f"_{room}.py" for room in rooms}
    if "meteor" in rooms:
        expected.add("_meteor_wordnet.py")
    files = joined_files(ROOT, name)
    assert files.keys() == expected
    assert next(iter(files)) == f"{name}.py"


def statements(tree, text):
    """Returns the source of each statement at the top of a module that is no import and no docstring."""
    found = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    if ast.get_docstring(tree) is not None:
        found = found[1:]
    lines = text.splitlines()
    return ["\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in found]


def without_imports(text):
    """Returns code without blank lines and without imports inside functions, which change."""
    lines = [line for line in text.splitlines() if line.strip() and not re.match(" +from .* import ", line)]
    return "\n".join(lines)


def test_the_published_text_is_that_of_the_clone(name):
    """Whoever reads a traceback of a published metric finds the line in the clone: no name is changed."""
    files = joined_files(ROOT, name)
    everything = without_imports("\n".join(files.values()))
    for module in needed_modules(ROOT, name).values():
        if module.name == "meteor.wordnet":  # it reads a file here, and holds its text there
            assert DATA in everything
            continue
        for statement in statements(module.tree, module.text):
            assert without_imports(statement) in everything, module.name
    for file, text in files.items():
        modules = [module for module in needed_modules(ROOT, name).values() if f"# {module.path} ==" in text]
        written = [source for module in modules for source in statements(module.tree, module.text)]
        if modules:
            assert len(statements(ast.parse(text), text)) == len(written), file


def test_what_becomes_of_modules(clone):
    """Folders of a room, imports of three kinds, also inside functions, and the order in which modules need others."""
    files = clone(
        {
            "metrics/a.py": '"""The metric."""\n\nimport re\n\n'
            "from textgauge.near.inner.last import last as end  # From: -e .\n"
            "from textgauge.near.first import (  # From: -e .\n    first,\n)\n\nfrom .b import score\n\nX = first\n",
            "metrics/b.py": '"""Another one."""\n\n\n'
            "def score():\n    from textgauge.far.only import only\n\n    return only\n",
            "textgauge/near/first.py": '"""Comes first by its name.\n\nAnd second by its needs."""\n\n'
            "import numpy as np\n\nfrom .inner.last import last\n\n\n"
            "def first():\n    from .late import late\n\n    return late, last, np\n",
            "textgauge/near/inner/last.py": "import json\nimport numpy as np\nfrom ..late import late\n\n"
            "last = late, json, np\n",
            "textgauge/near/late.py": "late = 1\n",
            "textgauge/near/unused.py": "1 / 0\n",
            "textgauge/far/only.py": "only = 2\n",
        }
    )
    rule = {
        name: f"# {name}.py ".ljust(120, "=") for name in ("near/late", "near/inner/last", "near/first", "far/only")
    }
    assert files == {
        "a.py": '"""The metric."""\n\nimport re\n\nfrom ._near import first, last as end\nfrom .b import score\n\n'
        "# what the files beside this one import; named here, evaluate says how to install what is missing\n"
        "import numpy\n\n"
        "# files that only others import; evaluate's loader copies those that are named here\n"
        "from ._far import __name__ as _far\n\n\nX = first\n",
        "b.py": '"""Another one."""\n\n\ndef score():\n    from ._far import only\n\n    return only\n',
        "_near.py": '"""What a needs of the room near.\n\n'
        'Joined from near/late.py, near/inner/last.py, near/first.py of textgauge, where changes belong.\n"""\n\n'
        "import json\n\nimport numpy as np\n\n\n"
        f"{rule['near/late']}\n\nlate = 1\n\n\n"
        f"{rule['near/inner/last']}\n\nlast = late, json, np\n\n\n"
        f"{rule['near/first']}\n# Comes first by its name.\n#\n# And second by its needs.\n\n"
        "def first():\n    return late, last, np\n",
        "_far.py": '"""What a needs of the room far.\n\n'
        'Joined from far/only.py of textgauge, where changes belong.\n"""\n\n\n'
        f"{rule['far/only']}\n\nonly = 2\n",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("from .b import c as d\n", r"room\.a: from \.b import c as d; within a room a name stays as it is"),
        ("from textgauge.room import b\n", r"room\.a: from textgauge\.room import b; import from a module, as `from"),
        ("from . import b\n", r"room\.a: from \. import b; import from a module"),
        ("x = (\n", r"textgauge/room/a\.py is not valid Python: '\(' was never closed \(a\.py, line 1\)"),
        ("x = 1\n\nx = 2 3\n", r"textgauge/room/a\.py is not valid Python: invalid syntax.* \(a\.py, line 3\)"),
        ("x = '\0'\n", r"textgauge/room/a\.py is not valid Python: source code string cannot contain null bytes"),
    ],
)
def test_what_is_refused(text, message, clone):
    files = {"metrics/a.py": "from textgauge.room.a import x\n", "textgauge/room/b.py": "c = 1\n"}
    with pytest.raises(ValueError, match=f"^{message}"):
        clone({**files, "textgauge/room/a.py": text})


@pytest.mark.parametrize(
    ("metrics", "libraries"),
    [
        (["bleu", "human_correlation", "perplexity", "weighted_bleu"], ["numpy"]),
        (["cer", "cpcer", "cpwer", "hyter", "ter", "wer"], ["numpy", "rapidfuzz"]),
        (["meteor"], ["nltk", "numpy"]),
        (["rouge"], ["nltk", "numpy", "rapidfuzz"]),
    ],
)
def test_libraries_of_a_metric(metrics, libraries):
    for name in metrics:
        assert needed_libraries(ROOT, name) == libraries


def test_the_script_names_its_libraries(name):
    """evaluate's loader looks at the script alone, and says what to install; a comment behind an import misleads it."""
    script = joined_files(ROOT, name)[f"{name}.py"]
    found = re.findall(r"^(?:import|from) ([a-z]\w*)\b.*$", script, flags=re.M)
    assert set(needed_libraries(ROOT, name)) <= set(found)
    assert not re.search(r"^(import|from) .*#", script, flags=re.M)
