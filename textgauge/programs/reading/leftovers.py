"""What other programs leave in lines, and a score counts as text: symbols of models, subwords, quotes, entities.

A sample of lines tells. Nothing is changed. What both sides have in their lines is theirs, and is not said.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..saying.texts import say
from .columns import LINE, FileColumn
from .compressed import suffix_of
from .corpus import Corpus
from .transcripts import OF_NIST

_SAMPLE = 1000  # lines
_FEWEST = 3  # lines, where a rule is about all of them
_SHOWN = 40  # characters
_NUMBERS = re.compile(r"\d+")
_MARKS = re.compile(r"[^\w\s]+|[\[(][0:., -]*[\])]|0[.)]")  # of lists, and times, where numbers are 0
_LONGEST_LABEL = 12  # words
_EDGE = 1000  # characters at each end of a text


class _Kind(NamedTuple):
    """What is left in lines, and in which share of them it must be."""

    key: str
    pattern: re.Pattern[str]
    share: float


_SOME, _MOST, _ALL = 0.1, 0.5, 0.9
_KINDS = (
    _Kind(
        "left_symbols",
        re.compile(
            r"</?2?[a-z]\w*(?:[\s/][^<>]*)?>|\[(?:CLS|SEP|PAD|UNK|MASK)\]|<\|[^|<>\s]+\|>|\[/?INST\]|```|-[lr][rsc]b-|⁇"
            r"|(?<!\S)(?-i:__[a-z]{2,3}__|[a-z]{3}_[A-Z][a-z]{3})(?!\S)",
            re.IGNORECASE,
        ),
        _SOME,
    ),
    _Kind("left_characters", re.compile("[\u200b\u2060\ufeff\ufffd]"), _SOME),
    _Kind("left_subwords", re.compile(r"(?<!\S)\S{1,40}@@(?=\s|$)|▁\S{0,40}|(?<!\S)##\w{1,40}|Ġ\S{1,40}|￭"), _SOME),
    _Kind("left_entities", re.compile(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d+|#x[\da-f]+);", re.IGNORECASE), _SOME),
    _Kind("left_escapes", re.compile(r"\\u[\da-f]{4}|\\x[\da-f]{2}|(?-i:\\[nrt])(?![a-z])", re.IGNORECASE), _SOME),
    _Kind("left_quotes", re.compile(r"""\A\s*(?:b?"(?:[^"\\]|\\.)*"|b?'(?:[^'\\]|\\.)*')\s*,?\s*\Z"""), _ALL),
    _Kind("left_tokens", re.compile(r"(?<!\S)\S{1,40} [.,。](?!\S)"), _MOST),
    _Kind("left_bars", re.compile(r"\S \|\|\| \S.{,20}"), _MOST),
    _Kind("left_scores", re.compile(r"\A-?\d+(?:\.\d+)?(?:e-?\d+)?\t.+"), _ALL),
    _Kind("left_times", re.compile(r"\A\s*\[\d[\d:.,]+ --> [\d:.,]+\d\].*"), _ALL),
    _Kind("left_tabs", re.compile(r"\t"), _MOST),
)
_SPACE = _Kind("left_spaces", re.compile(r"<(?:space|blank)>", re.IGNORECASE), _SOME)  # of ESPnet, for characters
_NIST = _Kind("left_marks", re.compile(r"(?<!\S)(?:\([^()\s]+\)|[^\W\d_]+-)(?!\S)"), 0.0)  # for sclite
_OF_ALL = ("left_scores", "left_times")  # where a line has one of these, its tabs are not a separate finding


def leftovers(corpus: Corpus, is_sclite: bool = False) -> Iterator[str]:
    """Yields a note for each kind of leftovers in the lines of one side that the other side does not have.

    Marks of sclite or ESPnet are noted also if both sides have them, unless a metric reads them (`is_sclite`).
    """
    references = corpus.columns.get("references", [])
    for column in [*corpus.outputs, *references]:
        yield from _left_in(column, [], [_SPACE])
        if suffix_of(column.path) in OF_NIST and not is_sclite:
            yield from _left_in(column, [], [_NIST])
    sides = [(corpus.outputs, references), (references, corpus.outputs)]
    for columns, columns_beside in sides:
        texts_beside = [_texts(column) for column in columns_beside]
        for column in columns:
            yield from _left_in(column, texts_beside, _KINDS)


