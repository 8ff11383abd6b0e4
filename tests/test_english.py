"""What users read is English that is read once: counts of turns that are not, for each file, which may not rise.

`ENGLISH=write pytest tests/test_english.py` writes the counts that fell. A new file has none of these turns. They are
kinds that a program can find, and no rule of style: where one is the best that can be written, it may stay.
"""

import ast
import json
import os
import re

import pytest
from conftest import ROOT
from test_layout import code_files

KEPT = ROOT / "tests" / "data" / "english.json"
WRITTEN_ELSEWHERE = ROOT / "docs" / "documents.md"  # sentences of the five documents
TEXTS = ROOT / "textgauge" / "programs" / "saying" / "texts.json"
# a kind, where it is found, and an example
PATTERNS = {
    "none as a predicate": (r"\b(?:is|are|was|were|be) none\b", "a TypeError for what is none"),
    "so many for a number": (r"\bso many\b", "yields so many rows"),
    "said instead of done": (r"\b(?:is|are|was|were|be) (?:said|told)\b", "What was decided is said."),
    "but for": (r"\bbut for\b", "equal but for rounding"),
    "things that stand or lie": (
        r"\b(?:stands?|stood|lies?|lay) (?:in|on|at|beside|behind|there|here|above|below)\b",
        "Fixed defects stand here.",
    ),
    "looked at": (r"\b(?:is|are|was|were|be) looked at\b", "both are looked at"),
    "a sentence that begins with Of": (r"(?:^|(?<=[.:;] ))Of (?!course\b)\w", "Of two rows the first counts."),
    "sure for significant": (r"\b(?:surely|(?:not|is|are|be|for) sure)\b", "surely better"),
    "anew": (r"\banew\b", "texts cut anew"),
    "a clause in place of a noun": (
        r"\b(?:of|for|in|to|from|with|by) what (?:is|are|was|were)\b",
        "the length of what is compared",
    ),
    "for instead of because": (
        r", for (?:it|they|there|he|she|this|these|no|nobody|nothing)\b",
        "an error, for there is no row",
    ),
    "the other one": (r"\b(?:another|other) one\b", "a button for the other one"),
}


def counts(text):
    """Returns how often a text has a turn of each kind, for the kinds that it has."""
    found = {kind: len(re.findall(pattern, text, flags=re.M)) for kind, (pattern, _) in PATTERNS.items()}
    return {kind: count for kind, count in found.items() if count}


def english_of(path):
    """Returns the English of a file: prose of a document, texts of a table, docstrings and messages of a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        without_code = re.sub(r"`[^`\n]*`", "", re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S))
        # a sentence goes on behind the end of a line
        return "\n".join(re.sub(r"\n(?![-|#*\d])", " ", paragraph) for paragraph in without_code.split("\n\n"))
    if path.suffix == ".json":
        forms = [entry["en"] for entry in json.loads(text).values()]
        return "\n".join(form if isinstance(form, str) else "\n".join(form) for form in forms)
    strings = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
    sentences = [text for text in strings if isinstance(text, str) and " " in text and not re.search("[가-힣]", text)]
    return "\n".join(re.sub(r"\s+", " ", sentence) for sentence in sentences)


def counted():
    """Returns the counts of all files that have any."""
    documents = [path for path in ROOT.rglob("*.md") if not any(part.startswith(".") for part in path.parts[1:])]
    paths = sorted({*documents, TEXTS, *code_files()} - {WRITTEN_ELSEWHERE})
    of_files = {path.relative_to(ROOT).as_posix(): counts(english_of(path)) for path in paths}
    return {path: found for path, found in of_files.items() if found}


def lowest(kept, found):
    """Returns the counts to keep: what was found, and no more than what was kept."""
    of_files = {}
    for path, kinds in found.items():
        before = kept.get(path, {})
        of_files[path] = {kind: min(count, before[kind]) for kind, count in kinds.items() if kind in before}
    return {path: kinds for path, kinds in of_files.items() if kinds}


def test_counts_do_not_rise():
    found = counted()
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    if os.environ.get("ENGLISH") == "write":
        kept = lowest(kept, found)
        KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    for path in sorted(kept.keys() | found.keys()):
        assert found.get(path, {}) == kept.get(path, {}), (
            f"{path}: where a count rose, say it in plain order; where one fell, "
            "ENGLISH=write pytest tests/test_english.py"
        )


@pytest.mark.parametrize("kind", PATTERNS)
def test_what_counts(kind):
    assert kind in counts(PATTERNS[kind][1])
