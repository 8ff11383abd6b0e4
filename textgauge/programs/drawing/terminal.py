"""Explanations as text: lines of (piece, kind), which a terminal may colour and which say the same without colours."""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..saying.texts import say
from ..saying.widths import padded, text_width
from .edits import columns as columns_of
from .links import links_text
from .ngrams import totals, worth_text, worths
from .speakers import speakers_text, wrong_speaker_texts
from .stretches import Stretch, copied_ngrams, matched_ngrams, noted_weight, reference_names
from .tokens import log_text, scored_tokens, value_text

Line = list[tuple[str, str]]  # pieces of a line and their kinds: a stage, an edit, "n1" to "n4", or ""
_SPAN = 24  # cells between the two sentences
_NO_DOTS = 0x2800  # the Braille character without any
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # of a Braille character: left and right, from the top
# where a line may break: behind a word, or a blank that is drawn
_PARTS = re.compile(r"[^\s␣]*[\s␣]+|[^\s␣]+")
_LETTERS = {"substitute": "S", "delete": "D", "insert": "I", "shift": "M", "removed": "·"}  # M for moved


def text_lines(
    explanation: dict[str, Any], prediction: str, references: Sequence[str], width: int, source: str = ""
) -> list[Line]:
    """Returns the explanation as lines of at most `width` places, if its words allow that."""
    keys = explanation.keys()
    if "streams" in keys:
        return _streams(explanation, width)
    if {"tokens", "log_probabilities"} <= keys:
        columns = [_plain(token, log_text(value)) for token, value in scored_tokens(explanation)]
        return list(_in_columns([say("token"), "ln p"], columns, width, " "))
    if {"prediction", "references", "reference_index", "links"} <= keys:
        values = [_plain(links_text(explanation))] if "penalty" in keys else []
        return _links(explanation) + values
    if {"prediction", "references", "matches"} <= keys:
        return _all_matches(explanation, prediction, references, width, source)
    if {"alignment", "reference_index"} <= keys:
        return _edits(explanation, prediction, references, width)
    if worths(explanation)[0]:
        return _worths(explanation, width)
    return [_plain(f"{name}: {value_text(value)}") for name, value in explanation.items()]


def _plain(*pieces: str) -> Line:
    """Returns pieces of no kind."""
    return [(piece, "") for piece in pieces]


def _streams(explanation: dict[str, Any], width: int) -> list[Line]:
    """Writes who is who in a session, what both said, and texts written for the wrong speaker."""
    lines: list[Line] = []
    for stream in explanation["streams"]:
        reference, prediction = stream["texts"]
        lines.append(_plain(speakers_text(stream)))
        lines += _edits(stream, prediction, [reference], width)
    return lines + [_plain(text) for text in wrong_speaker_texts(explanation)]


def _all_matches(
    explanation: dict[str, Any], prediction: str, references: Sequence[str], width: int, source: str
) -> list[Line]:
    """Writes the texts with matched n-grams, then those in common with a source, and what n-grams are worth."""
    texts = matched_ngrams(explanation, prediction, references)
    names = [say("prediction"), *reference_names(explanation, references)]
    if "source_matches" in explanation:
        texts += copied_ngrams(explanation, prediction, source)
        names += [say("copied"), say("source")]
    longest = max(map(len, names))
    lines: list[Line] = []
    for name, stretches in zip(names, texts, strict=True):
        lines += _matches(padded(name, longest), stretches, width)
    if "words" in explanation:
        lines += _all_matches(explanation["words"], prediction, references, width, source)
    return lines + _worths(explanation, width)


def _worths(explanation: dict[str, Any], width: int) -> list[Line]:
    """Writes the n-grams of each order with their values below."""
    name, orders = worths(explanation)
    if not any(orders):
        return []
    lines: list[Line] = [_plain(f"{say('worth_ngrams', name=name)}:")]
    for order, (ngrams, total) in enumerate(zip(orders, totals(explanation, orders), strict=True), start=1):
        columns = [_plain(worth.text, worth_text(worth.value)) for worth in ngrams]
        if columns:
            names = [say("ngrams", n=2, order=order), f"{say('worth_sum')} {worth_text(total)}"]
            lines += _in_columns(names, columns, width, "  ")
    return lines


