"""What looks as if it was not meant as it is read."""

import json
import re
from typing import Any

from ..saying.texts import say
from .columns import FileColumn
from .corpus import Corpus

_EDGES = {"begins": lambda text: text.split(None, 1)[:1], "ends": lambda text: text.rsplit(None, 1)[-1:]}
_FEWEST = 3  # lines that tell ids from words
_NETWORK = {"seq", "alt"}  # of a reference of hyter, which is written as JSON
# a list of strings and an object as Python prints them: what a file says is looked at, and never evaluated
_BY_PYTHON = re.compile(r"""\[\s*(?P<quote>['"]).*(?P=quote)\s*\]|\{\s*(?P<mark>['"])[^'"]*(?P=mark)\s*:.*\}""", re.S)


def doubts(corpus: Corpus) -> list[str]:
    """Returns notes on texts that are lists or objects, and on lines that begin or end with an id."""
    references = corpus.columns.get("references", [])
    by_place = {
        column.place(0): ("doubt_packed", column.what)
        for column in [*corpus.outputs, *references]
        if _is_packed(column.values[0])
    }
    for prediction in corpus.outputs:
        for edge in _EDGES:
            if any(_have_ids(prediction, reference, edge) for reference in references):
                by_place[prediction.place(0)] = f"doubt_{edge}", prediction.what
    return [say(key, place=place, what=what) for place, (key, what) in by_place.items()]


def _is_packed(value: Any) -> bool:
    """Returns whether a text is a list or an object, as JSON or Python write it."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return False
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        return _BY_PYTHON.fullmatch(value.strip()) is not None
    return isinstance(content, list) or not content.keys() <= _NETWORK


def _have_ids(prediction: FileColumn, reference: FileColumn, edge: str) -> bool:
    """Returns whether all lines of both have the same word with a digit at an edge, each another one."""
    seen: set[str] = set()
    for texts in zip(prediction.values, reference.values, strict=True):
        own, theirs = (_EDGES[edge](text) if isinstance(text, str) else [] for text in texts)
        if not own or own != theirs or own[0] in seen or not re.search(r"\d", own[0]):
            return False
        seen.update(own)
    return len(seen) >= _FEWEST
