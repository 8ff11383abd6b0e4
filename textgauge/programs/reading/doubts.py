"""What looks as if it was not meant as it is read."""

import json
import os
import re
from collections.abc import Sequence
from typing import Any

from ..saying.texts import say
from .columns import FileColumn, said_what
from .corpus import Corpus
from .leftovers import leftovers
from .order import doubt_of_order
from .recognisers import SOUNDS

_FEWEST = 4  # lines that tell ids from words, where both sides have them in the same order
_NAME_PARTS = re.compile(r"[\W\d_]+")
_OF_REFERENCES = {"ref", "refs", "reference", "references", "gold", "target", "label", "labels", "정답", "참조문"}
_OF_PREDICTIONS = {"hyp", "hyps", "hypothesis", "pred", "preds", "prediction", "predictions", "예측", "예측문"}
_NETWORK = {"seq", "alt"}  # of a reference of hyter, which is written as JSON
# a list of strings and an object as Python prints them: the text is matched, never evaluated
_BY_PYTHON = re.compile(r"""\[\s*(?P<quote>['"]).*(?P=quote)\s*\]|\{\s*(?P<mark>['"])[^'"]*(?P=mark)\s*:.*\}""", re.S)
# utt-3, spk1_001, u7: letters, and behind them digits
_ID = re.compile(r"(?P<prefix>[A-Za-z]+)[A-Za-z\d_.:/\\|#-]*\d[A-Za-z\d_.:/\\|#-]*", re.A)
# 116_003_0001 and 1089-134686-0000 of LibriSpeech; a date is none
_NUMBERED = re.compile(r"\d+(?:[-_]\d+)*[-_]\d{3,}", re.A)
_IN_BRACKETS = re.compile(r"\A(?:\((.+)\)|\[(.+)\])\Z")
_LONGEST_ID = 100  # characters
_SCORED_ID = re.compile(r"(\(\S+) -?[\d.]+(\))\s*\Z")  # of Sphinx: (data_001 -7716)


def doubts(corpus: Corpus, is_sclite: bool = False) -> list[str]:
    """Returns notes on one text on both sides, lists or objects, ids in lines, and what other programs leave there.

    Args:
        corpus: whose lines are checked.
        is_sclite: whether a metric reads the marks of transcripts as sclite does.
    """
    references = corpus.columns.get("references", [])
    doubt_of_place = {}
    notes = []
    for column in [*corpus.outputs, *references]:
        if all(isinstance(text, str) and os.path.isfile(text) for text in column.values):
            notes.append(say("doubt_files", place=column.said_place(0), what=said_what(column.what)))
        if _is_packed(column.values[0]):
            doubt_of_place[column.said_place(0)] = ("doubt_packed", column.what)
    for prediction in corpus.outputs:
        doubt = _doubt_about_ids(prediction, references)
        if doubt:
            doubt_of_place[prediction.said_place(0)] = (doubt, prediction.what)
        if any(_is_same(prediction, reference) for reference in references):
            notes.append(say("doubt_same", place=prediction.said_place(0), what=said_what(prediction.what)))
            continue
        for reference in references:
            doubt = doubt_of_order(prediction.values, reference.values) if prediction.path != reference.path else ""
            if doubt:
                notes.append(say(doubt, path=prediction.path, other=reference.path))
            if _are_exchanged(prediction, reference):
                are_files = prediction.path != reference.path
                ours, theirs = [one.path if are_files else said_what(one.what) for one in (prediction, reference)]
                notes.append(say("doubt_sides", path=ours, other=theirs))
    notes += [say(doubt, place=place, what=said_what(what)) for place, (doubt, what) in doubt_of_place.items()]
    notes += leftovers(corpus, is_sclite)
    return list(dict.fromkeys(notes))  # a file may be several systems


def _first_word(text: str) -> list[str]:
    return text.split(None, 1)[:1]


def _last_word(text: str) -> list[str]:
    return _SCORED_ID.sub(r"\1\2", text[-_LONGEST_ID:]).rsplit(None, 1)[-1:]


_EDGES = {"begins": _first_word, "ends": _last_word}


def _doubt_about_ids(prediction: FileColumn, references: Sequence[FileColumn]) -> str:
    """Returns a note on predictions with ids at an edge of their lines, like a reference."""
    for edge in _EDGES:
        for reference in references:
            doubt = _ids_at(prediction, reference, edge)
            if doubt:
                return doubt  # lines in another order end in another order, too
    return ""


def _is_same(prediction: FileColumn, reference: FileColumn) -> bool:
    """Returns whether both are one column of one file, which may have several names.

    Equal texts of two files are no reason to doubt: outputs may be right in every segment.
    """
    if prediction.what != reference.what:
        return False
    has_files = os.path.exists(prediction.path) and os.path.exists(reference.path)
    if has_files and os.path.samefile(prediction.path, reference.path):
        return True
    return prediction.path == reference.path


def _are_exchanged(prediction: FileColumn, reference: FileColumn) -> bool:
    """Returns whether the names of files or columns say that the references are scored against the predictions."""
    names = [prediction.path, reference.path]
    if prediction.path == reference.path:
        names = [prediction.what, reference.what]
    ours, theirs = [set(_NAME_PARTS.split(name.lower())) for name in names]
    if _OF_PREDICTIONS & ours or _OF_REFERENCES & theirs:
        return False
    return bool(_OF_REFERENCES & ours and _OF_PREDICTIONS & theirs)


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
    """Returns a note if the words at an edge of all lines are ids; else nothing.

    Texts that belong together by place may begin with the same words in other orders, such as red: and blue:.
    """
    prediction_words = _words_at(prediction, edge)
    reference_words = _words_at(reference, edge)
    if prediction_words is None or reference_words is None:
        return ""
    if set(prediction_words) != set(reference_words) or not _are_ids(prediction_words, edge):
        return ""
    if prediction_words == reference_words:
        return f"doubt_{edge}" if len(prediction_words) >= _FEWEST else ""
    return f"doubt_order_{edge}" if _have_further_words(prediction) else ""


def _words_at(column: FileColumn, edge: str) -> list[str] | None:
    """Returns the word at an edge of each line; None where a line has none, or where one is there twice."""
    words: list[str] = []
    for text in column.values:
        word = _EDGES[edge](text) if isinstance(text, str) else []
        if not word:
            return None
        words += word
    return words if len(set(words)) == len(words) > 1 else None


def _are_ids(words: list[str], edge: str) -> bool:
    """Returns whether words are paths of recordings, or letters with digits that begin alike, or count the lines."""
    bare = [_IN_BRACKETS.sub(r"\1\2", word) for word in words]
    if all(word.lower().removesuffix(":").endswith(SOUNDS) for word in bare):
        return True
    if all(map(_NUMBERED.fullmatch, bare)):
        return True
    found = [_ID.fullmatch(word) for word in bare]
    if all(found):
        return len({match["prefix"] for match in found}) == 1
    return len(bare) >= _FEWEST and (edge == "begins" or bare != words) and _are_counted(bare)


def _are_counted(words: list[str]) -> bool:
    """Returns whether words are 0, 1, 2, ... or 1, 2, 3, ... in any order, as numbers of lines are."""
    from_0 = set(map(str, range(len(words))))
    from_1 = set(map(str, range(1, len(words) + 1)))
    return set(words) in (from_0, from_1)


def _have_further_words(column: FileColumn) -> bool:
    """Returns whether most lines have more than one word: labels in another order are predictions."""
    n_longer = sum(len(text.split()) > 1 for text in column.values)
    return 2 * n_longer > len(column.values)
