"""What users read is English that is read once: counts of turns that are not, for each file, which may not rise.

`ENGLISH=write pytest tests/test_english.py` writes the counts that fell. A new file has none of these turns. They are
kinds that a program can find, and no rule of style: where one is the best that can be written, it may stay.
"""

import json
import os

import pytest
from conftest import ROOT
from english import PATTERNS, counts, counts_of_files
from kept_counts import lowest
from test_layout import code_files

KEPT = ROOT / "tests" / "data" / "english.json"
_WRITTEN_ELSEWHERE = {"docs/documents.md"}  # sentences of the five documents


def files_that_users_read():
    """Returns documents, the texts of commands, and modules that are not tests."""
    documents = [path for path in ROOT.rglob("*.md") if not any(part.startswith(".") for part in path.parts[1:])]
    documents = [path for path in documents if path.relative_to(ROOT).as_posix() not in _WRITTEN_ELSEWHERE]
    modules = [path for path in code_files() if path.suffix == ".py" and "tests" not in path.parts]
    return sorted([*documents, ROOT / "textgauge" / "programs" / "saying" / "texts.json", *modules])


def test_counts_do_not_rise():
    found = counts_of_files(files_that_users_read(), ROOT)
    if os.environ.get("ENGLISH") == "write":
        before = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else None
        KEPT.write_text(json.dumps(lowest(before, found), indent=1) + "\n", encoding="utf-8")
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    for path in sorted(kept.keys() | found.keys()):
        assert found.get(path, {}) == kept.get(path, {}), (
            f"{path}: where a count rose, say it in plain order; where one fell, "
            "ENGLISH=write pytest tests/test_english.py"
        )


@pytest.mark.parametrize(
    ("kind", "as_it_was", "better"),
    [
        ("none as a predicate", "a TypeError for what is none", "a TypeError for an unknown name"),
        ("so many for a number", "yields so many rows", "yields this number of rows"),
        ("said instead of done", "What was decided is said.", "The command prints each decision."),
        ("but for", "equal but for rounding", "equal up to rounding"),
        ("things that stand or lie", "Fixed defects stand here.", "Fixed defects are listed here."),
        ("looked at", "both are looked at", "the command compares both"),
        ("a sentence that begins with Of", "Of two rows the first counts.", "The first of two rows counts."),
        ("sure for significant", "surely better", "significantly better"),
        ("anew", "texts cut anew", "texts segmented again"),
        ("a clause in place of a noun", "the length of what is compared", "the length of the text"),
        ("for instead of because", "an error, for there is no row", "an error, because there is no row"),
        ("the other one", "a button for the other one", "a button switches"),
    ],
)
def test_what_counts(kind, as_it_was, better):
    assert kind in PATTERNS
    assert kind in counts(as_it_was)
    assert counts(better) == {}
