"""What looks as if it was not meant as it is read."""

import json
import re
from typing import Any

from ..saying.texts import say
from .columns import FileColumn
from .corpus import Corpus
from .leftovers import leftovers

_EDGES = {"begins": lambda text: text.split(None, 1)[:1], "ends": lambda text: text.rsplit(None, 1)[-1:]}
_FEWEST = 3  # lines that tell ids from words
_NETWORK = {"seq", "alt"}  # of a reference of hyter, which is written as JSON
# a list of strings and an object as Python prints them: what a file says is looked at, and never evaluated
_BY_PYTHON = re.compile(r"""\[\s*(?P<quote>['"]).*(?P=quote)\s*\]|\{\s*(?P<mark>['"])[^'"]*(?P=mark)\s*:.*\}""", re.S)
# utt-3, spk1_001, a/b.wav, (7): a word with letters and digits, or with brackets around it, and not a number alone
_ID = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z\d_.:/\\|#-]+:?|[(\[][\w.:/\\|# -]*\d[\w.:/\\|# -]*[)\]]", re.A)


def doubts(corpus: Corpus, is_sclite: bool = False) -> list[str]:
    """Returns notes on texts that are lists or objects, lines with ids, and what other programs leave in lines.

    Args:
        corpus: of which lines are looked at.
        is_sclite: whether a metric reads the marks of transcripts as sclite does.
    """
    references = corpus.columns.get("references", [])
    by_place = {
        column.place(0): ("doubt_packed", column.what)
        for column in [*corpus.outputs, *references]
        if _is_packed(column.values[0])
    }
    for prediction in corpus.outputs:
        for edge in _EDGES:
            found = [key for reference in references if (key := _ids_at(prediction, reference, edge))]
            if found:
                by_place[prediction.place(0)] = found[0], prediction.what
                break  # lines in another order end in another order, too
    said = [say(key, place=place, what=what) for place, (key, what) in by_place.items()]
    return list(dict.fromkeys([*said, *leftovers(corpus, is_sclite)]))  # a file may be several systems


def _is_packed(value: Any) -> bool:
    """Returns whether a text is a list or an object, as JSON or Python write it."""
    if not isinstance(value, str) or value.strip()[:1] not in ("[", "{"):
        return False
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        return _BY_PYTHON.fullmatch(value.strip()) is not None
    return isinstance(content, list) or not content.keys() <= _NETWORK


def _ids_at(prediction: FileColumn, reference: FileColumn, edge: str) -> str:
    """Returns what to say where the words at an edge of all lines are ids; nothing where they are not.

    In one order they are ids if they look like some. In another order they are, whatever they look like: texts that
    belong together by place do not have the same words at an edge, each once, in different orders.
    """
    words = [_words_at(column, edge) for column in (prediction, reference)]
    if any(of_side is None for of_side in words) or set(words[0]) != set(words[1]):
        return ""
    if words[0] != words[1]:
        return f"doubt_order_{edge}" if _have_further_words(prediction) else ""
    are_ids = all(map(_ID.fullmatch, words[0])) or (edge == "begins" and _are_counted(words[0]))
    return f"doubt_{edge}" if are_ids else ""


def _words_at(column: FileColumn, edge: str) -> list[str] | None:
    """Returns the word at an edge of each line; None where a line has none, or where one is there twice."""
    words: list[str] = []
    for text in column.values:
        word = _EDGES[edge](text) if isinstance(text, str) else []
        if not word:
            return None
        words += word
    return words if len(set(words)) == len(words) >= _FEWEST else None


def _are_counted(words: list[str]) -> bool:
    """Returns whether words are 0, 1, 2, ... or 1, 2, 3, ..., as numbers of lines are."""
    return any(words == [str(number + first) for number in range(len(words))] for first in (0, 1))


def _have_further_words(column: FileColumn) -> bool:
    """Returns whether most lines have more than one word: labels in another order are predictions."""
    return 2 * sum(len(text.split()) > 1 for text in column.values) > len(column.values)