def _links(explanation: dict[str, Any]) -> list[Line]:
    """Writes a word of each sentence per line, the prediction's left, with lines of dots between those that match."""
    prediction = explanation["prediction"]
    reference = explanation["references"][explanation["reference_index"]]
    prediction_notes: dict[int, str] = {}
    reference_notes: dict[int, str] = {}
    cells: dict[tuple[int, int], tuple[int, str]] = {}  # the dots of each and their stage, by row and column
    for prediction_row, reference_row, stage, chunk in explanation["links"]:
        prediction_notes[prediction_row] = str(chunk + 1)
        reference_notes[reference_row] = f"{chunk + 1} {stage}"
        for row, column, dot in _dots(prediction_row, reference_row):
            dots, _ = cells.get((row, column), (0, ""))
            cells[row, column] = (dots | dot, str(stage))

    prediction_width = max(map(text_width, prediction), default=0)
    reference_width = max(map(text_width, reference), default=0)
    lines = []
    for row, (left, right) in enumerate(itertools.zip_longest(prediction, reference, fillvalue="")):
        indent = " " * (prediction_width - text_width(left))
        before = f"{prediction_notes.get(row, ''):>3} {indent}{left} "
        between = []
        for column in range(_SPAN):
            dots, stage = cells.get((row, column), (0, ""))
            between.append((chr(_NO_DOTS + dots) if dots else " ", stage))
        behind = f" {padded(right, reference_width)} {reference_notes.get(row, '')}".rstrip()
        lines.append([(before, ""), *_merged(between), (behind, "")])
    return lines


def _dots(start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yields row, column and dot of each Braille cell on a line between two words; a cell is 2 by 4 dots."""
    steps = max(2 * _SPAN - 1, 4 * abs(end - start))
    for step in range(steps + 1):
        x = round(step * (2 * _SPAN - 1) / steps)
        y = round(4 * start + 1.5 + step * 4 * (end - start) / steps)
        yield y // 4, x // 2, _DOTS[x % 2][y % 4]


def _edits(explanation: dict[str, Any], prediction: str, references: Sequence[str], width: int) -> list[Line]:
    """Writes both texts below one another, with what they are read as beside them and a letter below each edit."""
    cells = []
    for column in columns_of(explanation, prediction, references):
        kind = "" if column.kind == "equal" else column.kind
        above = f"{column.prediction_read} " if column.prediction_read else ""
        below = f"{column.reference_read} " if column.reference_read else ""
        texts = (above, column.prediction, column.reference, below, _LETTERS.get(kind, ""))
        cells.append([(text, kind) for text in texts])
    names = [say("read_as"), say("prediction"), say("reference"), say("read_as"), ""]
    lines = list(_in_columns(names, cells, width, "", 1))
    for side, note in (("reference", say("missed_phrases")), ("prediction", say("surplus_phrases"))):
        phrases = []
        for keyword_side, phrase, weight, _, _, is_in_both in explanation.get("keywords", ()):
            if keyword_side == side and not is_in_both:
                phrases.append(f"{phrase} ({weight:+g})")
        if phrases:
            lines.append(_plain(padded(note, 12) + ", ".join(phrases)))
    return lines


def _matches(name: str, stretches: Sequence[Stretch], width: int) -> Iterator[Line]:
    """Writes a text, and below each token how long the longest match through it is."""
    columns = []
    for stretch in stretches:
        level = max([stretch.level, *(above.level for above in stretch.over)])
        kind = f"n{min(level, 4)}" if level else stretch.edit
        sign = str(min(level, 9)) if level else _LETTERS.get(stretch.edit, "")
        columns.append(_plain(stretch.gap, ""))
        for part in _PARTS.findall(stretch.text):
            columns.append([(part, kind), (sign * text_width(part), kind)])
        if stretch.ends_phrase:
            weight = noted_weight(stretch, f"{stretch.weight:+g}")
            columns.append(_plain(f"({weight})", ""))
    return _in_columns([name, ""], columns, width, "")


def _in_columns(
    names: Sequence[str], columns: Sequence[Sequence[tuple[str, str]]], width: int, gap: str, always: int = 0
) -> Iterator[Line]:
    """Yields the rows of a table without lines, in as many blocks as its width needs.

    Empty rows are left out, other than the one that is always there.
    """
    margin = max(map(len, names)) + 2
    blocks: list[list[Line]] = [[]]  # of columns whose texts are as wide as the column
    block_width = 0
    for column in columns:
        column_width = len(gap) + max(text_width(text) for text, _ in column)
        if blocks[-1] and block_width + column_width > width - margin:
            blocks.append([])
            block_width = 0
        blocks[-1].append([(padded(text, column_width), kind) for text, kind in column])
        block_width += column_width
    for block in blocks:
        for row, name in enumerate(names):
            cells = [column[row] for column in block]
            while cells and not cells[-1][0].strip():
                cells.pop()
            if cells or row == always:
                *pieces, (last_text, last_kind) = [(padded(name, margin), ""), *_merged(cells)]
                yield [*pieces, (last_text.rstrip(), last_kind)]


def _merged(pieces: Line) -> Line:
    """Joins neighbouring pieces of one kind."""
    merged: Line = []
    for text, kind in pieces:
        if merged and merged[-1][1] == kind:
            merged[-1] = (merged[-1][0] + text, kind)
        else:
            merged.append((text, kind))
    return merged
