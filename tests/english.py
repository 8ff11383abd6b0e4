"""Turns of phrase that are read twice, as patterns: what is English by its words, and not by its order."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

# a kind, and where it is found; what to write in its place stands in the examples of test_english.py
PATTERNS = {
    "none as a predicate": r"\b(?:is|are|was|were|be) none\b",
    "so many for a number": r"\bso many\b",
    "said instead of done": r"\b(?:is|are|was|were|be) (?:said|told)\b",
    "but for": r"\bbut for\b",
    "things that stand or lie": r"\b(?:stands?|stood|lies?|lay) (?:in|on|at|beside|behind|there|here|above|below)\b",
    "looked at": r"\b(?:is|are|was|were|be) looked at\b",
    "a sentence that begins with Of": r"(?:^|(?<=[.:;] ))Of (?!course\b)\w",
    "sure for significant": r"\b(?:surely|(?:not|is|are|be|for) sure)\b",
    "anew": r"\banew\b",
    "a clause in place of a noun": r"\b(?:of|for|in|to|from|with|by) what (?:is|are|was|were)\b",
    "for instead of because": r", for (?:it|they|there|he|she|this|these|no|nobody|nothing)\b",
    "the other one": r"\b(?:another|other) one\b",
}
_COMPILED = {kind: re.compile(pattern, re.MULTILINE) for kind, pattern in PATTERNS.items()}
_FENCED = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_HANGUL = re.compile("[가-힣]")


def counts(text):
    """Returns how often a text has a turn of each kind, for the kinds that it has.

    >>> counts("for what is none, so many words")
    {'none as a predicate': 1, 'so many for a number': 1, 'a clause in place of a noun': 1}
    """
    found = {kind: len(pattern.findall(text)) for kind, pattern in _COMPILED.items()}
    return {kind: count for kind, count in found.items() if count}


def english_of(path: Path):
    """Returns the English of a file: prose of a document, texts of a table, docstrings and messages of a module."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        paragraphs = _CODE.sub("", _FENCED.sub("", text)).split("\n\n")
        # a sentence goes on behind the end of a line
        return "\n".join(re.sub(r"\n(?![-|#*\d])", " ", paragraph) for paragraph in paragraphs)
    if path.suffix == ".json":
        return "\n".join(_texts_of(json.loads(text)))
    nodes = ast.walk(ast.parse(text))
    strings = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    sentences = [string for string in strings if " " in string and not _HANGUL.search(string)]
    return "\n".join(re.sub(r"\s+", " ", string) for string in sentences)


def _texts_of(table):
    """Yields the English texts of a table; one that has a plural is a list."""
    for entry in table.values():
        yield from [entry["en"]] if isinstance(entry["en"], str) else entry["en"]


def counts_of_files(paths, root):
    """Returns the counts of the files that have any, by their names below a folder."""
    of_files = {}
    for path in paths:
        found = counts(english_of(path))
        if found:
            of_files[path.relative_to(root).as_posix()] = found
    return of_files


def total(of_files):
    """Returns the counts of all files together."""
    return sum(map(Counter, of_files.values()), Counter())