def _left_in(column: FileColumn, texts_beside: Sequence[Sequence[str]], kinds: Sequence[_Kind]) -> Iterator[str]:
    """Yields notes on one column, beside the texts of each column of the other side."""
    texts = _texts(column)
    found: set[str] = set()
    label = _label(texts) if kinds is _KINDS else ""
    if any(2 * _share_with(label, beside) >= _ALL for beside in texts_beside):
        label = ""
    for key, pattern, least_share in kinds:
        if key == "left_bars" and label:
            continue
        # in a cell of a table a tab is a part of the text
        if key == "left_tabs" and (found.intersection(_OF_ALL) or column.what != LINE):
            continue
        rows = [row for row, text in enumerate(texts) if pattern.search(text)]
        if not rows or len(rows) < least_share * len(texts):
            continue
        # a tab in a line is rare enough to say of one
        fewest_lines = 1 if key == "left_tabs" else _FEWEST
        if least_share > _SOME and len(texts) < fewest_lines:
            continue
        share = len(rows) / len(texts)
        if any(2 * _share(pattern, texts_of_one) >= share for texts_of_one in texts_beside):
            continue
        found.add(key)
        shown = pattern.search(texts[rows[0]])[0].strip()
        if key == "left_characters":
            shown = f"U+{ord(shown):04X}"
        yield say(key, place=column.said_place(rows[0]), n=len(rows), lines=len(texts), shown=f"{shown:.{_SHOWN}}")
    if label and not found:
        yield say("left_labels", place=column.said_place(0), lines=len(texts), shown=f"{label:.{_SHOWN}}")


def _label(texts: Sequence[str]) -> str:
    """Returns the label that nearly all texts have, whose numbers may differ.

    They begin with it, up to a colon or marks alone, or end with it, from bars on.
    """
    for order in (1, -1):
        ends = [_masked(text).split()[::order] for text in texts]
        common: list[str] = []
        while len(common) < _LONGEST_LABEL:
            further = Counter(tuple(words[: len(common) + 1]) for words in ends if len(words) > len(common) + 1)
            most, count = further.most_common(1)[0] if further else ((), 0)
            if count < max(2, _ALL * len(texts)):
                break
            common = list(most)
        while common and common[-1] != "|||" and not (order == 1 and _is_label(common)):
            common.pop()
        if common:
            return " ".join(common[::order])
    return ""


def _masked(text: str) -> str:
    """Returns a text with 0 for its numbers, and with a blank behind wide colons, as behind others."""
    return _NUMBERS.sub("0", text).replace("：", "： ")


def _is_label(words: Sequence[str]) -> bool:
    """Returns whether words are a label: they end with a colon, or are marks alone, as those of lists."""
    return words[-1].rstrip("*_\"'").endswith((":", "：")) or all(map(_MARKS.fullmatch, words))


def _share_with(label: str, texts: Sequence[str]) -> float:
    """Returns the share of texts that begin or end with a label."""
    masked = [" ".join(_masked(text).split()) for text in texts]
    return sum(text.startswith(label) or text.endswith(label) for text in masked) / max(1, len(texts))


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    if not texts:
        return 0.0
    n_found = sum(pattern.search(text) is not None for text in texts)
    return n_found / len(texts)


def _texts(column: FileColumn) -> list[str]:
    """Returns the texts of the first rows, of a list the first one."""
    firsts = (value[0] if isinstance(value, list) and value else value for value in column.values[:_SAMPLE])
    return [_shortened(text.strip("\r\n ")) for text in firsts if isinstance(text, str) and text.strip()]


def _shortened(text: str) -> str:
    """Returns the start and the end of a text that is long."""
    return text if len(text) <= 2 * _EDGE else f"{text[:_EDGE]} {text[-_EDGE:]}"
