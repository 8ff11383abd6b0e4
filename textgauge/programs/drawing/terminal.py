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
        columns = [((token, ""), (log_text(value), "")) for token, value in scored_tokens(explanation)]
        return list(_in_columns([say("token"), "ln p"], columns, width, " "))
    if {"prediction", "references", "reference_index", "links"} <= keys:
        return _links(explanation) + ([[(links_text(explanation), "")]] if "penalty" in keys else [])
    if {"prediction", "references", "matches"} <= keys:
        return _all_matches(explanation, prediction, references, width, source)
    if {"alignment", "reference_index"} <= keys:
        return _edits(explanation, prediction, references, width)
    if worths(explanation)[0]:
        return _worths(explanation, width)
    return [[(f"{name}: {value_text(value)}", "")] for name, value in explanation.items()]


def _streams(explanation: dict[str, Any], width: int) -> list[Line]:
    """Writes who is who in a session, what both said, and what was written for another speaker."""
    lines: list[Line] = []
    for stream in explanation["streams"]:
        reference, prediction = stream["texts"]
        lines += [[(speakers_text(stream), "")], *_edits(stream, prediction, [reference], width)]
    return lines + [[(text, "")] for text in wrong_speaker_texts(explanation)]


def _all_matches(
    explanation: dict[str, Any], prediction: str, references: Sequence[str], width: int, source: str
) -> list[Line]:
    """Writes the texts with matched n-grams, then those in common with a source, and what n-grams are worth."""
    texts = matched_ngrams(explanation, prediction, references)
    names = [say("prediction"), *reference_names(explanation, references)]
    if "source_matches" in explanation:
        texts += copied_ngrams(explanation, prediction, source)
        names += [say("copied"), say("source")]
    names = [padded(name, max(map(len, names))) for name in names]
    lines = [line for name, stretches in zip(names, texts, strict=True) for line in _matches(name, stretches, width)]
    if "words" in explanation:
        lines += _all_matches(explanation["words"], prediction, references, width, source)
    return lines + _worths(explanation, width)


def _worths(explanation: dict[str, Any], width: int) -> list[Line]:
    """Writes the n-grams of each order with their values below."""
    name, orders = worths(explanation)
    if not any(orders):
        return []
    lines: list[Line] = [[(f"{say('worth_ngrams', name=name)}:", "")]]
    for order, (of_order, total) in enumerate(zip(orders, totals(explanation, orders), strict=True), start=1):
        columns = [((worth.text, ""), (worth_text(worth.value), "")) for worth in of_order]
        if columns:
            lines += _in_columns(
                [say("ngrams", n=2, order=order), f"{say('worth_sum')} {worth_text(total)}"], columns, width, "  "
            )
    return lines


def _links(explanation: dict[str, Any]) -> list[Line]:
    """Writes a word of each sentence per line, the prediction's left, with lines of dots between those that match."""
    sides = explanation["prediction"], explanation["references"][explanation["reference_index"]]
    notes: list[dict[int, Any]] = [{}, {}]
    cells: dict[tuple[int, int], tuple[int, str]] = {}
    for i, j, stage, chunk in explanation["links"]:
        notes[0][i], notes[1][j] = str(chunk + 1), f"{chunk + 1} {stage}"
        for row, column, dot in _dots(i, j):
            cells[row, column] = cells.get((row, column), (0, ""))[0] | dot, str(stage)
    widths = [max(map(text_width, words), default=0) for words in sides]
    lines = []
    for row in range(max(map(len, sides))):
        left, right = (words[row] if row < len(words) else "" for words in sides)
        between = [cells.get((row, column), (0, "")) for column in range(_SPAN)]
        lines.append(
            [
                (f"{notes[0].get(row, ''):>3} {' ' * (widths[0] - text_width(left))}{left} ", ""),
                *_merged((chr(0x2800 + bits) if bits else " ", stage) for bits, stage in between),
                (f" {padded(right, widths[1])} {notes[1].get(row, '')}".rstrip(), ""),
            ]
        )
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
        above, below = (f"{text} " if text else "" for text in (column.prediction_read, column.reference_read))
        texts = (above, column.prediction, column.reference, below)
        cells.append((*((text, kind) for text in texts), (_LETTERS.get(kind, ""), kind)))
    lines = list(_in_columns([*map(say, ("read_as", "prediction", "reference", "read_as")), ""], cells, width, "", 1))
    for side, note in (("reference", say("missed_phrases")), ("prediction", say("surplus_phrases"))):
        keywords = [entry for entry in explanation.get("keywords", ()) if entry[0] == side and not entry[-1]]
        shown = ", ".join(f"{phrase} ({weight:+g})" for _, phrase, weight, *_ in keywords)
        lines += [[(f"{padded(note, 12)}{shown}", "")]] if shown else []
    return lines


def _matches(name: str, stretches: Sequence[Stretch], width: int) -> Iterator[Line]:
    """Writes a text, and below each token how long the longest match through it is."""
    columns = []
    for stretch in stretches:
        level = max([stretch.level, *(above.level for above in stretch.over)])
        kind = f"n{min(level, 4)}" if level else stretch.edit
        columns.append(((stretch.gap, ""), ("", "")))
        for part in _PARTS.findall(stretch.text):
            below = (str(min(level, 9)) if level else _LETTERS.get(stretch.edit, "")) * text_width(part)
            columns.append(((part, kind), (below, kind)))
        if stretch.ends_phrase:
            columns.append(((f"({noted_weight(stretch, f'{stretch.weight:+g}')})", ""), ("", "")))
    return _in_columns([name, ""], columns, width, "")


def _in_columns(
    names: Sequence[str], columns: Sequence[Sequence[tuple[str, str]]], width: int, gap: str, always: int = 0
) -> Iterator[Line]:
    """Yields the rows of a table without lines, in as many blocks as its width needs.

    Empty rows are left out, other than the one that is always there.
    """
    margin = max(map(len, names)) + 2
    widths = [max(text_width(text) for text, _ in column) + len(gap) for column in columns]
    blocks: list[list[int]] = [[]]
    for index, size in enumerate(widths):
        if blocks[-1] and sum(widths[i] for i in blocks[-1]) + size > width - margin:
            blocks.append([])
        blocks[-1].append(index)
    for block in blocks:
        for row, name in enumerate(names):
            cells = [(padded(columns[index][row][0], widths[index]), columns[index][row][1]) for index in block]
            if row == always or any(text.strip() for text, _ in cells):
                while cells and not cells[-1][0].strip():
                    cells.pop()
                line = [(padded(name, margin), ""), *_merged(cells)]
                yield [*line[:-1], (line[-1][0].rstrip(), line[-1][1])]


def _merged(pieces: Any) -> list[tuple[str, str]]:
    """Joins neighbouring pieces of one kind."""
    return [
        ("".join(text for text, _ in group), kind) for kind, group in itertools.groupby(pieces, lambda piece: piece[1])
    ]
